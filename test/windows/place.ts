/** What the checks on Windows are given, and what they answer: as JSON in files, since they run in a process of their own. */

export interface Place {
  /** an empty folder, as Windows names it; its name has spaces and letters of Korea and Japan */
  area: string
  /** an empty folder on another drive, '' where there is none */
  other: string
  /** `area` by the name of a server, '' where there is none */
  unc: string
  /** a folder of this kind can be made: Wine 8 makes no junctions */
  junctions: boolean
}

export interface Outcome {
  name: string
  state: 'passed' | 'failed' | 'skipped'
  /** the error, or why it was skipped */
  detail: string
}
