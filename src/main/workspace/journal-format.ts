/**
 * What a journal looks like on disk, and what can be made of a damaged one.
 *
 *   "MARROWJ2"                       preamble with the version
 *   per record: u8[8] mark, u32 sequence, u32 size of the payload, u32 CRC-32 of the payload, u32 CRC-32 of these 20 bytes
 *   payload: u32 size of the JSON, JSON (with `seq`, the sequence again), then one patch per entry of its `files`
 *   at the end: a record without payload; its sequence is the number of records, and the next one is written over it
 *
 * A record's payload is written behind the end mark, with a new one behind itself; its head, over the old end mark, comes
 * last. So what stands behind an end mark, and is followed by no whole record, is a write that did not come to its end.
 *
 * The first two records are the header, twice: no single damage takes the name of the model away. Each patch says in
 * `before` and `after` which states of its file it leads from and to, so that what stands behind a lost record is known
 * to fit or not to fit.
 *
 * "MARROWJ1", of earlier versions: per record u32 size, u32 CRC-32 of the payload, payload; one header, no sequence, no states.
 */
import { crc32 } from 'node:zlib'
import { FormatError } from '../binary/format-error.ts'
import { Reader } from '../binary/reader.ts'
import { Writer } from '../binary/writer.ts'
import type { FamilyId } from '../../shared/api/types/family.ts'
import { readPatch, writePatch } from './patch.ts'
import type { Patch } from './patch.ts'
import { say } from '../../shared/texts/say.ts'

export const PREAMBLE = Buffer.from('MARROWJ2', 'latin1')
const EARLIER = Buffer.from('MARROWJ1', 'latin1')
const MARK = Buffer.from([0x89, 0x4d, 0x52, 0x52, 0x45, 0x43, 0x0d, 0x0a])
/** Bytes before each payload, and of the end mark. */
export const HEAD = MARK.length + 16
/** Both versions begin the JSON of a record so. */
const JSON_START = Buffer.from('{"kind":"', 'latin1')
/** Larger records are not searched for the bit that was flipped. */
const MOST_MENDED = 2 ** 23
const KINDS: readonly unknown[] = ['header', 'edit', 'undo', 'redo', 'disk']

export interface JournalHeader {
  kind: 'header'
  version: 1 | 2
  primary: string
  name: string
  family: FamilyId
  /** library that the model was opened from, '' for none */
  library: string
  startedAt: number
  /** file name of the journal that this one took over in a recovery: it counts no more */
  replaces?: string
}

export interface JournalFile {
  ref: string
  /** hash and size of the bytes that the first patch of the file starts from; in the first record that names the file */
  base?: { hash: string; size: number }
  /** `stateHash` of the bytes that the patch starts from and leads to; absent in journals of earlier versions */
  before?: string
  after?: string
  patch: Patch
}

export interface JournalStep {
  kind: 'edit' | 'undo' | 'redo'
  label: string
  /** the step's own name; absent in journals of earlier versions, and on undo and redo */
  id?: string
  /** the gesture that the step is a part of; `merge` is its name on disk */
  merge?: string
  /** the step on top is this one, done again in another way: the patches lead from its result to the new one */
  replaces?: string
  /** made in another model that shares the files: no step of this model's history */
  foreign?: boolean
  at: number
  files: JournalFile[]
}

/** From here on the file on disk may hold the state of this place: written before a save. */
export interface JournalDisk {
  kind: 'disk'
  files: { ref: string; hash: string }[]
}

export type JournalRecord = JournalStep | JournalDisk

export interface JournalDamage {
  /** records that are known to be missing; at least one where bytes cannot be read and nothing is known of them */
  lost: number
  /** the end is missing: a record that was being written when the run ended, or records that somebody cut off */
  cut: boolean
  /** damage that took nothing away: a frame around a whole record, records out of order or twice */
  mended: number
}

export interface ReadJournal {
  path: string
  header: JournalHeader
  records: JournalRecord[]
  /** the first record behind a loss; `records.length` without one */
  behind: number
  /** bytes at the end that are no record */
  cut: number
  damage?: JournalDamage
}

