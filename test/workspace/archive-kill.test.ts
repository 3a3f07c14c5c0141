/** A member that comes into an archive of several files, or grows in one, killed at every call that changes something on disk. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { FileStore } from '../../src/main/files/store.ts'
import { Originals } from '../../src/main/workspace/originals.ts'
import { StateFiles } from '../../src/main/workspace/state-files.ts'
import { archiveCases } from '../support/archive-cases.ts'
import { makeDisc, readAgreed } from '../support/discs.ts'
import { junk } from '../support/hostile.ts'
import { KilledRuns } from '../support/killed-runs.ts'
import { largeDisc, largeImg2 } from '../support/large-archives.ts'
import { writeFiles } from './support.ts'

let runs: KilledRuns
beforeAll(async () => {
  runs = await KilledRuns.of(join(import.meta.dirname, 'archive-child.ts'))
})
afterAll(() => runs.close())

/** Of the states that are left every so many is one that the same call is made in again. */
const AGAIN = 8

interface Case {
  files: Record<string, Uint8Array>
  archive: string
  /** the member that gets another body, or an archive that is made anew; none for one that comes */
  member?: number | 'rebuild'
  /** members before and after */
  members: [number, number]
  /** what the files say by a reading of the test's own */
  check?(read: (name: string) => Uint8Array): void
}

const cases: Record<string, () => Case> = {
  'IMG v1, a member that comes': () => ({ files: archiveCases['IMG v1']().files, archive: 'gta3.dir', members: [5, 6] }),
  'IMG v1, made anew': () => ({ files: archiveCases['IMG v1']().files, archive: 'gta3.dir', member: 'rebuild', members: [5, 5] }),
  // all four directories agree whenever it was killed
  'a disc of four directories, a member that grows': () => ({
    files: makeDisc(),
    archive: 'DATA.HD2',
    member: 0,
    members: [7, 7],
    check: (read) => void readAgreed(read),
  }),
  'a large IMG, written where it stands': () => ({ files: largeImg2().files, archive: 'gta3.img', member: 1, members: [3, 3] }),
  'a large disc of four directories, written where it stands': () => ({
    files: largeDisc().files,
    archive: 'DATA.HD2',
    member: 0,
    members: [8, 8],
    check: (read) => void readAgreed(read),
  }),
}

it.each(Object.keys(cases))('is in all files or in none, and the same call again ends it: %s', { timeout: 1_200_000 }, async (name) => {
  const made = cases[name]()
  const names = Object.keys(made.files)
  const archiveOf = (base: string): string => join(base, 'game', made.archive)
  const both = (base: string): string[] => names.map((name) => readFileSync(join(base, 'game', name)).toString('latin1'))
  const start = (): string => {
    const base = runs.base()
    writeFiles(join(base, 'game'), made.files)
    writeFiles(base, { 'new.dff': junk(15_000, 3) })
    return base
  }
  const args = (base: string): string[] => [archiveOf(base), join(base, 'new.dff'), join(base, 'state'), String(made.member ?? '')]
  const end = (base: string): Promise<boolean> => runs.run(args(base), 0)
  const whole = start()
  const before = both(whole)
  expect(await end(whole)).toBe(false)
  const after = both(whole)
  expect(names.filter((_, i) => after[i] === before[i])).toEqual([])
  const outcomes = { before: 0, after: 0 }
  await runs.each(start, args, async ({ call, base }) => {
    // opening it brings what was begun to its end
    const store = new FileStore()
    const members = store.members(archiveOf(base)).length
    const now = both(base)
    const which = now[0] === after[0] ? 'after' : 'before'
    made.check?.((file) => new Uint8Array(readFileSync(join(base, 'game', file))))
    expect(now, `killed at call ${call}`).toEqual(which === 'after' ? after : before)
    expect(members).toBe(made.members[which === 'after' ? 1 : 0])
    outcomes[which]++
    const kept = await new Originals(new StateFiles(join(base, 'state'))).pathOf(archiveOf(base))
    if (kept !== undefined) expect(store.members(kept), `original after call ${call}`).toHaveLength(made.members[0])
    else expect(which).toBe('before')
    store.close()
    if (which === 'before') {
      if (outcomes.before % AGAIN > 0) return
      expect(await end(base)).toBe(false)
    }
    expect(both(base)).toEqual(after)
    expect(readdirSync(join(base, 'game')).sort()).toEqual([...names].sort())
  })
  expect(Math.min(outcomes.before, outcomes.after), JSON.stringify(outcomes)).toBeGreaterThan(0)
})
