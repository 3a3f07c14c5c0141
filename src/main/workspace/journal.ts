/**
 * The journal of one open model: every step is on disk before the edit is answered, so that a crash loses nothing that
 * the user saw applied. Appended only; what it looks like, and what is made of a damaged one: journal-format.ts.
 *
 *   journals/<run>/<model>.journal
 *   journals/<run>/alive, open.json      sign of life of the run, and what it has open
 *   journals/aside/                      damaged ones that were recovered or dismissed; nothing deletes them
 */
import { randomUUID } from 'node:crypto'
import { constants, mkdir, open, readdir, readFile, rename, rm, stat, unlink, utimes, writeFile } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { FormatError, toErrorData } from '../binary/format-error.ts'
import { ownMark, processLives } from '../files/process-lives.ts'
import { ioError } from '../files/sources.ts'
import { syncFolder } from './atomic.ts'
import { encodeEnd, encodeRecord, HEAD, parseJournal, PREAMBLE } from './journal-format.ts'
import type { JournalHeader, JournalRecord, ReadJournal } from './journal-format.ts'
import { PRIVATE_FILE, PRIVATE_FOLDER } from './state-files.ts'
import type { StateFiles, StateKind } from './state-files.ts'
import { say } from '../../shared/texts/say.ts'

/** A journal that another Marrow still writes is left alone while it shows signs of life. */
const ALIVE_MS = 20_000
const BEAT_MS = 5_000
const ALIVE = 'alive'
const OPEN_MODELS = 'open.json'
/** Records of the header. */
const HEADERS = 2
const ASIDE = 'aside'

/** What a run says of a model that it has open. */
export interface PresentModel {
  primary: string
  /** files with unsaved edits */
  edited: string[]
}

const openModels: StateKind<PresentModel[]> = {
  name: 'open-models',
  version: 1,
  label: 'originals.kinds.openModels',
  parse: (value) =>
    Array.isArray(value)
      ? (value as PresentModel[]).flatMap(({ primary, edited }) =>
          Array.isArray(edited) ? [{ primary: String(primary), edited: edited.map(String) }] : [],
        )
      : undefined,
}

/** Folder of this process's journals, with a sign of life beside them and what is open, for other runs on this state folder. */
export class JournalFolder {
  readonly root: string
  readonly own: string
  private readonly state: StateFiles
  private readonly run = randomUUID()
  private readonly open = new Set<string>()
  private beat: ReturnType<typeof setInterval> | undefined
  private lastBeat: Promise<void> = Promise.resolve()
  private ready: Promise<void> | undefined
  private present = '[]'
  private telling: Promise<void> = Promise.resolve()

  constructor(state: StateFiles) {
    this.state = state
    this.root = join(state.root, 'journals')
    this.own = join(this.root, this.run)
  }

  /** A pending journal counts only once it is published. */
  async create(header: JournalHeader, pending = false): Promise<Journal> {
    try {
      await this.prepared()
      // another run may have cleared the folder away while it was empty and this machine slept
      await mkdir(this.own, { recursive: true, mode: PRIVATE_FOLDER })
    } catch (error) {
      throw new FormatError('io', say('journals.notWritten', { why: ioError(error, this.own).message }), { file: this.own })
    }
    const path = join(this.own, `${randomUUID()}.journal`)
    this.open.add(path)
    return Journal.create(path, header, () => this.open.delete(path), pending)
  }

  /** Journals that nobody writes: of runs that ended, and of models that were closed with unsaved edits. */
  async abandoned(): Promise<string[]> {
    const found: string[] = []
    for (const name of await readdir(this.root).catch(() => [] as string[])) {
      const folder = join(this.root, name)
      if (name === ASIDE || (folder !== this.own && (await isAlive(folder)))) continue
      const journals = (await readdir(folder).catch(() => [] as string[])).filter((file) => file.endsWith('.journal'))
      // one that was made just now gets its sign of life in a moment
      if (journals.length === 0 && folder !== this.own && (await age(folder)) > ALIVE_MS)
        await rm(folder, { recursive: true, force: true }).catch(() => {})
      found.push(...journals.map((file) => join(folder, file)).filter((path) => !this.open.has(path)))
    }
    return found
  }

  /** Takes a journal out of the way for good; nothing deletes it. @returns where it is now */
  async keepAside(path: string): Promise<string> {
    const folder = this.state.make('journals', ASIDE)
    const kept = join(folder, basename(path))
    try {
      await rename(path, kept)
    } catch (error) {
      throw ioError(error, path)
    }
    await syncFolder(folder)
    return kept
  }

  /** Tells other runs what is open here. It only informs them: where it cannot be written, everything else goes on. */
  announce(models: readonly PresentModel[]): void {
    const present = JSON.stringify(models)
    if (present === this.present) return
    this.present = present
    this.telling = this.telling.then(async () => {
      if (present !== this.present) return
      try {
        await this.prepared()
        await this.state.write(join('journals', this.run, OPEN_MODELS), [...models], openModels)
      } catch {
        // told again with the next change
        if (present === this.present) this.present = ''
      }
    })
  }

