/**
 * Disc archives: one data file, and directories beside it that name the same files: HD2, HD3, HD4, HED (disc-directory.ts). What changes
 * in one is written into all of them: which one a game reads differs, and is not known of every release.
 */
import { expectEdit, MOST_U32, namedField, refuseName } from '../../archive-edit.ts'
import { notHere } from '../../address.ts'
import { baseName, extensionOf, memberKey } from '../../../../shared/ref.ts'
import { FormatError, toErrorData } from '../../../binary/format-error.ts'
import { Diagnostics, refuse } from '../../format.ts'
import { numberDuplicates } from '../../member-names.ts'
import { node, nodesOf } from '../../../binary/structure.ts'
import { checkAgreement, checkDirectory, missingText } from './disc-checks.ts'
import {
  DISC_KINDS,
  LAYOUT,
  SECTOR,
  behindRecords,
  directorySegments,
  endOf,
  entryAt,
  fileKey,
  hiddenRecords,
  isZero,
  kindOf,
  movedEntry,
  nameText,
  placeOf,
  readDirectory,
  soundRecord,
} from './disc-directory.ts'
import { encodeText } from '../codecs/names.ts'
import { say } from '../texts/index.ts'
import type { ArchiveEdit } from '../../archive-edit.ts'
import type { ArchiveFormat, ArchiveIndex, ArchiveMember, ArchiveParts, ByteSource, Segment } from '../../archive.ts'
import type { Directory, DiscKind, Entry } from './disc-directory.ts'

/** Zeros that an append may put between a cut data file and the end of what its directories name. */
const MOST_GAP = 0x8000

export interface DiscIndex extends ArchiveIndex {
  readonly members: ArchiveMember[]
  own: Directory
  /** the other directories over the data file */
  peers: Directory[]
  /** why nothing can be written: a directory beside this one is not understood; '' where nothing is against it */
  blocked: string
  dataSize: number
}

function open(kind: DiscKind, source: ByteSource, data: ByteSource, others: readonly ByteSource[]): DiscIndex {
  const own = readDirectory(kind, source)
  const diagnostics = new Diagnostics(source.ref)
  const peers: Directory[] = []
  let blocked = ''
  for (const peer of others) {
    try {
      peers.push(readDirectory(kindOf(peer.ref), peer))
    } catch (error) {
      blocked = say('archives.disc.unreadable', { file: baseName(peer.ref), why: toErrorData(error, peer.ref).message })
      diagnostics.add('error', 'level5.disc-peer', blocked)
    }
  }
  checkDirectory(own, diagnostics)
  const all = DISC_KINDS.flatMap((one) => [own, ...peers].filter((directory) => directory.kind === one))
  if (all[0] === own && all.length > 1) checkAgreement(all, diagnostics)
  const index: DiscIndex = {
    format: `level5.${kind}`,
    ref: source.ref,
    members: [],
    diagnostics: diagnostics.list,
    own,
    peers,
    blocked,
    dataSize: data.size,
  }
  const layout = LAYOUT[kind]
  own.records.forEach((entry, i) => {
    const at = entry.nameOffset
    if (at !== undefined && (at < own.tableEnd || at >= source.size))
      diagnostics.add(
        'error',
        'level5.disc-name',
        say('archives.disc.nameOutside', { file: i, at }),
        `records[${i}].nameOffset`,
        i * layout.size,
      )
    const name = nameText(entry, own.names[i])
    const offset = placeOf(entry)
    let size = entry.size
    if (size > 0 && offset + size > data.size) {
      diagnostics.add(
        'error',
        'level5.disc-range',
        say('archives.disc.reachesOut', { name, end: offset + size, size: data.size }),
        `records[${i}].size`,
        i * layout.size + layout.at.size,
      )
      size = Math.max(0, data.size - offset)
    }
    index.members.push({ name, rawName: entry.name ?? own.names[i], offset: Math.min(offset, data.size), size, duplicate: 0 })
  })
  numberDuplicates(index.members)
  return index
}

