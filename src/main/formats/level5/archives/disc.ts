/**
 * Disc archives: one data file and a directory beside it.
 * - HD2 (Dark Cloud 2, with DATA.DAT): 32 bytes per file: u32 nameOffset, 0, 0, 0, offset, size, sector, sectors.
 * - HD3 (the same): 16 bytes: u32 nameOffset, size, sector, sectors.
 * - HED (Dark Cloud 1): 0x50 bytes: char[64] name, u32 offset, u32 size, 2 x u32 that nobody explains.
 * Names of HD2 and HD3 stand behind the table, NUL-terminated CP932 with `\` between parts; the table ends where the first
 * name begins, the list of files at a record of zeros before that. A sector has 0x800 bytes. Known from open tools only: there is no public sample.
 */
import { extensionOf } from '../../../../shared/ref.ts'
import { FormatError } from '../../../binary/format-error.ts'
import { Diagnostics } from '../../format.ts'
import { field, node } from '../../../binary/structure.ts'
import { decodeText, fieldText } from '../codecs/names.ts'
import type { ArchiveFormat, ArchiveIndex, ArchiveMember, ByteSource, Segment, StructureField } from '../../format.ts'

const SECTOR = 0x800
/** a directory of a real disc has some thousands of entries (6693 on the American one) */
const MOST_BYTES = 64 << 20

type DiscKind = 'hd2' | 'hd3' | 'hed'

interface Layout {
  kind: DiscKind
  recordSize: number
  /** words of the numbers (counted from the record's start), -1 for none */
  nameOffset: number
  offset: number
  size: number
  sector: number
  sectors: number
  labels: readonly string[]
}

const LAYOUT: Record<DiscKind, Layout> = {
  hd2: {
    kind: 'hd2',
    recordSize: 32,
    nameOffset: 0,
    offset: 4,
    size: 5,
    sector: 6,
    sectors: 7,
    labels: ['nameOffset', 'zero4', 'zero8', 'zeroC', 'offset', 'size', 'sector', 'sectors'],
  },
  hd3: {
    kind: 'hd3',
    recordSize: 16,
    nameOffset: 0,
    offset: -1,
    size: 1,
    sector: 2,
    sectors: 3,
    labels: ['nameOffset', 'size', 'sector', 'sectors'],
  },
  hed: {
    kind: 'hed',
    recordSize: 0x50,
    nameOffset: -1,
    offset: 16,
    size: 17,
    sector: -1,
    sectors: -1,
    labels: ['offset', 'size', 'unknown48', 'unknown4C'],
  },
}

export interface DiscIndex extends ArchiveIndex {
  /** words of each record, as they are (HED: the name is in the first 16) */
  records: Uint32Array[]
  /** names, and whatever else stands behind the records: one of zeros ends them */
  rest: Uint8Array
  dataSize: number
}

function dataOffset(layout: Layout, record: Uint32Array): number {
  return layout.offset >= 0 ? record[layout.offset] : record[layout.sector] * SECTOR
}

/** Numbers of a record that belong together; `head` is too short to see names and data. */
function soundRecord(layout: Layout, record: Uint32Array, size: number): boolean {
  if (layout.kind === 'hed') {
    const bytes = new Uint8Array(record.buffer, record.byteOffset, 64)
    const end = bytes.indexOf(0)
    if (end <= 0) return false
    for (let i = 0; i < end; i++) if (bytes[i] < 0x20 || bytes[i] === 0x7f) return false
    return true
  }
  const name = record[layout.nameOffset]
  if (name < layout.recordSize || name >= size || record[layout.sectors] !== Math.ceil(record[layout.size] / SECTOR)) return false
  return (
    layout.kind === 'hd3' ||
    (record[1] === 0 && record[2] === 0 && record[3] === 0 && record[layout.offset] === record[layout.sector] * SECTOR)
  )
}

function isZero(bytes: Uint8Array, at: number, size: number): boolean {
  return bytes.subarray(at, at + size).every((byte) => byte === 0)
}

function wordsAt(bytes: Uint8Array, at: number, layout: Layout): Uint32Array {
  return new Uint32Array(bytes.slice(at, at + layout.recordSize).buffer)
}

