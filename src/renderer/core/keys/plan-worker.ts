/// <reference lib="webworker" />
/** Plans edits of many keys away from the window's thread. One request at a time; who does not want it any more ends the worker. */
import { planTask, posesOf } from '../../../shared/keys/tasks.ts'
import type { PlanAnswer, PlanRequest } from './planner.ts'

/** Progress that nobody could see is not sent, ms. */
const EVERY = 50

declare const self: DedicatedWorkerGlobalScope

self.onmessage = ({ data }: MessageEvent<PlanRequest>) => {
  const answer = (message: PlanAnswer, lists: (ArrayBufferView | undefined)[] = []): void => {
    const buffers = new Set<ArrayBufferLike>()
    for (const list of lists) if (list) buffers.add(list.buffer)
    self.postMessage(message, [...buffers] as ArrayBuffer[])
  }
  try {
    let told = performance.now()
    const progress = (share: number): void => {
      const now = performance.now()
      if (now - told < EVERY) return
      told = now
      answer({ kind: 'progress', share })
    }
    if (data.kind === 'poses') {
      const poses = posesOf(data.task, progress)
      answer(
        { kind: 'poses', poses },
        poses.poses.flatMap((p) => [p.times, p.translation, p.rotation, p.scale]),
      )
      return
    }
    const plan = planTask(data.task, data.tracks, new Map(data.selection.map(([id, times]) => [id, new Set(times)])), progress)
    const { selection, ...rest } = plan
    const lists = [...selection].map(([id, times]) => [id, Float64Array.from(times)] as [string, Float64Array])
    answer({ kind: 'plan', plan: rest, selection: lists }, [
      ...lists.map(([, times]) => times),
      ...plan.edits.flatMap(({ remove, set, insert }) => [remove, set?.keys, set?.times, set?.values, insert?.times, insert?.values]),
    ])
  } catch (error) {
    answer({ kind: 'error', message: error instanceof Error ? error.message : String(error) })
  }
}
