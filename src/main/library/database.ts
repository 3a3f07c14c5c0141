/** Opens an index or another cache: a damaged file, or one of another version, is moved aside and begun anew. */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { ioError } from '../files/sources.ts'
import { APPLICATION_ID, SCHEMA, SCHEMA_VERSION } from './schema.ts'

export type Db = Database.Database

/** What stands in a file: its tables, the mark of the application and the version that both must be of. */
export interface DatabaseKind {
  id: number
  version: number
  schema: string
  /** a table that is there, for the first look */
  table: string
}

const INDEX: DatabaseKind = { id: APPLICATION_ID, version: SCHEMA_VERSION, schema: SCHEMA, table: 'roots' }

/** Whether SQLite says that the file itself is bad (and not that it is busy, or the disk full). */
export function isDamage(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^SQLITE_(CORRUPT|NOTADB)/.test(code)
}

/**
 * @param file path on disk, or `:memory:`
 * @throws FormatError io when the file cannot be made
 */
export function openDatabase(file: string, kind: DatabaseKind = INDEX): Db {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true })
  try {
    return prepared(file, kind)
  } catch (error) {
    // Foreign is what another program or another version wrote
    if (!(error instanceof Foreign) && !isDamage(error)) throw ioError(error, file)
    moveAside(file)
    return prepared(file, kind)
  }
}

/** Renames a bad index to `.damaged` (replacing an older one) so that a fresh one can take its place. */
export function moveAside(file: string): void {
  for (const part of ['-wal', '-shm']) rmSync(file + part, { force: true })
  if (!existsSync(file)) return
  try {
    rmSync(`${file}.damaged`, { force: true, recursive: true })
    renameSync(file, `${file}.damaged`)
  } catch (error) {
    throw ioError(error, file)
  }
}

class Foreign extends Error {}

function prepared(file: string, kind: DatabaseKind): Db {
  const db = new Database(file, { timeout: 10_000 })
  try {
    // the index can be built again: a lost last transaction after a power cut is no harm, a torn file would be
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = NORMAL')
    db.pragma('foreign_keys = ON')
    db.pragma('temp_store = MEMORY')
    db.pragma('cache_size = -32768')
    const version = (): unknown => db.pragma('user_version', { simple: true })
    const id = (): unknown => db.pragma('application_id', { simple: true })
    // an index that is there is opened without a lock: another process may be writing to it for long
    if (version() !== kind.version || id() !== kind.id) {
      db.transaction(() => {
        if (version() === 0 && id() === 0 && db.prepare('SELECT count(*) AS n FROM sqlite_schema').pluck().get() === 0) {
          db.exec(kind.schema)
          db.pragma(`application_id = ${kind.id}`)
          db.pragma(`user_version = ${kind.version}`)
        } else if (version() !== kind.version || id() !== kind.id) {
          throw new Foreign(`version ${String(version())}`)
        }
      }).immediate()
    }
    // touches the pages that everything else hangs on
    db.prepare(`SELECT count(*) FROM ${kind.table}`).get()
    return db
  } catch (error) {
    db.close()
    throw error
  }
}