function open(layout: Layout, format: string, source: ByteSource, data: ByteSource): DiscIndex {
  if (source.size > MOST_BYTES)
    throw new FormatError('unsupported', `a directory of ${source.size} bytes is none`, { file: source.ref, offset: 0 })
  const bytes = source.read(0, source.size)
  const diagnostics = new Diagnostics(source.ref)
  const { recordSize } = layout
  if (bytes.length < recordSize)
    throw new FormatError('truncated', `a record needs ${recordSize} bytes, the file has ${bytes.length}`, {
      file: source.ref,
      path: 'records[0]',
      offset: 0,
      expected: `${recordSize} bytes`,
      actual: `${bytes.length} bytes`,
    })
  let count: number
  if (layout.kind === 'hed') {
    count = 0
    while ((count + 1) * recordSize <= bytes.length && bytes[count * recordSize] !== 0) count++
  } else {
    const first = wordsAt(bytes, 0, layout)[0]
    if (first < recordSize || first % recordSize || first > bytes.length)
      throw new FormatError('bad-count', `the first name stands at ${first}: the table has no whole number of records`, {
        file: source.ref,
        path: 'records[0].nameOffset',
        offset: 0,
        expected: `a multiple of ${recordSize} within ${bytes.length}`,
        actual: String(first),
      })
    count = first / recordSize
    // a record of zeros ends the list before the names begin
    for (let i = 1; i < count; i++) if (isZero(bytes, i * recordSize, recordSize)) count = i
  }
  const tableEnd = layout.kind === 'hed' ? count * recordSize : wordsAt(bytes, 0, layout)[0]
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
    const record = wordsAt(bytes, i * recordSize, layout)
    index.records.push(record)
    let rawName: Uint8Array
    if (layout.kind === 'hed') rawName = bytes.slice(i * recordSize, i * recordSize + 64)
    else {
      const at = record[layout.nameOffset]
      if (at < tableEnd || at >= bytes.length)
        diagnostics.add(
          'error',
          'level5.disc-name',
          `the name of file ${i} stands at ${at}, outside the names`,
          `records[${i}].nameOffset`,
          i * recordSize,
        )
      const end = at < bytes.length ? bytes.indexOf(0, at) : -1
      rawName = bytes.slice(Math.min(at, bytes.length), end < 0 ? Math.min(at + 256, bytes.length) : Math.min(end, at + 256))
    }
    const name = layout.kind === 'hed' ? fieldText(rawName) : decodeText(rawName)
    const key = name.toLowerCase()
    const duplicate = seen.get(key) ?? 0
    seen.set(key, duplicate + 1)
    const offset = dataOffset(layout, record)
    let size = record[layout.size]
    if (offset + size > data.size) {
      diagnostics.add(
        'error',
        'level5.disc-range',
        `"${name}" reaches to ${offset + size}, the data file has ${data.size} bytes`,
        `records[${i}].size`,
        i * recordSize + 4 * layout.size,
      )
      size = Math.max(0, data.size - offset)
    }
    const member: ArchiveMember = { name, rawName, offset: Math.min(offset, data.size), size, duplicate }
    index.members.push(member)
  }
  return index
}

function directory(index: DiscIndex, records: readonly Uint32Array[]): Segment[] {
  const size = records[0]?.byteLength ?? 0
  const table = new Uint8Array(size * records.length)
  records.forEach((r, i) => table.set(new Uint8Array(r.buffer, r.byteOffset, r.byteLength), size * i))
  return [
    { kind: 'bytes', bytes: table, as: 'typed' },
    // names of HD2 and HD3; behind a HED stands what nobody explains
    { kind: 'bytes', bytes: index.rest, as: index.format === 'level5.hed' ? 'opaque' : 'typed' },
  ]
}

