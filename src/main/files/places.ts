/** What a reference means: the longest beginning that is on disk, the rest inside of it. Archives are opened once per version of their file. */
import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { HEAD_BYTES } from '../formats/registry.ts'
import { MEMBER_SEPARATOR, memberKey, memberRef } from '../../shared/ref.ts'
import { touching, type DiskTouch } from '../../shared/worker/disk-mark.ts'
import { atOnce } from '../../shared/stepwise.ts'
import { isWindowsDetour, plainPath, realPath } from './paths.ts'
import { isTemporaryName, temporaryParts } from '../../shared/temporary-name.ts'
import { settleRecords } from './commit-record.ts'
import { isOwn, isStuck, ownerIsAlive } from './temporaries.ts'
import { IN_PLACE_FROM } from './undo-record.ts'
import { StoreMembers } from './store-members.ts'
import { DescriptorPool, DiskSource, ioError, isStamped, RangeSource, UnpackedPool, UnpackedSource } from './sources.ts'
import type { Stats } from 'node:fs'
import type { StoreMember } from './store-members.ts'
import type { ArchiveFormat, ArchiveIndex, ByteSource } from '../formats/archive.ts'
import type { Identified, Registry } from '../formats/registry.ts'
import type { DiskStamp } from './sources.ts'
import type { Stepwise } from '../../shared/stepwise.ts'
import { say } from '../../shared/texts/say.ts'

/** Archives in archives, at most. */
const MAX_NESTING = 8

/** An archive whose members are larger together than this many times its data has no archives in it that are opened. Discs give some files two names. */
const MAX_OVERLAP = 4

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
  /** the other directories over the same data file; what is written goes into all of them */
  peers: { ref: string; source: ByteSource }[]
  /** the directory that a library lists the members under where this is another one over the same data, else '' */
  leader: string
  members: StoreMembers
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
export interface Place {
  disk: string
  stamp: DiskStamp
  directory: boolean
  /** archive and member for a member, innermost */
  archive?: CachedArchive
  member?: StoreMember
  /** folder inside of the archive, when the reference names one */
  prefix?: string
}

export interface PlacesOptions {
  /** bounds of the archive cache */
  maxArchives?: number
  maxMembers?: number
  /** told of each call that a drive may leave without an answer */
  touch?: DiskTouch
}

/** Where references lead: files and folders on disk, members of archives, folders inside of those. Archives are opened once per version of their file. */
export class Places {
  private readonly registry: Registry
  private readonly pool: DescriptorPool
  private readonly touch: DiskTouch | undefined
  private readonly unpacked = new UnpackedPool()
  private readonly archives = new Map<string, CachedArchive>()
  private readonly maxArchives: number
  private readonly maxMembers: number

  constructor(registry: Registry, { maxArchives = 64, maxMembers = 500_000, touch }: PlacesOptions) {
    this.registry = registry
    this.touch = touch
    this.pool = new DescriptorPool(touch)
    this.maxArchives = maxArchives
    this.maxMembers = maxMembers
  }

  /** Forgets the archives of a file on disk or around a member, and closes what is open of them. @param path absolute; the file may be gone */
  forget(path: string): void {
    for (const [key, cached] of this.archives) {
      if (cached.stamps.some((s) => s.path === path || path.startsWith(s.path + MEMBER_SEPARATOR))) {
        this.archives.delete(key)
        for (const { path: held } of cached.stamps) this.pool.release(held)
      }
    }
    this.pool.release(path)
  }

  close(): void {
    this.pool.release()
    this.unpacked.clear()
    this.archives.clear()
  }

  sourceOf(place: Place): ByteSource {
    if (place.member) return this.memberSource(place.archive!.open, place.member)
    return new DiskSource(this.pool, place.disk, place.stamp)
  }

