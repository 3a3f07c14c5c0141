/** A member that comes into an archive of two files, killed at every call that changes something on disk. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { FileStore } from '../../src/main/files/store.ts'
import { Originals } from '../../src/main/workspace/originals.ts'
import { StateFiles } from '../../src/main/workspace/state-files.ts'
import { archiveCases } from '../support/archive-cases.ts'
import { buildChild } from '../support/built-child.ts'
import { junk } from '../support/hostile.ts'
import { writeFiles } from './support.ts'

/** runs at a time */
const LANES = 4

let folder = ''
let program = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'marrow-archive-'))
  program = await buildChild(join(import.meta.dirname, 'archive-child.ts'), join(folder, 'built'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('is in both files or in none, and the same call again ends it', { timeout: 300_000 }, async () => {
  const made = archiveCases['IMG v1']()
  const names = Object.keys(made.files)
  const archiveOf = (base: string): string => join(base, 'game', 'gta3.dir')
  const both = (base: string): string[] => names.map((name) => readFileSync(join(base, 'game', name)).toString('latin1'))
  const start = (): string => {
    const base = mkdtempSync(join(folder, 'run-'))
    writeFiles(join(base, 'game'), made.files)
    writeFiles(base, { 'new.dff': junk(5000, 3) })
    return base
  }
  const run = async (base: string, strike: number): Promise<boolean> => {
    const child = spawn(process.execPath, [program, archiveOf(base), join(base, 'new.dff'), join(base, 'state'), String(strike)], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') },
    })
    let trouble = ''
    child.stderr.on('data', (data: Buffer) => (trouble += data.toString()))
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
    if (signal !== 'SIGKILL' && code !== 0) throw new Error(trouble)
    return signal === 'SIGKILL'
  }
  const whole = start()
  const before = both(whole)
  expect(await run(whole, 0)).toBe(false)
  const after = both(whole)
  expect(names.filter((_, i) => after[i] === before[i])).toEqual([])
  const outcomes = { before: 0, after: 0 }
  const strikeAt = async (strike: number): Promise<boolean> => {
    const base = start()
    const killed = await run(base, strike)
    // opening it brings what was begun to its end
    const store = new FileStore()
    const members = store.members(archiveOf(base)).length
    const now = both(base)
    const which = now[1] === after[1] ? 'after' : 'before'
    expect(now, `killed at call ${strike}`).toEqual(which === 'after' ? after : before)
    expect(members).toBe(which === 'after' ? 6 : 5)
    outcomes[which]++
    const kept = await new Originals(new StateFiles(join(base, 'state'))).pathOf(archiveOf(base))
    if (kept !== undefined) expect(store.members(kept), `original after call ${strike}`).toHaveLength(5)
    else expect(which).toBe('before')
    store.close()
    if (which === 'before') expect(await run(base, 0)).toBe(false)
    expect(both(base)).toEqual(after)
    expect(readdirSync(join(base, 'game')).sort()).toEqual([...names].sort())
    rmSync(base, { recursive: true, force: true })
    return killed
  }
  for (let strike = 1, killed = true; killed; strike += LANES)
    killed = (await Promise.all(Array.from({ length: LANES }, (_, lane) => strikeAt(strike + lane)))).every(Boolean)
  expect(Math.min(outcomes.before, outcomes.after), JSON.stringify(outcomes)).toBeGreaterThan(0)
})
