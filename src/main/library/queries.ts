/** Pages of models, files and errors for lists: search by any name, facets, sorting. */
import { sep } from 'node:path'
import { MEMBER_SEPARATOR } from '../../shared/ref.ts'
import { FolderTree } from './folder-tree.ts'
import { Hits, whyStatements, type WhyStatements } from './hits.ts'
import { FAILED, PARTS, SHOWN, values, where, type Condition } from './conditions.ts'
import { Names, RANKS, type Found } from './names.ts'
import { searchText } from './search-text.ts'
import { facetsOf, isListed, sortsIn, type SortCount, type SortTable } from './sorts.ts'
import type { ErrorCode } from '../../shared/api/errors.ts'
import type { LibraryFolder, LibraryPage, LibraryQuery, LibraryRow } from '../../shared/api/types/library.ts'
import type { Registry } from '../formats/registry.ts'
import type { Db } from './database.ts'
import { say } from '../../shared/texts/say.ts'

// tables by the names that the conditions have for them
// eslint-disable-next-line texts/in-catalogue -- SQL
const MODELS = 'models m'
// eslint-disable-next-line texts/in-catalogue -- SQL
const FILES = 'files f'
// the order of those that a query holds for alike
// eslint-disable-next-line texts/in-catalogue -- SQL
const MODELS_ALIKE = 'm.name_key, m.id'
// eslint-disable-next-line texts/in-catalogue -- SQL
const FILES_ALIKE = 'f.name_key, f.id'

/** What is listed, and in which order. */
type Selection = Omit<LibraryQuery, 'library' | 'offset' | 'limit'>

/** The rows of a query. */
interface Selected {
  /** words of the search, '' for none */
  text: string
  models: boolean
  /** the table by the name that conditions have for it, with what was looked for */
  table: string
  conditions: Condition[]
  /** after ORDER BY */
  order: string
}

/** Those of the index (schema.ts); none where nothing was ever scanned. */
interface Editions {
  files?: number
  models?: number
}

const MOST_WORDS = 16
/** Answers that are kept, and trees of folders of them. */
const MOST_PAGES = 16
const MOST_TREES = 4
/** Characters of a text that are looked for: SQLite has no answer to patterns of many thousands. */
const MOST_TEXT = 1000

const FILE_SORT: Record<LibraryQuery['sort'], string> = {
  name: 'f.name_key',
  kind: 'f.kind',
  size: 'f.size',
  bones: 'f.bones',
  clips: 'f.clips',
}
const MODEL_SORT: Record<LibraryQuery['sort'], string> = {
  name: 'm.name_key',
  kind: 'm.family',
  size: 'm.size',
  bones: 'm.bones',
  clips: 'm.clips',
}

/** Asks one index. What a text finds, and what is counted, is kept until the text or the index changes: paging asks for rows alone. */
export class Queries {
  private readonly db: Db
  private readonly root: string
  private readonly registry: Registry
  /** what searches look through, from the first one on or when there is time for it */
  private names: Names | undefined
  /** what was looked for last, what it found, and of which the rows stand in `temp.hits`: a list asks for files or models, and counts the others */
  private search: { text: string; found: Found; ranked: 'files' | 'models' | undefined } | undefined
  /** asked of every row of a search */
  private why: WhyStatements | undefined
  private version = -1
  private editions: Editions = {}
  /** of what is listed in a folder, and has what is looked for */
  private readonly sorts = new Map<string, SortCount[]>()
  /** of all there is */
  private all: LibraryPage['counts'] | undefined
  /** answers, those that were given last at the end: who searches takes letters back */
  private readonly pages = new Map<string, LibraryPage>()
  private readonly trees = new Map<LibraryQuery['show'], FolderTree>()
  /** of what a query leaves of them, the last ones at the end: a list asks for its folders one after the other, and who searches takes letters back */
  private readonly narrowed = new Map<string, FolderTree>()

  constructor(db: Db, root: string, registry: Registry) {
    this.db = db
    this.root = root
    this.registry = registry
    db.exec('CREATE TEMP TABLE IF NOT EXISTS hits (id INTEGER PRIMARY KEY, rank INTEGER)')
  }

