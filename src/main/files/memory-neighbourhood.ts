/** Where binders look, in memory: for single models, `marrow lint` and tests. The library has one over its index with the same order. */
import { readdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { partsOf, stemOf } from '../../shared/ref.ts'
import { isTemporaryName } from '../../shared/temporary-name.ts'
import { compareNames, MAX_MEMBERS } from './store.ts'
import { folderOfKey } from './places.ts'
import { readForDecoding } from './open-document.ts'
import { walk } from './walk.ts'
import type { BindFile, Neighbourhood } from '../formats/binding.ts'
import type { Document, FileFormat, FileSummary } from '../formats/format.ts'
import type { FileStore } from './store.ts'

/** Steps from one folder (or archive) to another: up to what both share, then down. Case does not count. */
export function stepsApart(a: string, b: string): number {
  const from = partsOf(a.toLowerCase())
  const to = partsOf(b.toLowerCase())
  let same = 0
  while (same < from.length && same < to.length && from[same] === to[same]) same++
  return from.length + to.length - 2 * same
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

/** A file that needs no look at the disk: the format that its bytes are of. */
export interface KeptBytes {
  format: string
  bytes: Uint8Array
}

/** Decoded documents, the least recently used dropped when they weigh more than the bound (estimated from their files). Broken files are remembered as such. */
export class DocumentCache {
  private readonly held = new Map<string, { stamp: string; document: Document | undefined; size: number }>()
  private readonly maxBytes: number
  private readonly store: FileStore
  private readonly kept: (ref: string) => KeptBytes | undefined
  private bytes = 0

  /** @param kept files that were read just now */
  constructor(store: FileStore, maxBytes = 64 * 2 ** 20, kept: (ref: string) => KeptBytes | undefined = () => undefined) {
    this.store = store
    this.maxBytes = maxBytes
    this.kept = kept
  }

  /** The document of a file as it is on disk now, or was when it was read just now; undefined where it cannot be read. */
  get(ref: string): Document | undefined {
    const kept = this.kept(ref)
    let stamp = ''
    try {
      if (!kept) {
        const { size, mtimeMs } = this.store.stat(ref)
        stamp = `${size} ${mtimeMs}`
      }
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
      const { format, bytes } = kept ? this.known(kept) : readForDecoding(this.store, ref)
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

  private known({ format, bytes }: KeptBytes): { format: FileFormat; bytes: Uint8Array } {
    return { format: this.store.registry.formatById(format)!, bytes }
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

/** A file by its name; whether a format knows it is asked when somebody wants it. */
type Named = Pick<BindFile, 'ref' | 'name' | 'folder'>

/** Members of archives that are looked into on the way, to find archives in archives; the rest of a larger one counts by names alone. */
const MOST_OPENED = 20_000

/** Every recognised file of a tree: files on disk and, recursively, members of archives. Unreadable ones are left out. */
export function* bindFilesBelow(store: FileStore, root: string, ignore?: (path: string) => boolean): Generator<BindFile> {
  for (const { ref } of filesBelow(store, root, ignore)) {
    const file = identified(store, ref)
    if (file) yield file
  }
}

function* filesBelow(store: FileStore, root: string, ignore?: (path: string) => boolean): Generator<Named> {
  const stat = store.exists(root)
  if (!stat) return
  const left = { members: MAX_MEMBERS, opened: MOST_OPENED }
  if (store.isFolder(root) && store.container(root) === undefined) {
    for (const { path } of walk(root, undefined, undefined, undefined, ignore)) yield* filesOf(store, path, { ...left })
  } else {
    yield* filesOf(store, root, left, true)
  }
}

/** The file itself, unless it is an archive; then what is in it. */
function* filesOf(store: FileStore, ref: string, left: { members: number; opened: number }, asked = false): Generator<Named> {
  let members
  try {
    if (!store.identify(ref)?.archive) {
      yield { ref, name: store.nameOf(ref), folder: store.folderOf(ref) }
      return
    }
    const open = store.openArchive(ref)!
    // the files of another directory, which are there once
    if (open.leader && !asked) return
    members = open.members
  } catch {
    return
  }
  for (const member of members) {
    if (left.members-- <= 0) return
    if (left.opened-- > 0) yield* filesOf(store, member.ref, left)
    // made here: asking the store for the folder would look at the disk for each member
    else yield { ref: member.ref, name: member.name, folder: folderOfKey(ref, member.key) }
  }
}

function identified(store: FileStore, ref: string): BindFile | undefined {
  try {
    const format = store.identify(ref)?.format
    return format && { ref, name: store.nameOf(ref), folder: store.folderOf(ref), format: format.id, kind: format.kind }
  } catch {
    return undefined
  }
}

/** Levels above a file's folder that a game's layout is looked for in: `art/<kind>/<two letters>` is the deepest known. */
const MOST_LEVELS = 3

/** The folder above the game's folders that `folder` is one of or stands in; `folder` itself where there is no such layout. */
function gameFolder(store: FileStore, folder: string): string {
  let below = folder
  for (let level = 0; level < MOST_LEVELS; level++) {
    const above = dirname(below)
    if (above === below) break
    const name = basename(below).toLowerCase()
    // by its name alone a folder is no part of a layout: another one has to stand beside it
    if (
      store.registry.families.some(
        ({ folders }) => folders?.includes(name) && subfolders(above).some((other) => other !== name && folders.includes(other)),
      )
    )
      return above
    below = above
  }
  return folder
}

function* both<T>(first: Iterable<T>, second: Iterable<T>): Generator<T> {
  yield* first
  yield* second
}

/** A model's textures may stand one or two folders above it, under its own name. */
function* namesakesAbove(store: FileStore, folder: string, stem: string): Generator<Named> {
  let above = dirname(folder)
  for (let level = 0; level < 2 && above !== dirname(above); level++, above = dirname(above)) {
    for (const name of entriesOf(above, false)) {
      if (stemOf(name) !== stem) continue
      yield* filesOf(store, join(above, name), { members: 0, opened: 0 })
    }
  }
}

function subfolders(folder: string): string[] {
  return entriesOf(folder, true).map((name) => name.toLowerCase())
}

function entriesOf(folder: string, folders: boolean): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      (folders ? entry.isDirectory() : entry.isFile() && !isTemporaryName(entry.name)) ? [entry.name] : [],
    )
  } catch {
    return []
  }
}

/** Files whose keys are read, the nearest to the middle first: all of an archive of a million members would take minutes. */
const MOST_KEYED = 20_000

export class MemoryNeighbourhood implements Neighbourhood {
  private readonly store: FileStore
  private readonly documents: DocumentCache
  /** every file once, by reference; null until somebody wants to know what it is */
  private readonly known = new Map<string, BindFile | null | undefined>()
  private readonly folders = new Map<string, Named[]>()
  private readonly stems = new Map<string, Named[]>()
  private readonly summaries = new Map<string, FileSummary | undefined>()
  private readonly middle: string
  private keys: { provides: Map<string, BindFile[]>; needs: Map<string, BindFile[]> } | undefined

  /** @param options.middle the folder that files are near to or far from where their keys are read */
  constructor(store: FileStore, files: Iterable<BindFile | Named>, options: { cacheBytes?: number; middle?: string } = {}) {
    this.store = store
    this.documents = new DocumentCache(store, options.cacheBytes)
    this.middle = options.middle ?? ''
    for (const file of files) {
      if (this.known.has(file.ref)) continue
      this.known.set(file.ref, 'format' in file ? file : null)
      push(this.folders, folderKey(file.folder), file)
      push(this.stems, stemOf(file.name), file)
    }
  }

  /** Over everything below a folder or archive, or around a file: what stands in its folder. */
  static of(store: FileStore, root: string, options: { cacheBytes?: number } = {}): MemoryNeighbourhood {
    return new MemoryNeighbourhood(store, filesBelow(store, root), { ...options, middle: root })
  }

  /**
   * Over the folder (or archive on disk) that a file stands in; where that is one of the folders that a game keeps side by side
   * (`Art/Models` and `Art/Textures`), over all of these. Files of the same name in the folders above come with it.
   */
  static around(store: FileStore, ref: string, options: { cacheBytes?: number } = {}): MemoryNeighbourhood {
    const disk = resolve(store.diskFile(ref))
    const folder = gameFolder(store, dirname(disk))
    return new MemoryNeighbourhood(store, both(filesBelow(store, folder), namesakesAbove(store, folder, stemOf(basename(disk)))), {
      ...options,
      middle: store.folderOf(ref),
    })
  }

  /** Every recognised file. */
  *all(): Generator<BindFile> {
    for (const ref of this.known.keys()) {
      const file = this.file(ref)
      if (file) yield file
    }
  }

  /** Every folder and archive with recognised files in it. */
  allFolders(): string[] {
    return [...this.folders.values()].flatMap((files) => (files.some(({ ref }) => this.file(ref)) ? [files[0].folder] : []))
  }

  /** Folders of the files whose keys are read, nearest first: where a model that a file belongs to is looked for. */
  nearFolders(): string[] {
    return [...new Set(this.nearest().map((file) => file.folder))]
  }

  inFolder(folder: string): readonly BindFile[] {
    return this.recognised(this.folders.get(folderKey(folder)))
  }

  byStem(stem: string, near: string): readonly BindFile[] {
    return nearestFirst(this.recognised(this.stems.get(stem.toLowerCase())), near)
  }

  providing(key: string, near: string): readonly BindFile[] {
    return nearestFirst(this.allKeys().provides.get(key.toLowerCase()) ?? [], near)
  }

  needing(key: string, near: string): readonly BindFile[] {
    return nearestFirst(this.allKeys().needs.get(key.toLowerCase()) ?? [], near)
  }

  private file(ref: string): BindFile | undefined {
    let file = this.known.get(ref)
    if (file === null) this.known.set(ref, (file = identified(this.store, ref)))
    return file
  }

  private recognised(files: readonly Named[] = []): BindFile[] {
    return files.flatMap(({ ref }) => this.file(ref) ?? [])
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

  /** Decodes everything once, or the nearest of very many: only asked for by families that bind by keys. */
  private allKeys(): { provides: Map<string, BindFile[]>; needs: Map<string, BindFile[]> } {
    if (this.keys) return this.keys
    const keys = { provides: new Map<string, BindFile[]>(), needs: new Map<string, BindFile[]>() }
    for (const file of this.recognised(this.nearest())) {
      const summary = this.summary(file.ref)
      for (const key of new Set(summary?.provides?.map(lower))) push(keys.provides, key, file)
      for (const key of new Set(summary?.needs?.map(lower))) push(keys.needs, key, file)
    }
    this.keys = keys
    return keys
  }

  private nearest(): Named[] {
    const near: Named[] = []
    for (const { files } of nearestFirst(
      [...this.folders.values()].map((files) => ({ files, folder: files[0].folder, ref: files[0].folder })),
      this.middle,
    )) {
      if (near.length >= MOST_KEYED) break
      for (const file of files.slice(0, MOST_KEYED - near.length)) near.push(file)
    }
    return near
  }
}

function lower(text: string): string {
  return text.toLowerCase()
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
