/**
 * What a file format is to the rest of Marrow. A family exports one Family; a format stands in a file of its own,
 * reader beside writer. Codecs are pure: bytes in, document out, bytes out. No fs, no SQLite, no Electron.
 */
import { FormatError, toErrorData } from '../binary/format-error.ts'
import { equalStart } from '../binary/same-run.ts'
import { Writer } from '../binary/writer.ts'
import type { Room } from '../binary/writer.ts'
import { say } from '../../shared/texts/say.ts'
import type { Stepwise } from '../../shared/stepwise.ts'
import type { Diagnostic, Severity } from '../../shared/api/errors.ts'
import type { ModelSetting } from '../../shared/api/settings.ts'
import type { FamilyId, FileKind } from '../../shared/api/types/family.ts'
import type { LintRule } from '../../shared/api/types/lint.ts'
import type { StructureField, StructureNode } from '../../shared/api/types/structure.ts'
import type { ArchiveEdit, NewMember } from './archive-edit.ts'
import type { FamilyEditor } from './editing.ts'
import type { ScalarTypes } from './field-type.ts'
import type { LooseLayout } from './loose.ts'
import type { Scene } from '../../shared/scene/types.ts'
import type { TextTree } from '../../shared/texts/texts.ts'

export type { FamilyId, FileKind } from '../../shared/api/types/family.ts'
export type { StructureField, StructureNode } from '../../shared/api/types/structure.ts'
export type { SourceRange } from '../binary/reader.ts'

/**
 * A decoded file. Formats extend it with typed nodes in file order; every node keeps the range it came from,
 * every byte that no field explains is in a named field (`pad`, `junk`, `trailing`).
 */
export interface Document {
  /** id of its format */
  readonly format: string
  /** the file it was decoded from; `dir/pack!member` for members */
  readonly ref: string
  readonly diagnostics: Diagnostic[]
  /** why the document may be looked at but not changed (compiled scripts, native geometry); empty when it may be edited */
  readOnly?: string
}

/** Collects what decoders have to say without stopping. */
export class Diagnostics {
  readonly list: Diagnostic[]
  readonly ref: string
  /** @param list an existing list to add to: one list for the files of a model */
  constructor(ref: string, list: Diagnostic[] = []) {
    this.ref = ref
    this.list = list
  }
  add(severity: Severity, code: string, message: string, path = '', offset = -1, ...fixes: NonNullable<Diagnostic['fixes']>): void {
    this.list.push({ severity, code, message, path, offset, ref: this.ref, ...(fixes.length ? { fixes } : {}) })
  }
}

export interface FileFormat<D extends Document = Document> {
  /** with its family in front: `family.ending` */
  id: string
  /** as people call it; a getter that says it: `get label() { return say('codecs.foo.label') }` */
  readonly label: string
  family: FamilyId
  kind: FileKind
  /** usual extensions, lower case, without the dot; a hint, never the rule */
  extensions: readonly string[]
  /** Edits make and delete whole files of it that are of this kind: an animation each. A state of such a file without bytes is one without the file. */
  comesAndGoes?: FileKind
  /** A file that is named by itself is shown with all that is in it, not as a part of its model: a dictionary of textures. */
  alone?: boolean
  /**
   * How sure the first bytes (up to 4 KiB; all of them for a smaller file) make it: 0 not this format, 1 certain.
   * Formats without a magic weigh structure and name; 0.5 and more opens a file without asking.
   */
  identify(head: Uint8Array, name: string, size: number): number
  /** Throws FormatError. Never allocates more than the bytes can justify. */
  decode(bytes: Uint8Array, ref: string): D
  /** Writes every node from its typed fields in file order. Nothing is copied from the source. */
  encode(document: D, out: Writer): void
  /** The document as a tree of fields with offsets, for inspector, `info` and Changes. Cheap: a bulk column is one field, whose type (field-type.ts) says what its entries are. */
  describe(document: D): StructureNode
  /** Number types of its own (packed rotations), for the types of fields that describe() gives. */
  scalars?: ScalarTypes
  /** Names and texts as its bytes; Latin-1 where absent. @throws FormatError invalid-edit for what it cannot say */
  encodeText?(text: string): Uint8Array
  /** Bytes of a field that is a token of a text (`use` of the field) with another value. @throws FormatError invalid-edit */
  withText?(field: StructureField, bytes: Uint8Array, value: string): Uint8Array
  /** What the library keeps of the file, and what the binder searches by. */
  summarize(document: D): FileSummary
}

