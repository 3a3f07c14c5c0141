/**
 * Threads that read and summarise files for a scan, so that the one which writes the index does little else. Each has a few batches before it and tells
 * rows in parts; it waits once enough of them were not taken. A thread that ends (a file of gigabytes of nothing, a fault of the engine) gives its batches
 * back, and the file that it was at is told as an error by whoever reads it next.
 */
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { FormatError } from '../binary/format-error.ts'
import { DiskMark, type DiskTouch } from '../../shared/worker/disk-mark.ts'
import { locale } from '../../shared/texts/say.ts'
import { nodeLine, workerFile } from '../worker/node-line.ts'
import type { Order, Reply, WorkerLine } from '../../shared/worker/protocol.ts'
import type { Unread } from './file-reading.ts'
import type { ReadRow } from './index-rows.ts'
import type { Batch, Readers } from './read-batches.ts'

export interface ReadWork {
  /** what was written to the index is brought into its file */
  settle: { takes: { database: string }; gives: undefined; tells: never }
  read: { takes: { files: Unread[]; from: number }; gives: undefined; tells: ReadRow[] }
}

export interface ReadingSettings {
  root: string
  /** files and folders whose drive did not answer */
  left: readonly string[]
  /** URL of a module that exports `families`, in place of the product's */
  registryModule?: string
  flow: SharedArrayBuffer
}

/** Rows of a part, and letters of what is in them. */
export const MOST_ROWS = 128
export const MOST_TEXT = 256 * 2 ** 10
/** Parts of one thread that were told and not taken: those of the batches that it has, and of archives a few more. */
export const MOST_UNTAKEN = 10
/** Batches that a thread has before it: it has to go on while a batch of rows is written, in which it reads as many as these. */
const MOST_AWAY = 8
/** Batches that wait, by which it is judged whether threads are worth their start: the least, and the next ones of more. */
const LEAST_WAITING = 3
const MOST_JUDGED = 6
/** Batches beside those that are away and the one that is taken: so many are read by whoever writes while it waits. */
const MOST_AHEAD = 3
/** What is read by so many threads one can just write. */
const MOST_THREADS = 4
/** Megabytes for what a thread made last: it holds one file at a time. With less it collects so often that it is a tenth slower. */
const YOUNG_MB = 16
/** Threads that may end by themselves before the scan goes on without. */
const MOST_ENDED = 3
/** ms between two looks at what a thread waits for. */
const LOOK = 50

/** Bytes of a batch that another thread has to save the time of on two cores: what it costs in rows that cross is more for tiny files. */
const WORTH_BYTES = 2 ** 20

/**
 * Threads for this machine, beside the one that writes and the window, and the bytes of batches from which on they are started. With two cores one takes
 * part for files of the sizes of games, which gain a quarter of the time: the window needs its own for moments, and goes first.
 */
function readersHere(): { threads: number; worth: number } {
  const cores = availableParallelism()
  if (cores === 2) return { threads: 1, worth: WORTH_BYTES }
  return { threads: Math.max(0, Math.min(MOST_THREADS, cores - 2)), worth: 0 }
}

/** What a thread and its host know of each other at once. */
export class Flow {
  readonly shared: SharedArrayBuffer
  /** parts that were told, those that were taken, the number of the file that is read */
  private readonly cells: Int32Array

  constructor(shared = new SharedArrayBuffer(12)) {
    this.shared = shared
    this.cells = new Int32Array(shared)
  }

  /** A part is about to be told: waits until there is room for it. @param check throws where it is not wanted any more */
  told(check: () => void): void {
    const told = Atomics.add(this.cells, 0, 1) + 1
    for (;;) {
      const taken = Atomics.load(this.cells, 1)
      if (told - taken <= MOST_UNTAKEN) return
      Atomics.wait(this.cells, 1, taken, LOOK)
      check()
    }
  }

  taken(): void {
    Atomics.add(this.cells, 1, 1)
    Atomics.notify(this.cells, 1)
  }

  get file(): number {
    return Atomics.load(this.cells, 2)
  }

  set file(index: number) {
    Atomics.store(this.cells, 2, index)
  }
}

interface Reader {
  line: WorkerLine
  mark: DiskMark
  flow: Flow
  /** it has loaded what it needs */
  ready: boolean
  /** in the order in which it reads them */
  away: { id: number; batch: Batch }[]
}

export interface PoolOptions {
  root: string
  left: readonly string[]
  registryModule?: string
  /** threads; those of `readersHere` when absent */
  threads?: number
  /** where the host of the scan looks: it is shown what a thread waits for when there is nothing else to do */
  touch?: DiskTouch
  cancelled: () => boolean
}

export class ReadingPool implements Readers {
  readonly room: number
  private readonly options: PoolOptions
  private readonly threads: number
  private readonly worth: number
  private readers: Reader[] | undefined
  /** who told, or tells, the parts of a batch */
  private readonly teller = new WeakMap<Batch, Reader>()
  private readonly cancel = new SharedArrayBuffer(4)
  private readonly ending: Promise<unknown>[] = []
  private ended = 0
  private number = 0
  private arrived: () => void = () => {}
  private over = false
  /** the last order of a thread, and who waits for it */
  private settling: { id: number; done: () => void } | undefined

