/** Conditions of the questions that lists ask, and what is counted with them. */
import type { LibraryPart } from '../../shared/api/types/library.ts'
import type { Db } from './database.ts'

export interface Condition {
  sql: string
  values: (string | number)[]
}

/** Files that lists show, and those among the errors. */
export const SHOWN: Condition = { sql: "f.format <> ''", values: [] }
export const FAILED: Condition = { sql: 'f.error_code IS NOT NULL', values: [] }

/** Columns of `files` and of `models`, by the same name. */
export const PARTS: readonly LibraryPart[] = ['bones', 'meshes', 'clips', 'slices', 'textures']

export function facet<V extends string>(db: Db, from: string, column: string, conditions: Condition[]): { value: V; count: number }[] {
  return db
    .prepare(`SELECT ${column} AS value, count(*) AS count FROM ${from} ${where(conditions)} GROUP BY 1 ORDER BY 2 DESC, 1`)
    .all(...values(conditions)) as { value: V; count: number }[]
}

/** How many of what is shown have each part: what one more choice would leave. */
export function parts(db: Db, from: string, alias: string, conditions: Condition[]): { value: LibraryPart; count: number }[] {
  const counts = db
    .prepare(`SELECT ${PARTS.map((part) => `total(${alias}.${part} > 0) AS ${part}`).join(', ')} FROM ${from} ${where(conditions)}`)
    .get(...values(conditions)) as Record<LibraryPart, number>
  return PARTS.map((value) => ({ value, count: counts[value] }))
}

export function where(conditions: readonly Condition[]): string {
  return conditions.length > 0 ? `WHERE ${conditions.map((c) => c.sql).join(' AND ')}` : ''
}

export function values(conditions: readonly Condition[]): (string | number)[] {
  return conditions.flatMap((c) => c.values)
}
