/**
 * Disc archives: one data file and a directory beside it.
 * - HD2 (Dark Cloud 2, with DATA.DAT): 32 bytes per file: u32 nameOffset, 0, 0, 0, offset, size, sector, sectors.
 * - HD3 (the same): 16 bytes: u32 nameOffset, size, sector, sectors.
 * - HED (Dark Cloud 1): 0x50 bytes: char[64] name, u32 offset, u32 size, 2 x u32 that nobody explains.
 * Names of HD2 and HD3 stand behind the table, NUL-terminated CP932 with `\` between parts; the table ends where the first
 * name begins, the list of files at a record of zeros before that. A sector has 0x800 bytes. Known from open tools only: there is no public sample.
 */
import { notHere } from '../../address.ts'
import { extensionOf } from '../../../../shared/ref.ts'
import { FormatError } from '../../../binary/format-error.ts'
import { record, u32 } from '../../../binary/layout.ts'
import { Reader } from '../../../binary/reader.ts'
import { Writer } from '../../../binary/writer.ts'
import { Diagnostics } from '../../format.ts'
import { field, leftover, node } from '../../../binary/structure.ts'
import { decodeText, fieldText, text } from '../codecs/names.ts'
import { say } from '../texts/index.ts'
import type { ArchiveFormat, ArchiveIndex, ArchiveMember, ByteSource, Segment, StructureField } from '../../format.ts'

const SECTOR = 0x800
/** a directory of a real disc has some thousands of entries (6693 on the American one) */
const MOST_BYTES = 64 << 20

type DiscKind = 'hd2' | 'hd3' | 'hed'

