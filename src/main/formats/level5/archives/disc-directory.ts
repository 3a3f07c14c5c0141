/**
 * Directories of a disc, each a list of the files in one DATA.DAT.
 * - HD2: 32 bytes per file: u32 nameOffset, 0, 0, 0, offset, size, sector, sectors.
 * - HD3: 16 bytes: u32 nameOffset, size, sector, sectors. HD4: 12 bytes: the same without the last.
 * - HED: 0x50 bytes: char[64] name, u32 offset, u32 size, 2 x u32 that nobody explains.
 * Names of HD2, HD3 and HD4 stand behind the table, NUL-terminated CP932 with `\` between parts; the table ends where the first
 * name begins, the list of files at a record of zeros before that. Known from open tools only: there is no public sample.
 */
import { extensionOf, memberKey } from '../../../../shared/ref.ts'
import { FormatError } from '../../../binary/format-error.ts'
import { structural } from '../../../binary/field-use.ts'
import { record, u32 } from '../../../binary/layout.ts'
import { Reader } from '../../../binary/reader.ts'
import { field, leftover } from '../../../binary/structure.ts'
import { Writer } from '../../../binary/writer.ts'
import { decodeText, fieldText, text } from '../codecs/names.ts'
import { say } from '../texts/index.ts'
import type { ByteSource, Segment } from '../../archive.ts'
import type { StructureField } from '../../format.ts'

export const SECTOR = 0x800
/** a directory of a real disc has some thousands of entries (8753 on the European one) */
const MOST_BYTES = 64 << 20
const MOST_NAME = 256

export type DiscKind = 'hd2' | 'hd3' | 'hd4' | 'hed'

/** In the order in which they are asked where the others disagree: what games are known to read, then what tools do. */
export const DISC_KINDS: readonly DiscKind[] = ['hd2', 'hd3', 'hd4', 'hed']

/** What every directory says of a file, as far as it does. */
export interface Entry {
  /** of an entry with a name field of its own */
  name?: Uint8Array
  /** of one whose name stands behind the table */
  nameOffset?: number
  offset?: number
  size: number
  sector?: number
  sectors?: number
  /** words that are zero in every known file, and that nobody explains */
  zero4?: number
  zero8?: number
  zeroC?: number
}

interface EntryLayout {
  size: number
  at: { size: number }
  read(r: Reader): Entry
  write(out: Writer, entry: Entry): void
  describe(entry: Entry, at: number): StructureField[]
}

const NAME = structural(u32, 'name')
const BODY = structural(u32, 'body')

export const LAYOUT: Readonly<Record<DiscKind, EntryLayout>> = {
  hd2: record(
    { nameOffset: NAME, zero4: u32, zero8: u32, zeroC: u32, offset: BODY, size: BODY, sector: BODY, sectors: BODY },
    { unknown: ['zero4', 'zero8', 'zeroC'] },
  ),
  hd3: record({ nameOffset: NAME, size: BODY, sector: BODY, sectors: BODY }),
  hd4: record({ nameOffset: NAME, size: BODY, sector: BODY }),
  hed: record(
    { name: structural(text(64), 'name'), offset: BODY, size: BODY, unknown48: u32, unknown4C: u32 },
    { unknown: ['unknown48', 'unknown4C'] },
  ),
}

/** What stands behind the records: the one of zeros that ends them, those behind it, which no game reads, and names. */
export function behindRecords({ kind, records, rest, tableEnd }: Directory): StructureField[] {
  const { size } = LAYOUT[kind]
  const end = size * records.length
  if (kind === 'hed') return leftover('trailing', end, rest)
  const out: StructureField[] = []
  const put = (name: string, from: number, to: number, type: string, more: Parameters<typeof field>[5]): void => {
    if (to > from) out.push(field(name, type, from, to - from, rest.subarray(from - end, to - end), more))
  }
  const hidden = Math.min(end + size, tableEnd)
  put('end', end, hidden, `u8[${hidden - end}]`, { use: { is: 'structure', by: 'members' } })
  put('hidden', hidden, tableEnd, `u32[${size / 4}] x ${(tableEnd - hidden) / size}`, { unknown: true, entries: { what: 'record' } })
  put('names', tableEnd, end + rest.length, `u8[${end + rest.length - tableEnd}]`, { use: { is: 'structure', by: 'name' } })
  return out
}

export interface Directory {
  kind: DiscKind
  ref: string
  records: Entry[]
  /** as stored, up to the NUL */
  names: Uint8Array[]
  /** names, and whatever else stands behind the records: one of zeros ends them */
  rest: Uint8Array
  /** where the table ends: names begin there, but for HED */
  tableEnd: number
  /** by what the other directories call the same file: its key in lower case, of several with one name with its number */
  numbers: Map<string, number>
}

export function kindOf(ref: string): DiscKind {
  return extensionOf(ref) as DiscKind
}

/** Files are read by their sector; a HED has none. */
export function placeOf(entry: Entry): number {
  return entry.sector === undefined ? entry.offset! : entry.sector * SECTOR
}

export function endOf(entry: Entry): number {
  return entry.size === 0 ? 0 : placeOf(entry) + entry.size
}

export function entryAt(bytes: Uint8Array, at: number, kind: DiscKind): Entry {
  return LAYOUT[kind].read(new Reader(bytes, '', { start: at }))
}

