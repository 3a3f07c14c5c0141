/**
 * What a search looks through, in memory: texts of files (names.text in schema.ts) and names of models in long strings, and which files a model has. A word is
 * looked for in some milliseconds so, where questions to SQLite take tens of them, and models of many files took as long again.
 */
import { atOnce, type Stepwise } from '../../shared/stepwise.ts'
import { isCalled } from './search-text.ts'
import { allOf, isListed, Sorts, type SortTable } from './sorts.ts'
import type { Db } from './database.ts'

/** Texts that are read in one go, some milliseconds. */
const PART = 2048
/** Rows of members that are read in one go. */
const PART_OF_PAIRS = 16_384
/** Characters that are held at most: files of many thousand names may have a hundred times the text of others, and are then read again for each search. */
const MOST_HELD = 64 * 2 ** 20
/** Stands between texts. No word has white space in it; a text that has this has a blank in its place. */
const BETWEEN = '\f'

/** How well something is what was looked for, the nearest first; 0 for what is not found. */
const FIT = { is: 1, begins: 2, named: 3, inside: 4 } as const
/** More than any of them. */
export const RANKS = 8

/** Texts of rows, one behind the other. */
interface Texts {
  /** numbers of the rows */
  ids: readonly number[]
  text: string
  /** where each begins; behind the last the end of all */
  starts: Uint32Array
  /** the highest number; the next part begins behind it */
  last: number
}

/** Which row belongs to which, of two tables. */
interface Pairs {
  of: Int32Array
  to: Int32Array
}

/** What a search found, each by the number of its row: 0 for nothing, else how well it fits. */
export interface Found {
  files: Uint8Array
  models: Uint8Array
  /** of all that was found; only files that lists show are counted among files */
  counts: { models: number; files: number; errors: number }
}

/** What files are called, as it is in the index at one moment: all of it once it is loaded. */
class FileNames {
  readonly texts: Texts[] = []
  /** once they are read */
  sorts: Sorts | undefined
  last = 0
  readonly loading: Stepwise<void>
  private readonly db: Db

  constructor(db: Db, most: number) {
    this.db = db
    this.loading = this.load(most)
  }

  /** Those behind the last one whose text is held are read now. */
  *all(): Generator<Texts> {
    yield* this.texts
    yield* this.from(this.texts.at(-1)?.last ?? 0)
  }

  private *load(most: number): Stepwise<void> {
    this.last = highest(this.db, 'files')
    this.sorts = yield* Sorts.reading(this.db, 'files', this.last)
    yield 0
    let characters = 0
    for (const part of this.from(0)) {
      this.texts.push(part)
      characters += part.text.length
      if (characters > most) break
      yield 0
    }
  }

  private from(after: number): Generator<Texts> {
    return textsFrom(this.db, 'names', 'file', 'text', after)
  }
}

/** What models are called, and which files they have. */
class ModelNames {
  readonly texts: Texts[] = []
  readonly members: Pairs[] = []
  readonly listed: Pairs[] = []
  readonly lists: Pairs[] = []
  /** once they are read */
  sorts: Sorts | undefined
  last = 0
  lastList = 0
  readonly loading: Stepwise<void>

  constructor(db: Db) {
    this.loading = this.load(db)
  }

  private *load(db: Db): Stepwise<void> {
    this.last = highest(db, 'models')
    this.lastList = highest(db, 'lists')
    this.sorts = yield* Sorts.reading(db, 'models', this.last)
    for (const part of textsFrom(db, 'models', 'id', 'name_key', 0)) {
      this.texts.push(part)
      yield 0
    }
    yield* pairs(db, this.members, 'members', 'model', 'file')
    yield* pairs(db, this.listed, 'listed', 'list', 'file')
    yield* pairs(db, this.lists, 'model_lists', 'model', 'list')
  }
}

/** Names of files and of models, each read by itself: what a scan changes last are models. */
export class Names {
  private readonly db: Db
  private readonly most: number
  private files: FileNames
  private models: ModelNames
  private warm = false

  constructor(db: Db, most = MOST_HELD) {
    this.db = db
    this.most = most
    this.files = new FileNames(db, most)
    this.models = new ModelNames(db)
  }

  /** They are others in the index by now. */
  forgetFiles(): void {
    this.files = new FileNames(this.db, this.most)
  }

  forgetModels(): void {
    this.models = new ModelNames(this.db)
  }

  /**
   * Reads a part of what a search needs, some milliseconds.
   * @param models those of models, too
   * @returns whether there is more
   */
  ready(models = true): boolean {
    if (!this.files.loading.next().done) return true
    if (!this.warm) {
      // the first search of a start takes some times as long as those behind it
      this.warm = true
      this.look(['e'])
      return models
    }
    return models && !this.models.loading.next().done
  }

  /**
   * Files that have all words in their own name, their folder's, or names in them; models that have them in their name or in one of their files.
   * @param words 16 at most, as searchText writes them
   */
  find(words: readonly string[]): Found {
    atOnce(this.files.loading)
    atOnce(this.models.loading)
    this.warm = true
    return this.look(words)
  }

