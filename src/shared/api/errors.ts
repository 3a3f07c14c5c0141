/** Errors and diagnostics as they cross from the main process to the window: plain data, whole. */

/** How a file or a call can fail. */
export type ErrorCode =
  | 'truncated' // the bytes end before the field does
  | 'bad-magic' // not the format that it claims to be
  | 'bad-count' // a count, size or offset that the bytes cannot hold
  | 'bad-value' // a value outside what the format knows
  | 'unsupported' // recognised, but this kind cannot be read
  | 'refused' // recognised, and refused for a stated reason
  | 'not-lossless' // encode(decode(bytes)) is not the same bytes
  | 'read-only' // the document cannot be edited
  | 'invalid-edit' // the edit would break the document
  | 'invalid-argument' // a call with arguments that do not fit its schema
  | 'not-found'
  | 'changed-on-disk' // the file is not the one that was read: somebody replaced it
  | 'deleted' // the file that was read is gone
  | 'moved' // it is gone from its place and stands at another
  | 'no-answer' // the drive that it stands on was asked, and did not answer
  | 'unreadable' // it is there, and cannot be read now
  | 'write-protected' // the user has to permit its replacement
  | 'copy-only' // it stands in an image of a disc, which is changed in a copy that has no place yet
  | 'io'
  | 'cancelled'
  | 'internal'

export interface ErrorData {
  code: ErrorCode
  message: string
  /** the file, `dir/pack!member` for a member of an archive; empty when no file is concerned */
  file: string
  /** the field, e.g. `hierarchy.pivots[3].parent` */
  path: string
  /** byte offset in `file`, -1 when there is none */
  offset: number
  expected?: string
  actual?: string
}

export type Severity = 'error' | 'warning' | 'info'

/** How a rule is known, best first. */
export type Evidence =
  | 'layout' // the file contradicts itself: counts, references and numbers that cannot be
  | 'bytes' // counted in the games' own files
  | 'two-sources' // two that do not know of each other say so
  | 'one-source' // one says so: a hint

/** Recoverable trouble: a value beside the data, not an exception. */
export interface Diagnostic {
  /** stable, kebab-case, with its family in front: `family.pivot-parent-order` */
  code: string
  severity: Severity
  message: string
  /** the file */
  ref: string
  /** the field, same form as ErrorData.path */
  path: string
  offset: number
  /** where the rule is less than certain */
  known?: Evidence
  /** fixes that can be applied: ids of the family's fixes */
  fixes?: { id: string; label: string }[]
}
