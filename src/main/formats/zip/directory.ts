/**
 * The directory of a zip (PKWARE's specification [P]): the end record, found from the end of the file, says where it is; zip64 has one of wider fields
 * in front of it, with a locator. What the directory says counts; of the header in front of a body only the length is taken.
 */
import { FormatError } from '../../binary/format-error.ts'
import { record, u16, u32 } from '../../binary/layout.ts'
import { Reader } from '../../binary/reader.ts'
import { say } from '../../../shared/texts/say.ts'
import { nameOf, viewOf } from './names.ts'
import type { ArchiveMember, ByteSource } from '../archive.ts'

const END = record({ magic: u32, disk: u16, firstDisk: u16, here: u16, count: u16, size: u32, offset: u32, comment: u16 })
const ENTRY = record({
  magic: u32,
  madeBy: u16,
  needs: u16,
  flags: u16,
  method: u16,
  time: u16,
  date: u16,
  crc: u32,
  packed: u32,
  size: u32,
  nameLength: u16,
  extraLength: u16,
  commentLength: u16,
  disk: u16,
  internal: u16,
  external: u32,
  header: u32,
})
const HEADER_SIZE = 30

const MAGIC = { header: 0x04034b50, entry: 0x02014b50, end: 0x06054b50, end64: 0x06064b50, locator: 0x07064b50 }
const END64_SIZE = 56
const LOCATOR_SIZE = 20
const ZIP64 = 1
const MOST_COMMENT = 0xffff
const MOST_ENTRIES = 1_000_000
const MOST_DIRECTORY = 2 ** 28
const ENCRYPTED = 0x2041

/** A zip begins with the header of its first entry, an empty one with its end, or with that of zip64. */
export function isZipHead(head: Uint8Array): boolean {
  if (head.length < 4) return false
  const magic = viewOf(head).getUint32(0, true)
  return magic === MAGIC.header || magic === MAGIC.end || magic === MAGIC.end64
}

export interface ZipEntry extends ArchiveMember {
  method: number
  crc: number
  /** of what is in it */
  bodySize: number
  /** why it cannot be read */
  problem?: FormatError
  /** of its record */
  at: number
}

interface Directory {
  count: number
  size: number
  offset: number
}

/** All entries, folders among them; bodies are not looked at. @throws FormatError bad-magic, bad-count, truncated, unsupported */
export function readDirectory(source: ByteSource): ZipEntry[] {
  const { count, size, offset } = findDirectory(source)
  if (size > MOST_DIRECTORY || count > MOST_ENTRIES || count * ENTRY.size > size)
    throw new FormatError('bad-count', say('formats.zip.countTooLarge', { count: count, size }), {
      file: source.ref,
      path: 'count',
      offset,
    })
  const table = source.read(offset, size)
  const reader = new Reader(table, source.ref)
  const entries: ZipEntry[] = []
  let at = 0
  for (let i = 0; i < count; i++) {
    const path = `entries[${i}]`
    const cut = (): FormatError =>
      new FormatError('truncated', say('formats.zip.entryCut', { i }), { file: source.ref, path, offset: offset + at })
    if (at + ENTRY.size > size) throw cut()
    reader.seek(at)
    const entry = ENTRY.read(reader)
    if (entry.magic !== MAGIC.entry)
      throw new FormatError('bad-magic', say('formats.zip.noEntry', { i }), { file: source.ref, path, offset: offset + at })
    const next = at + ENTRY.size + entry.nameLength + entry.extraLength + entry.commentLength
    if (next > size) throw cut()
    const nameAt = at + ENTRY.size
    const rawName = table.slice(nameAt, nameAt + entry.nameLength)
    const extra = extraFields(table.subarray(nameAt + entry.nameLength, nameAt + entry.nameLength + entry.extraLength))
    const wide = wideSizes(entry, extra.get(ZIP64))
    entries.push({
      name: nameOf(rawName, entry.flags, extra),
      rawName,
      duplicate: 0,
      method: entry.method,
      crc: entry.crc,
      bodySize: wide?.size ?? entry.size,
      at: offset + at,
      ...body(source, offset, offset + at, path, entry, wide),
    })
    at = next
  }
  return entries
}

