/** Saving, and the files on disk behind it. */
import type { ErrorCode } from '../errors.ts'

/** What became on disk of a file that is open; each has ways out of its own. */
export type DiskTrouble = 'changed-on-disk' | 'deleted' | 'moved' | 'unreadable'

/** A file of an open model, and what the disk has of it. */
export interface DiskFileState {
  ref: string
  /** `same`: it is what was read, again or still */
  state: DiskTrouble | 'same'
  message: string
  /** where a moved file stands now, '' for the others */
  movedTo: string
}

export interface SavePlan {
  files: {
    ref: string
    /** the file on disk that is written: the pack for a member */
    target: string
    changedBytes: number
    size: number
    newSize: number
    /** a member that is written as a file of its own */
    loose?: true
    /** why a member goes into its archive although the mod holds loose files */
    notLoose?: string
    /** the original is kept by this write (first save) */
    keepsOriginal: boolean
    /** of a member: the files of its archive, all of which are written anew, by name, and their bytes as they are */
    rewrites?: { files: string[]; bytes: number }
    problem?: string
    /** of the problem: what became of the file on disk, `write-protected`, or another reason */
    code?: ErrorCode
  }[]
  mode: 'in-place' | 'mod-folder'
  folder: string
}

export interface SaveResult {
  saved: {
    ref: string
    target: string
    bytes: number
    changedBytes: number
    /** why a member went into its archive although the mod holds loose files */
    notLoose?: string
  }[]
  failed: { ref: string; code: string; message: string }[]
}

export interface OriginalInfo {
  ref: string
  target: string
  hash: string
  size: number
  keptAt: number
}
