/** Why a search found a file or model whose own name does not say it: the name of its folder, of a file of it, or of something in it. */
import { MEMBERS_OF } from './model-rows.ts'
import { searchText } from './search-text.ts'
import type { LibraryHit, LibraryPart } from '../../shared/api/types/library.ts'
import type { Db, Statement } from './database.ts'

/** Tables with names of what is in a file, in the order in which people look for them. */
const CONTENTS: readonly LibraryPart[] = ['clips', 'slices', 'textures', 'meshes', 'bones']
/** Files of a model that are looked into: a hit is one line. */
const MOST_FILES = 200

export class Hits {
  private readonly words: readonly string[]
  private readonly place: (folder: string) => string
  private readonly filesOf: Statement
  private readonly folderOf: Statement
  private readonly textOf: Statement
  private readonly namesOf: readonly { what: LibraryPart; statement: Statement }[]

  /**
   * @param words as searchText writes them
   * @param place what the library calls a folder
   */
  constructor(db: Db, words: readonly string[], place: (folder: string) => string) {
    this.words = words
    this.place = place
    this.filesOf = db.prepare(`SELECT f.id, f.name FROM ${MEMBERS_OF} JOIN files f ON f.id = m.file ORDER BY m.part, m.number LIMIT ?`)
    this.folderOf = db
      .prepare('SELECT d.path FROM models m JOIN files f ON f.ref = m."primary" JOIN folders d ON d.id = f.folder WHERE m.id = ?')
      .pluck()
    this.textOf = db.prepare('SELECT text FROM names WHERE rowid = ?').pluck()
    this.namesOf = CONTENTS.map((what) => ({
      what,
      statement: db.prepare(`SELECT name FROM ${what} WHERE file = ? ORDER BY number`).pluck(),
    }))
  }

  ofFile(id: number, name: string, folder: string): { hit?: LibraryHit } {
    const word = this.missing(name)
    if (word === undefined) return {}
    const place = this.place(folder)
    if (searchText(place).includes(word)) return { hit: { what: 'folder', name: place } }
    return this.inFile(id, word)
  }

  ofModel(id: number, name: string): { hit?: LibraryHit } {
    const word = this.missing(name)
    if (word === undefined) return {}
    const files = this.filesOf.all(id, id, MOST_FILES) as { id: number; name: string }[]
    const named = files.find((file) => searchText(file.name).includes(word))
    if (named) return { hit: { what: 'file', name: named.name } }
    for (const file of files) {
      const found = this.inFile(file.id, word)
      if (found.hit) return found
    }
    const folder = this.folderOf.get(id) as string | undefined
    return folder ? { hit: { what: 'folder', name: this.place(folder) } } : {}
  }

  /** The first word that a name does not have. */
  private missing(name: string): string | undefined {
    const text = searchText(name)
    return this.words.find((word) => !text.includes(word))
  }

  private inFile(id: number, word: string): { hit?: LibraryHit } {
    const text = this.textOf.get(id) as string | undefined
    if (!text?.includes(word, contentsOf(text))) return {}
    for (const { what, statement } of this.namesOf) {
      for (const name of statement.iterate(id) as IterableIterator<string>)
        if (searchText(name).includes(word)) return { hit: { what, name } }
    }
    return {}
  }
}

/** Where the names of what is in a file begin in its text: behind its own and that of its folder, which many files have for one that is looked for. */
function contentsOf(text: string): number {
  const folder = text.indexOf('\n') + 1
  const contents = folder && text.indexOf('\n', folder) + 1
  return contents || text.length
}