/** A body that fits the room up to the next file stays where it is; a larger one goes to the end of the data file. */
function replace(
  layout: Layout,
  index: DiscIndex,
  replacements: ReadonlyMap<number, Uint8Array>,
): { data: Segment[]; directory: Segment[] } {
  const records = index.records.map((r) => r.slice())
  const starts = [...new Set(index.members.filter((m) => m.size > 0).map((m) => m.offset))].sort((a, b) => a - b)
  const patches: { offset: number; bytes: Uint8Array }[] = []
  const appended: Uint8Array[] = []
  let end = Math.ceil(index.dataSize / SECTOR) * SECTOR
  for (const [i, bytes] of [...replacements].sort((a, b) => a[0] - b[0])) {
    const member = index.members[i]
    if (!member) throw new FormatError('not-found', `the archive has no file ${i}`, { file: index.ref })
    const next = starts.find((s) => s > member.offset) ?? index.dataSize
    // files that share their bytes part ways
    const shared = index.members.some(
      (m, k) => k !== i && m.size > 0 && m.offset < member.offset + member.size && member.offset < m.offset + m.size,
    )
    const sectors = Math.ceil(bytes.length / SECTOR)
    const record = records[i]
    record[layout.size] = bytes.length
    if (layout.sectors >= 0) record[layout.sectors] = sectors
    // an empty file has no room of its own: several may stand at one place
    if (!shared && member.size > 0 && bytes.length <= next - member.offset) {
      // what the old file had beyond the new one's end is cleared
      const body = new Uint8Array(Math.max(bytes.length, member.size))
      body.set(bytes)
      patches.push({ offset: member.offset, bytes: body })
      continue
    }
    if (end + bytes.length > 0xffffffff)
      throw new FormatError('invalid-edit', 'the data file would be larger than the directory can say', { file: index.ref })
    if (layout.offset >= 0) record[layout.offset] = end
    if (layout.sector >= 0) record[layout.sector] = end / SECTOR
    const padded = new Uint8Array(sectors * SECTOR)
    padded.set(bytes)
    appended.push(padded)
    end += padded.length
  }
  const data: Segment[] = []
  let at = 0
  for (const patch of patches.sort((a, b) => a.offset - b.offset)) {
    if (patch.offset > at) data.push({ kind: 'copy', offset: at, length: patch.offset - at })
    data.push({ kind: 'bytes', bytes: patch.bytes, as: 'member' })
    at = patch.offset + patch.bytes.length
  }
  if (at < index.dataSize) data.push({ kind: 'copy', offset: at, length: index.dataSize - at })
  if (appended.length && index.dataSize % SECTOR)
    data.push({ kind: 'bytes', bytes: new Uint8Array(SECTOR - (index.dataSize % SECTOR)), as: 'opaque' })
  for (const bytes of appended) data.push({ kind: 'bytes', bytes, as: 'member' })
  return { data, directory: directory(index, records) }
}

function discFormat(kind: DiscKind, label: string): ArchiveFormat<DiscIndex> {
  const layout = LAYOUT[kind]
  const { recordSize } = layout
  return {
    id: `level5.${kind}`,
    label,
    family: 'level5',
    extensions: [kind],
    companion: (name) => name.replace(/\.[^.]*$/, (dot) => (dot === dot.toUpperCase() ? '.DAT' : '.dat')),
    identify(head, name, size) {
      if (extensionOf(name) !== kind || head.length < recordSize) return 0
      const first = new DataView(head.buffer, head.byteOffset).getUint32(0, true)
      const table = kind === 'hed' ? size : first
      if (kind !== 'hed' && (first % recordSize || first > size)) return 0
      let seen = 0
      for (let at = 0; at + recordSize <= Math.min(head.length, table); at += recordSize) {
        if (kind === 'hed' ? head[at] === 0 : isZero(head, at, recordSize)) break
        if (!soundRecord(layout, wordsAt(head, at, layout), size)) return 0
        seen++
      }
      return seen > 0 ? 0.9 : 0
    },
    open: (source, data) => open(layout, `level5.${kind}`, source, data),
    encode: (index) => directory(index, index.records),
    encodeData: (index) => (index.dataSize ? [{ kind: 'copy', offset: 0, length: index.dataSize }] : []),
    replace: (index, replacements) => replace(layout, index, replacements),
    describe(index) {
      const children = index.records.map((record, i) => {
        const at = i * recordSize
        const own: StructureField[] = kind === 'hed' ? [field('name', 'char[64]', at, 64, index.members[i].name)] : []
        layout.labels.forEach((text, w) => {
          const word = kind === 'hed' ? 16 + w : w
          own.push(field(text, 'u32', at + 4 * word, 4, record[word], /^(unknown|zero)/.test(text) ? { unknown: true } : {}))
        })
        return node(`records[${i}]`, 'file', { start: at, end: at + recordSize }, own, [], { summary: index.members[i].name })
      })
      const end = recordSize * index.records.length
      const fields = index.rest.length
        ? [
            field(
              kind === 'hed' ? 'trailing' : 'names',
              `u8[${index.rest.length}]`,
              end,
              index.rest.length,
              index.rest,
              kind === 'hed' ? { unknown: true } : {},
            ),
          ]
        : []
      return node('', `level5.${kind}`, { start: 0, end: end + index.rest.length }, fields, children, {
        summary: `${index.records.length} files`,
      })
    },
  }
}

export const hd2Format = discFormat('hd2', 'Dark Cloud 2 disc (HD2)')
export const hd3Format = discFormat('hd3', 'Dark Cloud 2 disc (HD3)')
export const hedFormat = discFormat('hed', 'Dark Cloud disc (HED)')