  /** A file on disk as a walk met it. That it is still so, reading it shows. @param disk absolute */
  met(disk: string, stamp: DiskStamp): ByteSource {
    return this.sourceOf(this.current({ disk, stamp, directory: false }))
  }

  /** A member's body, unpacked where it stands packed. */
  memberSource({ format, index, data }: OpenArchive, { ref, index: number, offset, size }: StoreMember): ByteSource {
    const stored = new RangeSource(data, ref, offset, size)
    // one that is cut says so when it is read
    const body = offset + size <= data.size ? format.unpack?.(index, number, stored) : undefined
    return body ? new UnpackedSource(body, ref, this.unpacked) : stored
  }

  /** Finds what a reference means: the longest beginning that is on disk, the rest inside of it. */
  find(ref: string): Place {
    if (typeof ref !== 'string' || ref === '' || ref.includes('\0'))
      throw new FormatError('not-found', say('files.noName'), { file: String(ref) })
    // not folded before it is looked up: `pack!../../x` must never mean a file outside of the pack
    const raw = absolute(ref)
    const whole = this.diskPlace(raw)
    if (whole) return this.current(whole)
    for (let at = raw.lastIndexOf(MEMBER_SEPARATOR); at > 0; at = raw.lastIndexOf(MEMBER_SEPARATOR, at - 1)) {
      const outer = this.diskPlace(raw.slice(0, at))
      if (outer && !outer.directory) return this.inside(ref, outer.disk, outer, raw.slice(at + 1))
    }
    throw new FormatError('not-found', say('files.notThere', { file: ref }), { file: ref })
  }

  private inside(ref: string, archiveRef: string, outer: Place, given: string): Place {
    const key = memberKey(given, 0)
    const archive = this.archive(outer)
    const directory = archive ? undefined : this.directoryOver(outer)
    if (directory) return this.inside(ref, directory.member?.ref ?? directory.disk, directory, key)
    if (!archive) throw new FormatError('not-found', say('files.noArchive', { file: ref, archive: archiveRef }), { file: ref })
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
    throw new FormatError('not-found', say('files.noMember', { archive: archiveRef, member: key }), { file: ref })
  }

  archive(place: Place): CachedArchive | undefined {
    return atOnce(this.opening(place))
  }

  /** The same in steps; what opens the archive between them wins nothing and loses nothing. */
  *opening(place: Place): Stepwise<CachedArchive | undefined> {
    const key = place.member ? place.member.ref : place.disk
    const held = this.archives.get(key)
    if (held) {
      this.archives.delete(key)
      if (held.stamps.every(({ path, stamp }) => isStamped(path === place.disk ? place.stamp : this.diskPlace(path)?.stamp, stamp))) {
        this.archives.set(key, held)
        return held
      }
    }
    // a write that was killed is brought to its end before anything of it is read
    if (this.mayBeWritten(place) && this.settled(place, true)) return yield* this.opening(this.diskPlace(place.disk) ?? place)
    const source = this.sourceOf(place)
    const name = place.member ? place.member.name : basename(place.disk)
    const format = this.identify(place)?.archive
    if (!format) return undefined
    const depth = place.archive ? place.archive.depth + 1 : 0
    if (depth >= MAX_NESTING) throw new FormatError('unsupported', say('files.nested', { most: MAX_NESTING }), { file: key })
    // members that lie over each other may be one archive under thousands of names, and each would be read through
    if (place.archive && place.archive.overlap > MAX_OVERLAP) throw new FormatError('refused', say('files.overlapAround'), { file: key })
    const companion = format.companion?.(name)
    const data = companion ? this.companionOf(place, companion, key) : undefined
    const { peers, leader } = data ? this.peersOf(place, format.peers?.(name) ?? [], key) : { peers: [], leader: '' }
    const stamps = [...(place.archive?.stamps ?? [{ path: place.disk, stamp: place.stamp }])]
    if (data && !place.member)
      for (const { ref } of [data, ...peers]) stamps.push({ path: ref, stamp: this.diskPlace(ref)?.stamp ?? { size: -1, mtimeMs: 0 } })
    const index: ArchiveIndex = format.opening
      ? yield* format.opening(source)
      : format.open(
          source,
          data ?? source,
          peers.map((peer) => peer.source),
        )
    const bytes = (data ?? source).size
    let covered = 0
    const members = yield* StoreMembers.listing(key, index, (offset, size) => {
      covered += Math.max(0, Math.min(size, bytes - offset))
    })
    const overlap = covered / Math.max(1, bytes)
    // members that lie over each other could hold their own archive again and again
    if (depth > 0 && overlap > 1) throw new FormatError('refused', say('files.overlapInArchive'), { file: key })
    const open: OpenArchive = {
      ref: key,
      format,
      index,
      source,
      data: data ?? source,
      dataRef: data?.ref ?? '',
      peers,
      leader,
      members,
    }
    const cached: CachedArchive = { open, depth, overlap, stamps }
    this.archives.set(key, cached)
    this.trim()
    return cached
  }

