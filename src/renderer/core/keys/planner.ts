/** Plans of key tools: at once for few keys, in a worker for many, so that the window goes on drawing. */
import { planTask, posesOf, withoutLooks, type KeyTask, type PoseTask, type TaskPlan } from '../../../shared/keys/tasks.ts'
import type { CopiedPoses } from '../../../shared/keys/clipboard.ts'
import type { NativeTrack } from '../../../shared/api/types.ts'
import type { KeySelection } from '../../../shared/keys/plan.ts'

export type PlanRequest =
  | {
      kind: 'keys'
      task: KeyTask
      tracks: readonly NativeTrack[]
      /** chosen times by track */
      selection: [string, Float64Array][]
    }
  | { kind: 'poses'; task: PoseTask }

export type PlanAnswer =
  | { kind: 'progress'; share: number }
  | { kind: 'plan'; plan: Omit<TaskPlan, 'selection'>; selection: [string, Float64Array][] }
  | { kind: 'poses'; poses: CopiedPoses }
  | { kind: 'error'; message: string }

/** So many keys take every tool a few milliseconds at most; starting a worker takes longer. */
const AT_ONCE = 4000

export interface Watch {
  signal: AbortSignal
  progress(share: number): void
}

/** @throws what the signal says when it is aborted: nothing was changed then */
export async function planKeys(task: KeyTask, tracks: readonly NativeTrack[], selection: KeySelection, watch: Watch): Promise<TaskPlan> {
  const keys = sum(tracks) + (task.tool === 'paste' ? sum(task.copied.tracks) : 0)
  if (keys <= AT_ONCE || typeof Worker === 'undefined') return planTask(task, tracks, selection)
  // the scene that copied keys come from is of no use to a paste of keys
  const sent: KeyTask = task.tool === 'paste' ? { ...task, copied: { ...task.copied, from: null } } : task
  const answer = await ask(
    { kind: 'keys', task: sent, tracks, selection: [...selection].map(([id, times]) => [id, Float64Array.from(times)]) },
    watch,
  )
  if (answer.kind !== 'plan') throw new Error('the worker answered something else')
  return { ...answer.plan, selection: new Map(answer.selection.map(([id, times]) => [id, new Set(times)])) }
}

/** @throws as planKeys */
export async function planPoses(task: PoseTask, watch: Watch): Promise<CopiedPoses> {
  const keys = task.tool === 'mirror' ? [...task.times.values()].reduce((n, times) => n + times.length, 0) : sum(task.copied.tracks)
  if (keys <= AT_ONCE || typeof Worker === 'undefined') return posesOf(task)
  const answer = await ask({ kind: 'poses', task: withoutLooks(task) }, watch)
  if (answer.kind !== 'poses') throw new Error('the worker answered something else')
  return answer.poses
}

const sum = (tracks: readonly { times: Float64Array }[]): number => tracks.reduce((n, t) => n + t.times.length, 0)

type Done = Exclude<PlanAnswer, { kind: 'progress' | 'error' }>

async function ask(request: PlanRequest, watch: Watch): Promise<Done> {
  watch.signal.throwIfAborted()
  const worker = new Worker(new URL('./plan-worker.ts', import.meta.url), { type: 'module', name: 'plan-worker' })
  try {
    return await new Promise<Done>((resolve, reject) => {
      watch.signal.addEventListener('abort', () => reject(watch.signal.reason as Error), { once: true })
      worker.onerror = (event) => reject(new Error(event.message || 'the worker could not be started'))
      worker.onmessage = ({ data }: MessageEvent<PlanAnswer>) => {
        if (data.kind === 'progress') watch.progress(data.share)
        else if (data.kind === 'error') reject(new Error(data.message))
        else resolve(data)
      }
      worker.postMessage(request)
    })
  } finally {
    worker.terminate()
  }
}
