/** An opened folder: what is in it, and how that is asked for. */
import type { ErrorCode } from '../errors.ts'
import type { FamilyId, FileKind } from './family.ts'

export interface LibraryInfo {
  id: string
  root: string
  name: string
  files: number
  models: number
  errors: number
  /** last full scan, ms since 1970; 0 for never */
  scannedAt: number
}

export interface ScanProgress {
  library: string
  phase: 'walk' | 'index' | 'bind' | 'done' | 'cancelled'
  done: number
  total: number
  current: string
  errors: number
  /** the file or folder that its drive was asked for and does not answer; '' or absent for none */
  waiting?: string
}

/** What `marrow scan --json` prints, with the places of folders that were left out. */
export interface ScanReport {
  files: number
  recognised: number
  models: number
  bones: number
  meshes: number
  slices: number
  weights: number
  textures: number
  errors: { path: string; code: string; message: string; offset: number }[]
  seconds: number
}

export type RowType = 'model' | 'file' | 'error'

export interface LibraryRow {
  /** file reference; the model's primary file for a model */
  ref: string
  name: string
  /** path relative to the library's root, for display */
  where: string
  /** reference of the archive that it is a member of */
  archive?: string
  type: RowType
  family: FamilyId
  kind: FileKind
  format: string
  size: number
  bones: number
  meshes: number
  clips: number
  slices: number
  textures: number
  note: string
  error?: { code: ErrorCode; message: string; offset: number }
  /** where a search found it, where its own name does not have all words */
  hit?: LibraryHit
}

/** The name that a search found in a file or model, and what it is the name of. */
export interface LibraryHit {
  what: 'folder' | 'file' | LibraryPart
  name: string
}

export type LibraryPart = 'bones' | 'meshes' | 'clips' | 'slices' | 'textures'

export interface LibraryQuery {
  library: string
  text?: string
  family?: FamilyId
  kind?: FileKind
  /** only what has at least one of each of these */
  has?: LibraryPart[]
  /** only what stands in or below this folder: its place, as rows have it in `where`; '' for all */
  folder?: string
  show: 'models' | 'files' | 'errors'
  sort: 'name' | 'kind' | 'size' | 'bones' | 'clips'
  descending?: boolean
  offset: number
  limit: number
}

export interface LibraryPage {
  total: number
  rows: LibraryRow[]
  facets: {
    families: { value: FamilyId; count: number }[]
    kinds: { value: FileKind; count: number }[]
    has: { value: LibraryPart; count: number }[]
  }
  counts: { models: number; files: number; errors: number }
}

/** A folder of a library, an archive, or a folder in one. */
export interface LibraryFolder {
  name: string
  /** from the library's root: what a query takes as `folder` */
  place: string
  archive: boolean
  /** what is listed, in it and below */
  count: number
  /** folders in it */
  folders: number
  /** the user leaves it out: nothing of it is listed once a scan went by */
  leftOut?: true
}

/** Rows that can be chosen at one time. */
export const MOST_CHOSEN = 2000

/** Side of the square pictures of models, pixels. */
export const PICTURE_SIZE = 160

/** A small picture of a model with nothing behind it, or why there is none. `broken`: the model could not be read. */
export type ModelPicture = { png: Uint8Array } | { reason: string; broken: boolean }

/** What a library shows; a filter of models for exports of many. */
export type LibraryFilter = Pick<LibraryQuery, 'text' | 'family' | 'has' | 'folder'>

/**
 * Whether the game reads a file that stands in several places: `read`, `hidden` by another one, `open` where nobody knows; `mod`: it reads the copy in
 * the mod folder once the mod is installed.
 */
export interface FileStanding {
  state: 'read' | 'hidden' | 'open' | 'mod'
  /** in one sentence */
  why: string
  /** the others, below the folder that was opened; of a copy in the mod folder its path */
  others: string[]
}

/** Files that are asked for at a time. */
export const MOST_STANDINGS = 200
