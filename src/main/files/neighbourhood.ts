/** Where binders look, in memory: for single models, `marrow lint` and tests. The library has one over its index with the same order. */
import { readdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { stemOf } from '../../shared/ref.ts'
import { compareNames, MAX_MEMBERS, readForDecoding } from './store.ts'
import { walk } from './walk.ts'
import type { BindFile, Document, FileSummary, Neighbourhood } from '../formats/format.ts'
import type { FileStore } from './store.ts'

/** Steps from one folder (or archive) to another: up to what both share, then down. Case does not count. */
export function stepsApart(a: string, b: string): number {
  const from = parts(a)
  const to = parts(b)
  let same = 0
  while (same < from.length && same < to.length && from[same] === to[same]) same++
  return from.length + to.length - 2 * same
}

function parts(folder: string): string[] {
  return folder.toLowerCase().split(/[/\\!]+/).filter(Boolean)
}

/** Nearest to `near` first; those equally near by reference. */
export function nearestFirst<F extends { ref: string; folder: string }>(files: readonly F[], near: string): F[] {
  if (files.length < 2) return [...files]
  const steps = new Map<string, number>()
  for (const { folder } of files) if (!steps.has(folder)) steps.set(folder, stepsApart(folder, near))
  return [...files].sort((a, b) => steps.get(a.folder)! - steps.get(b.folder)! || compareNames(a.ref, b.ref))
}

/** Folders as keys: case and a separator at the end do not count. */
export function folderKey(folder: string): string {
  return folder.toLowerCase().replaceAll('\\', '/').replace(/\/+$/, '')
}

/** Decoded documents, the least recently used dropped when they weigh more than the bound (estimated from their files). Broken files are remembered as such. */
export class DocumentCache {
  private readonly held = new Map<string, { stamp: string; document: Document | undefined; size: number }>()
  private readonly maxBytes: number
  private readonly store: FileStore
  private bytes = 0

  constructor(store: FileStore, maxBytes = 64 * 2 ** 20) {
    this.store = store
    this.maxBytes = maxBytes
  }

  /** The document of a file as it is on disk now; undefined where it cannot be read. */
  get(ref: string): Document | undefined {
    let stamp = ''
    try {
      const { size, mtimeMs } = this.store.stat(ref)
      stamp = `${size} ${mtimeMs}`
    } catch {
      return undefined
    }
    const held = this.held.get(ref)
    if (held?.stamp === stamp) {
      this.held.delete(ref)
      this.held.set(ref, held)
      return held.document
    }
    this.drop(ref)
    let document: Document | undefined
    // nodes and fields of a small file weigh more than its bytes
    let size = 16_384
    try {
      const { format, bytes } = readForDecoding(this.store, ref)
      document = format.decode(bytes, ref)
      size += 2 * bytes.length
    } catch {
      document = undefined
    }
    this.held.set(ref, { stamp, document, size })
    this.bytes += size
    for (const [oldest] of this.held) {
      if (this.bytes <= this.maxBytes || oldest === ref) break
      this.drop(oldest)
    }
    return document
  }

  drop(ref?: string): void {
    if (ref === undefined) {
      this.held.clear()
      this.bytes = 0
      return
    }
    const held = this.held.get(ref)
    if (!held) return
    this.bytes -= held.size
    this.held.delete(ref)
  }
}

/** Every recognised file of a tree: files on disk and, recursively, members of archives. Unreadable ones are left out. */
export function* bindFilesBelow(store: FileStore, root: string): Generator<BindFile> {
  const stat = store.exists(root)
  if (!stat) return
  if (store.isFolder(root) && store.container(root) === undefined) {
    for (const { path } of walk(root)) yield* bindFilesOf(store, path)
  } else {
    yield* bindFilesOf(store, root)
  }
}

function* bindFilesOf(store: FileStore, ref: string, left = { members: MAX_MEMBERS }): Generator<BindFile> {
  let members
  try {
    const found = store.identify(ref)
    if (found?.format) yield { ref, name: store.nameOf(ref), folder: store.folderOf(ref), format: found.format.id, kind: found.format.kind }
    if (!found?.archive) return
    members = store.members(ref)
  } catch {
    return
  }
  for (const member of members) if (left.members-- > 0) yield* bindFilesOf(store, member.ref, left)
}

/** Levels above a file's folder that a game's layout is looked for in: `art/w3d/gu` of Battle for Middle-earth II is the deepest. */
const MOST_LEVELS = 3

/** The folder above the game's folders that `folder` is one of or stands in; `folder` itself where there is no such layout. */
function gameFolder(store: FileStore, folder: string): string {
  let below = folder
  for (let level = 0; level < MOST_LEVELS; level++) {
    const above = dirname(below)
    if (above === below) break
    const name = basename(below).toLowerCase()
    // by its name alone a folder is no part of a layout: another one has to stand beside it
    if (store.registry.families.some(({ folders }) => folders?.includes(name) && subfolders(above).some((other) => other !== name && folders.includes(other)))) return above
    below = above
  }
  return folder
}

function* both<T>(first: Iterable<T>, second: Iterable<T>): Generator<T> {
  yield* first
  yield* second
}

/** A model's textures may stand one or two folders above it, under its own name. */
function* namesakesAbove(store: FileStore, folder: string, stem: string): Generator<BindFile> {
  let above = dirname(folder)
  for (let level = 0; level < 2 && above !== dirname(above); level++, above = dirname(above)) {
    for (const name of entriesOf(above, false)) {
      if (stemOf(name) !== stem) continue
      for (const file of bindFilesOf(store, join(above, name), { members: 0 })) yield file
    }
  }
}

function subfolders(folder: string): string[] {
  return entriesOf(folder, true).map((name) => name.toLowerCase())
}

function entriesOf(folder: string, folders: boolean): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => ((folders ? entry.isDirectory() : entry.isFile()) ? [entry.name] : []))
  } catch {
    return []
  }
}