/** The numbers of a member in the other directories; -1 where one does not have it. */
function peerNumbers(index: DiscIndex, number: number): number[] {
  const { name, duplicate } = index.members[number]
  const key = fileKey(memberKey(name, 0).toLowerCase(), duplicate)
  return index.peers.map(({ numbers }) => numbers.get(key) ?? -1)
}

function expectWritable({ blocked, ref }: DiscIndex): void {
  if (blocked) throw new FormatError('invalid-edit', blocked, { file: ref })
}

/** Bytes that records of any directory name, but those of one file. */
function* otherExtents({ own, peers }: DiscIndex, number: number, peerNumber: readonly number[]): Generator<[start: number, end: number]> {
  const all: [Directory, number][] = [[own, number], ...peers.map((peer, k): [Directory, number] => [peer, peerNumber[k]])]
  for (const [directory, mine] of all) {
    let i = -1
    for (const entry of directory.records) if (++i !== mine && entry.size > 0) yield [placeOf(entry), endOf(entry)]
    for (const entry of hiddenRecords(directory)) if (entry.size > 0) yield [placeOf(entry), endOf(entry)]
  }
}

/** Whether a body can stand where the member does: nothing else is there, and nothing is in the way of what is longer. */
function fits(index: DiscIndex, number: number, peerNumber: readonly number[], length: number): boolean {
  const { offset, size } = index.members[number]
  // an empty file has no room of its own: several may stand at one place
  if (size === 0 || offset % SECTOR !== 0 || offset + length > Math.min(index.dataSize, MOST_U32)) return false
  const end = offset + Math.max(size, length)
  for (const [start, stop] of otherExtents(index, number, peerNumber)) if (start < end && offset < stop) return false
  return true
}

/** A sector behind everything that a directory names. */
function firstFree({ own, peers, dataSize, ref }: DiscIndex): number {
  let end = dataSize
  for (const directory of [own, ...peers])
    for (const entry of [...directory.records, ...hiddenRecords(directory)]) end = Math.max(end, endOf(entry))
  if (end > dataSize + MOST_GAP) throw new FormatError('invalid-edit', say('archives.disc.cut', { end, size: dataSize }), { file: ref })
  return Math.ceil(end / SECTOR) * SECTOR
}

/** A body that fits the room up to the next file stays where it is; a larger one goes to the end of the data file. */
function replace(index: DiscIndex, replacements: ReadonlyMap<number, Uint8Array>): ArchiveParts {
  expectWritable(index)
  const records = [...index.own.records]
  const peerRecords = index.peers.map((peer) => [...peer.records])
  const overwrites: { offset: number; bytes: Uint8Array }[] = []
  const appended: Uint8Array[] = []
  let end = -1
  for (const [i, bytes] of [...replacements].sort((a, b) => a[0] - b[0])) {
    const member = index.members[i]
    if (!member) notHere('member', i, index.ref)
    const inPeers = peerNumbers(index, i)
    let place: number | undefined
    // of no bytes in the first sector a record could end the list
    const zero = bytes.length === 0 && placeOf(records[i]) === 0
    if (!zero && fits(index, i, inPeers, bytes.length)) {
      // what the old file had beyond the new one's end is cleared
      const body = new Uint8Array(Math.max(bytes.length, member.size))
      body.set(bytes)
      overwrites.push({ offset: (place = member.offset), bytes: body })
    } else if (zero || bytes.length > 0) {
      if (end < 0) end = firstFree(index)
      if (end + bytes.length > MOST_U32) throw new FormatError('invalid-edit', say('archives.disc.full'), { file: index.ref })
      place = end
      const padded = new Uint8Array(Math.ceil(bytes.length / SECTOR) * SECTOR)
      padded.set(bytes)
      appended.push(padded)
      end += padded.length
    }
    records[i] = movedEntry(records[i], place, bytes.length)
    inPeers.forEach((k, n) => {
      if (k >= 0) peerRecords[n][k] = movedEntry(peerRecords[n][k], place, bytes.length)
    })
  }
  return {
    data: dataSegments(index, overwrites, appended),
    directory: directorySegments(index.own, records),
    peers: index.peers.map((peer, n) => ({ ref: peer.ref, segments: directorySegments(peer, peerRecords[n]) })),
    notes: [...twinNotes(index, replacements), ...missingNotes(index, [...replacements.keys()])],
  }
}

