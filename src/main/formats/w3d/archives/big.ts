/**
 * BIG archives: `BIGF` (Generals, Zero Hour, BFME) and `BIG4` (BFME2 and later). u32 archive size, little-endian in most and stale or
 * big-endian in some: readers ignore it. u32 count and u32 header size, big-endian. Then for each entry u32 offset and u32 size, both
 * big-endian, and a path that ends with NUL. Some writers put a tail between the table and the first body. [V]
 */
import { FormatError } from '../../../binary/format-error.ts'
import { fourcc, record, u32, u32be } from '../../../binary/layout.ts'
import { Reader } from '../../../binary/reader.ts'
import { Writer } from '../../../binary/writer.ts'
import { Diagnostics } from '../../format.ts'
import { structural, word } from '../../../binary/field-use.ts'
import { field, hex, node, nodesOf } from '../../../binary/structure.ts'
import { atOnce } from '../../../../shared/stepwise.ts'
import { say } from '../texts/index.ts'
import { BigMembers, ENTRY } from './big-members.ts'
import { LONGEST_NAME, TableReader } from './big-table.ts'
import { canBeRefPack, REFPACK_HEADER, refPackHeader, unpackRefPack } from './refpack.ts'
import { closedUp, expectEdit, expectNames, MOST_U32, ownBytes, plainName, Rewrite } from '../../archive-edit.ts'
import type { ArchiveEdit, NewMember } from '../../archive-edit.ts'
import type { ArchiveFormat, ArchiveIndex, ArchiveParts, ByteSource, MemberList, Segment } from '../../archive.ts'

export interface BigIndex extends ArchiveIndex {
  readonly format: 'w3d.big'
  readonly members: BigMembers
  magic: 'BIGF' | 'BIG4'
  /** as stored, read as little-endian; not to be trusted */
  archiveSize: number
  /** as stored; the end of the table, or one less than the offset of the first body; not to be trusted */
  headerSize: number
  /** end of the last entry of the table */
  tableEnd: number
  /** bytes of the whole file */
  fileSize: number
  /** what stands between the table and the first body, as far as it is shown */
  tail: { size: number; bytes: Uint8Array }
}

const MAGICS: readonly BigIndex['magic'][] = ['BIGF', 'BIG4']
const HEADER = record(
  { magic: word(fourcc, MAGICS), archiveSize: u32, count: structural(u32be, 'members'), headerSize: u32be },
  { notes: { headerSize: () => say('archives.big.headerSizeNote') } },
)
/** with the NUL of an empty name */
const LEAST_ENTRY = ENTRY.size + 1
/** real archives have up to some ten thousand members */
const MOST_MEMBERS = 1_000_000
const MOST_TABLE = 2 ** 28
/** entries that are read in one step */
const MANY = 4096
/** names that stand in the table more than once, and bytes behind it */
const MOST_TOLD = 100
const MOST_SHOWN = 16

/** kinds that are made: the games up to BFME know the first magic alone */
const BIGF = 'w3d.big'
const BIG4 = 'w3d.big4'

const isMagic = (text: string): text is BigIndex['magic'] => (MAGICS as readonly string[]).includes(text)

