/** Plain data that crosses between the main process and the window. No Node, no DOM, no Electron. */
import type { Diagnostic, ErrorCode } from './errors.ts'
import type { MatchReason } from '../scene/joint-map.ts'
import type { Scene } from '../scene/types.ts'

/** Id of a family of formats: a word of small letters and digits. Which families there are is known to the registry alone; `app.info` tells the window. */
export type FamilyId = string

export function isFamilyId(id: string): boolean {
  return /^[a-z][a-z0-9]{0,31}$/.test(id)
}

/** Files that belong to no single family: pictures that all of them use, Marrow's own. */
export const COMMON_FAMILY: FamilyId = 'common'

/** What the window says of a family. */
export interface FamilyInfo {
  id: FamilyId
  label: string
}

export type FileKind =
  | 'model'
  | 'skeleton'
  | 'skin'
  | 'animation'
  | 'slices'
  | 'texture'
  | 'material'
  | 'collision'
  | 'archive'
  | 'bind-pose'
  | 'text'
  | 'effect'
  | 'other'

/** A field of a structure node. */
export interface StructureField {
  /** the spec's field name */
  name: string
  /** as the format has it, for reading */
  value: string
  /** `u32`, `f32[3]`, `char[16]`, `f32[3] x 529` */
  type: string
  /** bytes in the file */
  start: number
  size: number
  /** nobody knows what it means, or sources disagree: shown as such */
  unknown?: boolean
  note?: string
  /** of a column: what its entries are called */
  entries?: FieldEntries
}

/** Names of the entries of a column: numbered, or by the part of the record that has the name (`frame`, `time`). */
export interface FieldEntries {
  /** `frame`, `vertex`, `time` */
  what: string
  unit?: string
  /** number of the first entry */
  first?: number
  /** one entry stands for so many: 16 frames of a block of deltas */
  per?: number
  /** entries take turns: the components of one block */
  of?: readonly string[]
}

/** A node of a document, for the structure panel, `marrow info` and the paths in Changes. */
export interface StructureNode {
  /** last part of the path: `pivots[3]` */
  name: string
  /** what it is: `PIVOT`, `Skin PLG` */
  type: string
  start: number
  end: number
  /** carried raw */
  opaque?: boolean
  summary?: string
  fields: StructureField[]
  children: StructureNode[]
}

// --- library ---------------------------------------------------------------------------------------------------

export interface LibraryInfo {
  id: string
  root: string
  name: string
  files: number
  models: number
  errors: number
  /** last full scan, ms since 1970; 0 for never */
  scannedAt: number
}

export interface ScanProgress {
  library: string
  phase: 'walk' | 'index' | 'bind' | 'done' | 'cancelled'
  done: number
  total: number
  current: string
  errors: number
}

/** What `marrow scan --json` prints. */
export interface ScanReport {
  files: number
  recognised: number
  models: number
  bones: number
  meshes: number
  slices: number
  weights: number
  textures: number
  errors: { path: string; code: string; message: string; offset: number }[]
  seconds: number
}

export type RowType = 'model' | 'file' | 'error'

export interface LibraryRow {
  /** file reference; the model's primary file for a model */
  ref: string
  name: string
  /** path relative to the library's root, for display */
  where: string
  type: RowType
  family: FamilyId
  kind: FileKind
  format: string
  size: number
  bones: number
  meshes: number
  clips: number
  slices: number
  textures: number
  note: string
  error?: { code: string; message: string; offset: number }
}

export type LibraryPart = 'bones' | 'meshes' | 'clips' | 'slices' | 'textures'

export interface LibraryQuery {
  library: string
  text?: string
  family?: FamilyId
  kind?: FileKind
  /** only what has at least one of each of these */
  has?: LibraryPart[]
  show: 'models' | 'files' | 'errors'
  sort: 'name' | 'kind' | 'size' | 'bones' | 'clips'
  descending?: boolean
  offset: number
  limit: number
}

