/** The tools on keys as data: what a worker can be asked for. Tools that work track by track say how far they are. */
import { cycleKeys } from './cycle.ts'
import { copiedPoses, pasteKeys, type CopiedKeys, type CopiedPoses, type KeyedTimes } from './clipboard.ts'
import { insertKeys, offsetTranslation, removeKeys, takeOutTravel } from './keys.ts'
import { mirrorPoses } from './mirror.ts'
import { emptyPlan, leaveOut, type KeyPlan, type KeySelection } from './plan.ts'
import { reduceKeys, type ReducePlan, type Tolerance } from './reduce.ts'
import { retimeKeys, reversed, scaled, shifted, snapped, type TimeMap } from './retime.ts'
import { fitLoop, smoothKeys, type Meeting } from './smooth.ts'
import { emptyScene } from '../scene/types.ts'
import type { NativeTrack } from '../api/types/clips.ts'
import type { Clip, Scene } from '../scene/types.ts'

/** How keys move in time. */
export type TimeChange =
  | { kind: 'shift'; by: number }
  /** @see scaled */
  | { kind: 'scale'; pivot: number; factor: number }
  | { kind: 'reverse'; start: number; end: number }
  | { kind: 'snap'; step: number }

export type KeyTask =
  | { tool: 'retime'; change: TimeChange }
  | { tool: 'reduce'; tolerance: Tolerance }
  | { tool: 'smooth'; strength: number; rounds: number }
  | { tool: 'loop'; start: number; end: number; over: number; travel: readonly string[]; meeting?: Meeting }
  /** @see cycleKeys */
  | { tool: 'cycle'; start: number; end: number; by: number; travel: readonly string[] }
  | { tool: 'offset'; by: Readonly<Record<'x' | 'y' | 'z', number>> }
  | { tool: 'inPlace'; axes: readonly string[] }
  | { tool: 'insert'; time: number }
  | { tool: 'paste'; copied: CopiedKeys; time: number; over: boolean }
  | { tool: 'remove' }

export type TaskPlan = KeyPlan & Partial<Pick<ReducePlan, 'reached'>>

export function timeMap(change: TimeChange): TimeMap {
  if (change.kind === 'shift') return shifted(change.by)
  if (change.kind === 'scale') return scaled(change.pivot, change.factor)
  return change.kind === 'reverse' ? reversed(change.start, change.end) : snapped(change.step)
}

function planPart(task: KeyTask, tracks: readonly NativeTrack[], selection: KeySelection): TaskPlan {
  switch (task.tool) {
    case 'retime':
      return retimeKeys(tracks, selection, timeMap(task.change))
    case 'reduce':
      return reduceKeys(tracks, selection, task.tolerance)
    case 'smooth':
      return smoothKeys(tracks, selection, task.strength, task.rounds)
    case 'loop':
      return fitLoop(tracks, { start: task.start, end: task.end }, task.over, new Set(task.travel), task.meeting)
    case 'cycle':
      return cycleKeys(tracks, { start: task.start, end: task.end }, task.by, new Set(task.travel))
    case 'offset':
      return offsetTranslation(tracks, selection, task.by)
    case 'inPlace':
      return takeOutTravel(tracks, selection, task.axes)
    case 'insert':
      return insertKeys(tracks, task.time)
    case 'paste':
      return pasteKeys(tracks, task.copied, task.time, task.over)
    case 'remove':
      return removeKeys(tracks, selection)
  }
}

/** Tools that look at all tracks together, or say of them together that there was nothing to do. */
const WHOLE: ReadonlySet<KeyTask['tool']> = new Set(['offset', 'inPlace', 'paste'])

/** @param progress told a share from 0 to 1 after each track (tracks that share their keys count as one) */
export function planTask(
  task: KeyTask,
  tracks: readonly NativeTrack[],
  selection: KeySelection,
  progress: (share: number) => void = () => {},
): TaskPlan {
  if (WHOLE.has(task.tool)) return planPart(task, tracks, selection)
  const groups = new Map<string, NativeTrack[]>()
  let keys = 0
  for (const track of tracks) {
    const key = track.sharedKeys ?? track.id
    const group = groups.get(key)
    if (group) group.push(track)
    else groups.set(key, [track])
    keys += track.times.length
  }
  const plan: TaskPlan = emptyPlan()
  let done = 0
  for (const group of groups.values()) {
    const part = planPart(task, group, selection)
    for (const edit of part.edits) plan.edits.push(edit)
    for (const [id, times] of part.selection) plan.selection.set(id, times)
    for (const why of part.skipped) leaveOut(plan, why)
    plan.count += part.count
    plan.gaveWay += part.gaveWay
    if (part.reached) {
      const { reached } = plan as ReducePlan
      const most = (k: keyof Tolerance): number => Math.max(reached?.[k] ?? 0, part.reached![k])
      plan.reached = { degrees: most('degrees'), distance: most('distance'), factor: most('factor') }
    }
    for (const track of group) done += track.times.length
    progress(keys ? done / keys : 1)
  }
  if (task.tool === 'reduce') plan.reached ??= { degrees: 0, distance: 0, factor: 0 }
  return plan
}

/** Tools that think in poses of the scene. */
export type PoseTask =
  /** @see mirrorPoses */
  | { tool: 'mirror'; scene: Scene; clip: Clip; times: ReadonlyMap<number, Float64Array>; sides: Int32Array }
  /** @see copiedPoses */
  | { tool: 'paste'; copied: CopiedKeys; names: readonly string[]; time: number; rate: number; last: number; over: KeyedTimes | null }

/** @param progress told a share from 0 to 1 */
export function posesOf(task: PoseTask, progress: (share: number) => void = () => {}): CopiedPoses {
  if (task.tool === 'paste') return copiedPoses(task.copied, task.names, task.time, task.rate, task.last, task.over, progress)
  return { poses: mirrorPoses(task.scene, task.clip, task.times, task.sides, progress), skipped: [] }
}

/** The task with what moves joints alone: meshes and pictures need not go to a worker. */
export function withoutLooks(task: PoseTask): PoseTask {
  const bare = ({ scene, clip }: { scene: Scene; clip: Clip }): { scene: Scene; clip: Clip } => ({
    scene: { ...emptyScene(scene.name), skeleton: scene.skeleton },
    clip: { ...clip, tracks: clip.tracks.filter((t) => t.target.kind === 'joint') },
  })
  if (task.tool === 'mirror') return { ...task, ...bare(task) }
  return { ...task, copied: { ...task.copied, from: task.copied.from && bare(task.copied.from) } }
}
