/** Fields of the files of a model by their paths: told as they are edited, and set as one step. */
import { notHere } from '../formats/address.ts'
import { editableField, fieldsIn, findField, foundIn, nodeAt } from '../formats/fields.ts'
import type { FoundField } from '../formats/fields.ts'
import { withFields } from '../formats/set-field.ts'
import { become } from '../workspace/edit-session.ts'
import type { EditSession } from '../formats/editing.ts'
import type { FieldValue } from '../formats/set-field.ts'
import type { StructureNode } from '../formats/format.ts'
import type { EditableField, FieldForm, FieldGroup } from '../../shared/api/types/fields.ts'
import type { OpenModel } from '../workspace/open-model.ts'
import { say } from '../../shared/texts/say.ts'

/** @throws FormatError not-found, and as the file cannot be read */
export function fieldOf(model: OpenModel, ref: string, path: string): EditableField {
  const { format, document, bytes } = model.file(model.member(ref))
  const root = format.describe(document)
  const found = findField(root, path, format.scalars) ?? notHere('field', path, ref)
  const told = editableField(found, bytes, () => otherTrees(model, ref))
  return document.readOnly ? { ...told, form: 'none', refused: say('edits.readOnly', { why: document.readOnly }) } : told
}

function* otherTrees(model: OpenModel, ref: string): Generator<StructureNode> {
  for (const other of model.refs()) {
    const { file } = model.entry(other)
    if (other !== ref && file) yield file.format.describe(file.document)
  }
}

export interface FieldRow {
  path: string
  type: string
  value: string
  form: FieldForm
  refused: string
}

/** Every field of a file, columns as one. @param fits whether a path is asked for */
export function fieldRows(model: OpenModel, ref: string, fits: (path: string) => boolean): FieldRow[] {
  const { format, document, bytes } = model.file(model.member(ref))
  const rows: FieldRow[] = []
  for (const { path, field, around } of fieldsIn(format.describe(document))) {
    if (!fits(path)) continue
    const { type, value, form, refused } = editableField(foundIn(field, path, around, format.scalars), bytes, () => [])
    rows.push({ path, type, value, form, refused })
  }
  return rows
}

/** Most fields of one place: a form is no structure panel. */
const MOST_FIELDS = 48

/** What the files of a model say of a material, as it is edited. What follows from other fields is left out, and what nobody knows. */
export function materialFields(model: OpenModel, material: number): FieldGroup[] {
  const trees = new Map<string, StructureNode>()
  const groups: FieldGroup[] = []
  for (const { ref, path } of model.family.editor.materials?.places(model, material) ?? []) {
    const { file } = model.entry(ref)
    if (!file) continue
    const { format, bytes, document } = file
    const root = trees.get(ref) ?? format.describe(document)
    trees.set(ref, root)
    const readOnly = document.readOnly ? say('edits.readOnly', { why: document.readOnly }) : ''
    const tell = (found: FoundField): EditableField[] => {
      const told = editableField(found, bytes, () => otherTrees(model, ref))
      if (told.form === 'none' || told.unknown) return []
      return [readOnly ? { ...told, form: 'none', refused: readOnly } : told]
    }
    const one = findField(root, path, format.scalars)
    if (one) {
      groups.push({ ref, path: path.slice(0, Math.max(0, path.lastIndexOf('.'))), what: '', fields: tell(one) })
      continue
    }
    const node = nodeAt(root, path)
    if (!node) continue
    const fields: EditableField[] = []
    for (const found of fieldsIn(node, path)) {
      if (fields.length >= MOST_FIELDS) break
      fields.push(...tell(foundIn(found.field, found.path, found.around, format.scalars)))
    }
    groups.push({ ref, path, what: node.type, fields })
  }
  return groups.filter(({ fields }) => fields.length > 0)
}

/** One undoable step: nothing of it is kept where one of the values is refused. */
export function fieldStep(
  model: OpenModel,
  ref: string,
  values: readonly FieldValue[],
): { label: string; body: (session: EditSession) => void } {
  const [{ path }] = values
  const others = values.length - 1
  return {
    label: others === 0 ? say('fields.set', { field: path }) : say('fields.setSeveral', { field: path, count: others }),
    body(session) {
      const document = session.edit(ref)
      const { format, bytes } = model.file(ref)
      become(document, withFields(format, { bytes, document }, values).document)
    },
  }
}
