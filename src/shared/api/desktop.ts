/** Data of what makes Marrow part of a desktop: what is opened from outside, mod packages, diagnostics, updates. */

/** What a path from outside (an argument, a drop, a double click) means. */
export type OpenTarget =
  | { kind: 'folder'; path: string; root: string }
  /** a file, and the folder that Marrow looks into for its neighbours; `scan` false where that is more than somebody's game */
  | { kind: 'file'; path: string; root: string; ref: string; archive: boolean; scan: boolean }
  | { kind: 'package'; path: string }
  /** nothing that can be opened, and why */
  | { kind: 'none'; path: string; message: string }

/** Most paths that are taken at one time. */
export const MOST_PATHS = 100

/** How Marrow calls a mod package; one that is called otherwise says so inside, and any other zip is a folder. */
export const MOD_PACKAGE = /\.marrow(\.zip)?$/i

/** Bounds of what a browser hands over byte by byte, because it does not tell a path. */
export const INBOX_LIMITS = { files: 2000, file: 48 * 2 ** 20, bytes: 512 * 2 ** 20 } as const

/** A mod package, read and checked, before anything is written. */
export interface PackageContents {
  name: string
  madeWith: string
  files: {
    path: string
    /** '' for a whole file */
    member: string
    size: number
    /** -1 for a file that the game does not have */
    originalSize: number
  }[]
  /** what whoever builds it is to know, a sentence each */
  notes: string[]
}

export interface FailingFile {
  ref: string
  name: string
  /** what was wrong with it */
  message: string
}

export interface DiagnosticsPreview {
  /** names of the files of the zip */
  parts: { name: string; what: string }[]
  /** the end of the log as it would be sent */
  log: string[]
  /** files that failed in this run, newest first; the beginning of one is sent only when it is asked for */
  failing: FailingFile[]
}

export type UpdateState =
  | { state: 'available'; version: string; size: number }
  | { state: 'loading'; version: string; percent: number }
  | { state: 'ready'; version: string }
  | { state: 'failed'; version: string }