export const big: ArchiveFormat<BigIndex> = {
  id: 'w3d.big',
  get label() {
    return say('archives.big.label')
  },
  family: 'w3d',
  extensions: ['big'],
  loadOrder,

  identify(head, _name, size) {
    if (head.length < HEADER.size || size < HEADER.size) return 0
    const { magic, count } = HEADER.read(new Reader(head, ''))
    if (!isMagic(magic)) return 0
    return count * LEAST_ENTRY <= size - HEADER.size ? 0.98 : 0.7
  },

  open: (source) => atOnce(big.opening!(source)),

  *opening(source) {
    const diagnostics = new Diagnostics(source.ref)
    const { magic, archiveSize, count, headerSize } = HEADER.read(
      new Reader(source.read(0, Math.min(HEADER.size, source.size)), source.ref),
    )
    if (!isMagic(magic))
      throw new FormatError('bad-magic', say('archives.big.isNone'), {
        file: source.ref,
        path: 'magic',
        offset: 0,
        expected: say('archives.big.magics'),
        actual: magic,
      })
    if (count * LEAST_ENTRY > source.size - HEADER.size || count > MOST_MEMBERS) {
      throw new FormatError('bad-count', say('archives.big.countTooLarge', { count: count, size: source.size }), {
        file: source.ref,
        path: 'count',
        offset: HEADER.at.count,
        expected: say('files.atMost', { most: Math.min(MOST_MEMBERS, Math.floor((source.size - HEADER.size) / LEAST_ENTRY)) }),
        actual: String(count),
      })
    }
    const table = new TableReader(source, HEADER.size)
    const starts = new Float64Array(count + 1)
    for (let i = 0; i < count; i++) {
      starts[i] = table.position - HEADER.size
      table.skipHead(i)
      table.skipName(i)
      if (i % MANY === 0) yield i / count / 2
    }
    const tableEnd = table.position
    starts[count] = tableEnd - HEADER.size
    if (starts[count] > MOST_TABLE)
      throw new FormatError('unsupported', say('archives.big.tableTooLarge', { count: starts[count], most: MOST_TABLE }), {
        file: source.ref,
        path: 'members',
        offset: HEADER.size,
      })
    const members = yield* BigMembers.reading(source.read(HEADER.size, starts[count]), starts)
    for (let i = 0; i < count; i++) {
      const offset = members.offset(i)
      const size = members.size(i)
      // one without bytes is nowhere: the file may end in front of it
      if (size > 0 && offset + size > source.size)
        diagnostics.add(
          'error',
          'w3d.big-member-outside',
          say('archives.memberOutside', { name: members.name(i), offset, size, archive: source.size }),
          `members[${i}]`,
          HEADER.size + starts[i],
        )
    }
    for (const twins of members.twins.slice(0, MOST_TOLD))
      diagnostics.add(
        'warning',
        'w3d.big-duplicate',
        say('archives.big.duplicate', { name: members.name(twins[0]), count: twins.length, last: twins.at(-1)! }),
        `members[${twins[0]}].name`,
        HEADER.size + starts[twins[0]] + ENTRY.size,
      )
    if (archiveSize !== source.size && turned(archiveSize) !== source.size)
      diagnostics.add(
        'info',
        'w3d.big-stale-size',
        say('archives.big.staleSize', { count: archiveSize, size: source.size }),
        'archiveSize',
        HEADER.at.archiveSize,
      )
    return {
      format: 'w3d.big',
      ref: source.ref,
      diagnostics: diagnostics.list,
      members,
      magic,
      archiveSize,
      headerSize,
      tableEnd,
      fileSize: source.size,
      tail: tailOf(members, tableEnd, source),
    }
  },

  encode(index) {
    const segments: Segment[] = [{ kind: 'bytes', bytes: tableBytes(index, new Map(), index.archiveSize), as: 'typed' }]
    if (index.fileSize > index.tableEnd) segments.push({ kind: 'copy', offset: index.tableEnd, length: index.fileSize - index.tableEnd })
    return segments
  },

  /**
   * A member that fits where it stands is written there. One that does not goes behind everything else; no other member moves and the
   * table keeps its length. A size in the header that was true stays true.
   */
  replace(index, replacements) {
    const moved = new Map<number, { offset: number; size: number }>()
    const overwrites: { offset: number; bytes: Uint8Array }[] = []
    const appended: Uint8Array[] = []
    const wanted = [...replacements].sort((a, b) => a[0] - b[0])
    for (const [i] of wanted)
      if (i < 0 || i >= index.members.length)
        throw new FormatError('invalid-argument', say('archives.noMember', { i }), { file: index.ref })
    // a member that ends the file takes the end along
    const last = wanted.find(([i]) => roomOf(index, i) === Infinity)
    const oldEnd = last ? index.members.offset(last[0]) : index.fileSize
    let end = last ? oldEnd + last[1].length : oldEnd
    for (const [i, bytes] of wanted) {
      let offset = index.members.offset(i)
      if (bytes.length <= roomOf(index, i)) {
        // an emptied member leaves its bytes where they are
        if (bytes.length > 0) overwrites.push({ offset, bytes })
      } else {
        offset = end
        appended.push(bytes)
        end += bytes.length
      }
      moved.set(i, { offset, size: bytes.length })
    }
    const archiveSize = sizeField(index, end)
    const data: Segment[] = [{ kind: 'bytes', bytes: tableBytes(index, moved, archiveSize), as: 'typed' }]
    let at = index.tableEnd
    for (const overwrite of overwrites.sort((a, b) => a.offset - b.offset)) {
      if (overwrite.offset > at) data.push({ kind: 'copy', offset: at, length: overwrite.offset - at })
      data.push({ kind: 'bytes', bytes: overwrite.bytes, as: 'member' })
      at = overwrite.offset + overwrite.bytes.length
    }
    if (at < oldEnd) data.push({ kind: 'copy', offset: at, length: oldEnd - at })
    for (const bytes of appended) if (bytes.length) data.push({ kind: 'bytes', bytes, as: 'member' })
    return { data }
  },

  edit: edited,
  make: made,
  makes: [
    {
      id: BIGF,
      get label() {
        return say('archives.big.bigf')
      },
    },
    {
      id: BIG4,
      get label() {
        return say('archives.big.big4')
      },
    },
  ],
  get limits() {
    return say('archives.big.limits', { most: LONGEST_NAME - 1 })
  },

  /** Members that begin as RefPack and can be it. */
  unpack(_index, _number, stored) {
    const head = stored.read(0, Math.min(REFPACK_HEADER, stored.size))
    const header = refPackHeader(head)
    if (!header || !canBeRefPack(header, stored.size)) return undefined
    return { size: header.size, bytes: (most) => unpackRefPack(stored.read(0, stored.size), stored.ref, most) }
  },

  describe(index, only) {
    const members = nodesOf(index.members, only, (member, i) => {
      const start = HEADER.size + index.members.start(i)
      const { length } = member.rawName
      const name = field('name', `char[${length}]`, start + ENTRY.size, length, member.name, { use: { is: 'structure', by: 'name' } })
      const fields = [...ENTRY.describe(member, start), name]
      const range = { start, end: start + ENTRY.size + length }
      return node(`members[${i}]`, say('formats.nodes.entry'), range, fields, [], { summary: member.name })
    })
    const fields = HEADER.describe({ ...index, count: index.members.length }, 0, {
      archiveSize: [index.archiveSize, turned(index.archiveSize)].includes(index.fileSize) ? undefined : say('archives.big.stale'),
    })
    const { tail, tableEnd } = index
    if (tail.size > 0)
      fields.push(
        field(
          'tail',
          `u8[${tail.size}]`,
          tableEnd,
          tail.size,
          tail.size > tail.bytes.length ? say('archives.big.tailBytes', { bytes: hex(tail.bytes), count: tail.size }) : hex(tail.bytes),
          {
            unknown: true,
            note: say('archives.big.tailNote'),
          },
        ),
      )
    return node('', 'BIG', { start: 0, end: index.fileSize }, fields, members)
  },
}