/** What the library stores of one file. */
export interface FileSummary {
  /** where files of one format are of several kinds (model, skeleton or animation): what this one is; otherwise FileFormat.kind holds */
  kind?: FileKind
  bones?: string[]
  meshes?: { name: string; vertices: number; triangles: number; bone?: string }[]
  skins?: SkinSummary[]
  clips?: { name: string; frames: number; rate: number; tracks: number; keys: number }[]
  slices?: { name: string; start: number; end: number; speed: number }[]
  textures?: { name: string; width: number; height: number; format: string }[]
  /** keys that others look for, e.g. `family.hierarchy:RISHKTRP_SKL`; compared lower-cased */
  provides?: string[]
  /** keys that this file looks for, e.g. `family.texture:zhca_ricnscrpt.tga` */
  needs?: string[]
  /** how many bones, meshes, clips, slices and textures, in the format's own words: "31 pivots, 3 motions"; the library shows its own numbers in their place */
  counted?: string
  /** the rest of one line for the list: what these counts do not say, e.g. "940 vertices, version 2" */
  note?: string
}

export interface SkinSummary {
  mesh: string
  vertices: number
  /** total number of non-zero weights */
  weights: number
  maxInfluences: number
  /** per bone that has weights: name (or number), vertices touched, sum of weights in native scale */
  bones: { name: string; vertices: number; sum: number }[]
}

/**
 * Encodes a document; the numbers say how much of it was carried raw.
 * @param room for the size that its bytes probably have: with the right one nothing is copied while they are written
 */
export function encodeDocument<D extends Document>(
  format: FileFormat<D>,
  document: D,
  room: Room = 4096,
): { bytes: Uint8Array; typedBytes: number; opaqueBytes: number } {
  const out = new Writer(room)
  format.encode(document, out)
  return { bytes: out.finish(), typedBytes: out.typedBytes, opaqueBytes: out.opaqueBytes }
}

/** Decodes and makes sure that writing it again gives the same bytes; otherwise the document is marked read-only with the reason. */
export function decodeVerified<D extends Document>(format: FileFormat<D>, bytes: Uint8Array, ref: string): D {
  const document = format.decode(bytes, ref)
  if (document.readOnly) return document
  const at = firstDifference(bytes, encodeDocument(format, document, bytes.length).bytes)
  if (at >= 0) {
    document.readOnly = say('formats.notLossless', { at })
    document.diagnostics.push({ severity: 'warning', code: 'marrow.not-lossless', message: document.readOnly, path: '', offset: at, ref })
  }
  return document
}

/**
 * The bytes of an edited document, proven: they decode, and the result encodes to the same bytes.
 * @param room memory to write into on the way: edit after edit would else take twice the file's size anew. Or the size before the edit
 * @throws FormatError invalid-edit
 */
export function encodeProven<D extends Document>(format: FileFormat<D>, edited: D, room?: Room): { bytes: Uint8Array; document: D } {
  const made = encodeDocument(format, edited, room).bytes
  const bytes = typeof room === 'object' && made.buffer === room.buffer ? made.slice() : compact(made)
  let document: D
  try {
    document = format.decode(bytes, edited.ref)
  } catch (error) {
    const data = toErrorData(error, edited.ref)
    throw new FormatError('invalid-edit', say('formats.notReadAgain', { why: data.message }), {
      file: edited.ref,
      path: data.path,
      offset: data.offset,
    })
  }
  const at = firstDifference(bytes, encodeDocument(format, document, typeof room === 'object' ? room : bytes.length).bytes)
  if (at >= 0)
    throw new FormatError('invalid-edit', say('formats.readDifferently', { at }), {
      file: edited.ref,
      offset: at,
    })
  return { bytes, document }
}

