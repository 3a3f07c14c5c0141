/**
 * IMG archives: v2 (`VER2`, San Andreas) with the directory in front, v1 (III, Vice City, Bully) with the directory in a .dir
 * file. All offsets and sizes are in sectors of 2048 bytes.
 */
import { chars, magic, named, record, u16, u32 } from '../../../binary/layout.ts'
import { structural } from '../../../binary/field-use.ts'
import { Reader, nameOf } from '../../../binary/reader.ts'
import { FormatError } from '../../../binary/format-error.ts'
import { notHere } from '../../address.ts'
import { extensionOf } from '../../../../shared/ref.ts'
import { storedBody } from '../../archive.ts'
import { Diagnostics } from '../../format.ts'
import { leftover, node, nodesOf } from '../../../binary/structure.ts'
import { Writer } from '../../../binary/writer.ts'
import { say } from '../texts/index.ts'
import { closedUp, expectEdit, expectNames, MOST_U32, namedField, ownBytes, plainName } from '../../archive-edit.ts'
import { numberTwins } from '../../member-names.ts'
import type { ArchiveEdit, NewMember } from '../../archive-edit.ts'
import type { ArchiveFormat, ArchiveIndex, ArchiveMember, ArchiveParts, MemberList, Segment } from '../../archive.ts'

const SECTOR = 2048

export interface ImgEntry {
  /** in sectors, of the data file */
  offset: number
  /** v1: sectors as u32. v2: streaming size, the low u16 */
  size: number
  /** v2 only: the second u16; 0 in known files, else it is the size */
  archiveSize: number
  /** char[24] */
  name: Uint8Array
}

export interface ImgIndex extends ArchiveIndex {
  readonly members: ArchiveMember[]
  readonly format: 'renderware.img2' | 'renderware.img1'
  readonly entries: ImgEntry[]
  /** directory bytes behind the last entry: v2 padding up to the first member's data, v1 what does not make an entry */
  readonly padding: Uint8Array
  /** of the file that holds the members */
  readonly dataSize: number
}

/** Of 24 bytes, with the NUL. */
const LONGEST_NAME = 23
/** A directory of a real game has some thousands of entries. */
const MOST_ENTRIES = 1 << 20

const HEAD = record({ magic: magic('VER2', () => say('archives.noVer2')), numEntries: structural(u32, 'members') })
const PLACE = { offset: structural(u32, 'body') }
const NAME = { name: structural(chars(24), 'name') }
const V2_ENTRY = record(
  { ...PLACE, size: named('streamingSize', u16), archiveSize: structural(u16, 'body'), ...NAME },
  { notes: { offset: () => say('archives.sectors'), archiveSize: () => say('archives.streamingCounts') } },
)
/** where the second word is 0, the first is the size */
const V2_SIZED = record(
  { ...PLACE, size: structural(named('streamingSize', u16), 'body'), archiveSize: structural(u16, 'body'), ...NAME },
  { notes: { offset: () => say('archives.sectors'), archiveSize: () => say('archives.streamingCounts') } },
)
const V1_ENTRY = record({ ...PLACE, size: structural(u32, 'body'), ...NAME }, { notes: { offset: () => say('archives.sectors') } })
const ENTRY_SIZE = V2_ENTRY.size

function readEntries(bytes: Uint8Array, count: number, v2: boolean): ImgEntry[] {
  const r = new Reader(bytes, '')
  return r.each('entries', count, () => (v2 ? V2_ENTRY.read(r) : { ...V1_ENTRY.read(r), archiveSize: 0 }))
}

/** Sectors of an entry. */
function sectorsOf(entry: ImgEntry): number {
  return entry.archiveSize || entry.size
}

