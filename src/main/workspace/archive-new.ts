/** A new archive of files from anywhere, none of which is held in memory: read as it will be before it is written, and read back after. */
import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { ioError } from '../files/sources.ts'
import { walk } from '../files/walk.ts'
import { extensionOf } from '../../shared/ref.ts'
import { counted } from './archive-edits.ts'
import { expectKnown } from './archive-files.ts'
import { filesWritten, writeNewArchive } from './archive-writes.ts'
import { pieceAt, SegmentSource } from './segment-source.ts'
import type { NewMember } from '../formats/archive-edit.ts'
import type { ArchiveFormat, ArchiveParts, ByteSource } from '../formats/archive.ts'
import type { Registry } from '../formats/registry.ts'
import type { FileStore } from '../files/store.ts'
import type { ArchivePlan, PlannedWrite } from './archive-edits.ts'
import type { ArchiveWatch } from './archive-writes.ts'
import { say } from '../../shared/texts/say.ts'

/** A kind of archive that can be made. */
interface Maker {
  id: string
  label: string
  /** what it can hold, in a sentence */
  limits: string
  format: ArchiveFormat
  make(members: readonly NewMember[], ref: string): ArchiveParts
}

/** Kinds of archives that can be made. */
export function archiveMakers({ families }: Registry): Maker[] {
  return families
    .flatMap(({ archives }) => archives)
    .flatMap((format) =>
      (format.make ? (format.makes ?? [format]) : []).map(({ id, label }): Maker => {
        return { id, label, limits: format.limits ?? '', format, make: (members, ref) => format.make!(members, ref, id) }
      }),
    )
}

/** The kind that is asked for, or the only one with this ending: of several of one format the first. @throws FormatError invalid-argument */
export function makerOf(registry: Registry, out: string, wanted?: string): Maker {
  const makers = archiveMakers(registry)
  const ending = extensionOf(out)
  const fits = ({ id, format }: Maker): boolean =>
    wanted === undefined ? format.extensions.includes(ending) && id === (format.makes?.[0] ?? format).id : id === wanted
  const found = makers.filter(fits)
  if (found.length === 1) return found[0]
  const kinds = (found.length > 0 ? found : makers).map(({ id }) => id).join(', ')
  throw new FormatError(
    'invalid-argument',
    say(found.length > 0 ? 'archiveEdits.severalKinds' : 'archiveEdits.notMade', { file: out, kinds }),
    {
      file: out,
    },
  )
}

/** A file that becomes a member. */
export interface NewFile {
  name: string
  ref: string
}

/** Files as they are called, and all below folders by their ways from there. @param most the search ends one beyond */
export function filesOf(store: FileStore, given: readonly string[], most = Infinity): NewFile[] {
  const out: NewFile[] = []
  for (const one of given) {
    const folder = resolve(one)
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) out.push({ name: store.nameOf(one), ref: one })
    else
      for (const { path } of walk(folder)) {
        out.push({ name: relative(folder, path).split(sep).join('/'), ref: path })
        if (out.length > most) return out
      }
  }
  return out
}

export interface PlannedArchive {
  /** as of a change of an archive that had no members */
  plan: ArchivePlan
  write(watch?: ArchiveWatch): Promise<string[]>
}

/** @throws FormatError io for what is there already, not-found, invalid-edit for what the archive cannot hold */
export function planNewArchive(store: FileStore, maker: Maker, given: string, files: readonly NewFile[]): PlannedArchive {
  const out = resolve(given)
  const dataRef = dataOf(maker, out)
  for (const file of dataRef ? [dataRef, out] : [out])
    if (existsSync(file)) throw new FormatError('io', say('archiveEdits.isThere', { file }), { file })
  return proveNewArchive(store, maker, out, files)
}

/** Name of a new archive of a kind that nobody has named yet. */
export function newName({ format }: Maker): string {
  return `new.${format.extensions[0]}`
}

/** The file beside it that holds the members' data, '' where it does itself. */
function dataOf({ format }: Maker, out: string): string {
  return format.companion ? join(dirname(out), format.companion(basename(out))) : ''
}

/** The archive as it will be, whether or not its place is free. @throws FormatError not-found, invalid-edit */
export function proveNewArchive(store: FileStore, maker: Maker, out: string, files: readonly NewFile[]): PlannedArchive {
  const { format } = maker
  const name = basename(out)
  const dataRef = dataOf(maker, out)
  const sources = files.map(({ ref }) => store.source(ref))
  const bodies = new JoinedSource(sources, out)
  const members = sources.map(({ size }, i): NewMember => ({ name: files[i].name, offset: bodies.starts[i], size }))
  const parts = maker.make(members, out)
  const data = new SegmentSource(parts.data, bodies, dataRef || out)
  const source = parts.directory ? new SegmentSource(parts.directory, bodies, out) : data
  const index = format.open(source, data)
  expectKnown(store.registry, format, source, name, out)
  const size = source.size + (source === data ? 0 : data.size)
  const plan: ArchivePlan = {
    archive: out,
    disk: out,
    members: [0, index.members.length],
    size: [0, size],
    ...counted(parts),
    moved: 0,
    written: size,
    room: size,
    inPlace: false,
    notes: [],
  }
  const top: PlannedWrite['top'] = { ref: out, format, index, source: bodies, data: bodies, dataRef, peers: [] }
  const planned: PlannedWrite = { plan, top, parts }
  return { plan: { ...plan, ...filesWritten(planned, out) }, write: (watch = {}) => writeNewArchive(store, planned, watch) }
}

/** Files one behind the other. */
class JoinedSource implements ByteSource {
  readonly ref: string
  readonly size: number
  readonly starts: number[] = []
  private readonly sources: readonly ByteSource[]

  constructor(sources: readonly ByteSource[], ref: string) {
    this.ref = ref
    this.sources = sources
    let at = 0
    for (const { size } of sources) {
      this.starts.push(at)
      at += size
    }
    this.size = at
  }

  read(offset: number, length: number): Uint8Array {
    const out = new Uint8Array(length)
    for (let i = pieceAt(this.starts, offset), done = 0; done < length; i++) {
      const source = this.sources[i]
      const from = offset + done - this.starts[i]
      const n = Math.min(length - done, source.size - from)
      if (n <= 0) continue
      try {
        out.set(source.read(from, n), done)
      } catch (error) {
        throw ioError(error, source.ref)
      }
      done += n
    }
    return out
  }
}
