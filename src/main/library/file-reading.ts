/** Reads files for the index: identify, decode, summarise; of archives each member. It knows no index: rows are told, in their order, to whoever writes them. */
import { crc32 } from 'node:zlib'
import { FormatError, toErrorData } from '../binary/format-error.ts'
import { lentBytes } from '../binary/lent.ts'
import { MAX_DOCUMENT } from '../files/open-document.ts'
import { folderOfKey } from '../files/places.ts'
import { MAX_MEMBERS } from '../files/store.ts'
import { HEAD_BYTES } from '../formats/registry.ts'
import { baseName } from '../../shared/ref.ts'
import { say } from '../../shared/texts/say.ts'
import { errorColumns, isSqlite, NOTHING, packed, rowOf, textOf, UNKNOWN } from './index-rows.ts'
import { companionsOf, stampOf } from './stamps.ts'
import type { DiskTouch } from '../../shared/worker/disk-mark.ts'
import type { OpenArchive } from '../files/places.ts'
import type { FileStore } from '../files/store.ts'
import type { ArchiveFormat, ByteSource } from '../formats/archive.ts'
import type { Contents, Found, PackedFile, ReadRow } from './index-rows.ts'

/** Bytes of members that are read for each byte of their file on disk (archives stand in archives), and the rest that no file is too small for. */
const MOST_TIMES = 16
const MOST_FREE = 64 * 2 ** 20
/** Bytes of a file that is read once, not its head before, whatever it is: most are small, and each read costs as much as these. */
const MOST_AT_ONCE = 64 * 2 ** 10

/** Bytes of a file that room is kept for. */
const MOST_KEPT = 8 * 2 ** 20

/** Bytes of a script that is kept for binders; a longer one is read again. */
const MOST_SCRIPT = 64 * 2 ** 10

/** Where one file after the other is read to: of new memory for each the system empties every page first, and each is collected later. */
export class ReadingRoom {
  private bytes = lentBytes(0)

  /** For one file, until it is asked for another: nothing of it may stay. @returns undefined for more than is kept */
  for(size: number): Uint8Array | undefined {
    if (size > MOST_KEPT) return undefined
    if (size > this.bytes.length) this.bytes = lentBytes(Math.min(MOST_KEPT, 2 * size))
    return this.bytes
  }
}

/** A scan that is not wanted any more. */
export class Cancelled extends Error {}

/** A file on disk that is to be read, with its version. */
export interface Unread extends Found {
  stamp: string
}

export interface FileReadingOptions {
  root: string
  touch?: DiskTouch
  room: ReadingRoom
  /** called before each member; what it throws ends the reading */
  check(ref: string): void
  /** Each row as it is read: a file, or an archive, its members and its end. */
  tell(row: ReadRow): void
}

export class FileReading {
  private readonly store: FileStore
  private readonly options: FileReadingOptions
  /** members so far of the file on disk that is being read */
  private members = 0
  /** bytes of those, and how many there may be: archives whose members lie over each other have no end of them */
  private memberBytes = 0
  private mostBytes = 0

  constructor(store: FileStore, options: FileReadingOptions) {
    this.store = store
    this.options = options
  }

  /** @throws what `check` and `tell` throw; of the file itself nothing */
  read({ stamp, ...file }: Unread): void {
    this.members = 0
    this.memberBytes = 0
    this.mostBytes = 0
    this.one(file, stamp)
  }

  /** A file that cannot be read: only its error is told. */
  fail({ stamp, ...file }: Unread, error: unknown): void {
    const contents: Contents = {
      ...{ recognised: UNKNOWN, packed: NOTHING, stamp, companion: '', crc: null },
      failed: toErrorData(error, file.ref),
    }
    this.options.tell(rowOf(file, contents, this.textOf(file, NOTHING)))
  }

