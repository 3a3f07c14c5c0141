/** Rows of the index: the statements that put them in, and what a file becomes in them. */
import type { Diagnostic, ErrorData } from '../../shared/api/errors.ts'
import type { FileSummary } from '../formats/format.ts'
import type { Db } from './database.ts'

/** Diagnostics per file that are kept. */
const MOST_DIAGNOSTICS = 1000

const COUNTS = ['bones', 'meshes', 'skins', 'weights', 'clips', 'slices', 'textures', 'keys', 'skin_bones', 'diagnostics'] as const
/** Columns of a file's row, all but its id. */
const FILE = [
  'ref',
  'parent',
  'folder',
  'position',
  'name',
  'name_key',
  'stem',
  'size',
  'mtime',
  'stamp',
  'changed',
  'crc',
  'companion',
  'format',
  'kind',
  'family',
  'note',
  ...COUNTS,
  'error_code',
  'error_message',
  'error_offset',
]

export type Statements = ReturnType<typeof prepareRows>

export function prepareRows(db: Db) {
  return {
    known: db.prepare('SELECT id, stamp, companion, changed, crc, error_code FROM files WHERE ref = ? AND parent IS NULL'),
    same: db.prepare('UPDATE files SET changed = ? WHERE id = ?'),
    remove: db.prepare('DELETE FROM files WHERE id = ?'),
    sameRef: db.prepare('SELECT id, parent FROM files WHERE ref = ?'),
    onDisk: db.prepare('SELECT id, ref FROM files WHERE parent IS NULL'),
    // two statements: one that may insert or update makes the full-text search write what it has gathered, each time
    folderOf: db.prepare('SELECT id FROM folders WHERE path = ?').pluck(),
    folder: db.prepare('INSERT INTO folders (path, key) VALUES (?, ?)'),
    insert: db.prepare(
      `INSERT INTO files (${FILE.join(', ')}) VALUES (${FILE.map((name) => `@${name}`).join(', ')}) ON CONFLICT (ref) DO NOTHING`,
    ),
    failed: db.prepare('UPDATE files SET error_code = ?, error_message = ?, error_offset = ? WHERE id = ?'),
    finished: db.prepare('UPDATE files SET stamp = ?, companion = ? WHERE id = ?'),
    names: db.prepare('INSERT INTO names (rowid, text) VALUES (?, ?)'),
    details: db.prepare('INSERT INTO details VALUES (?, ?, ?)'),
    key: db.prepare('INSERT INTO keys VALUES (?, ?, ?, ?)'),
    counted: db.prepare('SELECT id, size, bones, meshes, clips, slices, textures FROM files WHERE ref = ?'),
    model: db.prepare(
      'INSERT INTO models (family, name, name_key, "primary", size, bones, meshes, clips, slices, textures, members, lists) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    member: db.prepare('INSERT INTO members VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    list: db.prepare('INSERT INTO lists (listed) VALUES (?)'),
    listed: db.prepare('INSERT INTO listed VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    modelList: db.prepare('INSERT INTO model_lists VALUES (?, ?, ?)'),
  }
}

/** What a file becomes in the index. */
export interface PackedFile {
  counts: FileCounts
  note: string
  /** both as JSON */
  summary: string
  diagnostics: string
  provides: readonly string[]
  needs: readonly string[]
  /** that are searched */
  names: readonly string[]
}

/** Numbers of `files` that tell what else there is of it. */
type FileCounts = Record<(typeof COUNTS)[number], number>

const lower = (keys: readonly string[] | undefined): string[] => (keys ?? []).map((key) => key.toLowerCase())

/** What a summary is read from again. */
export type Details = Pick<FileSummary, 'bones' | 'meshes' | 'skins' | 'clips' | 'slices' | 'textures' | 'provides' | 'needs'>

/** What a file is known to be. */
interface Recognised {
  format: string
  kind: string
  family: string
}

export const UNKNOWN: Recognised = { format: '', kind: 'other', family: 'common' }

/** What is in it. */
export interface Contents {
  recognised: Recognised
  packed: PackedFile
  failed: ErrorData | undefined
  stamp: string
  companion: string
  crc: number | null
}

/** A file that has nothing, as far as is known. */
export const NOTHING: PackedFile = packed({}, [])

export function packed(summary: FileSummary, list: readonly Diagnostic[]): PackedFile {
  const { bones, meshes, skins, clips, slices, textures, note = '' } = summary
  const [provides, needs] = [lower(summary.provides), lower(summary.needs)]
  const diagnostics = list
    .slice(0, MOST_DIAGNOSTICS)
    .map(({ severity, code, message, path, offset }) => ({ severity, code, message, path, offset }))
  const details: Details = { bones, meshes, skins, clips, slices, textures, provides, needs }
  const filled = Object.entries(details).filter(([, entries]) => entries !== undefined && entries.length > 0)
  return {
    counts: {
      bones: bones?.length ?? 0,
      meshes: meshes?.length ?? 0,
      skins: skins?.length ?? 0,
      weights: (skins ?? []).reduce((sum, skin) => sum + skin.weights, 0),
      clips: clips?.length ?? 0,
      slices: slices?.length ?? 0,
      textures: textures?.length ?? 0,
      keys: provides.length + needs.length,
      skin_bones: (skins ?? []).reduce((sum, skin) => sum + skin.bones.length, 0),
      diagnostics: diagnostics.length,
    },
    note,
    summary: JSON.stringify(Object.fromEntries(filled)),
    diagnostics: JSON.stringify(diagnostics),
    provides,
    needs,
    names: namesIn(summary),
  }
}

/** What is in a file, beside its own row. */
export function writeDetails(s: Statements, id: number, { summary, diagnostics, provides, needs }: PackedFile): void {
  if (summary !== NOTHING.summary || diagnostics !== NOTHING.diagnostics) s.details.run(id, summary, diagnostics)
  provides.forEach((key, i) => s.key.run(id, 'provides', i, key))
  needs.forEach((key, i) => s.key.run(id, 'needs', i, key))
}

/** Names in a file that are searched. */
function namesIn(summary: FileSummary): string[] {
  const lists = [summary.meshes, summary.clips, summary.slices, summary.textures].map((list) => (list ?? []).map((entry) => entry.name))
  return [...new Set([...lists.flat(), ...(summary.bones ?? [])])]
}

export function errorColumns(error: ErrorData): [string, string, number] {
  return [error.code, error.path ? `${error.message} (${error.path})` : error.message, error.offset]
}

/** The index itself is in trouble, not the file. */
export function isSqlite(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && code.startsWith('SQLITE_') && !isConstraint(error)
}

/** A summary that does not fit the tables. */
export function isConstraint(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && code.startsWith('SQLITE_CONSTRAINT')
}
