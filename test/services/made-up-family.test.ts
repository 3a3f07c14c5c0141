/** A family that stands in the registry alone is found everywhere: nothing of services and command line knows families by name. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createRegistry } from '../../src/main/formats/registry.ts'
import { createServices } from '../../src/main/services/create-services.ts'
import { marrow } from '../cli/run.ts'
import { tempFolder } from '../files/temp.ts'
import { families, flightBytes, kiteBytes } from '../fixtures/kite/family.ts'
import { caller } from '../support/caller.ts'

const registry = createRegistry(families)
const registryModule = new URL('../fixtures/kite/family.ts', import.meta.url).href
const SLOW = { timeout: 120_000 }

const FRAMES = [
  [0, 0],
  [10, 0.25],
  [20, 0],
] as const
const game = () =>
  tempFolder({
    'park/red.kite': kiteBytes(),
    'park/red.flight': flightBytes(FRAMES),
    'park/red.dive.flight': flightBytes([
      [0, 0],
      [9, 0.5],
      [4, 0.25],
    ]),
    'park/cut.kite': kiteBytes().slice(0, 40),
    'readme.txt': 'nothing that anybody knows',
  })

describe('a made-up family, in the services', () => {
  const root = game()
  const services = createServices({ stateFolder: tempFolder(), host: 'web', registry, registryModule, watchEvery: 0 })
  afterAll(() => services.close())
  const call = caller(() => services)
  const query = { sort: 'name', offset: 0, limit: 50 } as const
  const scanned = async (): Promise<string> => {
    const { id, scannedAt } = await call('library.open', { root })
    if (!scannedAt) await call('library.scan', { library: id })
    return id
  }
  const red = join(root, 'park/red.kite')
  const flight = join(root, 'park/red.flight')

  it('is told to the window with its words', async () => {
    expect((await call('app.info', {})).families).toEqual([{ id: 'kite', label: 'Kites & Co', games: 'Kites over the Park' }])
  })

  it('has rows, facets and words to search for in the library', SLOW, async () => {
    const library = await scanned()
    const models = await call('library.query', { ...query, library, show: 'models' })
    // its own word for bones is beside the number that the list shows, not in the note
    expect(models.rows.every(({ note }) => note === '')).toBe(true)
    expect(models.rows.map(({ name, family, bones, meshes, clips }) => ({ name, family, bones, meshes, clips }))).toEqual([
      { name: 'red', family: 'kite', bones: 2, meshes: 1, clips: 2 },
    ])
    expect(models.facets.families).toEqual([{ value: 'kite', count: 1 }])
    expect(models.counts).toEqual({ models: 1, files: 4, errors: 1 })
    const found = async (more: object) =>
      (await call('library.query', { ...query, library, show: 'files', ...more })).rows.map(({ name }) => name)
    expect(await found({ text: 'spar' })).toEqual(['red.kite'])
    expect(await found({ family: 'kite', kind: 'animation' })).toEqual(['red.dive.flight', 'red.flight'])
    const { rows } = await call('library.query', { ...query, library, show: 'errors' })
    expect(rows.map(({ name, error }) => [name, error?.code])).toEqual([['cut.kite', 'bad-count']])
  })

  it('is asked for by name; what the registry does not have is no family', SLOW, async () => {
    const library = await scanned()
    for (const family of ['common', 'kite']) await call('library.query', { ...query, library, show: 'files', family })
    for (const family of ['kit', 'Kite', 'constructor', '', 'a'.repeat(40)])
      await expect(call('library.query', { ...query, library, show: 'files', family })).rejects.toMatchObject({ code: 'invalid-argument' })
    const batch = { library, to: 'glb', folder: tempFolder(), layout: 'flat', existing: 'skip' } as const
    await expect(call('export.batch', { ...batch, filter: { family: 'kit' } })).rejects.toMatchObject({ code: 'invalid-argument' })
  })

  it('is drawn and exported by the worker for models', SLOW, async () => {
    const library = await scanned()
    const picture = await call('library.pictureScene', { library, ref: red })
    expect('scene' in picture && picture.scene.meshes.map(({ name }) => name)).toEqual(['sail'])
    const folder = tempFolder()
    const batch = { library, to: 'glb', folder, layout: 'flat', existing: 'skip' } as const
    expect(await call('export.batch', { ...batch, filter: { family: 'kite' } })).toMatchObject({ exported: 1, failures: [] })
    expect(readFileSync(join(folder, 'red.glb')).subarray(0, 4).toString('latin1')).toBe('glTF')
  })

  it('is opened, edited, shown in Changes by its own fields, saved and taken back', SLOW, async () => {
    const { info, scene } = await call('model.open', { ref: flight, library: await scanned() })
    expect(info).toMatchObject({ family: 'kite', name: 'red', primary: red, abilities: { clips: true, weights: false, skeleton: null } })
    expect([...scene.skeleton.names]).toEqual(['spar', 'tail'])
    expect(scene.meshes[0].positions).toEqual(Float32Array.of(-1, 0, 0, 1, 0, 0, 0, 1.5, 0))
    const clip = scene.clips.findIndex(({ source }) => source.ref === flight)
    expect(scene.clips[clip].tracks[0].values.slice(4, 7)).toEqual(Float32Array.of(0, 0, 0.25))

    const [track] = await call('clips.tracks', { model: info.id, clip })
    const values = track.values.slice(4, 8)
    values[2] = 0.5
    const edits = [{ track: track.id, set: { keys: Uint32Array.of(1), times: Float64Array.of(10), values } }]
    await call('clips.editKeys', { model: info.id, label: 'Turn', edits })
    const [file] = await call('model.changes', { model: info.id })
    expect({ file: file.name, node: file.nodes.at(-1)!.type }).toEqual({ file: 'red.flight', node: 'FLIT' })
    expect(file.changes.map(({ path, entry, before, after }) => ({ path, entry: entry?.label, before, after }))).toEqual([
      { path: 'list[1].turn.z', entry: 'frame 10', before: '0.25', after: '0.5' },
    ])

    const before = readFileSync(flight)
    expect(await call('save.write', { model: info.id })).toMatchObject({ failed: [] })
    const after = readFileSync(flight)
    const changed = [...before.keys()].filter((i) => before[i] !== after[i])
    expect(new DataView(after.buffer, after.byteOffset).getFloat32(changed[0] & ~3, true)).toBe(0.5)
    expect(changed.every((i) => i >> 2 === changed[0] >> 2)).toBe(true)
    await call('history.undo', { model: info.id })
    await call('save.write', { model: info.id })
    expect(readFileSync(flight)).toEqual(before)
  })

  it('has its rules among the problems, with their fixes', SLOW, async () => {
    const { info } = await call('model.open', { ref: red, library: await scanned() })
    const dive = join(root, 'park/red.dive.flight')
    const [problem] = (await call('model.problems', { model: info.id })).filter(({ code }) => code === 'kite.key-order')
    expect(problem).toMatchObject({ ref: dive, path: 'list[2]', fixes: [{ id: 'kite.sort-keys', label: 'Put the keys in order' }] })
    await call('model.fix', { model: info.id, problem, fix: 'kite.sort-keys' })
    expect((await call('model.problems', { model: info.id })).filter(({ code }) => code === 'kite.key-order')).toEqual([])
  })
})

describe('a made-up family, on the command line', () => {
  const root = game()
  const options = { registry, registryModule, stateFolder: tempFolder() }
  const run = async (...args: string[]) => (await marrow([...args, '--json'], options)).json()

  it('is scanned', SLOW, async () => {
    expect(await run('scan', root)).toMatchObject({ files: 5, recognised: 4, models: 1, bones: 2, meshes: 1 })
  })
  it('is told field by field', async () => {
    expect(await run('info', join(root, 'park/red.flight'))).toMatchObject({ format: 'kite.flight', family: 'kite', kind: 'animation' })
  })
  it('comes back byte for byte', async () => {
    const report = await run('roundtrip', join(root, 'park'))
    expect(report).toMatchObject({ files: 4, identical: 3, opaqueBytes: 5 + 3 + 3 })
  })
  it('is linted', async () => {
    const { problems } = await run('lint', root)
    expect(problems).toEqual([
      expect.objectContaining({ path: join(root, 'park/cut.kite'), code: 'bad-count' }),
      expect.objectContaining({ path: join(root, 'park/red.dive.flight'), code: 'kite.key-order', field: 'list[2]' }),
    ])
  })
  it('is exported, by its name too; others are refused by name', SLOW, async () => {
    const out = tempFolder()
    const { models } = await run('export', root, '--to', 'glb', '--out', out, '--family', 'kite')
    expect(models).toMatchObject([{ name: 'red', left: [] }])
    const { error } = await run('export', root, '--to', 'glb', '--out', out, '--family', 'kit')
    expect(error.message).toContain('Allowed choices are kite')
  })
})
