/**
 * Folders and archives side by side, by the paths of their files: a folder's entries are looked at together, and one pair of files
 * is read at a time. A file that cannot be read is told and stops nothing.
 */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isTemporaryName } from '../../shared/temporary-name.ts'
import { ioError } from '../files/sources.ts'
import { compareNames } from '../files/store.ts'
import { firstDifferent, isContainer } from './compare.ts'
import type { FileStore } from '../files/store.ts'

export interface TreeEntry {
  name: string
  ref: string
  /** a folder, or an archive that opens */
  folder: boolean
  archive: boolean
  /** an archive whose members are listed under another directory over the same data */
  follows?: true
  /** data of an archive that stands beside it: what is in it, that archive tells */
  data?: true
}

/** A file as each side has it, in the order of the sides; undefined where a side has none. */
export interface TreeRow {
  /** below what was given, '' for the files that were given themselves */
  path: string
  files: readonly (string | undefined)[]
  /** members are the same and the archives' own bytes are not: order, places, padding */
  shell?: true
}

export interface TreeOptions {
  onError(ref: string, error: unknown): void
}

/** Who takes the rows says of each whether it differs: what holds it asks for that. */
export type TreeRows = Generator<TreeRow, boolean, boolean>

/**
 * Rows of files that may differ, by path. Archives whose bytes are the same everywhere are one row, which says nothing of their members.
 * @param refs one for each side, all of them files, or all folders or archives
 */
export function alignedFiles(store: FileStore, refs: readonly string[], options: TreeOptions): TreeRows {
  const start = refs.map((ref): TreeEntry => {
    const folder = isContainer(store, ref)
    return { name: '', ref, folder, archive: folder && !store.isFolder(ref) }
  })
  return aligned(store, start, '', options)
}

function* aligned(store: FileStore, given: readonly (TreeEntry | undefined)[], path: string, options: TreeOptions): TreeRows {
  // the directory that leads here may follow another one there
  const row = given.some((entry) => entry?.archive)
    ? given.map((entry) => (entry?.follows ? { ...entry, folder: true, archive: true } : entry))
    : given
  const there = row.filter((entry) => entry !== undefined)
  const files = row.map((entry) => entry?.ref)
  // of a folder that one side has all files are named, of an archive the archive; beside a file that is none an archive is a file
  const archives = there.every(({ archive }) => archive)
  if (archives ? there.length === 1 : !there.some(({ folder, archive }) => folder && !archive)) return yield { path, files }
  if (there.some(({ folder }) => !folder)) {
    // a file here, a folder of its name there
    let differs = false
    for (const [i, entry] of row.entries())
      if (
        entry &&
        (yield* aligned(
          store,
          row.map((_, k) => (k === i ? entry : undefined)),
          path,
          options,
        ))
      )
        differs = true
    return differs
  }
  try {
    if (!archives) return yield* below(store, row, path, options)
    const refs = there.map(({ ref }) => ref)
    if (sameArchives(store, refs)) return yield { path, files }
    return (yield* below(store, row, path, options)) || (yield { path, files, shell: true })
  } catch (error) {
    options.onError(there[0].ref, error)
    return true
  }
}

function* below(store: FileStore, row: readonly (TreeEntry | undefined)[], path: string, options: TreeOptions): TreeRows {
  let differs = false
  const lists = row.map((entry) => {
    if (!entry) return []
    try {
      return entriesOf(store, entry.ref)
    } catch (error) {
      differs = true
      options.onError(entry.ref, error)
      return []
    }
  })
  for (const entries of alignedNames(lists)) {
    if (entries.every((entry) => !entry || entry.data)) continue
    const { name } = entries.find((entry) => entry !== undefined)!
    if (yield* aligned(store, entries, path ? `${path}/${name}` : name, options)) differs = true
  }
  return differs
}

/** Entries of one name; where letters differ in case only, and nothing has the very name, those. */
function alignedNames(lists: readonly (readonly TreeEntry[])[]): (TreeEntry | undefined)[][] {
  const groups = new Map<string, TreeEntry[][]>()
  for (const [side, list] of lists.entries())
    for (const entry of list) {
      const key = entry.name.toLowerCase()
      let group = groups.get(key)
      if (!group) groups.set(key, (group = lists.map(() => [])))
      group[side].push(entry)
    }
  const rows: (TreeEntry | undefined)[][] = []
  for (const group of groups.values()) {
    if (group.every((own) => own.length < 2)) {
      rows.push(group.map(([entry]) => entry))
      continue
    }
    const names = new Set(group.flat().map(({ name }) => name))
    for (const name of names) rows.push(group.map((own) => own.find((entry) => entry.name === name)))
  }
  const nameOf = (row: (TreeEntry | undefined)[]): string => row.find((entry) => entry !== undefined)!.name
  return rows.sort((a, b) => compareNames(nameOf(a), nameOf(b)))
}

/** What stands in a folder or archive. Links to folders are not followed. */
function entriesOf(store: FileStore, ref: string): TreeEntry[] {
  const entries = store.isFolder(ref) && store.container(ref) === undefined ? entriesOnDisk(store, ref) : store.list(ref)
  const data = new Set<string>()
  const list = entries.map(({ name, ref, folder }): TreeEntry => {
    const plain = folder && store.isFolder(ref)
    const open = !plain && isContainer(store, ref) ? store.openArchive(ref)! : undefined
    if (open?.dataRef) data.add(open.dataRef)
    // of several directories over one data file one is gone into, the others are compared as the files that they are
    const archive = open?.leader === ''
    return { name, ref, folder: plain || archive, archive, ...(open && !archive ? { follows: true } : {}) }
  })
  return data.size === 0 ? list : list.map((entry) => (data.has(entry.ref) ? { ...entry, data: true } : entry))
}

function entriesOnDisk(store: FileStore, ref: string): { name: string; ref: string; folder: boolean }[] {
  const folder = store.diskFile(ref)
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !isTemporaryName(entry.name))
      .flatMap((entry): { name: string; ref: string; folder: boolean }[] => {
        const path = join(folder, entry.name)
        if (entry.isDirectory()) return [{ name: entry.name, ref: path, folder: true }]
        const file = entry.isFile() || (entry.isSymbolicLink() && statSync(path, { throwIfNoEntry: false })?.isFile())
        return file ? [{ name: entry.name, ref: path, folder: false }] : []
      })
  } catch (error) {
    throw ioError(error, folder)
  }
}

/** Whether archives have the same bytes, those of their data files too. */
export function sameArchives(store: FileStore, refs: readonly string[]): boolean {
  const [first, ...others] = refs.map((ref) => store.openArchive(ref)!)
  return others.every(
    (other) => firstDifferent(first.source, other.source) < 0 && (first.dataRef === '' || firstDifferent(first.data, other.data) < 0),
  )
}