/** @param table where the entries begin in their file */
function membersOf(entries: ImgEntry[], table: number, dataSize: number, diagnostics: Diagnostics): ArchiveMember[] {
  const members = entries.map((entry, i) => {
    const name = nameOf(entry.name)
    const offset = entry.offset * SECTOR
    let size = sectorsOf(entry) * SECTOR
    // one without bytes is nowhere: the file may end in front of it
    if (size > 0 && offset + size > dataSize) {
      diagnostics.add(
        'error',
        'renderware.img-member-range',
        say('archives.memberRange', { name: name || say('archives.entry', { i }), end: offset + size, size: dataSize }),
        `entries[${i}].size`,
        table + ENTRY_SIZE * i + V2_ENTRY.at.size,
      )
      size = Math.max(0, dataSize - offset)
    }
    return { name, rawName: entry.name, offset: Math.min(offset, dataSize), size, duplicate: 0 }
  })
  numberTwins(members, diagnostics, 'renderware.img-duplicate', (i) => [`entries[${i}].name`, table + ENTRY_SIZE * i + V2_ENTRY.at.name])
  return members
}

function directory(index: ImgIndex): { typed: Uint8Array; end: number } {
  const v2 = index.format === 'renderware.img2'
  const out = new Writer(HEAD.size + ENTRY_SIZE * index.entries.length)
  if (v2) HEAD.write(out, { numEntries: index.entries.length })
  for (const entry of index.entries) (v2 ? V2_ENTRY : V1_ENTRY).write(out, entry)
  return { typed: out.finish(), end: out.position }
}

/** Bodies in file order with the gaps between them, from `start` on; overlapping members are written once. */
function tile(index: ImgIndex, start: number): Segment[] {
  const segments: Segment[] = []
  let at = start
  const order = index.members.map((_, i) => i).sort((a, b) => index.members[a].offset - index.members[b].offset || a - b)
  for (const i of order) {
    const { offset, size } = index.members[i]
    if (offset + size <= at) continue
    const from = Math.max(at, offset)
    segments.push({ kind: 'copy', offset: at, length: offset + size - at })
    at = Math.max(at, from + (offset + size - from))
  }
  if (at < index.dataSize) segments.push({ kind: 'copy', offset: at, length: index.dataSize - at })
  return segments.filter((s) => s.kind !== 'copy' || s.length > 0)
}

/**
 * The data file with new bodies. A body that fits its own sectors (and those up to the next member) stays where it is, its
 * old bytes behind it are zeroed to the end of the sectors that it had; a larger one moves to the end of the file. Nothing
 * else moves. Sectors that a member gave up are free for it to grow into again.
 */
function replaceMembers(
  index: ImgIndex,
  replacements: ReadonlyMap<number, Uint8Array>,
  directoryEnd: number,
): { segments: Segment[]; entries: ImgEntry[] } {
  const entries = [...index.entries]
  const starts = [...new Set(index.members.filter((m) => m.size > 0).map((m) => m.offset))].sort((a, b) => a - b)
  const overwrites: { offset: number; length: number; bytes: Uint8Array }[] = []
  const appended: Uint8Array[] = []
  const oldEnd = Math.ceil(index.dataSize / SECTOR) * SECTOR
  let end = oldEnd
  // bytes that several members have are nobody's to write over
  const shared = (i: number): boolean =>
    index.members.some(
      (m, k) =>
        k !== i && m.size > 0 && m.offset < index.members[i].offset + index.members[i].size && index.members[i].offset < m.offset + m.size,
    )
  for (const [i, given] of [...replacements].sort((a, b) => a[0] - b[0])) {
    const member = index.members[i]
    if (!member) notHere('member', i, index.ref)
    const bytes = storedBody({ unit: SECTOR }, given)
    const sectors = bytes.length / SECTOR
    expectSectors(index, member.name, sectors)
    const next = starts.find((s) => s > member.offset) ?? oldEnd
    const own = Math.ceil(member.size / SECTOR) * SECTOR
    const room = member.size === 0 || shared(i) ? -1 : Math.max(own, Math.min(next, oldEnd) - member.offset)
    const entry = (entries[i] = { ...entries[i] })
    if (bytes.length <= room && member.offset >= directoryEnd) {
      const body = pad(bytes, own)
      overwrites.push({ offset: member.offset, length: body.length, bytes: body })
    } else if (bytes.length > 0) {
      entry.offset = end / SECTOR
      appended.push(bytes)
      end += bytes.length
    }
    if (sectors !== sectorsOf(entry)) setSectors(entry, sectors)
  }
  const segments: Segment[] = []
  let at = directoryEnd
  for (const overwrite of overwrites.sort((a, b) => a.offset - b.offset)) {
    if (overwrite.offset > at) segments.push({ kind: 'copy', offset: at, length: overwrite.offset - at })
    segments.push({ kind: 'bytes', bytes: overwrite.bytes, as: 'member' })
    at = overwrite.offset + overwrite.length
  }
  if (at < index.dataSize) segments.push({ kind: 'copy', offset: at, length: index.dataSize - at })
  const written = Math.max(at, index.dataSize)
  if (appended.length && written % SECTOR)
    segments.push({ kind: 'bytes', bytes: new Uint8Array(SECTOR - (written % SECTOR)), as: 'opaque' })
  for (const bytes of appended) segments.push({ kind: 'bytes', bytes, as: 'member' })
  return { segments, entries }
}

