/** Summaries of files that were read just now, for the binders that ask for most of them next: the index would be asked for each by its reference. */
import { summaryIn, type FileRow, type StoredSummary } from './index-rows.ts'

/** Letters that are held; what does not fit is read from the index. */
const MOST = 24 * 2 ** 20

export class KeptSummaries {
  private readonly kept = new Map<string, StoredSummary>()
  private letters = 0

  /** Of a row as it was written. */
  keep(row: FileRow): void {
    if (row.failed || row.archive || this.letters > MOST) return
    this.letters += row.summary.length + row.ref.length
    this.kept.set(row.ref, summaryIn(row))
  }

  of(ref: string): StoredSummary | undefined {
    return this.kept.get(ref)
  }
}
