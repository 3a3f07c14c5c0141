/** Rules of the games as they cross to the window. */
import type { Evidence, Severity } from '../errors.ts'
import type { Problem } from './model.ts'

export interface LintRule {
  /** with its family in front: `family.key-order` */
  id: string
  /** the worst that it finds */
  severity: Severity
  known: Evidence
  /** what happens in the game */
  happens: string
  /** repairs that its findings may offer */
  fixes: { id: string; label: string }[]
}

/** How far a look at all files of a library is. */
export interface LintProgress {
  library: string
  /** files on disk */
  done: number
  total: number
  /** the file or member whose turn it is */
  current: string
  /** found since the last report */
  problems: Problem[]
}

/** What a look at all files of a library came to; its findings were told on the way. */
export interface LibraryLint {
  /** files and members that a format knows */
  files: number
  problems: number
  /** findings beyond those that are told */
  omitted: number
}