  page(query: Omit<LibraryQuery, 'library'>): LibraryPage {
    // one view of the index for all parts of the answer, also while a scan writes
    return this.ask(() => {
      this.forgetOld()
      const key = JSON.stringify(Object.entries(query).sort())
      const page = this.pages.get(key) ?? this.answer(query)
      keepLast(this.pages, key, page, MOST_PAGES)
      return page
    })
  }

  /**
   * Number of the row, in the order of the query, whose name begins with a text: the first one from `from` on, else the first of all; -1 for none.
   * @param from a row's number
   */
  seek(query: Selection, begin: string, from: number): number {
    return this.ask(() => {
      const { table, conditions, order, models } = this.selected(query)
      const start = searchText(begin.slice(0, MOST_TEXT))
      const key = models ? 'm.name_key' : 'f.name_key'
      const row = this.db
        .prepare(
          `SELECT place FROM (SELECT row_number() OVER (ORDER BY ${order}) - 1 AS place, ${key} AS name FROM ${table} ${where(conditions)})
             WHERE substr(name, 1, ?) = ? ORDER BY place < ?, place LIMIT 1`,
        )
        .pluck()
        .get(...values(conditions), [...start].length, start, from) as number | undefined
      return row ?? -1
    })
  }

  /** Number of the row of a file, or of the model that it is the primary one of, in a query; -1 where it is not listed. */
  place(query: Selection, ref: string): number {
    return this.ask(() => {
      const { table, conditions, order, models } = this.selected(query)
      const key = models ? 'm."primary"' : 'f.ref'
      const row = this.db
        .prepare(
          `SELECT place FROM (SELECT row_number() OVER (ORDER BY ${order}) - 1 AS place, ${key} AS ref FROM ${table} ${where(conditions)})
             WHERE ref = ? ORDER BY place LIMIT 1`,
        )
        .pluck()
        .get(...values(conditions), ref) as number | undefined
      return row ?? -1
    })
  }

  /**
   * Reads a part of what the next search looks through, some milliseconds.
   * @param models what there is of models, too
   * @returns whether there is more
   */
  ready(models: boolean): boolean {
    return this.ask(() => {
      this.forgetOld()
      return (this.names ??= new Names(this.db)).ready(models)
    })
  }

  /** What is put into the table for a search is taken out again where the answer fails, and counts for nothing then. */
  private ask<T>(body: () => T): T {
    try {
      return this.db.transaction(body).deferred()
    } catch (error) {
      this.search = undefined
      this.names = undefined
      throw error
    }
  }

  /** Models by their primary files, in the order of these; without those that are not in the index any more. */
  modelRows(refs: readonly string[]): { ref: string; name: string; where: string }[] {
    const model = this.db.prepare(
      `SELECT m."primary" AS ref, m.name, d.path AS folder FROM models m LEFT JOIN folders d ON d.id = m.folder WHERE m."primary" = ? ORDER BY m.name_key, m.id LIMIT 1`,
    )
    return refs.flatMap((ref) => {
      const row = model.get(ref) as { ref: string; name: string; folder: string | null } | undefined
      return row ? [{ ref, name: row.name, where: relativeTo(this.root, row.folder ?? '') }] : []
    })
  }

  /** The folders in a folder of the library, '' for its root, with how much of what is listed stands below each; the one that it is narrowed to in any case. */
  folders(query: Selection, place: string): LibraryFolder[] {
    return this.ask(() => this.treeOf(query).children(place))
  }

  /** Of all that can be shown so. */
  private tree(show: LibraryQuery['show']): FolderTree {
    this.forgetOld()
    let tree = this.trees.get(show)
    if (!tree) this.trees.set(show, (tree = this.grown(show)))
    return tree
  }

