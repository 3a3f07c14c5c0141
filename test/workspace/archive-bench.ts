/** An archive of a test, on disk, with what changes it. */
import { join } from 'node:path'
import { FileStore } from '../../src/main/files/store.ts'
import { planArchiveChange } from '../../src/main/workspace/archive-edits.ts'
import { archiveTarget, writeArchiveChange } from '../../src/main/workspace/archive-writes.ts'
import { Originals } from '../../src/main/workspace/originals.ts'
import { StateFiles } from '../../src/main/workspace/state-files.ts'
import { readBytes } from '../support/corpus.ts'
import { temporaryFolder, writeFiles } from './support.ts'
import type { ArchiveChange, PlannedChange } from '../../src/main/workspace/archive-edits.ts'
import type { ArchiveCase } from '../support/archive-cases.ts'
import type { ReadMember } from '../support/read-archives.ts'

export interface Bench {
  store: FileStore
  archive: string
  root: string
  originals: Originals
  members(): ReadMember[]
  /** of all its files */
  size(): number
  number(name: string): number
  plan(changes: ArchiveChange | ArchiveChange[]): PlannedChange
  change(changes: ArchiveChange | ArchiveChange[], signal?: AbortSignal): Promise<PlannedChange>
}

/** An archive on disk, changed in place. */
export async function onDisk(
  { files, read }: Pick<ArchiveCase, 'files' | 'read'>,
  body: (bench: Bench) => Promise<void> | void,
): Promise<void> {
  const root = temporaryFolder()
  writeFiles(root, files)
  const names = Object.keys(files)
  const archive = join(root, names.at(-1)!)
  const store = new FileStore()
  const originals = new Originals(new StateFiles(temporaryFolder()))
  const plan = (changes: ArchiveChange | ArchiveChange[]): PlannedChange => planArchiveChange(store, archive, changes)
  try {
    await body({
      store,
      archive,
      root,
      originals,
      number: (name) => store.members(archive).byKey(name)!.index,
      members: () => read(...names.map((name) => readBytes(join(root, name)))),
      size: () => names.reduce((sum, name) => sum + readBytes(join(root, name)).length, 0),
      plan,
      async change(changes, signal) {
        const planned = plan(changes)
        const target = archiveTarget(store, archive, { mode: 'in-place', root: '', folder: '' })
        await writeArchiveChange(store, originals, planned, target, {}, { signal })
        return planned
      },
    })
  } finally {
    store.close()
  }
}