// --- writing --------------------------------------------------------------------------------------------------------

/** A record in its frame. */
export function encodeRecord(sequence: number, record: JournalHeader | JournalRecord): Buffer {
  const patches = record.kind === 'header' || record.kind === 'disk' ? [] : record.files.map((file) => file.patch)
  const json =
    record.kind === 'header' || record.kind === 'disk'
      ? { ...record, seq: sequence }
      : { ...record, seq: sequence, files: record.files.map(({ ref, base, before, after }) => ({ ref, base, before, after })) }
  const text = Buffer.from(JSON.stringify(json))
  const out = new Writer(text.length + 64)
  out.u32(text.length)
  out.raw(text)
  for (const patch of patches) writePatch(out, patch)
  const payload = out.finish()
  return Buffer.concat([frame(sequence, payload.length, crc32(payload)), payload])
}

/** What stands behind the last record. @param count records until now */
export function encodeEnd(count: number): Buffer {
  return frame(count, 0, 0)
}

function frame(sequence: number, size: number, sum: number): Buffer {
  const head = Buffer.alloc(HEAD)
  MARK.copy(head)
  head.writeUInt32LE(sequence, 8)
  head.writeUInt32LE(size, 12)
  head.writeUInt32LE(sum, 16)
  head.writeUInt32LE(crc32(head.subarray(0, HEAD - 4)), HEAD - 4)
  return head
}

// --- reading --------------------------------------------------------------------------------------------------------

interface Found {
  sequence: number
  /** undefined for the end mark */
  record: JournalHeader | JournalRecord | undefined
  start: number
  end: number
  /** its frame was damaged, itself it is whole */
  mended: boolean
}

/**
 * Reads what is whole, wherever it stands. Nothing that is damaged is taken for a record.
 * @throws FormatError when it is no journal, one of a later version, or without a whole header
 */
export function parseJournal(bytes: Uint8Array, path: string): ReadJournal {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const preamble = buffer.subarray(0, PREAMBLE.length)
  // a damaged preamble does not make a journal another file: what follows tells which version it is
  const framed = buffer.subarray(PREAMBLE.length, PREAMBLE.length + MARK.length)
  const current = preamble.equals(PREAMBLE) || (!preamble.equals(EARLIER) && nearly(framed, MARK))
  if (!current && !preamble.equals(EARLIER) && recordOfBefore(buffer, PREAMBLE.length, path) === undefined)
    throw new FormatError('bad-magic', say('journals.wrongVersion'), {
      file: path,
      offset: 0,
      expected: PREAMBLE.toString('latin1'),
      actual: preamble.toString('latin1'),
    })
  const { found, holes } = collect(buffer, path, current ? recordAt : recordOfBefore, current ? MARK : JSON_START, current ? 0 : 12)
  const read = current ? order(found, holes, buffer.length) : orderOfBefore(found, holes, buffer.length)
  const header = read.headers[0]
  if (!header)
    throw new FormatError(read.damage ? 'bad-value' : 'truncated', say('journals.noHeader'), {
      file: path,
      offset: PREAMBLE.length,
    })
  if (header.version !== (current ? 2 : 1))
    throw new FormatError('unsupported', say('journals.ofVersion', { version: header.version }), { file: path, offset: PREAMBLE.length })
  const damage = read.damage ?? (preamble.equals(current ? PREAMBLE : EARLIER) ? undefined : { lost: 0, cut: false, mended: 0 })
  if (damage && !preamble.equals(current ? PREAMBLE : EARLIER)) damage.mended++
  return { path, header, records: read.records, behind: read.behind, cut: read.cut, ...(damage && { damage }) }
}

type RecordAt = (bytes: Buffer, at: number, path: string) => Found | undefined

