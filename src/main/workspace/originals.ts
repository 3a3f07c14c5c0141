/**
 * Originals of files that were saved over: per target which contents it had before somebody else's bytes were replaced.
 * The contents are never deleted (original-contents.ts). One small checked file per target with a copy beside it, so that
 * neither a crash nor a damaged file can spoil another's; a record that is gone is built anew from what the contents tell.
 *
 *   originals/targets/<hash of the target's path>.json
 *   originals/pairs/<hash>-<hash>/            an archive of two files, linked from the contents so that it can be read
 */
import { constants, createReadStream, existsSync, statSync } from 'node:fs'
import { copyFile, link, readdir, rename, rm, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { replaceFiles, writeAll } from './atomic.ts'
import type { Replacement, ReplaceOptions } from './atomic.ts'
import type { DiskStamp } from '../files/sources.ts'
import { HASH, hashFile, OriginalContents, sha256 } from './original-contents.ts'
import type { KeptOriginal } from './original-contents.ts'
import type { StateFiles, StateKind } from './state-files.ts'
import { say } from '../../shared/texts/say.ts'

export { hashFile, sha256 } from './original-contents.ts'

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
  /** the record was damaged beyond repair: what is kept here may have been edited already, and is no original for sure */
  lost?: true
  /** size and time of what Marrow wrote last: a large archive need not be hashed again while they hold */
  stamp?: DiskStamp
  /** the same of the file before that write: it is so again when the write is taken back, and still so when it never came about */
  before?: DiskStamp
  /** of what was about to be written, which has it already: it is Marrow's work also when nobody could note that it took its place */
  next?: DiskStamp
}

/** A time that was put back onto a file has lost what is below a microsecond. */
const SAME_TIME_MS = 0.01

const TARGETS = join('originals', 'targets')
const RECORD = /^[0-9a-f]{64}\.json$/

/** @param id of the record's file: it names the target once more */
function entryKind(id: string): StateKind<OriginalEntry> {
  return {
    name: 'original-target',
    version: 1,
    label: 'originals.kinds.original',
    parse: (value) => {
      const { version, target, created, kept, written, coming, companion } = (value ?? {}) as Partial<OriginalEntry>
      const fine =
        version === 1 &&
        typeof target === 'string' &&
        idOf(target) === id &&
        typeof created === 'boolean' &&
        [written, coming].every((hash) => typeof hash === 'string' && (hash === '' || HASH.test(hash))) &&
        (companion === undefined || typeof companion === 'string') &&
        Array.isArray(kept) &&
        kept.every(({ hash, name }) => HASH.test(hash) && typeof name === 'string' && name !== '' && basename(name) === name)
      return fine ? (value as OriginalEntry) : undefined
    },
  }
}

function idOf(target: string): string {
  return sha256(Buffer.from(target))
}

/** Whether a file is what Marrow wrote, as far as its size and time say so. */
function isStamped({ stamp, before, next }: OriginalEntry, there: DiskStamp): boolean {
  return [stamp, before, next].some((one) => one?.size === there.size && Math.abs(one.mtimeMs - there.mtimeMs) < SAME_TIME_MS)
}

/** The content that is the original; undefined where there is none, or where nobody can tell any more. */
export function firstOf(entry: OriginalEntry | undefined): KeptOriginal | undefined {
  return entry && !entry.lost ? entry.kept[0] : undefined
}

export class Originals {
  private readonly state: StateFiles
  private readonly contents: OriginalContents

  constructor(state: StateFiles) {
    this.state = state
    this.contents = new OriginalContents(state)
  }

  /** What is known of a target; a record that is damaged or gone is built anew as far as anything tells. */
  async entry(target: string): Promise<OriginalEntry | undefined> {
    const id = idOf(target)
    const read = this.state.read(this.file(id), entryKind(id))
    if (read.state === 'good') return this.proven(read.value)
    if (read.state === 'closed') throw read.error
    if (read.state === 'missing' && this.contents.of(target).length === 0) return undefined
    const entry = await this.rebuilt(target, read.state === 'damaged' ? read.texts : [])
    this.state.report({
      file: join(this.state.root, this.file(id)),
      kept: '',
      restored: !entry.lost,
      message: entry.lost ? say('originals.cannotBeTold', { target }) : say('originals.recordRebuilt', { target }),
    })
    await this.write(entry)
    return entry
  }

  /** Whether Marrow made the file that stands there, and nobody else wrote to it since. */
  isOwn(target: string): boolean {
    const id = idOf(target)
    const read = this.state.read(this.file(id), entryKind(id))
    const there = statSync(target, { throwIfNoEntry: false })
    if (read.state !== 'good' || !read.value.created || !there) return false
    return isStamped(read.value, there)
  }