/** Directories that do not have what is changed: a game that reads one of them does not see the change. */
function missingNotes(index: DiscIndex, numbers: readonly number[]): string[] {
  const inPeers = numbers.map((i) => peerNumbers(index, i))
  return index.peers.flatMap(({ ref }, k) => {
    const missing = numbers.filter((_, n) => inPeers[n][k] < 0).map((i) => index.members[i].name)
    return missing.length > 0 ? [missingText(missing, baseName(index.ref), ref)] : []
  })
}

/** Files of one name of which some keep their bytes: nobody knows which of them the game reads. */
function twinNotes({ members }: DiscIndex, replacements: ReadonlyMap<number, Uint8Array>): string[] {
  const names = new Map<string, { name: string; left: number }>()
  for (const i of replacements.keys()) {
    const { name } = members[i]
    names.set(memberKey(name, 0).toLowerCase(), { name, left: 0 })
  }
  members.forEach(({ name }, i) => {
    const found = names.get(memberKey(name, 0).toLowerCase())
    if (found && !replacements.has(i)) found.left++
  })
  return [...names.values()].flatMap(({ name, left }) => (left > 0 ? [say('archives.disc.twinLeft', { name, count: left })] : []))
}

function dataSegments(index: DiscIndex, overwrites: { offset: number; bytes: Uint8Array }[], appended: readonly Uint8Array[]): Segment[] {
  const data: Segment[] = []
  let at = 0
  for (const overwrite of overwrites.sort((a, b) => a.offset - b.offset)) {
    if (overwrite.offset > at) data.push({ kind: 'copy', offset: at, length: overwrite.offset - at })
    data.push({ kind: 'bytes', bytes: overwrite.bytes, as: 'member' })
    at = overwrite.offset + overwrite.bytes.length
  }
  if (at < index.dataSize) data.push({ kind: 'copy', offset: at, length: index.dataSize - at })
  if (appended.length === 0) return data
  const gap = firstFree(index) - index.dataSize
  if (gap > 0) data.push({ kind: 'bytes', bytes: new Uint8Array(gap), as: 'opaque' })
  for (const bytes of appended) data.push({ kind: 'bytes', bytes, as: 'member' })
  return data
}

/** Another name in the place of the old one, in every directory. Names and records have no room for more files. */
function edit(index: DiscIndex, change: ArchiveEdit): ArchiveParts {
  expectWritable(index)
  if (change.kind !== 'rename') throw new FormatError('unsupported', say(`archives.disc.no.${change.kind}`), { file: index.ref })
  expectEdit(index, change)
  let [own, peers] = [index.own, index.peers]
  for (const [number, wanted] of change.names) {
    const name = wanted.replaceAll('/', '\\')
    const bytes = encodeText(name)
    const inPeers = peerNumbers(index, number)
    own = renamedIn(index, own, number, name, bytes)
    peers = peers.map((peer, n) => {
      if (inPeers[n] < 0) return peer
      const taken = peer.numbers.get(fileKey(memberKey(name, 0).toLowerCase(), 0)) ?? inPeers[n]
      if (taken !== inPeers[n]) refuseName(index, name, say('archives.disc.nameTaken', { name, file: baseName(peer.ref) }))
      return renamedIn(index, peer, inPeers[n], name, bytes)
    })
  }
  const segments = (directory: Directory): Segment[] => directorySegments(directory, directory.records)
  return {
    data: dataSegments(index, [], []),
    directory: segments(own),
    peers: peers.map((peer) => ({ ref: peer.ref, segments: segments(peer) })),
    notes: missingNotes(index, [...change.names.keys()]),
  }
}

