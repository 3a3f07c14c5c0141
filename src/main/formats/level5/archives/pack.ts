/**
 * The PAK family container (.chr .pak .ipk .mpk .efp .pcp .sky .snd and no extension): records of a 0x50 header and data,
 * until a record whose name is empty. Record header: char[64] name, u32 dataOffset (0x50), u32 size, u32 stride to the next
 * record (0x50 + size rounded up to 16), u32 junk (one constant per pack [V]). Behind a name's NUL stands stack junk, and
 * the last record is all junk but for its empty name: size and stride are 0xFFFFFFFF [V].
 */
import { extensionOf } from '../../../../shared/ref.ts'
import { FormatError } from '../../../binary/format-error.ts'
import { structural } from '../../../binary/field-use.ts'
import { flags32, record, u32, type ValueOf } from '../../../binary/layout.ts'
import { Reader } from '../../../binary/reader.ts'
import { Diagnostics } from '../../format.ts'
import { field, leftover, node, nodesOf } from '../../../binary/structure.ts'
import { decodeText, encodeText, fieldText, text } from '../codecs/names.ts'
import { say } from '../texts/index.ts'
import { expectEdit, expectNames, MOST_U32, namedField, refuseName } from '../../archive-edit.ts'
import { numberTwins } from '../../member-names.ts'
import type { ArchiveEdit, NewMember } from '../../archive-edit.ts'
import type { ArchiveFormat, ArchiveIndex, ArchiveMember, ArchiveParts, ByteSource, Segment } from '../../archive.ts'
import type { StructureField, StructureNode } from '../../format.ts'

const NAME_SIZE = 64
const JUNK = { junk: flags32 }
const BODY = structural(u32, 'body')
const RECORD = record(
  { name: structural(text(NAME_SIZE), 'name'), dataOffset: BODY, size: BODY, stride: BODY, ...JUNK },
  { unknown: ['junk'], notes: { junk: () => say('archives.pack.constant') } },
)
/** The record that ends a pack: junk but for its name. */
const END = record(
  { name: structural(text(NAME_SIZE), 'members'), dataOffset: u32, size: flags32, stride: flags32, ...JUNK },
  { unknown: ['junk'], notes: { name: () => say('archives.pack.end') } },
)
type Head = ValueOf<typeof RECORD>
const RECORD_SIZE = RECORD.size
const EXTENSIONS = ['chr', 'pak', 'ipk', 'mpk', 'efp', 'pcp', 'sky', 'snd']
/** padding of a sane pack is below 16 bytes; more than this is copied from the file instead of kept */
const KEEP = 4096

export interface PackMember extends ArchiveMember {
  /** start of the record in the file */
  record: number
  /** offset of the data from the record's start */
  dataOffset: number
  stride: number
  /** u32 at 0x4C: one constant per pack, no meaning */
  junk: number
  /** bytes between header and data, and between data and next record */
  before: Piece
  after: Piece
  /** what the header says of a member that is cut at the next record */
  declaredSize?: number
}

/** Bytes that nobody interprets: kept, or where they are in the file when there are many. */
interface Piece {
  offset: number
  length: number
  bytes?: Uint8Array
}

export interface PackIndex extends ArchiveIndex {
  readonly format: 'level5.pack'
  members: PackMember[]
  /** the record with the empty name, whole; absent in a pack that just ends */
  terminator?: Head & { offset: number }
  /** bytes behind the last record */
  trailing: Piece
}

const align16 = (n: number): number => (n + 15) & ~15

const NONE: Piece = { offset: 0, length: 0 }
const NOTHING = new Uint8Array(0)

function piece(source: ByteSource, offset: number, length: number): Piece {
  if (length === 0) return NONE
  return { offset, length, bytes: length <= KEEP ? source.read(offset, length) : undefined }
}

function segmentsOf(p: Piece): Segment[] {
  if (p.length === 0) return []
  return [p.bytes ? { kind: 'bytes', bytes: p.bytes, as: 'opaque' } : { kind: 'copy', offset: p.offset, length: p.length }]
}

