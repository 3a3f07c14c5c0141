/**
 * Brings the index up to date with a folder: walk, read (file-reading.ts), write, bind. Files that did not change since they were indexed are not opened.
 * Other threads may read (reading-pool.ts); one writes, in the order of the walk, so that the index is the same whoever read. It runs to its end in one go, or
 * in steps between which rows of other threads come; stopping is asked for through `cancelled`.
 * The index is locked for the moments in which a batch is written, never while the disk is asked: a drive that does not answer may hold this thread for ever.
 */
import { dirname, resolve, sep } from 'node:path'
import { FormatError, toErrorData } from '../binary/format-error.ts'
import { folderKey } from '../files/memory-neighbourhood.ts'
import { sweepFolder } from '../files/temporaries.ts'
import { walk } from '../files/walk.ts'
import { baseName } from '../../shared/ref.ts'
import { atOnce, type Stepwise } from '../../shared/stepwise.ts'
import { temporaryParts } from '../../shared/temporary-name.ts'
import { bindModels } from './bind-models.ts'
import { breakSeal } from './seal.ts'
import { Cancelled, FileReading, ReadingRoom } from './file-reading.ts'
import { FittingModels } from './fitting-models.ts'
import { hasContents, isConstraint, NOTHING, prepareRows, refusedRow, rowOf, UNKNOWN, writeDetails } from './index-rows.ts'
import { KeptSummaries } from './kept-summaries.ts'
import { NO_MODELS } from './model-rows.ts'
import { Batch, NO_READERS, type Readers } from './read-batches.ts'
import { sameFile, settled, UNSETTLED } from './same-file.ts'
import { FOLDER, scanReport } from './scan-report.ts'
import { searchText } from './search-text.ts'
import { stampOf } from './stamps.ts'
import type { ScanProgress, ScanReport } from '../../shared/api/types/library.ts'
import type { DiskTouch } from '../../shared/worker/disk-mark.ts'
import type { FileStore } from '../files/store.ts'
import type { WalkedFile } from '../files/walk.ts'
import type { Db } from './database.ts'
import type { Known } from './same-file.ts'
import type { ArchiveEnd, FileRow, ReadRow, Statements } from './index-rows.ts'
import { say } from '../../shared/texts/say.ts'

export interface IndexOptions {
  /** every file again, changed or not */
  full?: boolean
  /** asked between files */
  cancelled?: () => boolean
  onProgress?: (progress: Omit<ScanProgress, 'library'>) => void
  /** paths that are not looked at: the index itself when it stands in the folder, and what the user leaves out */
  ignore?: (path: string) => boolean
  /** told of each call that a drive may leave without an answer, as the store is; throws `no-answer` of what did not answer before */
  touch?: DiskTouch
}

/** Files per transaction, and bytes that they may have been decoded from: a kill loses at most these. */
const BATCH = 500
const BATCH_BYTES = 64 * 2 ** 20
/** Files that are met in one go: rows of other threads come between. */
const WALKED = 64
/** A row once it is written; none for a member that is another file by its reference. */
interface Made {
  id: number | undefined
}

/** @throws FormatError `cancelled`, `not-found`; what is done until then stays and is not done again */
export function indexFolder(db: Db, store: FileStore, rootPath: string, options: IndexOptions = {}): ScanReport {
  return atOnce(indexing(db, store, rootPath, options))
}

/**
 * The same with others who read, in steps. A step is over where rows of theirs may come.
 * @param readers are ended when nothing is left to read
 * @param waits told the batch whose rows are to come, before each step; none where there is something else to do
 */
export function* indexing(
  db: Db,
  store: FileStore,
  rootPath: string,
  options: IndexOptions,
  readers: Readers = NO_READERS,
  waits: (batch: Batch | undefined) => void = () => {},
): Stepwise<ScanReport> {
  const started = performance.now()
  const root = resolve(rootPath)
  try {
    breakSeal(db)
    const indexer = new Indexer(db, store, root, options, readers, waits)
    yield* indexer.run()
    const seconds = (performance.now() - started) / 1000
    db.prepare('UPDATE roots SET scanned_at = ?, seconds = ? WHERE path = ?').run(Date.now(), seconds, root)
    const report = scanReport(db, seconds)
    options.onProgress?.({ phase: 'done', done: report.files, total: report.files, current: '', errors: report.errors.length })
    return report
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error
    options.onProgress?.({ phase: 'cancelled', done: 0, total: 0, current: '', errors: 0 })
    throw new FormatError('cancelled', say('indexing.stopped'), { file: root })
  }
}

