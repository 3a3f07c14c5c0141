/**
 * Copies of files that were dropped on a window that knows no paths (a browser): below the state folder, bounded, read-only once they are
 * opened, and cleared away after a while, but for those that became part of a model. What was dropped together stands together, so that a model
 * finds its textures.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { INBOX_LIMITS } from '../../shared/api/desktop.ts'
import { ioError } from '../files/sources.ts'
import { isInside } from '../files/store.ts'
import { safeName } from '../files/file-names.ts'
import { checkPath } from '../workspace/mod-package.ts'
import { say } from '../../shared/texts/say.ts'

const MOST_KEPT = 20
const KEPT_MS = 7 * 24 * 3600 * 1000
/** Another run on the same state folder may still show one. */
const YOUNG_MS = 24 * 3600 * 1000
const MOST_DEPTH = 32
/** Not named like the folders that are cleared away. */
const KEPT = 'kept'

interface Arriving {
  root: string
  files: number
  bytes: number
}

export class Inbox {
  readonly folder: string
  private readonly arriving = new Map<string, Arriving>()

  constructor(stateFolder: string) {
    this.folder = join(stateFolder, 'inbox')
  }

  holds(path: string): boolean {
    return isInside(this.folder, path)
  }

  /** Why a file is not edited, '' where it is no copy of a dropped one. */
  readOnly(ref: string): string {
    return this.holds(ref) ? say('given.inboxReadOnly') : ''
  }

  /** A copy that stayed for a model goes with its folder; of anything else nothing happens. */
  release(path: string): void {
    const kept = join(this.folder, KEPT)
    if (!isInside(kept, path)) return
    rmSync(path, { force: true })
    try {
      for (let folder = dirname(path); folder !== kept && isInside(kept, folder); folder = dirname(folder)) rmdirSync(folder)
    } catch {
      // others are in it
    }
  }

  /** @param open folders that are shown, which stay; `kept`: it is part of a model, whose user says when it goes */
  begin(name: string, open: readonly string[], kept = false): { id: string } {
    this.clear(open)
    const id = randomBytes(8).toString('hex')
    const root = kept ? join(this.folder, KEPT, id, safeName(name)) : join(this.folder, id, safeName(name))
    try {
      mkdirSync(root, { recursive: true, mode: 0o700 })
    } catch (error) {
      throw ioError(error, root)
    }
    this.arriving.set(id, { root, files: 0, bytes: 0 })
    return { id }
  }

  /** @throws FormatError not-found, refused (a path that leads elsewhere, too much), io */
  add(id: string, path: string, bytes: Uint8Array): void {
    const entry = this.get(id)
    checkPath(path)
    if (path.split('/').length > MOST_DEPTH) throw new FormatError('refused', say('given.tooDeep'), { path })
    if (entry.files + 1 > INBOX_LIMITS.files || entry.bytes + bytes.length > INBOX_LIMITS.bytes)
      throw new FormatError('refused', say('given.tooMuch'))
    const target = join(entry.root, ...path.split('/'))
    try {
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
      writeFileSync(target, bytes, { flag: 'wx', mode: 0o600 })
    } catch (error) {
      throw ioError(error, target)
    }
    entry.files++
    entry.bytes += bytes.length
  }

  /** Nothing more comes. @returns the folder, and the files that stand in it directly */
  finish(id: string): { root: string; files: string[] } {
    const { root } = this.get(id)
    this.arriving.delete(id)
    const files = readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(root, entry.name))
    return { root, files }
  }

  private get(id: string): Arriving {
    const entry = this.arriving.get(id)
    if (!entry) throw new FormatError('not-found', say('given.nothingArrives'))
    return entry
  }

  private clear(open: readonly string[]): void {
    try {
      const kept = readdirSync(this.folder)
        .filter((name) => /^[0-9a-f]{16}$/.test(name) && !this.arriving.has(name))
        .map((name) => ({ path: join(this.folder, name), age: Date.now() - statSync(join(this.folder, name)).mtimeMs }))
        .sort((a, b) => a.age - b.age)
      kept.forEach(({ path, age }, i) => {
        if (age < YOUNG_MS || (age < KEPT_MS && i < MOST_KEPT) || open.some((root) => isInside(path, root))) return
        rmSync(path, { recursive: true, force: true })
      })
    } catch {
      // not there yet, or not ours to clear: what arrives says whether it can be written
    }
  }
}
