/** Starts the index worker and speaks with it. The one place that knows where its file is. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { FormatError } from '../binary/format-error.ts'
import type { ErrorData } from '../../shared/api/errors.ts'
import type { ScanProgress, ScanReport } from '../../shared/api/types.ts'

export interface WorkerInput {
  root: string
  database: string
  full: boolean
  /** one Int32, 1 to stop */
  cancel: SharedArrayBuffer
  /** URL of a module that exports `families`, in place of the product's */
  registryModule?: string
}

export type WorkerMessage =
  | { kind: 'progress'; progress: Omit<ScanProgress, 'library'> }
  | { kind: 'done'; report: ScanReport }
  | { kind: 'failed'; error: ErrorData; damaged: boolean }

/** How long a worker may take to notice that it should stop before it is ended. */
const PATIENCE_MS = 3000

/** The index file was found damaged while it was in use. */
export class DamagedIndex extends Error {}

/** Beside this module as source; in a build beside the bundle or a folder up from its chunks. */
function workerFile(): URL {
  const places = ['./index-worker.ts', './index-worker.js', '../index-worker.js'].map((name) => new URL(name, import.meta.url))
  const found = places.find((url) => existsSync(fileURLToPath(url)))
  if (!found) throw new FormatError('internal', 'the index worker is missing from this build')
  return found
}

/** @throws FormatError cancelled and others, DamagedIndex */
export async function runWorker(
  input: Omit<WorkerInput, 'cancel'>,
  options: { signal?: AbortSignal; onProgress?: (progress: Omit<ScanProgress, 'library'>) => void },
): Promise<ScanReport> {
  const { signal, onProgress } = options
  const stopped = (): FormatError =>
    new FormatError('cancelled', 'the scan was stopped; what it found so far is kept', { file: input.root })
  if (signal?.aborted) throw stopped()
  const cancel = new SharedArrayBuffer(4)
  const worker = new Worker(workerFile(), {
    workerData: { ...input, cancel } satisfies WorkerInput,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  let timer: NodeJS.Timeout | undefined
  const onAbort = (): void => {
    Atomics.store(new Int32Array(cancel), 0, 1)
    timer = setTimeout(() => void worker.terminate(), PATIENCE_MS)
  }
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await new Promise<ScanReport>((resolve, reject) => {
      worker.on('message', (message: WorkerMessage) => {
        if (message.kind === 'progress') onProgress?.(message.progress)
        else if (message.kind === 'done') resolve(message.report)
        else if (message.damaged) reject(new DamagedIndex(message.error.message))
        else reject(new FormatError(message.error.code, message.error.message, message.error))
      })
      worker.on('error', (error) =>
        reject(
          new FormatError('internal', `the index worker failed: ${error instanceof Error ? error.message : String(error)}`, {
            file: input.root,
          }),
        ),
      )
      worker.on('exit', () =>
        reject(signal?.aborted ? stopped() : new FormatError('internal', 'the index worker ended unexpectedly', { file: input.root })),
      )
    })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
    await worker.terminate()
  }
}