  /** All targets that were ever written, in no order. */
  async list(): Promise<OriginalEntry[]> {
    const found = new Map<string, OriginalEntry>()
    for (const name of this.state.list(TARGETS, RECORD)) {
      const id = name.slice(0, 64)
      const read = this.state.read(join(TARGETS, name), entryKind(id))
      if (read.state === 'good') found.set(read.value.target, await this.proven(read.value))
      else if (read.state === 'damaged') {
        const target = await this.targetOf(id, read.texts)
        const entry = target === undefined ? undefined : await this.rebuilt(target, read.texts)
        if (!entry) {
          this.state.report({
            file: join(this.state.root, TARGETS, name),
            kept: '',
            restored: false,
            message: say('originals.recordOfNone'),
          })
          continue
        }
        await this.write(entry)
        found.set(entry.target, entry)
      }
    }
    for (const target of this.contents.targets().keys()) {
      const entry = found.has(target) ? undefined : await this.entry(target)
      if (entry) found.set(target, entry)
    }
    return [...found.values()]
  }

  /** Clears away what interrupted writes left, mends what can be mended, and says what cannot. */
  async check(): Promise<void> {
    this.state.sweep(TARGETS)
    await this.contents.sweep()
    const entries = await this.list()
    const named = new Set(entries.flatMap(({ kept }) => kept.map((k) => k.hash)))
    // stores of earlier versions have no notes beside their contents
    for (const { target, kept, lost } of entries) if (!lost) for (const k of kept) await this.contents.note(k, target)
    for (const hash of await this.contents.hashes())
      if (!named.has(hash) && !this.contents.hasNote(hash)) await this.contents.noteOrphan(hash)
  }

  /**
   * Keeps what stands at `target` unless it is kept already or Marrow wrote it. To be called before each write.
   * @param companion the data file where the target is the directory file of an archive of two
   * @returns whether the content was kept now
   */
  async keep(target: string, companion?: string): Promise<boolean> {
    const known = await this.entry(target)
    const there = await stat(target).catch(() => undefined)
    if (!there) {
      if (!known) await this.write({ version: 1, target, companion, created: true, kept: [], written: '', coming: '' })
      return false
    }
    if (known && isStamped(known, there)) return false
    const hash = await hashFile(target)
    if (known?.coming === hash) {
      await this.write({ ...known, written: hash, coming: '' })
      return false
    }
    const same = known?.kept.find((k) => k.hash === hash)
    if (same) await this.contents.whole(same, [target])
    if (known && (known.written === hash || same)) return false
    const kept = await this.contents.copyIn(target, hash)
    const data = companion === undefined ? undefined : (await this.entry(companion))?.kept[0]
    // before anything says that the content is this target's: a directory alone could not be read
    if (data) await this.pairFolder(known?.kept[0] ?? kept, data)
    await this.contents.note(kept, target)
    await this.write({
      created: false,
      written: '',
      ...known,
      version: 1,
      target,
      companion: companion ?? known?.companion,
      coming: '',
      stamp: undefined,
      before: undefined,
      next: undefined,
      kept: [...(known?.kept ?? []), kept],
    })
    return true
  }

  /**
   * Remembers what Marrow writes, so that its own work is never taken for an original. To be called before the write takes the target's place.
   * @param next of the new file, where it keeps that: a large one need not be hashed for it
   */
  async noteComing(target: string, hash: string, next?: DiskStamp): Promise<void> {
    const known = await this.entry(target)
    // what a write where it stood left has no hash by which it would be known again if this one does not come about
    if (known) await this.write({ ...known, coming: hash, stamp: undefined, before: known.stamp ?? known.next ?? known.before, next })
  }

  /**
   * The target was written where it stands, and the way back from that is about to be taken away. What the whole file hashes to is not known then,
   * and nobody reads it for that: while size and time hold it is Marrow's work, and once they do not, what stands there is kept as another content.
   */
  async noteInPlace(target: string, before: DiskStamp, stamp: DiskStamp): Promise<void> {
    const known = await this.entry(target)
    if (known) await this.write({ ...known, coming: '', stamp, before, next: undefined })
  }

  /** The write has taken its place. */
  async noteWritten(target: string): Promise<void> {
    const known = await this.entry(target)
    if (!known) return
    const { size, mtimeMs } = await stat(target)
    await this.write({ ...known, written: known.coming, coming: '', stamp: { size, mtimeMs }, before: undefined, next: undefined })
  }

