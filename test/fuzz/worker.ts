/** Runs cases one after the other; the main thread sees where it is through shared memory and ends it when it hangs. */
import { parentPort, workerData } from 'node:worker_threads'
import { Cases } from './cases.ts'
import { check, STAGES } from './check.ts'

export interface WorkerInput {
  seed: number
  format?: string
  first: number
  last: number
  /** case number, stage, cases done, cases that were decoded, slowest case, its milliseconds of the processor */
  state: SharedArrayBuffer
}

const input = workerData as WorkerInput
const state = new Int32Array(input.state)
const cases = new Cases(input.seed, input.format)
parentPort!.postMessage({ kind: 'ready', seeds: cases.count })
for (let n = input.first; cases.count > 0 && n < input.last; n++) {
  const { seed, bytes, siblings, gltf } = cases.get(n)
  Atomics.store(state, 1, 0)
  Atomics.store(state, 0, n)
  const before = process.threadCpuUsage()
  const { findings, decoded } = await check(seed, bytes, siblings, {
    gltf,
    onStage: (stage) => Atomics.store(state, 1, STAGES.indexOf(stage)),
  })
  Atomics.add(state, 2, 1)
  if (decoded) Atomics.add(state, 3, 1)
  const { user, system } = process.threadCpuUsage(before)
  const ms = Math.round((user + system) / 1000)
  if (ms > Atomics.load(state, 5)) {
    Atomics.store(state, 5, ms)
    Atomics.store(state, 4, n)
  }
  for (const finding of findings) parentPort!.postMessage({ kind: 'finding', n, format: seed.format, path: seed.path, finding })
}
parentPort!.postMessage({ kind: 'done' })
