/**
 * Originals of files that were saved over: each content once, by its SHA-256, never deleted, and per target which
 * contents it had before somebody else's bytes were replaced. One small file per target, so that a crash can spoil none
 * of the others.
 *
 *   originals/content/<hash>/<file name>
 *   originals/pairs/<hash>-<hash>/            an archive of two files, linked from there so that it can be read
 *   originals/targets/<hash of the target's path>.json
 */
import { createHash, randomBytes } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { ioError } from '../files/sources.ts'
import { replaceFile, sweepTemporaries, syncFolder, writeAll } from './atomic.ts'

export interface KeptOriginal {
  hash: string
  size: number
  /** ms since 1970 */
  keptAt: number
  /** file name in the content folder: archives are read in place, and formats may weigh the name */
  name: string
}

export interface OriginalEntry {
  version: 1
  /** absolute path on disk */
  target: string
  /** the data file, for the directory file of an archive of two: they are kept and restored together */
  companion?: string
  /** the file did not exist before Marrow wrote it (mod folder) */
  created: boolean
  /** oldest first; more than one when the file was changed by others between saves */
  kept: KeptOriginal[]
  /** SHA-256 of what Marrow wrote last, '' when nothing was written yet */
  written: string
  /** SHA-256 of what was about to be written: a crash may have come before or after it took its place */
  coming: string
  /** size and time of that file: a large archive need not be hashed again while they hold */
  stamp?: { size: number; mtimeMs: number }
}

export class Originals {
  private readonly folder: string

  constructor(stateFolder: string) {
    this.folder = join(stateFolder, 'originals')
  }

  async entry(target: string): Promise<OriginalEntry | undefined> {
    return readEntry(this.entryPath(target))
  }

  /** All targets that were ever written, in no order. */
  async list(): Promise<OriginalEntry[]> {
    const folder = join(this.folder, 'targets')
    const names = await readdir(folder).catch(() => [] as string[])
    const entries = await Promise.all(names.filter((name) => name.endsWith('.json')).map((name) => readEntry(join(folder, name))))
    return entries.filter((entry) => entry !== undefined)
  }

  /**
   * Keeps what stands at `target` unless it is kept already or Marrow wrote it. To be called before each write.
   * @returns whether the content was kept now
   */
  async keep(target: string): Promise<boolean> {
    const known = await this.entry(target)
    const there = await stat(target).catch(() => undefined)
    if (!there) {
      if (!known) await this.write({ version: 1, target, created: true, kept: [], written: '', coming: '' })
      return false
    }
    if (known?.stamp && known.stamp.size === there.size && known.stamp.mtimeMs === there.mtimeMs) return false
    const hash = await hashFile(target)
    if (known?.coming === hash) {
      await this.write({ ...known, written: hash, coming: '' })
      return false
    }
    if (known && (known.written === hash || known.kept.some((k) => k.hash === hash))) return false
    const kept = await this.copyIn(target, hash)
    await this.write({
      created: false,
      written: '',
      ...known,
      version: 1,
      target,
      coming: '',
      stamp: undefined,
      kept: [...(known?.kept ?? []), kept],
    })
    return true
  }

  /** Remembers what Marrow writes, so that its own work is never taken for an original. To be called before the write takes the target's place. */
  async noteComing(target: string, hash: string): Promise<void> {
    const known = await this.entry(target)
    if (known) await this.write({ ...known, coming: hash, stamp: undefined })
  }

  /** The write has taken its place. */
  async noteWritten(target: string): Promise<void> {
    const known = await this.entry(target)
    if (!known) return
    const { size, mtimeMs } = await stat(target)
    await this.write({ ...known, written: known.coming, coming: '', stamp: { size, mtimeMs } })
  }