/** What every directory says of a file, as far as it does. */
interface Entry {
  /** of an entry with a name field of its own */
  name?: Uint8Array
  /** of one whose name stands behind the table */
  nameOffset?: number
  offset?: number
  size: number
  sector?: number
  sectors?: number
  /** words that are zero in every known file */
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

const LAYOUT: Readonly<Record<DiscKind, EntryLayout>> = {
  hd2: record(
    { nameOffset: u32, zero4: u32, zero8: u32, zeroC: u32, offset: u32, size: u32, sector: u32, sectors: u32 },
    { unknown: ['zero4', 'zero8', 'zeroC'] },
  ),
  hd3: record({ nameOffset: u32, size: u32, sector: u32, sectors: u32 }),
  hed: record({ name: text(64), offset: u32, size: u32, unknown48: u32, unknown4C: u32 }, { unknown: ['unknown48', 'unknown4C'] }),
}

export interface DiscIndex extends ArchiveIndex {
  readonly members: ArchiveMember[]
  records: Entry[]
  /** names, and whatever else stands behind the records: one of zeros ends them */
  rest: Uint8Array
  dataSize: number
}

function dataOffset(entry: Entry): number {
  return entry.offset ?? entry.sector! * SECTOR
}

/** Numbers of a record that belong together; `head` is too short to see names and data. */
function soundRecord(kind: DiscKind, entry: Entry, size: number): boolean {
  if (entry.name) {
    const end = entry.name.indexOf(0)
    if (end <= 0) return false
    for (let i = 0; i < end; i++) if (entry.name[i] < 0x20 || entry.name[i] === 0x7f) return false
    return true
  }
  const name = entry.nameOffset!
  if (name < LAYOUT[kind].size || name >= size || entry.sectors !== Math.ceil(entry.size / SECTOR)) return false
  return (
    entry.offset === undefined || (entry.zero4 === 0 && entry.zero8 === 0 && entry.zeroC === 0 && entry.offset === entry.sector! * SECTOR)
  )
}

function isZero(bytes: Uint8Array, at: number, size: number): boolean {
  return bytes.subarray(at, at + size).every((byte) => byte === 0)
}

function entryAt(bytes: Uint8Array, at: number, kind: DiscKind): Entry {
  return LAYOUT[kind].read(new Reader(bytes, '', { start: at }))
}

function open(kind: DiscKind, format: string, source: ByteSource, data: ByteSource): DiscIndex {
  if (source.size > MOST_BYTES)
    throw new FormatError('unsupported', say('archives.disc.tooLarge', { size: source.size }), { file: source.ref, offset: 0 })
  const bytes = source.read(0, source.size)
  const diagnostics = new Diagnostics(source.ref)
  const recordSize = LAYOUT[kind].size
  if (bytes.length < recordSize)
    throw new FormatError('truncated', say('archives.recordCut', { needed: recordSize, left: bytes.length }), {
      file: source.ref,
      path: 'records[0]',
      offset: 0,
      expected: say('files.byteCount', { n: recordSize }),
      actual: say('files.byteCount', { n: bytes.length }),
    })
  let count: number
  if (kind === 'hed') {
    count = 0
    while ((count + 1) * recordSize <= bytes.length && bytes[count * recordSize] !== 0) count++
  } else {
    const first = entryAt(bytes, 0, kind).nameOffset!
    if (first < recordSize || first % recordSize || first > bytes.length)
      throw new FormatError('bad-count', say('archives.disc.namesAt', { at: first }), {
        file: source.ref,
        path: 'records[0].nameOffset',
        offset: 0,
        expected: say('archives.disc.wholeRecords', { size: recordSize, all: bytes.length }),
        actual: String(first),
      })
    count = first / recordSize
    // a record of zeros ends the list before the names begin
    for (let i = 1; i < count; i++) if (isZero(bytes, i * recordSize, recordSize)) count = i
  }
  const tableEnd = kind === 'hed' ? count * recordSize : entryAt(bytes, 0, kind).nameOffset!
  const index: DiscIndex = {
    format,
    ref: source.ref,
    members: [],
    diagnostics: diagnostics.list,
    records: [],
    rest: bytes.slice(count * recordSize),
    dataSize: data.size,
  }
  const seen = new Map<string, number>()
  for (let i = 0; i < count; i++) {
    const entry = entryAt(bytes, i * recordSize, kind)
    index.records.push(entry)
    let rawName: Uint8Array
    if (entry.name) rawName = entry.name
    else {
      const at = entry.nameOffset!
      if (at < tableEnd || at >= bytes.length)
        diagnostics.add(
          'error',
          'level5.disc-name',
          say('archives.disc.nameOutside', { file: i, at }),
          `records[${i}].nameOffset`,
          i * recordSize,
        )
      const end = at < bytes.length ? bytes.indexOf(0, at) : -1
      rawName = bytes.slice(Math.min(at, bytes.length), end < 0 ? Math.min(at + 256, bytes.length) : Math.min(end, at + 256))
    }
    const name = entry.name ? fieldText(rawName) : decodeText(rawName)
    const key = name.toLowerCase()
    const duplicate = seen.get(key) ?? 0
    seen.set(key, duplicate + 1)
    const offset = dataOffset(entry)
    let size = entry.size
    if (offset + size > data.size) {
      diagnostics.add(
        'error',
        'level5.disc-range',
        say('archives.disc.reachesOut', { name, end: offset + size, size: data.size }),
        `records[${i}].size`,
        i * recordSize + LAYOUT[kind].at.size,
      )
      size = Math.max(0, data.size - offset)
    }
    const member: ArchiveMember = { name, rawName, offset: Math.min(offset, data.size), size, duplicate }
    index.members.push(member)
  }
  return index
}

function directory(kind: DiscKind, index: DiscIndex, records: readonly Entry[]): Segment[] {
  const table = new Writer(LAYOUT[kind].size * records.length)
  for (const entry of records) LAYOUT[kind].write(table, entry)
  return [
    { kind: 'bytes', bytes: table.finish(), as: 'typed' },
    // names of HD2 and HD3; behind a HED stands what nobody explains
    { kind: 'bytes', bytes: index.rest, as: kind === 'hed' ? 'opaque' : 'typed' },
  ]
}

/** A body that fits the room up to the next file stays where it is; a larger one goes to the end of the data file. */
function replace(
  kind: DiscKind,
  index: DiscIndex,
  replacements: ReadonlyMap<number, Uint8Array>,
): { data: Segment[]; directory: Segment[] } {
  const records = index.records.map((entry) => ({ ...entry }))
  const starts = [...new Set(index.members.filter((m) => m.size > 0).map((m) => m.offset))].sort((a, b) => a - b)
  const overwrites: { offset: number; bytes: Uint8Array }[] = []
  const appended: Uint8Array[] = []
  let end = Math.ceil(index.dataSize / SECTOR) * SECTOR
  for (const [i, bytes] of [...replacements].sort((a, b) => a[0] - b[0])) {
    const member = index.members[i]
    if (!member) notHere('member', i, index.ref)
    const next = starts.find((s) => s > member.offset) ?? index.dataSize
    // files that share their bytes part ways
    const shared = index.members.some(
      (m, k) => k !== i && m.size > 0 && m.offset < member.offset + member.size && member.offset < m.offset + m.size,
    )
    const sectors = Math.ceil(bytes.length / SECTOR)
    const entry = records[i]
    entry.size = bytes.length
    if (entry.sectors !== undefined) entry.sectors = sectors
    // an empty file has no room of its own: several may stand at one place
    if (!shared && member.size > 0 && bytes.length <= next - member.offset) {
      // what the old file had beyond the new one's end is cleared
      const body = new Uint8Array(Math.max(bytes.length, member.size))
      body.set(bytes)
      overwrites.push({ offset: member.offset, bytes: body })
      continue
    }
    if (end + bytes.length > 0xffffffff) throw new FormatError('invalid-edit', say('archives.disc.full'), { file: index.ref })
    if (entry.offset !== undefined) entry.offset = end
    if (entry.sector !== undefined) entry.sector = end / SECTOR
    const padded = new Uint8Array(sectors * SECTOR)
    padded.set(bytes)
    appended.push(padded)
    end += padded.length
  }
  const data: Segment[] = []
  let at = 0
  for (const overwrite of overwrites.sort((a, b) => a.offset - b.offset)) {
    if (overwrite.offset > at) data.push({ kind: 'copy', offset: at, length: overwrite.offset - at })
    data.push({ kind: 'bytes', bytes: overwrite.bytes, as: 'member' })
    at = overwrite.offset + overwrite.bytes.length
  }
  if (at < index.dataSize) data.push({ kind: 'copy', offset: at, length: index.dataSize - at })
  if (appended.length && index.dataSize % SECTOR)
    data.push({ kind: 'bytes', bytes: new Uint8Array(SECTOR - (index.dataSize % SECTOR)), as: 'opaque' })
  for (const bytes of appended) data.push({ kind: 'bytes', bytes, as: 'member' })
  return { data, directory: directory(kind, index, records) }
}

function discFormat(kind: DiscKind): ArchiveFormat<DiscIndex> {
  const recordSize = LAYOUT[kind].size
  return {
    id: `level5.${kind}`,
    get label() {
      return say(`archives.disc.label.${kind}`)
    },
    family: 'level5',
    extensions: [kind],
    companion: (name) => name.replace(/\.[^.]*$/, (dot) => (dot === dot.toUpperCase() ? '.DAT' : '.dat')),
    identify(head, name, size) {
      if (extensionOf(name) !== kind || head.length < recordSize) return 0
      const names = entryAt(head, 0, kind).nameOffset
      if (names !== undefined && (names % recordSize || names > size)) return 0
      const table = names ?? size
      let seen = 0
      for (let at = 0; at + recordSize <= Math.min(head.length, table); at += recordSize) {
        if (kind === 'hed' ? head[at] === 0 : isZero(head, at, recordSize)) break
        if (!soundRecord(kind, entryAt(head, at, kind), size)) return 0
        seen++
      }
      return seen > 0 ? 0.9 : 0
    },
    open: (source, data) => open(kind, `level5.${kind}`, source, data),
    encode: (index) => directory(kind, index, index.records),
    encodeData: (index) => (index.dataSize ? [{ kind: 'copy', offset: 0, length: index.dataSize }] : []),
    replace: (index, replacements) => replace(kind, index, replacements),
    describe(index) {
      const children = index.records.map((entry, i) => {
        const at = i * recordSize
        return node(`records[${i}]`, say('formats.nodes.file'), { start: at, end: at + recordSize }, LAYOUT[kind].describe(entry, at), [], {
          summary: index.members[i].name,
        })
      })
      const end = recordSize * index.records.length
      const fields =
        kind === 'hed'
          ? leftover('trailing', end, index.rest)
          : index.rest.length
            ? [field('names', `u8[${index.rest.length}]`, end, index.rest.length, index.rest)]
            : []
      return node('', `level5.${kind}`, { start: 0, end: end + index.rest.length }, fields, children, {
        summary: say('archives.disc.files', { n: index.records.length }),
      })
    },
  }
}

export const hd2Format = discFormat('hd2')
export const hd3Format = discFormat('hd3')
export const hedFormat = discFormat('hed')
