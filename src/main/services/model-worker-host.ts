/** Starts the worker of ModelJobs when there is a job, and ends it when there has been none for a while. The one place that knows where its file is. */
import { existsSync } from 'node:fs'
import { setTimeout as later } from 'node:timers'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { FormatError } from '../binary/format-error.ts'
import type { ErrorData } from '../../shared/api/errors.ts'
import type { BatchProgress } from '../../shared/api/types.ts'
import type { JobResults, ModelJob } from './model-jobs.ts'

export interface WorkerSettings {
  stateFolder: string
}

export interface JobOrder {
  job: ModelJob
  /** one Int32, 1 to stop */
  cancel: SharedArrayBuffer
}

export type JobMessage =
  | { kind: 'progress'; progress: Omit<BatchProgress, 'library'> }
  | { kind: 'done'; result: JobResults[keyof JobResults] }
  | { kind: 'failed'; error: ErrorData }

export interface JobOptions {
  /** the worker is ended when it does not stop by itself within `patience` */
  signal?: AbortSignal
  /** ms; 0 for jobs that leave nothing half done */
  patience?: number
  onProgress?: (progress: Omit<BatchProgress, 'library'>) => void
}

/** How long a job may take to notice that it should stop before its worker is ended. */
const PATIENCE_MS = 3000
/** Caches of files and documents are not kept for ever. */
const IDLE_MS = 20_000

/** Beside this module as source; in a build beside the bundle or a folder up from its chunks. */
function workerFile(): URL {
  const places = ['./model-worker.ts', './model-worker.js', '../model-worker.js'].map((name) => new URL(name, import.meta.url))
  const found = places.find((url) => existsSync(fileURLToPath(url)))
  if (!found) throw new FormatError('internal', 'the worker for models is missing from this build')
  return found
}

export interface JobRunner {
  run<J extends ModelJob>(job: J, options?: JobOptions): Promise<JobResults[J['kind']]>
  stop(): Promise<void>
}

export class ModelWorker implements JobRunner {
  private readonly settings: WorkerSettings
  private worker: Worker | undefined
  private idle: NodeJS.Timeout | undefined
  private last: Promise<unknown> = Promise.resolve()

  constructor(settings: WorkerSettings) {
    this.settings = settings
  }

  /** Jobs wait for each other. @throws FormatError cancelled, and what the job throws */
  run<J extends ModelJob>(job: J, options: JobOptions = {}): Promise<JobResults[J['kind']]> {
    const next = this.last.then(() => this.start(job, options))
    this.last = next.catch(() => undefined)
    return next
  }

  /** Ends the worker and the job that runs; the next job starts another. */
  async stop(): Promise<void> {
    clearTimeout(this.idle)
    const { worker } = this
    this.worker = undefined
    await worker?.terminate()
  }

  private async start<J extends ModelJob>(
    job: J,
    { signal, onProgress, patience = PATIENCE_MS }: JobOptions,
  ): Promise<JobResults[J['kind']]> {
    const stopped = (): FormatError => new FormatError('cancelled', 'the work was stopped', { file: job.root })
    if (signal?.aborted) throw stopped()
    clearTimeout(this.idle)
    const worker = (this.worker ??= this.create())
    const cancel = new SharedArrayBuffer(4)
    let timer: NodeJS.Timeout | undefined
    const onAbort = (): void => {
      Atomics.store(new Int32Array(cancel), 0, 1)
      timer = later(() => void this.stop(), patience)
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      return await new Promise<JobResults[J['kind']]>((resolve, reject) => {
        worker.on('message', (message: JobMessage) => {
          if (message.kind === 'progress') onProgress?.(message.progress)
          else if (message.kind === 'done') resolve(message.result as JobResults[J['kind']])
          else reject(new FormatError(message.error.code, message.error.message, message.error))
        })
        const dead = (what: string) => (): void => {
          const ended = signal?.aborted || this.worker !== worker
          if (this.worker === worker) this.worker = undefined
          reject(ended ? stopped() : new FormatError('internal', what, { file: job.root }))
        }
        worker.on('error', dead('the worker for models failed'))
        worker.on('exit', dead('the worker for models ended'))
        worker.postMessage({ job, cancel } satisfies JobOrder)
      })
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      worker.removeAllListeners('message').removeAllListeners('error').removeAllListeners('exit')
      // an error that comes between jobs has no one to tell; the next job finds out
      worker.on('error', () => (this.worker = undefined))
      if (this.worker) this.idle = later(() => void this.stop(), IDLE_MS).unref()
    }
  }

  private create(): Worker {
    const worker = new Worker(workerFile(), { workerData: this.settings, execArgv: ['--disable-warning=ExperimentalWarning'] })
    // a worker that waits for work keeps no program alive
    worker.unref()
    return worker
  }
}