/** Where an entry's bytes are, or why they are not there. */
function body(
  source: ByteSource,
  end: number,
  offset: number,
  path: string,
  { flags, method, disk }: { flags: number; method: number; disk: number },
  wide: { packed: number; size: number; header: number } | undefined,
): Pick<ZipEntry, 'offset' | 'size' | 'problem'> {
  const bad = (
    code: 'unsupported' | 'bad-value' | 'truncated',
    message: string,
    field: string,
  ): { offset: number; size: number; problem: FormatError } => ({
    offset: 0,
    size: 0,
    problem: new FormatError(code, message, { file: source.ref, path: `${path}.${field}`, offset }),
  })
  if (flags & ENCRYPTED) return bad('unsupported', say('formats.zip.encrypted'), 'flags')
  if (method !== 0 && method !== 8) return bad('unsupported', say('formats.zip.method', { method }), 'method')
  if (!wide || disk !== 0) return bad('bad-value', say('formats.zip.sizes'), 'size')
  const { packed, size, header } = wide
  if (method === 0 && packed !== size) return bad('bad-value', say('formats.zip.storedSize', { packed, size }), 'size')
  if (header + HEADER_SIZE + packed > end) return bad('truncated', say('formats.zip.outside', { offset: header, size: packed }), 'header')
  const head = viewOf(source.read(header, HEADER_SIZE))
  if (head.getUint32(0, true) !== MAGIC.header) return bad('bad-value', say('formats.zip.noHeader', { offset: header }), 'header')
  const start = header + HEADER_SIZE + head.getUint16(26, true) + head.getUint16(28, true)
  if (start + packed > end) return bad('truncated', say('formats.zip.outside', { offset: start, size: packed }), 'header')
  return { offset: start, size: packed }
}

/** Sizes and place, from zip64's field where the plain ones are full; undefined where it lacks them. */
function wideSizes(
  entry: { packed: number; size: number; header: number },
  field: Uint8Array | undefined,
): { packed: number; size: number; header: number } | undefined {
  let at = 0
  const out = { size: entry.size, packed: entry.packed, header: entry.header }
  for (const key of ['size', 'packed', 'header'] as const) {
    if (entry[key] !== 0xffffffff) continue
    if (!field || at + 8 > field.length) return undefined
    const value = Number(viewOf(field).getBigUint64(at, true))
    if (!Number.isSafeInteger(value)) return undefined
    out[key] = value
    at += 8
  }
  return out
}

function extraFields(bytes: Uint8Array): Map<number, Uint8Array> {
  const view = viewOf(bytes)
  const out = new Map<number, Uint8Array>()
  for (let at = 0; at + 4 <= bytes.length;) {
    const end = at + 4 + view.getUint16(at + 2, true)
    if (end > bytes.length) break
    const id = view.getUint16(at, true)
    if (!out.has(id)) out.set(id, bytes.subarray(at + 4, end))
    at = end
  }
  return out
}

function findDirectory(source: ByteSource): Directory {
  const from = Math.max(0, source.size - END.size - MOST_COMMENT)
  const tail = source.read(from, source.size - from)
  const view = viewOf(tail)
  for (let at = tail.length - END.size; at >= 0; at--) {
    if (view.getUint32(at, true) !== MAGIC.end || view.getUint16(at + END.at.comment, true) > tail.length - at - END.size) continue
    const end = END.read(new Reader(tail.subarray(at), source.ref))
    const endAt = from + at
    const wide = endAt >= LOCATOR_SIZE ? directory64(source, endAt - LOCATOR_SIZE) : undefined
    if ((end.disk !== 0 && end.disk !== 0xffff) || end.here !== end.count)
      throw new FormatError('unsupported', say('formats.zip.parts'), { file: source.ref, path: 'disk', offset: endAt })
    const { count, size, offset } = wide ?? end
    if (offset + size > endAt)
      throw new FormatError('truncated', say('formats.zip.directoryOutside', { offset, size, end: endAt }), {
        file: source.ref,
        path: 'offset',
        offset: endAt + END.at.offset,
      })
    return { count, size, offset }
  }
  throw new FormatError('truncated', say('formats.zip.noEnd'), { file: source.ref, path: 'end', offset: source.size })
}

/** What zip64's end record says, undefined where there is no locator. @throws FormatError where it leads nowhere */
function directory64(source: ByteSource, at: number): Directory | undefined {
  const locator = viewOf(source.read(at, LOCATOR_SIZE))
  if (locator.getUint32(0, true) !== MAGIC.locator) return undefined
  const bad = (): FormatError =>
    new FormatError('bad-value', say('formats.zip.noEnd64'), { file: source.ref, path: 'locator.offset', offset: at + 8 })
  const place = Number(locator.getBigUint64(8, true))
  if (!Number.isSafeInteger(place) || place + END64_SIZE > at) throw bad()
  const end = viewOf(source.read(place, END64_SIZE))
  const [count, size, offset] = [32, 40, 48].map((field) => Number(end.getBigUint64(field, true)))
  if (end.getUint32(0, true) !== MAGIC.end64 || ![count, size, offset].every((n) => Number.isSafeInteger(n))) throw bad()
  return { count, size, offset }
}
