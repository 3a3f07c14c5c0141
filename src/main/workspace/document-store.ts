/**
 * Files that are open, one instance each however many models show them. The state of a file is its bytes: codecs are
 * lossless, so a document can always be made again from them, and every difference between two states is a patch.
 */
import { readdirSync } from 'node:fs'
import { FormatError, toErrorData } from '../binary/format-error.ts'
import { ABSENT, isAbsent, isOfThose, NO_BYTES, takesFiles } from './absent.ts'
import { storedBody } from '../formats/archive.ts'
import { decodeVerified, encodeDocument, encodeProven, firstDifference, prove, readBack } from '../formats/format.ts'
import { refuse } from '../formats/editing.ts'
import { nameKey } from '../files/file-names.ts'
import { keepFor, Kept } from '../formats/kept.ts'
import { ioError } from '../files/sources.ts'
import { LeftStates } from './left-states.ts'
import { applyPatch } from './patch.ts'
import { readForDecoding } from '../files/open-document.ts'
import { TouchedMemory } from '../binary/touched-memory.ts'
import type { FileStore } from '../files/store.ts'
import type { Room } from '../binary/writer.ts'
import type { Document, FileFormat, ReadBack } from '../formats/format.ts'
import type { Step } from './history.ts'
import type { Patch } from './patch.ts'
import type { ErrorData } from '../../shared/api/errors.ts'
import type { DiskTrouble } from '../../shared/api/types/save.ts'
import { baseName, folderOf } from '../../shared/ref.ts'
import { say } from '../../shared/texts/say.ts'

/** Proofs of larger files take memory of their own. */
const MOST_ROOM = 1 << 25
const ROOM_TO_GROW = 1 << 16

/** The file on disk when its bytes were read or written. */
export interface SavedState {
  bytes: Uint8Array
  state: number
  disk: string
  size: number
  mtimeMs: number
}

export interface OpenFile {
  /** as the library and the model know it */
  readonly ref: string
  /** where the bytes were read: the same, or its copy in the mod folder */
  source: string
  readonly format: FileFormat
  bytes: Uint8Array
  document: Document
  /** what was made of the document that these bytes are */
  kept: Kept
  /** number of this state of the bytes; undo brings the number back with the bytes */
  state: number
  /** differs from what is on disk */
  dirty: boolean
  saved: SavedState
  /** what windows were told of the file on disk: a version, or what was wrong; absent for what was read */
  told?: { version: string; trouble: DiskTrouble | undefined }
  /** where it stands since it was moved, '' when it was looked for in vain; absent while it is in its place */
  movedTo?: string
  /** the game's bytes that edits were moved onto by a step: with it saved, the mod is made from these */
  rebased?: { step: Step; game: Uint8Array }
}

/** What an edit makes of a file. */
export interface Edited extends ReadBack {
  /** makes sure of it; absent where nothing is to be proven any more. @throws FormatError invalid-edit */
  proof?: () => void
}

export type FileEntry = { ref: string; file: OpenFile; error?: undefined } | { ref: string; file?: undefined; error: ErrorData }

export class DocumentStore {
  private readonly store: FileStore
  private readonly locate: (ref: string) => string
  private readonly readOnly: (ref: string) => string
  private readonly entries = new Map<string, FileEntry>()
  private readonly holders = new Map<string, Set<string>>()
  private states = 0
  private readonly left = new LeftStates()
  /** what proofs write into, as long as files are open */
  private room = NO_BYTES
  /** for the bytes of edited files, and for documents of those */
  readonly memory = new TouchedMemory()

  /**
   * @param locate where a file of the library is read from: itself, or its copy in the mod folder
   * @param readOnly why a file is not to be edited, '' where nothing is against it
   */
  constructor(store: FileStore, locate: (ref: string) => string = (ref) => ref, readOnly: (ref: string) => string = () => '') {
    this.store = store
    this.locate = locate
    this.readOnly = readOnly
  }

  /** Opens a file for a holder (a model); a broken one gives its error and is tried again at the next opening. */
  open(ref: string, holder: string): FileEntry {
    let entry = this.entries.get(ref)
    if (!entry?.file) {
      entry = this.read(ref)
      this.entries.set(ref, entry)
    }
    let holders = this.holders.get(ref)
    if (!holders) this.holders.set(ref, (holders = new Set()))
    holders.add(holder)
    return entry
  }