/** A directory with another name in it. */
function renamedIn(index: DiscIndex, directory: Directory, number: number, name: string, bytes: Uint8Array): Directory {
  const { kind, records, names, rest } = directory
  const old = records[number]
  const most = old.name ? old.name.length - 1 : names[number].length
  if (bytes.length > most)
    refuseName(index, name, say('archives.disc.nameLonger', { name, count: bytes.length, most, file: baseName(directory.ref) }))
  if (old.name) {
    const entry: Entry = { ...old, name: namedField(old.name, bytes) }
    return { ...directory, records: records.map((one, i) => (i === number ? entry : one)) }
  }
  const at = old.nameOffset!
  // A name in the middle of another one, or of two records, is not only this file's. Its NUL stays where it is, so that a name of no
  // character which stands there stays too.
  const shared = records.some(({ nameOffset: other = -1 }, i) => i !== number && other < at + most && at < other + names[i].length)
  const start = at - records.length * LAYOUT[kind].size
  if (shared || start < 0 || start + most > rest.length)
    refuseName(index, name, say('archives.disc.nameShared', { name: index.members[number].name, file: baseName(directory.ref) }))
  const ends = rest.slice()
  ends.fill(0, start, start + most)
  ends.set(bytes, start)
  return { ...directory, rest: ends }
}

function discFormat(kind: DiscKind): ArchiveFormat<DiscIndex> {
  const recordSize = LAYOUT[kind].size
  const beside = (name: string, ending: string): string =>
    name.replace(/\.[^.]*$/, (dot) => `.${dot === dot.toUpperCase() ? ending.toUpperCase() : ending}`)
  return {
    id: `level5.${kind}`,
    get label() {
      return say(`archives.disc.label.${kind}`)
    },
    family: 'level5',
    extensions: [kind],
    companion: (name) => beside(name, 'dat'),
    peers: (name) => DISC_KINDS.map((ending) => beside(name, ending)),
    identify(head, name, size) {
      if (extensionOf(name) !== kind || head.length < recordSize) return 0
      const names = entryAt(head, 0, kind).nameOffset
      if (names !== undefined && (names % recordSize || names > size)) return 0
      const table = names ?? size
      let [sound, odd] = [0, 0]
      for (let at = 0; at + recordSize <= Math.min(head.length, table); at += recordSize) {
        if (kind === 'hed' ? head[at] === 0 : isZero(head, at, recordSize)) break
        if (soundRecord(kind, entryAt(head, at, kind), size)) sound++
        else odd++
      }
      // a record that was patched by hand may contradict itself: opening says which
      return odd === 0 && sound > 0 ? 0.9 : sound > odd ? 0.6 : 0
    },
    open: (source, data, peers = []) => open(kind, source, data, peers),
    encode: ({ own }) => directorySegments(own, own.records),
    encodeData: (index) => (index.dataSize ? [{ kind: 'copy', offset: 0, length: index.dataSize }] : []),
    replace,
    edit,
    describe({ own, members }, only) {
      const children = nodesOf(own.records, only, (entry, i) => {
        const at = i * recordSize
        return node(`records[${i}]`, say('formats.nodes.file'), { start: at, end: at + recordSize }, LAYOUT[kind].describe(entry, at), [], {
          summary: members[i].name,
        })
      })
      const end = recordSize * own.records.length
      return node('', `level5.${kind}`, { start: 0, end: end + own.rest.length }, behindRecords(own), children, {
        summary: say('archives.disc.files', { count: own.records.length }),
      })
    },
  }
}

export const hd2Format = discFormat('hd2')
export const hd3Format = discFormat('hd3')
export const hd4Format = discFormat('hd4')
export const hedFormat = discFormat('hed')

/** The directory of Rogue Galaxy: pieces of names, and recipes that put them together. It is told, and not read. */
const otherGame = (): never => refuse('', say('archives.disc.otherGame'))
export const hd6Format: ArchiveFormat = {
  id: 'level5.hd6',
  get label() {
    return say('archives.disc.label.hd6')
  },
  family: 'level5',
  extensions: ['hd6'],
  get readOnly() {
    return say('archives.disc.otherGame')
  },
  identify: (_head, name, size) => (extensionOf(name) === 'hd6' && size > 0 ? 0.6 : 0),
  open: ({ ref }) => refuse(ref, say('archives.disc.otherGame')),
  encode: otherGame,
  replace: otherGame,
  describe: otherGame,
}
