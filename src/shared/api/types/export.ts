/** Exports of many models. */

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