function pad(bytes: Uint8Array, least: number): Uint8Array {
  if (bytes.length >= least) return bytes
  const out = new Uint8Array(least)
  out.set(bytes)
  return out
}

function setSectors(entry: ImgEntry, sectors: number): void {
  if (entry.archiveSize) entry.archiveSize = sectors
  entry.size = sectors
}

/**
 * The directory with members that came, went or have another name, and the data file for it. New bodies go to the end, sectors of members
 * that went stay as they are (at the end of the file they go along), and nothing moves but bodies that stand where the directory needs
 * room: they go to the end, too.
 */
function edited(index: ImgIndex, edit: ArchiveEdit): { entries: ImgEntry[]; segments: Segment[] } {
  expectEdit(index, edit)
  if (edit.kind === 'rebuild') return rebuilt(index, index.members, index.entries, index.dataSize)
  if (edit.kind === 'reorder') return { entries: edit.order.map((i) => index.entries[i]), segments: behindDirectory(index) }
  const v2 = index.format === 'renderware.img2'
  const stored = (name: string): Uint8Array => plainName(index, name, LONGEST_NAME)
  const gone = edit.kind === 'remove' ? edit.members : new Set<number>()
  const added = edit.kind === 'add' ? edit.members : []
  const count = index.entries.length - gone.size + added.length
  if (count > MOST_ENTRIES)
    throw new FormatError('invalid-edit', say('formats.archives.tooManyMembers', { count: count, most: MOST_ENTRIES }), { file: index.ref })
  const renamed = edit.kind === 'rename' ? edit.names : new Map<number, string>()
  const directoryEnd = (entries: number): number => (v2 ? HEAD.size + ENTRY_SIZE * entries : 0)
  const [oldEnd, end] = [directoryEnd(index.entries.length), directoryEnd(count)]
  const room = Math.max(oldEnd, end)
  let dataEnd = index.dataSize
  for (const { start, end: to } of ownBytes(index, gone, [{ start: 0, end: oldEnd }], index.dataSize).reverse())
    if (to === dataEnd && start % SECTOR === 0) dataEnd = Math.max(start, room)
  const behind: Segment[] = []
  let at = Math.ceil(Math.max(dataEnd, room) / SECTOR) * SECTOR
  const put = (segment: Segment, length: number): number => {
    const place = at / SECTOR
    if (length === 0) return place
    const filled = Math.ceil(length / SECTOR) * SECTOR
    behind.push(segment)
    if (filled > length) behind.push({ kind: 'bytes', bytes: new Uint8Array(filled - length), as: 'opaque' })
    at += filled
    return place
  }
  // members that share a body still do
  const moved = new Map<string, number>()
  const entries: ImgEntry[] = []
  index.entries.forEach((old, i) => {
    if (gone.has(i)) return
    const name = renamed.get(i)
    let entry = name === undefined ? old : { ...old, name: namedField(old.name, stored(name)) }
    const { offset, size } = index.members[i]
    if (size > 0 && offset < end && offset >= oldEnd) {
      const key = `${offset} ${size}`
      let place = moved.get(key)
      if (place === undefined) moved.set(key, (place = put({ kind: 'copy', offset, length: size }, size)))
      entry = { ...entry, offset: place }
    }
    entries.push(entry)
  })
  for (const { name, bytes } of added) {
    const sectors = Math.ceil(bytes.length / SECTOR)
    expectSectors(index, name, sectors)
    const offset = put({ kind: 'bytes', bytes, as: 'member' }, bytes.length)
    entries.push({ offset, size: sectors, archiveSize: 0, name: namedField(new Uint8Array(24), stored(name)) })
  }
  const segments: Segment[] = []
  if (end < oldEnd) segments.push({ kind: 'bytes', bytes: new Uint8Array(oldEnd - end), as: 'opaque' })
  if (room < dataEnd) segments.push({ kind: 'copy', offset: room, length: dataEnd - room })
  const over = Math.max(dataEnd, room) % SECTOR
  if (behind.length > 0 && over > 0) segments.push({ kind: 'bytes', bytes: new Uint8Array(SECTOR - over), as: 'opaque' })
  return { entries, segments: [...segments, ...behind] }
}

