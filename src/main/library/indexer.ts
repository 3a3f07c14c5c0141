/**
 * Brings the index up to date with a folder: walk, identify, decode, summarise, bind. Runs to its end in one go (in a
 * worker); stopping is asked for through `cancelled`. Files that did not change since they were indexed are not opened.
 * The index is locked for the moments in which a batch is written, never while the disk is asked: a drive that does not answer may hold this thread for ever.
 */
import { dirname, resolve, sep } from 'node:path'
import { crc32 } from 'node:zlib'
import { FormatError, toErrorData } from '../binary/format-error.ts'
import { folderKey } from '../files/memory-neighbourhood.ts'
import { folderOfKey } from '../files/places.ts'
import { HEAD_BYTES } from '../formats/registry.ts'
import { MAX_DOCUMENT } from '../files/open-document.ts'
import { MAX_MEMBERS } from '../files/store.ts'
import { sweepFolder } from '../files/temporaries.ts'
import { walk } from '../files/walk.ts'
import { baseName, stemOf } from '../../shared/ref.ts'
import { temporaryParts } from '../../shared/temporary-name.ts'
import { bindModels } from './bind-models.ts'
import { breakSeal } from './seal.ts'
import { errorColumns, isConstraint, isSqlite, NOTHING, packed, prepareRows, UNKNOWN, writeDetails } from './index-rows.ts'
import { NO_MODELS } from './model-rows.ts'
import { sameFile, settled, UNSETTLED } from './same-file.ts'
import { FOLDER, scanReport } from './scan-report.ts'
import { searchText } from './search-text.ts'
import { companionsOf, stampOf } from './stamps.ts'
import type { ScanProgress, ScanReport } from '../../shared/api/types/library.ts'
import type { DiskTouch } from '../../shared/worker/disk-mark.ts'
import type { ArchiveFormat } from '../formats/format.ts'
import type { OpenArchive } from '../files/places.ts'
import type { FileStore } from '../files/store.ts'
import type { WalkedFile } from '../files/walk.ts'
import type { Db } from './database.ts'
import type { Known } from './same-file.ts'
import type { Contents, PackedFile, Statements } from './index-rows.ts'
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
const BATCH_BYTES = 4 * 2 ** 20
/** Bytes of members that are read for each byte of their file on disk (archives stand in archives), and the rest that no file is too small for. */
const MOST_TIMES = 16
const MOST_FREE = 64 * 2 ** 20
/** Bytes of a file that is read once, not its head before: most are small, and each read costs as much as these. */
const MOST_AT_ONCE = 64 * 2 ** 10
/** Names per file that are searched; a file with more is found by its first ones. */
const MOST_TEXT = 65_536

class Cancelled extends Error {}

/** A file or member as it is found. */
interface Found {
  ref: string
  name: string
  folder: string
  size: number
  mtime: number
  /** of the file on disk that it is or stands in */
  changed: number
  position: number
}

/** Its row, once that is written; none for a member that is another file by its reference. */
interface Row {
  id: number | undefined
}

