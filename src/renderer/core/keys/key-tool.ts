/** A tool on keys, and how it runs: as an operation that can be adjusted afterwards. */
import type { NativeTrack, PoseKeys } from '../../../shared/api/types/clips.ts'
import type { KeyPlan, KeySelection } from '../../../shared/keys/plan.ts'
import { beyondLimits } from '../../../shared/keys/retime.ts'
import { timeMap, type TaskPlan, type TimeChange } from '../../../shared/keys/tasks.ts'
import { formatNumber } from '../../ui/format.ts'
import { Refusal, useAdjust, type AdjustField, type AdjustValue, type Told, type Way } from '../adjust.ts'
import { usePlayback } from '../playback.ts'
import type { Beside } from './beside.ts'
import { planKeys, type Watch } from './planner.ts'
import { say } from '../../../shared/texts/say.ts'

type Values = Record<string, AdjustValue>

/** A tool on keys. It works on the tracks that it finds when its turn comes, also when its values are adjusted later. */
export interface KeyTool<V extends Values> {
  title: string
  /** values that can be adjusted afterwards */
  fields?: AdjustField[]
  values: V
  plan(values: V, way: Way): TaskPlan | Promise<TaskPlan>
  label(plan: KeyPlan, values: V): string
  words?(plan: TaskPlan, values: V): string
  /** said where every key is as it would be */
  none?: string
  beside?(values: V): Beside | undefined
  /** the keys that are chosen afterwards: those of the plan by default */
  after?(plan: KeyPlan): Map<string, Set<number>>
  keep?(values: V): void
}

/** The same for tools that think in poses of the scene. */
export interface PoseTool<V extends Values> {
  title: string
  fields?: AdjustField[]
  values: V
  poses(
    values: V,
    way: Way,
  ):
    | { poses: PoseKeys[]; skipped: readonly string[]; words?: string }
    | Promise<{ poses: PoseKeys[]; skipped: readonly string[]; words?: string }>
  label(poses: PoseKeys[]): string
  keep?(values: V): void
}

export type KeyToolRuns = ReturnType<typeof keyToolRuns>

/** @param load reads the tracks again, @param choose what is chosen after an edit */
export function keyToolRuns(load: () => Promise<void>, choose: (next: Map<string, Set<number>>) => void) {
  const adjust = useAdjust()
  const playback = usePlayback()

  /** Runs a tool on the keys that are there when its turn comes. */
  function use<V extends Values>(make: () => KeyTool<V> | null): Promise<boolean> {
    return adjust.perform(() => {
      const tool = make()
      if (!tool) return null
      const { title, fields = [], values, keep } = tool
      const run = async (now: V, way: Way): Promise<Told> => {
        const plan = await tool.plan(now, way)
        const beside = tool.beside?.(now)
        const moves = beside !== undefined && Object.values(beside).some((list) => list.length > 0)
        if (!plan.edits.length && !moves && plan.skipped.length) throw new Refusal(say('notices.nothingChanged'), plan.skipped.join('; '))
        // values that change nothing take back what others changed
        if (!plan.edits.length && !moves && !way.again) return { words: tool.none }
        await way.edit('clips.editKeys', {
          label: tool.label(plan, now),
          edits: plan.edits,
          ...(moves ? { clip: playback.state.clip, beside } : {}),
        })
        await load()
        choose(tool.after?.(plan) ?? plan.selection)
        if (!plan.edits.length && !moves) return { words: tool.none, left: plan.skipped }
        const gaveWay = plan.gaveWay ? say('keyEdits.gaveWay', { count: plan.gaveWay }) : ''
        return { words: [tool.words?.(plan, now), gaveWay].filter(Boolean).join('. '), left: plan.skipped }
      }
      return { title, fields, values, run, keep }
    })
  }

  /** Keys of the scene's poses; the services put them into the file's own words. */
  function usePoses<V extends Values>(make: () => PoseTool<V> | null): Promise<boolean> {
    return adjust.perform(() => {
      const tool = make()
      if (!tool) return null
      const { clip } = playback.state
      const { title, fields = [], values, keep } = tool
      const run = async (now: V, way: Way): Promise<Told> => {
        const { poses, skipped, words } = await tool.poses(now, way)
        // values that change nothing take back what others changed
        if (!poses.length && !way.again) throw new Refusal(say('notices.nothingChanged'), skipped.join('; '))
        await way.edit('clips.pose', { clip, label: tool.label(poses), poses })
        await load()
        return { words, left: skipped }
      }
      return { title, fields, values, run, keep }
    })
  }

  return { use, usePoses }
}

/** The unit of the clip's times, as fields show it. */
export function timeUnit(): string {
  return say(`units.times.${usePlayback().clip?.unit ?? 'frame'}`)
}

/** Keys that would land beyond the clip's end would all come to stand on it, and all but one be lost: they are refused. */
export function planRetime(change: TimeChange, on: readonly NativeTrack[], selection: KeySelection, way: Watch): Promise<TaskPlan> {
  const end = beyondLimits(on, selection, timeMap(change))
  if (end !== null) throw new Refusal(say('notices.nothingChanged'), say('keyEdits.beyond', { end: formatNumber(end, 7) }))
  return planKeys({ tool: 'retime', change }, on, selection, way)
}