/** Everything that stands behind the directory, as it is. */
function behindDirectory({ format, entries, dataSize }: ImgIndex): Segment[] {
  const start = format === 'renderware.img2' ? HEAD.size + ENTRY_SIZE * entries.length : 0
  return start < dataSize ? [{ kind: 'copy', offset: start, length: dataSize - start }] : []
}

/** Bodies one behind the other from the first sector behind the directory on. */
function rebuilt(
  { format, ref }: Pick<ImgIndex, 'format' | 'ref'>,
  members: MemberList<NewMember>,
  from: readonly ImgEntry[],
  size: number,
): { entries: ImgEntry[]; segments: Segment[] } {
  const directoryEnd = format === 'renderware.img2' ? HEAD.size + ENTRY_SIZE * from.length : 0
  const start = Math.ceil(directoryEnd / SECTOR) * SECTOR
  from.forEach((entry, i) => {
    const [wanted, has] = [sectorsOf(entry) * SECTOR, members.at(i)!.size]
    if (wanted > Math.ceil(has / SECTOR) * SECTOR)
      throw new FormatError(
        'invalid-edit',
        say('formats.archives.notWhole', { name: nameOf(entry.name), end: entry.offset * SECTOR + wanted, size }),
        { file: ref },
      )
  })
  const { places, segments, end } = closedUp({ ref, members }, size, start, SECTOR)
  if (end / SECTOR > MOST_U32) throw new FormatError('invalid-edit', say('archives.tooLarge'), { file: ref })
  const entries = from.map((entry, i) => ({ ...entry, offset: places[i] / SECTOR }))
  const gap = start - directoryEnd
  return {
    entries,
    segments: gap > 0 && segments.length > 0 ? [{ kind: 'bytes', bytes: new Uint8Array(gap), as: 'opaque' }, ...segments] : segments,
  }
}

/** Entries and bodies of a new archive. */
function made(format: ImgIndex['format'], list: readonly NewMember[], ref: string): ImgIndex & { segments: Segment[] } {
  expectNames(
    { members: [], ref },
    list.map(({ name }) => name),
  )
  const index = { format, ref, members: [], entries: [], padding: new Uint8Array(0), dataSize: 0, diagnostics: [] }
  const entries = list.map(({ name, size }): ImgEntry => {
    const sectors = Math.ceil(size / SECTOR)
    expectSectors(index, name, sectors)
    return { offset: 0, size: sectors, archiveSize: 0, name: namedField(new Uint8Array(24), plainName(index, name, LONGEST_NAME)) }
  })
  return { ...index, ...rebuilt(index, list, entries, Infinity) }
}