/** Records from front to back; where none stands, the next place that one does. */
function collect(
  bytes: Buffer,
  path: string,
  at: RecordAt,
  sign: Buffer,
  lead: number,
): { found: Found[]; holes: { start: number; end: number }[] } {
  const found: Found[] = []
  const holes: { start: number; end: number }[] = []
  let position = PREAMBLE.length
  while (position < bytes.length) {
    let record = at(bytes, position, path)
    if (!record) {
      const start = position
      for (let place = bytes.indexOf(sign, position + lead + 1); place >= 0 && !record; place = bytes.indexOf(sign, place + 1))
        record = at(bytes, place - lead, path)
      holes.push({ start, end: record?.start ?? bytes.length })
    }
    if (!record) break
    found.push(record)
    position = record.end
  }
  return { found, holes }
}

interface Ordered {
  headers: JournalHeader[]
  records: JournalRecord[]
  behind: number
  cut: number
  damage: JournalDamage | undefined
}

/** Brings records into the order of their sequence and tells what is missing. */
function order(all: Found[], allHoles: { start: number; end: number }[], size: number): Ordered {
  const lastRecord = all.findLastIndex(({ record }) => record)
  const end = all.findIndex(({ record }, i) => i > lastRecord && !record)
  const found = end < 0 ? all : all.slice(0, end + 1)
  const holes = end < 0 ? allHoles : allHoles.filter(({ start }) => start < all[end].start)
  let mended = found.filter((f) => f.mended).length
  const bySequence = new Map<number, Found>()
  let highest = -1
  let ended = -1
  for (const entry of found) {
    if (!entry.record) {
      ended = Math.max(ended, entry.sequence)
      continue
    }
    if (entry.sequence < highest) mended++
    if (bySequence.has(entry.sequence)) mended++
    else bySequence.set(entry.sequence, entry)
    highest = Math.max(highest, entry.sequence)
  }
  const last = found.at(-1)
  const cut = end < 0 || ended <= highest
  const headers: JournalHeader[] = []
  const records: JournalRecord[] = []
  let behind = -1
  let lost = 0
  for (let sequence = 0; sequence < Math.max(highest + 1, ended); sequence++) {
    const record = bySequence.get(sequence)?.record
    if (!record) {
      // the header stands twice
      if (sequence < 2 && headersAmong(bySequence)) mended++
      else {
        lost++
        if (behind < 0) behind = records.length
      }
    } else if (record.kind === 'header') headers.push(record)
    else records.push(record)
  }
  const damaged = holes.length > 0 || cut || mended > 0 || lost > 0
  return {
    headers,
    records,
    behind: behind < 0 ? records.length : behind,
    cut: cut ? size - (last?.end ?? PREAMBLE.length) : 0,
    damage: damaged ? { lost, cut, mended } : undefined,
  }
}

function headersAmong(records: Map<number, Found>): boolean {
  return records.get(0)?.record?.kind === 'header' || records.get(1)?.record?.kind === 'header'
}

/** Without a sequence a hole is a loss, of who knows what. */
function orderOfBefore(found: Found[], holes: { start: number; end: number }[], size: number): Ordered {
  const headers: JournalHeader[] = []
  const records: JournalRecord[] = []
  let behind = -1
  const between = holes.filter(({ end }) => end < size)
  for (const { record, start } of found) {
    if (behind < 0 && between.some((hole) => hole.end === start)) behind = records.length
    if (record?.kind === 'header') headers.push(record)
    else if (record) records.push(record)
  }
  const cut = size - (found.at(-1)?.end ?? PREAMBLE.length)
  return {
    headers,
    records,
    behind: behind < 0 ? records.length : behind,
    cut,
    damage: holes.length > 0 ? { lost: between.length, cut: cut > 0, mended: 0 } : undefined,
  }
}

/**
 * The record, or end mark, in the frame at a place. A frame with a damaged field still holds its record where the checksum of
 * either the payload or the frame proves it.
 */
