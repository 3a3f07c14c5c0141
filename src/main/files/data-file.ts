/** Data files of archives in two parts: what is in them, their directory says. */
import { stemOf } from '../../shared/ref.ts'
import type { FileStore } from './store.ts'

/** The archive that is meant by a file: the directory beside a data file, else the file itself. */
export function archiveOfData(store: FileStore, ref: string): string {
  if (!store.exists(ref) || store.isFolder(ref) || store.container(ref) !== undefined || store.identify(ref)) return ref
  const disk = store.diskFile(ref)
  const stem = stemOf(store.nameOf(ref))
  for (const entry of store.list(store.folderOf(ref))) {
    if (!entry.archive || stemOf(entry.name) !== stem) continue
    try {
      if (store.openArchive(entry.ref)?.dataRef === disk) return entry.ref
    } catch {
      // a broken directory says nothing of the file
    }
  }
  return ref
}
