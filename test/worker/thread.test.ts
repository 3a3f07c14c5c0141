/** Threads that the system holds: a pipe that nobody writes to is opened as a file of a drive that does not answer. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startThread, undisturbed } from '../../src/main/worker/thread.ts'
import { tempFolder } from '../files/temp.ts'

const module = JSON.stringify(new URL('../../src/main/worker/thread.ts', import.meta.url).href)

/** A program that ends its thread, and one that has such a thread in its own. @returns what it said, and how it ended */
async function run(thread: string): Promise<{ said: string; status: number | string }> {
  const program = `
    const { startThread } = await import(${module})
    const { worker, end } = startThread(new URL('data:text/javascript,' + encodeURIComponent(${JSON.stringify(thread)})))
    worker.once('message', async () => {
      // what follows the message holds it by then; where it does not, it ends as any other
      await new Promise((held) => setTimeout(held, 300))
      await end()
      process.stdout.write('done')
    })`
  return runProgram(program)
}

async function runProgram(program: string): Promise<{ said: string; status: number | string }> {
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()))
  const [status, signal] = (await once(child, 'close')) as [number | null, string | null]
  return { said, status: status ?? signal! }
}

const pipe = (): string => {
  const path = join(tempFolder(), 'pipe')
  execFileSync('mkfifo', [path])
  return JSON.stringify(path)
}
const tells = "const { parentPort, Worker } = await import('node:worker_threads'); const fs = await import('node:fs');"

it('is ended as any other', async () => {
  expect(await run(`${tells} parentPort.postMessage(1); setInterval(() => {}, 1000)`)).toEqual({ said: 'done', status: 0 })
})

it('is not ended in the midst of what must come to its end, but then', async () => {
  const code = `
    const { parentPort, workerData } = await import('node:worker_threads')
    const { undisturbed } = await import(${module})
    const seen = new Int32Array(workerData)
    undisturbed(() => {
      parentPort.postMessage(1)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
      seen[0] = 1
    })
    setInterval(() => seen[1]++, 1)`
  const seen = new Int32Array(new SharedArrayBuffer(8))
  const thread = startThread(new URL(`data:text/javascript,${encodeURIComponent(code)}`), { workerData: seen.buffer })
  await once(thread.worker, 'message')
  await thread.end()
  // it may go on until whoever ends it has looked, and no longer
  const [done, turns] = seen
  expect(done).toBe(1)
  await setTimeout(50)
  expect(seen[1]).toBe(turns)
})

it('ends no process with a thread that loads the library of the index', async () => {
  const database = JSON.stringify(new URL('../../src/main/library/database.ts', import.meta.url).href)
  const loads = `
    const { parentPort } = await import('node:worker_threads')
    const { openDatabase } = await import(${database})
    parentPort.postMessage(1)
    openDatabase(':memory:')`
  const program = `
    import { once } from 'node:events'
    const { startThread } = await import(${module})
    for (let late = 0; late < 4; late += 0.4) {
      const { worker, end } = startThread(new URL('data:text/javascript,' + encodeURIComponent(${JSON.stringify(loads)})))
      await once(worker, 'message')
      await new Promise((waited) => setTimeout(waited, late))
      await end()
    }
    process.stdout.write('done')`
  expect(await runProgram(program)).toEqual({ said: 'done', status: 0 })
})

it('does at once what must come to its end where nobody can end it', () => {
  expect(undisturbed(() => 2)).toBe(2)
})

it.runIf(process.platform !== 'win32')('keeps no program from its end, nor does one in a thread that ends', async () => {
  const held = `${tells} parentPort.postMessage(1); fs.openSync(${pipe()}, 'r')`
  const ends = { said: 'done', status: expect.toBeOneOf(['SIGKILL', 0]) }
  expect(await run(held)).toEqual(ends)
  const around = `${tells}
    const inner = new Worker(new URL('data:text/javascript,' + encodeURIComponent(${JSON.stringify(held)})))
    inner.once('message', () => parentPort.postMessage(1))`
  expect(await run(around)).toEqual(ends)
})
