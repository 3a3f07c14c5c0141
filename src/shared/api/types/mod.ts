/** Files of a mod folder, and the game that they were made from. */
import type { FileChanges } from './changes.ts'
import type { Problem } from './model.ts'

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

/** A place of a changed file: a node with changes of its own, a whole file of an archive. */
export interface ChangedPlace {
  /** the file, or the member of an archive, as the library has it */
  ref: string
  /** name in the archive, '' for a file of its own */
  member: string
  /** of the field or node, '' for all of the file */
  path: string
  /** in the file as it is now, -1 for none */
  offset: number
  /** in words of the format */
  what: string
  /** of a lone value */
  before: string
  after: string
  /** changes in it */
  count: number
  /** all of it is new, or gone */
  came?: 'added' | 'removed'
}

/** What the mod changed in a file on disk, and what the rules find in it. */
export interface ModFileReport {
  /** the game's file, as the library has it */
  ref: string
  /** below the game's folder */
  path: string
  changes: number
  changedBytes: number
  places: ChangedPlace[]
  /** changes in places that are not listed */
  omitted: number
  /** without fixes: those are of models that are open */
  problems: Problem[]
  /** why it was compared by its bytes alone, '' where it was read */
  unread: string
}

export interface ModCheckProgress {
  library: string
  done: number
  total: number
  /** the file whose turn it is */
  current: string
}

/** How a mod holds members of archives that it changed. */
export interface ModLayout {
  /** as files of their own, where the game takes them so; else in copies of the archives */
  loose: boolean
  /** what the games of the library need to take such files, a sentence for each family */
  needs: { family: string; needs: string }[]
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

/** A file of the folder that a mod is tried in. */
export interface TestFile {
  /** below the folder, as below the game's */
  path: string
  bytes: number
  /** `taken`: what stands there is not Marrow's, and stays; `gone`: the mod does not change it any more */
  state: 'new' | 'changed' | 'same' | 'gone' | 'taken'
}

/** What a write of the test folder would do. */
export interface TestFolderPlan {
  folder: string
  files: TestFile[]
  /** that would be written */
  bytes: number
}

/** What it did; the states are those that it found. */
export interface TestFolderReport extends TestFolderPlan {
  written: number
  removed: number
}

export type TestFolderProgress = ModCheckProgress
