/**
 * What a file format is to the rest of Marrow. Each stands in a file of its own, reader beside writer. Codecs are pure: bytes in, document
 * out, bytes out. No fs, no SQLite, no Electron.
 */
import { ownMemory, type TakeMemory } from '../binary/own-memory.ts'
import { FormatError, toErrorData } from '../binary/format-error.ts'
import { equalStart } from '../binary/same-run.ts'
import { Writer } from '../binary/writer.ts'
import type { Room } from '../binary/writer.ts'
import { say } from '../../shared/texts/say.ts'
import type { Diagnostic, Severity } from '../../shared/api/errors.ts'
import type { FamilyId, FileKind } from '../../shared/api/types/family.ts'
import type { StructureField, StructureNode } from '../../shared/api/types/structure.ts'
import type { ScalarTypes } from './field-type.ts'

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
  /** A short text that says which files belong together: binders read it, its summary is not all that they go by. */
  script?: boolean
  /**
   * How sure the first bytes (up to 4 KiB; all of them for a smaller file) make it: 0 not this format, 1 certain.
   * Formats without a magic weigh structure and name; 0.5 and more opens a file without asking.
   */
  identify(head: Uint8Array, name: string, size: number): number
  /**
   * Throws FormatError. Never allocates more than the bytes can justify.
   * @param memory for a copy of all bytes, in formats that make one
   */
  decode(bytes: Uint8Array, ref: string, memory?: TakeMemory): D
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

/** Share of a file that it may grow by, or become shorter, in the memory that it was written into. */
const SPARE = 1 / 128

/** An edited document as its bytes, and as those are read. */
export interface ReadBack<D extends Document = Document> {
  bytes: Uint8Array
  document: D
}

/**
 * The bytes of an edited document, proven: they decode, and the result encodes to the same bytes.
 * @param before how many bytes they were before the edit
 * @throws FormatError invalid-edit
 */
export function encodeProven<D extends Document>(format: FileFormat<D>, edited: D, before?: number): ReadBack<D> {
  const made = readBack(format, edited, before)
  prove(format, made)
  return made
}

/** The first half of it: what it is going to be, if `prove` has nothing against it. @throws FormatError invalid-edit when it does not decode */
export function readBack<D extends Document>(format: FileFormat<D>, edited: D, before = 4096, memory?: TakeMemory): ReadBack<D> {
  const bytes = encodedToKeep(format, edited, before, memory)
  try {
    return { bytes, document: format.decode(bytes, edited.ref, memory) }
  } catch (error) {
    const data = toErrorData(error, edited.ref)
    throw new FormatError('invalid-edit', say('formats.notReadAgain', { why: data.message }), {
      file: edited.ref,
      path: data.path,
      offset: data.offset,
    })
  }
}

/** Bytes written where they stay: most edits leave a file as long as it was, or nearly. */
export function encodedToKeep<D extends Document>(
  format: FileFormat<D>,
  edited: D,
  before: number,
  memory: TakeMemory = ownMemory,
): Uint8Array {
  const room = memory(before + Math.ceil(before * SPARE))
  const { bytes } = encodeDocument(format, edited, room)
  return bytes.buffer === room.buffer && bytes.length >= room.length * (1 - 2 * SPARE) ? bytes : compact(bytes)
}

/** The second half. @throws FormatError invalid-edit when what was read is written otherwise */
export function prove<D extends Document>(format: FileFormat<D>, { bytes, document }: ReadBack<D>, room: Room = bytes.length): void {
  const at = firstDifference(bytes, encodeDocument(format, document, room).bytes)
  if (at < 0) return
  throw new FormatError('invalid-edit', say('formats.readDifferently', { at }), { file: document.ref, offset: at })
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

/** Throws the one error for things that a family recognises and does not read. */
export function refuse(ref: string, message: string): never {
  throw new FormatError('refused', message, { file: ref, offset: 0 })
}