  /**
   * @param member its bytes, where it is one
   * @param again it changed since the walk met it: it is read as it is now
   */
  private one(file: Found, stamp: string, member?: ByteSource, again = false): void {
    const { tell, touch, room } = this.options
    const contents: Contents = { recognised: UNKNOWN, packed: NOTHING, failed: undefined, stamp, companion: '', crc: null }
    let begun = false
    let decoded = 0
    let script: Uint8Array | undefined
    try {
      const { ref: path, size, mtime: mtimeMs } = file
      const source = member ?? (again ? this.store.source(path) : this.store.sourceMet({ path, size, mtimeMs }))
      const { registry } = this.store
      // a member that is cut has a head all the same
      const whole = !member && source.size <= this.mostAtOnce(file.name) ? source.read(0, source.size, room.for(source.size)) : undefined
      if (whole) contents.crc = crc32(whole)
      const found = registry.mayBeData(file.name)
        ? this.store.identify(file.ref)
        : registry.identify(whole?.subarray(0, HEAD_BYTES) ?? this.store.headOf(source), file.name, source.size)
      if (found?.format) {
        const { id, kind, family } = found.format
        contents.recognised = { format: id, kind, family }
        if (source.size > MAX_DOCUMENT)
          throw new FormatError('unsupported', say('files.tooLargeToDecode', { size: source.size, most: MAX_DOCUMENT }), { file: file.ref })
        decoded = source.size
        const bytes = whole ?? source.read(0, source.size, room.for(source.size))
        // of a member its file tells
        if (!member) contents.crc ??= crc32(bytes)
        const document = found.format.decode(bytes, file.ref)
        const summary = found.format.summarize(document)
        contents.packed = packed(summary, document.diagnostics)
        // a format may hold several kinds of files: what is in this one says more
        if (summary.kind) contents.recognised.kind = summary.kind
        if (found.format.script && bytes.length <= MOST_SCRIPT) script = bytes.slice()
      } else if (found?.archive) {
        const { id, family } = found.archive
        contents.recognised = { format: id, kind: 'archive', family }
        const open = this.opened(found.archive, file.ref)
        contents.companion = companionsOf(open)
        contents.packed = ofArchive(open)
        // members are rows below that of their archive, which is not through before all of them are
        tell(rowOf(file, { ...contents, stamp: '' }, '', { archive: true }))
        begun = true
        this.membersOf(open, file)
        if (contents.companion) contents.stamp = `${stamp};${stampOf(contents.companion, touch)}`
      } else this.expectUnknown(file, contents)
    } catch (error) {
      if (error instanceof Cancelled || isSqlite(error)) throw error
      if (!member && !again && !begun && error instanceof FormatError && error.code === 'changed-on-disk')
        return this.one(file, stamp, undefined, true)
      contents.failed = toErrorData(error, file.ref)
    }
    const text = this.textOf(file, contents.packed)
    if (!begun) return tell(rowOf(file, contents, text, { bytes: decoded, script }))
    const { failed, companion } = contents
    tell({ kind: 'end', failed: failed && errorColumns(failed), stamp: contents.stamp, companion, text })
  }

  /** A file that is called what its family decodes is one. */
  private mostAtOnce(name: string): number {
    const kind = this.store.registry.kindOfName(name)?.kind ?? 'archive'
    return kind === 'archive' ? MOST_AT_ONCE : MOST_KEPT
  }

  private textOf({ name, folder }: Found, { names }: PackedFile): string {
    return textOf(name, folder.slice(this.options.root.length), names)
  }

  /** A file with the ending of a kind that is known, and nothing of it inside, is among the errors. @throws FormatError truncated, bad-magic */
  private expectUnknown({ ref, name, size }: Found, contents: Contents): void {
    const kind = this.store.registry.kindOfName(name)
    if (!kind) return
    contents.recognised = { format: '', kind: kind.kind, family: kind.family }
    if (size === 0) throw new FormatError('truncated', say('indexing.empty'), { file: ref, offset: 0 })
    throw new FormatError('bad-magic', say('indexing.notAsNamed', { ending: kind.ending }), { file: ref, offset: 0 })
  }

  private opened(format: ArchiveFormat, ref: string): OpenArchive {
    const open = this.store.openArchive(ref)
    if (!open) throw new FormatError('internal', say('indexing.notRecognisedAgain', { format: format.label }), { file: ref })
    return open
  }

  private membersOf(open: OpenArchive, { ref, mtime, changed }: Found): void {
    // its files are those of another directory, and a model is there once
    if (open.leader) return
    this.mostBytes ||= MOST_TIMES * open.data.size + MOST_FREE
    for (const member of open.members) {
      this.options.check(member.ref)
      if (++this.members > MAX_MEMBERS)
        throw new FormatError('unsupported', say('files.tooManyMembers', { most: MAX_MEMBERS }), { file: ref })
      this.memberBytes += member.size < open.data.size ? member.size : 0
      if (this.memberBytes > this.mostBytes) throw new FormatError('refused', say('indexing.overlap'), { file: ref })
      const source = this.store.sourceOf(open, member)
      const { ref: own, name, index: position } = member
      this.one({ ref: own, name, folder: folderOfKey(ref, member.key), size: source.size, mtime, changed, position }, '', source)
    }
  }
}

/** What an archive says of itself. */
function ofArchive({ leader, members, index }: OpenArchive): PackedFile {
  const note = leader
    ? say('indexing.membersElsewhere', { file: baseName(leader) })
    : say('indexing.memberCount', { count: members.length })
  return packed({ note }, index.diagnostics)
}
