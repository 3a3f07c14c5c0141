/**
 * Summaries of files that were read just now, and the scripts among these, for the binders that ask for most of them next: the index would be asked for each
 * by its long reference, the disk for each script.
 */
import { formatIn, summaryIn, type FileRow, type StoredSummary } from './index-rows.ts'
import type { KeptBytes } from '../files/memory-neighbourhood.ts'

/** Letters and bytes that are held; what does not fit is read from the index, or the disk. */
const MOST = 24 * 2 ** 20

export class KeptSummaries {
  private readonly kept = new Map<string, StoredSummary>()
  private readonly scripts = new Map<string, KeptBytes>()
  private size = 0

  /** Of a row as it was written. */
  keep(row: FileRow): void {
    if (row.failed || row.archive || this.size > MOST) return
    const { ref, summary, script } = row
    this.size += summary.length + ref.length
    this.kept.set(ref, summaryIn(row))
    if (!script) return
    this.size += script.length
    this.scripts.set(ref, { format: formatIn(row), bytes: script })
  }

  of(ref: string): StoredSummary | undefined {
    return this.kept.get(ref)
  }

  script(ref: string): KeptBytes | undefined {
    return this.scripts.get(ref)
  }
}
