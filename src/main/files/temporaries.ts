/**
 * Temporaries beside user files: who owns one, whether that process still lives, and clearing away what a dead one left.
 * A write that a kill interrupted between the files of one archive is brought to its end here first (commit-record.ts).
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, rmSync, statSync, unlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { isTemporaryName, temporaryName, temporaryParts } from '../../shared/temporary-name.ts'
import type { TemporaryKind } from '../../shared/temporary-name.ts'
import { settleRecords } from './commit-record.ts'
import { readUndo } from './undo-record.ts'
import { ownMark, processLives } from './process-lives.ts'

/** Owners touch theirs more often than this. It decides where the process cannot be asked: on another machine, or when its number was given anew. */
const STALE_MS = 10 * 60_000
export const TOUCH_EVERY_MS = 60_000
/** Temporaries of earlier versions, whose names say no owner. */
const OLD_STALE_MS = 60 * 60_000

const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)

/** Path of a new temporary of this process in `folder`, for a file called `name`. */
export function newTemporary(folder: string, name: string, kind: TemporaryKind = 'tmp'): string {
  return join(folder, temporaryName(name, { machine, pid: process.pid }, ownMark(), kind))
}

/** Whether a temporary belongs to this process, and to none of its runs that failed. */
export function isOwn(path: string): boolean {
  const owner = temporaryParts(basename(path))
  return owner?.machine === machine && owner.pid === process.pid && processLives(owner.pid, owner.mark)
}

/** Whether whoever writes this temporary is still at it. What is gone already counts as alive: there is nothing to do about it. */
export function ownerIsAlive(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return true
  const age = Math.abs(Date.now() - stat.mtimeMs)
  const owner = temporaryParts(basename(path))
  if (!owner) return age < OLD_STALE_MS
  if (age >= STALE_MS) return false
  return owner.machine !== machine || processLives(owner.pid, owner.mark)
}

/** What this process could not clear away, because no disk let it: it lives, so no sweep of others takes it. */
const stuck = new Map<string, () => void>()

/** Clears something of this process away; where the disk does not let it, each later sweep of this process tries again. */
export function clearAway(path: string, task: () => void): void {
  try {
    task()
    stuck.delete(path)
  } catch {
    stuck.set(path, task)
  }
}

/** Removes a temporary of this process, now or when the disk lets it. */
export function dropTemporary(path: string): void {
  clearAway(path, () => rmSync(path, { force: true }))
}

/** Whether this process failed to clear something away. */
export function isStuck(path: string): boolean {
  return stuck.has(path)
}

/** Tries again to clear away what this process could not. */
export function clearStuck(): void {
  for (const [path, task] of stuck) clearAway(path, task)
}

/**
 * Whether a file stands there. One that a dead writer was about to put there together with another one does: that write is brought to its end
 * first. Otherwise a caller would take the file for missing, and go on with what stood there before it.
 */
export function isThere(disk: string): boolean {
  if (existsSync(disk)) return true
  const folder = dirname(disk)
  let names: string[]
  try {
    names = readdirSync(folder).filter((name) => temporaryParts(name)?.kind === 'commit')
  } catch {
    return false
  }
  return settleRecords(folder, names, ownerIsAlive).moved && existsSync(disk)
}

/** A temporary may have the start of its file's name alone. */
function isOf(file: string, folder: string, name: string): boolean {
  const { mark, kind, ...owner } = temporaryParts(name)!
  return dirname(file) === folder && temporaryName(basename(file), owner, mark, kind) === name
}

/** Records of dead writers that say no more what stood in one of these files before: they stay until the user has looked. */
export function damagedRecords(files: readonly string[]): string[] {
  const found: string[] = []
  for (const folder of new Set(files.map((file) => dirname(file))))
    for (const name of readdirSync(folder)) {
      const parts = temporaryParts(name)
      const path = join(folder, name)
      if (parts?.kind !== 'undo' || !files.some((file) => isOf(file, folder, name))) continue
      if (!ownerIsAlive(path) && !readUndo(path)) found.push(path)
    }
  return found
}

/**
 * Clears away what dead processes left in a folder; writes that were interrupted between the files of one archive are
 * completed or taken back. What cannot be done now is left for the next time.
 * @param onDamaged records of files that were written where they stand, which say no more what stood there: they stay until the user has looked
 */
export function sweepFolder(folder: string, onDamaged: (record: string) => void = () => {}): void {
  clearStuck()
  let names: string[]
  try {
    names = readdirSync(folder).filter(isTemporaryName)
  } catch {
    return
  }
  if (names.length === 0) return
  const { held, damaged } = settleRecords(folder, names, ownerIsAlive)
  for (const record of damaged) onDamaged(record)
  for (const name of names) {
    const kind = temporaryParts(name)?.kind
    if (held.has(name) || kind === 'commit' || kind === 'undo' || ownerIsAlive(join(folder, name))) continue
    try {
      unlinkSync(join(folder, name))
    } catch {
      // left for the next sweep
    }
  }
}
