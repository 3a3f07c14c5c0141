/** Files that a scan reads, in batches: whoever reads one and in whatever turn, their rows are taken in the order of the walk. */
import type { Unread } from './file-reading.ts'
import type { ReadRow } from './index-rows.ts'

/** Files in a batch, and the bytes after which no other is added. */
const MOST_FILES = 64
const MOST_BYTES = 2 * 2 ** 20

/** A file on disk that is to be read, and the row of it that is there already. */
export interface ToRead {
  file: Unread
  known: number | undefined
}

export class Batch {
  readonly files: ToRead[] = []
  bytes = 0
  /** nobody reads it yet, another thread does, or all of it is in `parts` */
  state: 'waits' | 'away' | 'read' = 'waits'
  /** rows that were read and not taken yet */
  parts: ReadRow[][] = []
  /** files whose rows were taken, all of them */
  done = 0
  /** the file that ended the thread which read it */
  fatal: { index: number; error: Error } | undefined
  /** a thread gave it back as a whole, with an error that is of none of its files */
  refused = false

  get isFull(): boolean {
    return this.files.length >= MOST_FILES || this.bytes >= MOST_BYTES
  }

  /** Read in the middle of other work: what it becomes is held for so long. */
  get isSmall(): boolean {
    return this.bytes < 2 * MOST_BYTES
  }

  add(one: ToRead): void {
    this.files.push(one)
    this.bytes += one.file.size
  }

  /** the file that is taken stands half written in the index */
  torn = false

  /** What another thread read is gone with it: from the first file on that was not taken whole, it is read again. */
  giveBack(): void {
    this.state = 'waits'
    this.parts = []
    this.torn = true
  }
}

/** Threads that read batches (`reading-pool.ts`). */
export interface Readers {
  /** batches that may be under way beside the one whose rows are taken */
  readonly room: number
  /** Hands over as many of those that wait as there is a thread for. */
  order(line: readonly Batch[]): void
  /** A part of a batch was taken: its thread may tell more. */
  taken(batch: Batch): void
  /** There is nothing more to read. @param written the file of the index: one of them brings into it what stands beside it, while others use it */
  end(written?: string): Promise<void>
}

/** Whoever indexes reads all by itself. */
export const NO_READERS: Readers = { room: 0, order() {}, taken() {}, end: () => Promise.resolve() }
