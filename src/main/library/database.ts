/** Opens the index file: a damaged one, or one of another version, is moved aside and begun anew. */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { ioError } from '../files/sources.ts'
import { APPLICATION_ID, SCHEMA, SCHEMA_VERSION } from './schema.ts'

export type Db = Database.Database

/** Whether SQLite says that the file itself is bad (and not that it is busy, or the disk full). */
export function isDamage(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^SQLITE_(CORRUPT|NOTADB)/.test(code)
}

/**
 * @param file path on disk, or `:memory:`
 * @throws FormatError io when the file cannot be made
 */
export function openDatabase(file: string): Db {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true })
  try {
    return prepared(file)
  } catch (error) {
    // Foreign is what another program or another version wrote
    if (!(error instanceof Foreign) && !isDamage(error)) throw ioError(error, file)
    moveAside(file)
    return prepared(file)
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

function prepared(file: string): Db {
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
    if (version() !== SCHEMA_VERSION || id() !== APPLICATION_ID) {
      db.transaction(() => {
        if (version() === 0 && id() === 0 && db.prepare('SELECT count(*) AS n FROM sqlite_schema').pluck().get() === 0) {
          db.exec(SCHEMA)
          db.pragma(`application_id = ${APPLICATION_ID}`)
          db.pragma(`user_version = ${SCHEMA_VERSION}`)
        } else if (version() !== SCHEMA_VERSION || id() !== APPLICATION_ID) {
          throw new Foreign(`version ${String(version())}`)
        }
      }).immediate()
    }
    // touches the pages that everything else hangs on
    db.prepare('SELECT count(*) FROM roots').get()
    return db
  } catch (error) {
    db.close()
    throw error
  }
}