class Indexer {
  private readonly db: Db
  private readonly store: FileStore
  private readonly root: string
  private readonly options: IndexOptions
  private readonly readers: Readers
  private readonly waits: (batch: Batch | undefined) => void
  private readonly statements: Statements
  private readonly folders = new Map<string, number>()
  /** rows of files on disk that are still there */
  private readonly present = new Set<number>()
  /** what is to be written, in its order; how many rows that makes, and of how many bytes */
  private later: (() => void)[] = []
  private rows = 0
  private bytes = 0
  /** archives around the next row that is taken, outermost first */
  private around: Made[] = []
  private readonly recent = new KeptSummaries()
  private readonly room = new ReadingRoom()
  private readonly models: FittingModels
  private changed = false
  /** on disk, in the order of the walk: as far as it is */
  private readonly files: WalkedFile[] = []
  private walking = true
  private done = 0
  private total = 0
  private errors = 0

  constructor(db: Db, store: FileStore, root: string, options: IndexOptions, readers: Readers, waits: (batch: Batch | undefined) => void) {
    this.db = db
    this.store = store
    this.root = root
    this.options = options
    this.readers = readers
    this.waits = waits
    this.statements = prepareRows(db)
    this.models = new FittingModels(db, this.statements)
  }

  *run(): Stepwise<void> {
    const { db } = this
    const folderErrors: FormatError[] = []
    const way = this.walk(folderErrors)
    try {
      // a root that is away leaves the index as it is
      this.walkOn(way)
      this.prepareRoot()
      yield* this.readAll(way)
      void this.readers.end(db.memory ? undefined : db.name)
      // they are told so before models are put together, which takes the memory that they give back
      yield 0
    } catch (error) {
      // what was indexed until a stop is kept
      if (error instanceof Cancelled) this.write()
      throw error
    } finally {
      void this.readers.end()
    }
    this.write()
    this.removeMissing(folderErrors)
    for (const error of folderErrors) this.later.push(() => this.folderError(error))
    this.write()
    this.files.length = 0
    if (this.models.fit) return
    this.errors += bindModels(db, this.store, this.statements, this.recent, (done, total, folder) => {
      this.done = done
      this.total = total
      this.check('bind', folder)
    })
  }

  private walk(errors: FormatError[]): Generator<WalkedFile> {
    const onDamaged = (record: string): void => {
      const { file } = temporaryParts(baseName(record))!
      errors.push(new FormatError('unreadable', say('indexing.damagedUndo', { file }), { file: record }))
    }
    // whoever holds the library clears away what writes left that were killed
    return walk(
      this.root,
      (error) => errors.push(error),
      (folder) => sweepFolder(folder, onDamaged),
      this.options.touch,
      this.options.ignore,
    )
  }

  /** The next files of the way, until there are no more. */
  private walkOn(way: Generator<WalkedFile>): void {
    const { files } = this
    for (let more = WALKED; more > 0 && this.walking; more--) {
      const next = way.next()
      if (next.done) this.walking = false
      else files.push(next.value)
    }
    this.total = files.length
    this.check('walk', files.at(-1)?.path ?? this.root)
  }

  private prepareRoot(): void {
    const codecs = this.store.registry.families
      .flatMap((family) => [...family.formats, ...family.archives].map((format) => format.id))
      .join(' ')
    const row = this.db.prepare('SELECT path, codecs, bound, files_edition AS files, models_edition AS models FROM roots').get() as
      { path: string; codecs: string; bound: number; files: number; models: number } | undefined
    const sameRoot = row?.path === this.root
    if (sameRoot && row.codecs === codecs && !this.options.full) {
      this.models.fit = row.bound === 1
      return
    }
    this.db.transaction(() => {
      // formats that were not known then, or a wish: each file is read again, and has its old row until then
      if (sameRoot) {
        this.db.exec("UPDATE files SET stamp = '' WHERE parent IS NULL")
        this.db.prepare('UPDATE roots SET codecs = ?, bound = 0').run(codecs)
        return
      }
      // of another folder nothing counts
      this.db.exec(`${NO_MODELS}; DELETE FROM files; DELETE FROM folders; DELETE FROM roots`)
      this.db
        .prepare('INSERT INTO roots (path, codecs, files_edition, models_edition) VALUES (?, ?, ?, ?)')
        .run(this.root, codecs, (row?.files ?? 0) + 1, (row?.models ?? 0) + 1)
    })()
  }

  private check(at: ScanProgress['phase'], current: string): void {
    if (this.options.cancelled?.()) throw new Cancelled()
    // how much there is to read is known when the walk is over
    const phase = this.walking ? 'walk' : at
    this.options.onProgress?.({ phase, done: this.done, total: this.total, current, errors: this.errors })
  }