const headerBytes = (head: Head): Segment => ({ kind: 'bytes', bytes: RECORD.encode(head), as: 'typed' })

const isPrintable = (byte: number): boolean => byte >= 0x20 && byte !== 0x7f

/** Is this a name as packs have them: printable up to a NUL within the field? */
function isName(bytes: Uint8Array): boolean {
  const end = bytes.indexOf(0)
  if (end <= 0) return false
  for (let i = 0; i < end; i++) if (!isPrintable(bytes[i])) return false
  return !decodeText(bytes.subarray(0, end)).includes('\ufffd')
}

const recordAt = (bytes: Uint8Array, at: number): Head => RECORD.read(new Reader(bytes, '', { start: at }))

function soundRecord(r: Head, left: number): boolean {
  return (
    isName(r.name) &&
    r.dataOffset >= RECORD_SIZE &&
    r.dataOffset + r.size <= left &&
    r.stride >= r.dataOffset + r.size &&
    r.stride % 16 === 0
  )
}

/** A pack from members in their order. Names are text or CP932 bytes, at most 63 of them. */
export function newPack(list: readonly { name: string | Uint8Array; data: Uint8Array }[]): Uint8Array {
  const members = list.map(({ name, data }) => ({ name: typeof name === 'string' ? encodeText(name) : name, data }))
  const strides = members.map((m) => RECORD_SIZE + align16(m.data.length))
  const out = new Uint8Array(strides.reduce((a, b) => a + b, 0) + RECORD_SIZE)
  let at = 0
  members.forEach((m, i) => {
    if (m.name.length === 0 || m.name.length >= NAME_SIZE)
      throw new FormatError('invalid-argument', say('archives.pack.nameLength', { member: i, count: m.name.length, most: NAME_SIZE - 1 }))
    const name = new Uint8Array(NAME_SIZE)
    name.set(m.name)
    out.set(RECORD.encode({ name, dataOffset: RECORD_SIZE, size: m.data.length, stride: strides[i], junk: 0 }), at)
    out.set(m.data, at + RECORD_SIZE)
    at += strides[i]
  })
  out.set(RECORD.encode({ name: new Uint8Array(NAME_SIZE), dataOffset: RECORD_SIZE, size: 0xffffffff, stride: 0xffffffff, junk: 0 }), at)
  return out
}