/** A writer's buffer is up to twice as large as what was written, a member's may be its archive's: what is kept for long, or sent, is copied. */
export function compact(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice()
}

/** Offset of the first byte that differs, -1 when both are the same. */
export function firstDifference(a: Uint8Array, b: Uint8Array): number {
  const at = equalStart(a, b)
  return at === a.length && at === b.length ? -1 : at
}

// --- archives -------------------------------------------------------------------------------------------------

/** Random access to the bytes of a file that may be larger than memory. */
export interface ByteSource {
  readonly size: number
  /** the file, for errors */
  readonly ref: string
  /** exactly `length` bytes; throws FormatError `truncated` outside the file */
  read(offset: number, length: number): Uint8Array
}

export interface ArchiveMember {
  /** as the archive has it, decoded for display; may hold separators; never trusted as a path on disk */
  name: string
  /** bytes of the name field as stored */
  rawName: Uint8Array
  /** of its data in the data file */
  offset: number
  size: number
  /** 0 for the one of several members with the same name (compared without case) that the game reads, the first where nobody knows; the others are counted */
  duplicate: number
}

/** What is asked of each of very many members, without an object for it. */
export interface MemberColumns {
  offset(index: number): number
  size(index: number): number
  /** `hashOf` of its key in lower case */
  keyHash(index: number): number
}

/** Some of what an array gives: a list of very many may keep columns and make an element when it is asked for (`LazyList`). */
export interface MemberList<T> extends Iterable<T> {
  readonly length: number
  readonly columns?: MemberColumns
  at(index: number): T | undefined
  map<U>(make: (element: T, index: number) => U): U[]
  find(wanted: (element: T, index: number) => boolean): T | undefined
  slice(start: number, end?: number): T[]
}

export interface ArchiveIndex {
  readonly format: string
  readonly ref: string
  readonly members: MemberList<ArchiveMember>
  readonly diagnostics: Diagnostic[]
}

/** A piece of a file to be written: a range of the old file, or new bytes. Large archives are never held in memory. */
export type Segment =
  | { kind: 'copy'; offset: number; length: number }
  /** `member` marks the body of a member, `typed` header fields written from the index, `opaque` padding and junk carried raw */
  | { kind: 'bytes'; bytes: Uint8Array; as: 'typed' | 'opaque' | 'member' }

/** What an archive is written from: its data file, and the directory where that is a file of its own. */
export interface ArchiveParts {
  data: Segment[]
  directory?: Segment[]
  /** the other directories over the data file, all of them */
  peers?: { ref: string; segments: Segment[] }[]
  /** what whoever writes it should know */
  notes?: readonly string[]
}