  private write(): void {
    const { later } = this
    this.later = []
    this.rows = 0
    this.bytes = 0
    if (later.length === 0) return
    const { db } = this
    db.transaction(() => {
      for (const part of later) part()
      if (this.changed) this.statements.filesEdition.run()
      if (this.models.resized) this.statements.modelsEdition.run()
    }).immediate()
  }

  /** Counts a row; a transaction holds only so many. */
  private wrote(): void {
    if (++this.rows >= BATCH || this.bytes >= BATCH_BYTES) this.write()
  }

  /** Others read what was met while the walk goes on; whoever writes reads once it is over. */
  private *readAll(way: Generator<WalkedFile>): Stepwise<void> {
    const batches = this.unread()
    const line: Batch[] = []
    for (let over = false; ;) {
      while (!over && line.length <= this.readers.room) {
        const { done, value } = batches.next()
        if (done) over = true
        else if (value) line.push(value)
        else break
      }
      const [first] = line as (Batch | undefined)[]
      if (over && !first) return
      this.readers.order(line)
      if (!first?.parts.length && this.walking) this.walkOn(way)
      else if (first) this.advance(first, line)
      if (this.readers.room === 0) continue
      this.waits(this.walking ? undefined : first)
      yield 0
    }
  }

  /** Takes what there is of the first batch, or reads. */
  private advance(first: Batch, line: Batch[]): void {
    if (first.torn) this.takeBack(first)
    const part = first.parts.shift()
    if (part) {
      for (const row of part) this.takeOf(first, row)
      this.readers.taken(first)
    } else if (first.state === 'waits') this.readHere(first, (row) => this.takeOf(first, row))
    else if (first.state === 'away' && !this.readAhead(line)) this.check('index', first.files[first.done].file.ref)
    if (first.done === first.files.length) line.shift()
  }

  /** Files that are not as they were indexed, in batches; nothing where the walk has to go on first. */
  private *unread(): Generator<Batch | undefined, void, void> {
    const { files } = this
    const isNew = this.db.prepare('SELECT 1 FROM files LIMIT 1').get() === undefined
    let batch = new Batch()
    for (let next = 0; this.walking || next < files.length;) {
      if (next === files.length) {
        yield undefined
        continue
      }
      const file = files[next++]
      const stamp = `${file.size}:${file.mtimeMs}`
      const known = isNew ? undefined : (this.statements.known.get(file.path) as Known | undefined)
      const same =
        known && sameFile(this.store, file, known, (companion) => `${stamp}${companion && `;${stampOf(companion, this.options.touch)}`}`)
      if (same) {
        this.check('index', file.path)
        this.done++
        this.present.add(known.id)
        if (same.changed !== known.changed) {
          this.later.push(() => this.statements.same.run(same.changed, known.id))
          this.wrote()
        }
        continue
      }
      this.changed = true
      const { path, name, folder, size, mtimeMs } = file
      const unread = { ref: path, name, folder, size, mtime: mtimeMs, changed: settled(file), position: 0, stamp }
      batch.add({ file: unread, known: known?.id })
      if (!batch.isFull) continue
      yield batch
      batch = new Batch()
    }
    if (batch.files.length > 0) yield batch
  }

  /** Reads what nobody else does. */
  private readHere(batch: Batch, tell: (row: ReadRow) => void): void {
    const { touch } = this.options
    const { root, room } = this
    const reading = new FileReading(this.store, { root, touch, room, tell, check: (ref) => this.check('index', ref) })
    const { files, fatal } = batch
    for (let i = batch.done; i < files.length; i++) {
      const { file } = files[i]
      this.check('index', file.ref)
      if (i === fatal?.index) reading.fail(file, fatal.error)
      else reading.read(file)
    }
  }

  /** While another thread is not through with the first batch: reads the next that nobody does. @returns whether there was one */
  private readAhead(line: readonly Batch[]): boolean {
    const next = line.find(({ state, isSmall }) => state === 'waits' && isSmall)
    if (!next) return false
    const part: ReadRow[] = []
    this.readHere(next, (row) => part.push(row))
    next.parts.push(part)
    next.state = 'read'
    return true
  }

  /** Of an archive that another thread was in when it ended no row stays. */
  private takeBack(batch: Batch): void {
    batch.torn = false
    const [half] = this.around
    this.around = []
    if (!half) return
    this.later.push(() => {
      this.models.unfit()
      if (half.id !== undefined) this.statements.remove.run(half.id)
    })
  }

