import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { walk } from '../../src/main/files/walk.ts'
import { encodeDocument } from '../../src/main/formats/format.ts'
import { dffFormat } from '../../src/main/formats/renderware/codecs/dff.ts'
import { txdFormat } from '../../src/main/formats/renderware/codecs/txd.ts'
import { newDff, newTxd } from '../../src/main/formats/renderware/make.ts'
import { pedModel } from '../fixtures/renderware/ped.ts'
import { img2Bytes } from '../support/img.ts'
import { KilledRuns } from '../support/killed-runs.ts'
import { writeFiles } from './support.ts'

const NAMES = ['ped.dff', 'ped.txd']
/** Of the states that are left every so many is one that the next run begins with. */
const AGAIN = 6

let runs: KilledRuns
beforeAll(async () => {
  runs = await KilledRuns.of(join(import.meta.dirname, 'loose-child.ts'))
})
afterAll(() => runs.close())

describe('a save of loose files that is killed on its way', () => {
  it('leaves a mod folder of whole files, and the next run has every edit', { timeout: 600_000 }, async () => {
    const white = new Uint8Array(4 * 64).fill(255)
    const img = img2Bytes({
      'ped.dff': encodeDocument(dffFormat, newDff(pedModel())).bytes.slice(),
      'ped.txd': encodeDocument(txdFormat, newTxd([{ name: 'skin', width: 8, height: 8, rgba: white, raster: '565' }])).bytes.slice(),
    })
    const loose = (base: string, name: string): string => join(base, 'mod', 'modloader', 'mod', name)
    const bodies = (base: string): (Buffer | undefined)[] =>
      NAMES.map((name) => (existsSync(loose(base, name)) ? readFileSync(loose(base, name)) : undefined))
    const make = (): string => {
      const base = runs.base()
      writeFiles(base, { 'game/gta3.img': img })
      return base
    }
    const first = make()
    expect(await runs.run([first, '3'], 0)).toBe(false)
    const after = bodies(first)
    const outcomes = { before: 0, after: 0, between: 0 }
    let states = 0
    await runs.each(
      make,
      (base) => [base, '3'],
      async ({ call, base }) => {
        const now = bodies(base)
        const done = now.map((bytes, i) => {
          const isNew = bytes !== undefined && bytes.equals(after[i]!)
          // each file is the old one or the new one, whole
          if (!isNew) expect(bytes, `${NAMES[i]} after call ${call}`).toBeUndefined()
          return isNew
        })
        outcomes[done.every(Boolean) ? 'after' : done.some(Boolean) ? 'between' : 'before']++
        // nobody takes what is left there for a file of the mod
        const found = existsSync(join(base, 'mod')) ? [...walk(join(base, 'mod'))].map(({ name }) => name) : []
        expect(found).toEqual(NAMES.filter((_, i) => now[i] !== undefined))
        expect(readFileSync(join(base, 'game/gta3.img')).equals(img)).toBe(true)
        // the next run has all of what it edited, and leaves the two files and nothing else
        if (states++ % AGAIN > 0) return
        expect(await runs.run([base, '3'], 0)).toBe(false)
        expect(bodies(base)).toEqual(after)
        expect(readdirSync(join(base, 'mod'), { recursive: true, withFileTypes: true }).flatMap((e) => (e.isFile() ? e.name : []))).toEqual(
          NAMES,
        )
      },
    )
    // the test means little without a kill between the files
    expect(Math.min(outcomes.before, outcomes.after, outcomes.between), JSON.stringify(outcomes)).toBeGreaterThan(0)
  })
})
