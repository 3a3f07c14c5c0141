/**
 * Files that are replaced together: an archive in two files is the old one or the new one, never half of each.
 *
 * All new files stand complete as temporaries beside the old ones. The record, itself renamed into place whole, is the
 * moment from which the change counts: who finds one whose writer is dead carries it to its end. `back` means that the
 * writer gave up after some files were replaced: then the old ones, which stand aside, take their places again; so they do
 * when somebody else put another file where one was still to be replaced. Every step can be done twice. The record names files of its own folder only.
 */
import { readFileSync, renameSync, statSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { isTemporaryName, temporaryParts } from '../../shared/temporary-name.ts'
import { isPlainName, readUndo, rollBack } from './undo-record.ts'

export interface CommitFile {
  /** name of the file that is replaced */
  target: string
  /** name of the new file; gone once it has taken the target's place */
  temporary: string
  /** name that the old file has meanwhile, too (a second link) or instead */
  aside: string
  /** the file that is replaced, null for none: another one is not written over */
  before: { size: number; mtimeMs: number } | null
}

export interface CommitRecord {
  marrow: 'commit'
  version: 1
  direction: 'forward' | 'back'
  files: CommitFile[]
}

const MOST_BYTES = 1 << 16
/** A folder that was copied has its times in whole milliseconds. */
const TOLERANCE_MS = 10

/**
 * Brings the records of dead writers to their end: files that were to be replaced are, those that were written where they stood are as before.
 * @param names of temporaries in the folder
 * @returns `held`: names that records still need; `moved`: whether a file was replaced; `busy`: targets of records whose writer lives, and of those that cannot be written back now;
 *   `damaged`: records of dead writers that say no more what was there
 */
export function settleRecords(
  folder: string,
  names: readonly string[],
  isAlive: (path: string) => boolean,
): { held: Set<string>; moved: boolean; busy: Set<string>; damaged: string[] } {
  const damaged: string[] = []
  const held = new Set<string>()
  const busy = new Set<string>()
  let moved = false
  for (const name of names) {
    const kind = temporaryParts(name)?.kind
    if (kind !== 'commit' && kind !== 'undo') continue
    const path = join(folder, name)
    const alive = isAlive(path)
    if (kind === 'undo') {
      // one that is damaged leads nowhere, and may be all that is left of the old bytes: it stays
      const record = readUndo(path)
      if (!record && !alive && exists(path)) damaged.push(path)
      const files = record ?? []
      const undone = !alive && files.length > 0 && tried(() => rollBack(path, files))
      if (undone) moved = true
      else for (const { target } of files) busy.add(target)
      continue
    }
    const record = readRecord(path)
    if (!record) {
      // a record gets its name once it is whole: this file is no record
      if (!alive) remove(path)
      continue
    }
    if (!alive) {
      try {
        settleRecord(path, record)
        moved = true
        continue
      } catch {
        // a file is in use: it is tried again at the next look
      }
    }
    for (const file of record.files) {
      held.add(file.temporary).add(file.aside)
      if (alive) busy.add(file.target)
    }
  }
  return { held, moved, busy, damaged }
}

/** Carries a record out and removes it. @throws what the file system says when a file cannot be moved; the record is left then */
export function settleRecord(path: string, record: CommitRecord): void {
  const folder = join(path, '..')
  const at = (name: string): string => join(folder, name)
  if (record.direction === 'forward' && record.files.every((file) => isUntouched(folder, file))) {
    for (const { target, temporary } of record.files) if (exists(at(temporary))) renameSync(at(temporary), at(target))
  } else {
    // given up, or somebody else's file stands in a place that was still to be filled: what was replaced goes back
    for (const { target, temporary, aside, before } of record.files) {
      const replaced = !exists(at(temporary))
      if (exists(at(aside))) {
        if (replaced || !exists(at(target))) renameSync(at(aside), at(target))
      } else if (replaced && before === null) remove(at(target))
    }
  }
  for (const { temporary, aside } of record.files) {
    remove(at(temporary))
    remove(at(aside))
  }
  unlinkSync(path)
}

/** Whether nobody else has put another file in the place of one that is still to be replaced. */
function isUntouched(folder: string, { target, temporary, before }: CommitFile): boolean {
  if (!exists(join(folder, temporary))) return true
  const now = statSync(join(folder, target), { throwIfNoEntry: false })
  return !now || (before !== null && now.size === before.size && Math.abs(now.mtimeMs - before.mtimeMs) < TOLERANCE_MS)
}

function readRecord(path: string): CommitRecord | undefined {
  try {
    if (statSync(path).size > MOST_BYTES) return undefined
    const record = JSON.parse(readFileSync(path, 'utf8')) as CommitRecord
    const fine =
      record.marrow === 'commit' &&
      record.version === 1 &&
      (record.direction === 'forward' || record.direction === 'back') &&
      record.files.every(
        ({ target, temporary, aside, before }) =>
          isPlainName(target) &&
          [temporary, aside].every((name) => isPlainName(name) && isTemporaryName(name)) &&
          (before === null || (typeof before.size === 'number' && typeof before.mtimeMs === 'number')),
      )
    return fine ? record : undefined
  } catch {
    return undefined
  }
}

/** A file that is in use is tried again at the next look. */
function tried(task: () => void): boolean {
  try {
    task()
    return true
  } catch {
    return false
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

function remove(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // it is gone, or a sweep takes it
  }
}