  /** A row of the file that is next in its batch. */
  private takeOf(batch: Batch, row: ReadRow): void {
    const isMember = this.around.length > 0
    const { file, known } = batch.files[batch.done]
    if (batch.state !== 'waits') this.check('index', row.kind === 'file' ? row.ref : file.ref)
    if (!isMember && known !== undefined) {
      this.later.push(() => {
        this.models.hold(known)
        this.statements.remove.run(known)
      })
      this.rows++
    }
    this.take(row)
    if (this.around.length > 0) return
    if (known !== undefined) this.later.push(() => this.models.through())
    batch.done++
    this.done++
  }

  /** A row that was read, written with its batch. Members stand between their archive and its end. */
  private take(row: ReadRow): void {
    if (row.kind === 'end') {
      const made = this.around.pop()!
      if (row.failed) this.errors++
      this.later.push(() => this.finish(made, row))
    } else {
      const made: Made = { id: undefined }
      const parent = this.around.at(-1)
      if (row.failed) this.errors++
      this.bytes += row.bytes
      this.later.push(() => this.put(made, row, parent))
      if (row.archive) {
        this.around.push(made)
        return
      }
      this.later.push(() => this.name(made, row.text))
    }
    this.wrote()
  }

  /** Writes a row of its own for a file. */
  private put(made: Made, row: FileRow, parent: Made | undefined): void {
    if (parent && parent.id === undefined) return
    const { ref, folder, columns } = row
    const number = this.models.numberOf(row)
    const insert = () => this.statements.insert.run(number, parent?.id ?? null, this.folderId(folder), ...columns)
    try {
      let { changes, lastInsertRowid } = insert()
      if (changes === 0) {
        // `pack!x` may be a member of `pack` and a file of that name on disk: references mean the one on disk
        const other = this.statements.sameRef.get(ref) as { id: number; parent: number | null }
        this.models.unfit()
        if (other.parent === null) return
        this.statements.remove.run(other.id)
        ;({ changes, lastInsertRowid } = insert())
      }
      made.id = Number(lastInsertRowid)
      writeDetails(this.statements, made.id, row)
    } catch (error) {
      // a summary that no row can hold
      if (!isConstraint(error) || !hasContents(row)) throw error
      if (made.id !== undefined) this.statements.remove.run(made.id)
      this.errors++
      this.put(made, refusedRow(row, toErrorData(error, ref)), parent)
      return
    }
    if (!parent) this.present.add(made.id)
    this.recent.keep(row)
    this.models.wrote(row)
  }

  private name({ id }: Made, text: string): void {
    if (id !== undefined) this.statements.names.run(id, text)
  }

  /** An archive of which all members are through. */
  private finish(made: Made, { failed, stamp, companion, text }: ArchiveEnd): void {
    if (made.id === undefined) return
    if (failed) this.statements.failed.run(...failed, made.id)
    this.name(made, text)
    this.statements.finished.run(stamp, companion, made.id)
  }

  /** Of files that are gone, or left out; below a folder that did not answer nothing else is known to be. */
  private removeMissing(errors: readonly FormatError[]): void {
    const silent = errors.filter(({ code }) => code === 'no-answer').map(({ file }) => file + sep)
    for (const { id, ref, format } of this.statements.onDisk.all() as { id: number; ref: string; format: string }[]) {
      if (this.present.has(id) || (silent.some((folder) => ref.startsWith(folder)) && !this.options.ignore?.(ref))) continue
      this.changed = true
      this.later.push(() => {
        if (format !== '') this.models.unfit()
        this.statements.remove.run(id)
      })
      this.wrote()
    }
    this.write()
    this.db.exec('DELETE FROM folders WHERE id NOT IN (SELECT folder FROM files)')
    this.folders.clear()
  }

  /** A folder that cannot be read is a row among the errors, made anew by each scan. */
  private folderError(error: FormatError): void {
    // names that are no UTF-8 are read alike where they differ: one row stands for all of them
    if (this.statements.sameRef.get(error.file)) return
    this.changed = true
    this.errors++
    const name = error.file.slice(dirname(error.file).length + 1)
    const file = { ref: error.file, name, folder: dirname(error.file), size: 0, mtime: 0, changed: UNSETTLED, position: 0 }
    const made: Made = { id: undefined }
    const contents = { recognised: UNKNOWN, packed: NOTHING, failed: error.toData(), stamp: FOLDER, companion: '', crc: null }
    this.put(made, rowOf(file, contents, ''), undefined)
    this.name(made, searchText(name))
  }

  private folderId(path: string): number {
    let id = this.folders.get(path)
    if (id === undefined) {
      id =
        (this.statements.folderOf.get(path) as number | undefined) ??
        Number(this.statements.folder.run(path, folderKey(path)).lastInsertRowid)
      if (this.folders.size > 10_000) this.folders.clear()
      this.folders.set(path, id)
    }
    return id
  }
}
