/**
 * Changes of an archive as a whole: members that come, go, get another name, place or body. What would be written is known, read and
 * compared before anything is: every member that stays has its bytes. It is then written as every save is (archive-writes.ts).
 */
import { FormatError } from '../binary/format-error.ts'
import { HASH_START, hashStep } from '../binary/lazy-list.ts'
import { RangeSource } from '../files/sources.ts'
import { storedBody } from '../formats/archive.ts'
import { firstDifference } from '../formats/format.ts'
import { MEMBER_SEPARATOR, memberKey } from '../../shared/ref.ts'
import { firstDifferent } from './compare.ts'
import { expectFields, expectSameBut, fieldParts } from './archive-fields.ts'
import { KnownSteps } from './known-steps.ts'
import { lengthOf, SegmentSource } from './segment-source.ts'
import { checkPeers, expectKnown, materialise, peerSource } from './archive-files.ts'
import { intoImage } from './image-files.ts'
import type { ArchiveFieldValue, ReadArchive } from './archive-fields.ts'
import type { ArchiveEdit } from '../formats/archive-edit.ts'
import type { ArchiveIndex, ArchiveMember, ArchiveParts, ByteSource, Segment } from '../formats/archive.ts'
import type { ArchiveBytes } from '../../shared/api/types/archive.ts'
import type { OpenArchive } from '../files/places.ts'
import type { FileStore } from '../files/store.ts'
import { say } from '../../shared/texts/say.ts'

export type ArchiveChange =
  | ArchiveEdit
  | { kind: 'replace'; member: number; bytes: Uint8Array }
  /** several new bodies at once, by number */
  | { kind: 'put'; bodies: ReadonlyMap<number, Uint8Array> }
  /** fields of the directory */
  | { kind: 'fields'; values: readonly ArchiveFieldValue[] }

/** A change that is made when what it comes to is not known. */
export interface KeyedChange {
  /** tells it from every other change of the archive as those before it leave it */
  key: string
  make(): ArchiveChange
}

/** What a change would write. */
export interface ArchivePlan extends ArchiveBytes {
  /** the archive that is changed, and the file on disk that it stands in */
  archive: string
  disk: string
}

/** An archive as far as it takes to write it. */
export type WrittenArchive = Omit<OpenArchive, 'members' | 'leader'>

/** What is proven and not written yet. */
export interface PlannedWrite {
  plan: ArchivePlan
  /** the archive on disk, and what it is written from */
  top: WrittenArchive
  parts: ArchiveParts
  /** the copy of an image as it will be; absent for what is written where it stands */
  whole?: ByteSource
}

/** A change of an archive that is there. */
export interface PlannedChange extends PlannedWrite {
  /** as it will be read */
  after: ReadArchive
}

/** What changes of one archive came to, for who asks again with one more. */
export class KnownChanges extends KnownSteps<Changed> {}

/** An archive with changes in it: as it will be, and what it is written from. */
export interface Changed {
  after: OpenArchive
  parts: ArchiveParts
  data: SegmentSource
  notes: string[]
}

/**
 * @param ref an archive on disk, or in others: those are written with it
 * @param changes one, or several that are made one after the other and written in one pass: numbers of each count in what those before it leave
 * @param copy whether it is written to another place: images of discs are changed in no other way
 * @param known of changes before, where it is kept
 * @throws FormatError bad-magic for what is no archive, unsupported for a kind that cannot be changed so, invalid-edit, not-found
 */
export function planArchiveChange(
  store: FileStore,
  ref: string,
  changes: ArchiveChange | readonly ArchiveChange[] | readonly KeyedChange[],
  copy = false,
  known?: KnownChanges,
): PlannedChange {
  // says by itself what is no archive
  const named = store.archiveOfData(ref)
  store.members(named)
  const open = store.openArchive(named)!
  const why = whyReadOnly(store, open, copy)
  if (why) throw new FormatError('read-only', say('archiveEdits.readOnly', { why }), { file: open.ref })
  const made = changed(store, open, 'kind' in changes ? [changes] : changes, known)
  expectKnown(store.registry, open.format, made.after.source, store.nameOf(open.ref), open.ref)
  let { parts } = made
  const plan: ArchivePlan = {
    archive: open.ref,
    disk: store.diskFile(open.ref),
    members: [open.index.members.length, made.after.index.members.length],
    size: [sizeOf(open), sizeAfter(parts)],
    ...counted(parts),
    moved: open.format.replaceFiles ? 0 : movedIn(made),
    written: 0,
    room: 0,
    inPlace: false,
    notes: [...made.notes],
  }
  let top = open
  let whole: ByteSource | undefined
  if (open.format.replaceFiles) whole = made.data
  for (let container = store.container(top.ref); container !== undefined; container = store.container(top.ref)) {
    const outer = store.openArchive(container)!
    if (outer.format.replaceFiles && store.container(container) === undefined) {
      const image = intoImage(outer, [{ open: top, parts }])
      whole = image.whole
      parts = { data: image.data }
      plan.notes.push(...image.notes)
      top = outer
      break
    }
    if (parts.directory) throw new FormatError('unsupported', say('archiveEdits.twoFilesInside'), { file: top.ref })
    const bytes = materialise(parts.data, top.source)
    const member = outer.members.byKey(top.ref.slice(outer.ref.length + MEMBER_SEPARATOR.length))!.index
    parts = changed(store, outer, [{ kind: 'replace', member, bytes }]).parts
    top = outer
  }
  plan.written = plan.room = sizeAfter(parts)
  return { plan, top, parts, whole, after: made.after }
}