export const packFormat: ArchiveFormat<PackIndex> = {
  id: 'level5.pack',
  get label() {
    return say('archives.pack.label')
  },
  family: 'level5',
  extensions: EXTENSIONS,
  identify(head, name, size) {
    if (head.length < RECORD_SIZE || size < RECORD_SIZE) return 0
    const known = EXTENSIONS.includes(extensionOf(name))
    // half of all files begin with what no name does
    if (!known && !isPrintable(head[0])) return 0
    const first = recordAt(head, 0)
    if (first.name[0] === 0)
      return known && first.dataOffset === RECORD_SIZE && first.size === 0xffffffff && first.stride === 0xffffffff ? 0.8 : 0
    // a pack that was cut keeps its first name and the 0x50 of its first record
    if (!soundRecord(first, size))
      return known && isName(first.name) && first.dataOffset === RECORD_SIZE && first.stride >= first.size ? 0.6 : 0
    let at = first.stride
    let seen = 1
    while (at + RECORD_SIZE <= head.length) {
      const r = recordAt(head, at)
      if (r.name[0] === 0) return 0.95
      if (!soundRecord(r, size - at)) return known ? 0.6 : 0.3
      seen++
      at += r.stride
    }
    if (at > size) return known ? 0.6 : 0
    return known
      ? 0.95
      : first.dataOffset === RECORD_SIZE && first.stride === RECORD_SIZE + align16(first.size)
        ? 0.85
        : seen > 1
          ? 0.7
          : 0.4
  },

  open(source) {
    const diagnostics = new Diagnostics(source.ref)
    const index = readPack(source, diagnostics)
    numberTwins(index.members, diagnostics, 'level5.pack-duplicate', (i) => [`records[${i}].name`, index.members[i].record])
    return index
  },

  encode(index) {
    return build(index, new Map())
  },
  replace(index, replacements) {
    return { data: build(index, replacements) }
  },
  edit(index, edit) {
    return { data: edited(index, edit) }
  },
  make: made,
  get limits() {
    return say('archives.pack.limits', { most: NAME_SIZE - 1 })
  },

  describe(index, only) {
    const children: StructureNode[] = nodesOf(index.members, only, (m, i) =>
      node(
        `records[${i}]`,
        say('formats.nodes.record'),
        { start: m.record, end: m.record + Math.max(RECORD_SIZE, m.offset - m.record + m.size + m.after.length) },
        [...RECORD.describe(headOf(m), m.record), ...pieceField('before', m.before), ...pieceField('padding', m.after)],
        [],
        { summary: say('archives.pack.member', { name: m.name, size: m.size }) },
      ),
    )
    let end = index.members.reduce((most, m) => Math.max(most, m.offset + m.size + m.after.length), 0)
    const t = index.terminator
    if (t) {
      end = t.offset + RECORD_SIZE
      children.push(node('end', say('formats.nodes.record'), { start: t.offset, end }, END.describe(t, t.offset)))
    }
    const { trailing } = index
    return node('', 'level5.pack', { start: 0, end: end + trailing.length }, pieceField('trailing', trailing), children, {
      summary: say('archives.pack.members', { count: index.members.length }),
    })
  },
}

/** Records one behind the other, as their strides lead. */
function readPack(source: ByteSource, diagnostics: Diagnostics): PackIndex {
  const index: PackIndex = {
    format: 'level5.pack',
    ref: source.ref,
    members: [],
    diagnostics: diagnostics.list,
    trailing: { offset: 0, length: 0 },
  }
  const fail = (message: string, path: string, offset: number, expected: string, actual: string): never => {
    throw new FormatError('truncated', message, { file: source.ref, path, offset, expected, actual })
  }
  let at = 0
  for (;;) {
    const left = source.size - at
    const path = `records[${index.members.length}]`
    if (left < RECORD_SIZE) {
      if (index.members.length === 0)
        fail(
          say('archives.recordCut', { needed: RECORD_SIZE, left }),
          path,
          at,
          say('files.byteCount', { count: RECORD_SIZE }),
          say('files.byteCount', { count: left }),
        )
      diagnostics.add('warning', 'level5.pack-no-end', say('archives.pack.noEnd'), path, at)
      index.trailing = piece(source, at, left)
      return index
    }
    const r = recordAt(source.read(at, RECORD_SIZE), 0)
    if (r.name[0] === 0) {
      index.terminator = { offset: at, ...r }
      index.trailing = piece(source, at + RECORD_SIZE, left - RECORD_SIZE)
      return index
    }
    if (r.dataOffset < RECORD_SIZE || r.dataOffset > left || (r.size > left - r.dataOffset && r.stride > left)) {
      fail(
        say('archives.pack.memberCut', { member: fieldText(r.name), size: r.size, at: r.dataOffset, left }),
        `${path}.size`,
        at + RECORD.at.size,
        say('files.atMost', { most: Math.max(0, left - r.dataOffset) }),
        String(r.size),
      )
    }
    // the game walks by stride; without a sane one nothing behind this member can be found
    let stride = r.stride
    if (stride < RECORD_SIZE || stride > left) {
      diagnostics.add(
        'error',
        'level5.pack-stride',
        say('archives.pack.stride', { member: fieldText(r.name), stride: r.stride, left }),
        `${path}.stride`,
        at + RECORD.at.stride,
      )
      stride = left
    }
    let size = r.size
    if (r.dataOffset + size > stride) {
      diagnostics.add(
        'error',
        'level5.pack-overlap',
        say('archives.pack.overlap', { member: fieldText(r.name) }),
        `${path}.size`,
        at + RECORD.at.size,
      )
      size = Math.max(0, stride - r.dataOffset)
    }
    const dataOffset = Math.min(r.dataOffset, stride)
    const name = fieldText(r.name)
    index.members.push({
      name,
      rawName: r.name,
      offset: at + dataOffset,
      size,
      duplicate: 0,
      record: at,
      dataOffset: r.dataOffset,
      stride: r.stride,
      junk: r.junk,
      before: piece(source, at + RECORD_SIZE, dataOffset - RECORD_SIZE),
      after: piece(source, at + dataOffset + size, stride - dataOffset - size),
      ...(size !== r.size ? { declaredSize: r.size } : {}),
    })
    at += stride
    if (stride !== r.stride) {
      index.trailing = piece(source, at, source.size - at)
      return index
    }
  }
}

