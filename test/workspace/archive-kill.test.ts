/** A member that comes into an archive of several files, or grows in one, killed at every call that changes something on disk. */
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
import { makeDisc, readAgreed } from '../support/discs.ts'
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

interface Case {
  files: Record<string, Uint8Array>
  archive: string
  /** the member that gets another body, or an archive that is made anew; none for one that comes */
  member?: number | 'rebuild'
  /** of its calls every so manieth: those between are the same as of another case */
  every?: number
  /** members before and after */
  members: [number, number]
  /** what the files say by a reading of the test's own */
  check?(read: (name: string) => Uint8Array): void
}

const cases: Record<string, () => Case> = {
  'IMG v1, a member that comes': () => ({ files: archiveCases['IMG v1']().files, archive: 'gta3.dir', members: [5, 6] }),
  'IMG v1, made anew': () => ({ files: archiveCases['IMG v1']().files, archive: 'gta3.dir', member: 'rebuild', every: 7, members: [5, 5] }),
  // all four directories agree whenever it was killed
  'a disc of four directories, a member that grows': () => ({
    files: makeDisc(),
    archive: 'DATA.HD2',
    member: 0,
    members: [7, 7],
    check: (read) => void readAgreed(read),
  }),
}

it.each(Object.keys(cases))('is in all files or in none, and the same call again ends it: %s', { timeout: 1_200_000 }, async (name) => {
  const made = cases[name]()
  const names = Object.keys(made.files)
  const archiveOf = (base: string): string => join(base, 'game', made.archive)
  const both = (base: string): string[] => names.map((name) => readFileSync(join(base, 'game', name)).toString('latin1'))
  const start = (): string => {
    const base = mkdtempSync(join(folder, 'run-'))
    writeFiles(join(base, 'game'), made.files)
    writeFiles(base, { 'new.dff': junk(15_000, 3) })
    return base
  }
  const run = async (base: string, strike: number): Promise<boolean> => {
    const call = [archiveOf(base), join(base, 'new.dff'), join(base, 'state'), String(strike), String(made.member ?? '')]
    const child = spawn(process.execPath, [program, ...call], {
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
    made.check?.((file) => new Uint8Array(readFileSync(join(base, 'game', file))))
    expect(now, `killed at call ${strike}`).toEqual(which === 'after' ? after : before)
    expect(members).toBe(made.members[which === 'after' ? 1 : 0])
    outcomes[which]++
    const kept = await new Originals(new StateFiles(join(base, 'state'))).pathOf(archiveOf(base))
    if (kept !== undefined) expect(store.members(kept), `original after call ${strike}`).toHaveLength(made.members[0])
    else expect(which).toBe('before')
    store.close()
    // what is left to do is the same after most of the calls
    const again = which === 'before' && (names.length === 2 || strike % 8 === 0)
    if (again) expect(await run(base, 0)).toBe(false)
    if (again || which === 'after') {
      expect(both(base)).toEqual(after)
      expect(readdirSync(join(base, 'game')).sort()).toEqual([...names].sort())
    }
    rmSync(base, { recursive: true, force: true })
    return killed
  }
  const { every = 1 } = made
  for (let strike = 1, killed = true; killed; strike += LANES * every)
    killed = (await Promise.all(Array.from({ length: LANES }, (_, lane) => strikeAt(strike + every * lane)))).every(Boolean)
  expect(Math.min(outcomes.before, outcomes.after), JSON.stringify(outcomes)).toBeGreaterThan(0)
})