/** Changes made one after the other, each compared with what was before it, and what all of them are written from. */
export function changed(
  store: FileStore,
  open: OpenArchive,
  changes: readonly (ArchiveChange | KeyedChange)[],
  known = new KnownChanges(),
): Changed {
  const keys = changes.map((change) => ('key' in change ? change.key : ''))
  let { count, state: made } = known.last(open, keys)
  for (const change of changes.slice(count)) {
    made = changedOnce(store, open, made, 'key' in change ? change.make() : change)
    known.put(++count, keys[count - 1], made)
  }
  if (!made) throw new FormatError('invalid-edit', say('archiveEdits.noneDiffers'), { file: open.ref })
  return made
}

/** @param made the changes before it */
function changedOnce(store: FileStore, open: OpenArchive, made: Changed | undefined, change: ArchiveChange): Changed {
  const before = made?.after ?? open
  const { parts, notes } = partsOf(before, change)
  const step = sourcesOf(before, parts)
  const index = before.format.open(
    step.source,
    step.data,
    step.peers.map((peer) => peer.source),
  )
  if (change.kind === 'fields') expectSameBut(store, before, { ...before, index, source: step.source }, change.values)
  else if (!before.format.replaceFiles) expectKept(before, index, step.data, change)
  expectPeers(store, before, step.data, step.peers, change)
  // what comes next is made of the file on disk, too
  const whole = made ? composedParts(parts, before) : parts
  const now = made ? sourcesOf(open, whole) : step
  return { after: { ...before, ...now, index }, parts: whole, data: now.data, notes: [...(made?.notes ?? []), ...notes] }
}

/** The files of an archive as they would be. */
function sourcesOf(open: OpenArchive, parts: ArchiveParts): Pick<OpenArchive, 'source' | 'peers'> & { data: SegmentSource } {
  return {
    data: new SegmentSource(parts.data, open.data, open.ref),
    source: directoryOf(open, parts),
    peers: (parts.peers ?? []).map(({ ref, segments }) => ({ ref, source: new SegmentSource(segments, peerSource(open, ref), ref) })),
  }
}

/** What a change of an archive that is not written yet is written from. */
function composedParts({ data, directory, peers }: ArchiveParts, before: OpenArchive): ArchiveParts {
  const through = (segments: readonly Segment[], source: ByteSource): Segment[] => (source as SegmentSource).through(segments)
  return {
    data: through(data, before.data),
    ...(directory && { directory: through(directory, before.source) }),
    ...(peers && { peers: peers.map(({ ref, segments }) => ({ ref, segments: through(segments, peerSource(before, ref)) })) }),
  }
}

/** Whether every byte would be where it is. */
export function changesNothing({ top, parts: { data, directory, peers = [] } }: PlannedWrite): boolean {
  const stays = (segments: readonly Segment[], source: ByteSource): boolean => {
    let at = 0
    for (const segment of segments) {
      if (segment.kind === 'copy' ? segment.offset !== at : !hasThere(source, at, segment.bytes)) return false
      at += lengthOf(segment)
    }
    return at === source.size
  }
  return (
    stays(data, top.data) &&
    (!directory || stays(directory, top.source)) &&
    peers.every(({ ref, segments }) => stays(segments, peerSource(top, ref)))
  )
}

function hasThere(source: ByteSource, at: number, bytes: Uint8Array): boolean {
  return at + bytes.length <= source.size && firstDifference(source.read(at, bytes.length), bytes) < 0
}

/** Members whose bytes are the old file's, from another place. */
export function movedIn({ after, data }: Changed): number {
  let moved = 0
  for (const { offset, size } of after.index.members) {
    const from = size > 0 && offset + size <= data.size ? data.origin(offset) : -1
    if (from >= 0 && from !== offset) moved++
  }
  return moved
}

