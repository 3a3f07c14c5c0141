/** Threads that the system holds: a pipe that nobody writes to is opened as a file of a drive that does not answer. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../files/temp.ts'

const module = JSON.stringify(new URL('../../src/main/worker/end-thread.ts', import.meta.url).href)

/** A program that ends its thread, and one that has such a thread in its own. @returns what it said, and how it ended */
async function run(thread: string): Promise<{ said: string; status: number | string }> {
  const program = `
    import { Worker } from 'node:worker_threads'
    const { endThread } = await import(${module})
    const worker = new Worker(new URL('data:text/javascript,' + encodeURIComponent(${JSON.stringify(thread)})))
    worker.once('message', async () => {
      // what follows the message holds it by then; where it does not, it ends as any other
      await new Promise((held) => setTimeout(held, 300))
      await endThread(worker)
      process.stdout.write('done')
    })`
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

it.runIf(process.platform !== 'win32')('keeps no program from its end, nor does one in a thread that ends', async () => {
  const held = `${tells} parentPort.postMessage(1); fs.openSync(${pipe()}, 'r')`
  const ends = { said: 'done', status: expect.toBeOneOf(['SIGKILL', 0]) }
  expect(await run(held)).toEqual(ends)
  const around = `${tells}
    const inner = new Worker(new URL('data:text/javascript,' + encodeURIComponent(${JSON.stringify(held)})))
    inner.once('message', () => parentPort.postMessage(1))`
  expect(await run(around)).toEqual(ends)
})
