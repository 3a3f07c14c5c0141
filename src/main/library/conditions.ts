/** Conditions of the questions that lists ask. */
import type { LibraryPart } from '../../shared/api/types/library.ts'

export interface Condition {
  sql: string
  values: (string | number)[]
}

/** Files that lists show, and those among the errors. */
export const SHOWN: Condition = { sql: "f.format <> ''", values: [] }
export const FAILED: Condition = { sql: 'f.error_code IS NOT NULL', values: [] }

/** Columns of `files` and of `models`, by the same name. */
export const PARTS: readonly LibraryPart[] = ['bones', 'meshes', 'clips', 'slices', 'textures']

export function where(conditions: readonly Condition[]): string {
  return conditions.length > 0 ? `WHERE ${conditions.map((c) => c.sql).join(' AND ')}` : ''
}

export function values(conditions: readonly Condition[]): (string | number)[] {
  return conditions.flatMap((c) => c.values)
}
