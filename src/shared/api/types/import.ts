/** Animations, weights and rest poses from glTF. */
import type { MatchReason } from '../../scene/joint-map.ts'
import type { SceneBeyond } from './model.ts'

/** A node of a glTF and the joint that it is taken for, both by names that no two share; '' for none. `kept`: the user's word for the same pair of skeletons */
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
  /** of a file that came before, too: joints with edits of the model's own that it says nothing new of, which stay, and those that both changed, where the file counts */
  kept?: string[]
  both?: string[]
}

/** Weights of one mesh. */
export interface ImportedWeights {
  mesh: string
  /** by what its vertices were found: the game's own numbers, the order of triangles, or the place with normal and texture coordinates */
  by: 'number' | 'order' | 'place'
  /** in the game's file, and those of them that were written */
  vertices: number
  changed: number
  /** vertices of the glTF that the mesh does not have */
  missing: number
  /** vertices of the game that are several in the glTF, with different weights: the one that changed most counts */
  apart: number
  /** vertices with more influences than the format has room for: the smallest went */
  limited: number
  /** the most that a stored weight is off, of a whole of 1 */
  off: number
}

/** A joint that was put elsewhere at rest, below its parent: degrees, and the model's unit. */
export interface PlacedJoint {
  joint: string
  degrees: number
  distance: number
}

/** Joints go by the names that an export gives them, animations by their names in the file, numbered where several have one. */
export interface ImportReport {
  imported: ImportedAnimation[]
  /** where they were asked for */
  weights?: ImportedWeights[]
  placed?: PlacedJoint[]
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

/** An animation of a file, under a name that no two share, and where it goes: `clip 0`, `slice 2`, '' where it has no place; `assumed`: by a name that is not quite the same. */
export interface AnimationPlace {
  animation: string
  into: string
  assumed: boolean
}

export interface ImportPreview extends SceneBeyond {
  report: ImportReport
  /** in the order of the file */
  places: AnimationPlace[]
}
