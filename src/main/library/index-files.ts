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
/** Keys of all of them, with the file of each: some 60 MB. */
const MOST_KEYS = 500_000

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

/** What a file gives to others, or looks for in them. */
const DIRECTIONS = ['provides', 'needs'] as const
export type Direction = (typeof DIRECTIONS)[number]
/** Which of the two words it is: each row would bring letters of its own. */
type KeyRow = [key: string, needs: 0 | 1, file: number, number: number]
const KEYS = `SELECT key, direction = 'needs', file, number FROM keys WHERE (key, direction, file, number) > (?, ?, ?, ?)
  ORDER BY key, direction, file, number LIMIT ?`

const NONE: readonly BindFile[] = []

export class IndexFiles {
  private readonly folders = new Map<string, BindFile[]>()
  private readonly stems = new Map<string, BindFile[]>()
  /** by their place among all */
  private readonly files: BindFile[]
  /** by key: places of its files, in their order */
  private readonly keys: Readonly<Record<Direction, Map<string, number[]>>> = { provides: new Map(), needs: new Map() }
  /** by reference: its place; NUMBERS of one place after the other */
  private readonly places = new Map<string, number>()
  private readonly counted: Float64Array

  /** @returns undefined for an index with more than `most` of them */
  static of(db: Db, most = MOST_IN_MEMORY): IndexFiles | undefined {
    const where = "FROM files WHERE format <> '' AND kind <> 'archive'"
    const [files, keys] = db.prepare(`SELECT count(*), total(keys) ${where}`).raw().get() as [number, number]
    if (files > most || keys > MOST_KEYS) return undefined
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
    for (const block of blocksOf<Row>(rows, [0], (row) => [row[ID]]))
      for (const row of block) {
        const [ref, name, format, kind, stem, position, id, folder] = row
        const { path, key } = folders.get(folder)!
        const file: BindFile = { ref, name, folder: path, format: one(format), kind: one(kind) }
        held.push({ row, id, file, key, stem, position, small: ref.toLowerCase() })
      }
    this.counted = new Float64Array(held.length * WIDTH)
    const placeOf = new Map<number, number>()
    this.files = held.sort(inOrder).map(({ row, id, file, key, stem }, place) => {
      push(this.folders, key, file)
      push(this.stems, stem, file)
      placeOf.set(id, place)
      this.places.set(file.ref, place)
      this.counted.set(row.slice(ID) as number[], place * WIDTH)
      return file
    })
    const after = ([key, needs, file, number]: KeyRow): unknown[] => [key, DIRECTIONS[needs], file, number]
    for (const block of blocksOf<KeyRow>(db.prepare(KEYS).raw(), ['', '', 0, 0], after))
      for (const [key, needs, file] of block) {
        const place = placeOf.get(file)
        if (place !== undefined) push(this.keys[DIRECTIONS[needs]], key, place)
      }
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

  byKey(direction: Direction, key: string): BindFile[] {
    const places = this.keys[direction].get(key) ?? []
    // each once, though it may say a key several times
    return [...new Set(places)].sort((a, b) => a - b).map((place) => this.files[place])
  }
}

/** Members as in their archive, files by name. In small letters once: each is compared with a dozen others. */
function inOrder(a: Held, b: Held): number {
  return a.position - b.position || (a.small < b.small ? -1 : a.small > b.small ? 1 : compareNames(a.file.ref, b.file.ref))
}

function push<T>(map: Map<string, T[]>, key: string, one: T): void {
  const list = map.get(key)
  if (list) list.push(one)
  else map.set(key, [one])
}
