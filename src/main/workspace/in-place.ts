/**
 * A change of a few bytes in a large archive is written where they stand: the rest is neither copied nor read. As safe as a copy, since the old
 * bytes are on disk in a record (files/undo-record.ts) before the first new one is, and whoever comes after a kill puts them back.
 *
 * A file that has another name, too, that is write-protected, or of which much changes, moves or goes away, is copied (atomic.ts).
 */
import { fstatSync, futimesSync, unlinkSync } from 'node:fs'
import { access, constants, open, realpath, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { inUseError } from '../files/busy.ts'
import { expectRoom } from '../files/room.ts'
import { clearAway, newTemporary } from '../files/temporaries.ts'
import { encodeUndo, IN_PLACE_FROM, readAt, rollBack, undoSize, writeAt } from '../files/undo-record.ts'
import type { DiskStamp } from '../files/sources.ts'
import type { UndoFile, UndoRange } from '../files/undo-record.ts'
import type { ByteSource, Segment } from '../formats/archive.ts'
import type { ArchiveOutput } from './archive-files.ts'
import { expectNoRecord, syncFolder, writeRecord } from './atomic.ts'
import { lengthOf } from './segment-source.ts'
import { say } from '../../shared/texts/say.ts'

/** Bytes that are written so at most, and their most of the files: the record holds them twice. */
const MOST_BYTES = 1 << 24
const MOST_SHARE = 1 / 4
/** Bytes that are compared at a time. */
const BLOCK = 4096
/** Ranges nearer than this are one. */
const NEAR = 64
/** Longer than any file system's unit of time. */
const LATER_MS = 2000

/** A file and what is written into it. */
export interface InPlaceFile {
  target: string
  /** the file itself, where the target is a link */
  real: string
  /** of the old file */
  size: number
  ranges: UndoRange[]
}

/**
 * What of the files of an archive is written where they stand; undefined where they are copied.
 * @param outputs all files of the archive, as they will be
 */
export async function inPlaceFiles(outputs: readonly ArchiveOutput[]): Promise<InPlaceFile[] | undefined> {
  const whole = outputs.reduce((sum, { source }) => sum + source.size, 0)
  if (whole < IN_PLACE_FROM) return undefined
  const files: InPlaceFile[] = []
  let left = Math.min(MOST_BYTES, whole * MOST_SHARE)
  for (const { target, segments, source } of outputs) {
    const real = await ownFile(target, source)
    const ranges = real === undefined ? undefined : changedRanges(segments, source, left)
    if (real === undefined || !ranges) return undefined
    for (const { fresh } of ranges) left -= fresh.length
    files.push({ target, real, size: source.size, ranges })
  }
  return files.every(({ real }) => dirname(real) === dirname(files[0].real)) ? files : undefined
}

/** Where a file stands that is `source`, has no other name and may be written to. */
async function ownFile(target: string, source: ByteSource): Promise<string | undefined> {
  try {
    const real = await realpath(target)
    const { size, nlink, mode } = await stat(real)
    await access(real, constants.W_OK)
    const own = nlink === 1 && size === source.size && (mode & 0o222) !== 0 && real === (await realpath(source.ref))
    return own ? real : undefined
  } catch {
    return undefined
  }
}

/** Where the new file has other bytes than the old one has there; undefined where that is more than `most` bytes, or the new file is shorter. */
function changedRanges(segments: readonly Segment[], source: ByteSource, most: number): UndoRange[] | undefined {
  const ranges: UndoRange[] = []
  let left = most
  let at = 0
  for (const segment of segments) {
    const length = lengthOf(segment)
    if (segment.kind === 'bytes' || segment.offset !== at)
      for (let done = 0; done < length; done += BLOCK) {
        const n = Math.min(BLOCK, length - done)
        const fresh = segment.kind === 'bytes' ? segment.bytes.subarray(done, done + n) : source.read(segment.offset + done, n)
        left -= addRange(ranges, at + done, fresh, oldBytes(source, at + done, n))
        if (left < 0) return undefined
      }
    at += length
  }
  return at < source.size ? undefined : ranges.map((range) => ({ ...range, old: oldBytes(source, range.offset, range.fresh.length) }))
}

function oldBytes(source: ByteSource, offset: number, length: number): Uint8Array {
  const n = Math.max(0, Math.min(length, source.size - offset))
  return n === 0 ? new Uint8Array(0) : source.read(offset, n)
}

/** @returns bytes that it comes to more */
function addRange(ranges: UndoRange[], offset: number, fresh: Uint8Array, old: Uint8Array): number {
  let first = 0
  while (first < fresh.length && first < old.length && fresh[first] === old[first]) first++
  if (first === fresh.length) return 0
  let end = fresh.length
  while (end > first && end <= old.length && fresh[end - 1] === old[end - 1]) end--
  const last = ranges.at(-1)
  const lastEnd = last ? last.offset + last.fresh.length : 0
  // what lies between two blocks that touch is at hand
  const from = last && lastEnd >= offset && offset + first - lastEnd < NEAR ? lastEnd - offset : first
  const part = fresh.subarray(from, end)
  if (last && lastEnd === offset + from) last.fresh = Buffer.concat([last.fresh, part])
  else ranges.push({ offset: offset + from, old: part, fresh: part })
  return part.length
}

/** Bytes for which the disk needs room: the record, and what the files grow by. */
export function roomInPlace(files: readonly InPlaceFile[]): number {
  const ranges = files.flatMap((file) => file.ranges)
  const grown = ranges.reduce((sum, { old, fresh }) => sum + fresh.length - old.length, 0)
  return ranges.length === 0
    ? 0
    : undoSize(files.map(({ real, size, ranges }) => ({ target: basename(real), size, mtimeMs: 0, ranges }))) + grown
}

/**
 * Writes into the files: into all or none, whatever is killed when. They are flushed and read back before that counts.
 * @param note is told of each file that was written, with its size and time before and now; what it keeps may come true or not
 * @returns whether it was done; false where a file lets nobody write to it so
 * @throws FormatError io, changed-on-disk; the files are then what they were
 */
export async function writeInPlace(
  files: readonly InPlaceFile[],
  note: (file: string, before: DiskStamp, now: DiskStamp) => Promise<void>,
): Promise<boolean> {
  const changed = files.filter(({ ranges }) => ranges.length > 0)
  if (changed.length === 0) return true
  const folder = dirname(changed[0].real)
  expectNoRecord(
    folder,
    changed.map(({ real }) => real),
  )
  const handles: FileHandle[] = []
  try {
    for (const { real } of changed) handles.push(await open(real, 'r+'))
  } catch {
    await close(handles)
    return false
  }
  try {
    const before = handles.map(stampOf)
    changed.forEach((file, i) => expectOld(file, handles[i]))
    const record = changed.map(({ real, size, ranges }, i): UndoFile => ({
      target: basename(real),
      size,
      mtimeMs: before[i].mtimeMs,
      ranges,
    }))
    const path = newTemporary(folder, basename(changed[0].real), 'undo')
    await expectRoom(roomInPlace(changed), changed[0].real)
    try {
      await writeRecord(path, encodeUndo(record))
      // without a break between them: nobody in this process sees half of it
      for (const [i, { ranges }] of changed.entries()) for (const { offset, fresh } of ranges) writeAt(handles[i].fd, offset, fresh)
      for (const handle of handles) await handle.sync()
      for (const [i, file] of changed.entries()) {
        expectFresh(file, handles[i])
        await note(file.target, before[i], later(before[i], handles[i]))
      }
      unlinkSync(path)
    } catch (error) {
      // where the disk takes nothing the record stands, and each later look at the files tries again
      clearAway(path, () => rollBack(path, record))
      throw error
    }
    await syncFolder(folder)
    return true
  } catch (error) {
    throw await inUseError(error, changed[0].target)
  } finally {
    await close(handles)
  }
}

function stampOf({ fd }: FileHandle): DiskStamp {
  const { size, mtimeMs } = fstatSync(fd)
  return { size, mtimeMs }
}

/** Size and time of a file that was written: another time than before, however fast that went. */
function later(before: DiskStamp, handle: FileHandle): DiskStamp {
  const now = fstatSync(handle.fd)
  if (now.size === before.size && now.mtimeMs === before.mtimeMs) futimesSync(handle.fd, now.atime, (before.mtimeMs + LATER_MS) / 1000)
  return stampOf(handle)
}

/** @throws FormatError changed-on-disk where the file is not the one that the change was made for */
function expectOld({ target, size, ranges }: InPlaceFile, { fd }: FileHandle): void {
  const same = fstatSync(fd).size === size && ranges.every(({ offset, old }) => Buffer.compare(readAt(fd, offset, old.length), old) === 0)
  if (!same) throw new FormatError('changed-on-disk', say('files.changedSinceOpened'), { file: target })
}

/** @throws FormatError io */
function expectFresh({ target, size, ranges }: InPlaceFile, { fd }: FileHandle): void {
  const wanted = ranges.reduce((most, { offset, fresh }) => Math.max(most, offset + fresh.length), size)
  const wrong = ranges.find(({ offset, fresh }) => Buffer.compare(readAt(fd, offset, fresh.length), fresh) !== 0)
  if (wrong || fstatSync(fd).size !== wanted)
    throw new FormatError('io', say('saving.notReadBack'), { file: target, offset: wrong?.offset ?? wanted })
}

async function close(handles: readonly FileHandle[]): Promise<void> {
  for (const handle of handles) await handle.close()
}
