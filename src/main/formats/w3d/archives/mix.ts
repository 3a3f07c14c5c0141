/**
 * MIX archives of Renegade (`.mix`, `always.dat`, `always.dbs`): `MIX1`, u32 offset of the table, u32 offset of the names, then bodies. Table: u32
 * count, {u32 crc of the name, u32 offset, u32 size} each; names: u32 count, {u8 length, characters with their NUL} each. Known from the
 * released engine and open tools; there is no sample. The game looks entries up by their crc; a name belongs to the entry that has its crc, and where
 * none has, to the entry at its place.
 */
import { FormatError } from '../../../binary/format-error.ts'
import type { ValueOf } from '../../../binary/layout.ts'
import { Reader, nameOf } from '../../../binary/reader.ts'
import { Writer } from '../../../binary/writer.ts'
import { Diagnostics } from '../../format.ts'
import { field, node, nodesOf } from '../../../binary/structure.ts'
import { say } from '../texts/index.ts'
import { ENTRY, HEADER, LONGEST_NAME, makeAnew, nameBytes, nameCrc, rebuilt, tableBytes } from './mix-tables.ts'
import { expectEdit, MOST_U32, ownBytes, plainName, refuseName, Rewrite } from '../../archive-edit.ts'
import { numberTwins } from '../../member-names.ts'
import type { ArchiveEdit } from '../../archive-edit.ts'
import type { ArchiveFormat, ArchiveIndex, ArchiveMember, ArchiveParts, ByteSource, Segment } from '../../archive.ts'

const MEMBERS = { use: { is: 'structure', by: 'members' } } as const
/** the game's own archives have some ten thousand */
const MOST_MEMBERS = 1_000_000

export interface MixIndex extends ArchiveIndex {
  readonly members: ArchiveMember[]
  readonly format: 'w3d.mix'
  tableOffset: number
  namesOffset: number
  fileSize: number
  /** crc of each entry, in the order of the table; members stand in the same order */
  crcs: Uint32Array
  /** names as they are, each without its length, in their own order */
  names: Uint8Array[]
  /** as stored in front of the names */
  nameCount: number
  /** end of the last name */
  namesEnd: number
}

function readNames(source: ByteSource, at: number, most: number): { names: Uint8Array[]; count: number; end: number } {
  const bytes = source.read(at, Math.min(source.size - at, 4 + most * LONGEST_NAME))
  const count = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true)
  const names: Uint8Array[] = []
  let p = 4
  while (names.length < Math.min(count, most) && p < bytes.length && p + 1 + bytes[p] <= bytes.length) {
    names.push(bytes.slice(p + 1, p + 1 + bytes[p]))
    p += 1 + bytes[p]
  }
  return { names, count, end: at + p }
}

