/**
 * Which arguments of which calls name files and folders, and what a window may name there. One table, so that a call with a path cannot be
 * without a rule: a test goes through every text of the contract's schemas.
 */
import type { CallName } from './contract.ts'

export type PathRule =
  /** a file, or a member of an archive, in a library that is open, or that the user gave to a model that is open */
  | 'file'
  /** a file as above, or the archive that has no file yet */
  | 'archive'
  /** a folder of a library that is open */
  | 'folder'
  /** an id of something in a file, which begins with the file: `file#place in it` */
  | 'id'
  /** a folder to open as a library */
  | 'library'
  /** a library that is open, or was */
  | 'known'
  /** a folder to look into */
  | 'list'
  /** a file that the user chose */
  | 'chosen'
  /** a file that the user chose, or one of a library that is open */
  | 'given'
  /** one that is given, or one of a library that was open */
  | 'around'
  /** a folder that files are written into */
  | 'place'
  /** the folder that mods are saved to */
  | 'mod-folder'

/** By call, then by the argument; `[]` stands for each entry of a list. */
export const pathArguments: { readonly [K in CallName]?: Readonly<Record<string, PathRule>> } = {
  'settings.set': { modFolder: 'mod-folder' },
  'folders.list': { path: 'list' },
  'open.look': { 'paths.[]': 'chosen' },
  'open.around': { ref: 'around' },
  'library.open': { root: 'library' },
  'library.forget': { root: 'known' },
  'library.leaveOut': { folder: 'folder' },
  'library.place': { ref: 'file' },
  'library.pictures': { 'refs.[]': 'file' },
  'library.adoptPictures': { 'refs.[]': 'file' },
  'library.pictureScene': { ref: 'file' },
  'library.preview': { ref: 'file' },
  'library.standings': { 'refs.[]': 'file' },
  'library.showInFolder': { ref: 'file' },
  'library.putPicture': { ref: 'file' },
  'model.open': { ref: 'file' },
  'model.prepare': { ref: 'file' },
  'model.bind': { ref: 'file' },
  'model.add': { 'refs.[]': 'given' },
  'model.fix': { 'problem.ref': 'file' },
  'compare.run': { 'a.ref': 'given', 'b.ref': 'given' },
  'model.structure': { ref: 'file' },
  'model.bytes': { ref: 'file' },
  'model.changes': { ref: 'file' },
  'changes.restore': { ref: 'file' },
  'clips.editKeys': { 'edits.[].track': 'id' },
  'clips.preview': { 'edits.[].track': 'id' },
  'clips.removeTrack': { track: 'id' },
  'clips.moveTo': { ref: 'file' },
  'weights.read': { id: 'id' },
  'weights.write': { 'edit.id': 'id' },
  'weights.preview': { 'edit.id': 'id' },
  'fields.get': { ref: 'file' },
  'fields.set': { ref: 'file' },
  'points.add': { ref: 'file' },
  'points.set': { point: 'id' },
  'points.place': { point: 'id' },
  'points.remove': { point: 'id' },
  'points.duplicate': { point: 'id' },
  'archive.open': { ref: 'archive' },
  'archive.members': { ref: 'archive' },
  'archive.hold': { ref: 'archive' },
  'archive.take': { ref: 'archive', 'from.[]': 'file' },
  'archive.change': { ref: 'archive' },
  'archive.undo': { ref: 'archive' },
  'archive.redo': { ref: 'archive' },
  'archive.structure': { ref: 'archive' },
  'archive.field': { ref: 'archive' },
  'archive.discard': { ref: 'archive' },
  'archive.plan': { ref: 'archive', folder: 'place' },
  'archive.save': { ref: 'archive', folder: 'place' },
  'archive.download': { ref: 'archive' },
  'archive.drag': { ref: 'archive' },
  'archive.extract': { ref: 'file', folder: 'place' },
  'mod.compare': { ref: 'file' },
  'mod.rebase': { ref: 'file' },
  'mod.test': { folder: 'mod-folder' },
  'mod.keep': { 'refs.[]': 'file' },
  'save.copyPlan': { folder: 'place' },
  'save.copy': { folder: 'place' },
  'save.dropCopy': { folder: 'place' },
  'save.restore': { ref: 'file' },
  'modPackage.export': { folder: 'place' },
  // bytes of a mod package are no path
  'modPackage.read': { modPackage: 'chosen' },
  'modPackage.build': { modPackage: 'chosen', folder: 'mod-folder' },
  'export.batch': { folder: 'place', 'refs.[]': 'file' },
  'export.model': { folder: 'place' },
  'link.start': { folder: 'place' },
  'diagnostics.make': { 'headers.[]': 'file' },
}

/** The values that stand at a path of the table, whatever the arguments look like. */
export function valuesAt(value: unknown, path: readonly string[]): unknown[] {
  if (path.length === 0) return value === undefined ? [] : [value]
  const [step, ...rest] = path
  if (step === '[]') return Array.isArray(value) ? value.flatMap((entry) => valuesAt(entry, rest)) : []
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return []
  return valuesAt((value as Record<string, unknown>)[step], rest)
}
