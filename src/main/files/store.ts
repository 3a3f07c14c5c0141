/**
 * Files by reference: on disk, or members of archives (nested too), read in windows. Archives are opened once per
 * version of their file and look like folders. A reference that is on disk wins over its reading as a member.
 */
import { readdirSync, statSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { decodeVerified } from '../formats/format.ts'
import { HEAD_BYTES, registry as productRegistry } from '../formats/registry.ts'
import { MEMBER_SEPARATOR, memberRef } from '../../shared/ref.ts'
import { isWindowsDetour, plainPath, realPath, spelledAsOnDisk } from './paths.ts'
import { isTemporaryName } from '../../shared/temporary-name.ts'
import { settleRecords } from './commit-record.ts'
import { isOwn, ownerIsAlive } from './temporaries.ts'
import { lastPart, StoreMembers } from './store-members.ts'
import type { StoreMember } from './store-members.ts'
import { DescriptorPool, DiskSource, ioError, RangeSource } from './sources.ts'
import type { ArchiveFormat, ArchiveIndex, ByteSource, Document, FileFormat } from '../formats/format.ts'
import type { Identified, Registry } from '../formats/registry.ts'
import type { DiskStamp } from './sources.ts'

export { isInside, realPath } from './paths.ts'

/** Largest body that `read` gives. */
const MAX_READ = 2 ** 30
/** Largest file that is decoded into a document. */
export const MAX_DOCUMENT = 256 * 2 ** 20
/** Archives in archives, at most. */
const MAX_NESTING = 8
/** Members below one file on disk that anything which goes through all of them looks at. */
export const MAX_MEMBERS = 1_000_000

/** An archive whose members are larger together than this many times its data has no archives in it that are opened. Discs give some files two names. */
const MAX_OVERLAP = 4

export interface FileStat {
  /** of the body: the member's for a member */
  size: number
  /** of the file on disk */
  mtimeMs: number
  /** the file on disk that holds the bytes; with a companion (IMG v1) the one that was named, not the data file */
  disk: string
  member: boolean
}

/** An archive that is open. Valid as long as its file stays as it is. */
export interface OpenArchive {
  ref: string
  format: ArchiveFormat
  index: ArchiveIndex
  /** the archive's own bytes (the directory where there is a companion) */
  source: ByteSource
  /** where members stand; the same as `source` without a companion */
  data: ByteSource
  /** reference of the companion, '' for none */
  dataRef: string
  members: StoreMembers
}

export interface ListEntry {
  ref: string
  name: string
  /** opens like a folder: a folder on disk, an archive, or a folder inside of an archive */
  folder: boolean
  archive: boolean
  size: number
}

interface CachedArchive {
  open: OpenArchive
  /** archives around it */
  depth: number
  /** bytes of all members together, in sizes of the data they stand in: more than 1 where they lie over each other */
  overlap: number
  stamps: { path: string; stamp: DiskStamp }[]
}

/** Where a reference leads. */
interface Place {
  disk: string
  stamp: DiskStamp
  directory: boolean
  /** archive and member for a member, innermost */
  archive?: CachedArchive
  member?: StoreMember
  /** folder inside of the archive, when the reference names one */
  prefix?: string
}

export interface FileStoreOptions {
  registry?: Registry
  /** bounds of the archive cache */
  maxArchives?: number
  maxMembers?: number
}

export class FileStore {
  readonly registry: Registry
  private readonly pool = new DescriptorPool()
  private readonly archives = new Map<string, CachedArchive>()
  private readonly maxArchives: number
  private readonly maxMembers: number

  constructor(options: FileStoreOptions = {}) {
    this.registry = options.registry ?? productRegistry
    this.maxArchives = options.maxArchives ?? 64
    this.maxMembers = options.maxMembers ?? 500_000
  }

  /** Closes descriptors and forgets archives; the store can be used again. */
  close(): void {
    this.pool.release()
    this.archives.clear()
  }

  /** Forgets what is known of a file on disk (or of the one that a member stands in), or everything, and closes its descriptor. */
  invalidate(ref?: string): void {
    if (ref === undefined) return this.close()
    const path = resolve(ref)
    // without looking at the disk: the file may be gone
    for (const [key, cached] of this.archives) {
      if (cached.stamps.some((s) => s.path === path || path.startsWith(s.path + MEMBER_SEPARATOR))) {
        this.archives.delete(key)
        for (const { path: held } of cached.stamps) this.pool.release(held)
      }
    }
    this.pool.release(path)
  }

  /** @throws FormatError not-found, io */
  stat(ref: string): FileStat {
    const place = this.file(ref)
    return {
      size: place.member ? place.member.size : place.stamp.size,
      mtimeMs: place.stamp.mtimeMs,
      disk: place.disk,
      member: place.member !== undefined,
    }
  }

  /** Whether a file, folder, archive member or folder inside of an archive is there. */
  exists(ref: string): boolean {
    try {
      this.place(ref)
      return true
    } catch {
      return false
    }
  }

  /** True for folders on disk and folders inside of archives; archives are files. */
  isFolder(ref: string): boolean {
    try {
      const place = this.place(ref)
      return place.directory || place.prefix !== undefined
    } catch {
      return false
    }
  }

  /** The bytes of a file in windows, as it is on disk now. */
  source(ref: string): ByteSource {
    return this.sourceOf(this.file(ref))
  }

  /** The whole body. @throws FormatError unsupported above 1 GiB */
  read(ref: string): Uint8Array {
    const source = this.source(ref)
    if (source.size > MAX_READ) {
      throw new FormatError('unsupported', `the file has ${source.size} bytes, at most ${MAX_READ} are read at once`, {
        file: source.ref,
        expected: `at most ${MAX_READ}`,
        actual: String(source.size),
      })
    }
    return source.read(0, source.size)
  }

  /** First HEAD_BYTES bytes, all of a smaller file. */
  head(ref: string): Uint8Array {
    return this.headOf(this.source(ref))
  }

  headOf(source: ByteSource): Uint8Array {
    return source.read(0, Math.min(HEAD_BYTES, source.size))
  }

  identify(ref: string): Identified | undefined {
    const source = this.source(ref)
    return this.registry.identify(this.headOf(source), this.nameOf(ref), source.size)
  }

  /** Name of a file or member with its extension. */
  nameOf(ref: string): string {
    const place = this.place(ref)
    return place.member ? place.member.name : place.prefix !== undefined ? lastPart(place.prefix) : basename(place.disk)
  }

  /** The archive's index, undefined for what is no archive. @throws FormatError of a broken one */
  archive(ref: string): ArchiveIndex | undefined {
    return this.openArchive(ref)?.index
  }

  openArchive(ref: string): OpenArchive | undefined {
    return this.cachedArchive(this.file(ref))?.open
  }

  /** Members of an archive in its order. @throws FormatError bad-magic for what is no archive */
  members(ref: string): StoreMembers {
    return this.needArchive(ref).members
  }

  /** The reference in the one form that walks, lists and neighbourhoods give: absolute, members spelled as in their archive. */
  canonical(ref: string): string {
    const place = this.place(ref)
    const found = place.member
      ? place.member.ref
      : place.prefix !== undefined
        ? memberRef(place.archive!.open.ref, place.prefix)
        : place.disk
    return spelledAsOnDisk(place.disk) + found.slice(place.disk.length)
  }

  /** The archive that a member stands in, undefined for a file on disk. */
  container(ref: string): string | undefined {
    return this.place(ref).archive?.open.ref
  }

  /** The file on disk that a reference leads to. */
  diskFile(ref: string): string {
    return this.place(ref).disk
  }

  /** Bytes in which the archive of a member counts its size (`ArchiveFormat.unit`); 0 where sizes are exact. */
  unit(ref: string): number {
    return this.place(ref).archive?.open.format.unit ?? 0
  }

  /** The folder (on disk, or inside of an archive) or archive that a file stands in. */
  folderOf(ref: string): string {
    const place = this.place(ref)
    if (!place.archive) return dirname(place.disk)
    return folderOfKey(place.archive.open.ref, place.member ? place.member.key : place.prefix!)
  }

  /** What stands in a folder, an archive, or a folder inside of an archive; folders first, by name. */
  list(ref: string): ListEntry[] {
    const place = this.place(ref)
    const entries = place.directory ? this.listDisk(place.disk) : this.listArchive(ref, place)
    return entries.sort((a, b) => Number(b.folder && !b.archive) - Number(a.folder && !a.archive) || compareNames(a.name, b.name))
  }

  private listDisk(folder: string): ListEntry[] {
    const entries: ListEntry[] = []
    let names: string[]
    try {
      names = readdirSync(folder)
    } catch (error) {
      throw ioError(error, folder)
    }
    for (const name of names) {
      if (isTemporaryName(name)) continue
      const path = join(folder, name)
      // a broken link, or a file that went away meanwhile, is no reason to fail the folder
      const stat = statSync(path, { throwIfNoEntry: false })
      if (!stat || !(stat.isFile() || stat.isDirectory())) continue
      const archive = stat.isFile() && this.looksLikeArchive(path)
      entries.push({ ref: path, name, folder: stat.isDirectory() || archive, archive, size: stat.isFile() ? stat.size : 0 })
    }
    return entries
  }

  private listArchive(ref: string, place: Place): ListEntry[] {
    const inner = place.prefix === undefined ? this.needArchive(ref) : place.archive!.open
    const prefix = place.prefix === undefined ? '' : `${place.prefix}/`
    const folders = new Map<string, ListEntry>()
    const entries: ListEntry[] = []
    for (const member of inner.members) {
      if (!member.key.startsWith(prefix)) continue
      const rest = member.key.slice(prefix.length)
      const slash = rest.indexOf('/')
      if (slash > 0 && slash < rest.length - 1) {
        const name = rest.slice(0, slash)
        if (!folders.has(name)) folders.set(name, { ref: memberRef(inner.ref, prefix + name), name, folder: true, archive: false, size: 0 })
      } else {
        const archive = this.looksLikeArchive(member.ref)
        entries.push({ ref: member.ref, name: rest, folder: archive, archive, size: member.size })
      }
    }
    return [...folders.values(), ...entries]
  }

  private looksLikeArchive(ref: string): boolean {
    try {
      return this.identify(ref)?.archive !== undefined
    } catch {
      return false
    }
  }

  private needArchive(ref: string): OpenArchive {
    const open = this.openArchive(ref)
    if (!open) throw new FormatError('bad-magic', `${ref} is neither a folder nor an archive`, { file: ref, offset: 0 })
    return open
  }

  /** A file or member; folders are refused. */
  private file(ref: string): Place {
    const place = this.place(ref)
    if (place.directory || place.prefix !== undefined) throw new FormatError('io', `${ref} is a folder`, { file: ref })
    return place
  }

  private sourceOf(place: Place): ByteSource {
    if (place.member) return new RangeSource(place.archive!.open.data, place.member.ref, place.member.offset, place.member.size)
    return new DiskSource(this.pool, place.disk, place.stamp)
  }

  /** Finds what a reference means: the longest beginning that is on disk, the rest inside of it. */
  private place(ref: string): Place {
    if (typeof ref !== 'string' || ref === '' || ref.includes('\0'))
      throw new FormatError('not-found', 'this is not the name of a file', { file: String(ref) })
    // not folded before it is looked up: `pack!../../x` must never mean a file outside of the pack
    const raw = absolute(ref)
    const whole = diskPlace(raw)
    if (whole) return whole
    for (let at = raw.lastIndexOf(MEMBER_SEPARATOR); at > 0; at = raw.lastIndexOf(MEMBER_SEPARATOR, at - 1)) {
      const outer = diskPlace(raw.slice(0, at))
      if (outer && !outer.directory) return this.inside(ref, outer.disk, outer, raw.slice(at + 1))
    }
    throw new FormatError('not-found', `${ref} is not there`, { file: ref })
  }

  private inside(ref: string, archiveRef: string, outer: Place, key: string): Place {
    const archive = this.cachedArchive(outer)
    if (!archive) throw new FormatError('not-found', `${ref} is not there: ${archiveRef} is no archive`, { file: ref })
    const { disk, stamp } = outer
    const member = archive.open.members.byKey(key)
    if (member) return { disk, stamp, directory: false, archive, member }
    for (let at = key.lastIndexOf(MEMBER_SEPARATOR); at > 0; at = key.lastIndexOf(MEMBER_SEPARATOR, at - 1)) {
      const nested = archive.open.members.byKey(key.slice(0, at))
      if (nested) return this.inside(ref, nested.ref, { disk, stamp, directory: false, archive, member: nested }, key.slice(at + 1))
    }
    const prefix = `${key.replace(/\/+$/, '').toLowerCase()}/`
    const folder = archive.open.members.folder(prefix)
    if (folder !== undefined) return { disk, stamp, directory: false, archive, prefix: folder }
    throw new FormatError('not-found', `${archiveRef} has no member ${key}`, { file: ref })
  }

  private cachedArchive(place: Place): CachedArchive | undefined {
    const key = place.member ? place.member.ref : place.disk
    const held = this.archives.get(key)
    if (held) {
      this.archives.delete(key)
      if (
        held.stamps.every(({ path, stamp }) =>
          path === place.disk ? sameStamp(stamp, place.stamp) : sameStamp(stamp, diskPlace(path)?.stamp),
        )
      ) {
        this.archives.set(key, held)
        return held
      }
    }
    const source = this.sourceOf(place)
    const name = place.member ? place.member.name : basename(place.disk)
    const format = this.registry.identify(this.headOf(source), name, source.size)?.archive
    if (!format) return undefined
    const depth = place.archive ? place.archive.depth + 1 : 0
    if (depth >= MAX_NESTING) throw new FormatError('unsupported', `archives are nested more than ${MAX_NESTING} deep`, { file: key })
    // the same bytes as an archive under thousands of names: each of them would be read through
    if (place.archive && place.archive.overlap > MAX_OVERLAP)
      throw new FormatError('refused', 'the members of the archive around this one overlap', { file: key })
    const companion = format.companion?.(name)
    // a write that was killed between the two files is brought to its end before either is read
    if (companion && !place.archive && this.settled(place)) return this.cachedArchive(diskPlace(place.disk) ?? place)
    const data = companion ? this.companionOf(place, companion, key) : undefined
    const stamps = [...(place.archive?.stamps ?? [{ path: place.disk, stamp: place.stamp }])]
    if (data && !place.member) stamps.push({ path: data.ref, stamp: diskPlace(data.ref)!.stamp })
    const index: ArchiveIndex = format.open(source, data ?? source)
    const bytes = (data ?? source).size
    let covered = 0
    for (const member of index.members) covered += Math.max(0, Math.min(member.size, bytes - member.offset))
    const overlap = covered / Math.max(1, bytes)
    // members that lie over each other could hold their own archive again and again
    if (depth > 0 && overlap > 1)
      throw new FormatError('refused', 'this archive stands in another one and its members overlap', { file: key })
    const open: OpenArchive = {
      ref: key,
      format,
      index,
      source,
      data: data ?? source,
      dataRef: data?.ref ?? '',
      members: new StoreMembers(key, index),
    }
    const cached: CachedArchive = { open, depth, overlap, stamps }
    this.archives.set(key, cached)
    this.trim()
    return cached
  }

  /**
   * @returns whether files of the folder were moved
   * @throws FormatError changed-on-disk while another process replaces the archive
   */
  private settled({ disk }: Place): boolean {
    const folder = dirname(disk)
    // this process replaces both files in one go: it never sees half of its own work
    const names = readdirSync(folder).filter((name) => isTemporaryName(name) && !isOwn(name))
    if (names.length === 0) return false
    const { moved, busy } = settleRecords(folder, names, ownerIsAlive)
    if (busy.has(basename(disk)))
      throw new FormatError('changed-on-disk', 'another Marrow is writing this archive at this moment: try again', { file: disk })
    return moved
  }

  /** The data file beside a directory file, found without regard to case as the games do. */
  private companionOf(place: Place, name: string, ref: string): ByteSource {
    const wanted = name.toLowerCase()
    if (place.member) {
      const folder = folderOfKey('', place.member.key)
      const sibling = place.archive!.open.members.find((m) => m.name.toLowerCase() === wanted && folderOfKey('', m.key) === folder)
      if (sibling) return new RangeSource(place.archive!.open.data, sibling.ref, sibling.offset, sibling.size)
    } else {
      const folder = dirname(place.disk)
      const exact = diskPlace(join(folder, name))
      const found = exact ? name : readdirSync(folder).find((n) => n.toLowerCase() === wanted)
      const data = exact ?? (found === undefined ? undefined : diskPlace(join(folder, found)))
      if (data && !data.directory) {
        // nobody asked for the companion by name: a link must not lead to a file elsewhere under it
        if (dirname(realPath(data.disk)) !== dirname(realPath(place.disk)))
          throw new FormatError('refused', `${data.disk} is a link to another folder: it is not taken for the data of ${basename(ref)}`, {
            file: ref,
          })
        return new DiskSource(this.pool, data.disk, data.stamp)
      }
    }
    throw new FormatError('not-found', `${basename(ref)} is the directory of ${name}, which is not beside it`, { file: ref })
  }

  private trim(): void {
    let members = 0
    for (const cached of this.archives.values()) members += cached.open.members.length
    for (const [key, cached] of this.archives) {
      if (this.archives.size <= 1 || (this.archives.size <= this.maxArchives && members <= this.maxMembers)) return
      members -= cached.open.members.length
      this.archives.delete(key)
    }
  }
}

/** Decodes a file and proves that it can be written back (`decodeVerified`). @throws FormatError, `unsupported` for what no format knows and above 256 MiB */
export function openDocument(store: FileStore, ref: string): { document: Document; format: FileFormat; bytes: Uint8Array } {
  const { format, bytes } = readForDecoding(store, ref)
  return { document: decodeVerified(format, bytes, ref), format, bytes }
}

/** Format and body of a file that a codec can read. @throws FormatError as openDocument */
export function readForDecoding(store: FileStore, ref: string): { format: FileFormat; bytes: Uint8Array } {
  const source = store.source(ref)
  const found = store.registry.identify(store.headOf(source), store.nameOf(ref), source.size)
  if (!found?.format)
    throw new FormatError(
      'unsupported',
      found ? `this is an archive (${found.archive.label}): open one of its members` : 'no format knows this file',
      { file: ref, offset: 0 },
    )
  if (source.size > MAX_DOCUMENT) {
    throw new FormatError('unsupported', `the file has ${source.size} bytes, at most ${MAX_DOCUMENT} are decoded`, {
      file: ref,
      expected: `at most ${MAX_DOCUMENT}`,
      actual: String(source.size),
    })
  }
  return { format: found.format, bytes: source.read(0, source.size) }
}

/** `C:x` counts from the folder that Windows keeps for the drive. */
function absolute(ref: string): string {
  if (isAbsolute(ref)) return plainPath(ref)
  return sep === '\\' && /^[a-z]:/i.test(ref) ? resolve(ref) : `${process.cwd()}${sep}${ref}`
}

/** By name without case, as file managers sort, with a fixed order for equal names. */
export function compareNames(a: string, b: string): number {
  const x = a.toLowerCase()
  const y = b.toLowerCase()
  return x < y ? -1 : x > y ? 1 : a < b ? -1 : a > b ? 1 : 0
}

/** Folder of a member: its archive, or a folder inside of it when its key has separators. */
export function folderOfKey(archive: string, key: string): string {
  const slash = key.replace(/\/+$/, '').lastIndexOf('/')
  return slash > 0 ? memberRef(archive, key.slice(0, slash)) : archive
}

function diskPlace(path: string): Place | undefined {
  if (isWindowsDetour(path)) return undefined
  const stat = diskStat(path)
  if (!stat) return undefined
  const disk = resolve(path)
  const same = disk === path ? stat : diskStat(disk)
  return same && { disk, stamp: { size: same.size, mtimeMs: same.mtimeMs }, directory: same.isDirectory() }
}

/** Undefined for what is not there and for pipes and devices, which would block or never end. */
function diskStat(path: string): Stats | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat && (stat.isFile() || stat.isDirectory()) ? stat : undefined
  } catch (error) {
    const code = (error as { code?: string }).code
    if (code === 'ENOTDIR' || code === 'ENAMETOOLONG' || code === 'ELOOP') return undefined
    throw ioError(error, path)
  }
}

function sameStamp(a: DiskStamp, b: DiskStamp | undefined): boolean {
  return b !== undefined && a.size === b.size && a.mtimeMs === b.mtimeMs
}