  private look(words: readonly string[]): Found {
    const all = (1 << words.length) - 1
    const files = new Uint16Array(this.files.last + 1)
    const models = new Uint16Array(this.models.last + 1)
    const found = { files: new Uint8Array(files.length), models: new Uint8Array(models.length) }
    for (const part of this.files.all()) {
      mark(part, words, files)
      rank(part, words, files, all, found.files)
    }
    const { texts, members, listed, lists, lastList } = this.models
    for (const part of texts) mark(part, words, models)
    const inLists = new Uint16Array(lastList + 1)
    for (const part of members) pass(part, files, models)
    for (const part of listed) pass(part, files, inLists)
    for (const part of lists) pass(part, inLists, models)
    for (const part of texts) rank(part, words, models, all, found.models)
    const sorts = this.files.sorts!.counted(found.files)
    const among = (show: 'files' | 'errors'): number => allOf(sorts.filter(({ sort }) => isListed(sort, { show })))
    return { ...found, counts: { models: count(found.models), files: among('files'), errors: among('errors') } }
  }

  /** The sorts of all files or models, where they are read already. */
  sortsOf(table: SortTable): Sorts | undefined {
    return this[table].sorts
  }
}

function highest(db: Db, table: string): number {
  return (db.prepare(`SELECT max(id) FROM ${table}`).pluck().get() as number | null) ?? 0
}

function* textsFrom(db: Db, table: string, id: string, text: string, after: number): Generator<Texts> {
  // both go through the rows in one order, whichever that is
  const statement = db.prepare(
    `SELECT json_group_array(id) AS ids, group_concat(replace(text, char(12), ' '), char(12)) AS text, max(id) AS last
     FROM (SELECT ${id} AS id, ${text} AS text FROM ${table} WHERE ${id} > ? ORDER BY ${id} LIMIT ?)`,
  )
  for (let last = after; ;) {
    const row = statement.get(last, PART) as { ids: string; text: string; last: number | null }
    if (row.last === null) return
    const ids = JSON.parse(row.ids) as number[]
    yield { ids, text: row.text, starts: startsIn(row.text, ids.length), last: row.last }
    last = row.last
  }
}

/** Of a table whose key is the first column and a number behind it. */
function* pairs(db: Db, into: Pairs[], table: string, of: string, to: string): Stepwise<void> {
  // a member that is in no index is file 0, which nothing finds
  const statement = db.prepare(
    `SELECT json_group_array("of") AS "of", json_group_array(coalesce("to", 0)) AS "to", json_group_array(number) AS numbers
     FROM (SELECT ${of} AS "of", ${to} AS "to", number FROM ${table} WHERE (${of}, number) > (?, ?) ORDER BY ${of}, number LIMIT ?)`,
  )
  for (let last = [0, 0]; ;) {
    const row = statement.get(...last, PART_OF_PAIRS) as Record<'of' | 'to' | 'numbers', string>
    const numbers = JSON.parse(row.numbers) as number[]
    if (numbers.length === 0) return
    const part = { of: Int32Array.from(JSON.parse(row.of) as number[]), to: Int32Array.from(JSON.parse(row.to) as number[]) }
    into.push(part)
    last = [part.of.at(-1)!, numbers.at(-1)!]
    yield 0
  }
}

function count(ranks: Uint8Array): number {
  return ranks.reduce((found, rank) => found + (rank > 0 ? 1 : 0), 0)
}

function startsIn(text: string, count: number): Uint32Array {
  const starts = new Uint32Array(count + 1)
  for (let i = 1; i < count; i++) starts[i] = text.indexOf(BETWEEN, starts[i - 1]) + 1
  starts[count] = text.length + 1
  return starts
}

/** Notes of each text which words it has, a bit each. */
function mark({ ids, text, starts }: Texts, words: readonly string[], has: Uint16Array): void {
  words.forEach((word, bit) => {
    for (let at = text.indexOf(word), i = 0; at >= 0; at = text.indexOf(word, starts[i])) {
      while (starts[i + 1] <= at) i++
      has[ids[i++]] |= 1 << bit
      if (i === ids.length) return
    }
  })
}

/** What has a word passes it on to whatever it belongs to. */
function pass({ of, to }: Pairs, from: Uint16Array, into: Uint16Array): void {
  for (let i = 0; i < of.length; i++) into[of[i]] |= from[to[i]]
}

/** How well the name, the first line of its text, is what was looked for. */
function rank({ ids, text, starts }: Texts, words: readonly string[], has: Uint16Array, all: number, ranks: Uint8Array): void {
  const sought = words.join(' ')
  for (let i = 0; i < ids.length; i++) {
    if (has[ids[i]] !== all) continue
    const whole = text.slice(starts[i], starts[i + 1] - 1)
    const line = whole.indexOf('\n')
    const name = line < 0 ? whole : whole.slice(0, line)
    ranks[ids[i]] = isCalled(name, sought)
      ? FIT.is
      : name.startsWith(sought)
        ? FIT.begins
        : words.every((word) => name.includes(word))
          ? FIT.named
          : FIT.inside
  }
}
