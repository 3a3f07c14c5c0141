/** Pages of models, files and errors for lists: search by any name, facets, sorting. */
import { sep } from 'node:path'
import { MEMBER_SEPARATOR } from '../../shared/ref.ts'
import { searchText } from './search-text.ts'
import type { FamilyId, FileKind, LibraryPage, LibraryQuery, LibraryRow } from '../../shared/api/types.ts'
import type { ModelBinding, ModelMember } from '../formats/format.ts'
import type { Db } from './database.ts'

interface Condition {
  sql: string
  values: (string | number)[]
}

/** Words longer than this many characters use the trigram index; shorter ones (two kanji) are looked for one by one. */
const TRIGRAM = 3
const MOST_WORDS = 16

const FILE_SORT: Record<LibraryQuery['sort'], string> = { name: 'f.name_key', kind: 'f.kind', size: 'f.size', bones: 'f.bones', clips: 'f.clips' }
const MODEL_SORT: Record<LibraryQuery['sort'], string> = { name: 'm.name_key', kind: 'm.family', size: 'm.size', bones: 'm.bones', clips: 'm.clips' }

export function queryPage(db: Db, root: string, query: Omit<LibraryQuery, 'library'>): LibraryPage {
  const words = searchText(query.text ?? '').split(/\s+/u).filter(Boolean).slice(0, MOST_WORDS)
  const fileMatch = words.map(fileWord)
  const modelMatch = words.map(modelWord)
  const shown: Condition = { sql: "f.format <> ''", values: [] }
  const failed: Condition = { sql: 'f.error_code IS NOT NULL', values: [] }
  const count = (from: string, conditions: Condition[]): number => db.prepare(`SELECT count(*) FROM ${from} ${where(conditions)}`).pluck().get(...values(conditions)) as number

  const counts = { models: count('models m', modelMatch), files: count('files f', [shown, ...fileMatch]), errors: count('files f', [failed, ...fileMatch]) }
  const limit = Math.max(0, Math.min(500, query.limit))
  const offset = Math.max(0, query.offset)
  const direction = query.descending ? 'DESC' : 'ASC'

  if (query.show === 'models') {
    const byFamily = query.family ? [{ sql: 'm.family = ?', values: [query.family] }] : []
    // a model is of one kind: with another one asked for there is none
    const byKind = query.kind && query.kind !== 'model' ? [{ sql: '0', values: [] }] : []
    const conditions = [...modelMatch, ...byFamily, ...byKind]
    const rows = db
      .prepare(
        `SELECT m."primary" AS ref, m.name, m.family, m.size, m.bones, m.meshes, m.clips, m.slices, m.textures, f.format, f.note, d.path AS folder
         FROM models m LEFT JOIN files f ON f.ref = m."primary" LEFT JOIN folders d ON d.id = f.folder
         ${where(conditions)} ORDER BY ${MODEL_SORT[query.sort]} ${direction}, m.name_key, m.id LIMIT ? OFFSET ?`,
      )
      .all(...values(conditions), limit, offset) as ({ folder: string | null; format: string | null; note: string | null } & Omit<LibraryRow, 'where' | 'type' | 'kind'>)[]
    return {
      total: count('models m', conditions),
      rows: rows.map(({ folder, ...row }) => ({ ...row, type: 'model', kind: 'model', format: row.format ?? '', note: row.note ?? '', where: relativeTo(root, folder ?? '') })),
      facets: { families: facet(db, 'models m', 'm.family', [...modelMatch, ...byKind]), kinds: [] },
      counts,
    }
  }

  const base = query.show === 'errors' ? failed : shown
  const byFamily = query.family ? [{ sql: 'f.family = ?', values: [query.family] }] : []
  const byKind = query.kind ? [{ sql: 'f.kind = ?', values: [query.kind] }] : []
  const conditions = [base, ...fileMatch, ...byFamily, ...byKind]
  const rows = db
    .prepare(
      `SELECT f.ref, f.name, f.family, f.kind, f.format, f.size, f.bones, f.meshes, f.clips, f.slices, f.textures, f.note, f.error_code, f.error_message, f.error_offset, d.path AS folder
       FROM files f JOIN folders d ON d.id = f.folder ${where(conditions)} ORDER BY ${FILE_SORT[query.sort]} ${direction}, f.name_key, f.id LIMIT ? OFFSET ?`,
    )
    .all(...values(conditions), limit, offset) as ({ folder: string; error_code: string | null; error_message: string; error_offset: number } & Omit<LibraryRow, 'where' | 'type' | 'error'>)[]
  return {
    total: count('files f', conditions),
    rows: rows.map(({ folder, error_code: code, error_message: message, error_offset, ...row }) => ({
      ...row,
      type: query.show === 'errors' ? 'error' : 'file',
      where: relativeTo(root, folder),
      ...(code === null ? {} : { error: { code, message, offset: error_offset } }),
    })),
    facets: {
      families: facet(db, 'files f', 'f.family', [base, ...fileMatch, ...byKind]),
      kinds: facet(db, 'files f', 'f.kind', [base, ...fileMatch, ...byFamily]),
    },
    counts,
  }
}

