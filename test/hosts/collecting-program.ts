/** `node collecting-program.ts set|plain`: makes arrays as edits of many keys do, and prints how often everything was collected meanwhile. */
import { constants, PerformanceObserver } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { collectByAllThatIsHeld } from '../../src/main/hosts/backend/collecting.ts'

const EDITS = 100
/** of four bytes each */
const NUMBERS = 1_000_000

if (process.argv[2] === 'set') collectByAllThatIsHeld()
let collected = 0
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const { kind } = (entry as unknown as { detail: { kind: number } }).detail
    if (kind === constants.NODE_PERFORMANCE_GC_MAJOR) collected++
  }
}).observe({ entryTypes: ['gc'] })
let held: Float32Array[] = []
for (let i = 0; i < EDITS; i++) {
  held = [new Float32Array(NUMBERS).fill(i), new Float32Array(NUMBERS).fill(i)]
  await setTimeout(2)
}
await setTimeout(50)
console.log(held.length > 0 ? collected : -1)
