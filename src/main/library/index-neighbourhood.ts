/** Where binders look, over the index: the same answers as MemoryNeighbourhood, without a file being opened. */
import { compareNames } from '../files/store.ts'
import { DocumentCache, folderKey, nearestFirst } from '../files/memory-neighbourhood.ts'
import { IndexFiles, type CountedFile, type Direction } from './index-files.ts'
import { Chains, Nearby } from './nearby.ts'
import type { BindFile, Neighbourhood } from '../formats/binding.ts'
import type { Document, FileSummary } from '../formats/format.ts'
import type { Details, StoredSummary } from './index-rows.ts'
import type { KeptSummaries } from './kept-summaries.ts'
import type { FileStore } from '../files/store.ts'
import type { Db } from './database.ts'

interface Row extends BindFile {
  id: number
  position: number
}

/** References in kept answers, all together: to questions, and to questions from one place. */
const MOST_KEPT = 2_000_000
const MOST_KEPT_NEAR = 500_000
/** Files and summaries that answers are made of. */
const MOST_FILES = 300_000
const MOST_SUMMARIES = 5_000

const COLUMNS = 'f.id, f.ref, f.name, d.path AS folder, f.format, f.kind, f.position FROM files f JOIN folders d ON d.id = f.folder'

type StoredRow = [StoredSummary['kind'], StoredSummary['note'], StoredSummary['error_code'], StoredSummary['data']]

/** Gives the index as it is now: another connection once the file had to be made anew. */
export type ReadIndex = <T>(body: (db: Db) => T) => T

interface NeighbourhoodOptions {
  cacheBytes?: number
  unchanging?: boolean
  recent?: KeptSummaries
  mostHeld?: number
}

export class IndexNeighbourhood implements Neighbourhood {
  private readonly documents: DocumentCache
  private readonly read: ReadIndex
  private readonly statements = new WeakMap<Db, Statements>()
  private readonly unchanging: boolean
  private readonly recent: KeptSummaries | undefined
  /** only while nothing changes, and where they are not too many */
  private readonly held: IndexFiles | undefined
  /** only while nothing changes: answers by question, and by question and place */
  private readonly answers = new Map<string, Nearby>()
  private readonly nearAnswers = new Map<string, readonly BindFile[]>()
  private readonly chains = new Chains()
  private answered = 0
  private nearAnswered = 0
  /** each file once, however many answers it is in */
  private readonly files = new Map<number, BindFile>()
  private readonly summaries = new Map<string, FileSummary | undefined>()
  /** lower-case names of files that are so many that only the nearest are given -> how many there are */
  readonly crowded = new Map<string, number>()
  /** only while nothing changes: files that somebody asked for the contents of */
  readonly opened = new Set<string>()

  /**
   * @param options.unchanging the index does not change while this is in use: answers are kept, and of files with one name only the nearest are given
   * @param options.recent summaries that the index has, and scripts, at hand
   * @param options.mostHeld while nothing changes: files up to which all are held in memory
   */
  constructor(read: ReadIndex, store: FileStore, options: NeighbourhoodOptions = {}) {
    this.documents = new DocumentCache(store, options.cacheBytes, (ref) => options.recent?.script(ref))
    this.read = read
    this.unchanging = options.unchanging === true
    this.recent = options.recent
    if (this.unchanging) this.held = read((db) => IndexFiles.of(db, options.mostHeld))
  }

  inFolder(folder: string): readonly BindFile[] {
    const key = folderKey(folder)
    if (this.held) return this.held.inFolder(key)
    const ask = (): BindFile[] => plain(this.ask((s) => s.inFolder.all(key) as Row[]))
    return this.unchanging ? this.keptNear(`folder ${key}`, ask) : ask()
  }

  byStem(stem: string, near: string): readonly BindFile[] {
    const key = stem.toLowerCase()
    return this.nearest(`stem ${key}`, near, () => this.held?.byStem(key) ?? this.plain((s) => s.byStem.all(key)))
  }

  providing(key: string, near: string): readonly BindFile[] {
    return this.byKey('provides', key.toLowerCase(), near)
  }

  needing(key: string, near: string): readonly BindFile[] {
    return this.byKey('needs', key.toLowerCase(), near)
  }

  private byKey(direction: Direction, key: string, near: string): readonly BindFile[] {
    return this.nearest(
      `${direction} ${key}`,
      near,
      () => this.held?.byKey(direction, key) ?? this.plain((s) => s.byKey.all(direction, key)),
    )
  }

  private plain(rows: (statements: Statements) => unknown): BindFile[] {
    return plain(this.ask(rows) as Row[], (row) => (this.unchanging ? this.shared(row) : bindFile(row)))
  }