function pieceField(name: string, { offset, length, bytes }: Piece): StructureField[] {
  if (bytes || length === 0) return leftover(name, offset, bytes ?? NOTHING)
  return [field(name, `u8[${length}]`, offset, length, say('archives.pack.inTheFile'), { unknown: true })]
}

/** A member that is cut at the next record keeps the size that its header says. */
function headOf(m: PackMember): Head {
  return { name: m.rawName, dataOffset: m.dataOffset, size: m.declaredSize ?? m.size, stride: m.stride, junk: m.junk }
}

function build(index: PackIndex, replacements: ReadonlyMap<number, Uint8Array>): Segment[] {
  const out: Segment[] = []
  index.members.forEach((m, i) => {
    const data = replacements.get(i)
    if (!data) {
      out.push(headerBytes(headOf(m)))
      out.push(...segmentsOf(m.before))
      if (m.size) out.push({ kind: 'copy', offset: m.offset, length: m.size })
      out.push(...segmentsOf(m.after))
      return
    }
    // Records follow one another by stride, so a member of another size moves what stands behind it and nothing else.
    // A body that its header puts behind the next record is cut there; the new one begins where the record ends.
    const dataOffset = RECORD_SIZE + m.before.length
    const room = m.size + m.after.length
    const needed = align16(dataOffset + data.length)
    const wasTight = m.stride === align16(dataOffset + m.size)
    const last = m.stride !== dataOffset + room
    const stride = data.length <= room && (!wasTight || needed === m.stride) && !last ? m.stride : needed
    out.push(headerBytes({ name: m.rawName, dataOffset, size: data.length, stride, junk: m.junk }))
    out.push(...segmentsOf(m.before))
    out.push({ kind: 'bytes', bytes: data, as: 'member' })
    const pad = stride - dataOffset - data.length
    if (pad > 0) out.push({ kind: 'bytes', bytes: padding(m, data.length, pad), as: 'opaque' })
  })
  if (index.terminator) out.push(headerBytes(index.terminator))
  out.push(...segmentsOf(index.trailing))
  return out
}

