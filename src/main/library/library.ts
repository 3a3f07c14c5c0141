/**
 * The index of one folder: what is in it, searchable. Scans run in a worker; queries answer from what is indexed,
 * also during a scan.
 */
import { createHash } from 'node:crypto'
import { basename, resolve } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { realPath, wholePath } from '../files/paths.ts'
import { FileStore } from '../files/store.ts'
import { CacheDatabase } from './database.ts'
import { IndexNeighbourhood } from './index-neighbourhood.ts'
import { modelsOf, stampOf } from './model-rows.ts'
import { Queries } from './queries.ts'
import type { DrivePatience } from '../worker/drive.ts'
import { DamagedIndex, runWorker } from './worker-host.ts'
import type { LibraryFolder, LibraryInfo, LibraryPage, LibraryQuery, ScanProgress, ScanReport } from '../../shared/api/types/library.ts'
import type { ModelBinding, Neighbourhood } from '../formats/binding.ts'
import type { Db } from './database.ts'
import { say } from '../../shared/texts/say.ts'

export interface LibraryOptions {
  /** files are read through it; it must know the same families as the worker */
  store?: FileStore
  /** URL of a module that exports `families`, for the worker; the product's when absent */
  registryModule?: string
  /** threads that read for a scan, beside the one that writes; as many as the machine is good for when absent */
  readers?: number
  /** how long a drive may take to answer a scan, ms, until that is told and until it goes on without */
  drive?: DrivePatience
  /** places of the folders that scans leave out, asked for as each begins */
  leftOut?: () => readonly string[]
}

export interface ScanOptions {
  signal?: AbortSignal
  onProgress?: (progress: ScanProgress) => void
  /** every file again, changed or not */
  full?: boolean
}

/** The same folder has the same id on every start. */
export function libraryId(root: string): string {
  return createHash('sha256').update(wholePath(root)).digest('hex').slice(0, 16)
}

export class Library {
  readonly root: string
  readonly id: string
  /** path of the index */
  readonly database: string
  private readonly store: FileStore
  private readonly ownsStore: boolean
  private readonly registryModule: string | undefined
  private readonly readers: number | undefined
  private readonly drive: DrivePatience | undefined
  private readonly leftOut: () => readonly string[]
  private readonly index: CacheDatabase
  private readonly around: IndexNeighbourhood
  private readonly queries = new WeakMap<Db, Queries>()
  /** of the scan that runs, none where none does */
  private phase: ScanProgress['phase'] | undefined
  /** resolves when it is over, however it ends */
  private lastScan: Promise<unknown> = Promise.resolve()
  private closed = false
  /** rows were asked for, as by a window: letters of a search may follow */
  private listed = false
  /** reads a part of what searches look through */
  private ahead: NodeJS.Immediate | undefined

  private constructor(root: string, database: string, options: LibraryOptions) {
    this.root = root
    this.id = libraryId(root)
    this.database = database
    this.store = options.store ?? new FileStore()
    this.ownsStore = options.store === undefined
    this.registryModule = options.registryModule
    this.readers = options.readers
    this.drive = options.drive
    this.leftOut = options.leftOut ?? (() => [])
    this.index = new CacheDatabase(database)
    this.around = new IndexNeighbourhood((body) => this.read(body), this.store)
  }

  /**
   * Opens the index of a folder, an empty one where there is none yet or where it is damaged.
   * @throws FormatError not-found when the folder is missing
   */
  static open(root: string, dbFile: string, options: LibraryOptions = {}): Library {
    const path = wholePath(root)
    realPath(path)
    return new Library(path, resolve(dbFile), options)
  }

  /**
   * Brings the index up to date; unchanged files are skipped.
   * One that runs already ends first: a page that was loaded again asks before the one that it had was stopped, and another window looks, too.
   * @throws FormatError cancelled: what was indexed until then is kept, the next scan goes on from there
   */
  async scan(options: ScanOptions = {}): Promise<ScanReport> {
    const before = this.lastScan
    const mine = Promise.race([before, givenUp(options.signal)]).then(() => this.scanAlone(options))
    this.lastScan = Promise.allSettled([before, mine])
    return mine
  }

  private async scanAlone(options: ScanOptions): Promise<ScanReport> {
    if (this.closed) throw new FormatError('internal', say('indexing.closed'), { file: this.root })
    if (options.signal?.aborted) throw new FormatError('cancelled', say('indexing.stopped'), { file: this.root })
    this.phase = 'walk'
    try {
      return await this.runScan(options)
    } catch (error) {
      if (!(error instanceof DamagedIndex)) throw error
      this.index.rebuild()
      return await this.runScan(options)
    } finally {
      this.phase = undefined
    }
  }

