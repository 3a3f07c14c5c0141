/** Opens an index or another cache: a damaged file, or one of another version, is moved aside and begun anew. */
import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { say } from '../../shared/texts/say.ts'
import { FormatError } from '../binary/format-error.ts'
import { ioError } from '../files/sources.ts'
import { undisturbed } from '../worker/thread.ts'
import { APPLICATION_ID, SCHEMA, SCHEMA_VERSION } from './schema.ts'
import { checkRows } from './row-counts.ts'
import { sealFile, sealHolds } from './seal.ts'

export type Db = Database.Database
export type Statement = Database.Statement

/** What stands in a file: its tables, the mark of the application and the version that both must be of. */
export interface DatabaseKind {
  id: number
  version: number
  schema: string
  /** a table that is there, for the first look */
  table: string
  /** the whole structure is checked at opening where no seal says what should be in the file */
  structure: boolean
  /** what the rows say of each other. @returns what is not so, undefined when all is */
  rows?(db: Db): string | undefined
}

const INDEX: DatabaseKind = {
  id: APPLICATION_ID,
  version: SCHEMA_VERSION,
  schema: SCHEMA,
  table: 'roots',
  structure: true,
  rows: checkRows,
}

/** The file is not what was left in it. */
class Damaged extends Error {}

/** Whether the file itself is bad (and not that it is busy, or the disk full). */
export function isDamage(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return error instanceof Damaged || (typeof code === 'string' && /^SQLITE_(CORRUPT|NOTADB)/.test(code))
}

/**
 * Whether an error of a statement comes from the file: one that is not plainly damage (a table or column that is called
 * otherwise, a row that breaks a rule) is looked into.
 */
export function comesOfDamage(db: Db, error: unknown, kind: DatabaseKind = INDEX): boolean {
  if (isDamage(error)) return true
  const code = (error as { code?: unknown } | null)?.code
  if (typeof code !== 'string' || !/^SQLITE_(ERROR|CONSTRAINT|MISMATCH|SCHEMA|FORMAT|RANGE|INTERNAL|READONLY)/.test(code)) return false
  try {
    checkSound(db, kind)
    return false
  } catch {
    return true
  }
}

/** @throws Damaged, or what SQLite says */
function checkSound(db: Db, kind: DatabaseKind): void {
  checkTables(db, kind)
  const found = db.pragma('quick_check(1)', { simple: true })
  if (found !== 'ok') throw new Damaged(String(found))
  const wrong = kind.rows?.(db)
  if (wrong !== undefined) throw new Damaged(wrong)
}

/** The tables are those that were made, to the letter. */
function checkTables(db: Db, kind: DatabaseKind): void {
  const tables = (of: Db): string =>
    JSON.stringify(of.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name').raw().all())
  const fresh = new Database(':memory:')
  try {
    fresh.exec(kind.schema)
    if (tables(db) !== tables(fresh)) throw new Damaged('the tables are not those that were made')
  } finally {
    fresh.close()
  }
}

/**
 * @param file path on disk, or `:memory:`
 * @throws FormatError io when the file cannot be made
 */
export function openDatabase(file: string, kind: DatabaseKind = INDEX): Db {
  if (file !== ':memory:') {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    // SQLite creates its other files with the permissions of this one
    closeSync(openSync(file, 'a', 0o600))
  }
  try {
    return openExisting(file, kind)
  } catch (error) {
    // Foreign is what another program or another version wrote
    if (!(error instanceof Foreign) && !isDamage(error)) throw ioError(error, file)
    moveAside(file)
    return prepared(file, kind)
  }
}

/**
 * Like `openDatabase`, for whoever is not the one to move a damaged file: another connection has it open.
 * @throws Damaged and others of `isDamage`
 */
export function openExisting(file: string, kind: DatabaseKind = INDEX): Db {
  const sealed = file === ':memory:' ? undefined : sealHolds(file)
  if (sealed === false) throw new Damaged('the file is not what the last scan left')
  return prepared(file, kind, sealed === undefined && file !== ':memory:')
}

/** ms that whoever brings an index in waits for those who read it */
const READERS_MS = 100

/**
 * What was written to a file that is in use is brought into it from beside it, where nothing stays then: a disk gives a hundred megabytes back as slowly
 * as it reads some of them. What that cannot reach waits for the next who does it.
 */
export function bringIn(file: string): void {
  undisturbed(() => {
    const db = new Database(file, { fileMustExist: true, timeout: READERS_MS })
    try {
      // nobody who writes waits for this, only for the moment of the other
      db.pragma('wal_checkpoint(PASSIVE)')
      db.pragma('wal_checkpoint(TRUNCATE)')
    } finally {
      db.close()
    }
  })
}

/** Renames a bad index to `.damaged` (replacing an older one) so that a fresh one can take its place. */
export function moveAside(file: string): void {
  for (const part of [`${file}-wal`, `${file}-shm`, sealFile(file)]) rmSync(part, { force: true })
  if (!existsSync(file)) return
  try {
    rmSync(`${file}.damaged`, { force: true, recursive: true })
    renameSync(file, `${file}.damaged`)
  } catch (error) {
    throw ioError(error, file)
  }
}

class Foreign extends Error {}

/** @param unsure nothing says what should be in the file: it is checked by itself */
function prepared(file: string, kind: DatabaseKind, unsure = false): Db {
  // the library's native part is loaded by the first connection of a thread
  const db = undisturbed(() => new Database(file, { timeout: 10_000 }))
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
    if (unsure) checkTables(db, kind)
    if (unsure && kind.structure) checkSound(db, kind)
    // touches the pages that everything else hangs on
    db.prepare(`SELECT count(*) FROM ${kind.table}`).get()
    return db
  } catch (error) {
    const damaged = !(error instanceof Foreign) && comesOfDamage(db, error, kind)
    db.close()
    throw damaged && !isDamage(error) ? new Damaged((error as Error).message) : error
  }
}

/**
 * A cache in a file, open while it can be: damage that shows itself in a statement makes room for an empty file. Where none can be made (a full
 * disk), this call fails and the next one tries again.
 */
export class CacheDatabase {
  private readonly file: string
  private readonly kind: DatabaseKind
  private db: Db | undefined
  private closed = false

  /** @param file path on disk, or `:memory:` @throws FormatError io when it cannot be made */
  constructor(file: string, kind: DatabaseKind = INDEX) {
    this.file = file
    this.kind = kind
    this.db = openDatabase(file, kind)
  }

  /**
   * @param body is done again on the empty file where this one is damaged
   * @param keep a damaged file stays: somebody else is writing to it
   * @throws FormatError io when the file cannot be made anew, invalid-argument when this is closed; what body throws
   */
  run<T>(body: (db: Db) => T, { keep = false } = {}): T {
    const db = this.current()
    try {
      return body(db)
    } catch (error) {
      if (keep || !comesOfDamage(db, error, this.kind)) throw error
      this.rebuild()
      return body(this.current())
    }
  }

  /** Begins with an empty file. */
  rebuild(): void {
    this.db?.close()
    this.db = undefined
    if (this.file !== ':memory:') moveAside(this.file)
    this.current()
  }

  close(): void {
    this.closed = true
    this.db?.close()
    this.db = undefined
  }

  private current(): Db {
    if (this.closed) throw new FormatError('invalid-argument', say('indexing.databaseClosed'), { file: this.file })
    return (this.db ??= openDatabase(this.file, this.kind))
  }
}
