/**
 * The journal of one open model: every step is on disk before the edit is answered, so that a crash loses nothing that
 * the user saw applied. Appended only; a record that a crash cut off is recognised by its checksum and ignored.
 *
 *   "MARROWJ1"                       preamble with the version
 *   per record: u32 size, u32 CRC-32 of the payload, payload
 *   payload: u32 size of the JSON, JSON, then one patch per entry of its `files` that has one
 *
 * The first record is the header.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { FormatError } from '../binary/format-error.ts'
import { Reader } from '../binary/reader.ts'
import { Writer } from '../binary/writer.ts'
import { ioError } from '../files/sources.ts'
import type { FamilyId } from '../../shared/api/types.ts'
import { replaceFile, syncFolder, writeAll } from './atomic.ts'
import { readPatch, writePatch } from './patch.ts'
import type { Patch } from './patch.ts'

const PREAMBLE = 'MARROWJ1'
/** A journal that another Marrow still writes is left alone while it shows signs of life. */
const ALIVE_MS = 20_000
const BEAT_MS = 5_000
const OPEN_MODELS = 'open.json'

export interface JournalHeader {
  kind: 'header'
  version: 1
  primary: string
  name: string
  family: FamilyId
  /** library that the model was opened from, '' for none */
  library: string
  startedAt: number
  /** file name of the journal that this one took over in a recovery: it counts no more */
  replaces?: string
}

export interface JournalFile {
  ref: string
  /** hash and size of the bytes that the first patch of the file starts from; in the first record that names the file */
  base?: { hash: string; size: number }
  patch: Patch
}

export interface JournalStep {
  kind: 'edit' | 'undo' | 'redo'
  label: string
  /** the step's own name; absent in journals of before there were any, and on the way back or forth */
  id?: string
  merge?: string
  /** the step on top is this one, done again in another way: the patches lead from its result to the new one */
  replaces?: string
  /** made in another model that shares the files: no step of this model's history */
  foreign?: boolean
  at: number
  files: JournalFile[]
}

/** From here on the file on disk may hold the state of this place: written before a save. */
export interface JournalDisk {
  kind: 'disk'
  files: { ref: string; hash: string }[]
}

export type JournalRecord = JournalStep | JournalDisk

/** What a run says of a model that it has open. */
export interface PresentModel {
  primary: string
  /** files with unsaved edits */
  edited: string[]
}

/** Folder of this process's journals, with a sign of life beside them and what is open, for other runs on this state folder. */
export class JournalFolder {
  readonly root: string
  readonly own: string
  private readonly open = new Set<string>()
  private beat: ReturnType<typeof setInterval> | undefined
  private ready: Promise<void> | undefined
  private present = '[]'
  private telling: Promise<void> = Promise.resolve()

  constructor(stateFolder: string) {
    this.root = join(stateFolder, 'journals')
    this.own = join(this.root, randomUUID())
  }

  /** A pending journal counts only once it is published. */
  async create(header: JournalHeader, pending = false): Promise<Journal> {
    try {
      await this.prepared()
    } catch (error) {
      throw new FormatError('io', `the journal cannot be written: ${(error as Error).message}`, { file: this.own })
    }
    // another run may have cleared the folder away while it was empty and this machine slept
    await mkdir(this.own, { recursive: true })
    const path = join(this.own, `${randomUUID()}.journal`)
    this.open.add(path)
    return Journal.create(path, header, () => this.open.delete(path), pending)
  }

  /** Journals that nobody writes: of runs that ended, and of models that were closed with unsaved edits. */
  async abandoned(): Promise<string[]> {
    const found: string[] = []
    for (const name of await readdir(this.root).catch(() => [] as string[])) {
      const folder = join(this.root, name)
      if (folder !== this.own && (await isAlive(folder))) continue
      const journals = (await readdir(folder).catch(() => [] as string[])).filter((file) => file.endsWith('.journal'))
      // one that was made just now gets its sign of life in a moment
      if (journals.length === 0 && folder !== this.own && (await age(folder)) > ALIVE_MS)
        await rm(folder, { recursive: true, force: true }).catch(() => {})
      found.push(...journals.map((file) => join(folder, file)).filter((path) => !this.open.has(path)))
    }
    return found
  }