export const mix: ArchiveFormat<MixIndex> = {
  id: 'w3d.mix',
  get label() {
    return say('archives.mix.label')
  },
  family: 'w3d',
  extensions: ['mix', 'dat', 'dbs'],

  identify(head, _name, size) {
    if (head.length < HEADER.size || nameOf(head.subarray(0, 4)) !== 'MIX1') return 0
    const { tableOffset, namesOffset } = HEADER.read(new Reader(head, ''))
    return tableOffset + 4 <= size && namesOffset + 4 <= size ? 0.98 : 0.7
  },

  open(source) {
    const diagnostics = new Diagnostics(source.ref)
    const fail = (
      code: 'truncated' | 'bad-count' | 'bad-value',
      message: string,
      path: string,
      offset: number,
      expected: string,
      actual: string,
    ): never => {
      throw new FormatError(code, message, { file: source.ref, path, offset, expected, actual })
    }
    if (source.size < HEADER.size)
      fail(
        'truncated',
        say('archives.mix.headerNeeds', { needed: HEADER.size, count: source.size }),
        'magic',
        0,
        say('files.byteCount', { count: HEADER.size }),
        say('files.byteCount', { count: source.size }),
      )
    const { tableOffset, namesOffset } = HEADER.read(new Reader(source.read(0, HEADER.size), source.ref))
    for (const [path, offset] of [
      ['tableOffset', tableOffset],
      ['namesOffset', namesOffset],
    ] as const) {
      if (offset < HEADER.size || offset + 4 > source.size)
        fail(
          'truncated',
          say('archives.mix.offsetOutside', { path, offset, count: source.size }),
          path,
          HEADER.at[path],
          `${HEADER.size}..${source.size - 4}`,
          String(offset),
        )
    }
    const counted = source.read(tableOffset, 4)
    const count = new DataView(counted.buffer, counted.byteOffset).getUint32(0, true)
    const most = Math.min(MOST_MEMBERS, Math.floor((source.size - tableOffset - 4) / ENTRY.size))
    if (count > most)
      fail(
        'bad-count',
        say('archives.mix.countTooLarge', { count: count, most }),
        'count',
        tableOffset,
        say('files.atMost', { most }),
        String(count),
      )
    const tableEnd = tableOffset + 4 + ENTRY.size * count
    const { names, count: nameCount, end: namesEnd } = readNames(source, namesOffset, count)
    if (tableOffset < namesEnd && namesOffset < tableEnd)
      fail(
        'bad-value',
        say('archives.mix.namesInTable'),
        'namesOffset',
        HEADER.at.namesOffset,
        say('archives.mix.outside', { start: tableOffset, end: tableEnd }),
        String(namesOffset),
      )
    if (names.length !== count || nameCount !== count)
      diagnostics.add(
        'warning',
        'w3d.mix-names',
        say('archives.mix.nameCount', { count: count, names: Math.min(names.length, nameCount) }),
        'nameCount',
        namesOffset,
      )

    const table = new Reader(source.read(tableOffset + 4, ENTRY.size * count), source.ref)
    const entries = Array.from({ length: count }, () => ENTRY.read(table))
    const crcs = Uint32Array.from(entries, ({ crc }) => crc)
    // names by crc first; what is left goes to the entries that are left, in order
    const byCrc = new Map<number, number[]>()
    for (let i = count - 1; i >= 0; i--) {
      const same = byCrc.get(crcs[i])
      if (same) same.push(i)
      else byCrc.set(crcs[i], [i])
    }
    const nameOfEntry = new Int32Array(count).fill(-1)
    const homeless: number[] = []
    names.forEach((name, k) => {
      const entry = byCrc.get(nameCrc(name.subarray(0, name.indexOf(0) < 0 ? name.length : name.indexOf(0))))?.pop()
      if (entry === undefined) homeless.push(k)
      else nameOfEntry[entry] = k
    })
    let free = 0
    for (const k of homeless) {
      while (free < count && nameOfEntry[free] >= 0) free++
      const entry = nameOfEntry[k] < 0 ? k : free
      if (entry < count) nameOfEntry[entry] = k
    }
    if (homeless.length)
      diagnostics.add('info', 'w3d.mix-crc', say('archives.mix.homeless', { count: homeless.length }), 'names', namesOffset)

    const members = Array.from(crcs, (crc, i): ArchiveMember => {
      const rawName = names[nameOfEntry[i]] ?? new Uint8Array(0)
      const name = nameOf(rawName) || `0x${crc.toString(16).padStart(8, '0')}`
      const { offset, size } = entries[i]
      if (size > 0 && offset + size > source.size)
        diagnostics.add(
          'error',
          'w3d.mix-member-outside',
          say('archives.memberOutside', { name, offset, size, archive: source.size }),
          `members[${i}]`,
          tableOffset + 4 + ENTRY.size * i,
        )
      return { name, rawName, offset, size, duplicate: 0 }
    })
    numberTwins(members, diagnostics, 'w3d.mix-duplicate', (i) => [`members[${i}].crc`, tableOffset + 4 + ENTRY.size * i])
    return {
      format: 'w3d.mix',
      ref: source.ref,
      diagnostics: diagnostics.list,
      members,
      tableOffset,
      namesOffset,
      fileSize: source.size,
      crcs,
      names,
      nameCount,
      namesEnd,
    }
  },

  encode: (index) => assemble(index, index.members, [], []),

  /** As in a BIG: a member that fits where it stands is written there, another goes behind everything, and no other moves. */
  replace(index, replacements) {
    const members = index.members.map((member) => ({ ...member }))
    const overwrites: { offset: number; bytes: Uint8Array }[] = []
    const appended: Uint8Array[] = []
    let end = index.fileSize
    for (const [i, bytes] of [...replacements].sort((a, b) => a[0] - b[0])) {
      const member = members[i]
      if (!member) throw new FormatError('invalid-argument', say('archives.noMember', { i }), { file: index.ref })
      if (bytes.length <= roomOf(index, i)) {
        if (bytes.length > 0) overwrites.push({ offset: member.offset, bytes })
      } else {
        member.offset = end
        appended.push(bytes)
        end += bytes.length
      }
      member.size = bytes.length
    }
    expectSize(index, end)
    return { data: assemble(index, members, overwrites, appended) }
  },

  edit: edited,
  make: makeAnew,
  get limits() {
    return say('archives.mix.limits', { most: LONGEST_NAME - 2 })
  },

  describe(index, only) {
    const entries = nodesOf(index.members, only, (member, i) => {
      const at = index.tableOffset + 4 + ENTRY.size * i
      return node(
        `members[${i}]`,
        say('formats.nodes.entry'),
        { start: at, end: at + ENTRY.size },
        ENTRY.describe(entryOf(index, member, i), at),
        [],
        {
          summary: member.name,
        },
      )
    })
    const names = field(
      'names',
      `{u8 length, char[]} x ${index.names.length}`,
      index.namesOffset + 4,
      index.namesEnd - index.namesOffset - 4,
      index.names.slice(0, 8).map(nameOf).join(', '),
      { use: { is: 'structure', by: 'name' } },
    )
    return node(
      '',
      'MIX',
      { start: 0, end: index.fileSize },
      [
        ...HEADER.describe(index, 0),
        field('count', 'u32', index.tableOffset, 4, index.members.length, MEMBERS),
        field('nameCount', 'u32', index.namesOffset, 4, index.nameCount, MEMBERS),
        ...(index.names.length ? [names] : []),
      ],
      entries,
    )
  },
}

