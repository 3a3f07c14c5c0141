/** A worker as its host has it: started with the first job, asked for one after the other, ended by a cancel that it does not follow or after a rest. */
import { locale, say } from '../texts/say.ts'
import type { ErrorCode, ErrorData } from '../api/errors.ts'
import { DiskMark } from './disk-mark.ts'
import type { Jobs, Reply, Tells, WorkerLine } from './protocol.ts'

export interface WorkerOptions {
  /** for messages: `the worker for models` */
  name: string
  /** ms without a job after which the worker is ended; 0 at once, absent never */
  rest?: number
  /** how long a call of the system may go without an answer, ms; absent where the worker's jobs ask no disk */
  disk?: { told: number; most: number }
  /** an error of the worker as the host throws it */
  toError: (data: ErrorData) => Error
}

export interface JobOptions<P> {
  /** before all that wait: somebody looks at where its result is to be */
  first?: boolean
  signal?: AbortSignal
  onProgress?: (progress: P) => void
  /** ms that a job has to notice that it should stop; 0 (and absent): the worker is ended at once */
  patience?: number
  /** The disk does not answer: the file or folder that the job waits for, '' once it goes on. After `most` the job fails with `no-answer` and the worker is given up. */
  onWaiting?: (path: string) => void
  /** ms after which the job is given up and its worker ended */
  limit?: number
  /** what is thrown where it was cancelled or `end` came; absent the signal's reason */
  stopped?: () => Error
  /** parts of the input that are handed over and not copied */
  transfer?: readonly ArrayBuffer[]
}

/** ms between two looks at what a worker waits for, and those that a call of the system may last after a cancel before the worker is left to itself. */
const LOOK = 200
const SILENT = 50

export class JobWorker<J extends Jobs<J>> {
  private readonly start: () => WorkerLine
  private readonly options: WorkerOptions
  private line: WorkerLine | null = null
  /** of the worker that is there */
  private mark: DiskMark | undefined
  private readonly waiting: (() => Promise<void>)[] = []
  private busy = false
  private resting: ReturnType<typeof setTimeout> | undefined
  private number = 0
  /** of the job that runs */
  private onReply: ((reply: Reply) => void) | null = null
  private onEnded: ((error: ErrorData) => void) | null = null

  constructor(start: () => WorkerLine, options: WorkerOptions) {
    this.start = start
    this.options = options
  }

  /** @throws what `toError` makes of the job's error, of the end of its worker or of the time that ran out; `stopped` where it was cancelled */
  run<K extends keyof J & string>(job: K, input: J[K]['takes'], options: JobOptions<Tells<J[K]>> = {}): Promise<J[K]['gives']> {
    return new Promise((resolve, reject) => {
      const own = (): Promise<void> => this.ask(job, input, options as JobOptions<unknown>).then(resolve, reject)
      if (options.first) this.waiting.unshift(own)
      else this.waiting.push(own)
      if (!this.busy) void this.work()
    })
  }

  /** Ends the worker and the job that runs; the next job starts another. */
  async end(): Promise<void> {
    await this.drop(say('workers.stopped'), 'cancelled')
  }