/** @throws FormatError invalid-edit for more sectors than a directory of version 2 counts */
function expectSectors(index: ImgIndex, name: string, sectors: number): void {
  if (index.format === 'renderware.img2' && sectors > 0xffff)
    throw new FormatError('invalid-edit', say('archives.tooManySectors', { name, sectors }), { file: index.ref })
}

function describeIndex(index: ImgIndex, only?: readonly number[]): ReturnType<ArchiveFormat['describe']> {
  const v2 = index.format === 'renderware.img2'
  const base = v2 ? HEAD.size : 0
  const end = base + ENTRY_SIZE * index.entries.length
  const fields = [...(v2 ? HEAD.describe({ numEntries: index.entries.length }, 0) : []), ...leftover('padding', end, index.padding)]
  const children = nodesOf(index.entries, only, (entry, i) => {
    const at = base + ENTRY_SIZE * i
    const layout = v2 ? (entry.archiveSize > 0 ? V2_ENTRY : V2_SIZED) : V1_ENTRY
    return node(`entries[${i}]`, nameOf(entry.name), { start: at, end: at + ENTRY_SIZE }, layout.describe(entry, at))
  })
  return node(
    'file',
    v2 ? say('archives.imgArchive') : say('archives.imgDirectory'),
    { start: 0, end: v2 ? index.dataSize : end + index.padding.length },
    fields,
    children,
  )
}

export const img2: ArchiveFormat<ImgIndex> = {
  id: 'renderware.img2',
  get label() {
    return say('archives.img2')
  },
  family: 'renderware',
  extensions: ['img'],
  unit: SECTOR,
  identify(head, _name, size) {
    if (head.length < HEAD.size || String.fromCharCode(head[0], head[1], head[2], head[3]) !== 'VER2') return 0
    const { numEntries } = HEAD.read(new Reader(head, ''))
    return HEAD.size + ENTRY_SIZE * numEntries <= size ? 0.98 : 0.6
  },
  open(source) {
    const diagnostics = new Diagnostics(source.ref)
    const { numEntries: count } = HEAD.read(new Reader(source.read(0, HEAD.size), source.ref))
    if (count > MOST_ENTRIES || HEAD.size + ENTRY_SIZE * count > source.size)
      throw new FormatError('bad-count', say('archives.entriesDoNotFit', { count: count }), {
        file: source.ref,
        offset: HEAD.at.numEntries,
        path: 'numEntries',
        expected: say('files.atMost', { most: Math.floor((source.size - HEAD.size) / ENTRY_SIZE) }),
        actual: String(count),
      })
    const entries = readEntries(source.read(HEAD.size, ENTRY_SIZE * count), count, true)
    const end = HEAD.size + ENTRY_SIZE * count
    let first = source.size
    for (const e of entries) if (sectorsOf(e) > 0 && e.offset * SECTOR >= end) first = Math.min(first, e.offset * SECTOR)
    // the directory is padded to the first member; more than a few sectors of it are copied like a body
    const padding = source.read(end, Math.min(first - end, SECTOR))
    return {
      format: 'renderware.img2',
      ref: source.ref,
      members: membersOf(entries, HEAD.size, source.size, diagnostics),
      diagnostics: diagnostics.list,
      entries,
      padding,
      dataSize: source.size,
    }
  },
  encode(index) {
    const { typed, end } = directory(index)
    const segments: Segment[] = [{ kind: 'bytes', bytes: typed, as: 'typed' }]
    if (index.padding.length) segments.push({ kind: 'bytes', bytes: index.padding, as: 'opaque' })
    return [...segments, ...tile(index, end + index.padding.length)]
  },
  replace(index, replacements) {
    const end = directory(index).end
    const { segments, entries } = replaceMembers(index, replacements, end)
    return { data: [{ kind: 'bytes', bytes: directory({ ...index, entries }).typed, as: 'typed' }, ...segments] }
  },
  edit(index, edit) {
    const { segments, entries } = edited(index, edit)
    return { data: [{ kind: 'bytes', bytes: directory({ ...index, entries }).typed, as: 'typed' }, ...segments] }
  },
  get limits() {
    return say('archives.limits2', { most: LONGEST_NAME })
  },
  make(list, ref) {
    const { segments, ...index } = made('renderware.img2', list, ref)
    return { data: [{ kind: 'bytes', bytes: directory(index).typed, as: 'typed' }, ...segments] }
  },
  describe: describeIndex,
}

