/**
 * Whether models still fit files that are read again: where nothing changed that binders see (`BindSummary`), models stay as they are, and the file keeps its
 * number. Most edits are of that kind, and putting all models of whole games together takes seconds.
 * All of it happens in the transactions that rows are written in: wherever a scan ends, the index says whether its models fit.
 */
import { formatIn, kindIn, NOTHING, positionIn, sizeIn, type Details, type FileRow, type Statements } from './index-rows.ts'
import type { Db, Statement } from './database.ts'

/** Archives with very many members have more. */
const MOST = 48 * 2 ** 20

/** A row that was there before. */
interface Before {
  id: number
  ref: string
  size: number
  format: string
  kind: string
  position: number
  failed: 0 | 1
  /** its summary */
  data: string | null
}

export class FittingModels {
  /** none of them has to be put together again */
  fit = false
  /** one has another size */
  resized = false
  private readonly statements: Statements
  private readonly most: number
  private readonly rows: Statement
  private readonly opened: Statement
  /** two models at most that have a file, two lists */
  private readonly having: Statement
  private readonly lists: Statement
  private readonly grow: Statement
  /** the file on disk that is read again, with its members: rows that nothing stands in place of yet */
  private readonly held = new Map<string, Before>()
  /** the row that is written stands in place of this one */
  private before: Before | undefined

  /** @param most letters of summaries that are held */
  constructor(db: Db, statements: Statements, most = MOST) {
    this.statements = statements
    this.most = most
    this.rows = db.prepare(
      `WITH RECURSIVE below (id) AS (SELECT ? UNION ALL SELECT f.id FROM files f JOIN below b ON f.parent = b.id)
        SELECT f.id, f.ref, f.size, f.format, f.kind, f.position, f.error_code IS NOT NULL AS failed, (SELECT data FROM details WHERE file = f.id) AS data
        FROM below b JOIN files f ON f.id = b.id`,
    )
    this.opened = db.prepare('SELECT 1 FROM opened WHERE ref = ?')
    this.having = db
      .prepare(
        `SELECT model FROM members WHERE file = @id UNION SELECT model FROM model_lists WHERE list IN (SELECT list FROM listed WHERE file = @id) LIMIT 2`,
      )
      .pluck()
    this.lists = db.prepare('SELECT DISTINCT list FROM listed WHERE file = ? LIMIT 2')
    this.grow = db.prepare('UPDATE models SET size = size + ? WHERE "primary" = ? OR id = ?')
  }

  /** Something that binders see is another, or gone. */
  unfit(): void {
    if (!this.fit) return
    this.fit = false
    this.held.clear()
    this.statements.bound.run(0)
  }

  /** Rows of a file that are about to be removed, since it is read again. */
  hold(id: number): void {
    if (!this.fit) return
    // members of an archive may go in one transaction and come back in others
    this.statements.bound.run(0)
    let letters = 0
    for (const row of this.rows.iterate(id) as IterableIterator<Before>) {
      letters += row.ref.length + (row.data?.length ?? 0)
      if (letters > this.most) break
      this.held.set(row.ref, row)
    }
    // nothing is written while rows are read
    if (letters > this.most) this.unfit()
  }

  /** A row is about to be written. @returns the number that it keeps, null for a new one */
  numberOf(row: FileRow): number | null {
    if (!this.fit) return null
    const held = this.held.get(row.ref)
    this.before = held && this.isSame(held, row) ? held : undefined
    if (this.before) this.held.delete(row.ref)
    // a new row would take a number that is held
    else if (this.held.size > 0 || isSeen(formatIn(row), kindIn(row))) this.unfit()
    return this.before?.id ?? null
  }

  /** It is written. */
  wrote(row: FileRow): void {
    const { before } = this
    this.before = undefined
    if (!this.fit || !before) return
    const more = sizeIn(row) - before.size
    if (more !== 0 && this.resize(before, more)) this.resized = true
  }

  /** All of the file is through: what was not written again is gone. */
  through(): void {
    for (const { format, kind } of this.held.values()) if (isSeen(format, kind)) this.unfit()
    this.held.clear()
    if (this.fit) this.statements.bound.run(1)
  }

  private isSame(before: Before, row: FileRow): boolean {
    const { format, kind, position, failed } = before
    if (format !== formatIn(row) || kind !== kindIn(row) || position !== positionIn(row) || (failed === 1) !== row.failed) return false
    if (!isSeen(format, kind)) return true
    const data = before.data ?? NOTHING.summary
    return (data === row.summary || seenIn(data) === seenIn(row.summary)) && this.opened.get(row.ref) === undefined
  }

  /** As `sizeModels` has it: what several models have counts in that which it is the primary file of. @returns whether a model is of another size */
  private resize({ id, ref }: Before, more: number): boolean {
    const having = this.having.all({ id }) as number[]
    const only = having.length === 1 && this.lists.all(id).length < 2 ? having[0] : null
    return this.grow.run(more, ref, only).changes > 0
  }
}

/** Files of no format and archives are nothing to binders. */
function isSeen(format: string, kind: string): boolean {
  return format !== '' && kind !== 'archive'
}

/** Of a summary: what `BindSummary` has, and the numbers that models are counted by. */
function seenIn(data: string): string {
  const { bones, provides, needs, meshes, clips, slices, textures } = JSON.parse(data) as Details
  const tracks = (clips ?? []).map((clip) => clip.tracks)
  return JSON.stringify([bones, provides, needs, tracks, meshes?.length, slices?.length, textures?.length])
}
