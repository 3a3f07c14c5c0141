/**
 * Files by reference: on disk, or members of archives (nested too), read in windows. Archives look like folders. A reference that is on
 * disk wins over its reading as a member.
 */
import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { registry as productRegistry } from '../formats/registry.ts'
import { memberRef } from '../../shared/ref.ts'
import { spelledAsOnDisk } from './paths.ts'
import { isTemporaryName } from '../../shared/temporary-name.ts'
import { lastPart } from './store-members.ts'
import { ioError, RangeSource } from './sources.ts'
import { Places, headOf, folderOfKey } from './places.ts'
import type { StoreMember, StoreMembers } from './store-members.ts'
import type { WalkedFile } from './walk.ts'
import type { ArchiveIndex, ByteSource } from '../formats/archive.ts'
import type { Identified, Registry } from '../formats/registry.ts'
import type { OpenArchive, Place, PlacesOptions } from './places.ts'
import { say } from '../../shared/texts/say.ts'
import type { Stepwise } from '../../shared/stepwise.ts'

export { isInside, realPath } from './paths.ts'

/** Largest body that `read` gives. */
const MAX_READ = 2 ** 30

/** Members below one file on disk that anything which goes through all of them looks at. */
export const MAX_MEMBERS = 1_000_000

export interface FileStat {
  /** of the body: the member's for a member */
  size: number
  /** of the file on disk */
  mtimeMs: number
  /** the file on disk that holds the bytes; with a companion (IMG v1) the one that was named, not the data file */
  disk: string
  member: boolean
}

export interface ListEntry {
  ref: string
  name: string
  /** opens like a folder: a folder on disk, an archive, or a folder inside of an archive */
  folder: boolean
  archive: boolean
  size: number
}

export interface FileStoreOptions extends PlacesOptions {
  registry?: Registry
}

export class FileStore {
  readonly registry: Registry
  private readonly places: Places

  constructor(options: FileStoreOptions = {}) {
    this.registry = options.registry ?? productRegistry
    this.places = new Places(this.registry, options)
  }

  /** Closes descriptors and forgets archives; the store can be used again. */
  close(): void {
    this.places.close()
  }

  /** Forgets what is known of a file on disk (or of the one that a member stands in), or everything, and closes its descriptor. */
  invalidate(ref?: string): void {
    if (ref === undefined) return this.close()
    this.places.forget(resolve(ref))
  }

  /** @throws FormatError not-found, io */
  stat(ref: string): FileStat {
    const place = this.file(ref)
    return {
      size: place.member ? this.places.sourceOf(place).size : place.stamp.size,
      mtimeMs: place.stamp.mtimeMs,
      disk: place.disk,
      member: place.member !== undefined,
    }
  }

  /** Whether a file, folder, archive member or folder inside of an archive is there. */
  exists(ref: string): boolean {
    try {
      this.places.find(ref)
      return true
    } catch {
      return false
    }
  }

  /** True for folders on disk and folders inside of archives; archives are files. */
  isFolder(ref: string): boolean {
    try {
      const place = this.places.find(ref)
      return place.directory || place.prefix !== undefined
    } catch {
      return false
    }
  }

  /** The bytes of a file in windows, as it is on disk now. */
  source(ref: string): ByteSource {
    return this.places.sourceOf(this.file(ref))
  }

  /** The same of a file on disk that a walk has just met, which is not looked for again: where it changed since, reading it fails with changed-on-disk. */
  sourceMet({ path, size, mtimeMs }: Pick<WalkedFile, 'path' | 'size' | 'mtimeMs'>): ByteSource {
    return this.places.met(path, { size, mtimeMs })
  }

  /** The same of a member that is at hand. */
  sourceOf(archive: OpenArchive, member: StoreMember): ByteSource {
    return this.places.memberSource(archive, member)
  }