  /** Of what is listed in all folders. */
  private treeOf(query: Selection): FolderTree {
    const { show, folder } = query
    const all = this.tree(show)
    const key = `${show}\0${folder ?? ''}\0${filterKey(query)}\0${query.text ?? ''}`
    let tree = this.narrowed.get(key)
    if (!tree) {
      const text = textOf(query)
      if (!text && filterKey(query) === filterKey({})) return all
      this.find(text)
      tree = all.narrowed(this.perFolder(query))
      if (folder) all.lend(folder, tree)
    }
    keepLast(this.narrowed, key, tree, MOST_TREES)
    return tree
  }

  private grown(show: LibraryQuery['show']): FolderTree {
    const condition = show === 'models' ? [] : [show === 'errors' ? FAILED : SHOWN]
    const rows = this.db
      .prepare(
        `SELECT d.id, d.path, count(*) AS count, EXISTS (SELECT 1 FROM files WHERE ref = d.path) AS archive
         FROM (SELECT folder FROM ${show === 'models' ? MODELS : FILES} ${where(condition)}) c JOIN folders d ON d.id = c.folder GROUP BY d.id`,
      )
      .all() as { id: number; path: string; count: number; archive: number }[]
    return new FolderTree(rows.map(({ path, archive, ...row }) => ({ ...row, place: relativeTo(this.root, path), archive: archive === 1 })))
  }

  /** What is listed in each folder by itself, by its number. All of it is in memory where there is a search. */
  private perFolder(query: Selection): Map<number, number> {
    const of = tableOf(query.show)
    const sorts = this.names?.sortsOf(of)
    if (sorts) return sorts.perFolder((sort) => isListed(sort, query), this.search?.found[of])
    const { table, conditions } = this.selected({ ...query, folder: undefined })
    const counts = this.db.prepare(`SELECT folder, count(*) FROM ${table} ${where(conditions)} GROUP BY 1`)
    return new Map(counts.raw().all(...values(conditions)) as [number, number][])
  }

  /** Which rows a query means, and in which order. */
  private selected(query: Selection): Selected {
    const text = textOf(query)
    const base = query.show === 'errors' ? FAILED : SHOWN
    const models = query.show === 'models'
    const of = models ? 'm' : 'f'
    const inFolder = query.folder ? [inFolders(of, this.tree(query.show).below(query.folder))] : []
    this.find(text)
    if (text) this.rank(models ? 'models' : 'files')
    const all = models ? MODELS : FILES
    // what was found comes first: as a list that each row is looked for in it takes twice as long
    // eslint-disable-next-line texts/in-catalogue -- SQL
    const table = text ? `temp.hits h CROSS JOIN ${all} ON ${of}.id = h.id` : all
    const direction = query.descending ? 'DESC' : 'ASC'
    // what is called so comes before what has it in it, whatever the order
    const rank = text ? 'h.rank, ' : ''
    const [sort, same] = models ? [MODEL_SORT, MODELS_ALIKE] : [FILE_SORT, FILES_ALIKE]
    const order = `${rank}${sort[query.sort]} ${direction}, ${same}`
    const by = (column: string, value: string | undefined): Condition[] =>
      value === undefined ? [] : [{ sql: `${column} = ?`, values: [value] }]
    const byFamily = by(`${of}.family`, query.family)
    // every row of models has the kind `model`: asking for another kind finds none
    const byKind = !models ? by('f.kind', query.kind) : query.kind && query.kind !== 'model' ? [{ sql: '0', values: [] }] : []
    const byParts = PARTS.filter((part) => query.has?.includes(part)).map((part): Condition => ({
      sql: `${of}.${part} > 0`,
      values: [],
    }))
    const conditions = models ? [...inFolder, ...byFamily, ...byKind, ...byParts] : [base, ...inFolder, ...byFamily, ...byKind, ...byParts]
    return { text, models, table, conditions, order }
  }