function recordAt(bytes: Buffer, at: number, path: string): Found | undefined {
  if (at < 0 || bytes.length - at < HEAD) return undefined
  const head = bytes.subarray(at, at + HEAD)
  const marked = head.subarray(0, MARK.length).equals(MARK)
  const storedHead = head.readUInt32LE(HEAD - 4)
  const whole = marked && crc32(head.subarray(0, HEAD - 4)) === storedHead
  const sequence = head.readUInt32LE(8)
  const size = head.readUInt32LE(12)
  const sum = head.readUInt32LE(16)
  if (whole && size === 0) return { sequence, record: undefined, start: at, end: at + HEAD, mended: false }
  const sizes = [size]
  const next = whole ? -1 : bytes.indexOf(MARK, at + HEAD)
  if (next >= 0) sizes.push(next - at - HEAD)
  for (const length of sizes) {
    const start = at + HEAD
    if (length < 4 || length > bytes.length - start) continue
    const payload = bytes.subarray(start, start + length)
    const actual = crc32(payload)
    const proven = actual === sum || frame(sequence, length, actual).readUInt32LE(HEAD - 4) === storedHead
    const read = proven ? decodePayload(bytes, start, start + length, path) : mendedPayload(whole, payload, actual ^ sum, path)
    // the payload says its place again: the frame's may be what is damaged
    if (read?.sequence !== undefined && (!whole || read.sequence === sequence))
      return { sequence: read.sequence, record: read.record, start: at, end: start + length, mended: !whole || actual !== sum }
  }
  return undefined
}

/** A record of a journal of version 1. */
function recordOfBefore(bytes: Buffer, at: number, path: string): Found | undefined {
  if (at < 0 || bytes.length - at < 8) return undefined
  const size = bytes.readUInt32LE(at)
  const start = at + 8
  if (size < 4 || size > bytes.length - start || crc32(bytes.subarray(start, start + size)) !== bytes.readUInt32LE(at + 4)) return undefined
  const read = decodePayload(bytes, start, start + size, path)
  return read && { sequence: -1, record: read.record, start: at, end: start + size, mended: false }
}

function decodePayload(
  bytes: Buffer,
  start: number,
  end: number,
  path: string,
): { sequence: number | undefined; record: JournalHeader | JournalRecord } | undefined {
  try {
    const body = new Reader(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), path, { start, end })
    const json = JSON.parse(Buffer.from(body.take(body.u32('jsonSize'), 'json')).toString('utf8')) as (JournalHeader | JournalRecord) & {
      seq?: number
    }
    if (!KINDS.includes(json.kind)) return undefined
    const { seq, ...record } = json
    if (record.kind !== 'header' && record.kind !== 'disk') for (const file of record.files) file.patch = readPatch(body)
    if (body.remaining > 0) return undefined
    return { sequence: seq, record: record }
  } catch {
    return undefined
  }
}

/**
 * A payload with one flipped bit, set right. Of a CRC each single bit has a difference of its own, so the one that the
 * checksums differ by names the bit. Only under a whole frame, and only where the result reads as a record: what it does to
 * a file is proved once more by the hashes of its states.
 */
function mendedPayload(whole: boolean, payload: Buffer, difference: number, path: string): ReturnType<typeof decodePayload> {
  if (!whole || payload.length > MOST_MENDED) return undefined
  const at = flippedBit(payload.length, difference >>> 0)
  if (at < 0) return undefined
  const copy = Buffer.from(payload)
  copy[at >> 3] ^= 1 << (at & 7)
  return decodePayload(copy, 0, copy.length, path)
}

/** @returns number of the bit (byte * 8 + bit, lowest first) that makes this difference of CRC-32s; -1 for none */
export function flippedBit(size: number, difference: number): number {
  // the last bit of the bytes shows as the polynomial itself; each bit before it as one step of the register more
  let register = 0xedb88320
  for (let bit = size * 8 - 1; bit >= 0; bit--) {
    if (register >>> 0 === difference) return bit
    register = register & 1 ? (register >>> 1) ^ 0xedb88320 : register >>> 1
  }
  return -1
}

/** Equal but for one byte. */
function nearly(a: Buffer, b: Buffer): boolean {
  let different = 0
  for (let i = 0; i < b.length; i++) if (a[i] !== b[i]) different++
  return different <= 1
}