function facet<V extends FamilyId | FileKind>(db: Db, from: string, column: string, conditions: Condition[]): { value: V; count: number }[] {
  return db.prepare(`SELECT ${column} AS value, count(*) AS count FROM ${from} ${where(conditions)} GROUP BY 1 ORDER BY 2 DESC, 1`).all(...values(conditions)) as { value: V; count: number }[]
}

/** Files with a word in their own name, their folder, or a name inside of them. */
function fileWord(word: string): Condition {
  const { sql, value } = wordMatch(word)
  return { sql: `f.id IN (${sql})`, values: [value] }
}

/** Models with a word in their name or in one of their files. */
function modelWord(word: string): Condition {
  const { sql, value } = wordMatch(word)
  return { sql: `(m.name_key LIKE ? ESCAPE '\\' OR m.id IN (SELECT model FROM members WHERE file IN (${sql})))`, values: [likePattern(word), value] }
}

function wordMatch(word: string): { sql: string; value: string } {
  // FTS5 wants a phrase in quotes; then nothing in it is an operator
  if ([...word].length >= TRIGRAM) return { sql: 'SELECT rowid FROM names WHERE names MATCH ?', value: `"${word.replaceAll('"', '""').replaceAll('\0', '')}"` }
  return { sql: "SELECT rowid FROM names WHERE text LIKE ? ESCAPE '\\'", value: likePattern(word) }
}

function likePattern(word: string): string {
  return `%${word.replace(/[\\%_]/g, '\\$&')}%`
}

function where(conditions: readonly Condition[]): string {
  return conditions.length > 0 ? `WHERE ${conditions.map((c) => c.sql).join(' AND ')}` : ''
}

function values(conditions: readonly Condition[]): (string | number)[] {
  return conditions.flatMap((c) => c.values)
}

function relativeTo(root: string, folder: string): string {
  if (!folder.startsWith(root)) return folder
  const rest = folder.slice(root.length)
  return rest.startsWith(sep) || rest.startsWith(MEMBER_SEPARATOR) ? rest.slice(1) : rest
}

/** Models that a file is part of, those that it is the primary file of first. */
export function modelsOf(db: Db, ref: string): ModelBinding[] {
  const models = db
    .prepare('SELECT id, family, name, "primary" FROM models WHERE "primary" = ? OR id IN (SELECT model FROM members WHERE ref = ?) ORDER BY "primary" <> ?, name_key, id')
    .all(ref, ref, ref) as { id: number; family: FamilyId; name: string; primary: string }[]
  const members = db.prepare('SELECT role, ref, why, detail, matched, total FROM members WHERE model = ? ORDER BY number')
  return models.map(({ id, ...model }) => ({
    ...model,
    members: (members.all(id) as (Omit<ModelMember, 'fit'> & { matched: number | null; total: number | null })[]).map(({ matched, total, ...member }) =>
      matched === null || total === null ? member : { ...member, fit: { matched, total } },
    ),
  }))
}
