/** Fields of open files through the calls: one step each, in their own bytes, brought back after a stop without a save. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { openGame, sampleTree, serviceBenches } from '../support/service-bench.ts'
import { changedRanges } from '../support/edit-session.ts'

const SAMPLE = sampleTree()
const begin = serviceBenches(afterEach)

const FIELDS = [
  ['San Andreas', 'models/peds/adventurer.dff', 'clump.geometryList.geometry[0].materialList.material[0].struct.color', '#ff8000ff'],
  ['Zero Hour', 'Art/W3D/WALKER_SKN.W3D', 'mesh[0].vertexMaterials.vertexMaterial[0].info.diffuse', '#ff8000'],
  ['Dark Cloud 2', 'adventurer/adventurer.mds', 'nodes[1].matrix[12]', '2.5'],
  ['Lost Saga', 'resource/skeleton/adventurer.skl', 'bones[1].localPosition[1]', '2.5'],
  // what is beside meshes and bones: boxes, bounds, entries of levels, dummies
  ['Zero Hour', 'Art/W3D/WALKER_SKN.W3D', 'box[0].extent[2]', '2.5'],
  ['Zero Hour', 'Art/W3D/WALKER_SKN.W3D', 'mesh[0].header.sphRadius', '2.5'],
  ['Zero Hour', 'Art/W3D/WALKER_SKN.W3D', 'hlod.lodArray[0].subObject[1].boneIndex', '3'],
  ['San Andreas', 'models/peds/adventurer.dff', 'clump.geometryList.geometry[0].struct.morphTargets[0].boundingSphere[3]', '2.5'],
  ['San Andreas', 'models/peds/adventurer.dff', 'clump.frameList.struct.frames[2].position[1]', '2.5'],
  ['Lost Saga', 'resource/mesh/adventurer.msh', 'boundingBox[1]', '2.5'],
] as const

describe.each(FIELDS)('a field of a file of %s, %s: %s', (folder, file, path, value) => {
  it('is set, undone, done again, recovered and saved', async () => {
    const files = Object.fromEntries(
      Object.entries(SAMPLE).flatMap(([name, bytes]) => (name.startsWith(`${folder}/`) ? [[name.slice(folder.length + 1), bytes]] : [])),
    )
    const bench = begin({ files })
    const { call } = bench
    const { info } = await openGame(bench, file)
    const ref = join(bench.game, file)
    const model = info.id
    const before = await call('fields.get', { model, ref, path })
    expect(before.refused).toBe('')
    await call('fields.set', { model, ref, values: [{ path, value }] })
    expect((await call('fields.get', { model, ref, path })).value).toBe(value)
    const [changes] = await call('model.changes', { model, ref })
    expect(changes.changes.every((change) => change.path.startsWith(path.replace(/\[\d+\]$/, '')))).toBe(true)
    await call('history.undo', { model })
    expect(await call('fields.get', { model, ref, path })).toEqual(before)
    await call('history.redo', { model })

    // drags are one step
    await call('fields.set', { model, ref, values: [{ path, value: before.value }], gesture: 'g' })
    await call('fields.set', { model, ref, values: [{ path, value }], gesture: 'g' })
    await expect(call('fields.set', { model, ref, values: [{ path, value: 'x' }] })).rejects.toMatchObject({ code: 'invalid-edit' })
    expect(Buffer.compare(readFileSync(ref), files[file])).toBe(0)
    await bench.close()

    const again = begin({ after: bench })
    const [left] = await again.call('recovery.list', {})
    const back = await again.call('recovery.restore', { id: left.id })
    const id = back.info.id
    expect((await again.call('fields.get', { model: id, ref, path })).value).toBe(value)
    await again.call('save.write', { model: id })
    const written = readFileSync(ref)
    const ranges = changedRanges(files[file], written)
    expect(ranges.length).toBeGreaterThan(0)
    expect(ranges.at(-1)![1] - ranges[0][0]).toBeLessThanOrEqual(4)
  })
})

describe('fields of a model', () => {
  it('that name a bone of another file are chosen among its bones', async () => {
    const files = Object.fromEntries(['SKN', 'SKL'].map((name) => [`WALKER_${name}.W3D`, SAMPLE[`Zero Hour/Art/W3D/WALKER_${name}.W3D`]]))
    const bench = begin({ files })
    const { info, scene } = await openGame(bench, 'WALKER_SKN.W3D')
    const path = 'hlod.lodArray[0].subObject[1].boneIndex'
    const told = await bench.call('fields.get', { model: info.id, ref: join(bench.game, 'WALKER_SKN.W3D'), path })
    expect(told.form).toBe('reference')
    expect(told.choices!.map(({ value, label }) => [value, label])).toEqual(scene.skeleton.names.map((name, i) => [String(i), name]))
  })
  it('are set together or not at all', async () => {
    const bench = begin({ files: { 'a.w3d': SAMPLE['Zero Hour/Art/W3D/WALKER_SKN.W3D'] } })
    const { info } = await openGame(bench, 'a.w3d')
    const ref = join(bench.game, 'a.w3d')
    const model = info.id
    const set = (...values: [string, string][]) =>
      bench.call('fields.set', { model, ref, values: values.map(([path, value]) => ({ path, value })) })
    await expect(set(['mesh[0].header.sortLevel', '3'], ['mesh[0].header.numTris', '3'])).rejects.toMatchObject({
      code: 'invalid-edit',
      path: 'mesh[0].header.numTris',
    })
    expect((await bench.call('fields.get', { model, ref, path: 'mesh[0].header.sortLevel' })).value).toBe('0')
    await set(['mesh[0].header.sortLevel', '3'], ['mesh[1].header.sortLevel', '4'])
    expect((await bench.call('fields.get', { model, ref, path: 'mesh[1].header.sortLevel' })).value).toBe('4')
    await bench.call('history.undo', { model })
    expect((await bench.call('fields.get', { model, ref, path: 'mesh[0].header.sortLevel' })).value).toBe('0')
    await expect(set(['mesh[0].header.sortLevel', '3'], ['mesh[0].header.sortLevel', '4'])).rejects.toMatchObject({ code: 'invalid-edit' })
    await expect(bench.call('fields.get', { model, ref, path: 'nobody' })).rejects.toMatchObject({ code: 'not-found' })
  })
})

const MATERIALS = [
  ['San Andreas', 'models/peds/adventurer.dff', ['struct.color', 'filterAddressing', 'struct.format'], 'struct.color', '#ff000080'],
  [
    'Zero Hour',
    'Art/W3D/WALKER_SKN.W3D',
    ['info.diffuse', 'srcBlend', 'alphaTest', 'name.text', 'attributes.twoSided'],
    'info.opacity',
    '0.5',
  ],
  ['Dark Cloud 2', 'adventurer/adventurer.mds', ['diffuse', 'texture', 'name'], 'diffuse[3]', '0.5'],
  ['Lost Saga', 'resource/model/animodel/adventurer.txt', ['diffuse', 'shader_group', 'texture'], 'diffuse', '#80ff0040'],
] as const

describe.each(MATERIALS)('a material of %s', (folder, file, there, ending, value) => {
  it('is told by the fields that make it, and the scene follows when one is set', async () => {
    const files = Object.fromEntries(
      Object.entries(SAMPLE).flatMap(([name, bytes]) => (name.startsWith(`${folder}/`) ? [[name.slice(folder.length + 1), bytes]] : [])),
    )
    const bench = begin({ files })
    const { info, scene } = await openGame(bench, file)
    const model = info.id
    const groups = await bench.call('fields.ofMaterial', { model, material: 0 })
    const fields = groups.flatMap((group) => group.fields.map((field) => ({ ...field, ref: group.ref })))
    for (const name of there)
      expect(
        fields.some(({ path }) => path.endsWith(name)),
        name,
      ).toBe(true)
    expect(fields.every(({ form }) => form !== 'none')).toBe(true)
    const place = fields.find(({ path }) => path.endsWith(ending.replace(/\[\d\]$/, '')))!
    const path = place.path + (/\[\d\]$/.exec(ending)?.[0] ?? '')
    await bench.call('fields.set', { model, ref: place.ref, values: [{ path, value }] })
    expect((await bench.call('fields.get', { model, ref: place.ref, path })).value).toBe(value)
    const after = (await bench.call('model.scene', { model })).scene
    if (folder !== 'Zero Hour') expect(after.materials[0]).not.toEqual(scene.materials[0])
    await expect(bench.call('fields.ofMaterial', { model, material: 999 })).rejects.toMatchObject({ code: 'invalid-argument' })
  })
})
