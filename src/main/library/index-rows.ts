/** Rows of the index: the statements that put them in, and what a file becomes in them. */
import { stemOf } from '../../shared/ref.ts'
import { searchText } from './search-text.ts'
import type { Diagnostic, ErrorData } from '../../shared/api/errors.ts'
import type { FileKind, FileSummary } from '../formats/format.ts'
import type { Db } from './database.ts'

/** Diagnostics per file that are kept. */
const MOST_DIAGNOSTICS = 1000

const COUNTS = ['bones', 'meshes', 'skins', 'weights', 'clips', 'slices', 'textures', 'keys', 'skin_bones', 'diagnostics'] as const
/** Columns of a file's row; the first three are known to whoever writes it. */
const FILE = [
  'id',
  'parent',
  'folder',
  'ref',
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

/** Columns that whoever writes a row knows: its number where it keeps one, the archive it stands in, and its folder. */
const OF_WRITER = 3
const FORMAT = FILE.indexOf('format')
const KIND = FILE.indexOf('kind')
const NOTE = FILE.indexOf('note')
const POSITION = FILE.indexOf('position')
const SIZE = FILE.indexOf('size')

export type Statements = ReturnType<typeof prepareRows>

export function prepareRows(db: Db) {
  return {
    known: db.prepare('SELECT id, stamp, companion, changed, crc, error_code FROM files WHERE ref = ? AND parent IS NULL'),
    same: db.prepare('UPDATE files SET changed = ? WHERE id = ?'),
    remove: db.prepare('DELETE FROM files WHERE id = ?'),
    filesEdition: db.prepare('UPDATE roots SET files_edition = files_edition + 1'),
    modelsEdition: db.prepare('UPDATE roots SET models_edition = models_edition + 1'),
    bound: db.prepare('UPDATE roots SET bound = ?'),
    sameRef: db.prepare('SELECT id, parent FROM files WHERE ref = ?'),
    onDisk: db.prepare('SELECT id, ref, format FROM files WHERE parent IS NULL'),
    folderOf: db.prepare('SELECT id FROM folders WHERE path = ?').pluck(),
    folder: db.prepare('INSERT INTO folders (path, key) VALUES (?, ?)'),
    insert: db.prepare(`INSERT INTO files (${FILE.join(', ')}) VALUES (${FILE.map(() => '?').join(', ')}) ON CONFLICT (ref) DO NOTHING`),
    failed: db.prepare('UPDATE files SET error_code = ?, error_message = ?, error_offset = ? WHERE id = ?'),
    finished: db.prepare('UPDATE files SET stamp = ?, companion = ? WHERE id = ?'),
    names: db.prepare('INSERT INTO names VALUES (?, ?)'),
    details: db.prepare('INSERT INTO details VALUES (?, ?, ?)'),
    // all of a file at once, out of its summary: a statement for each is a call from one language into another
    keys: db.prepare(
      `INSERT INTO keys SELECT value, 'provides', @id, key FROM json_each(@summary, '$.provides')
        UNION ALL SELECT value, 'needs', @id, key FROM json_each(@summary, '$.needs')`,
    ),
    counted: db.prepare('SELECT id, folder, size, bones, meshes, clips, slices, textures FROM files WHERE ref = ?'),
    model: db.prepare(
      'INSERT INTO models (family, name, name_key, "primary", folder, size, bones, meshes, clips, slices, textures, members, lists) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    member: db.prepare('INSERT INTO members VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    list: db.prepare('INSERT INTO lists (listed) VALUES (?)'),
    listed: db.prepare('INSERT INTO listed VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    modelList: db.prepare('INSERT INTO model_lists VALUES (?, ?, ?)'),
    opened: db.prepare('INSERT INTO opened VALUES (?)'),
  }
}

/** A file or member as it is found. */
export interface Found {
  ref: string
  name: string
  folder: string
  size: number
  mtime: number
  /** of the file on disk that it is or stands in */
  changed: number
  position: number
}

/** What is in a file, as it is kept. */
export interface PackedFile {
  counts: FileCounts
  note: string
  /** both as JSON */
  summary: string
  diagnostics: string
  /** that are searched */
  names: readonly string[]
}

/** Numbers of `files` that tell what else there is of it. */
type FileCounts = Record<(typeof COUNTS)[number], number>

/** As they are looked for: half a pair of UTF-16 would be one thing in JSON and another in a question to SQLite. */
const lower = (keys: readonly string[] | undefined): string[] => (keys ?? []).map((key) => key.toLowerCase().toWellFormed())

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

type Column = string | number | null

/** A file or member that was read, in the form in which it is written: it may come from another thread. */
export interface FileRow {
  kind: 'file'
  ref: string
  folder: string
  /** in the order of FILE, behind those of whoever writes it */
  columns: Column[]
  summary: string
  diagnostics: string
  /** what it is found by; '' of an archive before its end */
  text: string
  /** of its file, where that was decoded */
  bytes: number
  failed: boolean
  /** members follow, each with a row, and the archive's end */
  archive: boolean
  /** its bytes, of a script that binders read (`FileFormat.script`) */
  script?: Uint8Array
}

/** The end of an archive, all of its members before it. */
export interface ArchiveEnd {
  kind: 'end'
  failed: [string, string, number] | undefined
  stamp: string
  companion: string
  text: string
}

export type ReadRow = FileRow | ArchiveEnd

/** Names per file that are searched; a file with more is found by its first ones. */
const MOST_TEXT = 65_536

/** What a file is found by. @param place its folder, below the library's */
export function textOf(name: string, place: string, names: readonly string[]): string {
  return searchText([name, place, ...names].join('\n').slice(0, MOST_TEXT))
}

type RowExtras = Partial<Pick<FileRow, 'bytes' | 'archive' | 'script'>>

export function rowOf(file: Found, contents: Contents, text: string, { bytes = 0, archive = false, script }: RowExtras = {}): FileRow {
  const { ref, name, folder, size, mtime, changed, position } = file
  const { recognised, packed, failed, stamp, companion, crc } = contents
  const error = failed ? errorColumns(failed) : NO_ERROR
  const of = [ref, position, name, name.toLowerCase(), stemOf(name), size, mtime, stamp, changed, crc, companion]
  const columns = [...of, recognised.format, recognised.kind, recognised.family, packed.note, ...countsOf(packed), ...error]
  const { summary, diagnostics } = packed
  return { kind: 'file', ref, folder, columns, summary, diagnostics, text, bytes, failed: failed !== undefined, archive, script }
}

const NO_ERROR = [null, null, null]

const countsOf = ({ counts }: PackedFile): number[] => COUNTS.map((name) => counts[name])

/** The same file with nothing in it but an error: its summary is one that no row can hold. */
export function refusedRow(row: FileRow, failed: ErrorData): FileRow {
  const columns = row.columns.slice(0, NOTE - OF_WRITER)
  const { summary, diagnostics, note } = NOTHING
  return {
    ...{ ...row, summary, diagnostics, failed: true },
    columns: [...columns, note, ...countsOf(NOTHING), ...errorColumns(failed)],
  }
}

/** What a summary is made of again. */
export interface StoredSummary {
  kind: FileKind
  note: string
  error_code: string | null
  /** JSON, null where there are no lists */
  data: string | null
}

/** The format of a row that was written. */
export const formatIn = ({ columns }: FileRow): string => columns[FORMAT - OF_WRITER] as string

export const kindIn = ({ columns }: FileRow): string => columns[KIND - OF_WRITER] as string
export const positionIn = ({ columns }: FileRow): number => columns[POSITION - OF_WRITER] as number
export const sizeIn = ({ columns }: FileRow): number => columns[SIZE - OF_WRITER] as number

/** The same as the index gives for a row that was written. */
export function summaryIn(row: FileRow): StoredSummary {
  const { columns, summary } = row
  return {
    kind: kindIn(row) as FileKind,
    note: columns[NOTE - OF_WRITER] as string,
    error_code: null,
    data: summary === NOTHING.summary ? null : summary,
  }
}

/** Whether there is anything in a file beside its own row. */
export function hasContents({ summary, diagnostics }: FileRow): boolean {
  return summary !== NOTHING.summary || diagnostics !== NOTHING.diagnostics
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
    names: namesIn(summary),
  }
}

/** What is in a file, beside its own row. */
export function writeDetails({ details, keys }: Statements, id: number, row: FileRow): void {
  if (!hasContents(row)) return
  const { summary, diagnostics } = row
  details.run(id, summary, diagnostics)
  keys.run({ id, summary })
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
