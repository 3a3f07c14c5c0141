/** Pages of models, files and errors for lists: search by any name, facets, sorting. */
import { sep } from 'node:path'
import { MEMBER_SEPARATOR } from '../../shared/ref.ts'
import { FolderTree } from './folder-tree.ts'
import { Hits, whyStatements, type WhyStatements } from './hits.ts'
import { facet, fileWord, modelWord, parts, PARTS, rankOf, values, where, WITH_WORD, wordMatch, type Condition } from './conditions.ts'
import { searchText } from './search-text.ts'
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

/** The rows of a query as conditions, apart and together. */
interface Selected {
  /** words of the search, '' for none */
  text: string
  models: boolean
  base: Condition
  inFolder: Condition[]
  fileMatch: Condition[]
  modelMatch: Condition[]
  byFamily: Condition[]
  byKind: Condition[]
  byParts: Condition[]
  conditions: Condition[]
  /** after ORDER BY */
  order: string
}

const SHOWN: Condition = { sql: "f.format <> ''", values: [] }
const FAILED: Condition = { sql: 'f.error_code IS NOT NULL', values: [] }

const MOST_WORDS = 16
/** Answers that are kept, and trees of folders of them. */
const MOST_PAGES = 16
const MOST_TREES = 4
/** Times as many files as models: to ask a model for its files takes about so many times as long as to ask a file for its models. */
const MUCH = 3
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

/** Models, each with the file that says in which folder it is. */
// eslint-disable-next-line texts/in-catalogue -- SQL
const MODELS_BY_FILE = `${MODELS} JOIN ${FILES} ON f.ref = m."primary"`

/** Asks one index. What a text finds, and what is counted, is kept until the text or the index changes: paging asks for rows alone. */
export class Queries {
  private readonly db: Db
  private readonly root: string
  private readonly registry: Registry
  /** text that `temp.word_hits` is of; undefined for none */
  private searched: string | undefined
  /** of its words, how many files have it, and whether these are very many */
  private having: { files: number; often: boolean }[] = []
  /** what `temp.hits` and `temp.model_hits` are there for: a list asks for one of them, and counts the other */
  private readonly ranked = new Set<'files' | 'models'>()
  /** asked of every row of a search */
  private why: WhyStatements | undefined
  private version = -1
  /** numbers of the files that no list shows, as JSON */
  private unknown: string | undefined
  private readonly numbers = new Map<string, Omit<LibraryPage, 'rows'>>()
  /** answers, those that were given last at the end: who searches takes letters back */
  private readonly pages = new Map<string, LibraryPage>()
  private readonly trees = new Map<LibraryQuery['show'], FolderTree>()
  /** of what a query leaves of them, the last ones at the end: a list asks for its folders one after the other, and who searches takes letters back */
  private readonly narrowed = new Map<string, FolderTree>()

