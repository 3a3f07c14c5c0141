/**
 * The files of an index that binders are given, in memory and in the order in which they are: a question to SQLite with its rows takes as long as
 * twenty look-ups here, and binders ask several for each model.
 */
import { compareNames } from '../files/store.ts'
import type { BindFile } from '../formats/binding.ts'
import type { FileKind } from '../formats/format.ts'
import type { Db, Statement } from './database.ts'

/** Files that are held, some 30 MB. */
const MOST_IN_MEMORY = 100_000

type Row = [id: number, ref: string, name: string, folder: number, format: string, kind: FileKind, position: number, stem: string]

interface Held {
  id: number
  file: BindFile
  /** of its folder */
  key: string
  stem: string
  position: number
  /** its reference */
  small: string
}

const NONE: readonly BindFile[] = []

export class IndexFiles {
  private readonly folders = new Map<string, BindFile[]>()
  private readonly stems = new Map<string, BindFile[]>()
  /** by number: the file, and its place among all */
  private readonly ids = new Map<number, { file: BindFile; place: number }>()

  /** @returns undefined for an index with more than `most` of them */
  static of(db: Db, most = MOST_IN_MEMORY): IndexFiles | undefined {
    const where = "FROM files WHERE format <> '' AND kind <> 'archive'"
    if ((db.prepare(`SELECT count(*) ${where}`).pluck().get() as number) > most) return undefined
    return new IndexFiles(db, db.prepare(`SELECT id, ref, name, folder, format, kind, position, stem ${where}`).raw())
  }

  private constructor(db: Db, rows: Statement) {
    const folders = new Map(
      (db.prepare('SELECT id, path, key FROM folders').raw().all() as [number, string, string][]).map(([id, path, key]) => [
        id,
        { path, key },
      ]),
    )
    // of formats and kinds there are a few, each row brings letters of its own
    const words = new Map<string, string>()
    const one = <T extends string>(word: T): T => {
      if (!words.has(word)) words.set(word, word)
      return words.get(word) as T
    }
    const held: Held[] = []
    // one after the other: all rows at once are as much again
    for (const [id, ref, name, folder, format, kind, position, stem] of rows.iterate() as Iterable<Row>) {
      const { path, key } = folders.get(folder)!
      const file: BindFile = { ref, name, folder: path, format: one(format), kind: one(kind) }
      held.push({ id, file, key, stem, position, small: ref.toLowerCase() })
    }
    held.sort(inOrder).forEach(({ id, file, key, stem }, place) => {
      push(this.folders, key, file)
      push(this.stems, stem, file)
      this.ids.set(id, { file, place })
    })
  }

  inFolder(key: string): readonly BindFile[] {
    return this.folders.get(key) ?? NONE
  }

  byStem(stem: string): readonly BindFile[] {
    return this.stems.get(stem) ?? NONE
  }

  byId(ids: readonly number[]): BindFile[] {
    return ids
      .flatMap((id) => this.ids.get(id) ?? [])
      .sort((a, b) => a.place - b.place)
      .map(({ file }) => file)
  }
}

/** Members as in their archive, files by name. In small letters once: each is compared with a dozen others. */
function inOrder(a: Held, b: Held): number {
  return a.position - b.position || (a.small < b.small ? -1 : a.small > b.small ? 1 : compareNames(a.file.ref, b.file.ref))
}

function push(map: Map<string, BindFile[]>, key: string, file: BindFile): void {
  const list = map.get(key)
  if (list) list.push(file)
  else map.set(key, [file])
}