export interface ArchiveFormat<I extends ArchiveIndex = ArchiveIndex> {
  id: string
  readonly label: string
  family: FamilyId
  extensions: readonly string[]
  /** why nothing in it can be changed; absent where it can */
  readonly readOnly?: string
  identify(head: Uint8Array, name: string, size: number): number
  /**
   * Name of the file that holds the members' data where that is another one (IMG v1: `gta3.dir` names `gta3.img`).
   * `open` then gets the directory as `source` and the data file as `data`.
   */
  companion?(name: string): string
  /**
   * Names of all directories that may stand over one data file, this one among them, in the order in which they are asked where they
   * disagree. Those that are there are given to `open`, and what is written goes into all of them.
   */
  peers?(name: string): string[]
  open(source: ByteSource, data: ByteSource, peers?: readonly ByteSource[]): I
  /** The same in steps, where directories have members by the hundred thousand: others run between them. */
  opening?(source: ByteSource): Stepwise<I>
  /**
   * Members are held in whole units of so many bytes, filled up with zeros: the directory counts in them, so that nobody
   * knows where in the last one a member ends. Absent where sizes are exact.
   */
  unit?: number
  /**
   * The whole file again from the typed fields of the index, members by copy: `marrow roundtrip` compares it.
   * With a companion: the directory; `encodeData` then tiles the data file.
   */
  encode(index: I): Segment[]
  encodeData?(index: I): Segment[]
  /** Order in which the game looks for a file in the archives of one folder, the first wins; absent where it names them itself. */
  loadOrder?(names: readonly string[]): string[]
  /**
   * The file with some members replaced (member number -> new bytes); moves only what must move.
   * With a companion, `data` is the new data file and `directory` the new directory.
   */
  replace(index: I, replacements: ReadonlyMap<number, Uint8Array>): ArchiveParts
  /**
   * Of an archive that is only read where it stands: a copy of it with other files in it, none of which is held in memory. Nothing moves.
   * @param files new contents by member; what they copy counts from where the member begins
   * @returns `notes` say what else becomes different
   * @throws FormatError invalid-edit where there is no room
   */
  replaceFiles?(index: I, files: ReadonlyMap<number, Segment[]>): { data: Segment[]; notes: string[] }
  /**
   * The file with members that came, went or have another name; absent where an archive can do none of it. New ones stand behind the
   * others, bodies that stay keep their bytes, and move only where the table needs their room.
   * @throws FormatError not-found, invalid-edit for what the archive cannot hold
   */
  edit?(index: I, edit: ArchiveEdit): ArchiveParts
  /**
   * A new archive; absent where none can be made. What it copies are the members' bytes.
   * @param ref what it will be called @param kind one of `makes`, the first where nobody says which
   * @throws FormatError invalid-edit for what the archive cannot hold
   */
  make?(members: readonly NewMember[], ref: string, kind?: string): ArchiveParts
  /** Kinds of it that can be made, by ids of their own; absent where there is one, which is called as the format is. */
  readonly makes?: readonly { readonly id: string; readonly label: string }[]
  /** What a new one can hold, in a sentence, for whoever makes it. */
  readonly limits?: string
  /**
   * Members that stand packed: the way to what is in one, undefined where it stands as it is. What replaces it is written plain.
   * @param number of the member
   * @param stored its bytes in the data file
   */
  unpack?(index: I, number: number, stored: ByteSource): PackedBody | undefined
  /** Nodes of members end with their numbers in brackets, others do not. @param only members whose nodes it has; all where absent */
  describe(index: I, only?: readonly number[]): StructureNode
}

/** A member that stands packed in its archive. */
export interface PackedBody {
  /** of what is in it */
  readonly size: number
  /** What is in it, or at least its first `most` bytes. @throws FormatError */
  bytes(most: number): Uint8Array
}

/** A member's bytes as its archive gives them back after a write. */
export function storedBody(archive: Pick<ArchiveFormat, 'unit'> | undefined, bytes: Uint8Array): Uint8Array {
  const over = archive?.unit ? bytes.length % archive.unit : 0
  if (over === 0) return bytes
  const out = new Uint8Array(bytes.length - over + archive!.unit!)
  out.set(bytes)
  return out
}

// --- families -------------------------------------------------------------------------------------------------

/** A file as the binder sees it. */
export interface BindFile {
  ref: string
  /** file or member name with its extension */
  name: string
  /** folder or archive it stands in */
  folder: string
  format: string
  kind: FileKind
}

/** Where a binder may look. All look-ups ignore case. */
export interface Neighbourhood {
  /** files that stand in a folder or archive */
  inFolder(folder: string): readonly BindFile[]
  /** files anywhere in the library by name without extension, nearest to `near` (a folder) first */
  byStem(stem: string, near: string): readonly BindFile[]
  /** files whose summary provides `key`, nearest first */
  providing(key: string, near: string): readonly BindFile[]
  /** files whose summary needs `key`, nearest first */
  needing(key: string, near: string): readonly BindFile[]
  summary(ref: string): FileSummary | undefined
  /** a decoded document, cached; undefined where the file is broken */
  document(ref: string): Document | undefined
}

/** What a file is to a model: `model`, `skeleton`, `skin`, `bind-pose`, `animation`, `slices`, `textures`, `mesh`, `material`, `collision`, `events` */
export type RoleId = string

