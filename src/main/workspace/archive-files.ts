/**
 * The files of an archive as a write leaves them: one, or a data file with all directories over it. They take their places together, and
 * what stands beside the old ones until then is read and compared first.
 */
import { existsSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { expectReplaceable } from '../files/busy.ts'
import { expectNoLink } from '../files/real-place.ts'
import { storedBody } from '../formats/archive.ts'
import { firstDifference } from '../formats/format.ts'
import { headOf } from '../files/places.ts'
import { extensionOf, memberKey } from '../../shared/ref.ts'
import { writeAll } from './atomic.ts'
import { SegmentSource } from './segment-source.ts'
import type { WrittenArchive } from './archive-edits.ts'
import type { Replacement } from './atomic.ts'
import type { Originals } from './originals.ts'
import type { OpenArchive } from '../files/places.ts'
import type { FileStore } from '../files/store.ts'
import type { ArchiveFormat, ArchiveIndex, ArchiveParts, ByteSource, Segment } from '../formats/archive.ts'
import type { Registry } from '../formats/registry.ts'
import { say } from '../../shared/texts/say.ts'

/** Windows in which archives are copied. */
const WINDOW = 1 << 20

/** Descriptors of either file would keep Windows from replacing one with the other. */
export function release(store: FileStore, ...paths: string[]): void {
  for (const path of paths) store.invalidate(path)
}

/** Where a file that belongs to an archive stands when the archive stands at `disk`. */
function besideArchive({ ref }: WrittenArchive, other: string, disk: string): string {
  return join(dirname(disk), relative(dirname(ref), other))
}

/** An archive that nobody would know for one as it is going to be: by its name and its first bytes. @throws FormatError invalid-edit */
export function expectKnown(registry: Registry, format: ArchiveFormat, source: ByteSource, name: string, file: string): void {
  if (registry.identify(headOf(source), name, source.size)?.archive?.id === format.id) return
  const endings = format.extensions.map((one) => `.${one}`).join(' ')
  const words = { file: name, format: format.label, endings }
  throw new FormatError(
    'invalid-edit',
    say(format.extensions.includes(extensionOf(name)) ? 'archiveEdits.notAgain' : 'archiveEdits.notAs', words),
    {
      file,
    },
  )
}

/** The bytes that a directory was read from. */
export function peerSource({ peers }: WrittenArchive, ref: string): ByteSource {
  return peers.find((peer) => peer.ref === ref)!.source
}

/** A file of an archive as it will be, and what it is made of. */
export interface ArchiveOutput extends Replacement {
  segments: readonly Segment[]
  /** the old file */
  source: ByteSource
}

/** What an archive with replaced members is written from: one file; or the data file, the other directories over it, and its directory. */
export function archiveOutputs(open: OpenArchive, replacements: ReadonlyMap<number, Uint8Array>, disk: string): ArchiveOutput[] {
  return outputsOf(open, open.format.replace(open.index, replacements), disk)
}

/**
 * The same of parts that are made: the data file is the first, the directory that was named the last.
 * @param step awaited with the bytes of each piece that was written; throws to stop
 */
export function outputsOf(
  open: WrittenArchive,
  { data, directory, peers = [] }: ArchiveParts,
  disk: string,
  step?: (bytes: number) => Promise<void>,
): ArchiveOutput[] {
  const output = (target: string, segments: Segment[], source: ByteSource): ArchiveOutput => ({
    target,
    segments,
    source,
    write: (handle) => streamSegments(handle, segments, source, step),
  })
  if (!directory) return [output(disk, data, open.source)]
  return [
    output(besideArchive(open, open.dataRef, disk), data, open.data),
    ...peers.map(({ ref, segments }) => output(besideArchive(open, ref, disk), segments, peerSource(open, ref))),
    output(disk, directory, open.source),
  ]
}

/** Files of an archive that are not written yet, read as they will be. */
export function sourcesOf(outputs: readonly ArchiveOutput[]): ByteSource[] {
  return outputs.map(({ segments, source }) => new SegmentSource(segments, source, source.ref))
}

/**
 * A mod folder that has some directories of a disc and not this one: its data file is changed already, and the game's would go over it.
 * @throws FormatError refused
 */
export function expectAlone(open: WrittenArchive, disk: string): void {
  const there = open.peers.map(({ ref }) => besideArchive(open, ref, disk)).find((path) => existsSync(path))
  if (there)
    throw new FormatError('refused', say('saving.directoryMissing', { there: basename(there), file: basename(disk) }), { file: disk })
}

/** Keeps what stands there, all of it before any of it is replaced: of several files none is written when one cannot be. */
export async function keepOriginals(store: FileStore, originals: Originals, outputs: readonly Replacement[]): Promise<void> {
  const [data, ...directories] = outputs.map(({ target }) => target)
  if (directories.length === 0) return void (await originals.keep(data))
  for (const file of [data, ...directories]) expectNoLink(dirname(file), file)
  await originals.keepTogether(data, directories)
  release(store, data, ...directories)
  await expectReplaceable(data, ...directories)
}

/**
 * The new archive is opened and its members read before it takes the old one's place.
 * @param files the new ones, in the order of `archiveOutputs`
 * @throws FormatError io
 */
export function checkMembers(
  store: FileStore,
  open: OpenArchive,
  replacements: ReadonlyMap<number, Uint8Array>,
  files: readonly ByteSource[],
  disk: string,
): void {
  const data = files[0]
  const { members }: ArchiveIndex = open.format.open(files.at(-1)!, data)
  if (members.length !== open.index.members.length) throw new FormatError('io', say('saving.memberCountDiffers'), { file: disk })
  for (let i = 0; i < members.length; i++) {
    const old = open.index.members.at(i)!
    const member = members.at(i)!
    const given = replacements.get(i)
    if (!given) {
      // one that the end of the file cut gets what its directory promised when something is appended
      if (member.size < old.size) throw new FormatError('io', say('saving.memberShorter', { index: i }), { file: disk })
      continue
    }
    const bytes = storedBody(open.format, given)
    if (member.size !== bytes.length || firstDifference(data.read(member.offset, member.size), bytes) >= 0)
      throw new FormatError('io', say('saving.memberNotReadBack', { index: i }), { file: disk })
  }
  const bodies = new Map<string, Uint8Array>()
  for (const [i, bytes] of replacements) bodies.set(keyOf(open.index.members.at(i)!), bytes)
  checkPeers(store, open, data, files.slice(1, -1), bodies)
}

function keyOf({ name, duplicate }: { name: string; duplicate: number }): string {
  return memberKey(name, duplicate).toLowerCase()
}

/**
 * Each of the other directories names the new bodies, and everything else as before.
 * @param sources what is written for `open.peers`, in their order
 * @param bodies by their keys in lower case
 * @param renamed names that differ, by the keys of their members in lower case
 * @throws FormatError io
 */
export function checkPeers(
  store: FileStore,
  open: OpenArchive,
  data: ByteSource,
  sources: readonly ByteSource[],
  bodies: ReadonlyMap<string, Uint8Array>,
  renamed: ReadonlyMap<string, string> = new Map(),
): void {
  open.peers.forEach(({ ref, source }, n) => {
    const format = store.registry.identify(store.headOf(source), basename(ref), source.size)?.archive
    if (!format) return
    const before = format.open(source, open.data)
    const after = format.open(sources[n], data)
    let i = 0
    for (const old of before.members) {
      const now = after.members.at(i++)
      const body = bodies.get(keyOf(old))
      const right =
        now !== undefined &&
        memberKey(now.name, 0) === memberKey(renamed.get(keyOf(old)) ?? old.name, 0) &&
        (body
          ? now.size === body.length && firstDifference(data.read(now.offset, now.size), body) < 0
          : now.offset === old.offset && now.size >= old.size)
      if (!right) throw new FormatError('io', say('saving.peerDiffers', { file: basename(ref), name: old.name }), { file: ref })
    }
    if (after.members.length !== before.members.length) throw new FormatError('io', say('saving.memberCountDiffers'), { file: ref })
  })
}

async function streamSegments(
  handle: FileHandle,
  segments: Segment[],
  source: ByteSource,
  step?: (bytes: number) => Promise<void>,
): Promise<void> {
  const put = async (bytes: Uint8Array): Promise<void> => {
    await writeAll(handle, bytes)
    await step?.(bytes.length)
  }
  for (const segment of segments) {
    if (segment.kind === 'bytes') await put(segment.bytes)
    else
      for (let done = 0; done < segment.length; done += WINDOW)
        await put(source.read(segment.offset + done, Math.min(WINDOW, segment.length - done)))
  }
}

/** An archive that is itself a member: held in memory, as every member is that is replaced. */
export function materialise(segments: Segment[], source: ByteSource): Uint8Array {
  let size = 0
  for (const segment of segments) size += segment.kind === 'bytes' ? segment.bytes.length : segment.length
  const out = new Uint8Array(size)
  let at = 0
  for (const segment of segments) {
    const bytes = segment.kind === 'bytes' ? segment.bytes : source.read(segment.offset, segment.length)
    out.set(bytes, at)
    at += bytes.length
  }
  return out
}