  private async work(): Promise<void> {
    this.busy = true
    // what is asked for in one go is put in order before any of it begins
    await Promise.resolve()
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) await next()
    this.busy = false
  }

  private async ask(job: string, input: unknown, options: JobOptions<unknown>): Promise<unknown> {
    const { signal, onProgress, patience = 0, limit } = options
    if (signal?.aborted) throw options.stopped?.() ?? signal.reason
    clearTimeout(this.resting)
    const line = (this.line ??= this.connect())
    const id = ++this.number
    const cancel = signal && patience > 0 ? new SharedArrayBuffer(4) : undefined
    let patienceEnds: ReturnType<typeof setTimeout> | undefined
    let late: ReturnType<typeof setTimeout> | undefined
    const stop = (): void => void this.drop(say('workers.stopped'), 'cancelled')
    const onAbort = (): void => {
      if (!cancel) return stop()
      Atomics.store(new Int32Array(cancel), 0, 1)
      patienceEnds = setTimeout(stop, patience)
      this.whenSilent(line, stop)
    }
    const looking = this.mark && this.look(this.mark, options.onWaiting)
    try {
      return await new Promise((resolve, reject) => {
        this.onReply = (reply) => {
          // an answer to an order that was given up means nothing
          if (reply.id !== id) return
          if ('progress' in reply) onProgress?.(reply.progress)
          else if ('error' in reply) reject(this.options.toError(reply.error))
          else resolve(reply.result)
        }
        this.onEnded = (error) => {
          const wanted = signal?.aborted || error.code === 'cancelled'
          reject((wanted && (options.stopped?.() ?? (signal?.reason as Error | undefined))) || this.options.toError(error))
        }
        signal?.addEventListener('abort', onAbort, { once: true })
        if (limit !== undefined) late = setTimeout(() => void this.drop(say('workers.late')), limit)
        line.send(
          { id, job, input, cancel, mark: this.mark?.shared, locale: locale() === 'en' ? undefined : locale() },
          options.transfer ?? [],
        )
      })
    } finally {
      clearTimeout(patienceEnds)
      clearTimeout(late)
      clearInterval(looking)
      signal?.removeEventListener('abort', onAbort)
      this.onReply = this.onEnded = null
      await this.rest()
    }
  }

  /** A call of the system that lasts after a cancel cannot hear of it: the worker that is in it gets no patience. */
  private whenSilent(line: WorkerLine, stop: () => void): void {
    const { mark } = this
    if (!mark) return
    const { turn } = mark
    setTimeout(() => {
      if (this.line !== line || !this.onEnded) return
      if (mark.turn === turn && turn % 2 !== 0) stop()
      else this.whenSilent(line, stop)
    }, SILENT)
  }

  /** Looks what the worker waits for, tells it, and gives the worker up after a while. */
  private look(mark: DiskMark, onWaiting: (path: string) => void = () => {}): ReturnType<typeof setInterval> {
    const patience = this.options.disk!
    let turn = mark.turn
    // by looks and not by the clock: a machine that slept asked for nothing
    let waited = 0
    let waiting = ''
    return setInterval(() => {
      if (mark.turn !== turn || turn % 2 === 0) {
        turn = mark.turn
        waited = 0
        if (waiting) onWaiting((waiting = ''))
        return
      }
      waited += LOOK
      const { path } = mark
      // it was answered just now, and this is the path of another call
      if (mark.turn !== turn || waited < patience.told) return
      if (!waiting) onWaiting((waiting = path))
      const { most } = patience
      if (waited < most) return
      const seconds = Math.round(most / 1000)
      void this.drop({ code: 'no-answer', message: say('workers.noAnswer', { seconds }), file: path, path: '', offset: -1 })
    }, LOOK)
  }

  private connect(): WorkerLine {
    this.mark = this.options.disk && new DiskMark()
    const line = this.start()
    line.listen(
      (reply) => this.line === line && this.onReply?.(reply),
      (why) => {
        if (this.line !== line) return
        this.line = null
        this.onEnded?.(this.error(why))
      },
    )
    return line
  }

  /** The job that runs fails before the worker is gone: nobody waits for that. */
  private async drop(why: string | ErrorData, code: ErrorCode = 'internal'): Promise<void> {
    clearTimeout(this.resting)
    const { line } = this
    this.line = null
    this.onEnded?.(typeof why === 'string' ? this.error(why, code) : why)
    await line?.end()
  }

  private async rest(): Promise<void> {
    const { rest } = this.options
    if (rest === undefined || !this.line) return
    if (rest === 0) return this.drop('rests')
    const timer = setTimeout(() => void this.drop('rests'), rest)
    this.resting = timer
    // in Node this timer keeps no program alive
    ;(timer as { unref?: () => void }).unref?.()
  }

  private error(why: string, code: ErrorCode = 'internal'): ErrorData {
    return { code, message: say('workers.says', { name: this.options.name, what: why }), file: '', path: '', offset: -1 }
  }
}