  /** Whether a write may have been killed with half of the file on disk: between the files of an archive, or in one that is written where it stands. */
  private mayBeWritten({ disk, directory, archive, stamp }: Place): boolean {
    return !directory && !archive && (stamp.size >= IN_PLACE_FROM || this.registry.mayLead(basename(disk)))
  }

  /** A file on disk after what a dead writer left of it was brought to its end. */
  private current(place: Place): Place {
    return this.mayBeWritten(place) && this.settled(place, false) ? (this.diskPlace(place.disk) ?? place) : place
  }

  /**
   * @returns whether files of the folder were moved
   * @throws FormatError changed-on-disk while another process writes the archive, where that is asked for
   */
  private settled({ disk }: Place, whole: boolean): boolean {
    const folder = dirname(disk)
    // this process changes all files in one go: it never sees half of its own work, but for what no disk let it write back
    const torn = (name: string): boolean => temporaryParts(name)?.kind === 'undo' && isStuck(join(folder, name))
    const names = this.namesIn(folder).filter((name) => isTemporaryName(name) && (!isOwn(name) || torn(name)))
    if (names.length === 0) return false
    const { moved, busy } = settleRecords(folder, names, (path) => ownerIsAlive(path) && !torn(basename(path)))
    if (whole && busy.has(basename(disk))) throw new FormatError('changed-on-disk', say('files.archiveBeingWritten'), { file: disk })
    return moved
  }

  /** What a file is. One that begins as a member of its disc does is no such file: its directories say what is in it. */
  identify(place: Place): Identified | undefined {
    const source = this.sourceOf(place)
    const name = place.member ? place.member.name : basename(place.disk)
    return this.isData(place, name) ? undefined : this.registry.identify(headOf(source), name, source.size)
  }

  private isData(place: Place, name: string): boolean {
    if (!this.registry.mayBeData(name)) return false
    const stem = name.replace(/\.[^.]*$/, '')
    for (const directory of this.registry.directoryNames(name.toLowerCase())) {
      const ending = directory.slice(directory.lastIndexOf('.'))
      for (const spelled of [stem + ending, stem + ending.toUpperCase()]) {
        const found = this.exactlyBeside(place, spelled)
        const source = found && this.sourceOf(found)
        if (source && this.registry.identify(headOf(source), spelled, source.size)?.archive?.peers) return true
      }
    }
    return false
  }

  /** A file beside another one, without a look through all that stand there. */
  private exactlyBeside(place: Place, name: string): Place | undefined {
    if (place.member) {
      const slash = place.member.key.lastIndexOf('/')
      const member = place.archive!.open.members.byKey(place.member.key.slice(0, slash + 1) + name)
      return member && { ...place, member }
    }
    const file = this.diskPlace(join(dirname(place.disk), name))
    return file?.directory ? undefined : file
  }

