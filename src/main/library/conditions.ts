/** Conditions of the questions that lists ask, and what is counted with them. */
import type { LibraryPart } from '../../shared/api/types/library.ts'
import type { Db } from './database.ts'

export interface Condition {
  sql: string
  values: (string | number)[]
}

/** A file's number among those with a word of the search. */
export const WITH_WORD = 'IN (SELECT file FROM temp.word_hits WHERE word = ?)'
const OF_WORD = 'EXISTS (SELECT 1 FROM temp.word_hits h WHERE h.word = ? AND h.file = x.file)'
/** A model has a file with a word, of its own or shared with others. The word is told twice. */
const FILES_OF_MODEL = `EXISTS (SELECT 1 FROM members x WHERE x.model = m.id AND ${OF_WORD})
  OR EXISTS (SELECT 1 FROM model_lists l WHERE l.model = m.id AND l.list IN (SELECT list FROM listed x WHERE ${OF_WORD}))`
/** The same from the other end: models of the files with a word, which are gone through in the order in which members are found by them. The word is told twice. */
const MODELS_OF_FILES = `m.id IN (
  SELECT x.model FROM temp.word_hits h CROSS JOIN members x ON x.file = h.file WHERE h.word = ?
  UNION ALL SELECT model FROM model_lists WHERE list IN (SELECT x.list FROM temp.word_hits h CROSS JOIN listed x ON x.file = h.file WHERE h.word = ?))`
/** Words longer than this many characters use the trigram index; shorter ones (two kanji) are looked for one by one. */
const TRIGRAM = 3
/** Columns of `files` and of `models`, by the same name. */
export const PARTS: readonly LibraryPart[] = ['bones', 'meshes', 'clips', 'slices', 'textures']

/** How well a name is what was looked for: it is it, begins so, has all words; 3 where only something in it has. */
export function rankOf(key: string, text: string, words: readonly string[]): Condition {
  const all = words.map(() => `instr(${key}, ?) > 0`).join(' AND ')
  return {
    sql: `CASE WHEN ${key} = ? OR ${key} LIKE ? ESCAPE '\\' THEN 0 WHEN substr(${key}, 1, ?) = ? THEN 1 WHEN ${all} THEN 2 ELSE 3 END`,
    values: [text, `${text.replace(/[\\%_]/g, '\\$&')}.%`, [...text].length, text, ...words],
  }
}

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

/** Files with a word. @param number of the word in the search */
export function fileWord(_word: string, number: number): Condition {
  return { sql: `f.id ${WITH_WORD}`, values: [number] }
}

/**
 * Models with a word in their name or in one of their files.
 * @param number of the word in the search
 * @param often so many files have it that each model is asked for its files, where else the files are asked for their models
 */
export function modelWord(word: string, number: number, often: boolean): Condition {
  const files = often ? FILES_OF_MODEL : MODELS_OF_FILES
  return { sql: `(m.name_key LIKE ? ESCAPE '\\' OR ${files})`, values: [likePattern(word), number, number] }
}

/** Numbers of files with a word in their own name, their folder, or a name inside of them, behind `SELECT` and another column. */
export function wordMatch(word: string): { sql: string; value: string } {
  // FTS5 wants a phrase in quotes; then nothing in it is an operator
  if ([...word].length >= TRIGRAM)
    return { sql: 'rowid FROM names WHERE names MATCH ?', value: `"${word.replaceAll('"', '""').replaceAll('\0', '')}"` }
  // all texts are gone through, which takes half as long where they stand as through FTS5
  return { sql: "id FROM names_content WHERE c0 LIKE ? ESCAPE '\\'", value: likePattern(word) }
}

function likePattern(word: string): string {
  return `%${word.replace(/[\\%_]/g, '\\$&')}%`
}

export function where(conditions: readonly Condition[]): string {
  return conditions.length > 0 ? `WHERE ${conditions.map((c) => c.sql).join(' AND ')}` : ''
}

export function values(conditions: readonly Condition[]): (string | number)[] {
  return conditions.flatMap((c) => c.values)
}
