/** The check at the end of each test file sees what is left, of every kind: without this it would pass whatever a file leaves. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, rmSync, watch, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { held, heldSince } from './held.ts'
import { countListeners } from './page-listeners.ts'

/** What is held between the two, and that nothing is after it. */
async function seen(open: () => Promise<() => unknown> | (() => unknown)): Promise<string[]> {
  const before = held()
  const close = await open()
  const now = heldSince(before)
  await close()
  await expect.poll(() => heldSince(before), { timeout: 10_000 }).toEqual([])
  return now
}

describe('what this process holds', () => {
  it.runIf(process.platform === 'linux')('an open file, a database, a watched folder', async () => {
    const file = join(tmpdir(), 'held.bin')
    writeFileSync(file, 'x')
    expect(
      await seen(() => {
        const fd = openSync(file, 'r')
        return () => closeSync(fd)
      }),
    ).toEqual([`file ${file}`])
    const base = join(tmpdir(), 'held.db')
    expect(
      await seen(() => {
        const database = new Database(base)
        database.exec('create table t (a)')
        return () => database.close()
      }),
    ).toEqual([`file ${base}`])
    expect(
      await seen(() => {
        const watcher = watch(tmpdir(), { persistent: false })
        return () => watcher.close()
      }),
    ).toEqual([expect.stringMatching(/^watched /)])
    rmSync(file)
    rmSync(base)
  })

  it('a socket, a worker, a program, a timer that comes again, a listener on the process, an engine', async () => {
    expect(
      await seen(async () => {
        const server = createServer().listen(0, '127.0.0.1').unref()
        await once(server, 'listening')
        return () => server.close()
      }),
    ).toEqual(process.platform === 'linux' ? ['socket'] : [])
    expect(
      await seen(async () => {
        const worker = new Worker('setInterval(() => {}, 1e9)', { eval: true })
        worker.unref()
        await once(worker, 'online')
        return () => worker.terminate()
      }),
    ).toEqual(expect.arrayContaining(['worker']))
    expect(
      await seen(() => {
        const program = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)'], { stdio: 'ignore' })
        return () => program.kill()
      }),
    ).toEqual(expect.arrayContaining([expect.stringMatching(/^program /)]))
    expect(
      await seen(() => {
        const timer = setInterval(() => {}, 1e9).unref()
        return () => clearInterval(timer)
      }),
    ).toEqual(['interval of test/support/held.test.ts'])
    expect(
      await seen(() => {
        const listener = (): void => {}
        process.on('warning', listener)
        return () => process.off('warning', listener)
      }),
    ).toEqual(['listener of process warning'])
    expect(
      await seen(async () => {
        const { NullEngine } = await import('@babylonjs/core/Engines/nullEngine.js' as string)
        const engine = new NullEngine()
        return () => engine.dispose()
      }),
    ).toEqual(['engine with 0 scenes'])
  })

  it('listeners of a page', () => {
    const page = Object.assign(new EventTarget(), { document: new EventTarget() })
    const now = countListeners(page)
    const listener = (): void => {}
    const closing = new AbortController()
    page.addEventListener('keydown', listener, true)
    page.document.addEventListener('keydown', listener, { signal: closing.signal })
    page.addEventListener('load', listener, { once: true })
    expect(now()).toEqual(['document keydown', 'window keydown capturing'])
    page.removeEventListener('keydown', listener)
    expect(now()).toHaveLength(2)
    page.removeEventListener('keydown', listener, { capture: true })
    closing.abort()
    expect(now()).toEqual([])
  })
})