function tailOf(members: BigMembers, tableEnd: number, source: ByteSource): BigIndex['tail'] {
  let first = source.size
  for (let i = 0; i < members.length; i++) first = Math.min(first, members.offset(i))
  const size = Math.max(0, first - tableEnd)
  return { size, bytes: source.read(tableEnd, Math.min(size, MOST_SHOWN)) }
}

/** The header's word on the size: true where it was. @throws FormatError invalid-edit */
function sizeField({ archiveSize, fileSize, ref }: BigIndex, end: number): number {
  if (end > MOST_U32) throw new FormatError('invalid-edit', say('archives.big.tooLarge'), { file: ref })
  if (turned(archiveSize) === fileSize) return turned(end)
  return archiveSize === fileSize ? end : archiveSize
}

/** The size as writers have it that put the highest byte first. */
function turned(n: number): number {
  return ((n & 0xff) * 2 ** 24 + ((n >>> 8) & 0xff) * 2 ** 16 + ((n >>> 16) & 0xff) * 2 ** 8 + (n >>> 24)) >>> 0
}

/** The table is written anew, and the bodies close up or make room behind it: all stay in their order, with what is between them. */
function edited(index: BigIndex, edit: ArchiveEdit): ArchiveParts {
  expectEdit(index, edit)
  if (edit.kind === 'rebuild') return rebuilt(index, index.members, index.fileSize)
  const { members, tableEnd, fileSize } = index
  const gone = edit.kind === 'remove' ? edit.members : new Set<number>()
  const added = edit.kind === 'add' ? edit.members : []
  const count = members.length - gone.size + added.length
  if (count > MOST_MEMBERS)
    throw new FormatError('invalid-edit', say('formats.archives.tooManyMembers', { count: count, most: MOST_MEMBERS }), { file: index.ref })
  const renamed = edit.kind === 'rename' ? edit.names : new Map<number, string>()
  const order = edit.kind === 'reorder' ? edit.order : undefined
  const entries: { offset: number; size: number; name: Uint8Array }[] = []
  for (let place = 0; place < members.length; place++) {
    const i = order ? order[place] : place
    if (gone.has(i)) continue
    const name = renamed.get(i)
    entries.push({
      offset: members.offset(i),
      size: members.size(i),
      name: name === undefined ? members.rawName(i) : storedName(index, name),
    })
  }
  const names = added.map(({ name }) => storedName(index, name))
  const table = [...entries.map(({ name }) => name), ...names].reduce((sum, name) => sum + ENTRY.size + name.length, HEADER.size)
  const cut = ownBytes(index, gone, [{ start: 0, end: tableEnd }], fileSize).map((range) => ({ ...range, length: 0 }))
  const rewrite = new Rewrite(fileSize, [{ start: 0, end: tableEnd, length: table }, ...cut])
  for (const entry of entries) if (entry.offset >= tableEnd) entry.offset = rewrite.place(entry.offset)
  let { end } = rewrite
  added.forEach(({ bytes }, i) => {
    entries.push({ offset: end, size: bytes.length, name: names[i] })
    end += bytes.length
  })
  const out = new Writer(table)
  const archiveSize = sizeField(index, end)
  HEADER.write(out, { ...index, archiveSize, count, headerSize: index.headerSize + table - tableEnd })
  for (const entry of entries) {
    ENTRY.write(out, entry)
    out.raw(entry.name)
  }
  return {
    data: rewrite.segments(
      new Map([[0, out.finish()]]),
      added.map(({ bytes }) => bytes),
    ),
  }
}

