/** `marrow field ...`: fields of a file by their paths, listed, told and set. */
import { fieldOf, fieldRows, fieldStep } from '../services/field-steps.ts'
import { archiveNamed, getArchiveField, listArchiveFields, setArchiveField } from './archive-field.ts'
import { saveAll, savedText } from './save-all.ts'
import type { FieldRow } from '../services/field-steps.ts'
import type { CommandModels } from './models.ts'
import type { SavedFile, SaveLeave } from './save-all.ts'
import type { EditableField } from '../../shared/api/types/fields.ts'
import { say } from '../../shared/texts/say.ts'

export interface FieldList {
  path: string
  fields: FieldRow[]
}

export interface FieldReport {
  /** the file */
  path: string
  field: EditableField
}

export interface FieldSetReport extends FieldReport {
  /** the value that it had */
  before: string
  /** files written; empty where nothing changed */
  saved: SavedFile[]
}

/** @param filter words, all of which stand in the path @throws FormatError of a file that is none of a known format, or broken */
export async function listFields(models: CommandModels, path: string, filter = ''): Promise<FieldList> {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (name: string): boolean => words.every((word) => name.toLowerCase().includes(word))
  const archive = archiveNamed(models, path)
  if (archive !== undefined) return listArchiveFields(models, archive, fits)
  return models.with(models.finder.alone(path), (_, model) => {
    const { primary } = model.binding
    const fields = fieldRows(model, primary, fits)
    return Promise.resolve({ path: primary, fields })
  })
}

export async function getField(models: CommandModels, path: string, field: string): Promise<FieldReport> {
  const archive = archiveNamed(models, path)
  if (archive !== undefined) return getArchiveField(models, archive, field)
  return models.with(models.finder.alone(path), (_, model) => {
    const { primary } = model.binding
    return Promise.resolve({ path: primary, field: fieldOf(model, primary, field) })
  })
}

/** Sets and saves: the original is kept, writes are atomic. @throws FormatError: nothing is written then */
export async function setField(
  models: CommandModels,
  path: string,
  field: string,
  value: string,
  leave: SaveLeave = {},
): Promise<FieldSetReport> {
  const archive = archiveNamed(models, path)
  if (archive !== undefined) return setArchiveField(models, archive, field, value, leave)
  return models.with(models.finder.alone(path), async (workspace, model) => {
    const { primary } = model.binding
    const before = fieldOf(model, primary, field).value
    const { label, body } = fieldStep(model, primary, [{ path: field, value }])
    await workspace.edit(model.id, label, body)
    const saved = await saveAll(models.images, workspace, model, leave)
    return { path: primary, field: fieldOf(model, primary, field), before, saved }
  })
}

/** Numbers of one field that a list shows, as many as of a column. */
const MOST_NUMBERS = 16

export function* fieldsText({ fields }: FieldList): Generator<string> {
  for (const { path, type, value, form, refused } of fields)
    yield `${path} = ${form === 'numbers' ? firstOf(value) : value}  (${type})${refused ? ' ·' : ''}\n`
  yield `${say('reports.fields.sum', { n: fields.length })}\n`
}

function firstOf(value: string): string {
  const numbers = value.split(', ')
  return numbers.length > MOST_NUMBERS ? `${numbers.slice(0, MOST_NUMBERS).join(', ')}, … (${numbers.length})` : value
}

export function fieldText({ field }: FieldReport): string {
  return `${field.value}\n`
}

export function fieldSetText({ field, before, saved }: FieldSetReport): string {
  return `${say('reports.fields.set', { field: field.path, before, after: field.value })}\n${savedText(saved)}\n`
}
