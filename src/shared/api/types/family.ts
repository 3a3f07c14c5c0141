/** Which games a file is of, and what kind of file it is. */

/** Id of a family of formats: a word of small letters and digits. Which families there are is known to the registry alone; `app.info` tells the window. */
export type FamilyId = string

export function isFamilyId(id: string): boolean {
  return /^[a-z][a-z0-9]{0,31}$/.test(id)
}

/** Files that belong to no single family: pictures that all of them use, Marrow's own. */
export const COMMON_FAMILY: FamilyId = 'common'

/** What the window says of a family. */
export interface FamilyInfo {
  id: FamilyId
  label: string
  /** whose files they are, as they were sold */
  games: string
}

export type FileKind =
  | 'model'
  | 'skeleton'
  | 'skin'
  | 'animation'
  | 'slices'
  | 'texture'
  | 'material'
  | 'collision'
  | 'archive'
  | 'bind-pose'
  | 'text'
  | 'effect'
  | 'other'
