/**
 * Changes of an archive as a whole: members that come, go, get another name or another body. What would be written is known, read and
 * compared before anything is: every member that stays has its bytes. It is then written as every save is: the original is kept, the new
 * files stand beside the old ones until they take their places together.
 */
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { expectReplaceable } from '../files/busy.ts'
import { expectNoLink } from '../files/real-place.ts'
import { ioError, RangeSource } from '../files/sources.ts'
import { realPath } from '../files/paths.ts'
import { firstDifference, storedBody } from '../formats/format.ts'
import { extensionOf, MEMBER_SEPARATOR, memberKey } from '../../shared/ref.ts'
import { expectUnprotected, replaceFiles, sweepTemporaries } from './atomic.ts'
import { firstDifferent } from './compare.ts'
import { writeLargeCopy } from './large-copy.ts'
import { hashFile } from './originals.ts'
import { lengthOf, SegmentSource } from './segment-source.ts'
import { checkPeers, expectAlone, keepOriginals, materialise, outputsOf, peerSource, release } from './archive-files.ts'
import { modCopyOf, sourceFor } from './mod-copies.ts'
import type { Replacement, ReplaceOptions } from './atomic.ts'
import type { LargeCopyOptions } from './large-copy.ts'
import type { Originals } from './originals.ts'
import type { SavePlace } from './mod-copies.ts'
import type { ArchiveEdit } from '../formats/archive-edit.ts'
import type { ArchiveIndex, ArchiveMember, ArchiveParts, ByteSource, Segment } from '../formats/format.ts'
import type { OpenArchive } from '../files/places.ts'
import type { FileStore } from '../files/store.ts'
import { say } from '../../shared/texts/say.ts'

export type ArchiveChange =
  | ArchiveEdit
  | { kind: 'replace'; member: number; bytes: Uint8Array }
  /** several new bodies at once, by number */
  | { kind: 'put'; bodies: ReadonlyMap<number, Uint8Array> }

/** What a change would write, in bytes. */
export interface ArchivePlan {
  /** the archive that is changed, and the file on disk that it stands in */
  archive: string
  disk: string
  /** members of the archive, and bytes of its files, before and after */
  members: [before: number, after: number]
  size: [before: number, after: number]
  /** bytes that are taken over from the old file, and those that are new: bodies, and tables, names and padding */
  copied: number
  bodies: number
  tables: number
  /** members that stay and stand elsewhere than before */
  moved: number
  /** bytes that are written in all: of the files on disk that the archive stands in */
  written: number
  /** what else becomes different */
  notes: string[]
}

/** A change that is proven and not written yet. */
export interface PlannedChange {
  plan: ArchivePlan
  /** the archive on disk, and what it is written from */
  top: OpenArchive
  parts: ArchiveParts
  /** makes sure of it once more, on the files that were written, in the order of `outputsOf` */
  check(written: readonly ByteSource[]): void
  /** the copy of an image as it will be; absent for what is written where it stands */
  whole?: ByteSource
}

/**
 * @param ref an archive on disk, or in others: those are written with it
 * @param copy whether it is written to another place: images of discs are changed in no other way
 * @throws FormatError bad-magic for what is no archive, unsupported for a kind that cannot be changed so, invalid-edit, not-found
 */