export interface LibraryPage {
  total: number
  rows: LibraryRow[]
  facets: {
    families: { value: FamilyId; count: number }[]
    kinds: { value: FileKind; count: number }[]
    has: { value: LibraryPart; count: number }[]
  }
  counts: { models: number; files: number; errors: number }
}

/** Side of the square pictures of models, pixels. */
export const PICTURE_SIZE = 160

/** A small picture of a model with nothing behind it, or why there is none. `broken`: the model could not be read. */
export type ModelPicture = { png: Uint8Array } | { reason: string; broken: boolean }

/** What a library shows; a filter of models for exports of many. */
export type LibraryFilter = Pick<LibraryQuery, 'text' | 'family' | 'has'>

export interface BatchFailure {
  ref: string
  name: string
  code: string
  message: string
}

export interface BatchProgress {
  library: string
  done: number
  total: number
  /** the model whose turn it is */
  current: string
  /** since the last report */
  failures: BatchFailure[]
}

export interface BatchReport {
  /** models that the filter shows */
  total: number
  exported: number
  /** their files were there already */
  skipped: number
  files: number
  failures: BatchFailure[]
  /** what the form has no place for -> models that had it */
  left: { what: string; models: number }[]
  folder: string
  seconds: number
  cancelled: boolean
}

// --- models ----------------------------------------------------------------------------------------------------

export interface ModelFile {
  ref: string
  name: string
  role: string
  format: string
  formatLabel: string
  why: 'self' | 'explicit' | 'name' | 'bones' | 'user'
  detail: string
  fit?: { matched: number; total: number }
  size: number
  dirty: boolean
  /** why it cannot be edited, empty when it can */
  readOnly: string
  /** it could not be read */
  error?: string
}

export interface ModelOptionInfo {
  key: string
  label: string
  reason: string
  value: string | number | boolean
  options: { value: string | number | boolean; label: string }[]
}

/** What a model's family can edit here: the window shows only tools that work. */
export interface ModelAbilities {
  slices: SliceLimits | null
  clips: boolean
  weights: boolean
  skeleton: { rename: boolean; transform: boolean; reparent: boolean; keepSkin: boolean } | null
  events: boolean
  points: boolean
  submeshes: boolean
  textures: boolean
}

export interface SliceLimits {
  /** slices are in the game's own files; otherwise in Marrow's workspace file */
  native: boolean
  named: boolean
  /** longest name in bytes of the file's encoding, 0 for no limit */
  nameBytes: number
  integerFrames: boolean
  unit: 'frame' | 'ms' | 's'
  /** speed that a new slice begins with, as Slice.speed */
  newSpeed: number
}

/** What is wrong with values of a slice. */
export interface SliceFinding {
  severity: 'error' | 'warning'
  /** the value that it is about; of two that contradict each other, the later one */
  field: 'name' | 'start' | 'end' | 'speed'
  message: string
}

export interface HistoryInfo {
  /** labels, the last step last */
  undo: string[]
  redo: string[]
  /** name of the last step, '' for none: an edit that `replaces` it does it again in another way */
  top: string
}

export interface ModelInfo {
  id: string
  name: string
  family: FamilyId
  primary: string
  files: ModelFile[]
  options: ModelOptionInfo[]
  abilities: ModelAbilities
  history: HistoryInfo
  /** grows with every edit, undo and redo */
  revision: number
  dirty: boolean
  /** another Marrow has it open, too; names of the model's files with unsaved edits there */
  elsewhere?: { edited: string[] }
}

export interface OpenedModel {
  info: ModelInfo
  scene: Scene
}

// --- points: one interface for all families ---------------------------------------------------------------------

/** A named place of a file that hangs on a joint. */
export interface NativePoint {
  /** names it in calls; holds until points of its file come or go */
  id: string
  ref: string
  /** what the scene draws for it: index into Scene.helpers */
  helper: number
  /** as the file has them; `joint`: the value names a joint */
  fields: { key: string; label: string; value: number[] | string; joint?: boolean; note?: string }[]
}

export interface NativePoints {
  points: NativePoint[]
  /** files of the model that can hold more of them; `refused` says why one cannot, `note` what else an addition changes */
  places: { ref: string; refused: string; note: string }[]
}

