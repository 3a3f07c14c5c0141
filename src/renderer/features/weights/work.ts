/** The window's side of the weight worker: requests one after the other, each can be cancelled. */
import { webWorker } from '../../core/worker/web-line.ts'
import type { JobWorker } from '../../../shared/worker/job-worker.ts'
import type { WeightWork } from './weight-worker.ts'

export function weightWorker(): JobWorker<WeightWork> {
  return webWorker('weights', () => new Worker(new URL('./weight-worker.ts', import.meta.url), { type: 'module' }))
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
