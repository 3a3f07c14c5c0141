/** An archive as its page shows it: its members with the changes that are planned and not written yet. */

/** Members of a page at most. */
export const MOST_MEMBERS_ASKED = 500

/** What is carried out of the window at one time at most. */
export const MOST_CARRIED = { files: 500, bytes: 64 * 2 ** 20 } as const

/** The reference of the one archive that is planned and has no file yet. */
export const NEW_ARCHIVE = 'new:'

/** A kind of archive that can be made. */
export interface ArchiveKind {
  id: string
  label: string
  /** what it can hold, in a sentence */
  limits: string
}

export interface ArchiveState {
  ref: string
  name: string
  /** kind of archive, in words */
  label: string
  /** why nothing in it can be changed, '' where it can */
  readOnly: string
  /** it is changed in a copy alone */
  copyOnly: boolean
  /** with what is planned */
  members: number
  /** bytes of its files as they are; of a new one those of its members */
  size: number
  /** planned steps */
  steps: number
  /** what undo takes back and redo does again, '' for nothing */
  undo: string
  redo: string
  /** its files are not those any more that the steps were planned for */
  stale: boolean
  /** the record of a write that was interrupted, which says no more what stood there before; '' for none */
  damagedRecord: string
  /** of an archive that has no file yet: its kind, and those that it can be */
  fresh: { kind: string; kinds: ArchiveKind[] } | null
}

export interface ArchiveRow {
  /** stays the member's as long as the page is open */
  id: number
  name: string
  size: number
  state: 'same' | 'new' | 'replaced' | 'renamed' | 'fields'
  /** its name in the file as it is, where that is another */
  was: string
}

export interface ArchivePage {
  total: number
  rows: ArchiveRow[]
}

/** A planned step; members by their ids, files by what `archive.hold` answered. */
export type ArchiveStep =
  | { kind: 'add'; files: { name: string; body: string }[] }
  | { kind: 'replace'; id: number; body: string }
  | { kind: 'rename'; id: number; name: string }
  | { kind: 'remove'; ids: number[] }
  /** in front of another member; -1: behind all */
  | { kind: 'move'; ids: number[]; before: number }
  | { kind: 'rebuild' }
  /** a field of a member's entry in the directory, or (-1) of the archive itself */
  | { kind: 'field'; id: number; path: string; value: string }
  /** of a new archive: what it becomes, by the id of a kind */
  | { kind: 'as'; format: string }

/** What a change of an archive writes, in bytes. */
export interface ArchiveBytes {
  /** members of the archive, and bytes of its files, before and after */
  members: [before: number, after: number]
  size: [before: number, after: number]
  /** bytes that are taken over from the old file, and those that are new: bodies, and tables, names and padding */
  copied: number
  bodies: number
  tables: number
  /** members that stay and stand elsewhere than before */
  moved: number
  /** bytes that are written in all: of the files on disk that the archive stands in */
  written: number
  /** bytes for which the disk needs room meanwhile */
  room: number
  /** they are written where they stand; otherwise as a copy of the whole */
  inPlace: boolean
  /** each file with its bytes of them, of an archive that stands in several: a disc's data and its directories */
  each?: { file: string; bytes: number }[]
  /** what else becomes different */
  notes: string[]
}

export interface ArchiveWritePlan extends ArchiveBytes {
  /** the file that is written, '' where its place is not chosen yet */
  target: string
  /** of the disk that is written to; -1 where nobody knows */
  free: number
  /** bytes of a copy that was begun and can go on */
  begun: number
}

export interface ArchiveExtracted {
  folder: string
  files: number
  bytes: number
  /** members whose own name no file system has, or whose place was taken, with the files that they are: the first hundred */
  renamed: { name: string; file: string }[]
  renamedCount: number
  /** the first hundred */
  failures: { name: string; message: string }[]
  failureCount: number
}

export interface ArchiveProgress {
  ref: string
  done: number
  total: number
  what: 'write' | 'read' | 'extract'
}