/** What the files say of one submesh: texts that can be set, or chosen from; `readOnly` says why one cannot. */
export interface NativeSubmesh {
  fields: { key: string; label: string; value: string; options?: { value: string; label: string }[]; readOnly?: string; note?: string }[]
}

// --- clips: one interface for all families ----------------------------------------------------------------------

/** A field of a clip's header; with `options` it is one of these. */
export interface ClipField {
  key: string
  label: string
  value: string | number
  min?: number
  max?: number
  options?: { value: string; label: string }[]
  note?: string
  /** fields of one group stand together below the others, closed at first: there may be one for every track */
  group?: string
}

export type KeyedProperty = 'translation' | 'rotation' | 'scale' | 'visibility' | 'opacity' | 'color' | 'vertex' | 'camera' | 'unknown'

/** A track as its file has it: values in the file's own order and units. */
export interface NativeTrack {
  /** stable while the document is open: `ref#path` */
  id: string
  ref: string
  clip: string
  /** name of the joint, material or mesh it moves */
  target: string
  /** joint of the scene, -1 for none */
  joint: number
  property: KeyedProperty
  /** e.g. `type 0 rotation`, `ch 6 Q`, `KRT0` */
  label: string
  /** names of the components in file order: ['w','x','y','z'] */
  components: string[]
  times: Float64Array
  /** components.length per key */
  values: Float32Array
  /** 1 for a key that is jumped to: the value before it is held until then; absent when none is */
  stepInto?: Uint8Array
  /** the same for tracks whose keys are one record (rotation and position of a bone): a key that goes or moves in one does so in all */
  sharedKeys?: string
  limits: TrackLimits
}

/** Keys of a joint as the scene has them: local values (the space of its parent), translation and scale 3, rotation 4 (x,y,z,w) per time. */
export interface PoseKeys {
  joint: number
  /** native times of the clip that takes them */
  times: Float64Array
  translation?: Float32Array
  rotation?: Float32Array
  scale?: Float32Array
}

export interface TrackLimits {
  /** times are whole numbers of this step; 0 for any time */
  timeStep: number
  minTime: number
  maxTime: number
  /** a key on every frame between first and last (raw channels): keys cannot be added or moved alone */
  dense: boolean
  /** a dense track takes further keys before its first and after its last */
  grows?: boolean
  /** values are stepped */
  stepped: boolean
  /** values are packed and change a little when written, e.g. "COMP4: 0.57 degrees" */
  packed: string
  /** keys cannot be edited, with the reason */
  readOnly: string
}

/** Changes to the keys of one track. Keys are numbered as in NativeTrack before the edit. */
export interface KeyEdit {
  track: string
  /** keys taken out */
  remove?: Uint32Array
  /** keys with a new time and value; a key whose time and value are as they were keeps its bytes */
  set?: { keys: Uint32Array; times: Float64Array; values: Float32Array }
  /** keys put in at their time */
  insert?: { times: Float64Array; values: Float32Array }
}

// --- weights -----------------------------------------------------------------------------------------------------

export interface WeightLimits {
  /** what a full weight is in the file: 100, 1 */
  fullWeight: number
  /** 0 for any number */
  maxInfluences: number
  /** step of a stored weight (percent: 1), 0 for any */
  step: number
  /** zero weights must stand after the others */
  packedFront: boolean
  /** what else the file does with weights when they are written, a sentence each: for the window to say before */
  rules: string[]
  readOnly: string
}

/** Weights of one skinned mesh in native vertices and native scale (compressed rows). */
export interface NativeWeights {
  /** `ref#path` */
  id: string
  mesh: string
  /** index of the mesh in the scene */
  sceneMesh: number
  vertexCount: number
  /** bones that can have weights: names, and joints of the scene */
  bones: { name: string; joint: number }[]
  offsets: Uint32Array
  bone: Uint16Array
  weight: Float32Array
  limits: WeightLimits
}