  /** What other runs that are alive have open. */
  async elsewhere(): Promise<PresentModel[]> {
    const found: PresentModel[] = []
    for (const name of await readdir(this.root).catch(() => [] as string[])) {
      const folder = join(this.root, name)
      if (folder === this.own || !(await isAlive(folder))) continue
      // a run of an earlier version, or one that has opened nothing, has no such list
      const models = this.state.peek(join('journals', name, OPEN_MODELS), openModels)
      if (models) found.push(...models)
    }
    return found
  }

  /** Journals that were left open stay: they are offered at the next start. */
  async close(): Promise<void> {
    await this.telling
    if (!this.ready) return
    await this.ready.catch(() => {})
    // it begins with what was waited for, and a last one may be on its way: a sign left behind would hide what is to be offered
    clearInterval(this.beat)
    await this.lastBeat
    this.state.remove(join('journals', this.run, OPEN_MODELS))
    await rm(join(this.own, ALIVE), { force: true })
    const left = await readdir(this.own).catch(() => ['?'])
    if (left.length === 0) await rm(this.own, { recursive: true, force: true })
  }

  private async prepared(): Promise<void> {
    this.ready ??= this.prepare()
    try {
      await this.ready
    } catch (error) {
      this.ready = undefined
      throw error
    }
  }

  private async prepare(): Promise<void> {
    this.state.make('journals', this.run)
    const sign = join(this.own, ALIVE)
    await writeFile(sign, signOfLife(), { mode: PRIVATE_FILE })
    await syncFolder(this.root)
    // while this machine slept another run may have taken this one for dead and cleared its sign away
    const beat = (): Promise<void> =>
      utimes(sign, new Date(), new Date())
        .catch(() => writeFile(sign, signOfLife(), { mode: PRIVATE_FILE }))
        .catch(() => {})
    this.beat = setInterval(() => {
      this.lastBeat = beat()
    }, BEAT_MS)
    this.beat.unref()
  }
}

async function age(path: string): Promise<number> {
  return Date.now() - (await stat(path).catch(() => ({ mtimeMs: Date.now() }))).mtimeMs
}

async function isAlive(folder: string): Promise<boolean> {
  try {
    const sign = join(folder, ALIVE)
    if (Date.now() - (await stat(sign)).mtimeMs > ALIVE_MS) return false
    const owner = ownerIn(await readFile(sign, 'utf8'))
    // a damaged sign is still a sign
    return owner === undefined || processLives(owner.pid, owner.mark)
  } catch {
    return false
  }
}

/** With a checksum: another number would make a run that is alive one that is gone. */
function signOfLife(): string {
  return `${process.pid} ${crc32(String(process.pid))} ${ownMark()}\n`
}

function ownerIn(text: string): { pid: number; mark?: string } | undefined {
  const [pid, sum, mark] = text.trimEnd().split(' ')
  // earlier versions write the number alone, or with its sum
  return /^\d+$/.test(pid) && (sum === undefined || String(crc32(pid)) === sum) ? { pid: Number(pid), mark } : undefined
}

/** A place in a journal to come back to when a step fails after it was written. */
export interface JournalMark {
  end: number
  count: number
  known: readonly string[]
}

/** What a journal is called until it is published: nobody takes it for one. */
const PENDING = '.new'

/**
 * Where the system writes and flushes in one call, no disk can turn read-only between the two. Elsewhere a write is flushed
 * by a second call: on macOS only that one reaches the medium, Windows has no such flag.
 */
const FLUSHING = process.platform === 'linux' ? constants.O_DSYNC : 0

/**
 * A record counts with its head, which is written last and over the end mark of before: until then the journal ends where it
 * ended, so a write that is cut off or refused half-way was never there.
 */
export class Journal {
  readonly path: string
  /** bytes that it had when it was published: what it cannot be shortened below */
  startSize = 0
  private pending = true
  /** files whose base is recorded */
  readonly known = new Set<string>()
  private handle: FileHandle
  /** writes of the handle are on disk when they return */
  private flushing = false
  /** where the next record goes; a record that failed half-way is written over */
  private end = 0
  /** records until now: the sequence of the next one */
  private count = 0
  /** what was taken back may stand in the file still */
  private overhang = false

  private readonly onClose: () => void

  private constructor(path: string, handle: FileHandle, onClose: () => void) {
    this.path = path
    this.handle = handle
    this.onClose = onClose
  }

  static async create(path: string, header: JournalHeader, onClose: () => void = () => {}, pending = false): Promise<Journal> {
    let journal: Journal | undefined
    try {
      journal = new Journal(path, await open(path + PENDING, 'wx+', PRIVATE_FILE), onClose)
      await journal.put(PREAMBLE, 0)
      journal.end = PREAMBLE.length
      // twice: without it nothing behind it could be offered
      await journal.write(header, header)
      // a journal that is there has its header whole
      if (!pending) await journal.publish()
      return journal
    } catch (error) {
      // nothing counts on it yet, and a full disk must not fill with beginnings
      await journal?.handle.close().catch(() => {})
      await unlink(path + PENDING).catch(() => {})
      onClose()
      throw ioError(error, path)
    }
  }

