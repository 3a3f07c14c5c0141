/** Which files are one model, and the scene that they become. */
import type { Document, FileSummary } from './format.ts'
import type { Diagnostic } from '../../shared/api/errors.ts'
import type { FamilyId, FileKind } from '../../shared/api/types/family.ts'
import type { Scene } from '../../shared/scene/types.ts'

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

/**
 * What a binder sees of a summary. A file that changed in nothing of it, and that no binder opened, leaves models as they are (`src/main/library/fitting-models.ts`):
 * most edits change values of keys, weights and pixels.
 */
export interface BindSummary extends Pick<FileSummary, 'kind' | 'bones' | 'provides' | 'needs'> {
  meshes?: readonly unknown[]
  clips?: readonly { tracks: number }[]
}

/** Where a binder looks. */
export interface BindNeighbourhood extends Omit<Neighbourhood, 'summary'> {
  summary(ref: string): BindSummary | undefined
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
  /** of a model that is opened: what its family says of files that are shared and not here (`Family.absent`) */
  absent?: readonly string[]
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
  /** missing textures that a file may have which the game shares among its models, and which is not in the library */
  shared?: { file: string; textures: string[] }
}
