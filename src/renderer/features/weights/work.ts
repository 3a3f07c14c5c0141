/** The window's side of the weight worker: requests one after the other, each can be cancelled. */
import type { WeightWork, WorkAnswer, WorkRequest } from './weight-worker.ts'

export interface WorkOptions {
  signal?: AbortSignal
  /** share that is done, 0..1 */
  onProgress?: (share: number) => void
}

export class WeightWorker {
  private readonly start: () => Worker
  private worker: Worker | null = null
  private last: Promise<unknown> = Promise.resolve()

  /** @param start makes the worker; it is made with the first request, and again after one was cancelled */
  constructor(start: () => Worker = () => new Worker(new URL('./weight-worker.ts', import.meta.url), { type: 'module' })) {
    this.start = start
  }

  /** @throws DOMException AbortError where it was cancelled, Error where the work or the worker failed */
  run<K extends keyof WeightWork>(kind: K, input: WeightWork[K]['takes'], options: WorkOptions = {}): Promise<WeightWork[K]['gives']> {
    const next = this.last.then(() => this.ask({ kind, input } as WorkRequest, options) as Promise<WeightWork[K]['gives']>)
    this.last = next.catch(() => null)
    return next
  }

  private ask(request: WorkRequest, { signal, onProgress }: WorkOptions): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(abortError())
      const worker = (this.worker ??= this.start())
      const end = (): void => {
        worker.onmessage = worker.onerror = null
        signal?.removeEventListener('abort', stop)
      }
      const stop = (): void => {
        end()
        this.drop()
        reject(abortError())
      }
      signal?.addEventListener('abort', stop)
      worker.onmessage = ({ data }: MessageEvent<WorkAnswer>) => {
        if ('progress' in data) return onProgress?.(data.progress)
        end()
        if ('error' in data) reject(new Error(data.error))
        else resolve(data.result)
      }
      worker.onerror = (event) => {
        end()
        this.drop()
        reject(new Error(event.message || 'the weights could not be worked out'))
      }
      worker.postMessage(request)
    })
  }

  private drop(): void {
    this.worker?.terminate()
    this.worker = null
  }
}

function abortError(): DOMException {
  return new DOMException('cancelled', 'AbortError')
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