export function planArchiveChange(store: FileStore, ref: string, change: ArchiveChange, copy = false): PlannedChange {
  // says by itself what is no archive
  const named = store.archiveOfData(ref)
  store.members(named)
  const open = store.openArchive(named)!
  const why = readOnly(store, open, copy)
  if (why) throw new FormatError('read-only', say('archiveEdits.readOnly', { why }), { file: open.ref })
  const first = partsOf(open, change)
  let { parts } = first
  const inner = { data: new SegmentSource(parts.data, open.data, open.ref), directory: directoryOf(open, parts) }
  const after = open.format.open(inner.directory, inner.data)
  const moved = open.format.replaceFiles ? 0 : expectKept(open, after, inner.data, change)
  expectPeers(store, open, inner.data, peersOf(open, parts), change)
  const plan: ArchivePlan = {
    archive: open.ref,
    disk: store.diskFile(open.ref),
    members: [open.index.members.length, after.members.length],
    size: [sizeOf(open), sizeAfter(parts)],
    ...counted(parts),
    moved,
    written: 0,
    notes: first.notes,
  }
  let top = open
  let whole: ByteSource | undefined
  if (open.format.replaceFiles) whole = inner.data
  for (let container = store.container(top.ref); container !== undefined; container = store.container(top.ref)) {
    const outer = store.openArchive(container)!
    if (outer.format.replaceFiles && store.container(container) === undefined) {
      const image = intoImage(outer, top, parts)
      whole = image.whole
      parts = { data: image.data }
      plan.notes.push(...image.notes)
      top = outer
      break
    }
    if (parts.directory) throw new FormatError('unsupported', say('archiveEdits.twoFilesInside'), { file: top.ref })
    const bytes = materialise(parts.data, top.source)
    const member = outer.members.byKey(top.ref.slice(outer.ref.length + MEMBER_SEPARATOR.length))!.index
    const replaced: ArchiveChange = { kind: 'replace', member, bytes }
    parts = partsOf(outer, replaced).parts
    top = outer
    expectWhole(store, outer, parts, replaced)
    change = replaced
  }
  plan.written = sizeAfter(parts)
  const last = change
  return {
    plan,
    top,
    parts,
    whole,
    check([data, ...directories]) {
      expectKept(top, top.format.open(directories.pop() ?? data, data), data, last)
      expectPeers(store, top, data, directories, last)
    },
  }
}