  /** `keep` for an archive of a data file and directories. The data file comes first: whatever is killed when, no directory is kept without it. */
  async keepTogether(data: string, directories: readonly string[]): Promise<void> {
    await this.keep(data)
    for (const directory of directories) {
      await this.keep(directory, data)
      const known = await this.entry(directory)
      if (!known || known.companion === data) continue
      // the record is older than the knowledge that the file is one of several
      const [first, second] = [known.kept[0], (await this.entry(data))?.kept[0]]
      if (first && second) await this.pairFolder(first, second)
      await this.write({ ...known, companion: data })
    }
  }

  /**
   * Where the first original of a target lies, whole; undefined without one.
   * @throws FormatError io where there was one and it is damaged, or nobody can tell any more which it was
   */
  async pathOf(target: string): Promise<string | undefined> {
    const entry = await this.entry(target)
    if (entry?.lost) throw unknownOriginal(target)
    const first = entry?.kept[0]
    if (!first) return undefined
    if (!entry.companion) return this.contents.whole(first, [target])
    const second = firstOf(await this.entry(entry.companion))
    if (!second) throw new FormatError('io', say('originals.dataFileUnknown'), { file: entry.companion })
    return join(await this.pairFolder(first, second), first.name)
  }

  /**
   * Puts the first original back in place of the target, atomically, an archive of several files as one; what stands there now
   * is kept if it is nobody's yet. A file that Marrow created is removed.
   */
  async restore(target: string, options: ReplaceOptions = {}): Promise<void> {
    const entry = await this.entry(target)
    if (!entry) throw new FormatError('not-found', say('originals.noneKept'), { file: target })
    const data = entry.companion ? await this.entry(entry.companion) : undefined
    const parts = data ? [data, ...(await this.directoriesOf(data.target, entry))] : [entry]
    const list: Replacement[] = []
    const created: string[] = []
    // all parts of an archive are there before the first is replaced
    for (const part of parts) {
      if (part.lost) throw unknownOriginal(part.target)
      const first = part.kept[0]
      const from = first && (await this.contents.whole(first, [part.target]))
      if (!from) {
        created.unshift(part.target)
        continue
      }
      const write = async (handle: FileHandle): Promise<void> => {
        for await (const chunk of createReadStream(from, { highWaterMark: 1 << 20 })) await writeAll(handle, chunk as Uint8Array)
      }
      list.push({ target: part.target, write })
    }
    for (const part of parts) await this.keep(part.target)
    if (list.length > 0) await replaceFiles(list, undefined, options)
    // the directory first: it never names a data file that is gone
    for (const path of created) await rm(path, { force: true })
  }

  /** All directories over a data file that were kept with it: one alone would name places of the other state. */
  private async directoriesOf(data: string, entry: OriginalEntry): Promise<OriginalEntry[]> {
    const others = (await this.list()).filter(({ target, companion }) => companion === data && target !== entry.target)
    return [...others, entry]
  }

  /** The folder in which both parts of an archive stand beside each other, whole. */
  private async pairFolder(...parts: [KeptOriginal, KeptOriginal]): Promise<string> {
    const folder = this.state.make('originals', 'pairs', parts.map((part) => part.hash).join('-'))
    for (const part of parts) {
      const from = await this.contents.whole(part)
      const to = join(folder, part.name)
      if (await this.contents.isWhole(to, part.hash)) continue
      // a link to, or a copy of, what was damaged
      await rename(to, `${to}.damaged-${Date.now().toString(36)}`).catch(() => {})
      await link(from, to).catch(() => copyFile(from, to, constants.COPYFILE_FICLONE))
    }
    return folder
  }

  /**
   * A record of an earlier version, without a checksum, may say anything: contents that it names and that are not there are looked for
   * under a name that is one digit off, and a companion that nothing is known of by the pair.
   */
  private async proven(entry: OriginalEntry): Promise<OriginalEntry> {
    const { companion } = entry
    if (companion !== undefined && entry.kept[0] && !this.hasRecord(companion)) {
      const found = await this.companionOf(entry.target, entry.kept[0].hash, [])
      return this.proven({ ...entry, companion: found })
    }
    const strange = entry.kept.filter(({ hash }) => !existsSync(join(this.state.root, 'originals', 'content', hash)))
    if (strange.length === 0) return entry
    const hashes = await this.contents.hashes()
    const kept = entry.kept.map((k) => {
      const near = strange.includes(k) ? hashes.filter((hash) => digitsApart(hash, k.hash) === 1) : []
      return near.length === 1 ? { ...k, hash: near[0] } : k
    })
    return { ...entry, kept }
  }

