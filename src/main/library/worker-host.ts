/** Starts the index worker, one for each scan. */
import { FormatError } from '../binary/format-error.ts'
import { JobWorker } from '../../shared/worker/job-worker.ts'
import { DRIVE, type DrivePatience } from '../worker/drive.ts'
import { nodeLine, workerFile } from '../worker/node-line.ts'
import type { ScanProgress, ScanReport } from '../../shared/api/types/library.ts'
import { say } from '../../shared/texts/say.ts'

export interface WorkerInput {
  root: string
  database: string
  full: boolean
  /** places of folders that the user leaves out */
  leftOut: readonly string[]
  /** URL of a module that exports `families`, in place of the product's */
  registryModule?: string
  /** threads that read beside the one that writes; as many as the machine is good for when absent */
  readers?: number
  /** files and folders whose drive did not answer: they are told as errors */
  left: readonly string[]
}

/** `damaged`: the index file was found damaged while it was in use. */
export type ScanResult = { report: ScanReport } | { damaged: string }

export interface IndexWork {
  scan: { takes: WorkerInput; gives: ScanResult; tells: Omit<ScanProgress, 'library'> }
}

/** How long a worker may take to notice that it should stop before it is ended. */
const PATIENCE_MS = 3000

/** Each file or folder that does not answer keeps a thread until its drive does: after these the drive is taken for gone. */
const MOST_LEFT = 3

/** A scan makes much that it holds for a moment: with the engine's own limit a scan of 20,000 files takes twice the memory, in the same time. */
const YOUNG_MB = 16

/** The index file was found damaged while it was in use. */
export class DamagedIndex extends Error {}

interface RunOptions {
  signal?: AbortSignal
  onProgress?: (progress: Omit<ScanProgress, 'library'>) => void
  drive?: DrivePatience
}

/**
 * Goes on with another worker where a drive does not answer one, without what that one waited for.
 * @throws FormatError cancelled, no-answer and others, DamagedIndex
 */
export async function runWorker(input: Omit<WorkerInput, 'left'>, options: RunOptions): Promise<ScanReport> {
  const left: string[] = []
  let { full } = input
  const onProgress = (progress: Omit<ScanProgress, 'library'>): void => {
    // what was there is forgotten once, before the first file
    if (progress.phase !== 'walk') full = false
    options.onProgress?.(progress)
  }
  for (;;) {
    try {
      return await runOnce({ ...input, full, left }, { ...options, onProgress })
    } catch (error) {
      if (!(error instanceof FormatError) || error.code !== 'no-answer' || left.includes(error.file)) throw error
      left.push(error.file)
      if (left.length > MOST_LEFT)
        throw new FormatError('no-answer', say('indexing.driveGone', { count: left.length }), { file: error.file })
    }
  }
}

async function runOnce(input: WorkerInput, { signal, onProgress = () => {}, drive = DRIVE }: RunOptions): Promise<ScanReport> {
  const worker = new JobWorker<IndexWork>(() => nodeLine(workerFile('index-worker', import.meta.url), { young: YOUNG_MB }), {
    name: say('workers.index'),
    rest: 0,
    disk: drive,
    toError: (data) => new FormatError(data.code, data.message, { ...data, file: data.file || input.root }),
  })
  let last: Omit<ScanProgress, 'library'> = { phase: 'walk', done: 0, total: 0, current: '', errors: 0 }
  const result = await worker.run('scan', input, {
    signal,
    onProgress(progress) {
      last = progress
      onProgress(progress)
    },
    onWaiting: (waiting) => onProgress({ ...last, waiting }),
    patience: PATIENCE_MS,
    stopped: () => new FormatError('cancelled', say('indexing.stopped'), { file: input.root }),
  })
  if ('damaged' in result) throw new DamagedIndex(result.damaged)
  return result.report
}
