/** Plans of key tools: at once for few keys, in a worker for many, so that the window goes on drawing. */
import { planTask, posesOf, withoutLooks, type KeyTask, type PoseTask, type TaskPlan } from '../../../shared/keys/tasks.ts'
import type { CopiedPoses } from '../../../shared/keys/clipboard.ts'
import type { NativeTrack } from '../../../shared/api/types/clips.ts'
import type { JobWorker } from '../../../shared/worker/job-worker.ts'
import { webWorker } from '../worker/web-line.ts'
import type { KeySelection } from '../../../shared/keys/plan.ts'

/** What the worker can be asked for. Progress is the share that is done, 0..1. */
export interface PlanWork {
  keys: {
    takes: {
      task: KeyTask
      tracks: readonly NativeTrack[]
      /** chosen times by track */
      selection: [string, Float64Array][]
    }
    gives: { plan: Omit<TaskPlan, 'selection'>; selection: [string, Float64Array][] }
    tells: number
  }
  poses: { takes: PoseTask; gives: CopiedPoses; tells: number }
}

/** So many keys take every tool a few milliseconds at most; starting a worker takes longer. */
export const AT_ONCE = 4000

/** Tools that change chosen keys and pass over every track that has none. */
const OF_CHOSEN: ReadonlySet<KeyTask['tool']> = new Set(['retime', 'reduce', 'smooth', 'remove'])

/** The tracks that a tool has to see: where some share their keys, all of those. */
function seenBy({ tool }: KeyTask, tracks: readonly NativeTrack[], selection: KeySelection): readonly NativeTrack[] {
  if (!OF_CHOSEN.has(tool)) return tracks
  const isChosen = ({ id }: NativeTrack): boolean => (selection.get(id)?.size ?? 0) > 0
  const shared = new Set(tracks.filter(isChosen).map(({ sharedKeys }) => sharedKeys))
  return tracks.filter((track) => isChosen(track) || (track.sharedKeys !== undefined && shared.has(track.sharedKeys)))
}

/** How many keys a tool works on. One that moves among a quarter of a million is one. */
function keysOf(task: KeyTask, tracks: readonly NativeTrack[], selection: KeySelection): number {
  if (task.tool === 'insert') return tracks.length
  const dense = tracks.some(({ limits }) => limits.dense)
  if (task.tool === 'remove' || (task.tool === 'retime' && !dense))
    return tracks.reduce((n, { id }) => n + (selection.get(id)?.size ?? 0), 0)
  return sum(tracks) + (task.tool === 'paste' ? sum(task.copied.tracks) : 0)
}

export interface Watch {
  signal: AbortSignal
  progress(share: number): void
}

/** @throws what the signal says when it is aborted: nothing was changed then */
export async function planKeys(task: KeyTask, all: readonly NativeTrack[], selection: KeySelection, watch: Watch): Promise<TaskPlan> {
  const tracks = seenBy(task, all, selection)
  if (keysOf(task, tracks, selection) <= AT_ONCE || typeof Worker === 'undefined') return planTask(task, tracks, selection)
  // the scene that copied keys come from is of no use to a paste of keys
  const sent: KeyTask = task.tool === 'paste' ? { ...task, copied: { ...task.copied, from: null } } : task
  const answer = await planner().run(
    'keys',
    { task: sent, tracks, selection: [...selection].map(([id, times]) => [id, Float64Array.from(times)]) },
    { signal: watch.signal, onProgress: watch.progress },
  )
  return { ...answer.plan, selection: new Map(answer.selection.map(([id, times]) => [id, new Set(times)])) }
}

/** @throws as planKeys */
export async function planPoses(task: PoseTask, watch: Watch): Promise<CopiedPoses> {
  const keys = task.tool === 'mirror' ? [...task.times.values()].reduce((n, times) => n + times.length, 0) : sum(task.copied.tracks)
  if (keys <= AT_ONCE || typeof Worker === 'undefined') return posesOf(task)
  return planner().run('poses', withoutLooks(task), { signal: watch.signal, onProgress: watch.progress })
}

const sum = (tracks: readonly { times: Float64Array }[]): number => tracks.reduce((n, t) => n + t.times.length, 0)

/** A worker for one plan. */
function planner(): JobWorker<PlanWork> {
  return webWorker('keys', () => new Worker(new URL('./plan-worker.ts', import.meta.url), { type: 'module', name: 'plan-worker' }), 0)
}
