/**
 * Files that are written where they stand: a large archive of which a few bytes change. Before the first byte is written, a record beside them has
 * each range as it was and as it will be, flushed. It is taken away once all is on disk, read back and noted: that is the moment from which the
 * change counts. Who finds the record of a writer that is dead puts the old bytes back, so that every reader sees the old files or the new ones.
 *
 * A byte that is neither the old one nor the one that was coming is somebody else's: such a file is left as it is. Every step can be done twice.
 * The record names files of its own folder only.
 */
import { createHash } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  futimesSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/** Archives from this size on are written where they stand; a smaller one is copied as fast. */
export const IN_PLACE_FROM = 1 << 22

export interface UndoRange {
  offset: number
  /** shorter than `fresh` where the file grows */
  old: Uint8Array
  fresh: Uint8Array
}

export interface UndoFile {
  /** a name in the record's folder */
  target: string
  /** of the old file */
  size: number
  mtimeMs: number
  ranges: UndoRange[]
}

interface Header {
  marrow: 'undo'
  version: 1
  files: { target: string; size: number; mtimeMs: number; ranges: { offset: number; old: number; fresh: number }[] }[]
}

const HASH_SIZE = 32
/** Characters of a number. */
const LONGEST_TIME = 24
/** What a writer puts into one is far below. */
const MOST_BYTES = 1 << 28
const WINDOW = 1 << 20

function headerOf(files: readonly UndoFile[]): Header {
  return {
    marrow: 'undo',
    version: 1,
    files: files.map(({ ranges, ...file }) => ({
      ...file,
      ranges: ranges.map(({ offset, old, fresh }) => ({ offset, old: old.length, fresh: fresh.length })),
    })),
  }
}

const bodiesOf = (files: readonly UndoFile[]): Uint8Array[] =>
  files.flatMap(({ ranges }) => ranges.flatMap(({ old, fresh }) => [old, fresh]))

/** Bytes that a record has at most, whatever the times of its files are. */
export function undoSize(files: readonly UndoFile[]): number {
  const bodies = bodiesOf(files).reduce((sum, { length }) => sum + length, 0)
  return Buffer.byteLength(JSON.stringify(headerOf(files))) + files.length * LONGEST_TIME + 1 + bodies + HASH_SIZE
}

export function encodeUndo(files: readonly UndoFile[]): Buffer {
  const whole = Buffer.concat([Buffer.from(`${JSON.stringify(headerOf(files))}\n`), ...bodiesOf(files)])
  return Buffer.concat([whole, createHash('sha256').update(whole).digest()])
}

/** @returns undefined for what is no record, or is damaged */
export function readUndo(path: string): UndoFile[] | undefined {
  try {
    if (statSync(path).size > MOST_BYTES) return undefined
    const bytes = readFileSync(path)
    const whole = bytes.subarray(0, bytes.length - HASH_SIZE)
    if (!createHash('sha256').update(whole).digest().equals(bytes.subarray(whole.length))) return undefined
    const end = whole.indexOf(10)
    const { marrow, version, files } = JSON.parse(whole.toString('utf8', 0, end)) as Header
    if (marrow !== 'undo' || version !== 1) return undefined
    let at = end + 1
    const take = (n: number): Uint8Array => {
      if (!isCount(n) || at + n > whole.length) throw new RangeError('cut')
      return whole.subarray(at, (at += n))
    }
    return files.map(({ target, size, mtimeMs, ranges }) => {
      if (!isPlainName(target) || !isCount(size) || typeof mtimeMs !== 'number') throw new RangeError('no file')
      return {
        target,
        size,
        mtimeMs,
        ranges: ranges.map(({ offset, old, fresh }) => {
          if (!isCount(offset) || !isCount(fresh) || old > fresh) throw new RangeError('no range')
          return { offset, old: take(old), fresh: take(fresh) }
        }),
      }
    })
  } catch {
    return undefined
  }
}

/**
 * Puts the old bytes back and takes the record away.
 * @throws what the file system says when a file cannot be written; the record is left then
 */
export function rollBack(path: string, files: readonly UndoFile[]): void {
  for (const file of files) restore(join(dirname(path), file.target), file)
  unlinkSync(path)
}

function restore(path: string, { size, mtimeMs, ranges }: UndoFile): void {
  const there = statSync(path, { throwIfNoEntry: false })
  const largest = ranges.reduce((most, { offset, fresh }) => Math.max(most, offset + fresh.length), size)
  // another file stands there, or none
  if (!there?.isFile() || there.size < size || there.size > largest) return
  const fd = openSync(path, 'r+')
  try {
    const now = ranges.map(({ offset, fresh }) => readAt(fd, offset, fresh.length))
    if (!ranges.every((range, i) => isMixture(range, now[i]))) return
    const touched = ranges.filter(({ old }, i) => Buffer.compare(now[i].subarray(0, old.length), old) !== 0)
    const differs = touched.length > 0 || there.size > size
    for (const { offset, old } of touched) writeAt(fd, offset, old)
    if (there.size > size) ftruncateSync(fd, size)
    // old bytes that an earlier try put back may not be on disk yet
    fsyncSync(fd)
    if (differs) futimesSync(fd, there.atimeMs / 1000, mtimeMs / 1000)
  } finally {
    closeSync(fd)
  }
}

/** Whether each byte is the old one or the new one; where the file grew, what was not written yet is zero. */
function isMixture({ old, fresh }: UndoRange, now: Uint8Array): boolean {
  for (let i = 0; i < now.length; i++) if (now[i] !== fresh[i] && now[i] !== (i < old.length ? old[i] : 0)) return false
  return now.length >= old.length
}

/** What is there of a range, less than asked for at the end of the file. */
export function readAt(fd: number, offset: number, length: number): Uint8Array {
  const out = new Uint8Array(Math.max(0, Math.min(length, fstatSync(fd).size - offset)))
  for (let done = 0; done < out.length;) {
    const got = readSync(fd, out, done, Math.min(out.length - done, WINDOW), offset + done)
    if (got === 0) return out.subarray(0, done)
    done += got
  }
  return out
}

export function writeAt(fd: number, offset: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done, Math.min(bytes.length - done, WINDOW), offset + done)
}

function isCount(n: unknown): n is number {
  return Number.isSafeInteger(n) && (n as number) >= 0
}

export function isPlainName(name: unknown): boolean {
  return typeof name === 'string' && name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name)
}