export class MemoryNeighbourhood implements Neighbourhood {
  private readonly store: FileStore
  private readonly documents: DocumentCache
  private readonly files = new Map<string, BindFile>()
  private readonly folders = new Map<string, BindFile[]>()
  private readonly stems = new Map<string, BindFile[]>()
  private readonly summaries = new Map<string, FileSummary | undefined>()
  private keys: { provides: Map<string, BindFile[]>; needs: Map<string, BindFile[]> } | undefined

  constructor(store: FileStore, files: Iterable<BindFile>, options: { cacheBytes?: number } = {}) {
    this.store = store
    this.documents = new DocumentCache(store, options.cacheBytes)
    for (const file of files) {
      if (this.files.has(file.ref)) continue
      this.files.set(file.ref, file)
      push(this.folders, folderKey(file.folder), file)
      push(this.stems, stemOf(file.name), file)
    }
  }

  /** Over everything below a folder or archive, or around a file: what stands in its folder. */
  static of(store: FileStore, root: string, options: { cacheBytes?: number } = {}): MemoryNeighbourhood {
    return new MemoryNeighbourhood(store, bindFilesBelow(store, root), options)
  }

  /**
   * Over the folder (or archive on disk) that a file stands in; where that is one of the folders that a game keeps side by side
   * (`Art/W3D` and `Art/Textures`), over all of these. Files of the same name in the folders above come with it.
   */
  static around(store: FileStore, ref: string, options: { cacheBytes?: number } = {}): MemoryNeighbourhood {
    const disk = resolve(store.diskFile(ref))
    const folder = gameFolder(store, dirname(disk))
    return new MemoryNeighbourhood(store, both(bindFilesBelow(store, folder), namesakesAbove(store, folder, stemOf(basename(disk)))), options)
  }

  get size(): number {
    return this.files.size
  }

  all(): IterableIterator<BindFile> {
    return this.files.values()
  }

  /** Every folder and archive with recognised files in it. */
  allFolders(): string[] {
    return [...this.folders.values()].map((files) => files[0].folder)
  }

  inFolder(folder: string): readonly BindFile[] {
    return this.folders.get(folderKey(folder)) ?? []
  }

  byStem(stem: string, near: string): readonly BindFile[] {
    return nearestFirst(this.stems.get(stem.toLowerCase()) ?? [], near)
  }

  providing(key: string, near: string): readonly BindFile[] {
    return nearestFirst(this.allKeys().provides.get(key.toLowerCase()) ?? [], near)
  }

  needing(key: string, near: string): readonly BindFile[] {
    return nearestFirst(this.allKeys().needs.get(key.toLowerCase()) ?? [], near)
  }

  summary(ref: string): FileSummary | undefined {
    if (!this.summaries.has(ref)) {
      let summary: FileSummary | undefined
      const document = this.document(ref)
      if (document) {
        try {
          summary = this.store.registry.formatById(document.format)?.summarize(document)
        } catch {
          summary = undefined
        }
      }
      this.summaries.set(ref, summary)
    }
    return this.summaries.get(ref)
  }

  document(ref: string): Document | undefined {
    return this.documents.get(ref)
  }

  /** Decodes everything once: only asked for by families that bind by keys. */
  private allKeys(): { provides: Map<string, BindFile[]>; needs: Map<string, BindFile[]> } {
    if (this.keys) return this.keys
    const keys = { provides: new Map<string, BindFile[]>(), needs: new Map<string, BindFile[]>() }
    for (const file of this.files.values()) {
      const summary = this.summary(file.ref)
      for (const key of new Set(summary?.provides?.map(lower))) push(keys.provides, key, file)
      for (const key of new Set(summary?.needs?.map(lower))) push(keys.needs, key, file)
    }
    this.keys = keys
    return keys
  }
}

/** A file as binders see it; undefined where no format knows it. */
export function bindFileOf(store: FileStore, ref: string): BindFile | undefined {
  const format = store.identify(ref)?.format
  return format && { ref, name: basename(store.nameOf(ref)), folder: store.folderOf(ref), format: format.id, kind: format.kind }
}

function lower(text: string): string {
  return text.toLowerCase()
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
