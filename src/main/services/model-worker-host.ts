/** Starts the worker of ModelJobs when there is a job, and ends it when there has been none for a while. */
import { FormatError } from '../binary/format-error.ts'
import { JobWorker } from '../../shared/worker/job-worker.ts'
import { DRIVE } from '../worker/drive.ts'
import { nodeLine, workerFile } from '../worker/node-line.ts'
import type { JobProgress, JobResults, ModelJob } from './model-jobs.ts'
import { say } from '../../shared/texts/say.ts'

export interface WorkerSettings {
  stateFolder: string
  /** URL of a module that exports `families`, in place of the product's */
  registryModule?: string
  /** nobody waits for what it does: all else goes first */
  background?: boolean
}

export type ModelWork = {
  [K in ModelJob['kind']]: { takes: Extract<ModelJob, { kind: K }>; gives: JobResults[K]; tells: JobProgress }
}

export interface JobOptions {
  /** before the jobs that wait */
  first?: boolean
  /** the worker is ended when it does not stop by itself within `patience` */
  signal?: AbortSignal
  /** ms; 0 for jobs that leave nothing half done */
  patience?: number
  onProgress?: (progress: JobProgress) => void
}

/** How long a job may take to notice that it should stop before its worker is ended. */
const PATIENCE_MS = 3000
/** Caches of files and documents are not kept for ever. */
const IDLE_MS = 20_000

export interface JobRunner {
  run<J extends ModelJob>(job: J, options?: JobOptions): Promise<JobResults[J['kind']]>
  stop(): Promise<void>
}

export class ModelWorker implements JobRunner {
  private readonly worker: JobWorker<ModelWork>

  constructor(settings: WorkerSettings) {
    this.worker = new JobWorker(() => nodeLine(workerFile('model-worker', import.meta.url), { workerData: settings }), {
      name: say('workers.models'),
      rest: IDLE_MS,
      disk: DRIVE,
      toError: (data) => new FormatError(data.code, data.message, data),
    })
  }

  /** Jobs wait for each other. @throws FormatError cancelled, and what the job throws */
  run<J extends ModelJob>(job: J, { patience = PATIENCE_MS, ...options }: JobOptions = {}): Promise<JobResults[J['kind']]> {
    const stopped = (): FormatError => new FormatError('cancelled', say('workers.workStopped'), { file: job.root })
    return this.worker.run<ModelJob['kind']>(job.kind, job, { ...options, patience, stopped }) as Promise<JobResults[J['kind']]>
  }

  /** Ends the worker and the job that runs; the next job starts another. */
  async stop(): Promise<void> {
    await this.worker.end()
  }
}