export interface ModelMember {
  role: RoleId
  ref: string
  /** how it was found; `user` choices are kept by the workspace and come first */
  why: 'self' | 'explicit' | 'name' | 'bones' | 'user'
  /** a word on it for the panel, e.g. `MOTION 0 in info.cfg`, `31 of 31 bones` */
  detail: string
  /** for animations: bones of the clip that the skeleton has, and all; absent where unknown */
  fit?: { matched: number; total: number }
}

export interface ModelBinding {
  family: FamilyId
  /** shown in the library */
  name: string
  /** the file that the model is known by */
  primary: string
  members: ModelMember[]
  /** of a model with long lists that others have too (`sharing`): what is its own, and those lists, each one array for all who have it; a copy of the binding is without */
  readonly apart?: { own: readonly ModelMember[]; shared: readonly (readonly ModelMember[])[] }
}

/** Choices that the user may make for a model; kept by the workspace. Keys are the family's own, listed by the assembler. */
export type ModelChoices = Readonly<Record<string, string | number | boolean>>

export interface ModelOption {
  key: string
  label: string
  /** why it is as it is, e.g. "x within 0..1 on a node with a material" */
  reason: string
  value: string | number | boolean
  options: { value: string | number | boolean; label: string }[]
}

export interface AssembledModel {
  scene: Scene
  options: ModelOption[]
  diagnostics: Diagnostic[]
  /** parts that files ask for and that the model does not have, by the name that they are asked for ('' where nothing names them); textures say it themselves */
  missing?: { role: 'skeleton' | 'bind-pose'; name: string }[]
}

/**
 * All that Marrow knows of a family. Nothing outside its folder names it: services, library, window and command line find it in
 * the registry that they are given.
 */
export interface Family {
  /** one word, also in front of the ids of its formats, rules and choices */
  id: FamilyId
  /** as people call it: the window's name for it, the same in every language */
  label: string
  /** whose files they are, as they were sold: who starts finds the own one among them */
  readonly games: string
  /** all that it says (texts/index.ts), for whoever looks through the words of the whole product */
  texts?: TextTree
  formats: readonly FileFormat<never>[] | readonly FileFormat[]
  archives: readonly ArchiveFormat[]
  /** endings of its files that the desktop opens with Marrow at a double click: the packager's list (electron-builder.yml) has the same */
  opens?: readonly string[]
  /**
   * Names, lower case, of the folders that the game keeps side by side for one model's files (`meshes` and `textures`):
   * a single file is judged with what stands in all of them.
   */
  folders?: readonly string[]
  /**
   * Settings of the user that are a choice of its models, where a model has none of its own: the name of the setting and the
   * key of the choice.
   */
  settings?: Readonly<Partial<Record<ModelSetting, string>>>
  /** Members of its archives as files of their own; absent where nobody knows a game that takes them. */
  loose?: LooseLayout
  /** Models whose primary file stands in `folder`. */
  bind(folder: string, around: Neighbourhood): ModelBinding[]
  /** A scene from the documents of a model. `load` gives a decoded member; a broken one is undefined and reported. */
  assemble(binding: ModelBinding, load: (ref: string) => Document | undefined, choices: ModelChoices): AssembledModel
  /** Rules that tell what the game will choke on. `model` is given when the whole model is at hand. */
  lint(document: Document, model: LintModel): Diagnostic[]
  /** formats that have rules on what has to stay as the game had it: only for these the original is looked for */
  judgedByOriginal?: readonly string[]
  /** All rules by which it judges, in words; what decoders say of a file is none of them. */
  rules?: () => LintRule[]
  /** Fixes offered by diagnostics: id -> applies it to the document that the diagnostic is about. */
  fixes?: Readonly<Record<string, (document: Document, diagnostic: Diagnostic) => void>>
  editor: FamilyEditor
}

export interface LintModel {
  binding?: ModelBinding
  around: Neighbourhood
  load(ref: string): Document | undefined
  /** the file as the game had it, where it is another now: for rules on what has to stay */
  original?: Document
}

/** Throws the one error for things that a family recognises and does not read. */
export function refuse(ref: string, message: string): never {
  throw new FormatError('refused', message, { file: ref, offset: 0 })
}
