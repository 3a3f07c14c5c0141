/** Plans edits of many keys away from the window's thread. Who does not want a plan any more ends the worker. */
import { planTask, posesOf } from '../../../shared/keys/tasks.ts'
import { serveWindow } from '../worker/serve-web.ts'
import type { PlanWork } from './planner.ts'

serveWindow<PlanWork>({
  keys({ task, tracks, selection: chosen }, work) {
    const { selection, ...plan } = planTask(task, tracks, new Map(chosen.map(([id, times]) => [id, new Set(times)])), work.progress)
    const lists = [...selection].map(([id, times]) => [id, Float64Array.from(times)] as [string, Float64Array])
    work.transfer(lists.map(([, times]) => times))
    work.transfer(
      plan.edits.flatMap(({ remove, set, insert }) => [remove, set?.keys, set?.times, set?.values, insert?.times, insert?.values]),
    )
    return { plan, selection: lists }
  },
  poses(task, work) {
    const poses = posesOf(task, work.progress)
    work.transfer(poses.poses.flatMap((p) => [p.times, p.translation, p.rotation, p.scale]))
    return poses
  },
})
