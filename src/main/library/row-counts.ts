/**
 * How many rows of each table there should be, told by the rows that own them: each is written in one transaction with what
 * it counts, so that the numbers hold wherever a scan was killed. SQLite's own checks see a broken page, not one that lost
 * rows or an index that lacks some.
 */
import type { Db } from './database.ts'

/** Tables and views whose rows belong to a file, each with a column of that name in `files`. */
const OF_FILES = ['bones', 'meshes', 'skins', 'skin_bones', 'clips', 'slices', 'textures', 'keys', 'diagnostics']
/** Indexes that have each row of their table. */
const WHOLE_INDEXES = [
  ['folders', 'folders_key'],
  ['files', 'files_parent'],
  ['files', 'files_folder'],
  ['models', 'models_name'],
  ['models', 'models_family'],
  ['models', 'models_primary'],
  ['members', 'members_file'],
  ['members', 'members_ref'],
  ['listed', 'listed_file'],
  ['listed', 'listed_ref'],
  ['model_lists', 'model_lists_list'],
]

/** @returns the first thing that is not so, for the log; undefined when all is */
export function checkRows(db: Db): string | undefined {
  const number = (sql: string): number => db.prepare(sql).pluck().get() as number
  const compare = (what: string, is: string, should: string): string | undefined => {
    const [a, b] = [number(is), number(should)]
    // eslint-disable-next-line texts/in-catalogue -- for the log
    return a === b ? undefined : `${what}: ${a} rows, and ${b} are told of`
  }
  for (const table of OF_FILES) {
    const wrong = compare(table, `SELECT count(*) FROM ${table}`, `SELECT coalesce(sum("${table}"), 0) FROM files`)
    if (wrong !== undefined) return wrong
  }
  for (const [table, index] of WHOLE_INDEXES) {
    const wrong = compare(index, `SELECT count(*) FROM ${table} INDEXED BY ${index}`, `SELECT count(*) FROM ${table} NOT INDEXED`)
    if (wrong !== undefined) return wrong
  }
  // an archive in which a scan was stopped has neither stamp nor text yet; members never have a stamp
  const textless = `SELECT count(*) FROM files WHERE (stamp <> '' OR kind <> 'archive') AND id NOT IN (SELECT file FROM names)`
  const keys = `SELECT coalesce(sum(coalesce(json_array_length(data, '$.provides'), 0) + coalesce(json_array_length(data, '$.needs'), 0)), 0) FROM details`
  return (
    compare('keys', 'SELECT count(*) FROM keys', keys) ??
    compare('keys', 'SELECT count(*) FROM keys WHERE file NOT IN (SELECT id FROM files)', 'SELECT 0') ??
    compare('models', 'SELECT count(*) FROM models', 'SELECT coalesce(sum(models), 0) FROM roots') ??
    compare('members', 'SELECT count(*) FROM members', 'SELECT coalesce(sum(members), 0) FROM models') ??
    compare('listed', 'SELECT count(*) FROM listed', 'SELECT coalesce(sum(listed), 0) FROM lists') ??
    compare('model_lists', 'SELECT count(*) FROM model_lists', 'SELECT coalesce(sum(lists), 0) FROM models') ??
    // eslint-disable-next-line texts/in-catalogue -- for the log
    compare('files without a text', textless, 'SELECT 0') ??
    // eslint-disable-next-line texts/in-catalogue -- for the log
    ((db.pragma('foreign_key_check') as unknown[]).length > 0 ? 'a row belongs to one that is not there' : undefined)
  )
}