/** @throws FormatError `cancelled`, `not-found`; what is done until then stays and is not done again */
export function indexFolder(db: Db, store: FileStore, rootPath: string, options: IndexOptions = {}): ScanReport {
  const started = performance.now()
  const root = resolve(rootPath)
  try {
    breakSeal(db)
    const indexer = new Indexer(db, store, root, options)
    indexer.run()
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
  private readonly statements: Statements
  private readonly folders = new Map<string, number>()
  /** rows of files on disk that are still there */
  private readonly present = new Set<number>()
  /** what is to be written, in its order; how many rows that makes, and of how many bytes */
  private later: (() => void)[] = []
  private rows = 0
  private bytes = 0
  /** members so far of the file on disk that is being indexed */
  private members = 0
  /** bytes of those, and how many there may be: archives whose members lie over each other have no end of them */
  private memberBytes = 0
  private mostBytes = 0
  private changed = false
  private done = 0
  private total = 0
  private errors = 0

  constructor(db: Db, store: FileStore, root: string, options: IndexOptions) {
    this.db = db
    this.store = store
    this.root = root
    this.options = options
    this.statements = prepareRows(db)
  }

  run(): void {
    const { db } = this
    const folderErrors: FormatError[] = []
    const files = this.list(folderErrors)
    this.prepareRoot()
    try {
      for (const file of files) {
        this.check('index', file.path)
        this.file(file)
        this.done++
      }
    } catch (error) {
      // what was indexed until a stop is kept
      if (error instanceof Cancelled) this.write()
      throw error
    }
    this.write()
    this.removeMissing(folderErrors)
    for (const error of folderErrors) this.later.push(() => this.folderError(error))
    this.write()
    if (!this.changed && this.isBound()) return
    this.errors += bindModels(db, this.store, this.statements, (done, total, folder) => {
      this.done = done
      this.total = total
      this.check('bind', folder)
    })
  }

  private list(errors: FormatError[]): WalkedFile[] {
    const files: WalkedFile[] = []
    const onDamaged = (record: string): void => {
      const { file } = temporaryParts(baseName(record))!
      errors.push(new FormatError('unreadable', say('indexing.damagedUndo', { file }), { file: record }))
    }
    // whoever holds the library clears away what writes left that were killed
    for (const file of walk(
      this.root,
      (error) => errors.push(error),
      (folder) => sweepFolder(folder, onDamaged),
      this.options.touch,
      this.options.ignore,
    )) {
      files.push(file)
      if (files.length % 64 === 0) {
        this.total = files.length
        this.check('walk', file.path)
      }
    }
    this.total = files.length
    return files
  }

  private prepareRoot(): void {
    const codecs = this.store.registry.families
      .flatMap((family) => [...family.formats, ...family.archives].map((format) => format.id))
      .join(' ')
    const row = this.db.prepare('SELECT path, codecs FROM roots').get() as { path: string; codecs: string } | undefined
    const sameRoot = row?.path === this.root
    if (sameRoot && row.codecs === codecs && !this.options.full) return
    this.db.transaction(() => {
      // formats that were not known then, or a wish: each file is read again, and has its old row until then
      if (sameRoot) {
        this.db.exec("UPDATE files SET stamp = '' WHERE parent IS NULL")
        this.db.prepare('UPDATE roots SET codecs = ?, bound = 0').run(codecs)
        return
      }
      // of another folder nothing counts
      this.db.exec(`${NO_MODELS}; DELETE FROM files; DELETE FROM folders; DELETE FROM roots`)
      this.db.prepare('INSERT INTO roots (path, codecs) VALUES (?, ?)').run(this.root, codecs)
    })()
  }

  private isBound(): boolean {
    return this.db.prepare('SELECT bound FROM roots').pluck().get() === 1
  }

  private check(phase: ScanProgress['phase'], current: string): void {
    if (this.options.cancelled?.()) throw new Cancelled()
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
    }).immediate()
  }

  /** Counts a row; a transaction holds only so many. */
  private wrote(): void {
    if (++this.rows >= BATCH || this.bytes >= BATCH_BYTES) this.write()
  }

  private changes(): void {
    if (this.changed) return
    this.changed = true
    this.db.prepare('UPDATE roots SET bound = 0').run()
  }

  private file(file: WalkedFile): void {
    const stamp = `${file.size}:${file.mtimeMs}`
    const known = this.statements.known.get(file.path) as Known | undefined
    const same =
      known && sameFile(this.store, file, known, (companion) => `${stamp}${companion && `;${stampOf(companion, this.options.touch)}`}`)
    if (same) {
      this.present.add(known.id)
      if (same.changed !== known.changed) {
        this.later.push(() => this.statements.same.run(same.changed, known.id))
        this.wrote()
      }
      return
    }
    this.changes()
    this.members = 0
    this.memberBytes = 0
    this.mostBytes = 0
    if (known) {
      this.later.push(() => this.statements.remove.run(known.id))
      this.rows++
    }
    const { path, name, folder, size, mtimeMs } = file
    this.index({ ref: path, name, folder, size, mtime: mtimeMs, changed: settled(file), position: 0 }, stamp, null)
  }

  /** A row for a file or member, and what is in it: read now, written with its batch. */
  private index(file: Found, stamp: string, parent: Row | null): void {
    const row: Row = { id: undefined }
    const contents: Contents = { recognised: UNKNOWN, packed: NOTHING, failed: undefined, stamp, companion: '', crc: null }
    let begun = false
    try {
      const source = this.store.source(file.ref)
      const { registry } = this.store
      // a member that is cut has a head all the same
      const whole = parent === null && source.size <= MOST_AT_ONCE ? source.read(0, source.size) : undefined
      if (whole) contents.crc = crc32(whole)
      const found = registry.mayBeData(file.name)
        ? this.store.identify(file.ref)
        : registry.identify(whole?.subarray(0, HEAD_BYTES) ?? this.store.headOf(source), file.name, source.size)
      if (found?.format) {
        const { id, kind, family } = found.format
        contents.recognised = { format: id, kind, family }
        if (source.size > MAX_DOCUMENT)
          throw new FormatError('unsupported', say('files.tooLargeToDecode', { size: source.size, most: MAX_DOCUMENT }), { file: file.ref })
        this.bytes += source.size
        const bytes = whole ?? source.read(0, source.size)
        // of a member its file tells
        if (parent === null) contents.crc ??= crc32(bytes)
        const document = found.format.decode(bytes, file.ref)
        const summary = found.format.summarize(document)
        contents.packed = packed(summary, document.diagnostics)
        // a format may hold several kinds of files: what is in this one says more
        if (summary.kind) contents.recognised.kind = summary.kind
      } else if (found?.archive) {
        const { id, family } = found.archive
        contents.recognised = { format: id, kind: 'archive', family }
        const open = this.opened(found.archive, file.ref)
        contents.companion = companionsOf(open)
        contents.packed = ofArchive(open)
        // members are rows below that of their archive, which is not through before all of them are
        const so = { ...contents, stamp: '' }
        this.later.push(() => this.put(row, file, parent, so))
        begun = true
        this.membersOf(open, file, row)
        if (contents.companion) contents.stamp = `${stamp};${stampOf(contents.companion, this.options.touch)}`
      } else this.expectUnknown(file, contents)
    } catch (error) {
      if (error instanceof Cancelled || isSqlite(error)) throw error
      this.errors++
      contents.failed = toErrorData(error, file.ref)
    }
    if (begun) this.later.push(() => this.finish(row, file, contents))
    else
      this.later.push(() => {
        this.put(row, file, parent, contents)
        this.name(row, file, contents.packed)
      })
    this.wrote()
  }

  /** Writes a row of its own for a file. */
  private put(row: Row, file: Found, parent: Row | null, contents: Contents): void {
    if (parent && parent.id === undefined) return
    const { ref, name, size, mtime, changed, position } = file
    const { recognised, packed, failed, stamp, companion, crc } = contents
    const [error_code, error_message, error_offset] = failed ? errorColumns(failed) : [null, null, null]
    const insert = () =>
      this.statements.insert.run({
        ...{ ref, parent: parent?.id ?? null, folder: this.folderId(file.folder), position, name, name_key: name.toLowerCase() },
        ...{ stem: stemOf(name), size, mtime, stamp, changed, crc, companion, ...recognised, note: packed.note, ...packed.counts },
        ...{ error_code, error_message, error_offset },
      })
    try {
      let { changes, lastInsertRowid } = insert()
      if (changes === 0) {
        // `pack!x` may be a member of `pack` and a file of that name on disk: references mean the one on disk
        const other = this.statements.sameRef.get(ref) as { id: number; parent: number | null }
        if (other.parent === null) return
        this.statements.remove.run(other.id)
        ;({ changes, lastInsertRowid } = insert())
      }
      row.id = Number(lastInsertRowid)
      writeDetails(this.statements, row.id, packed)
    } catch (error) {
      // a summary that no row can hold
      if (!isConstraint(error) || packed === NOTHING) throw error
      if (row.id !== undefined) this.statements.remove.run(row.id)
      this.errors++
      this.put(row, file, parent, { ...contents, packed: NOTHING, failed: toErrorData(error, ref) })
      return
    }
    if (!parent) this.present.add(row.id)
  }

  private name({ id }: Row, file: Found, { names }: PackedFile): void {
    if (id === undefined) return
    const text = [file.name, file.folder.slice(this.root.length), ...names].join('\n')
    this.statements.names.run(id, searchText(text.slice(0, MOST_TEXT)))
  }

  /** An archive of which all members are through. */
  private finish(row: Row, file: Found, { packed, failed, stamp, companion }: Contents): void {
    if (row.id === undefined) return
    if (failed) this.statements.failed.run(...errorColumns(failed), row.id)
    this.name(row, file, packed)
    this.statements.finished.run(stamp, companion, row.id)
  }

  /** A file with the ending of a kind that is known, and nothing of it inside, is among the errors. @throws FormatError truncated, bad-magic */
  private expectUnknown({ ref, name, size }: Found, contents: Contents): void {
    const kind = this.store.registry.kindOfName(name)
    if (!kind) return
    contents.recognised = { format: '', kind: kind.kind, family: kind.family }
    if (size === 0) throw new FormatError('truncated', say('indexing.empty'), { file: ref, offset: 0 })
    throw new FormatError('bad-magic', say('indexing.notAsNamed', { ending: kind.ending }), { file: ref, offset: 0 })
  }

  private opened(format: ArchiveFormat, ref: string): OpenArchive {
    const open = this.store.openArchive(ref)
    if (!open) throw new FormatError('internal', say('indexing.notRecognisedAgain', { format: format.label }), { file: ref })
    return open
  }

  private membersOf(open: OpenArchive, { ref, mtime, changed }: Found, row: Row): void {
    // its files are those of another directory, and a model is there once
    if (open.leader) return
    this.mostBytes ||= MOST_TIMES * open.data.size + MOST_FREE
    for (const member of open.members) {
      this.check('index', member.ref)
      if (++this.members > MAX_MEMBERS)
        throw new FormatError('unsupported', say('files.tooManyMembers', { most: MAX_MEMBERS }), {
          file: ref,
        })
      this.memberBytes += member.size < open.data.size ? member.size : 0
      if (this.memberBytes > this.mostBytes) throw new FormatError('refused', say('indexing.overlap'), { file: ref })
      this.index(
        {
          ref: member.ref,
          name: member.name,
          folder: folderOfKey(ref, member.key),
          size: this.store.sourceOf(open, member).size,
          mtime,
          changed,
          position: member.index,
        },
        '',
        row,
      )
    }
  }

  /** Of files that are gone, or left out; below a folder that did not answer nothing else is known to be. */
  private removeMissing(errors: readonly FormatError[]): void {
    const silent = errors.filter(({ code }) => code === 'no-answer').map(({ file }) => file + sep)
    for (const { id, ref } of this.statements.onDisk.all() as { id: number; ref: string }[]) {
      if (this.present.has(id) || (silent.some((folder) => ref.startsWith(folder)) && !this.options.ignore?.(ref))) continue
      this.changes()
      this.later.push(() => this.statements.remove.run(id))
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
    this.errors++
    const name = error.file.slice(dirname(error.file).length + 1)
    const file = { ref: error.file, name, folder: dirname(error.file), size: 0, mtime: 0, changed: UNSETTLED, position: 0 }
    const row: Row = { id: undefined }
    this.put(row, file, null, { recognised: UNKNOWN, packed: NOTHING, failed: error.toData(), stamp: FOLDER, companion: '', crc: null })
    this.statements.names.run(row.id, searchText(name))
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

/** What an archive says of itself. */
function ofArchive({ leader, members, index }: OpenArchive): PackedFile {
  const note = leader ? say('indexing.membersElsewhere', { file: baseName(leader) }) : say('indexing.memberCount', { n: members.length })
  return packed({ note }, index.diagnostics)
}
