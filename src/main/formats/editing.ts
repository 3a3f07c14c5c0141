/**
 * What a family can edit, behind interfaces that all families share, so that timeline, weights and skeleton tools are
 * written once. An editor changes documents that it gets from an EditSession; the workspace takes the difference by
 * encoding what was opened for writing, so an editor cannot forget to declare a change, and undo needs no code here.
 */
import { FormatError } from '../binary/format-error.ts'
import type { AssembledModel, ModelBinding, ModelOption } from './binding.ts'
import type { Document } from './format.ts'
import type { ClipField, ClipListLimits, ClipSource, KeyEdit, ListedClip, NativeTrack } from '../../shared/api/types/clips.ts'
import type { NativePoints } from '../../shared/api/types/points.ts'
import type { SliceFinding, SliceLimits } from '../../shared/api/types/slices.ts'
import type { NativeSubmesh } from '../../shared/api/types/submeshes.ts'
import type { TexturePixels, TextureStorage } from '../../shared/api/types/textures.ts'
import type { NativeWeights, WeightEdit } from '../../shared/api/types/weights.ts'
import type { ClipEvent, Slice, Texture } from '../../shared/scene/types.ts'

/** What an edit that may not be done answers: nothing of it is kept. @throws FormatError invalid-edit */
export function refuse(message: string, path = ''): never {
  throw new FormatError('invalid-edit', message, { path })
}

/** A model that is open: its documents for reading. */
export interface OpenDocuments {
  readonly binding: ModelBinding
  /** the model as last assembled: scene indices in arguments refer to it */
  readonly assembled: AssembledModel
  /** undefined for a file that could not be read */
  document(ref: string): Document | undefined
}

/** One undoable step. Throw FormatError('invalid-edit') to refuse: nothing is kept then. */
export interface EditSession extends OpenDocuments {
  /** the document for writing; throws when it is read-only or missing */
  edit<D extends Document>(ref: string): D
  /**
   * Other files of the library that refer to this model (animations of the hierarchy, meshes of a skeleton): opened for
   * writing as part of the same step.
   */
  editOther<D extends Document>(ref: string): D
  /**
   * Makes a file of the model that is not there yet, of a format whose files edits make (`FileFormat.comesAndGoes`).
   * @param ref where it is to stand. @throws FormatError invalid-edit where something stands there
   */
  create(ref: string, document: Document): void
  /** whether `create` can make one beside this file: a folder on disk takes them, the directory of an archive does not */
  takesFiles(ref: string): boolean
  /** Takes a file of such a format away. @throws FormatError invalid-edit where it cannot go */
  discard(ref: string): void
  /** files of the library that need or provide a key, for edits that reach further */
  needing(key: string): string[]
  providing(key: string): string[]
}

export interface SliceValues {
  name: string
  start: number
  end: number
  speed: number
}

/** Windows kept in the game's own files. `index` counts within Scene.slices. */
export interface SliceEditor {
  limits(model: OpenDocuments): SliceLimits
  /** why these values cannot be stored, or a warning; empty list when fine */
  check(model: OpenDocuments, values: SliceValues): SliceFinding[]
  add(session: EditSession, at: number, clip: number, values: SliceValues): void
  set(session: EditSession, index: number, values: Partial<SliceValues>): void
  remove(session: EditSession, index: number): void
  move(session: EditSession, from: number, to: number): void
  duplicate(session: EditSession, index: number): void
  /** a file of the family's animation format that holds just this window, boundary poses evaluated */
  extract(model: OpenDocuments, slice: Slice): { name: string; bytes: Uint8Array }
  /** puts an extracted and edited window back into the master */
  replaceWindow(session: EditSession, slice: Slice, bytes: Uint8Array): void
}

export interface ClipEditor {
  /** tracks of a clip of the scene, in file order */
  tracks(model: OpenDocuments, clip: number): NativeTrack[]
  /** changes keys; unchanged keys keep their bytes, packed ones included */
  editKeys(session: EditSession, edits: KeyEdit[]): void
  addTrack?(session: EditSession, clip: number, joint: number, property: NativeTrack['property']): void
  removeTrack?(session: EditSession, track: string): void
  /** header fields such as name, frame rate, length */
  fields?(model: OpenDocuments, clip: number): ClipField[]
  setField?(session: EditSession, clip: number, key: string, value: string | number): void
  /** native value of a track that gives this scene value, for posing: rotation x,y,z,w or translation in scene space of the joint */
  fromScene(model: OpenDocuments, track: NativeTrack, sceneValue: Float32Array): Float32Array
  /** clips as a whole */
  list?: ClipListEditor
}

/** A clip by where it stands in its file, and by its name where that has moved. */
export interface ClipPlace {
  ref: string
  path: string
  name: string
}

/** What an edit of the list did to a clip: whatever names it by its place follows. */
export interface ClipMove {
  from: Pick<ClipPlace, 'ref' | 'path'>
  /** absent where the clip is gone */
  to?: ClipPlace
  /** only what stands at this native time or later follows, `by` so much later in time */
  since?: number
  by?: number
}

/**
 * Clips as a whole: made, copied, named, put in order, parted and joined, taken from other files. Numbers count within `list`. Every
 * edit says what moved; what the game plays by number keeps its number, or the edit is refused.
 */