/** @throws FormatError invalid-edit */
function expectSize({ ref }: MixIndex, end: number): void {
  if (end > MOST_U32) throw new FormatError('invalid-edit', say('archives.mix.tooLarge'), { file: ref })
}

interface Named {
  crc: number
  offset: number
  size: number
  /** as stored, with its NUL; absent where no name is told */
  name: Uint8Array | undefined
}

/** Table and names are written anew where they stand, and what is behind them closes up or makes room. The game searches by halves: a table in order stays in order. */
function edited(index: MixIndex, edit: ArchiveEdit): ArchiveParts {
  expectEdit(index, edit)
  if (edit.kind === 'reorder') throw new FormatError('unsupported', say('archives.mix.noOrder'), { file: index.ref })
  if (edit.kind === 'rebuild') return rebuilt(index)
  const told = new Set(index.names)
  const all = index.members.map((member, i): Named => ({
    ...entryOf(index, member, i),
    name: told.has(member.rawName) ? member.rawName : undefined,
  }))
  const inOrder = index.crcs.every((crc, i) => i === 0 || index.crcs[i - 1] <= crc)
  const alongside = index.names.length === all.length && index.names.every((name, i) => all[i].name === name)
  const gone = edit.kind === 'remove' ? edit.members : new Set<number>()
  const entries = all.filter((_, i) => !gone.has(i))
  const goneNames = new Set([...gone].map((i) => all[i].name))
  let names = index.names.filter((name) => !goneNames.has(name))
  const put = (place: Pick<Named, 'offset' | 'size'>, text: string, at = entries.length): Named => {
    const name = plainName(index, text, LONGEST_NAME - 2)
    const crc = nameCrc(name)
    if (entries.some((other) => other.crc === crc)) refuseName(index, text, say('archives.mix.crcTaken', { name: text }))
    const behind = inOrder ? entries.findIndex((other) => other.crc > crc) : -1
    const entry = { ...place, crc, name: Uint8Array.of(...name, 0) }
    entries.splice(inOrder ? (behind < 0 ? entries.length : behind) : at, 0, entry)
    return entry
  }
  const added = edit.kind === 'add' ? edit.members : []
  if (edit.kind === 'rename') {
    const renamed = [...edit.names].sort((a, b) => a[0] - b[0])
    const old = renamed.map(([i]) => all[i])
    const gone = new Set(old)
    entries.splice(0, entries.length, ...all.filter((entry) => !gone.has(entry)))
    const goneNames = new Set(old.map(({ name }) => name))
    names = names.filter((name) => !goneNames.has(name))
    // each stands at its old place again once those before it do
    renamed.forEach(([i, name], k) => put({ offset: old[k].offset, size: old[k].size }, name, i))
  }
  // their places are known once the tables' sizes are
  const fresh = added.map(({ name, bytes }) => put({ offset: 0, size: bytes.length }, name))
  const named = entries.flatMap(({ name }) => name ?? [])
  const had = new Set(names)
  names = alongside ? named : [...names, ...named.filter((name) => !had.has(name))]

  const tables = [
    { start: 0, end: HEADER.size, length: HEADER.size },
    { start: index.tableOffset, end: index.tableOffset + 4 + ENTRY.size * all.length, length: 4 + ENTRY.size * entries.length },
    { start: index.namesOffset, end: index.namesEnd, length: names.reduce((sum, name) => sum + 1 + name.length, 4) },
  ]
  const cut = ownBytes(index, gone, tables, index.fileSize).map((range) => ({ ...range, length: 0 }))
  const rewrite = new Rewrite(index.fileSize, [...tables, ...cut])
  let { end } = rewrite
  for (const entry of entries) if (entry.offset >= HEADER.size) entry.offset = rewrite.place(entry.offset)
  for (const entry of fresh) {
    entry.offset = end
    end += entry.size
  }
  expectSize(index, end)
  const nameCount = index.nameCount + names.length - index.names.length
  const [tableOffset, namesOffset] = [index.tableOffset, index.namesOffset].map((offset) => rewrite.place(offset))
  return {
    data: rewrite.segments(
      new Map([
        [0, HEADER.encode({ ...index, tableOffset, namesOffset })],
        [index.tableOffset, tableBytes(entries)],
        [index.namesOffset, nameBytes(nameCount, names)],
      ]),
      added.map(({ bytes }) => bytes),
    ),
  }
}