function storedName(index: Pick<BigIndex, 'ref'>, name: string): Uint8Array {
  return Uint8Array.of(...plainName(index, name.replaceAll('/', '\\'), LONGEST_NAME - 1), 0)
}

/** Table and bodies with nothing between them or behind them, and a header that says so. */
function rebuilt(index: Pick<BigIndex, 'magic' | 'ref'>, members: MemberList<Body>, size: number): ArchiveParts {
  const table = members.map(({ rawName }) => ENTRY.size + rawName.length).reduce((sum, n) => sum + n, HEADER.size)
  const { places, segments, end } = closedUp({ ref: index.ref, members }, size, table)
  if (end > MOST_U32) throw new FormatError('invalid-edit', say('archives.big.tooLarge'), { file: index.ref })
  const out = new Writer(table)
  HEADER.write(out, { magic: index.magic, archiveSize: end, count: members.length, headerSize: table })
  let i = 0
  for (const { rawName, size: length } of members) {
    ENTRY.write(out, { offset: places[i++], size: length })
    out.raw(rawName)
  }
  return { data: [{ kind: 'bytes', bytes: out.finish(), as: 'typed' }, ...segments] }
}

type Body = NewMember & { rawName: Uint8Array }

function made(list: readonly NewMember[], ref: string, kind = BIGF): ArchiveParts {
  expectNames(
    { members: [], ref },
    list.map(({ name }) => name),
  )
  const members = list.map((member): Body => ({ ...member, rawName: storedName({ ref }, member.name) }))
  return rebuilt({ magic: kind === BIG4 ? 'BIG4' : 'BIGF', ref }, members, Infinity)
}

/**
 * Bytes that a member may take where it stands: up to the next member, or without limit at the end of the file. -1 for a member whose bytes
 * are outside the file, in the table, or shared with another.
 */
function roomOf(index: BigIndex, i: number): number {
  const { members } = index
  const offset = members.offset(i)
  const size = members.size(i)
  if (offset < index.tableEnd || offset + size > index.fileSize) return -1
  if (size === 0) return 0
  let next = Infinity
  for (let k = 0; k < members.length; k++) {
    const start = members.offset(k)
    const length = members.size(k)
    // what lies behind the file bounds nothing in it
    if (k === i || length === 0 || start + length <= offset || start >= index.fileSize) continue
    if (start < offset + size) return -1
    next = Math.min(next, start)
  }
  if (next !== Infinity) return next - offset
  return offset + size === index.fileSize ? Infinity : size
}

/** @param moved places and sizes that differ from those of the index */
function tableBytes(index: BigIndex, moved: ReadonlyMap<number, { offset: number; size: number }>, archiveSize: number): Uint8Array {
  const out = new Writer(index.tableEnd)
  const { members } = index
  HEADER.write(out, { ...index, archiveSize, count: members.length })
  for (let i = 0; i < members.length; i++) {
    ENTRY.write(out, moved.get(i) ?? { offset: members.offset(i), size: members.size(i) })
    out.raw(members.rawName(i))
  }
  return out.finish()
}

/**
 * The order in which the games look for a file in their archives [engine, Zero Hour]: names without case, the first that has it wins; loose
 * files come before all archives. Other builds differ, so the order is a list that the user sees.
 */
export function loadOrder(names: readonly string[]): string[] {
  return [...names].sort((a, b) => {
    const x = a.toLowerCase()
    const y = b.toLowerCase()
    return x < y ? -1 : x > y ? 1 : 0
  })
}

/** A new archive; names hold backslashes as the games write them. */
export function makeBig(magic: 'BIGF' | 'BIG4', members: readonly { name: string; bytes: Uint8Array }[]): Uint8Array {
  const tableEnd = HEADER.size + members.reduce((sum, member) => sum + LEAST_ENTRY + member.name.length, 0)
  const size = members.reduce((sum, member) => sum + member.bytes.length, tableEnd)
  const out = new Writer(size)
  HEADER.write(out, { magic, archiveSize: size, count: members.length, headerSize: tableEnd })
  let at = tableEnd
  for (const { name, bytes } of members) {
    ENTRY.write(out, { offset: at, size: bytes.length })
    for (let i = 0; i < name.length; i++) out.u8(name.charCodeAt(i))
    out.u8(0)
    at += bytes.length
  }
  for (const { bytes } of members) out.raw(bytes)
  return out.finish().slice()
}
