/**
 * The files of an index that binders are given, in memory and in the order in which they are: a question to SQLite with its rows takes as long as
 * twenty look-ups here, and binders ask several for each model.
 */
import { compareNames } from '../files/store.ts'
import { blocksOf } from './blocks.ts'
import type { BindFile } from '../formats/binding.ts'
import type { FileKind } from '../formats/format.ts'
import type { Db, Statement } from './database.ts'

/** Files that are held, some 30 MB. */
const MOST_IN_MEMORY = 100_000

/** What of a file its models are counted by: its row and what it has. */
const NUMBERS = ['id', 'folder', 'size', 'bones', 'meshes', 'clips', 'slices', 'textures'] as const
const WIDTH = NUMBERS.length
export type CountedFile = Record<(typeof NUMBERS)[number], number>

/** And what else of it is asked for, in front of these. */
const COLUMNS = ['ref', 'name', 'format', 'kind', 'stem', 'position'] as const
type Row = [
  ref: string,
  name: string,
  format: string,
  kind: FileKind,
  stem: string,
  position: number,
  id: number,
  folder: number,
  ...number[],
]

interface Held {
  row: Row
  id: number
  file: BindFile
  /** of its folder */
  key: string
  stem: string
  position: number
  /** its reference */
  small: string
}

const ID = COLUMNS.length

const NONE: readonly BindFile[] = []

export class IndexFiles {
  private readonly folders = new Map<string, BindFile[]>()
  private readonly stems = new Map<string, BindFile[]>()
  /** by number: the file, and its place among all */
  private readonly ids = new Map<number, { file: BindFile; place: number }>()
  /** by reference: its place; NUMBERS of one place after the other */
  private readonly places = new Map<string, number>()
  private readonly counted: Float64Array

  /** @returns undefined for an index with more than `most` of them */
  static of(db: Db, most = MOST_IN_MEMORY): IndexFiles | undefined {
    const where = "FROM files WHERE format <> '' AND kind <> 'archive'"
    if ((db.prepare(`SELECT count(*) ${where}`).pluck().get() as number) > most) return undefined
    return new IndexFiles(db, db.prepare(`SELECT ${[...COLUMNS, ...NUMBERS].join(', ')} ${where} AND id > ? ORDER BY id LIMIT ?`).raw())
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
    for (const block of blocksOf<Row>(rows, ID))
      for (const row of block) {
        const [ref, name, format, kind, stem, position, id, folder] = row
        const { path, key } = folders.get(folder)!
        const file: BindFile = { ref, name, folder: path, format: one(format), kind: one(kind) }
        held.push({ row, id, file, key, stem, position, small: ref.toLowerCase() })
      }
    this.counted = new Float64Array(held.length * WIDTH)
    held.sort(inOrder).forEach(({ row, id, file, key, stem }, place) => {
      push(this.folders, key, file)
      push(this.stems, stem, file)
      this.ids.set(id, { file, place })
      this.places.set(file.ref, place)
      this.counted.set(row.slice(ID) as number[], place * WIDTH)
    })
  }

  inFolder(key: string): readonly BindFile[] {
    return this.folders.get(key) ?? NONE
  }

  byStem(stem: string): readonly BindFile[] {
    return this.stems.get(stem) ?? NONE
  }

  numbersOf(ref: string): CountedFile | undefined {
    const place = this.places.get(ref)
    if (place === undefined) return undefined
    const [id, folder, size, bones, meshes, clips, slices, textures] = this.counted.subarray(place * WIDTH)
    return { id, folder, size, bones, meshes, clips, slices, textures }
  }

  byId(ids: ReadonlySet<number>): BindFile[] {
    return [...ids]
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