/** As the table has a member. */
function entryOf(index: MixIndex, { offset, size }: ArchiveMember, i: number): ValueOf<typeof ENTRY> {
  return { crc: index.crcs[i], offset, size }
}

/** Bytes that a member may take where it stands: up to what comes next, its own where nothing does. -1 for one that is outside, in a table, or shared. */
function roomOf(index: MixIndex, i: number): number {
  const { offset, size } = index.members[i]
  const end = offset + size
  if (size === 0 || offset < HEADER.size || end > index.fileSize) return -1
  const tables = [
    [index.tableOffset, index.tableOffset + 4 + ENTRY.size * index.members.length],
    [index.namesOffset, index.namesEnd],
  ]
  const others = index.members.flatMap((m, k) => (k !== i && m.size > 0 ? [[m.offset, m.offset + m.size]] : []))
  let next = Infinity
  for (const [from, to] of [...tables, ...others]) {
    if (to <= offset) continue
    if (from < end) return -1
    next = Math.min(next, from)
  }
  return next === Infinity ? size : next - offset
}

/** Header, table and names from their fields, everything else by copy or from the new bodies. */
function assemble(
  index: MixIndex,
  members: readonly ArchiveMember[],
  overwrites: readonly { offset: number; bytes: Uint8Array }[],
  appended: readonly Uint8Array[],
): Segment[] {
  const pieces: { offset: number; bytes: Uint8Array; as: 'typed' | 'member' }[] = [
    { offset: 0, bytes: HEADER.encode(index), as: 'typed' },
    { offset: index.tableOffset, bytes: tableBytes(members.map((member, i) => entryOf(index, member, i))), as: 'typed' },
    { offset: index.namesOffset, bytes: nameBytes(index.nameCount, index.names), as: 'typed' },
    ...overwrites.map((overwrite) => ({ ...overwrite, as: 'member' as const })),
  ]
  const out: Segment[] = []
  let at = 0
  for (const piece of pieces.sort((a, b) => a.offset - b.offset)) {
    if (piece.offset > at) out.push({ kind: 'copy', offset: at, length: piece.offset - at })
    out.push({ kind: 'bytes', bytes: piece.bytes, as: piece.as })
    at = piece.offset + piece.bytes.length
  }
  if (at < index.fileSize) out.push({ kind: 'copy', offset: at, length: index.fileSize - at })
  for (const bytes of appended) if (bytes.length) out.push({ kind: 'bytes', bytes, as: 'member' })
  return out
}

/** A new archive, with its tables behind the bodies as the game's tools write them. */
export function makeMix(list: readonly { name: string; bytes: Uint8Array }[]): Uint8Array {
  const names = list.map(({ name }) => Uint8Array.from([...name].map((c) => c.charCodeAt(0))))
  // the game searches the table by halves
  const order = list.map((_, i) => i).sort((a, b) => nameCrc(names[a]) - nameCrc(names[b]))
  const out = new Writer(1024)
  HEADER.write(out, { tableOffset: 0, namesOffset: 0 })
  const offsets = list.map(({ bytes }) => {
    const at = out.position
    out.raw(bytes)
    return at
  })
  out.setU32(HEADER.at.tableOffset, out.position)
  out.u32(list.length)
  for (const i of order) ENTRY.write(out, { crc: nameCrc(names[i]), offset: offsets[i], size: list[i].bytes.length })
  out.setU32(HEADER.at.namesOffset, out.position)
  out.u32(list.length)
  for (const i of order) {
    out.u8(names[i].length + 1)
    out.raw(names[i])
    out.u8(0)
  }
  return out.finish().slice()
}