  constructor(db: Db, root: string, registry: Registry) {
    this.db = db
    this.root = root
    this.registry = registry
    db.exec(
      `CREATE TEMP TABLE IF NOT EXISTS word_hits (word INTEGER, file INTEGER, PRIMARY KEY (word, file)) WITHOUT ROWID;
       CREATE TEMP TABLE IF NOT EXISTS hits (file INTEGER PRIMARY KEY, rank INTEGER);
       CREATE TEMP TABLE IF NOT EXISTS model_hits (model INTEGER PRIMARY KEY, rank INTEGER)`,
    )
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
      const { conditions, order, models } = this.selected(query)
      const start = searchText(begin.slice(0, MOST_TEXT))
      const [table, key] = models ? [MODELS, 'm.name_key'] : [FILES, 'f.name_key']
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
      const { conditions, order, models } = this.selected(query)
      const [table, key] = models ? [MODELS, 'm."primary"'] : [FILES, 'f.ref']
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

  /** What is put into the tables for a search is taken out again where the answer fails, and counts for nothing then. */
  private ask<T>(body: () => T): T {
    try {
      return this.db.transaction(body).deferred()
    } catch (error) {
      this.searched = undefined
      throw error
    }
  }

  /** Models by their primary files, in the order of these; without those that are not in the index any more. */
  modelRows(refs: readonly string[]): { ref: string; name: string; where: string }[] {
    const model = this.db.prepare(
      `SELECT m."primary" AS ref, m.name, d.path AS folder FROM models m LEFT JOIN files f ON f.ref = m."primary" LEFT JOIN folders d ON d.id = f.folder
       WHERE m."primary" = ? ORDER BY m.name_key, m.id LIMIT 1`,
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
    if (!tree) this.trees.set(show, (tree = this.grown(show, show === 'models' ? [] : [show === 'errors' ? FAILED : SHOWN])))
    return tree
  }

  /** Of what is listed in all folders. */
  private treeOf(query: Selection): FolderTree {
    const { show, folder } = query
    const all = this.tree(show)
    const key = `${show}\0${folder ?? ''}\0${filterKey(query)}\0${query.text ?? ''}`
    let tree = this.narrowed.get(key)
    if (!tree) {
      const { text, byFamily, byKind, byParts, conditions } = this.selected({ ...query, folder: undefined })
      if (!text && byFamily.length + byKind.length + byParts.length === 0) return all
      tree = this.grown(show, conditions)
      if (folder) all.lend(folder, tree)
    }
    keepLast(this.narrowed, key, tree, MOST_TREES)
    return tree
  }

  private grown(show: LibraryQuery['show'], conditions: readonly Condition[]): FolderTree {
    const rows = this.db
      .prepare(
        `SELECT d.id, d.path, count(*) AS count, EXISTS (SELECT 1 FROM files WHERE ref = d.path) AS archive
         FROM (SELECT f.folder FROM ${show === 'models' ? MODELS_BY_FILE : FILES} ${where(conditions)}) c JOIN folders d ON d.id = c.folder GROUP BY d.id`,
      )
      .all(...values(conditions)) as { id: number; path: string; count: number; archive: number }[]
    return new FolderTree(rows.map(({ path, archive, ...row }) => ({ ...row, place: relativeTo(this.root, path), archive: archive === 1 })))
  }

  /** Which rows a query means, and in which order. */
  private selected(query: Selection): Selected {
    const text = searchText((query.text ?? '').slice(0, MOST_TEXT))
      .split(/\s+/u)
      .filter(Boolean)
      .slice(0, MOST_WORDS)
      .join(' ')
    this.search(text)
    const base = query.show === 'errors' ? FAILED : SHOWN
    const models = query.show === 'models'
    const inFolder: Condition[] = !query.folder
      ? []
      : [
          {
            sql: models
              ? 'm."primary" IN (SELECT ref FROM files WHERE folder IN (SELECT value FROM json_each(?)))'
              : 'f.folder IN (SELECT value FROM json_each(?))',
            values: [JSON.stringify(this.tree(query.show).below(query.folder))],
          },
        ]
    const words = text.split(' ').filter(Boolean)
    if (text) this.rank(models ? 'models' : 'files', text, words)
    const fileMatch: Condition[] = models || !text ? words.map(fileWord) : [{ sql: 'f.id IN (SELECT file FROM temp.hits)', values: [] }]
    const modelMatch: Condition[] =
      models && text ? [{ sql: 'm.id IN (SELECT model FROM temp.model_hits)', values: [] }] : this.modelWords(words)
    const direction = query.descending ? 'DESC' : 'ASC'
    // what is called so comes before what has it in it, whatever the order
    const rank = text
      ? models
        ? '(SELECT rank FROM temp.model_hits WHERE model = m.id), '
        : '(SELECT rank FROM temp.hits WHERE file = f.id), '
      : ''
    const [sort, same] = models ? [MODEL_SORT, MODELS_ALIKE] : [FILE_SORT, FILES_ALIKE]
    const order = `${rank}${sort[query.sort]} ${direction}, ${same}`
    const by = (column: string, value: string | undefined): Condition[] =>
      value === undefined ? [] : [{ sql: `${column} = ?`, values: [value] }]
    const byFamily = by(models ? 'm.family' : 'f.family', query.family)
    // every row of models has the kind `model`: asking for another kind finds none
    const byKind = !models ? by('f.kind', query.kind) : query.kind && query.kind !== 'model' ? [{ sql: '0', values: [] }] : []
    const byParts = PARTS.filter((part) => query.has?.includes(part)).map((part): Condition => ({
      sql: `${models ? 'm' : 'f'}.${part} > 0`,
      values: [],
    }))
    const conditions = models
      ? [...inFolder, ...modelMatch, ...byFamily, ...byKind, ...byParts]
      : [base, ...inFolder, ...fileMatch, ...byFamily, ...byKind, ...byParts]
    return { text, models, base, inFolder, fileMatch, modelMatch, byFamily, byKind, byParts, conditions, order }
  }

  private answer(query: Omit<LibraryQuery, 'library'>): LibraryPage {
    const { text, models, base, inFolder, fileMatch, modelMatch, byFamily, byKind, byParts, conditions, order } = this.selected(query)
    const { db, root } = this
    const limit = Math.max(0, Math.min(500, query.limit))
    const offset = Math.max(0, query.offset)
    const hits = text ? new Hits((this.why ??= whyStatements(db)), text.split(' '), (folder) => relativeTo(root, folder)) : undefined

    const key = `${query.show}\0${query.folder ?? '\n'}\0${filterKey(query)}`
    let numbers = this.numbers.get(key)
    if (!numbers) {
      const count = (from: string, list: Condition[]): number =>
        db
          .prepare(`SELECT count(*) FROM ${from} ${where(list)}`)
          .pluck()
          .get(...values(list)) as number
      const counts = this.numbers.values().next().value?.counts ?? {
        models: count(MODELS, modelMatch),
        files: this.filesWith(text.split(' ').filter(Boolean).length) ?? count(FILES, [SHOWN, ...fileMatch]),
        // errors are few, what a search finds is not: the first are gone through
        errors: count(FILES, [FAILED, ...fileMatch.map(({ sql, values }) => ({ sql: sql.replace('f.id', '+f.id'), values }))]),
      }
      numbers = models
        ? {
            total: conditions.length === modelMatch.length ? counts.models : count(MODELS, conditions),
            counts,
            facets: {
              families: facet(db, MODELS, 'm.family', [...inFolder, ...modelMatch, ...byKind, ...byParts]),
              kinds: [],
              has: parts(db, MODELS, 'm', [...inFolder, ...modelMatch, ...byFamily, ...byKind, ...byParts]),
            },
          }
        : {
            total: count(FILES, conditions),
            counts,
            facets: {
              families: facet(db, FILES, 'f.family', [base, ...inFolder, ...fileMatch, ...byKind, ...byParts]),
              kinds: facet(db, FILES, 'f.kind', [base, ...inFolder, ...fileMatch, ...byFamily, ...byParts]),
              has: parts(db, FILES, 'f', conditions),
            },
          }
      this.numbers.set(key, numbers)
    }

    if (models) {
      const rows = db
        .prepare(
          `SELECT m.id, m."primary" AS ref, m.name, m.family, m.size, m.bones, m.meshes, m.clips, m.slices, m.textures, f.format, f.note, d.path AS folder,
             a.ref AS archive
           FROM (SELECT m.id AS page_id, row_number() OVER () AS page_order
             FROM (SELECT m.id FROM ${MODELS} ${where(conditions)} ORDER BY ${order} LIMIT ? OFFSET ?) m) p
           JOIN models m ON m.id = p.page_id
           LEFT JOIN files f ON f.ref = m."primary" LEFT JOIN folders d ON d.id = f.folder LEFT JOIN files a ON a.id = f.parent ORDER BY p.page_order`,
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
           FROM (SELECT f.id FROM files f ${where(conditions)}
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

  /**
   * How many files that are shown have all words: by the numbers of the words' files alone, without a look at the rows of those. undefined without a word.
   * @param words how many the search has
   */
  private filesWith(words: number): number | undefined {
    // also where it is not asked for yet: all files are gone through for it, which is no work for the first letter of a search
    this.unknown ??= this.db.prepare(`SELECT json_group_array(f.id) FROM ${FILES} WHERE NOT (${SHOWN.sql})`).pluck().get() as string
    if (words === 0) return undefined
    if (words === 1) return this.having[0].files - this.unknownWith()
    const others = Array.from({ length: words - 1 }, (_, i): Condition => ({ sql: `h.file ${WITH_WORD}`, values: [i + 1] }))
    const all = [
      { sql: 'h.word = 0', values: [] },
      ...others,
      { sql: 'h.file NOT IN (SELECT value FROM json_each(?))', values: [this.unknown] },
    ]
    return this.db
      .prepare(`SELECT count(*) FROM temp.word_hits h ${where(all)}`)
      .pluck()
      .get(...values(all)) as number
  }

  /** How many of the files that no list shows have the only word. */
  private unknownWith(): number {
    return this.db
      .prepare('SELECT count(*) FROM json_each(?) e CROSS JOIN temp.word_hits h ON h.word = 0 AND h.file = e.value')
      .pluck()
      .get(this.unknown) as number
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
    this.numbers.clear()
    this.trees.clear()
    this.narrowed.clear()
    this.pages.clear()
    this.unknown = undefined
    this.searched = undefined
  }

  /** Puts what has each word into the table of hits, unless it is there. */
  private search(text: string): void {
    const { db } = this
    this.forgetOld()
    if (text === this.searched) return
    this.numbers.clear()
    this.ranked.clear()
    this.searched = undefined
    db.exec('DELETE FROM temp.word_hits; DELETE FROM temp.hits; DELETE FROM temp.model_hits')
    if (text) {
      const models = db.prepare('SELECT count(*) FROM models').pluck().get() as number
      // files and models ask for the same words: the names are gone through once for each
      this.having = text.split(' ').map((word, number) => {
        const match = wordMatch(word)
        const files = db.prepare(`INSERT INTO temp.word_hits SELECT ?, ${match.sql}`).run(number, match.value).changes
        return { files, often: files > MUCH * models }
      })
    }
    this.searched = text
  }

  private modelWords(words: readonly string[]): Condition[] {
    return words.map((word, number) => modelWord(word, number, this.having[number].often))
  }

  /** Puts files or models with all words into their table, with how well each is what was looked for, unless they are there. */
  private rank(of: 'files' | 'models', text: string, words: readonly string[]): void {
    if (this.ranked.has(of)) return
    const models = of === 'models'
    const conditions = models ? this.modelWords(words) : words.map(fileWord)
    const [into, id, from] = models ? ['model_hits', 'm', MODELS] : ['hits', 'f', FILES]
    const rank = rankOf(`${id}.name_key`, text, words)
    this.db
      .prepare(`INSERT INTO temp.${into} SELECT ${id}.id, ${rank.sql} FROM ${from} ${where(conditions)}`)
      .run(...values([rank, ...conditions]))
    this.ranked.add(of)
  }
}

/** Puts something at the end, and lets go of what was there first where it is one too many. */
function keepLast<T>(kept: Map<string, T>, key: string, value: T, most: number): void {
  kept.delete(key)
  kept.set(key, value)
  if (kept.size > most) kept.delete(kept.keys().next().value!)
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