/** Why it cannot be changed, '' where it can. @param copy in a copy of it */
export function whyReadOnly(store: FileStore, { ref }: OpenArchive, copy: boolean): string {
  for (let at: string | undefined = ref; at !== undefined; at = store.container(at)) {
    const { readOnly: why, replaceFiles } = store.openArchive(at)!.format
    if (why && !(copy && replaceFiles)) return why
  }
  return ''
}

/** New bodies by their numbers. */
function bodiesOf(change: ArchiveChange): ReadonlyMap<number, Uint8Array> {
  if (change.kind === 'put') return change.bodies
  return new Map(change.kind === 'replace' ? [[change.member, change.bytes]] : [])
}

function partsOf(open: OpenArchive, change: ArchiveChange): { parts: ArchiveParts; notes: string[] } {
  const { format, index } = open
  if (change.kind === 'fields') {
    expectFields(open)
    return { parts: fieldParts(open, change.values), notes: [] }
  }
  if (change.kind === 'replace' || change.kind === 'put') {
    const bodies = bodiesOf(change)
    if (!format.replaceFiles) return noted(format.replace(index, bodies))
    const files = new Map([...bodies].map(([i, bytes]): [number, Segment[]] => [i, [{ kind: 'bytes', bytes, as: 'member' }]]))
    const { data, notes } = format.replaceFiles(index, files)
    return { parts: { data }, notes }
  }
  if (!format.edit) throw new FormatError('unsupported', say('archiveEdits.noEdit', { format: format.label }), { file: index.ref })
  return noted(format.edit(index, change))
}

function noted({ notes = [], ...parts }: ArchiveParts): { parts: ArchiveParts; notes: string[] } {
  return { parts, notes: [...notes] }
}

function directoryOf(open: OpenArchive, parts: ArchiveParts): ByteSource {
  return parts.directory ? new SegmentSource(parts.directory, open.source, open.ref) : new SegmentSource(parts.data, open.data, open.ref)
}

function sizeOf({ source, data, dataRef, peers }: OpenArchive): number {
  return dataRef === '' ? source.size : [data, ...peers.map((peer) => peer.source)].reduce((sum, { size }) => sum + size, source.size)
}

function sizeAfter({ data, directory = [], peers = [] }: ArchiveParts): number {
  return [data, directory, ...peers.map(({ segments }) => segments)].flat().reduce((sum, segment) => sum + lengthOf(segment), 0)
}

/** @param peers the other directories as they would be */
function expectPeers(store: FileStore, open: OpenArchive, data: ByteSource, peers: OpenArchive['peers'], change: ArchiveChange): void {
  if (peers.length === 0) return
  const key = (number: number): string => {
    const { name, duplicate } = open.index.members.at(number)!
    return memberKey(name, duplicate).toLowerCase()
  }
  const byKey = <T>(list: ReadonlyMap<number, T>): Map<string, T> => new Map([...list].map(([i, one]): [string, T] => [key(i), one]))
  const sources = peers.map(({ source }) => source)
  checkPeers(
    store,
    open,
    data,
    sources,
    byKey(bodiesOf(change)),
    byKey(change.kind === 'rename' ? change.names : new Map<number, string>()),
  )
}

/** What of it is copied, and what is new. */
export function counted({ data, directory = [], peers = [] }: ArchiveParts): Pick<ArchivePlan, 'copied' | 'bodies' | 'tables'> {
  const sum = { copied: 0, bodies: 0, tables: 0 }
  for (const segment of [...data, ...directory, ...peers.flatMap(({ segments }) => segments)]) {
    if (segment.kind === 'copy') sum.copied += segment.length
    else if (segment.as === 'member') sum.bodies += segment.bytes.length
    else sum.tables += segment.bytes.length
  }
  return sum
}

/**
 * Every member that stays has name and bytes, and stands in its order where that is asked for; those that came are there, those that went are not.
 * @throws FormatError invalid-edit
 */
