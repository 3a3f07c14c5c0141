/** A copy of an image of a disc that is killed at every call that changes something on disk: it is absent, goes on, or is whole. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { FileStore } from '../../src/main/files/store.ts'
import { Originals } from '../../src/main/workspace/originals.ts'
import { StateFiles } from '../../src/main/workspace/state-files.ts'
import { fileInImage } from '../support/disc-image.ts'
import { discFiles, makeDisc, readAgreed } from '../support/discs.ts'
import { junk } from '../support/hostile.ts'
import { makeIso } from '../support/iso.ts'
import { KilledRuns } from '../support/killed-runs.ts'
import { largeDisc } from '../support/large-archives.ts'
import { writeFiles } from './support.ts'

let runs: KilledRuns
beforeAll(async () => {
  runs = await KilledRuns.of(join(import.meta.dirname, 'image-child.ts'))
})
afterAll(() => runs.close())

/** Of the states that are left every so many is one that the same call is made in again. */
const AGAIN = 5
const large = makeIso(largeDisc().files)
/** So small that it is written anew whatever changes. */
const small = makeIso(makeDisc())
const first = discFiles[0].name.replaceAll('\\', '/')

it.each([
  { name: 'a new copy', made: large, before: '' },
  { name: 'a copy of Marrow, written anew', made: small, before: 'first.bin' },
  { name: 'a copy of Marrow, written where it stands', made: large, before: 'first.bin' },
])('leaves the image as it is: $name', { timeout: 1_200_000 }, async ({ made, before }) => {
  const bytes = junk(300, 7)
  const start = (): string => {
    const base = runs.base()
    writeFiles(join(base, 'game'), { 'game.iso': made.image })
    writeFiles(base, { 'new.bin': bytes, 'first.bin': junk(bytes.length, 2) })
    return base
  }
  const copyOf = (base: string): string => join(base, 'out', 'copy.iso')
  const args = (base: string): string[] => [base, first, before]
  const end = (base: string): Promise<boolean> => runs.run(args(base), 0)
  const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0
  const whole = start()
  expect(await end(whole)).toBe(false)
  const after = readFileSync(copyOf(whole))
  const agreed = readAgreed((name) => fileInImage(new Uint8Array(after), made.records.get(name)!).body)
  expect(agreed[0].bytes).toEqual(bytes)
  expect(same(after, made.image)).toBe(false)
  const found = { absent: 0, begun: 0, before: 0, after: 0 }
  let states = 0
  await runs.each(start, args, async ({ call, base }) => {
    const copy = copyOf(base)
    const told = `killed at call ${call}`
    expect(same(readFileSync(join(base, 'game', 'game.iso')), made.image), told).toBe(true)
    expect(readdirSync(join(base, 'game')), told).toEqual(['game.iso'])
    const store = new FileStore()
    const originals = new Originals(new StateFiles(join(base, 'state')))
    if (existsSync(copy)) {
      // opening it brings what was begun to its end
      expect(store.members(`${copy}!DATA.HD2`).length, told).toBe(agreed.length)
      const now = readFileSync(copy)
      const is = same(now, after) ? 'after' : 'before'
      if (is === 'before') {
        expect(before, told).not.toBe('')
        expect(store.read(`${copy}!DATA.HD2!${first}`), told).toEqual(junk(bytes.length, 2))
      }
      found[is]++
      // Marrow's own, whenever that was: it is saved into
      expect(originals.isOwn(copy), told).toBe(true)
    } else found[existsSync(`${copy}.marrow-copy`) ? 'begun' : 'absent']++
    store.close()
    if (states++ % AGAIN > 0) return
    expect(await end(base), told).toBe(false)
    expect(same(readFileSync(copy), after), told).toBe(true)
    expect(readdirSync(join(base, 'out')), told).toEqual(['copy.iso'])
    const later = new Originals(new StateFiles(join(base, 'state')))
    expect([later.isOwn(copy), await later.pathOf(copy)], told).toEqual([true, undefined])
  })
  expect(found.after, JSON.stringify(found)).toBeGreaterThan(0)
  expect(before ? found.before : Math.min(found.absent, found.begun), JSON.stringify(found)).toBeGreaterThan(0)
})
