/// <reference lib="webworker" />
/** Plans edits of many keys away from the window's thread. One request at a time; who does not want it any more ends the worker. */
import { planTask } from '../../shared/keys/tasks.ts'
import type { PlanAnswer, PlanRequest } from './planner.ts'

/** Progress that nobody could see is not sent, ms. */
const EVERY = 50

declare const self: DedicatedWorkerGlobalScope

self.onmessage = ({ data }: MessageEvent<PlanRequest>) => {
  const answer = (message: PlanAnswer, transfer: Transferable[] = []): void => self.postMessage(message, transfer)
  try {
    let told = performance.now()
    const plan = planTask(data.task, data.tracks, new Map(data.selection.map(([id, times]) => [id, new Set(times)])), (share) => {
      const now = performance.now()
      if (now - told < EVERY) return
      told = now
      answer({ kind: 'progress', share })
    })
    const { selection, ...rest } = plan
    const lists = [...selection].map(([id, times]) => [id, Float64Array.from(times)] as [string, Float64Array])
    const buffers = new Set<ArrayBufferLike>(lists.map(([, times]) => times.buffer))
    for (const { remove, set, insert } of plan.edits) for (const list of [remove, set?.keys, set?.times, set?.values, insert?.times, insert?.values]) if (list) buffers.add(list.buffer)
    answer({ kind: 'plan', plan: rest, selection: lists }, [...buffers] as ArrayBuffer[])
  } catch (error) {
    answer({ kind: 'error', message: error instanceof Error ? error.message : String(error) })
  }
}