function expectKept(open: OpenArchive, after: ArchiveIndex, data: ByteSource, change: ArchiveChange): void {
  const broken = (name: string): never => {
    throw new FormatError('invalid-edit', say('archiveEdits.notKept', { name }), { file: open.ref })
  }
  const there = new MembersInTurn(after.members)
  const same = (member: ArchiveMember, from: ArchiveMember): boolean =>
    member.size === from.size &&
    // what is taken over from where the member stands need not be read to be the same
    ((data instanceof SegmentSource && data.takes(member.offset, from)) ||
      firstDifferent(windowOf(data, member), windowOf(open.data, from)) < 0)
  const wanted = bodiesOf(change)
  const renamed: [number, string][] = []
  const old = change.kind === 'reorder' ? change.order.map((i) => open.index.members.at(i)!) : open.index.members
  let i = -1
  for (const member of old) {
    i++
    if (change.kind === 'remove' && change.members.has(i)) continue
    const name = change.kind === 'rename' ? change.names.get(i) : undefined
    if (name !== undefined) {
      renamed.push([i, name])
      continue
    }
    if (change.kind === 'reorder' && !sameBytes(after.members.at(i)!.rawName, member.rawName)) return broken(member.name)
    const found = there.take(member.rawName)
    if (!found) return broken(member.name)
    const bytes = wanted.get(i)
    if (bytes ? !holds(open, data, found, bytes) : !same(found, member)) return broken(member.name)
  }
  const left = new Map<string, ArchiveMember[]>()
  let n = 0
  for (const member of there.others()) {
    push(left, memberKey(member.name, 0).toLowerCase(), member)
    n++
  }
  const come = change.kind === 'add' ? change.members : []
  if (n !== renamed.length + come.length) return broken(left.values().next().value?.[0].name ?? open.index.ref)
  for (const [number, name] of renamed) {
    const from = open.index.members.at(number)!
    if (!taken(left, name, (member) => same(member, from))) return broken(from.name)
  }
  for (const { name, bytes } of come) if (!taken(left, name, (member) => holds(open, data, member, bytes))) return broken(name)
}

/**
 * Members, each taken once by its name as it is stored, of several with one name the first. Asked in their order, as nearly all are, they are
 * compared where they stand: only those that are passed over are kept by name. An archive that sorts its members by something of their names
 * puts one that came among the others.
 */
class MembersInTurn {
  private readonly members: Iterator<ArchiveMember>
  private next: IteratorResult<ArchiveMember>
  private readonly passed = new Map<string, ArchiveMember[]>()
  /** of the names that were passed over */
  private readonly hashes = new Set<number>()

  constructor(members: Iterable<ArchiveMember>) {
    this.members = members[Symbol.iterator]()
    this.next = this.members.next()
  }

  take(rawName: Uint8Array): ArchiveMember | undefined {
    const before = this.hashes.size > 0 && this.hashes.has(hashOfBytes(rawName)) ? this.passed.get(rawKey(rawName))?.shift() : undefined
    if (before) return before
    while (!this.next.done) {
      const member = this.next.value
      const found = sameBytes(member.rawName, rawName)
      if (!found) this.pass(member)
      this.next = this.members.next()
      if (found) return member
    }
    return undefined
  }

  /** Those that nobody took. */
  *others(): Generator<ArchiveMember> {
    for (const list of this.passed.values()) yield* list
    for (; !this.next.done; this.next = this.members.next()) yield this.next.value
  }

  private pass(member: ArchiveMember): void {
    push(this.passed, rawKey(member.rawName), member)
    this.hashes.add(hashOfBytes(member.rawName))
  }
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

function hashOfBytes(bytes: Uint8Array): number {
  let hash = HASH_START
  for (let i = 0; i < bytes.length; i++) hash = hashStep(hash, bytes[i])
  return hash
}

function push(lists: Map<string, ArchiveMember[]>, key: string, member: ArchiveMember): void {
  const list = lists.get(key)
  if (list) list.push(member)
  else lists.set(key, [member])
}

function rawKey(rawName: Uint8Array): string {
  return Buffer.from(rawName.buffer, rawName.byteOffset, rawName.length).toString('latin1')
}

/** Takes the member of this name that fits out of the lists. */
function taken(lists: Map<string, ArchiveMember[]>, name: string, fits: (member: ArchiveMember) => boolean): boolean {
  const list = lists.get(memberKey(name, 0).toLowerCase()) ?? []
  const at = list.findIndex(fits)
  if (at >= 0) list.splice(at, 1)
  return at >= 0
}

function holds({ format }: OpenArchive, data: ByteSource, member: ArchiveMember, bytes: Uint8Array): boolean {
  const stored = storedBody(format, bytes)
  // one without bytes may be anywhere, behind the end of the file too
  return member.size === stored.length && (member.size === 0 || firstDifference(data.read(member.offset, member.size), stored) < 0)
}

/** A member's body, as far as it is within the file. */
export function windowOf(source: ByteSource, { offset, size }: Pick<ArchiveMember, 'offset' | 'size'>): ByteSource {
  const start = Math.min(offset, source.size)
  return new RangeSource(source, source.ref, start, Math.min(size, source.size - start))
}