  private answer(query: Omit<LibraryQuery, 'library'>): LibraryPage {
    const { text, models, table, conditions, order } = this.selected(query)
    const { db, root } = this
    const limit = Math.max(0, Math.min(500, query.limit))
    const offset = Math.max(0, query.offset)
    const hits = text ? new Hits((this.why ??= whyStatements(db)), text.split(' '), (folder) => relativeTo(root, folder)) : undefined

    const numbers = { ...facetsOf(this.sortsOf(query.show, query.folder), query), counts: this.counts() }
    if (models) {
      const rows = db
        .prepare(
          `SELECT m.id, m."primary" AS ref, m.name, m.family, m.size, m.bones, m.meshes, m.clips, m.slices, m.textures, f.format, f.note, d.path AS folder,
             a.ref AS archive
           FROM (SELECT m.id AS page_id, row_number() OVER () AS page_order
             FROM (SELECT m.id FROM ${table} ${where(conditions)} ORDER BY ${order} LIMIT ? OFFSET ?) m) p
           JOIN models m ON m.id = p.page_id
           LEFT JOIN files f ON f.ref = m."primary" LEFT JOIN folders d ON d.id = m.folder LEFT JOIN files a ON a.id = f.parent ORDER BY p.page_order`,
        )
        .all(...values(conditions), limit, offset) as ({
        id: number
        folder: string | null
        archive: string | null
        format: string | null
        note: string | null
      } & Omit<LibraryRow, 'where' | 'archive' | 'type' | 'kind'>)[]
      return {
        ...numbers,
        rows: rows.map(({ id, folder, archive, ...row }) => ({
          ...row,
          ...(archive !== null && { archive }),
          ...hits?.ofModel(id, row.name),
          type: 'model',
          kind: 'model',
          format: row.format ?? '',
          note: row.note ?? '',
          where: relativeTo(root, folder ?? ''),
        })),
      }
    }
    // the page is chosen by what is in the index of names; only its rows are then read whole
    const rows = db
      .prepare(
        `SELECT f.id, f.ref, f.name, f.family, f.kind, f.format, f.size, f.bones, f.meshes, f.clips, f.slices, f.textures, f.note,
           f.error_code, f.error_message, f.error_offset, d.path AS folder, a.ref AS archive
         FROM (SELECT f.id AS page_id, row_number() OVER () AS page_order
           FROM (SELECT f.id FROM ${table} ${where(conditions)}
             ORDER BY ${order} LIMIT ? OFFSET ?) f) p
         JOIN files f ON f.id = p.page_id JOIN folders d ON d.id = f.folder LEFT JOIN files a ON a.id = f.parent ORDER BY p.page_order`,
      )
      .all(...values(conditions), limit, offset) as ({
      id: number
      folder: string
      archive: string | null
      error_code: ErrorCode | null
      error_message: string
      error_offset: number
    } & Omit<LibraryRow, 'where' | 'archive' | 'type' | 'error'>)[]
    return {
      ...numbers,
      rows: rows.map(({ id, folder, archive, error_code: code, error_message: message, error_offset, ...row }) => ({
        ...row,
        ...(archive !== null && { archive }),
        ...hits?.ofFile(id, row.name, folder),
        type: query.show === 'errors' ? 'error' : 'file',
        note: row.kind === 'archive' && code === null ? this.withLoadOrder(row) : row.note,
        where: relativeTo(root, folder),
        ...(code === null ? {} : { error: { code, message, offset: error_offset } }),
      })),
    }
  }

  /** How many rows of each sort the search found, all where there is none. @param folder in it and below */
  private sortsOf(show: LibraryQuery['show'], folder?: string): SortCount[] {
    const table = tableOf(show)
    const key = folder ? `${show}\0${folder}` : table
    let counts = this.sorts.get(key)
    if (!counts) {
      const below = folder ? this.tree(show).below(folder) : undefined
      const sorts = this.names?.sortsOf(table)
      counts = sorts
        ? sorts.counted(this.search?.found[table], below && new Set(below))
        : sortsIn(this.db, table, below ? [inFolders(table === 'models' ? 'm' : 'f', below)] : [])
      this.sorts.set(key, counts)
    }
    return counts
  }