  /** From here on the journal counts. */
  async publish(): Promise<void> {
    if (!this.pending) return
    try {
      await this.handle.datasync()
      await rename(this.path + PENDING, this.path)
      await syncFolder(join(this.path, '..'))
    } catch (error) {
      throw ioError(error, this.path)
    }
    this.pending = false
    if (this.count > HEADERS) this.startSize = this.end
    await this.reopen()
  }

  /** From now on each write is flushed. */
  private async reopen(): Promise<void> {
    if (FLUSHING === 0) return
    const slow = this.handle
    try {
      this.handle = await open(this.path, constants.O_RDWR | FLUSHING)
    } catch {
      // by two calls, as elsewhere
      return
    }
    this.flushing = true
    await slow.close().catch(() => {})
  }

  /** On disk when it resolves. @throws FormatError io */
  async append(record: JournalRecord): Promise<void> {
    await this.write(record)
    if (record.kind === 'disk') return
    for (const file of record.files) this.known.add(file.ref)
  }

  /** The edits are saved, or discarded by the user. */
  async remove(): Promise<void> {
    await this.handle.close().catch(() => {})
    await rm(this.pending ? this.path + PENDING : this.path, { force: true })
    this.onClose()
  }

  /** Leaves the journal for recovery. */
  async close(): Promise<void> {
    await this.cutOverhang()
    await this.handle.close().catch(() => {})
    this.onClose()
  }

  /** Whether another run, which took this one for dead, has recovered it: what is appended now would be lost. */
  async isGone(): Promise<boolean> {
    const [own, there] = [await this.handle.stat(), await stat(this.path).catch(() => undefined)]
    return own.nlink === 0 || there === undefined || there.ino !== own.ino
  }

  /** Whether it counts already. */
  get published(): boolean {
    return !this.pending
  }

  /** bytes on disk */
  get size(): number {
    return this.end
  }

  mark(): JournalMark {
    return { end: this.end, count: this.count, known: [...this.known] }
  }

  /**
   * Takes back what was appended since.
   * @returns whether it is out: false where the disk does not let it be taken out now (the next write and the end try again)
   */
  async rewind(mark: JournalMark): Promise<boolean> {
    this.end = mark.end
    this.count = mark.count
    this.known.clear()
    for (const ref of mark.known) this.known.add(ref)
    this.overhang = true
    await this.cutOverhang()
    return !this.overhang || (await this.endsHere())
  }

  /** A step that was refused is in no journal: its head becomes the end mark again, what is behind that goes. */
  private async cutOverhang(): Promise<void> {
    if (!this.overhang) return
    try {
      await this.put(encodeEnd(this.count), this.end)
      await this.flush()
      await this.handle.truncate(this.end + HEAD)
      this.overhang = false
    } catch {
      // the disk takes nothing at this moment
    }
  }

  /** Whether the end mark of this state still stands. */
  private async endsHere(): Promise<boolean> {
    try {
      const { buffer, bytesRead } = await this.handle.read(Buffer.alloc(HEAD), 0, HEAD, this.end)
      return bytesRead === HEAD && buffer.equals(encodeEnd(this.count))
    } catch {
      return false
    }
  }

  private async write(...records: (JournalHeader | JournalRecord)[]): Promise<void> {
    const framed = records.map((record, i) => encodeRecord(this.count + i, record))
    const bytes = Buffer.concat([...framed, encodeEnd(this.count + records.length)])
    await this.cutOverhang()
    try {
      if (this.pending) await this.put(bytes, this.end)
      else {
        this.overhang = true
        await this.put(bytes.subarray(HEAD), this.end + HEAD)
        // nothing counts before it is whole on disk
        await this.flush()
        await this.put(bytes.subarray(0, HEAD), this.end)
        await this.flush()
      }
    } catch (error) {
      throw ioError(error, this.path)
    }
    this.overhang = false
    this.count += records.length
    for (const { length } of framed) this.end += length
  }

  /** As long as nobody takes it for a journal there is nothing to hold: a replay of thousands of steps flushes once. */
  private async flush(): Promise<void> {
    if (!this.pending && !this.flushing) await this.handle.datasync()
  }

  private async put(bytes: Uint8Array, at: number): Promise<void> {
    for (let done = 0; done < bytes.length;) done += (await this.handle.write(bytes, done, bytes.length - done, at + done)).bytesWritten
  }
}

/** The error of a step that was refused although its record stands in a journal still. @param error why it was refused */
export function stillInJournal(error: unknown): FormatError {
  const { code, message, ...place } = toErrorData(error)
  return new FormatError(code === 'internal' ? 'io' : code, say('journals.stepStays', { what: message }), place)
}

/** Reads what is whole. @throws FormatError when it is no journal, one of another version, or without a whole header */
export async function readJournal(path: string): Promise<ReadJournal> {
  let bytes: Uint8Array
  try {
    bytes = new Uint8Array(await readFile(path))
  } catch (error) {
    throw ioError(error, path)
  }
  return parseJournal(bytes, path)
}
