import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FileStore } from '../../src/main/files/store.ts'
import { sweepFolder } from '../../src/main/files/temporaries.ts'
import { walk } from '../../src/main/files/walk.ts'
import { Originals } from '../../src/main/workspace/originals.ts'
import { StateFiles } from '../../src/main/workspace/state-files.ts'
import { buildChild } from '../support/built-child.ts'
import { junk } from '../support/hostile.ts'
import { fakeRegistry, numbersBytes, pairBytes } from './fake-family.ts'
import { writeFiles } from './support.ts'

/** runs at a time */
const LANES = 4

let folder = ''
let program = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'marrow-pair-'))
  program = await buildChild(join(import.meta.dirname, 'pair-child.ts'), join(folder, 'built'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** @returns whether it was killed */
async function run(base: string, what: 'save' | 'restore', strike: number): Promise<boolean> {
  const child = spawn(process.execPath, [program, join(base, 'game'), join(base, 'state'), what, String(strike)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') },
  })
  let trouble = ''
  child.stderr.on('data', (data: Buffer) => (trouble += data.toString()))
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  if (signal !== 'SIGKILL' && code !== 0) throw new Error(trouble)
  return signal === 'SIGKILL'
}

describe('an archive of two files whose replacement is killed at every call that changes something on disk', () => {
  const members = { 'a.num': numbersBytes([1, 2, 3]), 'junk.bin': junk(500), 'a.extra.num': numbersBytes([4, 5]) }
  const both = (base: string): Buffer[] => ['x.fdr', 'x.fdt'].map((name) => readFileSync(join(base, 'game', name)))
  const start = (): string => {
    const base = mkdtempSync(join(folder, 'run-'))
    const { directory, data } = pairBytes(members)
    writeFiles(join(base, 'game'), { 'x.fdr': directory, 'x.fdt': data })
    return base
  }

  it.each(['save', 'restore'] as const)(
    '%s: is the old one or the new one, for every reader from the first look on',
    { timeout: 300_000 },
    async (what) => {
      const first = start()
      const old = both(first)
      expect(await run(first, 'save', 0)).toBe(false)
      const saved = both(first)
      expect(saved[0].equals(old[0]) || saved[1].equals(old[1])).toBe(false)
      const [before, after] = what === 'save' ? [old, saved] : [saved, old]
      const outcomes = { before: 0, after: 0, between: 0 }
      /** the first call after which the new files are there */
      let turn = Infinity
      const strikeAt = async (strike: number): Promise<boolean> => {
        const base = start()
        const killed = await run(base, what, strike)
        const there = both(base)
        if (!there[0].equals(before[0]) !== !there[1].equals(before[1])) outcomes.between++
        // nobody takes what is left there for a file
        expect([...walk(join(base, 'game'))].map((file) => file.name)).toEqual(['x.fdr', 'x.fdt'])
        // a sweep in a copy does what opening does
        cpSync(join(base, 'game'), join(base, 'swept'), { recursive: true, preserveTimestamps: true })
        const store = new FileStore({ registry: fakeRegistry })
        const bodies = store.members(join(base, 'game', 'x.fdr')).map((member) => store.read(member.ref))
        const now = both(base)
        const which = now[0].equals(after[0]) ? 'after' : 'before'
        expect(now, `killed at call ${strike}`).toEqual(which === 'after' ? after : before)
        expect(bodies[1]).toEqual(members['junk.bin'])
        // a directory that is kept has its data beside it from the first moment on
        const kept = await new Originals(new StateFiles(join(base, 'state'))).pathOf(join(base, 'game', 'x.fdr'))
        if (kept !== undefined) expect(store.members(kept), `original after call ${strike}`).toHaveLength(bodies.length)
        store.close()
        outcomes[which]++
        if (which === 'after') turn = Math.min(turn, strike)
        sweepFolder(join(base, 'swept'))
        expect(readdirSync(join(base, 'swept')), `swept after call ${strike}`).toEqual(['x.fdr', 'x.fdt'])
        expect(['x.fdr', 'x.fdt'].map((name) => readFileSync(join(base, 'swept', name)))).toEqual(now)
        if (!killed) expect(which).toBe('after')
        rmSync(base, { recursive: true, force: true })
        return killed
      }
      for (let strike = 1, killed = true; killed; strike += LANES)
        killed = (await Promise.all(Array.from({ length: LANES }, (_, lane) => strikeAt(strike + lane)))).every(Boolean)
      // one run has a call more than another: where no kill fell between the two files, those around their turn are struck again
      for (let around = -2; outcomes.between === 0 && around < 20; around++) await strikeAt(turn + (around % 3))
      // the test means little without one
      expect(Math.min(outcomes.before, outcomes.after, outcomes.between), JSON.stringify(outcomes)).toBeGreaterThan(0)
    },
  )
})
