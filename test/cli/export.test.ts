import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { sampleFiles } from '../support/sample.ts'
import { writeFiles } from '../workspace/support.ts'
import { marrow } from './run.ts'
import type { Called } from './run.ts'

const base = mkdtempSync(join(tmpdir(), 'marrow-test-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))
const game = join(base, 'game')
const ped = sampleFiles().filter(({ path }) => path.startsWith('San Andreas/models/peds/'))
writeFiles(
  game,
  Object.fromEntries(
    sampleFiles()
      .filter(({ path }) => /^(San Andreas|Dark Cloud 2)\//.test(path))
      .map(({ path, bytes }) => [path, bytes]),
  ),
)
writeFiles(game, Object.fromEntries(ped.map(({ path, bytes }) => [path.replace('peds', 'copies'), bytes])))
const call = (...args: string[]): Promise<Called> => marrow(args, {})
const names = (called: Called): string[] => (called.json().models as { name: string }[]).map(({ name }) => name).sort()

describe('options of marrow export', () => {
  const model = join(game, 'San Andreas/models/peds/adventurer.dff')
  const json = async (...args: string[]): Promise<{ nodes: { name: string }[]; animations?: unknown[]; extensionsUsed?: string[] }> => {
    const out = mkdtempSync(join(base, 'options-'))
    const [file] = (await call('export', model, '--to', 'gltf', '--out', out, '--json', ...args)).json().files as string[]
    return JSON.parse(readFileSync(file, 'utf8')) as Awaited<ReturnType<typeof json>>
  }

  it('are those of a preset, and those that are given over them', async () => {
    const bones = (file: Awaited<ReturnType<typeof json>>): number => file.nodes.length
    const plain = await json('--preset', 'plain', '--no-textures')
    expect(plain.extensionsUsed).toBeUndefined()
    expect(bones(await json('--preset', 'unreal'))).toBeGreaterThan(bones(plain))
    expect(bones(await json('--root-bone', '--sampling', '30'))).toBeGreaterThan(bones(plain))
    expect((await json('--range', '1e9..2e9')).animations).toBeUndefined()
    expect((await call('export', model, '--to', 'glb', '--out', base, '--range', '4..2')).status).toBe(2)
    expect((await call('export', model, '--to', 'glb', '--out', base, '--sampling', '31')).status).toBe(2)
    expect((await call('export', model, '--to', 'glb', '--out', base, '--scale', '0')).status).toBe(2)
  })
})

describe('marrow export of many models', () => {
  it('takes what the filter leaves, and lays it out flat or as it stands', async () => {
    const flat = join(base, 'flat')
    expect(
      names(await call('export', game, '--to', 'glb', '--out', flat, '--filter', 'ADVENTURER models', '--family', 'renderware', '--json')),
    ).toEqual(['adventurer', 'adventurer-2', 'adventurer_old', 'adventurer_split'])
    expect(readdirSync(flat).sort()).toEqual(['adventurer-2.glb', 'adventurer.glb', 'adventurer_old.glb', 'adventurer_split.glb'])
    const sliced = await call('export', game, '--to', 'png', '--out', join(base, 'png'), '--with', 'slices,bones', '--json')
    expect(sliced.json().models).toMatchObject([{ model: join(game, 'Dark Cloud 2/adventurer/adventurer.mds') }])
    const tree = join(base, 'tree')
    await call('export', game, '--to', 'gltf', '--out', tree, '--layout', 'folders', '--filter', 'copies', '--filter', 'peds')
    expect(existsSync(join(tree, 'San Andreas/models/peds/adventurer.gltf'))).toBe(true)
    const none = await call('export', game, '--to', 'glb', '--out', tree, '--filter', 'nobody', '--json')
    expect(none.status).toBe(1)
    expect(none.json().error).toMatchObject({ code: 'not-found', message: 'none of 5 models fits the filter' })
    expect((await call('export', game, '--to', 'glb', '--out', tree, '--with', 'bones,teeth')).status).toBe(2)
  })

  it('writes what is wished for, and takes weights and rest pose back without a change', async () => {
    const model = join(game, 'San Andreas/models/copies/adventurer.dff')
    const out = join(base, 'parts')
    const wished = await call(
      'export',
      model,
      '--to',
      'gltf',
      '--out',
      out,
      '--vertices',
      '--opacity',
      '--no-extras',
      '--no-textures',
      '--json',
    )
    expect(wished.json().models).toMatchObject([{ left: ['pictures of materials'] }])
    const text = readFileSync(join(out, 'adventurer.gltf'), 'utf8')
    expect([text.includes('_MARROW_VERTEX'), text.includes('extras'), text.includes('images')]).toEqual([true, false, false])
    const before = readFileSync(model)
    const args = ['import', model, '--from', join(out, 'adventurer.gltf'), '--weights', '--rest']
    const back = await call(...args, '--no-animations', '--json')
    expect(back.json()).toMatchObject({ imported: [], placed: [], saved: [], weights: [{ by: 'number', changed: 0, missing: 0, off: 0 }] })
    expect((await call(...args, '--no-animations')).out).toContain('weights of 0 of 2439 vertices, found by their numbers')
    expect(readFileSync(model).equals(before)).toBe(true)
  })

  it('goes on where it was stopped, and past what fails', async () => {
    const out = join(base, 'again')
    writeFiles(out, { 'adventurer_old.glb': new Uint8Array(3) })
    // a folder stands where a file is to be written
    writeFiles(join(out, 'adventurer_split.glb'), { 'in the way': new Uint8Array(1) })
    const args = ['export', join(game, 'San Andreas'), '--to', 'glb', '--out', out, '--json']
    const refused = await call(...args)
    expect(refused.status).toBe(1)
    expect(refused.json()).toMatchObject({
      models: [{ name: 'adventurer-2' }, { name: 'adventurer' }].reverse(),
      skipped: 0,
      failures: [{ code: 'refused' }, { code: 'refused' }],
    })
    const skipped = await call(...args, '--skip')
    expect([skipped.status, skipped.json()]).toMatchObject([0, { models: [], skipped: 4, failures: [] }])
    const forced = await call(...args, '--force')
    expect(forced.json()).toMatchObject({
      skipped: 0,
      failures: [{ path: join(game, 'San Andreas/models/split skin/adventurer_split.dff'), code: 'io' }],
    })
    expect(forced.json().models).toHaveLength(3)
    expect((await call(...args, '--force', '--skip')).status).toBe(2)
  })
})