  /** The directory that leads over a data file: `DATA.DAT!x` is `DATA.HD2!x`. */
  directoryOver(place: Place): Place | undefined {
    const own = (place.member?.name ?? basename(place.disk)).toLowerCase()
    for (const name of this.registry.directoryNames(own)) {
      try {
        const file = this.placeBeside(place, name)
        if (file && this.archive(file)?.open.dataRef) return file
      } catch {
        // a broken directory says nothing of the file
      }
    }
    return undefined
  }

  /** The data file beside a directory file. @throws FormatError not-found, refused */
  private companionOf(place: Place, name: string, ref: string): ByteSource {
    const found = this.beside(place, name, ref)
    if (!found) throw new FormatError('not-found', say('files.dataMissing', { file: basename(ref), data: name }), { file: ref })
    return found
  }

  /** @param names of all directories over the data file, this one's among them */
  private peersOf(place: Place, names: readonly string[], ref: string): Pick<OpenArchive, 'peers' | 'leader'> {
    const own = (place.member?.name ?? basename(place.disk)).toLowerCase()
    const peers: OpenArchive['peers'] = []
    let leader: string | undefined
    for (const name of names) {
      if (name.toLowerCase() === own) {
        leader ??= ''
        continue
      }
      const source = this.beside(place, name, ref)
      if (!source) continue
      peers.push({ ref: source.ref, source })
      // one that is no directory leads nobody
      if (this.registry.identify(headOf(source), name, source.size)?.archive?.companion) leader ??= source.ref
    }
    return { peers, leader: leader ?? '' }
  }

  /** @throws FormatError refused */
  private beside(place: Place, name: string, ref: string): ByteSource | undefined {
    const found = this.placeBeside(place, name)
    if (!found) return undefined
    // nobody asked for it by name: a link must not lead to a file elsewhere under it
    if (!found.member && dirname(realPath(found.disk)) !== dirname(realPath(place.disk)))
      throw new FormatError('refused', say('files.dataIsLink', { link: found.disk, file: basename(ref) }), { file: ref })
    return this.sourceOf(found)
  }

  /** A file beside another one, found without regard to case as the games do. */
  private placeBeside(place: Place, name: string): Place | undefined {
    const wanted = name.toLowerCase()
    if (place.member) {
      const folder = folderOfKey('', place.member.key).toLowerCase()
      const member = place.archive!.open.members.find(
        (m) => m.name.toLowerCase() === wanted && folderOfKey('', m.key).toLowerCase() === folder,
      )
      return member && { ...place, member }
    }
    const folder = dirname(place.disk)
    const exact = this.diskPlace(join(folder, name))
    const found = exact ? name : this.namesIn(folder).find((n) => n.toLowerCase() === wanted)
    const file = exact ?? (found === undefined ? undefined : this.diskPlace(join(folder, found)))
    return file?.directory ? undefined : file
  }

  private diskPlace(path: string): Place | undefined {
    return touching(this.touch, path, () => placeOnDisk(path))
  }

  private namesIn(folder: string): string[] {
    return touching(this.touch, folder, () => readdirSync(folder))
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

export function headOf(source: ByteSource): Uint8Array {
  return source.read(0, Math.min(HEAD_BYTES, source.size))
}

/** `C:x` counts from the folder that Windows keeps for the drive. */
function absolute(ref: string): string {
  if (isAbsolute(ref)) return plainPath(ref)
  return sep === '\\' && /^[a-z]:/i.test(ref) ? resolve(ref) : `${process.cwd()}${sep}${ref}`
}

/** Folder of a member: its archive, or a folder inside of it when its key has separators. */
export function folderOfKey(archive: string, key: string): string {
  const slash = key.replace(/\/+$/, '').lastIndexOf('/')
  return slash > 0 ? memberRef(archive, key.slice(0, slash)) : archive
}

function placeOnDisk(path: string): Place | undefined {
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