  /**
   * A file that an edit makes, for a holder: in the state without bytes until the edit gives it some.
   * @throws FormatError invalid-edit where something stands in its place, or no such file can be made there
   */
  toMake({ format: id, ref }: Pick<Document, 'format' | 'ref'>, holder: string): OpenFile {
    const format = this.store.registry.formatById(id)
    if (!format?.comesAndGoes) refuse(say('edits.notMade', { file: baseName(ref) }))
    // a folder within an archive takes no files that its directory does not have
    if (!takesFiles(ref)) refuse(say('edits.notOnDisk', { file: baseName(ref) }))
    if (!this.entries.get(ref)?.file) {
      if (this.store.exists(this.locate(ref)) || this.store.exists(ref) || isThereInAnyCase(ref))
        refuse(say('edits.fileExists', { file: baseName(ref) }))
      const state = this.nextState()
      const saved = { bytes: NO_BYTES, state, disk: ref, size: 0, mtimeMs: 0 }
      const document: Document = { format: ABSENT, ref, diagnostics: [] }
      this.entries.set(ref, {
        ref,
        file: { ref, source: ref, format, bytes: NO_BYTES, document, kept: new Kept(), state, dirty: false, saved },
      })
    }
    const { file } = this.open(ref, holder)
    return file && isAbsent(file) ? file : refuse(say('edits.fileExists', { file: baseName(ref) }))
  }

  get(ref: string): OpenFile | undefined {
    return this.entries.get(ref)?.file
  }

  entry(ref: string): FileEntry | undefined {
    return this.entries.get(ref)
  }

  /** All files that are open, broken ones left out. */
  files(): OpenFile[] {
    return [...this.entries.values()].flatMap((entry) => entry.file ?? [])
  }

  isHeldByOther(ref: string, holder: string): boolean {
    const holders = this.holders.get(ref)
    return holders !== undefined && [...holders].some((h) => h !== holder)
  }

  /** Opening what a holder opened would give the same now: where nobody else has it, it would be read anew. */
  isAsRead(entry: FileEntry, holder: string): boolean {
    const { ref, file } = entry
    if (!file) return this.read(ref).file === undefined
    if (this.entries.get(ref) !== entry) return false
    if (this.isHeldByOther(ref, holder)) return true
    try {
      const source = this.locate(ref)
      const { disk, size, mtimeMs } = this.store.stat(source)
      const { saved } = file
      return source === file.source && disk === saved.disk && size === saved.size && mtimeMs === saved.mtimeMs
    } catch {
      // it went meanwhile
      return false
    }
  }

  /** Lets go of one file, or of all that a holder has; files without holders are forgotten. */
  release(holder: string, only?: string): void {
    for (const [ref, holders] of this.holders) {
      if (only !== undefined && ref !== only) continue
      if (holders.delete(holder) && holders.size === 0) {
        this.holders.delete(ref)
        this.entries.delete(ref)
        this.left.forget(ref)
      }
    }
    if (this.entries.size > 0) return
    this.room = NO_BYTES
    this.memory.forget()
  }

  /** Reads a file again from disk; edits of it are gone. */
  reload(ref: string): void {
    const known = this.entries.get(ref)
    if (!known) return
    this.left.forget(ref)
    const next = this.read(ref)
    const { file } = known
    // a file that edits may make or take away, and that is not there, is in the state without bytes
    if (next.error?.code === 'not-found' && file && isOfThose(file)) {
      file.saved = { ...file.saved, bytes: NO_BYTES, state: this.nextState(), size: 0, mtimeMs: 0 }
      this.setState(file, NO_BYTES, this.decode(file, NO_BYTES), file.saved.state)
    } else this.entries.set(ref, next)
  }

  nextState(): number {
    return ++this.states
  }

  /**
   * Brings a file to a state.
   * @param document decoded from exactly these bytes
   * @param kept what was made of it before
   */
  setState(file: OpenFile, bytes: Uint8Array, document: Document, state: number, kept = new Kept()): void {
    this.left.leave(file, state)
    file.document = document
    file.kept = kept
    keepFor(document, kept)
    file.state = state
    file.dirty = state !== file.saved.state && firstDifference(bytes, file.saved.bytes) >= 0
    // what is on disk is held once
    file.bytes = file.dirty ? bytes : file.saved.bytes
  }

  /** A state that a file was in before, as the patch leads to it. @throws FormatError changed-on-disk */
  stateAt(file: OpenFile, state: number, patch: Patch): Pick<OpenFile, 'bytes' | 'document' | 'kept'> {
    const left = this.left.of(file, state)
    const bytes = left?.bytes ?? applyPatch(file.bytes, patch, file.ref)
    return { bytes, document: left?.document ?? this.decode(file, bytes), kept: left?.kept ?? file.kept.after(patch) }
  }

  /** The current bytes are on disk now. */
  markSaved(file: OpenFile, source: string): void {
    const stat = isAbsent(file) ? { disk: file.saved.disk, size: 0, mtimeMs: 0 } : this.store.stat(source)
    file.source = source
    file.saved = { bytes: file.bytes, state: file.state, disk: stat.disk, size: stat.size, mtimeMs: stat.mtimeMs }
    file.dirty = false
    file.told = undefined
    file.movedTo = undefined
  }