  /** Tells other runs what is open here. It only informs them: where it cannot be written, everything else goes on. */
  tell(models: readonly PresentModel[]): void {
    const present = JSON.stringify(models)
    if (present === this.present) return
    this.present = present
    this.telling = this.telling.then(async () => {
      if (present !== this.present) return
      try {
        await this.prepared()
        await replaceFile(join(this.own, OPEN_MODELS), (handle) => writeAll(handle, Buffer.from(present)))
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
      try {
        const models = JSON.parse(await readFile(join(folder, OPEN_MODELS), 'utf8')) as PresentModel[]
        for (const { primary, edited } of models) found.push({ primary: String(primary), edited: edited.map(String) })
      } catch {
        // a run of before there was such a list, or one that has opened nothing
      }
    }
    return found
  }

  /** Journals that were left open stay: they are offered at the next start. */
  async close(): Promise<void> {
    clearInterval(this.beat)
    await this.telling
    if (!this.ready) return
    await this.ready.catch(() => {})
    await rm(join(this.own, OPEN_MODELS), { force: true })
    await rm(join(this.own, 'alive'), { force: true })
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
    await mkdir(this.own, { recursive: true })
    const sign = join(this.own, 'alive')
    await writeFile(sign, String(process.pid))
    await syncFolder(this.root)
    // while this machine slept another run may have taken this one for dead and cleared its sign away
    const beat = (): Promise<void> =>
      utimes(sign, new Date(), new Date())
        .catch(() => writeFile(sign, String(process.pid)))
        .catch(() => {})
    this.beat = setInterval(() => void beat(), BEAT_MS)
    this.beat.unref()
  }
}

async function age(path: string): Promise<number> {
  return Date.now() - (await stat(path).catch(() => ({ mtimeMs: Date.now() }))).mtimeMs
}

async function isAlive(folder: string): Promise<boolean> {
  try {
    const sign = join(folder, 'alive')
    if (Date.now() - (await stat(sign)).mtimeMs > ALIVE_MS) return false
    process.kill(Number(await readFile(sign, 'utf8')), 0)
    return true
  } catch (error) {
    // a process of another user is there, too
    return (error as { code?: string }).code === 'EPERM'
  }
}

/** A place in a journal to come back to when a step fails after it was written. */
export interface JournalMark {
  end: number
  known: readonly string[]
}

/** What a journal is called until it is published: nobody takes it for one. */
const PENDING = '.new'

export class Journal {
  readonly path: string
  /** bytes that it had when it was published: what it cannot be shortened below */
  startSize = 0
  private pending: boolean
  /** files whose base is recorded */
  readonly known = new Set<string>()
  private readonly handle: FileHandle
  /** where the next record goes; a record that failed half-way is written over */
  private end = 0

  private readonly onClose: () => void

  private constructor(path: string, handle: FileHandle, onClose: () => void, pending: boolean) {
    this.path = path
    this.pending = pending
    this.handle = handle
    this.onClose = onClose
  }

  static async create(path: string, header: JournalHeader, onClose: () => void = () => {}, pending = false): Promise<Journal> {
    try {
      const journal = new Journal(path, await open(pending ? path + PENDING : path, 'wx'), onClose, pending)
      const preamble = Buffer.from(PREAMBLE, 'latin1')
      await journal.handle.write(preamble, 0, preamble.length, 0)
      journal.end = preamble.length
      await journal.write(header, [])
      await syncFolder(join(path, '..'))
      return journal
    } catch (error) {
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
    this.startSize = this.end
  }

  /** On disk when it resolves. @throws FormatError io */
  async append(record: JournalRecord): Promise<void> {
    if (record.kind === 'disk') return this.write(record, [])
    await this.write(
      { ...record, files: record.files.map(({ ref, base }) => ({ ref, base })) },
      record.files.map((file) => file.patch),
    )
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
    await this.handle.close().catch(() => {})
    this.onClose()
  }

  /** Whether another run, which took this one for dead, has recovered it: what is appended now would be lost. */
  async isGone(): Promise<boolean> {
    return (await this.handle.stat()).nlink === 0
  }

  /** bytes on disk */
  get size(): number {
    return this.end
  }

  mark(): JournalMark {
    return { end: this.end, known: [...this.known] }
  }

  /** Takes back what was appended since. */
  async rewind(mark: JournalMark): Promise<void> {
    this.end = mark.end
    this.known.clear()
    for (const ref of mark.known) this.known.add(ref)
    await this.handle.truncate(mark.end).catch(() => {})
  }

  private async write(json: object, patches: Patch[]): Promise<void> {
    const text = Buffer.from(JSON.stringify(json))
    const out = new Writer(text.length + 64)
    out.u32(0)
    out.u32(0)
    out.u32(text.length)
    out.raw(text)
    for (const patch of patches) writePatch(out, patch)
    out.setU32(0, out.position - 8)
    const bytes = out.finish()
    new DataView(bytes.buffer, bytes.byteOffset).setUint32(4, crc32(bytes.subarray(8)), true)
    try {
      for (let done = 0; done < bytes.length;)
        done += (await this.handle.write(bytes, done, bytes.length - done, this.end + done)).bytesWritten
      // as long as nobody takes it for a journal there is nothing to hold: a replay of thousands of steps flushes once
      if (!this.pending) await this.handle.datasync()
    } catch (error) {
      throw ioError(error, this.path)
    }
    this.end += bytes.length
  }
}

export interface ReadJournal {
  path: string
  header: JournalHeader
  records: JournalRecord[]
  /** bytes of an unfinished record at the end */
  cut: number
}

/** Reads as many records as are whole. @throws FormatError when it is no journal, or one of another version */
export async function readJournal(path: string): Promise<ReadJournal> {
  let bytes: Uint8Array
  try {
    bytes = new Uint8Array(await readFile(path))
  } catch (error) {
    throw ioError(error, path)
  }
  return parseJournal(bytes, path)
}

export function parseJournal(bytes: Uint8Array, path: string): ReadJournal {
  const reader = new Reader(bytes, path)
  const preamble = Buffer.from(reader.take(8, 'preamble')).toString('latin1')
  if (preamble !== PREAMBLE)
    throw new FormatError('bad-magic', 'this is no journal of this version', {
      file: path,
      offset: 0,
      expected: PREAMBLE,
      actual: preamble,
    })
  let header: JournalHeader | undefined
  const records: JournalRecord[] = []
  let end = reader.position
  while (reader.remaining >= 8) {
    const size = reader.u32('size')
    const sum = reader.u32('checksum')
    if (size < 4 || size > reader.remaining || crc32(bytes.subarray(reader.position, reader.position + size)) !== sum) break
    const body = reader.sub(reader.position, reader.position + size, `records[${records.length}]`)
    reader.skip(size)
    const json = JSON.parse(Buffer.from(body.take(body.u32('jsonSize'), 'json')).toString('utf8')) as JournalHeader | JournalRecord
    if (json.kind === 'header') header = json
    else {
      if (json.kind !== 'disk') for (const file of json.files) file.patch = readPatch(body)
      records.push(json)
    }
    end = reader.position
  }
  if (header?.version !== 1) throw new FormatError('unsupported', 'the journal has no header of this version', { file: path, offset: 8 })
  return { path, header, records, cut: bytes.length - end }
}
