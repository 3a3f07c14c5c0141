/** Priorities of single threads. */
import { getPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'

it('a thread gives way by itself, its process does not (elsewhere than on Linux nothing does)', async () => {
  const before = getPriority()
  const giveWay = new URL('../../src/main/worker/give-way.ts', import.meta.url).href
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads')
    import(${JSON.stringify(giveWay)}).then(({ giveWay }) => {
      giveWay(2)
      parentPort.postMessage(require('node:os').getPriority())
    })`,
    { eval: true },
  )
  const its = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
  await worker.terminate()
  expect(its).toBe(process.platform === 'linux' ? Math.min(before + 2, 19) : before)
  expect(getPriority()).toBe(before)
})
