import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { walk } from '../../src/main/files/walk.ts'
import { encodeDocument } from '../../src/main/formats/format.ts'
import { dffFormat } from '../../src/main/formats/renderware/codecs/dff.ts'
import { txdFormat } from '../../src/main/formats/renderware/codecs/txd.ts'
import { newDff, newTxd } from '../../src/main/formats/renderware/make.ts'
import { pedModel } from '../fixtures/renderware/ped.ts'
import { buildChild } from '../support/built-child.ts'
import { img2Bytes } from '../support/img.ts'
import { writeFiles } from './support.ts'

/** Of the calls of a save every so many is one that a process dies at. */
const STEP = 9
const NAMES = ['ped.dff', 'ped.txd']

let folder = ''
let program = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'marrow-loose-'))
  program = await buildChild(join(import.meta.dirname, 'loose-child.ts'), join(folder, 'built'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** @returns whether it was killed */
async function run(base: string, height: number, strike: number): Promise<boolean> {
  const child = spawn(process.execPath, [program, base, String(height), String(strike)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') },
  })
  let trouble = ''
  child.stderr.on('data', (data: Buffer) => (trouble += data.toString()))
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  if (signal !== 'SIGKILL' && code !== 0) throw new Error(trouble)
  return signal === 'SIGKILL'
}

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
      const base = mkdtempSync(join(folder, 'run-'))
      writeFiles(base, { 'game/gta3.img': img })
      return base
    }
    const first = make()
    expect(await run(first, 3, 0)).toBe(false)
    const after = bodies(first)
    const outcomes = { before: 0, after: 0, between: 0 }
    const strikeAt = async (strike: number): Promise<boolean> => {
      const base = make()
      const killed = await run(base, 3, strike)
      const now = bodies(base)
      const done = now.map((bytes, i) => {
        const isNew = bytes !== undefined && bytes.equals(after[i]!)
        // each file is the old one or the new one, whole
        if (!isNew) expect(bytes, `${NAMES[i]} after call ${strike}`).toBeUndefined()
        return isNew
      })
      outcomes[done.every(Boolean) ? 'after' : done.some(Boolean) ? 'between' : 'before']++
      if (!killed) expect(done).toEqual([true, true])
      // nobody takes what is left there for a file of the mod
      const found = existsSync(join(base, 'mod')) ? [...walk(join(base, 'mod'))].map(({ name }) => name) : []
      expect(found).toEqual(NAMES.filter((_, i) => now[i] !== undefined))
      expect(readFileSync(join(base, 'game/gta3.img')).equals(img)).toBe(true)
      // the next run has all of what it edited, and leaves the two files and nothing else
      expect(await run(base, 3, 0)).toBe(false)
      expect(bodies(base)).toEqual(after)
      expect(readdirSync(join(base, 'mod'), { recursive: true, withFileTypes: true }).flatMap((e) => (e.isFile() ? e.name : []))).toEqual(
        NAMES,
      )
      rmSync(base, { recursive: true, force: true })
      return killed
    }
    /** the last call at which neither file was there, the first at which both were */
    let [none, both] = [0, Infinity]
    for (let strike = 1, killed = true; killed; strike += STEP) {
      killed = await strikeAt(strike)
      if (outcomes.after > 0) both = Math.min(both, strike)
      else if (outcomes.between === 0) none = strike
    }
    for (let strike = none + 1; outcomes.between === 0 && strike < both; strike++) await strikeAt(strike)
    // the test means little without a kill between the files
    expect(Math.min(outcomes.before, outcomes.after, outcomes.between), JSON.stringify(outcomes)).toBeGreaterThan(0)
  })
})