/** Why it cannot be changed, '' where it can. */
function readOnly(store: FileStore, { ref }: OpenArchive, copy: boolean): string {
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

function partsOf({ format, index }: OpenArchive, change: ArchiveChange): { parts: ArchiveParts; notes: string[] } {
  if (change.kind === 'replace' || change.kind === 'put') {
    const bodies = bodiesOf(change)
    if (!format.replaceFiles) return { parts: format.replace(index, bodies), notes: [] }
    const files = new Map([...bodies].map(([i, bytes]): [number, Segment[]] => [i, [{ kind: 'bytes', bytes, as: 'member' }]]))
    const { data, notes } = format.replaceFiles(index, files)
    return { parts: { data }, notes }
  }
  if (!format.edit) throw new FormatError('unsupported', say('archiveEdits.noEdit', { format: format.label }), { file: index.ref })
  return { parts: format.edit(index, change), notes: [] }
}

/** An archive's files in the image that it stands in. */
function intoImage(image: OpenArchive, inside: OpenArchive, parts: ArchiveParts): { data: Segment[]; notes: string[]; whole: ByteSource } {
  const { data, directory, peers = [] } = parts
  const changed: [string, Segment[]][] = directory
    ? [[inside.dataRef, data], [inside.ref, directory], ...peers.map(({ ref, segments }): [string, Segment[]] => [ref, segments])]
    : [[inside.ref, data]]
  const files = new Map<number, Segment[]>()
  for (const [ref, segments] of changed)
    files.set(image.members.byKey(ref.slice(image.ref.length + MEMBER_SEPARATOR.length))!.index, segments)
  const made = image.format.replaceFiles!(image.index, files)
  const whole = new SegmentSource(made.data, image.source, image.ref)
  // what is new is found through the directories of the image as they will be
  const after = image.format.open(whole, whole)
  for (const [i, segments] of files) {
    const { name, offset, size } = after.members.at(i)!
    let at = 0
    for (const segment of segments) {
      const length = lengthOf(segment)
      if (at + length > size || (segment.kind === 'bytes' && firstDifference(whole.read(offset + at, length), segment.bytes) >= 0))
        throw new FormatError('invalid-edit', say('archiveEdits.notKept', { name }), { file: image.ref })
      at += length
    }
  }
  return { ...made, whole }
}

function directoryOf(open: OpenArchive, parts: ArchiveParts): ByteSource {
  return parts.directory ? new SegmentSource(parts.directory, open.source, open.ref) : new SegmentSource(parts.data, open.data, open.ref)
}

function expectWhole(store: FileStore, open: OpenArchive, parts: ArchiveParts, change: ArchiveChange): void {
  const data = new SegmentSource(parts.data, open.data, open.ref)
  expectKept(open, open.format.open(directoryOf(open, parts), data), data, change)
  expectPeers(store, open, data, peersOf(open, parts), change)
}

function sizeOf({ source, data, dataRef, peers }: OpenArchive): number {
  return dataRef === '' ? source.size : [data, ...peers.map((peer) => peer.source)].reduce((sum, { size }) => sum + size, source.size)
}

function sizeAfter({ data, directory = [], peers = [] }: ArchiveParts): number {
  return [data, directory, ...peers.map(({ segments }) => segments)].flat().reduce((sum, segment) => sum + lengthOf(segment), 0)
}

/** The other directories as they would be. */
function peersOf(open: OpenArchive, { peers = [] }: ArchiveParts): ByteSource[] {
  return peers.map(({ ref, segments }) => new SegmentSource(segments, peerSource(open, ref), ref))
}

/** @param sources of the other directories */
function expectPeers(store: FileStore, open: OpenArchive, data: ByteSource, sources: readonly ByteSource[], change: ArchiveChange): void {
  if (sources.length === 0) return
  const key = (number: number): string => {
    const { name, duplicate } = open.index.members.at(number)!
    return memberKey(name, duplicate).toLowerCase()
  }
  const bodies = new Map([...bodiesOf(change)].map(([i, bytes]): [string, Uint8Array] => [key(i), bytes]))
  checkPeers(store, open, data, sources, bodies, change.kind === 'rename' ? [key(change.member), change.name] : undefined)
}

function counted({ data, directory = [], peers = [] }: ArchiveParts): Pick<ArchivePlan, 'copied' | 'bodies' | 'tables'> {
  const sum = { copied: 0, bodies: 0, tables: 0 }
  for (const segment of [...data, ...directory, ...peers.flatMap(({ segments }) => segments)]) {
    if (segment.kind === 'copy') sum.copied += segment.length
    else if (segment.as === 'member') sum.bodies += segment.bytes.length
    else sum.tables += segment.bytes.length
  }
  return sum
}

/**
 * Every member that stays has name and bytes, those that came are there, those that went are not.
 * @returns how many of those that stay stand elsewhere
 * @throws FormatError invalid-edit
 */
function expectKept(open: OpenArchive, after: ArchiveIndex, data: ByteSource, change: ArchiveChange): number {
  const broken = (name: string): never => {
    throw new FormatError('invalid-edit', say('archiveEdits.notKept', { name }), { file: open.ref })
  }
  // an archive that sorts its members by something of their names puts one that came among the others
  const rest = new Map<string, ArchiveMember[]>()
  const keyOf = ({ rawName }: ArchiveMember): string => Buffer.from(rawName).toString('latin1')
  for (const member of after.members) {
    const key = keyOf(member)
    const list = rest.get(key)
    if (list) list.push(member)
    else rest.set(key, [member])
  }
  const same = (member: ArchiveMember, source: ByteSource, from: ArchiveMember): boolean =>
    member.size === from.size &&
    // what is taken over from where the member stands need not be read to be the same
    ((data instanceof SegmentSource && data.takes(member.offset, from)) ||
      firstDifferent(windowOf(data, member), windowOf(source, from)) < 0)
  let moved = 0
  const wanted = bodiesOf(change)
  let i = -1
  for (const member of open.index.members) {
    i++
    if (change.kind === 'remove' && change.members.has(i)) continue
    if (change.kind === 'rename' && change.member === i) continue
    const found = rest.get(keyOf(member))?.shift()
    if (!found) return broken(member.name)
    const bytes = wanted.get(i)
    if (bytes ? !holds(open, data, found, bytes) : !same(found, open.data, member)) return broken(member.name)
    if (!bytes && found.offset !== member.offset) moved++
  }
  const left = [...rest.values()].flat()
  if (change.kind === 'rename') {
    const from = open.index.members.at(change.member)!
    if (left.length !== 1 || !same(left[0], open.data, from)) return broken(from.name)
  } else if (change.kind === 'add') {
    if (left.length !== change.members.length) return broken(change.members[0].name)
    for (const { name, bytes } of change.members) {
      const at = left.findIndex((member) => holds(open, data, member, bytes))
      if (at < 0) return broken(name)
      left.splice(at, 1)
    }
  } else if (left.length > 0) return broken(left[0].name)
  return moved
}

function holds({ format }: OpenArchive, data: ByteSource, member: ArchiveMember, bytes: Uint8Array): boolean {
  const stored = storedBody(format, bytes)
  return member.size === stored.length && firstDifference(data.read(member.offset, member.size), stored) < 0
}

/** A member's body, as far as it is within the file. */
function windowOf(source: ByteSource, { offset, size }: ArchiveMember): ByteSource {
  const start = Math.min(offset, source.size)
  return new RangeSource(source, source.ref, start, Math.min(size, source.size - start))
}

// --- written ---------------------------------------------------------------------------------------------------

export interface ArchiveTarget {
  /** the archive that is read */
  from: string
  /** the file on disk that it is written to */
  disk: string
  /** the mod folder, '' in place */
  folder: string
}

/** Where the user's way of saving puts the archive, and what it is read from. @throws FormatError refused */
export function archiveTarget(store: FileStore, ref: string, place: SavePlace): ArchiveTarget {
  if (place.mode !== 'mod-folder') return { from: ref, disk: store.diskFile(ref), folder: '' }
  const from = sourceFor(store, ref, place)
  // one that stands loose in the mod is changed there
  return { from, disk: from === ref ? modCopyOf(store, ref, place).disk : store.diskFile(from), folder: place.folder }
}

/**
 * Writes a planned change over the archive, or into the mod folder; the first write keeps the original.
 * @returns the files that were written
 * @throws FormatError io, write-protected, refused; every file is then what it was
 */
export async function writeArchiveChange(
  store: FileStore,
  originals: Originals,
  planned: PlannedChange,
  target: ArchiveTarget,
  options: ReplaceOptions = {},
): Promise<string[]> {
  const { disk, folder } = target
  if (folder) expectNoLink(folder, disk)
  if (!options.replaceReadOnly) await expectUnprotected(disk)
  return write(store, planned, disk, options, async (outputs) => {
    if (folder && !existsSync(disk)) expectAlone(planned.top, disk)
    await keepOriginals(store, originals, outputs)
    return {
      coming: async (file, temporary) => originals.noteComing(file, await hashFile(temporary)),
      written: (file) => originals.noteWritten(file),
    }
  })
}

/**
 * Writes the archive as it would be to another place; an image of a disc so that what was written before a stop is not written again.
 * @throws FormatError io where something is there that may not be replaced; cancelled
 */
export async function writeArchiveCopy(
  store: FileStore,
  planned: PlannedChange,
  out: string,
  force: boolean,
  watch: Omit<LargeCopyOptions, 'force'> = {},
): Promise<string[]> {
  const { top, parts, whole } = planned
  if (whole) {
    if (existsSync(out) && realPath(out) === realPath(top.ref))
      throw new FormatError('refused', say('archiveEdits.ontoItself'), { file: out })
    await writeLargeCopy(whole, out, { ...watch, force })
    release(store, out)
    return [out]
  }
  for (const { target: file } of copyOutputs(top, parts, out))
    if (!force && existsSync(file)) throw new FormatError('io', say('commandLine.isThereOut', { file }), { file })
  return write(store, planned, out, {}, () => Promise.resolve(undefined), copyOutputs(top, parts, out))
}

/** Of a copy all files are called as the one that is named. */
function copyOutputs(top: OpenArchive, parts: ArchiveParts, out: string): Replacement[] {
  const { companion, peers } = top.format
  const outputs = outputsOf(top, parts, out)
  if (!parts.directory || !companion) return outputs
  const names = new Map((peers?.(basename(out)) ?? []).map((name) => [extensionOf(name), name]))
  const [data, ...directories] = outputs
  const own = directories.pop()!
  return [
    { ...data, target: join(dirname(out), companion(basename(out))) },
    ...directories.map((one) => ({ ...one, target: join(dirname(out), names.get(extensionOf(one.target)) ?? basename(one.target)) })),
    own,
  ]
}

interface Notes {
  coming(file: string, temporary: string): Promise<void>
  written(file: string): Promise<void>
}

async function write(
  store: FileStore,
  { top, parts, check }: PlannedChange,
  disk: string,
  options: ReplaceOptions,
  begin: (outputs: readonly Replacement[]) => Promise<Notes | undefined>,
  outputs: readonly Replacement[] = outputsOf(top, parts, disk),
): Promise<string[]> {
  const files = outputs.map(({ target }) => target)
  try {
    await mkdir(dirname(disk), { recursive: true })
  } catch (error) {
    throw ioError(error, disk)
  }
  release(store, ...files)
  await expectReplaceable(...files)
  await sweepTemporaries(disk)
  const notes = await begin(outputs)
  await replaceFiles(
    outputs,
    async (temporaries) => {
      check(temporaries.map((path) => store.source(path)))
      for (const [i, file] of files.entries()) await notes?.coming(file, temporaries[i])
      release(store, ...files, ...temporaries)
    },
    options,
  )
  release(store, ...files)
  for (const file of files) await notes?.written(file)
  return files
}
