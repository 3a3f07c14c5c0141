/** Why a search found a file or model whose own name does not say it: the name of its folder, of a file of it, or of something in it. */
import { isCalled, searchText } from './search-text.ts'
import type { LibraryHit, LibraryPart } from '../../shared/api/types/library.ts'
import type { Db, Statement } from './database.ts'

/** Tables with names of what is in a file, in the order in which people look for them. */
const CONTENTS: readonly LibraryPart[] = ['clips', 'slices', 'textures', 'meshes', 'bones']
/** Files of a model that are looked into: a hit is one line. */
const MOST_FILES = 200

/** What is asked of files and models that were found. */
export interface WhyStatements {
  filesOf: Statement
  listedOf: Statement
  folderOf: Statement
  textOf: Statement
  namesOf: readonly { what: LibraryPart; statement: Statement }[]
}

export function whyStatements(db: Db): WhyStatements {
  return {
    // one after the other, as their keys have them: all of them at once are sorted, which takes three times as long
    filesOf: db.prepare('SELECT f.id, f.name FROM members m JOIN files f ON f.id = m.file WHERE m.model = ? ORDER BY m.number LIMIT ?'),
    listedOf: db.prepare(
      `SELECT f.id, f.name FROM model_lists o JOIN listed l ON l.list = o.list JOIN files f ON f.id = l.file WHERE o.model = ?
        ORDER BY o.number, l.number LIMIT ?`,
    ),
    folderOf: db.prepare('SELECT d.path FROM models m JOIN folders d ON d.id = m.folder WHERE m.id = ?').pluck(),
    textOf: db.prepare('SELECT text FROM names WHERE file = ?').pluck(),
    namesOf: CONTENTS.map((what) => ({
      what,
      statement: db.prepare(`SELECT name FROM ${what} WHERE file = ? ORDER BY number`).pluck(),
    })),
  }
}

export class Hits {
  private readonly ask: WhyStatements
  private readonly words: readonly string[]
  private readonly place: (folder: string) => string
  /** by a file's number and the words; null where it has none of them */
  private readonly looked = new Map<string, Found | null>()

  /**
   * @param ask of the index that was searched
   * @param words as searchText writes them
   * @param place what the library calls a folder
   */
  constructor(ask: WhyStatements, words: readonly string[], place: (folder: string) => string) {
    this.ask = ask
    this.words = words
    this.place = place
  }

  /** The best name that tells why it was found: of its folder or of something in it, where its own has not all words. */
  ofFile(id: number, name: string, folder: string): { hit?: LibraryHit } {
    const words = this.missing(name)
    if (words.length === 0) return {}
    const found = better(this.folderHit(folder, words, Infinity), (most) => this.inFile(id, words, most))
    return found ? { hit: { what: found.what, name: found.name } } : {}
  }

  /** The best one of those of its files, of what is in them, and of its folder. */
  ofModel(id: number, name: string): { hit?: LibraryHit } {
    const words = this.missing(name)
    if (words.length === 0) return {}
    const own = this.ask.filesOf.all(id, MOST_FILES) as { id: number; name: string }[]
    const files = [...own, ...(this.ask.listedOf.all(id, MOST_FILES - own.length) as typeof own)]
    const names = files.map((file) => file.name)
    const named = best(names, words, Infinity)
    let found: Found | undefined = named && { what: 'file', ...named }
    for (const file of files) found = better(found, (most) => this.inFile(file.id, words, most))
    found = better(found, (most) => this.folderHit((this.ask.folderOf.get(id) as string | undefined) ?? '', words, most))
    return found ? { hit: { what: found.what, name: found.name } } : {}
  }

  /** @param most of which rank it has to be less */
  private folderHit(folder: string, words: readonly string[], most: number): Found | undefined {
    const place = this.place(folder)
    // what is looked for is the name of one in it rather than the whole
    const found = best([place, ...place.split(/[\\/!]/)], words, most)
    return found && { what: 'folder', name: place, rank: found.rank }
  }

  /** The words that a name does not have. */
  private missing(name: string): string[] {
    const text = searchText(name)
    return this.words.filter((word) => !text.includes(word))
  }

  /** @param most of which rank it has to be less */
  private inFile(id: number, words: readonly string[], most: number): Found | undefined {
    const key = `${id} ${words.join(' ')}`
    // animations that many models share are looked into once
    const known = this.looked.get(key)
    if (known !== undefined) return known && known.rank < most ? known : undefined
    let found: Found | undefined
    const text = this.ask.textOf.get(id) as string | undefined
    const from = text === undefined ? 0 : contentsOf(text)
    if (words.some((word) => text?.includes(word, from)))
      for (const { what, statement } of this.ask.namesOf)
        found = better(found, (least) => {
          const named = best(statement.iterate(id) as IterableIterator<string>, words, least)
          return named && { what, ...named }
        })
    this.looked.set(key, found ?? null)
    return found && found.rank < most ? found : undefined
  }
}

interface Found extends LibraryHit {
  /** 0 for exactly what was looked for, more for less */
  rank: number
}

/** What was found, or what is looked for behind it, where that is nearer to what was meant. */
function better(found: Found | undefined, next: (most: number) => Found | undefined): Found | undefined {
  if (found?.rank === 0) return found
  return next(found?.rank ?? Infinity) ?? found
}

/** Ways in which a name fits, each with fewer of the words behind all with more. */
const FITS = 4

/** The first of the names that are nearest to what was looked for: with most of the words, and they are it, begin it, begin a word of it. */
function best(names: Iterable<string>, words: readonly string[], most: number): { name: string; rank: number } | undefined {
  let found: { name: string; rank: number } | undefined
  for (const name of names) {
    const rank = rankOf(searchText(name), words)
    if (rank >= (found?.rank ?? most)) continue
    found = { name, rank }
    if (rank === 0) break
  }
  return found
}

function rankOf(text: string, words: readonly string[]): number {
  const has = words.filter((word) => text.includes(word))
  if (has.length === 0) return Infinity
  const sought = has.join(' ')
  const fit = isCalled(text, sought) ? 0 : text.startsWith(sought) ? 1 : has.every((word) => beginsOne(text, word)) ? 2 : 3
  return (words.length - has.length) * FITS + fit
}

/** A word of a text begins so: no letter and no digit is before it. */
function beginsOne(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) if (!/[\p{L}\p{N}]$/u.test(text.slice(0, at))) return true
  return false
}

/** Where the names of what is in a file begin in its text: behind its own and that of its folder, which many files have for one that is looked for. */
function contentsOf(text: string): number {
  const folder = text.indexOf('\n') + 1
  const contents = folder && text.indexOf('\n', folder) + 1
  return contents || text.length
}