export function isZero(bytes: Uint8Array, at: number, size: number): boolean {
  return bytes.subarray(at, at + size).every((byte) => byte === 0)
}

/** Numbers of a record that belong together; `head` is too short to see names and data. */
export function soundRecord(kind: DiscKind, entry: Entry, size: number): boolean {
  if (entry.name) {
    const end = entry.name.indexOf(0)
    if (end <= 0) return false
    for (let i = 0; i < end; i++) if (entry.name[i] < 0x20 || entry.name[i] === 0x7f) return false
    return true
  }
  const name = entry.nameOffset!
  if (name < LAYOUT[kind].size || name >= size) return false
  if (entry.sectors !== undefined && entry.sectors !== Math.ceil(entry.size / SECTOR)) return false
  return entry.offset === undefined || entry.offset === entry.sector! * SECTOR
}

/** @throws FormatError truncated, bad-count, unsupported */
export function readDirectory(kind: DiscKind, source: ByteSource): Directory {
  if (source.size > MOST_BYTES)
    throw new FormatError('unsupported', say('archives.disc.tooLarge', { size: source.size }), { file: source.ref, offset: 0 })
  const bytes = source.read(0, source.size)
  const recordSize = LAYOUT[kind].size
  if (bytes.length < recordSize)
    throw new FormatError('truncated', say('archives.recordCut', { needed: recordSize, left: bytes.length }), {
      file: source.ref,
      path: 'records[0]',
      offset: 0,
      expected: say('files.byteCount', { count: recordSize }),
      actual: say('files.byteCount', { count: bytes.length }),
    })
  let count = 0
  let tableEnd: number
  if (kind === 'hed') {
    while ((count + 1) * recordSize <= bytes.length && bytes[count * recordSize] !== 0) count++
    tableEnd = count * recordSize
  } else {
    tableEnd = entryAt(bytes, 0, kind).nameOffset!
    if (tableEnd < recordSize || tableEnd % recordSize || tableEnd > bytes.length)
      throw new FormatError('bad-count', say('archives.disc.namesAt', { at: tableEnd }), {
        file: source.ref,
        path: 'records[0].nameOffset',
        offset: 0,
        expected: say('archives.disc.wholeRecords', { size: recordSize, all: bytes.length }),
        actual: String(tableEnd),
      })
    count = tableEnd / recordSize
    // a record of zeros ends the list before the names begin
    for (let i = 1; i < count; i++) if (isZero(bytes, i * recordSize, recordSize)) count = i
  }
  const records = Array.from({ length: count }, (_, i) => entryAt(bytes, i * recordSize, kind))
  const names = records.map((entry) => nameOf(bytes, entry))
  const rest = bytes.slice(count * recordSize)
  return { kind, ref: source.ref, records, names, rest, tableEnd, numbers: numbered(names) }
}

function nameOf(bytes: Uint8Array, { name, nameOffset }: Entry): Uint8Array {
  if (name) {
    const end = name.indexOf(0)
    return end < 0 ? name : name.subarray(0, end)
  }
  const at = Math.min(nameOffset!, bytes.length)
  const end = bytes.indexOf(0, at)
  return bytes.slice(at, Math.min(end < 0 ? bytes.length : end, at + MOST_NAME))
}

export function nameText(entry: Entry, name: Uint8Array): string {
  return entry.name ? fieldText(entry.name) : decodeText(name)
}

function numbered(names: readonly Uint8Array[]): Map<string, number> {
  const numbers = new Map<string, number>()
  const seen = new Map<string, number>()
  names.forEach((name, i) => {
    const key = memberKey(decodeText(name), 0).toLowerCase()
    const before = seen.get(key) ?? 0
    seen.set(key, before + 1)
    numbers.set(fileKey(key, before), i)
  })
  return numbers
}

/** @param key of a member, in lower case */
export function fileKey(key: string, duplicate: number): string {
  return `${key}\0${duplicate}`
}

/** Records behind the one of zeros name no file of the game: what they would name is not written over. */
export function hiddenRecords({ kind, records, rest, tableEnd }: Directory): Entry[] {
  const size = LAYOUT[kind].size
  const bytes = tableEnd - records.length * size
  const found: Entry[] = []
  for (let at = size; at + size <= bytes; at += size) found.push(entryAt(rest, at, kind))
  return found
}

/** Where its record has the file from now on; an empty one may stay where it is. Words that a directory does not have stay out. */
export function movedEntry(entry: Entry, place: number | undefined, size: number): Entry {
  const out: Entry = { ...entry, size }
  if (entry.offset !== undefined) out.offset = place ?? entry.offset
  if (entry.sector !== undefined) out.sector = place === undefined ? entry.sector : place / SECTOR
  if (entry.sectors !== undefined) out.sectors = Math.ceil(size / SECTOR)
  return out
}

export function directorySegments({ kind, rest }: Pick<Directory, 'kind' | 'rest'>, records: readonly Entry[]): Segment[] {
  const table = new Writer(LAYOUT[kind].size * records.length)
  for (const entry of records) LAYOUT[kind].write(table, entry)
  return [
    { kind: 'bytes', bytes: table.finish(), as: 'typed' },
    // names of all but HED; behind a HED stands what nobody explains
    { kind: 'bytes', bytes: rest, as: kind === 'hed' ? 'opaque' : 'typed' },
  ]
}