  private runScan({ signal, onProgress, full }: ScanOptions): Promise<ScanReport> {
    const { root, database, registryModule, readers } = this
    return runWorker(
      { root, database, full: full ?? false, leftOut: this.leftOut(), registryModule, readers },
      {
        drive: this.drive,
        signal,
        onProgress: (progress) => {
          this.phase = progress.phase
          if (this.listed) this.readAhead()
          onProgress?.({ ...progress, library: this.id })
        },
      },
    )
  }

  query(query: Omit<LibraryQuery, 'library'>): LibraryPage {
    const page = this.ask((queries) => queries.page(query))
    this.listed = true
    this.readAhead()
    return page
  }

  /** Number of the row whose name begins with a text, the first from `from` on, else of all; -1 for none. */
  seek(query: Omit<LibraryQuery, 'library' | 'offset' | 'limit'>, begin: string, from: number): number {
    return this.ask((queries) => queries.seek(query, begin, from))
  }

  /** Models by their primary files. */
  modelRows(refs: readonly string[]): { ref: string; name: string; where: string }[] {
    return this.ask((queries) => queries.modelRows(refs))
  }

  /** Number of the row of a file, or of the model that it is the primary one of, in a query; -1 where it is not listed. */
  place(query: Omit<LibraryQuery, 'library' | 'offset' | 'limit'>, ref: string): number {
    return this.ask((queries) => queries.place(query, ref))
  }

  /** The folders in one, '' for the root, with how much of what is listed stands below each. */
  folders(query: Omit<LibraryQuery, 'library' | 'offset' | 'limit'>, place: string): LibraryFolder[] {
    return this.ask((queries) => queries.folders(query, place))
  }

  /**
   * The first letter of a search does not wait for what it looks through: that is read in parts behind the rows of a list, and behind a scan, but not while
   * one changes it. What files are called it changes no more once it puts them together to models.
   */
  private readAhead(): void {
    const isRead = (): boolean => this.phase === 'walk' || this.phase === 'index'
    if (isRead()) return
    this.ahead ??= setImmediate(() => {
      this.ahead = undefined
      if (this.closed || isRead()) return
      try {
        if (this.ask((queries) => queries.ready(this.phase !== 'bind'))) this.readAhead()
      } catch {
        // whoever searches is told
      }
    })
  }

  private ask<T>(question: (queries: Queries) => T): T {
    return this.read((db) => {
      let queries = this.queries.get(db)
      if (!queries) this.queries.set(db, (queries = new Queries(db, this.root, this.store.registry)))
      return question(queries)
    })
  }

  info(): LibraryInfo {
    return this.read((db) => {
      const scannedAt = (db.prepare('SELECT scanned_at FROM roots WHERE path = ?').pluck().get(this.root) as number | undefined) ?? 0
      const one = (sql: string): number => db.prepare(sql).pluck().get() as number
      return {
        id: this.id,
        root: this.root,
        name: basename(this.root) || this.root,
        files: one("SELECT count(*) FROM files WHERE format <> ''"),
        models: one('SELECT count(*) FROM models'),
        errors: one('SELECT count(*) FROM files WHERE error_code IS NOT NULL'),
        scannedAt,
      }
    })
  }

  /** Models that a file is part of, those that it is the primary file of first; empty where it is in none or not indexed. */
  modelOf(ref: string): ModelBinding[] {
    return this.read((db) => modelsOf(db, ref))
  }

  /** Changes with every file of the model that a file is primary of, or part of, as far as the last scan saw; no file is opened for it. */
  stamp(ref: string): string {
    return this.read((db) => stampOf(db, ref))
  }

  /** Where binders look: in the index as it is whenever they ask. */
  neighbourhood(): Neighbourhood {
    return this.around
  }

  close(): void {
    if (this.closed) return
    this.closed = true
    this.index.close()
    if (this.ownsStore) this.store.close()
  }

  /** A damaged index is set aside; the answer then comes from an empty one, which `info().scannedAt` tells. */
  private read<T>(body: (db: Db) => T): T {
    return this.index.run(body, { keep: this.phase !== undefined })
  }
}

/** Resolves once nobody wants it any more, or never. */
function givenUp(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve()
    signal?.addEventListener('abort', () => resolve(), { once: true })
  })
}