  /** What can be told of a target without its record: by the damaged texts of it, and by the contents. */
  private async rebuilt(target: string, texts: readonly string[]): Promise<OriginalEntry> {
    const noted = this.contents.of(target)
    const kept = noted.length > 0 ? noted : await this.salvaged(texts)
    const created = kept.length === 0 && texts.some((text) => /"created": ?true/.test(text) && /"kept": ?\[\]/.test(text))
    // hashes of what Marrow wrote itself, which must not be kept as an original
    const said = (field: string): string =>
      texts.map((text) => new RegExp(`"${field}": ?"([0-9a-f]{64})"`).exec(text)?.[1]).find((hash) => hash !== undefined) ?? ''
    const entry: OriginalEntry = { version: 1, target, created, kept, written: said('written'), coming: said('coming') }
    // nothing tells whether Marrow wrote this file: it must not become an original
    if (kept.length === 0 && (!created || entry.written === '')) entry.lost = true
    const companion = kept[0] && (await this.companionOf(target, kept[0].hash, texts))
    return companion ? { ...entry, companion } : entry
  }

  /** Contents that a damaged text still names, by either half of their hash, in its order. */
  private async salvaged(texts: readonly string[]): Promise<KeptOriginal[]> {
    for (const text of texts) {
      const places: { at: number; hash: string }[] = []
      for (const hash of await this.contents.hashes()) {
        const [front, back] = [text.indexOf(hash.slice(0, 32)), text.indexOf(hash.slice(32))]
        const at = front >= 0 ? front : back >= 0 ? back - 32 : -1
        // what Marrow wrote stands in the record, too, and may be another target's original
        if (at >= 0 && !/"(?:written|coming)": ?"$/.test(text.slice(0, at))) places.push({ at, hash })
      }
      places.sort((a, b) => a.at - b.at)
      // a name of a field that was damaged could hide what a hash is of: then only a single one is sure
      const sure = places.filter(({ at }) => /"hash": ?"$/.test(text.slice(0, at)))
      const found = sure.length === places.length || places.length === 1 ? places : []
      if (found.length === 0) continue
      const kept: KeptOriginal[] = []
      for (const { hash } of found) {
        const folder = join(this.state.root, 'originals', 'content', hash)
        const name = (await readdir(folder)).sort()[0]
        if (name === undefined) continue
        const { size, mtimeMs } = await stat(join(folder, name))
        kept.push({ hash, size, keptAt: Math.round(mtimeMs), name })
      }
      if (kept.length > 0) return kept
    }
    return []
  }

  /** The target that a damaged record is of: its path is in the text, whole, or the contents name it. */
  private async targetOf(id: string, texts: readonly string[]): Promise<string | undefined> {
    for (const text of texts)
      for (const [quoted] of text.matchAll(/"(?:[^"\\]|\\.)*"/g)) {
        try {
          const value = JSON.parse(quoted) as string
          if (idOf(value) === id) return value
        } catch {
          // no string any more
        }
      }
    return [...this.contents.targets().keys()].find((target) => idOf(target) === id)
  }

  /** The data file that a directory file was paired with: the pair's folder says which content it had. */
  private async companionOf(target: string, hash: string, texts: readonly string[]): Promise<string | undefined> {
    const pairs = await readdir(join(this.state.root, 'originals', 'pairs')).catch(() => [] as string[])
    const data = pairs.find((name) => name.startsWith(`${hash}-`))?.slice(hash.length + 1)
    if (data === undefined) return undefined
    const told = [...this.contents.targets()].map(([other, kept]) => ({ other, first: kept[0]?.hash }))
    const recorded = this.state.list(TARGETS, RECORD).flatMap((name) => {
      const entry = this.state.peek(join(TARGETS, name), entryKind(name.slice(0, 64)))
      return entry ? [{ other: entry.target, first: entry.kept[0]?.hash }] : []
    })
    const beside = [...told, ...recorded].find(
      ({ other, first }) => other !== target && dirname(other) === dirname(target) && first === data,
    )
    if (beside) return beside.other
    const named = texts.map((text) => /"companion": ?("(?:[^"\\]|\\.)*")/.exec(text)?.[1]).find((quoted) => quoted !== undefined)
    try {
      const value = named === undefined ? undefined : (JSON.parse(named) as string)
      return value !== undefined && this.hasRecord(value) ? value : undefined
    } catch {
      return undefined
    }
  }

  private hasRecord(target: string): boolean {
    return existsSync(join(this.state.root, this.file(idOf(target))))
  }

  private write(entry: OriginalEntry): Promise<void> {
    const id = idOf(entry.target)
    return this.state.write(this.file(id), entry, entryKind(id))
  }

  private file(id: string): string {
    return join(TARGETS, `${id}.json`)
  }
}

function unknownOriginal(target: string): FormatError {
  return new FormatError('io', say('originals.recordWasDamaged'), {
    file: target,
  })
}

function digitsApart(a: string, b: string): number {
  let count = 0
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) count++
  return count
}