/** What an edit would change in the bytes of a file, told without making it. */
export interface EditPreview {
  ref: string
  name: string
  sizeBefore: number
  size: number
  changedBytes: number
  /** fields that change, columns as one; values of a field that is one number or text */
  fields: { name: string; count: number; before: string; after: string }[]
  /** changes behind those that were looked at: they may be in other fields */
  omitted: number
}

/** New weights for some vertices; the others stay. */
export interface WeightEdit {
  id: string
  vertices: Uint32Array
  /** per listed vertex */
  offsets: Uint32Array
  bone: Uint16Array
  weight: Float32Array
}

// --- textures ----------------------------------------------------------------------------------------------------

/** How a texture stands in its file. */
export interface TextureStorage {
  /** as the format calls it: `DXT1`, `8888 PAL8`; '' where nobody knows */
  format: string
  /** mip levels, the picture itself included */
  levels: number
  /** most colours that a palette holds, 0 without one */
  colors: number
  /** bits of alpha for each pixel or palette entry */
  alphaBits: number
  /** what storing does to a picture, in words: one line each */
  notes: string[]
  /** which sizes can be stored, in words */
  sizes: string
  /** why it cannot be replaced, '' when it can */
  readOnly: string
}

/** A texture as it is stored now, beside the picture that was put in. */
export interface TextureReport {
  width: number
  height: number
  storage: TextureStorage
  /** of 255: root of the mean square and the most that a colour differs, over pixels that are not clear; the most that alpha does */
  colorError: number
  worstColor: number
  worstAlpha: number
}

// --- changes, saving ---------------------------------------------------------------------------------------------

/** The same place in the original and in the new bytes; empty on one side for what came or went. */
export interface ByteRange {
  /** in the original */
  start: number
  end: number
  /** in the new bytes */
  newStart: number
  newEnd: number
}

/** A field that differs between the original and now. */
export interface ByteChange extends ByteRange {
  /** the field there, e.g. `tracks[3].keys[7].x` */
  path: string
  /** index in FileChanges.nodes */
  node: number
  /** of a column: the entry that it is in */
  entry?: ChangedEntry
  /** a whole entry or node that came or went */
  whole?: 'added' | 'removed'
  /** a size or count that follows from what came or went: nothing to restore by itself */
  follows?: true
  before: string
  after: string
  /** first bytes of both, up to 64 */
  beforeBytes: Uint8Array
  afterBytes: Uint8Array
}

export interface ChangedEntry extends ByteRange {
  /** `tracks[3].keys[7]` */
  path: string
  /** `frame 12` */
  label: string
}

/** A node of the structure that holds changes: a file, a track, a chunk. */
export interface ChangedNode extends ByteRange {
  path: string
  /** what it is and holds, e.g. `track`, `node 3, rotation, 12 keys` */
  type: string
  summary: string
  /** index of the node around it, -1 for the file */
  parent: number
  /** changes in it and below it, listed or not */
  count: number
}

export interface FileChanges {
  ref: string
  name: string
  originalSize: number
  size: number
  /** nodes that hold changes, each behind the one around it */
  nodes: ChangedNode[]
  /** in the order of the file */
  changes: ByteChange[]
  /** more changes than listed */
  omitted: number
  /** bytes that differ, all together */
  changedBytes: number
}

/** A file of a mod folder whose game file is not the one that it was made from. */
export interface ModUpdate {
  /** the game's file, as the library has it */
  ref: string
  name: string
  /** below the game's folder */
  where: string
  /** in the mod folder */
  target: string
  /** bytes of the game's file when the mod was made from it, and now; -1: it is gone */
  sizeThen: number
  sizeNow: number
}

/** A place that both the game's update and the mod changed. */
export interface MergeConflict {
  path: string
  base: string
  game: string
  mine: string
}

/** Both against the game's file that the mod was made from. */
export interface ModComparison {
  game: FileChanges
  mine: FileChanges
  conflicts: MergeConflict[]
}

/** What became on disk of a file that is open; each has ways out of its own. */
export type DiskTrouble = 'changed-on-disk' | 'deleted' | 'moved' | 'unreadable'

