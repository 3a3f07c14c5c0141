/** What differs between two files, folders, archives or models, and with a third what each made of it. */

/** An error as reports list it. */
export interface Failure {
  path: string
  code: string
  message: string
  offset: number
}

/** Of a place that differs. */
export interface ComparedChange {
  path: string
  /** what its key is called: `frame 12` */
  key?: string
  before: string
  after: string
  whole?: 'added' | 'removed'
  moved?: { from: number; to: number }
  /** a count or size that says what came or went */
  follows?: true
  offset: number
  bytes: number
  newOffset: number
  newBytes: number
}

export interface ComparedFile {
  path: string
  state: 'changed' | 'added' | 'removed'
  format: string | null
  sizes: [from: number, to: number]
  changedBytes: number
  changes: ComparedChange[]
  omitted: number
  /** where files begin to differ that are too large to be looked into, else -1 */
  differsFrom: number
  /** of an archive whose members are the same */
  shell?: true
}

export type SideState = 'same' | 'changed' | 'added' | 'removed' | 'absent'

export interface ComparedSides {
  path: string
  a: SideState
  b: SideState
  /** against the base; absent where nothing of it changed, came or went */
  changedByA?: ComparedFile
  changedByB?: ComparedFile
  conflicts: { path: string; base: string; a: string; b: string }[]
  /** both changed it, and they do not go together in one file */
  apart: string
}

export interface CompareReport {
  equal: boolean
  a: string
  b: string
  base?: string
  /** files that were held against each other */
  files: number
  same: number
  changed: number
  added: number
  removed: number
  differences: ComparedFile[]
  /** with a base: files that at least one of the two changed */
  threeWay?: ComparedSides[]
  /** files that both changed and that do not go together, and places in others */
  conflicts?: number
  /** differing files that are not listed */
  omitted: number
  failures: Failure[]
}

/** Which bytes of a file are meant: as saved last (in the mod folder, where a copy is there), the game's own, or the original that was kept. */
export type CompareVersion = 'saved' | 'game' | 'original'

/** What the window shows of a comparison. */
export interface Comparison extends CompareReport {
  /** the report as `marrow compare` prints it, a line each */
  lines: string[]
  /** folders were compared: what is in them has no one picture */
  folders: boolean
}

export interface CompareProgress {
  library: string
  /** files that were held against each other */
  done: number
  current: string
}
