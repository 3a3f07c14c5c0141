import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CallArgs } from '../../src/shared/api/contract.ts'
import type { BatchProgress } from '../../src/shared/api/types/export.ts'
import { writeFiles } from '../workspace/support.ts'
import { sampleTree, scanned, serviceBenches } from '../support/service-bench.ts'

const { base, game, services, call } = serviceBenches(afterAll)({ files: sampleTree((path) => /^(San Andreas|Dark Cloud 2)\//.test(path)) })
const seen: BatchProgress[] = []
services.subscribe((name, event) => name === 'export.progress' && seen.push(event as BatchProgress))

let library = ''
const batch = (values: Partial<CallArgs<'export.batch'>>) =>
  call('export.batch', { library, filter: {}, to: 'glb', folder: base, layout: 'folders', existing: 'skip', ...values })
const folder = (name: string): string => {
  mkdirSync(join(base, name), { recursive: true })
  return join(base, name)
}

beforeAll(async () => {
  library = await scanned(call, game)
})

describe('export of all models that are shown', () => {
  it('writes what the filter shows as it stands in the library', async () => {
    const out = folder('tree')
    const report = await batch({ folder: out, filter: { text: 'models', family: 'renderware', has: ['clips'] } })
    expect(report).toMatchObject({ total: 3, exported: 3, skipped: 0, files: 3, failures: [], folder: out, cancelled: false })
    expect(seen.length).toBeGreaterThan(0)
    expect(seen.at(-1)).toMatchObject({ library, total: 3 })
    const glb = join(out, 'San Andreas/models/peds/adventurer.glb')
    expect(readFileSync(glb).subarray(0, 4).toString('latin1')).toBe('glTF')
    // what is there stays as it is, or is replaced
    writeFileSync(glb, 'mine')
    expect(await batch({ folder: out, filter: { family: 'renderware' } })).toMatchObject({ exported: 0, skipped: 3 })
    expect(readFileSync(glb, 'utf8')).toBe('mine')
    expect(await batch({ folder: out, filter: { family: 'renderware' }, existing: 'replace' })).toMatchObject({ exported: 3, skipped: 0 })
    expect(readFileSync(glb).length).toBeGreaterThan(1000)
  })

  it('goes past a model that fails, and says why', async () => {
    const out = folder('flat')
    writeFiles(join(out, 'adventurer_old.glb'), { 'in the way': new Uint8Array(1) })
    const report = await batch({ folder: out, layout: 'flat', existing: 'replace' })
    expect(report).toMatchObject({
      total: 4,
      exported: 3,
      failures: [{ name: 'adventurer_old', code: 'io', ref: join(game, 'San Andreas/models/old layout/adventurer_old.dff') }],
    })
    expect(readdirSync(out).sort()).toEqual(['adventurer-2.glb', 'adventurer.glb', 'adventurer_old.glb', 'adventurer_split.glb'])
  })

  it('stops when it is asked to, and tells what was done', async () => {
    const out = folder('stopped')
    const running = batch({ folder: out, to: 'gltf' })
    await expect(batch({ folder: out })).rejects.toMatchObject({ code: 'invalid-argument' })
    await call('export.batchStop', { library })
    const report = await running
    expect(report.cancelled).toBe(true)
    expect(report.exported).toBeLessThan(4)
  })

  it('replaces nothing among the files of a game, and goes nowhere else', async () => {
    const inside = folder('game/San Andreas/out')
    writeFileSync(join(inside, 'adventurer_old.glb'), 'theirs')
    expect(await batch({ folder: inside, layout: 'flat', existing: 'replace', filter: { text: 'adventurer_old' } })).toMatchObject({
      exported: 0,
      skipped: 1,
    })
    expect(readFileSync(join(inside, 'adventurer_old.glb'), 'utf8')).toBe('theirs')
    await expect(batch({ folder: 'relative' })).rejects.toMatchObject({ code: 'invalid-argument' })
    await expect(batch({ folder: join(base, 'nowhere') })).rejects.toMatchObject({ code: 'not-found' })
    await expect(batch({ folder: join(inside, 'adventurer_old.glb') })).rejects.toMatchObject({ code: 'invalid-argument' })
    expect(existsSync(join(base, 'nowhere'))).toBe(false)
  })
})