/** Records follow one another: one that goes takes its padding along, a new one stands in front of the record that ends the pack. */
function edited(index: PackIndex, edit: ArchiveEdit): Segment[] {
  expectEdit(index, edit)
  const stored = (name: string): Uint8Array => storedName(index, name)
  if (edit.kind === 'rebuild') return rebuilt(index)
  const names = edit.kind === 'rename' ? edit.names : new Map<number, string>()
  const last = index.members.at(-1)
  // the game would not get past a record whose stride does not lead to the next
  if (
    (edit.kind === 'add' || edit.kind === 'reorder') &&
    last &&
    last.stride !== RECORD_SIZE + last.before.length + last.size + last.after.length
  )
    throw new FormatError('invalid-edit', say('archives.pack.noWayBehind', { member: last.name }), { file: index.ref })
  const stay = index.members.flatMap((member, i) => {
    if (edit.kind === 'remove' && edit.members.has(i)) return []
    const name = names.get(i)
    return [name === undefined ? member : { ...member, rawName: namedField(member.rawName, stored(name)) }]
  })
  const members = edit.kind === 'reorder' ? edit.order.map((i) => stay[i]) : stay
  const added = (edit.kind === 'add' ? edit.members : []).flatMap(({ name, bytes }): Segment[] => {
    const stride = RECORD_SIZE + align16(bytes.length)
    if (stride > MOST_U32) throw new FormatError('invalid-edit', say('archives.pack.tooLarge', { name }), { file: index.ref })
    const rawName = namedField(new Uint8Array(NAME_SIZE), stored(name))
    const head = headerBytes({ name: rawName, dataOffset: RECORD_SIZE, size: bytes.length, stride, junk: last?.junk ?? 0 })
    const pad = stride - RECORD_SIZE - bytes.length
    return [
      head,
      { kind: 'bytes', bytes, as: 'member' },
      ...(pad > 0 ? [{ kind: 'bytes', bytes: new Uint8Array(pad), as: 'opaque' } as const] : []),
    ]
  })
  const all = build({ ...index, members, terminator: undefined, trailing: NONE }, new Map())
  const end = build({ ...index, members: [] }, new Map())
  return [...all, ...added, ...end]
}

/** Each record as long as its body needs, and the record that ends the pack behind them; padding, and what stands behind the end, goes. */
function rebuilt(index: Pick<PackIndex, 'ref' | 'terminator'> & { members: readonly Body[] }): Segment[] {
  const out: Segment[] = []
  for (const { name, rawName, offset, size, junk, declaredSize } of index.members) {
    if (declaredSize !== undefined)
      throw new FormatError('invalid-edit', say('archives.pack.noWayBehind', { member: name }), { file: index.ref })
    const stride = RECORD_SIZE + align16(size)
    if (stride > MOST_U32) throw new FormatError('invalid-edit', say('archives.pack.tooLarge', { name }), { file: index.ref })
    out.push(headerBytes({ name: rawName, dataOffset: RECORD_SIZE, size, stride, junk }))
    if (size > 0) out.push({ kind: 'copy', offset, length: size })
    const pad = stride - RECORD_SIZE - size
    if (pad > 0) out.push({ kind: 'bytes', bytes: new Uint8Array(pad), as: 'opaque' })
  }
  const end = { name: new Uint8Array(NAME_SIZE), dataOffset: RECORD_SIZE, size: 0xffffffff, stride: 0xffffffff, junk: 0 }
  out.push(headerBytes(index.terminator ?? { ...end, junk: index.members.at(-1)?.junk ?? 0 }))
  return out
}

type Body = Pick<PackMember, 'name' | 'rawName' | 'offset' | 'size' | 'junk' | 'declaredSize'>

function made(members: readonly NewMember[], ref: string): ArchiveParts {
  expectNames(
    { members: [], ref },
    members.map(({ name }) => name),
  )
  const bodies = members.map(({ name, offset, size }): Body => {
    return { name, rawName: namedField(new Uint8Array(NAME_SIZE), storedName({ ref }, name)), offset, size, junk: 0 }
  })
  return { data: rebuilt({ ref, members: bodies }) }
}

/** @throws FormatError invalid-edit for a name that no record has room for */
function storedName(index: Pick<PackIndex, 'ref'>, name: string): Uint8Array {
  const bytes = encodeText(name)
  if (bytes.length >= NAME_SIZE)
    refuseName(index, name, say('formats.archives.nameTooLong', { name, count: bytes.length, most: NAME_SIZE - 1 }))
  return bytes
}

/** Padding behind `size` bytes: bytes that stay padding keep what they were, new ones are zero. */
function padding(m: PackMember, size: number, length: number): Uint8Array {
  const out = new Uint8Array(length)
  if (m.after.bytes) {
    for (let i = 0; i < length; i++) {
      const was = size + i - m.size
      if (was >= 0 && was < m.after.bytes.length) out[i] = m.after.bytes[was]
    }
  }
  return out
}