export const img1: ArchiveFormat<ImgIndex> = {
  id: 'renderware.img1',
  get label() {
    return say('archives.img1')
  },
  family: 'renderware',
  extensions: ['dir'],
  unit: SECTOR,
  identify(head, name, size) {
    if (extensionOf(name) !== 'dir' || size < ENTRY_SIZE || size % ENTRY_SIZE !== 0) return 0
    const count = Math.min(Math.floor(head.length / ENTRY_SIZE), size / ENTRY_SIZE)
    const entries = readEntries(head, count, false)
    const plain = entries.every((e) => e.size < 1 << 20 && e.offset < 1 << 22 && /^[^\x00-\x1f\x7f]+$/.test(nameOf(e.name)))
    const ended = entries.filter((e) => /.\.[^\x00-\x1f\x7f]{1,4}$/.test(nameOf(e.name))).length
    if (!plain) return 0
    // emptied members are members; a name without an ending is one, as long as not all are so
    return ended > 0 && entries.some((e) => e.size > 0) ? 0.9 : 0.6
  },
  companion: (name) => name.replace(/\.dir$/i, (ext) => (ext === '.DIR' ? '.IMG' : '.img')),
  open(source, data) {
    const diagnostics = new Diagnostics(source.ref)
    const count = Math.floor(source.size / ENTRY_SIZE)
    if (count > MOST_ENTRIES)
      throw new FormatError('bad-count', say('archives.directoryOf', { count: count }), { file: source.ref, offset: 0, path: 'entries' })
    const bytes = source.read(0, source.size)
    const entries = readEntries(bytes, count, false)
    return {
      format: 'renderware.img1',
      ref: source.ref,
      members: membersOf(entries, 0, data.size, diagnostics),
      diagnostics: diagnostics.list,
      entries,
      padding: bytes.slice(ENTRY_SIZE * count),
      dataSize: data.size,
    }
  },
  encode(index) {
    const segments: Segment[] = [{ kind: 'bytes', bytes: directory(index).typed, as: 'typed' }]
    if (index.padding.length) segments.push({ kind: 'bytes', bytes: index.padding, as: 'opaque' })
    return segments
  },
  encodeData: (index) => tile(index, 0),
  replace(index, replacements) {
    return parts1(index, replaceMembers(index, replacements, 0))
  },
  edit: (index, edit) => parts1(index, edited(index, edit)),
  get limits() {
    return say('archives.limits1', { most: LONGEST_NAME })
  },
  make(list, ref) {
    // a directory of no entries would not be known for one
    if (list.length === 0) throw new FormatError('invalid-edit', say('archives.noEntries'), { file: ref })
    const { segments, ...index } = made('renderware.img1', list, ref)
    return parts1(index, { segments, entries: index.entries })
  },
  describe: describeIndex,
}

/** Data file and directory of version 1. */
function parts1(index: ImgIndex, { segments, entries }: { segments: Segment[]; entries: ImgEntry[] }): ArchiveParts {
  const out: Segment[] = [{ kind: 'bytes', bytes: directory({ ...index, entries }).typed, as: 'typed' }]
  if (index.padding.length) out.push({ kind: 'bytes', bytes: index.padding, as: 'opaque' })
  return { data: segments, directory: out }
}
