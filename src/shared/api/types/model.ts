/** An open model: its files, choices and abilities, and what an edit answers. */
import type { SceneUpdate } from '../../scene/scene-update.ts'
import type { Scene } from '../../scene/types.ts'
import type { Diagnostic } from '../errors.ts'
import type { FamilyId } from './family.ts'
import type { SliceLimits } from './slices.ts'

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
  /** what the list of clips that can be changed consists of; null where it cannot */
  clipList: 'clips' | 'slices' | null
  weights: boolean
  skeleton: { rename: boolean; transform: boolean; reparent: boolean; keepSkin: boolean } | null
  events: boolean
  points: boolean
  submeshes: boolean
  textures: boolean
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
  missing: MissingPart[]
  abilities: ModelAbilities
  history: HistoryInfo
  /** grows with every edit, undo and redo */
  revision: number
  dirty: boolean
  /** another Marrow has it open, too; names of the model's files with unsaved edits there */
  elsewhere?: { edited: string[] }
}

/** What a model asks for and does not find: the user says where it is (`model.add`). */
export interface MissingPart {
  role: 'textures' | 'skeleton' | 'bind-pose'
  /** what it is called where it is asked for; '' where nothing names it */
  names: string[]
  /** a file that the game shares among its models may have them, and is not in the library: nothing is the matter with the model */
  shared?: string
}

/** What came of files that were to become part of a model. */
export interface AddedFiles {
  opened: OpenedModel
  added: { ref: string; name: string; role: string }[]
  /** why others did not, in words */
  refused: string[]
}

export interface OpenedModel {
  info: ModelInfo
  /** clips of many keys are `away`, all but the one that is shown first: `model.clip` gives them */
  scene: Scene
}

export interface Problem extends Diagnostic {
  /** name of the file for the list */
  file: string
}

/** What edits would make of a model that is open. */
export interface SceneBeyond {
  /** revision of the model that the scene builds on */
  basis: number
  scene: SceneUpdate
}

export interface EditResult {
  info: ModelInfo
  /** whole, but for nulls that stand for entries of the scene of revision `basis`, and for clips told by what changed in those */
  scene: SceneUpdate
  /** absent where the scene is whole; a window that shows another revision asks for model.scene */
  basis?: number
  diagnostics: Diagnostic[]
}
