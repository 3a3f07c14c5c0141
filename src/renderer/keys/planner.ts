/** Plans of key tools: at once for few keys, in a worker for many, so that the window goes on drawing. */
import { planTask, type KeyTask, type TaskPlan } from '../../shared/keys/tasks.ts'
import type { NativeTrack } from '../../shared/api/types.ts'
import type { KeySelection } from '../../shared/keys/plan.ts'

export interface PlanRequest {
  task: KeyTask
  tracks: readonly NativeTrack[]
  /** chosen times by track */
  selection: [string, Float64Array][]
}

export type PlanAnswer =
  | { kind: 'progress'; share: number }
  | { kind: 'plan'; plan: Omit<TaskPlan, 'selection'>; selection: [string, Float64Array][] }
  | { kind: 'error'; message: string }

/** So many keys take every tool a few milliseconds at most; starting a worker takes longer. */
const AT_ONCE = 4000

export interface Watch {
  signal: AbortSignal
  progress(share: number): void
}

/** @throws what the signal says when it is aborted: nothing was changed then */
export async function planKeys(task: KeyTask, tracks: readonly NativeTrack[], selection: KeySelection, watch: Watch): Promise<TaskPlan> {
  const keys = tracks.reduce((n, t) => n + t.times.length, 0)
  if (keys <= AT_ONCE || typeof Worker === 'undefined') return planTask(task, tracks, selection)
  watch.signal.throwIfAborted()
  const worker = new Worker(new URL('./plan-worker.ts', import.meta.url), { type: 'module', name: 'plan-worker' })
  try {
    return await new Promise<TaskPlan>((resolve, reject) => {
      watch.signal.addEventListener('abort', () => reject(watch.signal.reason as Error), { once: true })
      worker.onerror = (event) => reject(new Error(event.message || 'the worker could not be started'))
      worker.onmessage = ({ data }: MessageEvent<PlanAnswer>) => {
        if (data.kind === 'progress') watch.progress(data.share)
        else if (data.kind === 'error') reject(new Error(data.message))
        else resolve({ ...data.plan, selection: new Map(data.selection.map(([id, times]) => [id, new Set(times)])) })
      }
      const request: PlanRequest = { task, tracks, selection: [...selection].map(([id, times]) => [id, Float64Array.from(times)]) }
      worker.postMessage(request)
    })
  } finally {
    worker.terminate()
  }
}
