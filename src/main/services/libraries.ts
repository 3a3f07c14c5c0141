/** The folders that are open as libraries. Files are opened and saved only inside of these and of the mod folder. */
import { statSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { basename, isAbsolute, join } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { isInside, realPath } from '../files/store.ts'
import type { FileStore } from '../files/store.ts'
import type { ModelBinding, Neighbourhood } from '../formats/binding.ts'
import type { LibraryFolder, LibraryInfo, LibraryPage, LibraryQuery, ScanProgress, ScanReport } from '../../shared/api/types/library.ts'
import { libraryId } from '../library/library.ts'
import { say } from '../../shared/texts/say.ts'

/** What the services need of an indexed folder. */
export interface IndexedLibrary {
  info(): LibraryInfo
  /** path of the index; absent where it is in memory */
  readonly database?: string
  scan(options: { signal?: AbortSignal; onProgress?: (progress: ScanProgress) => void; full?: boolean }): Promise<ScanReport>
  query(query: Omit<LibraryQuery, 'library'>): LibraryPage
  /** number of the row whose name begins with a text, the first from `from` on, else of all; -1 for none */
  seek(query: Omit<LibraryQuery, 'library' | 'offset' | 'limit'>, begin: string, from: number): number
  /** number of the row of a file, or of the model that it is the primary one of; -1 where it is not listed */
  place(query: Omit<LibraryQuery, 'library' | 'offset' | 'limit'>, ref: string): number
  /** the folders in one, '' for the root, with how much of what is listed stands below each; the one that it is narrowed to in any case */
  folders(query: Omit<LibraryQuery, 'library' | 'offset' | 'limit'>, place: string): LibraryFolder[]
  /** models by their primary files, without those that are none */
  modelRows(refs: readonly string[]): { ref: string; name: string; where: string }[]
  neighbourhood(): Neighbourhood
  modelOf(ref: string): ModelBinding[]
  /** changes with every file of the model that a file is primary of, or part of; no file is opened for it */
  stamp(ref: string): string
  close(): void | Promise<void>
}

export type OpenLibrary = (root: string, databaseFile: string, id: string) => IndexedLibrary | Promise<IndexedLibrary>

export interface LibraryEntry {
  id: string
  root: string
  name: string
  index: IndexedLibrary
}

export class Libraries {
  private readonly store: FileStore
  private readonly stateFolder: string
  private readonly openIndex: OpenLibrary
  private readonly entries = new Map<string, Promise<LibraryEntry>>()
  private readonly ready = new Map<string, LibraryEntry>()

  constructor(store: FileStore, stateFolder: string, openIndex: OpenLibrary) {
    this.store = store
    this.stateFolder = stateFolder
    this.openIndex = openIndex
  }

  /** @throws FormatError invalid-argument, not-found, io */
  async open(path: string): Promise<LibraryEntry> {
    const root = checkFolder(path)
    const id = libraryId(root)
    let entry = this.entries.get(id)
    if (!entry) {
      entry = this.create(root, id)
      this.entries.set(id, entry)
      entry.then(
        (made) => this.ready.set(id, made),
        () => this.entries.delete(id),
      )
    }
    return entry
  }

  /** @throws FormatError not-found */
  get(id: string): LibraryEntry {
    const entry = this.ready.get(id)
    if (!entry) throw new FormatError('not-found', say('calls.libraryNotOpen'))
    return entry
  }

  all(): LibraryEntry[] {
    return [...this.ready.values()]
  }

  /** The innermost library that a file stands in. */
  holding(disk: string): LibraryEntry | undefined {
    return this.all()
      .filter((entry) => isInside(entry.root, disk))
      .sort((a, b) => b.root.length - a.root.length)[0]
  }

  /**
   * A reference from the window: absolute, there, and (links followed) in a library.
   * @returns the reference as the file store has it
   * @throws FormatError invalid-argument, not-found, refused
   */
  checkRef(ref: string): { ref: string; library: LibraryEntry } {
    if (!isAbsolute(ref)) throw new FormatError('invalid-argument', say('calls.wholeFilePath'), { file: ref })
    const disk = this.store.diskFile(ref)
    const library = this.holding(realPath(disk))
    if (!library) throw new FormatError('refused', say('given.inNoLibrary'), { file: ref })
    return { ref: this.store.canonical(ref), library }
  }

  /** Closes a library and drops its index. @returns its root */
  async forget(path: string): Promise<string> {
    let root = path
    try {
      root = realPath(path)
    } catch {
      // a folder that is gone can still be forgotten
    }
    const id = libraryId(root)
    const entry = await this.entries.get(id)?.catch(() => undefined)
    this.entries.delete(id)
    this.ready.delete(id)
    await entry?.index.close()
    for (const tail of ['', '-wal', '-shm', '.seal']) await rm(this.databaseFile(id) + tail, { force: true })
    return root
  }

  async close(): Promise<void> {
    for (const entry of this.entries.values()) await (await entry.catch(() => undefined))?.index.close()
    this.entries.clear()
    this.ready.clear()
  }

  private async create(root: string, id: string): Promise<LibraryEntry> {
    await mkdir(join(this.stateFolder, 'libraries'), { recursive: true, mode: 0o700 })
    return { id, root, name: basename(root) || root, index: await this.openIndex(root, this.databaseFile(id), id) }
  }

  private databaseFile(id: string): string {
    return join(this.stateFolder, 'libraries', `${id}.sqlite`)
  }
}

/** A folder named by the window, links followed. @throws FormatError invalid-argument, not-found, io */
export function checkFolder(path: string): string {
  if (!isAbsolute(path)) throw new FormatError('invalid-argument', say('calls.wholeFolderPath'), { file: path })
  const real = realPath(path)
  if (!statSync(real).isDirectory()) throw new FormatError('invalid-argument', say('files.noFolder', { folder: path }), { file: path })
  return real
}