export interface ClipListEditor {
  /** what an entry of the list is in the scene: a clip, or where a game keeps many motions on one track a slice. Numbers are the same */
  readonly of: 'clips' | 'slices'
  list(model: OpenDocuments): ListedClip[]
  limits(model: OpenDocuments): ClipListLimits
  /**
   * A clip with what another one has at a time or in a range, or without movement: that one takes `seconds` where its format says how long a
   * clip is, and else ends with the last key that it is given, or without `seconds` with one of its own.
   */
  add(session: EditSession, name: string, from?: ClipSource, seconds?: number): ClipMove[]
  /** keeps coding and bytes of the keys */
  duplicate(session: EditSession, clip: number, name: string): ClipMove[]
  rename(session: EditSession, clip: number, name: string): ClipMove[]
  remove(session: EditSession, clip: number): ClipMove[]
  /** to another place in the order of its file */
  move(session: EditSession, from: number, to: number): ClipMove[]
  /** what follows `time` becomes a clip of its own; both have the pose of that time */
  split(session: EditSession, clip: number, time: number, name: string): ClipMove[]
  /** puts another clip behind this one, and takes it out of the list */
  join(session: EditSession, clip: number, other: number): ClipMove[]
  /** takes the clips of another file, all or the one of that name */
  merge(session: EditSession, file: Document, only?: string): ClipMove[]
  /** stores packed tracks plain: every frame has the bits that it had, and a place of its own. Of families with such tracks */
  unpack?(session: EditSession, clip: number): ClipMove[]
  /** into another file of the model */
  moveTo(session: EditSession, clip: number, ref: string): ClipMove[]
}

export interface WeightEditor {
  list(model: OpenDocuments): { id: string; mesh: string; sceneMesh: number; vertexCount: number }[]
  read(model: OpenDocuments, id: string): NativeWeights
  write(session: EditSession, edit: WeightEdit): void
}

export interface SkeletonEditor {
  abilities: { rename: boolean; transform: boolean; reparent: boolean; keepSkin: boolean }
  /** what else refers to a joint, for the warning before an edit */
  references(model: OpenDocuments, joint: number): { ref: string; what: string }[]
  /** files of the model that find the joint by its name, where a rename may take them along or not */
  namedBy?(model: OpenDocuments, joint: number): string[]
  /** @param follow whether what `namedBy` lists goes by the new name too; what cannot do without always does */
  rename?(session: EditSession, joint: number, name: string, follow?: boolean): void
  /** native local values: fields of the joint as the file has them */
  fields(model: OpenDocuments, joint: number): { key: string; label: string; value: number[] | string; note?: string }[]
  setField?(session: EditSession, joint: number, key: string, value: number[] | string, options: { keepSkin: boolean }): void
  /** puts the joint elsewhere at rest, in its parent's space of the scene; rotation x, y, z, w of length 1. Parts that are not given stay */
  place?(
    session: EditSession,
    joint: number,
    to: { translation?: ArrayLike<number>; rotation?: ArrayLike<number> },
    options: { keepSkin: boolean },
  ): void
  reparent?(session: EditSession, joint: number, parent: number): void
}

export interface EventEditor {
  add(session: EditSession, clip: number, event: Omit<ClipEvent, 'source'>): void
  set(session: EditSession, clip: number, index: number, event: Partial<Omit<ClipEvent, 'source'>>): void
  remove(session: EditSession, clip: number, index: number): void
}

/** Named places that hang on joints: control points, slots, dummies. `id` names one as `list` gives it. */
export interface PointEditor {
  list(model: OpenDocuments): NativePoints
  /** @param joint scene joint that carries it, -1 for none; @param center place in the joint's space of the scene; @returns its id */
  add(session: EditSession, ref: string, joint: number, center: ArrayLike<number>): string
  /** a field as `list` gives it, in native values; `keepPlace`: on another joint it stays where it is at rest, else its numbers stay */
  set(session: EditSession, id: string, key: string, value: number[] | string, options: { keepPlace: boolean }): void
  /** puts it elsewhere in its joint's space of the scene; parts that come out as they were keep their bytes */
  place(session: EditSession, id: string, center: ArrayLike<number>): void
  remove(session: EditSession, id: string): void
  /** a copy behind it; @returns its id */
  duplicate(session: EditSession, id: string): string
}

/** Submeshes of a mesh of the scene (its groups) and what its files say of their materials. */
export interface SubmeshEditor {
  /** one entry per group of the mesh */
  list(model: OpenDocuments, mesh: number): NativeSubmesh[]
  set(session: EditSession, mesh: number, submesh: number, key: string, value: string): void
}

/** A node of a file with all that is below it, or one field, by its path. */
export interface FieldPlace {
  ref: string
  path: string
}

/** Where the files of a model say what a material of the scene looks like: fields there are set by themselves (set-field.ts). */
export interface MaterialEditor {
  places(model: OpenDocuments, material: number): FieldPlace[]
}

/** What a texture editor may look at: pictures are stored where the rest of the model is not (`storePicture`). */
export interface TextureDocuments {
  readonly assembled: { readonly scene: { readonly textures: readonly Texture[] }; readonly options: readonly ModelOption[] }
  document(ref: string): Document | undefined
}

export interface TextureEditor {
  /** how a texture of the scene is stored, and what that does to a picture that is put in */
  storage(model: TextureDocuments, texture: number): TextureStorage
  /** a level as the file has it, 0 the picture itself. @throws FormatError not-found, and where its pixels are not read */
  pixels(model: TextureDocuments, texture: number, level: number): TexturePixels
  /** RGBA rows from the top; written back in the texture's own raster format, into the file that the texture stands in and no other */
  replace(session: TextureDocuments & Pick<EditSession, 'edit'>, texture: number, width: number, height: number, rgba: Uint8Array): void
}

export interface FamilyEditor {
  slices?: SliceEditor
  clips?: ClipEditor
  weights?: WeightEditor
  skeleton?: SkeletonEditor
  events?: EventEditor
  points?: PointEditor
  submeshes?: SubmeshEditor
  materials?: MaterialEditor
  textures?: TextureEditor
}
