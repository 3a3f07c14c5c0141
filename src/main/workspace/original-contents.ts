/**
 * The bytes of originals, each content once under its SHA-256, with a record of the targets that it stood at: enough to
 * build a target's own record anew. What is given out was hashed in this run; a damaged content is healed from wherever
 * else its bytes are (a pair that was copied, the base of a mod, the target itself), or said and never given out.
 *
 *   originals/content/<hash>/<file name>
 *   originals/content/.<process>-<mark>/       a copy that is being made
 *   originals/notes/<hash>.json                the targets that it stood at
 */
import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { chmod, copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { whileBusy } from '../files/busy.ts'
import { FormatError } from '../binary/format-error.ts'
import { ownMark, processLives } from '../files/process-lives.ts'
import { ioError } from '../files/sources.ts'
import { syncFolder } from './atomic.ts'
import { PRIVATE_FILE, PRIVATE_FOLDER } from './state-files.ts'
import type { StateFiles, StateKind } from './state-files.ts'
import { say } from '../../shared/texts/say.ts'

export const HASH = /^[0-9a-f]{64}$/
const NOTES = join('originals', 'notes')
/** A copy of a large archive may take long, but its process is there as long. */
const STALE_MS = 60 * 60_000

export interface KeptOriginal {
  hash: string
  size: number
  /** ms since 1970 */
  keptAt: number
  /** file name in the content folder: archives are read in place, and formats may weigh the name */
  name: string
}

/** What is known of a content by itself. */
interface Origins {
  hash: string
  name: string
  size: number
  origins: { target: string; keptAt: number }[]
}

const originsKind: StateKind<Origins> = {
  name: 'original-content',
  version: 1,
  label: 'originals.kinds.note',
  parse: (value) => {
    const { hash, name, origins } = (value ?? {}) as Partial<Origins>
    return typeof hash === 'string' && HASH.test(hash) && typeof name === 'string' && Array.isArray(origins)
      ? (value as Origins)
      : undefined
  },
}

export class OriginalContents {
  private readonly state: StateFiles
  private readonly folder: string
  /** contents that were hashed in this run and are what they should be, by path */
  private readonly checked = new Map<string, string>()
  private readonly told = new Set<string>()
  private known: Map<string, KeptOriginal[]> | undefined

  constructor(state: StateFiles) {
    this.state = state
    this.folder = join(state.root, 'originals', 'content')
  }

  path({ hash, name }: KeptOriginal): string {
    return join(this.folder, hash, name)
  }

  /** Copies what stands at `target`; it is the target's once that is noted. @throws FormatError changed-on-disk, io */
  async copyIn(target: string, hash: string): Promise<KeptOriginal> {
    const { size } = await stat(target)
    const present = (await this.namesOf(hash))[0]
    const kept: KeptOriginal = { hash, size, keptAt: Date.now(), name: present ?? basename(target) }
    if (present === undefined || !(await this.isWhole(this.path(kept), hash))) await this.put(target, kept)
    return kept
  }

  /**
   * Where an original lies, hashed once in this run; healed first where it is damaged and its bytes are elsewhere.
   * @param near other places that may have the same bytes
   * @throws FormatError io when no whole copy of it is left
   */
  async whole(kept: KeptOriginal, near: readonly string[] = []): Promise<string> {
    for (const name of [kept.name, ...(await this.namesOf(kept.hash))]) {
      const path = join(this.folder, kept.hash, name)
      if (await this.isWhole(path, kept.hash)) return path
    }
    const path = this.path(kept)
    for (const other of [...(await this.pairedCopies(kept)), join(this.state.root, 'bases', 'content', kept.hash), ...near]) {
      if ((await hashFile(other).catch(() => '')) !== kept.hash) continue
      await this.put(other, kept)
      this.report(path, say('originals.restoredFromCopy', { file: kept.name }), true)
      return path
    }
    this.report(path, say('originals.damagedNoCopy', { file: kept.name }), false)
    throw new FormatError('io', say('originals.damagedHash'), {
      file: path,
      expected: kept.hash,
    })
  }

  /** Whether a file is what its hash says; looked at once per version of it. */
  async isWhole(path: string, hash: string): Promise<boolean> {
    try {
      const { size, mtimeMs, ino } = await stat(path)
      const stamp = `${hash} ${size} ${mtimeMs} ${ino}`
      if (this.checked.get(path) === stamp) return true
      if ((await hashFile(path)) !== hash) return false
      this.checked.set(path, stamp)
      return true
    } catch {
      return false
    }
  }

  /** What the contents themselves tell of a target, oldest first. */
  of(target: string): KeptOriginal[] {
    return this.targets().get(target) ?? []
  }

  /** Targets that contents name. */
  targets(): Map<string, KeptOriginal[]> {
    if (this.known) return this.known
    this.known = new Map()
    for (const name of this.state.list(NOTES, /^[0-9a-f]{64}\.json$/)) {
      const read = this.state.read(join(NOTES, name), originsKind)
      if (read.state !== 'good' || `${read.value.hash}.json` !== name) continue
      const { hash, size, origins } = read.value
      for (const { target, keptAt } of origins) this.add(target, { hash, size, keptAt, name: read.value.name })
    }
    for (const list of this.known.values()) list.sort((a, b) => a.keptAt - b.keptAt)
    return this.known
  }

  /** Remembers with the content that it stood at a target. */
  async note(kept: KeptOriginal, target: string): Promise<void> {
    const file = this.noteFile(kept.hash)
    const read = this.state.read(file, originsKind)
    const origins = read.state === 'good' ? read.value.origins : []
    if (origins.some((o) => o.target === target)) return
    const { hash, name, size, keptAt } = kept
    await this.state.write(file, { hash, name, size, origins: [...origins, { target, keptAt }] }, originsKind)
    this.targets()
    this.add(target, kept)
  }

  /** All contents by their hashes. */
  async hashes(): Promise<string[]> {
    return (await readdir(this.folder).catch(() => [] as string[])).filter((name) => HASH.test(name)).sort()
  }

  /** Whether anything was noted of a content. */
  hasNote(hash: string): boolean {
    return this.state.read(this.noteFile(hash), originsKind).state === 'good'
  }

  /** A content that nothing names is said once. */
  async noteOrphan(hash: string): Promise<void> {
    const name = (await this.namesOf(hash))[0]
    const found = name === undefined ? undefined : await stat(join(this.folder, hash, name)).catch(() => undefined)
    if (!found) return
    await this.state.write(this.noteFile(hash), { hash, name: name, size: found.size, origins: [] }, originsKind)
    this.report(join(this.folder, hash), say('originals.belongsToNone', { file: name }), true)
  }

  /** Removes copies that were being made by processes that are gone. */
  async sweep(): Promise<void> {
    for (const name of await readdir(this.folder).catch(() => [] as string[])) {
      const maker = /^\.(?:(\d+)-)?([0-9a-f]{12})$/.exec(name)
      if (!maker) continue
      const path = join(this.folder, name)
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
      if (maker[1] !== undefined ? !processLives(Number(maker[1]), maker[2]) : Date.now() - mtimeMs > STALE_MS)
        await rm(path, { recursive: true, force: true }).catch(() => {})
    }
    this.state.sweep(NOTES)
  }

  /** Brings bytes in under their hash; what stood there is moved aside. */
  private async put(from: string, kept: KeptOriginal): Promise<void> {
    this.state.make('originals', 'content')
    const place = join(this.folder, kept.hash)
    const temporary = join(this.folder, `.${process.pid}-${ownMark()}`)
    try {
      await mkdir(temporary, { recursive: true, mode: PRIVATE_FOLDER })
      const copy = join(temporary, kept.name)
      // a file system that shares blocks needs no second copy of a large archive
      await copyFile(from, copy, constants.COPYFILE_FICLONE)
      await chmod(copy, PRIVATE_FILE)
      const handle = await open(copy, 'r+')
      await handle.sync().finally(() => handle.close())
      if ((await hashFile(copy)) !== kept.hash) throw new FormatError('changed-on-disk', say('originals.changedWhileKept'), { file: from })
      // an empty folder is nothing that was damaged
      if ((await readdir(place).catch(() => [] as string[])).length > 0) this.state.setAside(join('originals', 'content', kept.hash))
      else await rm(place, { recursive: true, force: true })
      await whileBusy(() => rename(temporary, place))
      await syncFolder(this.folder)
    } catch (error) {
      await rm(temporary, { recursive: true, force: true })
      throw ioError(error, from)
    }
  }

  private async pairedCopies({ hash, name }: KeptOriginal): Promise<string[]> {
    const folder = join(this.state.root, 'originals', 'pairs')
    const names = await readdir(folder).catch(() => [] as string[])
    return names.filter((pair) => pair.includes(hash)).map((pair) => join(folder, pair, name))
  }

  private async namesOf(hash: string): Promise<string[]> {
    return (await readdir(join(this.folder, hash)).catch(() => [] as string[])).sort()
  }

  private noteFile(hash: string): string {
    return join(NOTES, `${hash}.json`)
  }

  private add(target: string, kept: KeptOriginal): void {
    const list = this.known!.get(target) ?? []
    if (!list.some((k) => k.hash === kept.hash)) list.push(kept)
    this.known!.set(target, list)
  }

  private report(file: string, message: string, restored: boolean): void {
    if (this.told.has(file + message)) return
    this.told.add(file + message)
    this.state.report({ file, kept: file, restored, message })
  }
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** SHA-256 of a file by stream. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Uint8Array)
  return hash.digest('hex')
}
