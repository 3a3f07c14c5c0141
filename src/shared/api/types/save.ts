/** Saving, and the files on disk behind it. */
import type { ErrorCode } from '../errors.ts'
import type { ArchiveBytes } from './archive.ts'

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
    /** the image of a disc that the file stands in, where a copy of it is written first; without a `target` its place is to be chosen */
    image?: string
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

/** A first copy of an image of a disc, before it is written. */
export interface CopyPlan {
  plan: ArchiveBytes & {
    /** the file on disk that is copied */
    image: string
    /** what goes in */
    files: { ref: string; changedBytes: number }[]
    /** its place is the user's to choose; else the mod folder has one for it */
    placed: boolean
  }
  /** the file that is written, '' where its place is not chosen yet */
  target: string
  /** of the disk that is written to; -1 where nobody knows */
  free: number
  /** bytes of a copy that was begun and can go on */
  begun: number
}

/** How far a save is that takes long. */
export interface SaveProgress {
  done: number
  total: number
  what: 'write' | 'read'
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