  /** The whole body. @throws FormatError unsupported above 1 GiB */
  read(ref: string): Uint8Array {
    const source = this.source(ref)
    if (source.size > MAX_READ) {
      throw new FormatError('unsupported', say('files.tooLargeAtOnce', { size: source.size, most: MAX_READ }), {
        file: source.ref,
        expected: say('files.atMost', { most: MAX_READ }),
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
    return headOf(source)
  }

  identify(ref: string): Identified | undefined {
    return this.places.identify(this.file(ref))
  }

  /** Name of a file or member with its extension. */
  nameOf(ref: string): string {
    const place = this.places.find(ref)
    return place.member ? place.member.name : place.prefix !== undefined ? lastPart(place.prefix) : basename(place.disk)
  }

  /** The archive's index, undefined for what is no archive. @throws FormatError of a broken one */
  archive(ref: string): ArchiveIndex | undefined {
    return this.openArchive(ref)?.index
  }

  openArchive(ref: string): OpenArchive | undefined {
    return this.places.archive(this.file(ref))?.open
  }

  /** The archive in steps, kept for whoever asks for it then: one of very many members takes its time. Nothing for what is no archive. */
  *opening(ref: string): Stepwise<void> {
    yield* this.places.opening(this.file(ref))
  }

  /** Members of an archive in its order. @throws FormatError bad-magic for what is no archive */
  members(ref: string): StoreMembers {
    return this.needArchive(ref).members
  }

  /** The archive that is meant by a file: the directory that leads over a data file, else the file itself. */
  archiveOfData(ref: string): string {
    if (!this.exists(ref) || this.isFolder(ref) || this.identify(ref)) return ref
    const place = this.places.directoryOver(this.file(ref))
    return place?.member?.ref ?? place?.disk ?? ref
  }

  /** The reference in the one form that walks, lists and neighbourhoods give: absolute, members spelled as in their archive. */
  canonical(ref: string): string {
    const place = this.places.find(ref)
    const found = place.member
      ? place.member.ref
      : place.prefix !== undefined
        ? memberRef(place.archive!.open.ref, place.prefix)
        : place.disk
    return spelledAsOnDisk(place.disk) + found.slice(place.disk.length)
  }

  /** The archive that a member stands in, undefined for a file on disk. */
  container(ref: string): string | undefined {
    return this.places.find(ref).archive?.open.ref
  }

  /** The file on disk that a reference leads to. */
  diskFile(ref: string): string {
    return this.places.find(ref).disk
  }

  /** Bytes in which the archive of a member counts its size (`ArchiveFormat.unit`); 0 where sizes are exact. */
  unit(ref: string): number {
    return this.places.find(ref).archive?.open.format.unit ?? 0
  }

  /** Why a member cannot be changed: of the archives around it one is only read, and not in a copy either. '' where nothing is against it. */
  readOnly(ref: string): string {
    const image = this.imageOf(ref)
    for (let at = this.container(ref); at !== undefined; at = this.container(at)) {
      const why = at === image ? '' : this.openArchive(at)?.format.readOnly
      if (why) return why
    }
    return ''
  }

  /** The image of a disc on disk that a member stands in: it is changed in copies of it alone. undefined for all others. */
  imageOf(ref: string): string | undefined {
    const { disk, archive } = this.places.find(ref)
    return archive && this.openArchive(disk)?.format.replaceFiles ? disk : undefined
  }

  /** Where the bytes of a member stand in which file on disk; undefined for other files, and for members that are packed. */
  onDisk(ref: string): { file: string; offset: number } | undefined {
    const source = this.source(ref)
    return source instanceof RangeSource ? source.onDisk : undefined
  }

  /** The folder (on disk, or inside of an archive) or archive that a file stands in. */
  folderOf(ref: string): string {
    const place = this.places.find(ref)
    if (!place.archive) return dirname(place.disk)
    return folderOfKey(place.archive.open.ref, place.member ? place.member.key : place.prefix!)
  }

  /** What stands in a folder, an archive, or a folder inside of an archive, where case makes no second one; folders first, by name. */
  list(ref: string): ListEntry[] {
    const place = this.places.find(ref)
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
    const prefix = place.prefix === undefined ? '' : `${place.prefix.toLowerCase()}/`
    const folders = new Map<string, ListEntry>()
    const entries: ListEntry[] = []
    for (const member of inner.members) {
      if (!member.key.toLowerCase().startsWith(prefix)) continue
      const rest = member.key.slice(prefix.length)
      const slash = rest.indexOf('/')
      if (slash > 0 && slash < rest.length - 1) {
        const name = rest.slice(0, slash)
        const ref = memberRef(inner.ref, member.key.slice(0, prefix.length + slash))
        const key = name.toLowerCase()
        if (!folders.has(key)) folders.set(key, { ref, name, folder: true, archive: false, size: 0 })
      } else {
        const archive = this.looksLikeArchive(member.ref)
        const sizeOf = (): number => this.sourceOf(inner, member).size
        entries.push({
          ref: member.ref,
          name: rest,
          folder: archive,
          archive,
          // a packed member is looked into for it: a list of a hundred thousand does not
          get size() {
            return sizeOf()
          },
        })
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
    if (!open) throw new FormatError('bad-magic', say('files.neitherFolderNorArchive', { file: ref }), { file: ref, offset: 0 })
    return open
  }

  /** A file or member; folders are refused. */
  private file(ref: string): Place {
    const place = this.places.find(ref)
    if (place.directory || place.prefix !== undefined) throw new FormatError('io', say('files.isFolder', { file: ref }), { file: ref })
    return place
  }
}

/** By name without case, as file managers sort, with a fixed order for equal names. */
export function compareNames(a: string, b: string): number {
  const x = a.toLowerCase()
  const y = b.toLowerCase()
  return x < y ? -1 : x > y ? 1 : a < b ? -1 : a > b ? 1 : 0
}