  /** @param ask gives them in the order of `plain` */
  private nearest(question: string, near: string, ask: () => readonly BindFile[]): readonly BindFile[] {
    if (!this.unchanging) return nearestFirst(ask(), near)
    // binders go folder by folder: many models ask the same from the same place
    return this.keptNear(`${question}\0${near}`, () => this.asked(question, ask).from(near))
  }

  private asked(question: string, ask: () => readonly BindFile[]): Nearby {
    const known = this.answers.get(question)
    if (known) return known
    const nearby = new Nearby(ask(), this.chains)
    for (const [name, total] of nearby.crowded()) this.crowded.set(name, Math.max(total, this.crowded.get(name) ?? 0))
    this.answered += nearby.weight + 1
    if (this.answered > MOST_KEPT) {
      this.answers.clear()
      this.files.clear()
      this.answered = nearby.weight + 1
    }
    this.answers.set(question, nearby)
    return nearby
  }

  private keptNear(question: string, ask: () => readonly BindFile[]): readonly BindFile[] {
    const known = this.nearAnswers.get(question)
    if (known) return known
    const files = ask()
    this.nearAnswered += files.length + 1
    if (this.nearAnswered > MOST_KEPT_NEAR) {
      this.nearAnswers.clear()
      this.nearAnswered = files.length + 1
    }
    this.nearAnswers.set(question, files)
    return files
  }

  private shared(row: Row): BindFile {
    let file = this.files.get(row.id)
    if (!file) {
      if (this.files.size >= MOST_FILES) this.files.clear()
      this.files.set(row.id, (file = bindFile(row)))
    }
    return file
  }

  /** Of a file that is held. */
  numbersOf(ref: string): CountedFile | undefined {
    return this.held?.numbersOf(ref)
  }

  summary(ref: string): FileSummary | undefined {
    if (!this.unchanging) return summaryOf(this.ask((s) => stored(s, ref)))
    if (!this.summaries.has(ref)) {
      if (this.summaries.size >= MOST_SUMMARIES) this.summaries.clear()
      this.summaries.set(ref, summaryOf(this.recent?.of(ref) ?? this.ask((s) => stored(s, ref))))
    }
    return this.summaries.get(ref)
  }

  document(ref: string): Document | undefined {
    if (this.unchanging) this.opened.add(ref)
    return this.documents.get(ref)
  }

  private ask<T>(body: (statements: Statements) => T): T {
    return this.read((db) => {
      let statements = this.statements.get(db)
      if (!statements) this.statements.set(db, (statements = prepare(db)))
      return body(statements)
    })
  }
}

/** @throws Error that counts as damage of the index */
function read(data: string): Details {
  try {
    return JSON.parse(data) as Details
  } catch (error) {
    throw Object.assign(error as Error, { code: 'SQLITE_CORRUPT' })
  }
}

function stored(s: Statements, ref: string): StoredSummary | undefined {
  const row = s.summary.get(ref) as StoredRow | undefined
  if (!row) return undefined
  const [kind, note, error_code, data] = row
  return { kind, note, error_code, data }
}

/** Empty lists are left out, the kind is there also where it is the format's. */
function summaryOf(row: StoredSummary | undefined): FileSummary | undefined {
  if (!row || row.error_code !== null) return undefined
  const { kind, note, data } = row
  const summary: FileSummary = { kind, ...(data === null ? {} : read(data)) }
  if (note) summary.note = note
  return summary
}

type Statements = ReturnType<typeof prepare>

function prepare(db: Db) {
  return {
    inFolder: db.prepare(`SELECT ${COLUMNS} WHERE d.key = ? AND f.format <> '' AND f.kind <> 'archive'`),
    byStem: db.prepare(`SELECT ${COLUMNS} WHERE f.stem = ? AND f.format <> '' AND f.kind <> 'archive'`),
    byKey: db.prepare(`SELECT ${COLUMNS} WHERE f.id IN (SELECT file FROM keys WHERE direction = ? AND key = ?)`),
    // a LEFT JOIN takes four times as long as this
    summary: db.prepare('SELECT kind, note, error_code, (SELECT data FROM details WHERE file = files.id) FROM files WHERE ref = ?').raw(),
  }
}

/** In the order of MemoryNeighbourhood: members as in their archive, files by name. */
function plain(rows: Row[], make: (row: Row) => BindFile = bindFile): BindFile[] {
  return rows.sort((a, b) => a.position - b.position || compareNames(a.ref, b.ref)).map(make)
}

function bindFile({ ref, name, folder, format, kind }: Row): BindFile {
  return { ref, name, folder, format, kind }
}
