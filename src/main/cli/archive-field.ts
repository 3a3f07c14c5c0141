/** `marrow field ...` of an archive: fields of its directory. */
import { editableField, fieldsIn, foundIn } from '../formats/fields.ts'
import { archiveField, fieldAddress, fieldIn } from '../workspace/archive-fields.ts'
import { planArchiveChange, whyReadOnly } from '../workspace/archive-edits.ts'
import { archiveTarget, intoOwnCopy, writeArchiveChange } from '../workspace/archive-writes.ts'
import type { FieldList, FieldReport, FieldSetReport } from './field.ts'
import type { CommandModels } from './models.ts'
import type { SaveLeave } from './save-all.ts'
import type { FieldRow } from '../services/field-steps.ts'

/** The archive that a path names, by any of its files; undefined for what is none. */
export function archiveNamed({ store, finder }: CommandModels, given: string): string | undefined {
  const ref = finder.refOf(given)
  if (!store.exists(ref) || store.isFolder(ref)) return undefined
  const archive = store.archiveOfData(ref)
  return store.identify(archive)?.archive ? archive : undefined
}

export function listArchiveFields(models: CommandModels, archive: string, fits: (path: string) => boolean): FieldList {
  const { store, finder } = models
  const open = store.openArchive(finder.source(archive))!
  const readOnly = whyNotSet(models, archive)
  const fields: FieldRow[] = []
  for (const { path, field, around } of fieldsIn(open.format.describe(open.index))) {
    if (!fits(path)) continue
    const at = { ...foundIn(field, path, around), start: 0 }
    const { type, value, form, refused } = editableField(at, open.source.read(field.start, field.size), () => [])
    fields.push({ path, type, value, form: readOnly ? 'none' : form, refused: refused || readOnly })
  }
  return { path: archive, fields }
}

/** Why nothing of an archive can be set, '' where it can. */
function whyNotSet(models: CommandModels, archive: string): string {
  const { store, finder } = models
  const target = archiveTarget(store, archive, finder.place(archive))
  return whyReadOnly(store, store.openArchive(target.from)!, intoOwnCopy(store, models.originals(), target))
}

export function getArchiveField(models: CommandModels, archive: string, path: string): FieldReport {
  const { store, finder } = models
  const open = store.openArchive(finder.source(archive))!
  const { member, path: own } = fieldAddress(open, path)
  return { path: archive, field: { ...archiveField(open, member, own, whyNotSet(models, archive)), path } }
}

/** Sets and saves, as a change of a member does. @throws FormatError: nothing is written then */
export async function setArchiveField(
  models: CommandModels,
  archive: string,
  path: string,
  value: string,
  leave: SaveLeave,
): Promise<FieldSetReport> {
  const { store, finder } = models
  const target = archiveTarget(store, archive, finder.place(archive))
  const open = store.openArchive(target.from)!
  const address = fieldAddress(open, path)
  const before = archiveField(open, address.member, address.path, '').value
  const planned = planArchiveChange(
    store,
    target.from,
    { kind: 'fields', values: [{ ...address, value }] },
    intoOwnCopy(store, models.originals(), target),
  )
  const [old, now] = [open, planned.after].map((one) => fieldIn(one, address.member, address.path).bytes)
  const changedBytes = old.reduce((n, byte, i) => n + Number(byte !== now[i]), 0)
  const field = { ...archiveField(planned.after, address.member, address.path, ''), path }
  if (changedBytes === 0) return { path: archive, field, before, saved: [] }
  await writeArchiveChange(store, models.originals(), planned, target, leave)
  return { path: archive, field, before, saved: [{ path: archive, target: target.disk, bytes: planned.plan.size[1], changedBytes }] }
}