/** A file of an open model, and what the disk has of it. */
export interface DiskFileState {
  ref: string
  /** `same`: it is what was read, again or still */
  state: DiskTrouble | 'same'
  message: string
  /** where a moved file stands now, '' for the others */
  movedTo: string
}

export interface SavePlan {
  files: {
    ref: string
    /** the file on disk that is written: the pack for a member */
    target: string
    changedBytes: number
    size: number
    newSize: number
    /** the original is kept by this write (first save) */
    keepsOriginal: boolean
    problem?: string
    /** of the problem: what became of the file on disk, `write-protected`, or another reason */
    code?: ErrorCode
  }[]
  mode: 'in-place' | 'mod-folder'
  folder: string
}

export interface SaveResult {
  saved: { ref: string; target: string; bytes: number; changedBytes: number }[]
  failed: { ref: string; code: string; message: string }[]
}

export interface OriginalInfo {
  ref: string
  target: string
  hash: string
  size: number
  keptAt: number
}

/** What a patch holds, and what became of it in a mod folder. */
export interface PatchFile {
  /** below the game's folder */
  path: string
  /** '' for a whole file */
  member: string
  /** `same`: the game's file is the one that the patch was made from; `in-the-way`: the mod folder has another one */
  state: 'same' | 'updated' | 'missing' | 'in-the-way' | 'failed'
  written: boolean
  detail: string
  /** for `updated`, where a format reads it: the game's file as it is now, and what the patch has */
  changes?: FileChanges
}

export interface PatchBuild {
  name: string
  madeWith: string
  folder: string
  files: PatchFile[]
  /** files on disk */
  written: number
}

export interface PatchExport {
  /** for saving under: `name.marrow.zip` */
  fileName: string
  /** where it was written; '' when the bytes are here */
  path: string
  bytes: Uint8Array
  size: number
  files: { path: string; member: string; size: number; originalSize: number }[]
}

/** An animation of a glTF that went into a clip or slice. */
/** A node of a glTF and the joint that it is taken for; '' for none. `kept`: the user's word for the same pair of skeletons */
export interface JointProposal {
  node: string
  joint: string
  why: MatchReason | 'kept'
}

/** How far an import moved a joint at most: turned below its parent in degrees, its place in the model's unit. */
export interface JointMove {
  joint: string
  degrees: number
  distance: number
}

/** A glTF that was sampled on another grid than the clip has keys on. */
export interface ImportTiming {
  /** samples in a second of the file, and keys in one of the clip */
  file: number
  clip: number
  /** keys of the clip that no sample stands on */
  keys: number
  /** the worst that they would be off by, if they took what the file shows */
  degrees: number
  distance: number
}

export interface ImportedAnimation {
  animation: string
  into: 'clip' | 'slice'
  index: number
  name: string
  /** joints of the skeleton that it moves */
  joints: number
  tracksAdded: number
  keysChanged: number
  keysInserted: number
  /** greatest difference between the glTF and the model as it is now, at the glTF's keys */
  degrees: number
  distance: number
  /** greatest differences between the glTF and the clip before that were taken as rounding: nothing was changed for them */
  rounding: { degrees: number; distance: number }
  /** joints whose pose is another than in the clip before, the most turned first */
  moved: JointMove[]
  timing?: ImportTiming
}

export interface ImportReport {
  imported: ImportedAnimation[]
  /** names in the glTF that no joint has */
  unmatched: string[]
  /** animations that were not taken */
  unused: string[]
  /** in words, names that were taken for others */
  assumed: string[]
  /** how the file's joints rest against the model's: those with axes of their own, which is taken out, and those that stand elsewhere, the worst first */
  rest: { turned: number; degrees: number; moved: { joint: string; distance: number }[] }
  /** in words, what could not be taken and why */
  left: string[]
}

export interface RecoveredModel {
  id: string
  primary: string
  name: string
  steps: number
  lastEdit: number
  /** the journal is damaged: what of it is lost, in words. It stays on disk whatever is chosen; some of it may be restorable */
  damage?: { message: string; restorable: boolean }
}

export interface Problem extends Diagnostic {
  /** name of the file for the list */
  file: string
}
