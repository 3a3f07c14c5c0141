/** Starts the index worker, one for each scan. */
import { FormatError } from '../binary/format-error.ts'
import { JobWorker } from '../../shared/worker/job-worker.ts'
import { nodeLine, workerFile } from '../worker/node-line.ts'
import type { ScanProgress, ScanReport } from '../../shared/api/types/library.ts'
import { say } from '../../shared/texts/say.ts'

export interface WorkerInput {
  root: string
  database: string
  full: boolean
  /** URL of a module that exports `families`, in place of the product's */
  registryModule?: string
}

/** `damaged`: the index file was found damaged while it was in use. */
export type ScanResult = { report: ScanReport } | { damaged: string }

export interface IndexWork {
  scan: { takes: WorkerInput; gives: ScanResult; tells: Omit<ScanProgress, 'library'> }
}

/** How long a worker may take to notice that it should stop before it is ended. */
const PATIENCE_MS = 3000

/** A scan makes much that it holds for a moment: with the engine's own limit a scan of 20,000 files takes twice the memory, in the same time. */
const YOUNG_MB = 24

/** The index file was found damaged while it was in use. */
export class DamagedIndex extends Error {}

/** @throws FormatError cancelled and others, DamagedIndex */
export async function runWorker(
  input: WorkerInput,
  options: { signal?: AbortSignal; onProgress?: (progress: Omit<ScanProgress, 'library'>) => void },
): Promise<ScanReport> {
  const worker = new JobWorker<IndexWork>(() => nodeLine(workerFile('index-worker', import.meta.url), { young: YOUNG_MB }), {
    name: say('workers.index'),
    rest: 0,
    toError: (data) => new FormatError(data.code, data.message, { ...data, file: data.file || input.root }),
  })
  const result = await worker.run('scan', input, {
    ...options,
    patience: PATIENCE_MS,
    stopped: () => new FormatError('cancelled', say('indexing.stopped'), { file: input.root }),
  })
  if ('damaged' in result) throw new DamagedIndex(result.damaged)
  return result.report
}
