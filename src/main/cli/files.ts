/** The files that a command is given: files, folders, archives, members. */
import { FormatError } from '../binary/format-error.ts'
import { walk } from '../files/walk.ts'
import type { FileStore } from '../files/store.ts'
import { say } from '../../shared/texts/say.ts'

/** Every file on disk below the paths, and members that are named themselves. Errors of folders go to `onError`. */
export function* filesGiven(
  store: FileStore,
  paths: readonly string[],
  onError: (path: string, error: unknown) => void,
): Generator<string> {
  for (const path of paths) {
    try {
      if (!store.exists(path)) throw new FormatError('not-found', say('files.notThere', { file: path }), { file: path })
      if (!store.isFolder(path)) yield path
      else if (store.container(path) !== undefined) yield* membersIn(store, path)
      else for (const file of walk(path, (error) => onError(error.file, error))) yield file.path
    } catch (error) {
      onError(path, error)
    }
  }
}

/** Members below a folder inside of an archive. */
function* membersIn(store: FileStore, folder: string): Generator<string> {
  for (const entry of store.list(folder)) {
    if (entry.folder && !entry.archive) yield* membersIn(store, entry.ref)
    else yield entry.ref
  }
}
