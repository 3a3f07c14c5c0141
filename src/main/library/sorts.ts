/**
 * What lists are narrowed by, in memory: rows that are alike in all of it are one sort, of which an index has some dozens. How many of each there are is
 * counted in one go, and every number beside a list comes out of that; a question to SQLite for each of them takes as long as a search.
 */
import { blocksOf } from './blocks.ts'
import { FAILED, PARTS, SHOWN, where, values, type Condition } from './conditions.ts'
import type { Stepwise } from '../../shared/stepwise.ts'
import type { LibraryPage, LibraryPart, LibraryQuery } from '../../shared/api/types/library.ts'
import type { Db } from './database.ts'

export type Sort = [family: string, kind: string, parts: number, shown: number, failed: number]
type Sorted = [id: number, folder: number, ...Sort]

/** Rows of one sort. */
export interface SortCount {
  sort: Sort
  count: number
}

/* eslint-disable texts/in-catalogue -- SQL */
/** Tables by the names that conditions have for them, and what of a row is its sort. */
const TABLES = {
  models: { from: 'models m', alias: 'm', sort: `m.family, 'model', ${bits('m')}, 1, 0` },
  files: { from: 'files f', alias: 'f', sort: `f.family, f.kind, ${bits('f')}, ${SHOWN.sql}, ${FAILED.sql}` },
} as const
/* eslint-enable texts/in-catalogue */
export type SortTable = keyof typeof TABLES

/** Parts that a row has, a bit each in their order. */
function bits(alias: string): string {
  return PARTS.map((part, bit) => `((${alias}.${part} > 0) << ${bit})`).join(' | ')
}

/** The sorts of all rows of a table, by their numbers. */
export class Sorts {
  private readonly sorts: Sort[] = []
  /** one more than the number of its sort; 0 where there is no such row */
  private readonly sortOf: Uint16Array
  private readonly folderOf: Int32Array

  /** @param last the highest number of a row */
  static *reading(db: Db, table: SortTable, last: number): Stepwise<Sorts> {
    const { from, alias, sort } = TABLES[table]
    const rows = db
      .prepare(`SELECT ${alias}.id, coalesce(${alias}.folder, 0), ${sort} FROM ${from} WHERE ${alias}.id > ? ORDER BY ${alias}.id LIMIT ?`)
      .raw()
    const read = new Sorts(last)
    const known = new Map<string, number>()
    for (const block of blocksOf<Sorted>(rows, [0], ([id]) => [id])) {
      for (const [id, folder, ...own] of block) {
        const key = own.join('\0')
        let number = known.get(key)
        if (number === undefined) known.set(key, (number = read.sorts.push(own)))
        read.sortOf[id] = number
        read.folderOf[id] = folder
      }
      yield 0
    }
    return read
  }

  private constructor(last: number) {
    this.sortOf = new Uint16Array(last + 1)
    this.folderOf = new Int32Array(last + 1)
  }

  /**
   * @param found by the number of a row, 0 for what does not count; all do where there is none
   * @param folders those of which rows count; all where there is none
   */
  counted(found?: Uint8Array, folders?: ReadonlySet<number>): SortCount[] {
    const { sorts, sortOf, folderOf } = this
    const counts = new Uint32Array(sorts.length + 1)
    for (let id = 0; id < sortOf.length; id++)
      if ((!found || found[id] > 0) && (!folders || folders.has(folderOf[id]))) counts[sortOf[id]]++
    return sorts.flatMap((sort, i) => (counts[i + 1] > 0 ? { sort, count: counts[i + 1] } : []))
  }

  /** How many rows of some sorts stand in each folder by itself, by its number. @param found as above */
  perFolder(wanted: (sort: Sort) => boolean, found?: Uint8Array): Map<number, number> {
    const { sorts, sortOf, folderOf } = this
    const counts = new Map<number, number>()
    const counting = [false, ...sorts.map(wanted)]
    for (let id = 0; id < sortOf.length; id++)
      if ((!found || found[id] > 0) && counting[sortOf[id]]) counts.set(folderOf[id], (counts.get(folderOf[id]) ?? 0) + 1)
    return counts
  }
}

/** The same of rows that are in no search, asked of the index. */
export function sortsIn(db: Db, table: SortTable, conditions: readonly Condition[]): SortCount[] {
  const { from, sort } = TABLES[table]
  const rows = db
    .prepare(`SELECT ${sort}, count(*) FROM ${from} ${where(conditions)} GROUP BY 1, 2, 3, 4, 5`)
    .raw()
    .all(...values(conditions)) as [...Sort, number][]
  return rows.map(([family, kind, parts, shown, failed, count]) => ({ sort: [family, kind, parts, shown, failed], count }))
}

/** Rows of all sorts. */
export const allOf = (counts: readonly SortCount[]): number => counts.reduce((total, { count }) => total + count, 0)

/** What a list is narrowed to. */
type Narrowing = Pick<LibraryQuery, 'show' | 'family' | 'kind' | 'has'>

/** Whether rows of a sort are listed. */
export function isListed([family, kind, parts, shown, failed]: Sort, { show, ...wanted }: Narrowing): boolean {
  return (
    (show === 'models' || (show === 'errors' ? failed : shown) === 1) &&
    (wanted.family === undefined || wanted.family === family) &&
    (wanted.kind === undefined || wanted.kind === kind) &&
    PARTS.every((part, bit) => !wanted.has?.includes(part) || (parts & (1 << bit)) !== 0)
  )
}

/** What stands beside a list: how many rows there are, and what one more choice would leave of them. */
export function facetsOf(counts: readonly SortCount[], narrowing: Narrowing): Pick<LibraryPage, 'total' | 'facets'> {
  const listed = (but: Partial<Narrowing>): SortCount[] => counts.filter(({ sort }) => isListed(sort, { ...narrowing, ...but }))
  const chosen = listed({})
  return {
    total: allOf(chosen),
    facets: {
      families: summed(listed({ family: undefined }), 0),
      kinds: narrowing.show === 'models' ? [] : summed(listed({ kind: undefined }), 1),
      has: PARTS.map((value: LibraryPart, bit) => ({ value, count: allOf(chosen.filter(({ sort }) => sort[2] & (1 << bit))) })),
    },
  }
}

/** By one column, the most first. */
function summed<V extends string>(counts: readonly SortCount[], column: 0 | 1): { value: V; count: number }[] {
  const sums = new Map<string, number>()
  for (const { sort, count } of counts) sums.set(sort[column], (sums.get(sort[column]) ?? 0) + count)
  return [...sums].map(([value, count]) => ({ value: value as V, count })).sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
}