  /**
   * What an editor did to a document, as it will be read back: an archive that counts in sectors gives a member
   * back with zeros behind it, so they belong to the document's state like every other byte.
   * @returns with it its proof, which throws FormatError invalid-edit and has to be asked for before the bytes are kept
   * @throws FormatError invalid-edit
   */
  readBack(file: OpenFile): Edited {
    if (file.document.format === ABSENT) return { bytes: NO_BYTES, document: file.document }
    const made = readBack(file.format, file.document, file.bytes.length, this.memory.take)
    const proof = (): void => prove(file.format, made, this.roomFor(made.bytes.length))
    if (this.overUnit(file, made.bytes) === 0) return { ...made, proof }
    proof()
    return this.asStored(file, made)
  }

  /** Memory for a proof, and some to grow into. */
  private roomFor(size: number): Room {
    if (size > MOST_ROOM) return size
    if (this.room.length < size + ROOM_TO_GROW) this.room = new Uint8Array(size + ROOM_TO_GROW)
    return this.room
  }

  /** Proven bytes as they will be read back. */
  asStored(file: OpenFile, proven: ReadBack): ReadBack {
    const over = this.overUnit(file, proven.bytes)
    if (over === 0) return proven
    const unit = this.unitOf(file)
    return this.withoutPadding(file, proven, over) ?? encodeProven(file.format, this.decode(file, storedBody({ unit }, proven.bytes)))
  }

  /** How many bytes stand behind the last whole unit. */
  private overUnit(file: OpenFile, bytes: Uint8Array): number {
    const unit = this.unitOf(file)
    return unit === 0 ? 0 : bytes.length % unit
  }

  private unitOf(file: OpenFile): number {
    try {
      return this.store.unit(file.source)
    } catch {
      // its archive is gone: told when it is saved
      return 0
    }
  }

  /**
   * A document that grew still carries its old padding. Its last `over` bytes go when they are zeros and nothing
   * but padding: every field is read and written without them as with them.
   */
  private withoutPadding(file: OpenFile, { bytes, document }: ReadBack, over: number): ReadBack | undefined {
    const cut = bytes.slice(0, bytes.length - over)
    if (bytes.subarray(cut.length).some((byte) => byte !== 0)) return undefined
    try {
      const shorter = this.decode(file, cut)
      const before = encodeDocument(file.format, document)
      const after = encodeDocument(file.format, shorter)
      const same =
        firstDifference(after.bytes, cut) < 0 &&
        after.typedBytes === before.typedBytes &&
        after.opaqueBytes === before.opaqueBytes - over &&
        shorter.diagnostics.length === document.diagnostics.length
      return same ? { bytes: cut, document: shorter } : undefined
    } catch {
      return undefined
    }
  }

  /** A state that was left is going to be asked for with a document to write into. */
  readLeft(file: OpenFile, state: number): void {
    this.left.read(file, state, (bytes) => this.decode(file, bytes))
  }

  /** Throws away what an editor did to a document: decodes the bytes again. */
  revert(file: OpenFile): void {
    this.renew(file, this.decode(file, file.bytes))
  }

  /** Another document of the bytes that the file has. */
  renew(file: OpenFile, document: Document): void {
    file.document = document
    keepFor(document, file.kept)
  }

  decode(file: OpenFile, bytes: Uint8Array): Document {
    if (isAbsent({ format: file.format, bytes })) return { format: ABSENT, ref: file.ref, diagnostics: [] }
    const document: Document = file.format.decode(bytes, file.ref, this.memory.take)
    // diagnostics of the proof at opening hold on as long as the file is read-only
    if (file.document.readOnly && !document.readOnly) document.readOnly = file.document.readOnly
    return document
  }

  private read(ref: string): FileEntry {
    try {
      const source = this.locate(ref)
      const stat = this.store.stat(source)
      const { format, bytes } = readForDecoding(this.store, source)
      const document: Document = decodeVerified(format, bytes, ref)
      document.readOnly ||= this.store.readOnly(source) || this.readOnly(ref) || undefined
      const state = this.nextState()
      const kept = new Kept()
      keepFor(document, kept)
      return {
        ref,
        file: {
          ref,
          source,
          format,
          bytes,
          document,
          kept,
          state,
          dirty: false,
          saved: { bytes, state, disk: stat.disk, size: stat.size, mtimeMs: stat.mtimeMs },
        },
      }
    } catch (error) {
      return { ref, error: error instanceof FormatError ? toErrorData(error, ref) : toErrorData(ioError(error, ref), ref) }
    }
  }
}

/** Names with one key are one file on the disks that the games run from. */
function isThereInAnyCase(ref: string): boolean {
  const name = nameKey(baseName(ref))
  return readdirSync(folderOf(ref)).some((other) => nameKey(other) === name)
}