  /** Notes that two targets, both kept, are one archive. */
  async pair(directory: string, data: string): Promise<void> {
    const known = await this.entry(directory)
    if (!known || known.companion === data) return
    await this.write({ ...known, companion: data })
    const parts = [known.kept[0], (await this.entry(data))?.kept[0]]
    const folder = this.pairFolder(parts)
    if (!folder) return
    await mkdir(folder, { recursive: true })
    for (const part of parts) {
      const [from, to] = [join(this.folder, 'content', part!.hash, part!.name), join(folder, part!.name)]
      await link(from, to).catch(async (error: { code?: string }) => {
        if (error.code !== 'EEXIST') await copyFile(from, to, constants.COPYFILE_FICLONE)
      })
    }
  }

  private pairFolder([a, b]: (KeptOriginal | undefined)[]): string | undefined {
    return a && b ? join(this.folder, 'pairs', `${a.hash}-${b.hash}`) : undefined
  }

  /** Where the first original of a target lies; undefined without one. */
  async pathOf(target: string): Promise<string | undefined> {
    const entry = await this.entry(target)
    const first = entry?.kept[0]
    if (!first) return undefined
    if (!entry.companion) return join(this.folder, 'content', first.hash, first.name)
    const folder = this.pairFolder([first, (await this.entry(entry.companion))?.kept[0]])
    return folder && join(folder, first.name)
  }

  /**
   * Puts the first original back in place of the target, atomically; what stands there now is kept if it is nobody's yet.
   * A file that Marrow created is removed.
   */
  async restore(target: string): Promise<void> {
    const entry = await this.entry(target)
    if (!entry) throw new FormatError('not-found', 'no original of this file was kept', { file: target })
    if (entry.companion) await this.restore(entry.companion)
    await this.keep(target)
    const first = entry.kept[0]
    if (!first) {
      await rm(target, { force: true })
      return
    }
    const from = join(this.folder, 'content', first.hash, first.name)
    if ((await hashFile(from)) !== first.hash)
      throw new FormatError('io', 'the kept original is damaged: its hash is not the one that was recorded', {
        file: from,
        expected: first.hash,
      })
    await replaceFile(target, async (handle) => {
      for await (const chunk of createReadStream(from, { highWaterMark: 1 << 20 })) await writeAll(handle, chunk as Uint8Array)
    })
  }

  private async copyIn(target: string, hash: string): Promise<KeptOriginal> {
    const name = basename(target)
    const place = join(this.folder, 'content', hash)
    const present = await readdir(place).catch(() => [] as string[])
    const { size } = await stat(target)
    if (present.length > 0 && (await hashFile(join(place, present[0]))) === hash)
      return { hash, size, keptAt: Date.now(), name: present[0] }
    const temporary = join(this.folder, 'content', `.${randomBytes(6).toString('hex')}`)
    try {
      await mkdir(temporary, { recursive: true })
      const copy = join(temporary, name)
      // a file system that shares blocks needs no second copy of a large archive
      await copyFile(target, copy, constants.COPYFILE_FICLONE)
      const handle = await open(copy, 'r+').catch(() => undefined)
      await handle?.sync()
      await handle?.close()
      if ((await hashFile(copy)) !== hash)
        throw new FormatError('changed-on-disk', 'the file changed while its original was kept', { file: target })
      await rm(place, { recursive: true, force: true })
      await rename(temporary, place)
      await syncFolder(join(this.folder, 'content'))
    } catch (error) {
      await rm(temporary, { recursive: true, force: true })
      throw ioError(error, target)
    }
    return { hash, size, keptAt: Date.now(), name }
  }

  private async write(entry: OriginalEntry): Promise<void> {
    await mkdir(join(this.folder, 'targets'), { recursive: true })
    const path = this.entryPath(entry.target)
    await sweepTemporaries(path)
    await replaceFile(path, (handle) => writeAll(handle, Buffer.from(JSON.stringify(entry, null, 1))))
  }

  private entryPath(target: string): string {
    return join(this.folder, 'targets', `${sha256(Buffer.from(target))}.json`)
  }
}

async function readEntry(path: string): Promise<OriginalEntry | undefined> {
  try {
    const entry = JSON.parse(await readFile(path, 'utf8')) as OriginalEntry
    return entry.version === 1 && Array.isArray(entry.kept) ? entry : undefined
  } catch {
    return undefined
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
