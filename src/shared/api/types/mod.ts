/** Files of a mod folder, and the game that they were made from. */
import type { FileChanges } from './changes.ts'

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

/** A file that the mod changed, on disk: saved already. */
export interface ModFile {
  /** the game's file, as the library has it */
  ref: string
  /** below the game's folder */
  path: string
  size: number
  /** -1: the game does not have it */
  originalSize: number
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
