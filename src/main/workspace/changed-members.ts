/**
 * What of changed files goes into a mod package: of an archive the members that changed, of an image of a disc those of the archives in it, and
 * the whole file where more than that is other than in the game. Nothing is compared but in windows: an image has 1.6 GB.
 */
import { setImmediate as breathe } from 'node:timers/promises'
import { memberRef } from '../../shared/ref.ts'
import { RangeSource } from '../files/sources.ts'
import type { OpenArchive } from '../files/places.ts'
import type { StoreMember } from '../files/store-members.ts'
import type { FileStore } from '../files/store.ts'
import type { ByteSource } from '../formats/archive.ts'
import { windowOf } from './archive-edits.ts'
import type { ChangedPair } from './changed-files.ts'

/** Members that are larger go as little as whole files do. */
export const MOST_FILE = 256 * 2 ** 20
const WINDOW = 1 << 22

/** A file by its references; `original` is '' for one that the game does not have. */
export type ChangedFile = Pick<ChangedPair, 'path' | 'original' | 'now'>

/** A file, or a member, as it goes into a package. */
export interface ChangedPart {
  /** of the file on disk, below the game's folder */
  path: string
  /** of a member: its name in the archive, as in a reference */
  member?: string
  /** the file on disk is an image of a disc */
  image?: true
  /** undefined for one that the game does not have */
  original?: ByteSource
  now: ByteSource
}

interface Members {
  parts: ChangedPart[]
  /** the other files of the archive, by their paths: they go with it */
  beside: string[]
}

/** @param files all of those that changed: the data file of an archive goes with its directory, and so do the other directories over it */
export async function changedParts(store: FileStore, files: readonly ChangedFile[]): Promise<ChangedPart[]> {
  const archives = new Map<string, Members | undefined>()
  const leading = files.map((file) => leadOf(store, file))
  for (const lead of leading) if (!archives.has(lead.path)) archives.set(lead.path, await membersOf(store, lead))
  const elsewhere = new Set([...archives.values()].flatMap((members) => members?.beside ?? []))
  const given = new Set<string>()
  return files.flatMap((file, i) => {
    const { path } = leading[i]
    const members = archives.get(path)
    if (!members) return elsewhere.has(file.path) ? [] : wholeOf(store, file)
    if (given.has(path) || elsewhere.has(path)) return []
    given.add(path)
    return members.parts
  })
}

function wholeOf(store: FileStore, { path, original, now }: ChangedFile): ChangedPart {
  return { path, ...(original && { original: store.source(original) }), now: store.source(now) }
}

/** A data file that changed alone says by itself nothing of its members: the directory over it does. */
function leadOf(store: FileStore, file: ChangedFile): ChangedFile {
  if (!file.original) return file
  try {
    const [original, now] = [store.archiveOfData(file.original), store.archiveOfData(file.now)]
    if (original === file.original || now === file.now) return file
    return { path: besidePath(file, now), original, now }
  } catch {
    return file
  }
}

/** The path of a file that stands beside another one. */
function besidePath({ path, now }: ChangedFile, other: string): string {
  const folder = path.lastIndexOf('/') + 1
  return path.slice(0, folder) + other.slice(now.length - (path.length - folder))
}

/** The members that changed where nothing else of an archive did; undefined where the file has to go as a whole. */
async function membersOf(store: FileStore, file: ChangedFile): Promise<Members | undefined> {
  if (!file.original) return undefined
  let before: OpenArchive | undefined
  let after: OpenArchive | undefined
  try {
    before = store.openArchive(file.original)
    after = store.openArchive(file.now)
  } catch {
    return undefined
  }
  if (!before || !after || before.format !== after.format || before.members.length !== after.members.length) return undefined
  if (before.format.replaceFiles) return inImage(store, file, before, after)
  if (after.format.readOnly) return undefined
  const parts: ChangedPart[] = []
  let read = 0
  for (let i = 0; i < before.members.length; i++) {
    const old = before.members.at(i)!
    const fresh = after.members.at(i)!
    if (old.key !== fresh.key || fresh.size > MOST_FILE) return undefined
    if ((read += fresh.size + 64) > WINDOW) {
      await breathe()
      read = 0
    }
    if (!(await differ(windowOf(before.data, old), windowOf(after.data, fresh)))) continue
    // a package has members as they are when they are opened: that is how building one finds them in the game
    const part: ChangedPart = {
      path: file.path,
      member: fresh.key,
      original: store.sourceOf(before, old),
      now: store.sourceOf(after, fresh),
    }
    if (await differ(part.original!, part.now)) parts.push(part)
  }
  if (parts.length === 0) return undefined
  // building one writes all directories; which of them names the members is the first that has them
  const others = after.leader === '' ? after.peers.map(({ ref }) => ref) : []
  return { parts, beside: (after.dataRef ? [after.dataRef, ...others] : []).map((other) => besidePath(file, other)) }
}

/** What changed of an image of a disc, which has the same files: of those that are archives their members. */
async function inImage(store: FileStore, { path }: ChangedFile, before: OpenArchive, after: OpenArchive): Promise<Members | undefined> {
  const files: ChangedFile[] = []
  for (let i = 0; i < before.members.length; i++) {
    const old = before.members.at(i)!
    const fresh = after.members.at(i)!
    if (old.key !== fresh.key) return undefined
    const [was, is] = [store.sourceOf(before, old), store.sourceOf(after, fresh)]
    if (await isWhatIsLeft(was, is, old, fresh)) continue
    if (await differ(was, is)) files.push({ path: fresh.key, original: old.ref, now: fresh.ref })
  }
  const parts = (await changedParts(store, files)).map((part): ChangedPart => {
    const member = part.member === undefined ? part.path : memberRef(part.path, part.member)
    return { ...part, path, member, image: true }
  })
  return parts.length > 0 ? { parts, beside: [] } : undefined
}

/** Padding of which a file that grew took the beginning: whoever makes that grow again comes to the same. */
async function isWhatIsLeft(was: ByteSource, is: ByteSource, old: StoreMember, fresh: StoreMember): Promise<boolean> {
  const taken = was.size - is.size
  if (taken <= 0 || fresh.offset - old.offset !== taken) return false
  return !(await differ(new RangeSource(was, was.ref, taken, is.size), is))
}

async function differ(a: ByteSource, b: ByteSource): Promise<boolean> {
  if (a.size !== b.size) return true
  for (let at = 0; at < a.size; at += WINDOW) {
    if (at > 0) await breathe()
    const length = Math.min(WINDOW, a.size - at)
    if (Buffer.compare(a.read(at, length), b.read(at, length)) !== 0) return true
  }
  return false
}