  constructor(options: PoolOptions) {
    this.options = options
    const { threads, worth } = options.threads === undefined ? readersHere() : { threads: options.threads, worth: 0 }
    this.threads = threads
    this.worth = worth
    this.room = this.threads === 0 ? 0 : this.threads * (MOST_AWAY + 1) + MOST_AHEAD
  }

  order(line: readonly Batch[]): void {
    const waiting = line.filter(({ state }) => state === 'waits')
    if (!this.readers && !this.isWorth(waiting)) return
    this.readers ??= Array.from({ length: this.threads }, () => this.start())
    for (const batch of waiting) {
      // what a thread could not read, or took one with it, is read by whoever writes
      if (batch.fatal || batch.refused) continue
      const free = this.readers
        .filter(({ ready, away }) => ready && away.length < MOST_AWAY)
        .sort((a, b) => a.away.length - b.away.length)[0] as Reader | undefined
      if (!free) return
      batch.state = 'away'
      this.teller.set(batch, free)
      const files = batch.files.slice(batch.done).map(({ file }) => file)
      free.away.push({ id: this.send(free, 'read', { files, from: batch.done }), batch })
    }
  }

  /** A few files are read sooner than a thread is there. */
  private isWorth(waiting: readonly Batch[]): boolean {
    const next = waiting.slice(0, MOST_JUDGED)
    return this.threads > 0 && next.length >= LEAST_WAITING && next.every(({ bytes }) => bytes >= this.worth)
  }

  taken(batch: Batch): void {
    this.teller.get(batch)?.flow.taken()
  }

  /** Until a thread told something, or the scan is not wanted any more. A thread that waits for its drive is shown to the scan's host. */
  async news(first: Batch | undefined): Promise<void> {
    if (!first || first.state !== 'away' || first.parts.length > 0) return setImmediate()
    const reader = this.teller.get(first)
    const { touch, cancelled } = this.options
    let turn = -1
    let shown = false
    const end = (): void => {
      if (shown) touch?.end()
      shown = false
    }
    for (let arrived = false; !arrived && !cancelled();) {
      arrived = await new Promise<boolean>((resolve) => {
        const late = setTimeout(resolve, LOOK, false)
        this.arrived = () => {
          clearTimeout(late)
          resolve(true)
        }
      })
      const now = reader?.mark.turn ?? 0
      if (arrived || now !== turn || now % 2 === 0) end()
      else if (!shown) {
        shown = true
        touch?.begin(reader!.mark.path)
      }
      turn = now
    }
    end()
  }

  async end(written?: string): Promise<void> {
    if (!this.over) {
      this.over = true
      Atomics.store(new Int32Array(this.cancel), 0, 1)
      const idle = this.readers?.find(({ ready, away }) => ready && away.length === 0)
      for (const reader of this.readers ?? []) {
        const last = reader === idle && written !== undefined ? this.settle(reader, written) : undefined
        this.ending.push(Promise.resolve(last).then(() => reader.line.end()))
      }
      this.readers = []
    }
    await Promise.all(this.ending)
  }

  private settle(reader: Reader, database: string): Promise<void> {
    return new Promise((done) => (this.settling = { id: this.send(reader, 'settle', { database }), done }))
  }

  private start(): Reader {
    const { left, registryModule } = this.options
    const root = resolve(this.options.root)
    const flow = new Flow()
    flow.file = -1
    const workerData: ReadingSettings = { root, left, registryModule, flow: flow.shared }
    const line = nodeLine(workerFile('reading-worker', import.meta.url), { workerData, young: YOUNG_MB })
    const reader: Reader = { line, mark: new DiskMark(), flow, ready: false, away: [] }
    line.listen(
      (reply) => this.reply(reader, reply),
      (why) => this.lost(reader, why),
    )
    this.send(reader, 'read', { files: [], from: 0 })
    return reader
  }

  private send<J extends keyof ReadWork>({ line, mark }: Reader, job: J, input: ReadWork[J]['takes']): number {
    const id = ++this.number
    const order: Order = {
      id,
      job,
      input,
      cancel: this.cancel,
      mark: mark.shared,
      locale: locale() === 'en' ? undefined : locale(),
    }
    line.send(order, [])
    return id
  }

  private reply(reader: Reader, reply: Reply): void {
    const at = reader.away.findIndex(({ id }) => id === reply.id)
    if ('progress' in reply) reader.away[at].batch.parts.push(reply.progress as ReadRow[])
    else if (reply.id === this.settling?.id) this.settling.done()
    else {
      reader.ready = true
      if (at >= 0) {
        const [{ batch }] = reader.away.splice(at, 1)
        // what it stumbled over is no matter of one file: whoever writes does, too, and throws
        if ('error' in reply) {
          batch.refused = true
          batch.giveBack()
        } else batch.state = 'read'
      }
    }
    this.arrived()
  }

  /** @param why told of the file that it was at: it may be what ended the thread */
  private lost(reader: Reader, why: string): void {
    const index = reader.flow.file
    const [first] = reader.away
    for (const { batch } of reader.away) batch.giveBack()
    if (first && index >= 0) {
      const file = first.batch.files[index].file.ref
      first.batch.fatal = { index, error: new FormatError('internal', why, { file }) }
    }
    this.readers = this.readers!.filter((one) => one !== reader)
    this.settling?.done()
    this.ending.push(Promise.resolve(reader.line.end()))
    if (++this.ended < MOST_ENDED && !this.over) this.readers.push(this.start())
    this.arrived()
  }
}