  private counts(): LibraryPage['counts'] {
    if (this.search) return this.search.found.counts
    const count = (from: string, list: Condition[]): number =>
      this.db
        .prepare(`SELECT count(*) FROM ${from} ${where(list)}`)
        .pluck()
        .get() as number
    return (this.all ??= { models: count(MODELS, []), files: count(FILES, [SHOWN]), errors: count(FILES, [FAILED]) })
  }

  /** An archive's note with its turn among those of its folder: where several have a file, the first counts. */
  private withLoadOrder({ ref, name, format, note }: Pick<LibraryRow, 'ref' | 'name' | 'format' | 'note'>): string {
    const order = this.registry.archiveById(format)?.loadOrder
    if (!order) return note
    const names = this.db
      .prepare('SELECT name FROM files WHERE format = ? AND folder = (SELECT folder FROM files WHERE ref = ?)')
      .pluck()
      .all(format, ref) as string[]
    return names.length > 1 ? say('indexing.searched', { note, place: order(names).indexOf(name) + 1, count: names.length }) : note
  }

  /** Lets go of what was counted and found in the index as it was before its last change. */
  private forgetOld(): void {
    // counts commits of other connections: the index is written by the worker's
    const version = this.db.pragma('data_version', { simple: true }) as number
    if (version === this.version) return
    this.version = version
    const now = (this.db.prepare('SELECT files_edition AS files, models_edition AS models FROM roots').get() ?? {}) as Editions
    const { files, models } = this.editions
    if (now.files === files && now.models === models) return
    this.editions = now
    if (now.files !== files) this.names?.forgetFiles()
    if (now.models !== models) this.names?.forgetModels()
    this.sorts.clear()
    this.trees.clear()
    this.narrowed.clear()
    this.pages.clear()
    this.all = undefined
    this.search = undefined
  }

  /** Looks for a text, unless that was the last one. */
  private find(text: string): void {
    this.forgetOld()
    if (text === (this.search?.text ?? '')) return
    this.sorts.clear()
    this.search = text ? { text, found: (this.names ??= new Names(this.db)).find(text.split(' ')), ranked: undefined } : undefined
  }

  /** Puts files or models that were found into the table of them, unless they are there. */
  private rank(of: 'files' | 'models'): void {
    const search = this.search!
    if (search.ranked === of) return
    const ranks = search.found[of]
    const rows: number[] = []
    for (let id = 0; id < ranks.length; id++) if (ranks[id] > 0) rows.push(id * RANKS + ranks[id])
    this.db.exec('DELETE FROM temp.hits')
    this.db.prepare(`INSERT INTO temp.hits SELECT value / ${RANKS}, value % ${RANKS} FROM json_each(?)`).run(JSON.stringify(rows))
    search.ranked = of
  }
}

/** Puts something at the end, and lets go of what was there first where it is one too many. */
function keepLast<T>(kept: Map<string, T>, key: string, value: T, most: number): void {
  kept.delete(key)
  kept.set(key, value)
  if (kept.size > most) kept.delete(kept.keys().next().value!)
}

const tableOf = (show: LibraryQuery['show']): SortTable => (show === 'models' ? 'models' : 'files')

/** Words that are looked for, '' for none. */
function textOf({ text = '' }: Pick<LibraryQuery, 'text'>): string {
  return searchText(text.slice(0, MOST_TEXT)).split(/\s+/u).filter(Boolean).slice(0, MOST_WORDS).join(' ')
}

function inFolders(of: 'm' | 'f', folders: readonly number[]): Condition {
  return { sql: `${of}.folder IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(folders)] }
}

/** What of a text's finds is kept apart. */
function filterKey({ family, kind, has }: Pick<LibraryQuery, 'family' | 'kind' | 'has'>): string {
  return `${family ?? ''}\0${kind ?? ''}\0${PARTS.filter((part) => has?.includes(part)).join()}`
}

function relativeTo(root: string, folder: string): string {
  if (!folder.startsWith(root)) return folder
  const rest = folder.slice(root.length)
  return rest.startsWith(sep) || rest.startsWith(MEMBER_SEPARATOR) ? rest.slice(1) : rest
}
