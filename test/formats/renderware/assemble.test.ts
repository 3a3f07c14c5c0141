import { describe, expect, it } from 'vitest'
import { createPose, sampleClip } from '../../../src/shared/scene/pose.ts'
import { skinMesh } from '../../../src/shared/scene/skinning.ts'
import { multiply } from '../../../src/shared/scene/matrix.ts'
import { encodeDocument } from '../../../src/main/formats/format.ts'
import { basisMatrix, basisQuat, basisScale, basisVector } from '../../../src/main/formats/renderware/scene/basis.ts'
import { animationFit, bind } from '../../../src/main/formats/renderware/scene/bind.ts'
import { childOf, makeContainer, makeRaw } from '../../../src/main/formats/renderware/codecs/chunk.ts'
import { ID } from '../../../src/main/formats/renderware/codecs/chunk-ids.ts'
import { findField } from '../../../src/main/formats/fields.ts'
import { dffFormat } from '../../../src/main/formats/renderware/codecs/dff.ts'
import { ideFormat } from '../../../src/main/formats/renderware/codecs/ide.ts'
import { renderware } from '../../../src/main/formats/renderware/family.ts'
import { GEOMETRY } from '../../../src/main/formats/renderware/codecs/geometry.ts'
import { ifpFormat } from '../../../src/main/formats/renderware/codecs/ifp.ts'
import { newDff, newIfp, newTxd } from '../../../src/main/formats/renderware/make.ts'
import { readModel } from '../../../src/main/formats/renderware/codecs/model.ts'
import { txdFormat } from '../../../src/main/formats/renderware/codecs/txd.ts'
import { LEGACY_PLACES, legacyPed } from '../../fixtures/renderware/legacy.ts'
import { skinOf, encodeDff, oddDff, payload, pedModel } from '../../fixtures/renderware/ped.ts'
import { missingParts } from '../../../src/main/services/missing-parts.ts'
import { describeCorpus, filesBelow, readBytes } from '../../support/corpus.ts'
import { expectLossless, expectTameWhenCorrupted, expectTameWhenTruncated, junk } from '../../support/hostile.ts'
import type { BindFile, ModelBinding, Neighbourhood } from '../../../src/main/formats/binding.ts'
import type { Document, FileFormat } from '../../../src/main/formats/format.ts'
import type { AssembledModel } from '../../../src/main/formats/binding.ts'
import type { LintModel } from '../../../src/main/formats/family.ts'
import type { Pose } from '../../../src/shared/scene/pose.ts'
import type { Scene } from '../../../src/shared/scene/types.ts'

function assemble(members: Record<string, Document>): AssembledModel {
  const refs = Object.keys(members)
  const binding: ModelBinding = {
    family: 'renderware',
    name: 'm',
    primary: refs[0],
    members: refs.map((ref) => ({ role: 'x', ref, why: 'name' as const, detail: '' })),
  }
  return renderware.assemble(binding, (ref) => members[ref], {})
}

const at = (scene: Scene, pose: Pose, name: string | RegExp): number[] => {
  const joint = scene.skeleton.names.findIndex((n) => (typeof name === 'string' ? n.trim() === name : name.test(n.trim())))
  return [12, 13, 14].map((k) => Math.round(pose.world[16 * joint + k] * 1000) / 1000 + 0)
}

function skinned(scene: Scene, pose: Pose): Float32Array[] {
  return scene.meshes.map((mesh) => {
    if (mesh.skin < 0) return mesh.positions
    const out = new Float32Array(mesh.positions.length)
    skinMesh(mesh, scene.skins[mesh.skin], pose, out, new Float32Array(0), new Float32Array(16 * scene.skins[mesh.skin].joints.length))
    return out
  })
}

describe('frames', () => {
  it('are bones where they hold some; points for weapons where a figure has them beside its bones', () => {
    const ped = pedModel()
    const { matrix } = ped.frames[0]
    const frames = [...ped.frames, { name: 'Gun', parent: 0, matrix }, { name: 'Sight', parent: 5, matrix }]
    const { skeleton } = assemble({ 'ped.dff': newDff({ ...ped, frames, atomics: [{ frame: 1, geometry: 0 }] }) }).scene
    const roles = Object.fromEntries(skeleton.names.map((name, i) => [name, skeleton.roles![i]]))
    const figure = { clump: 'joint', Root: 'joint', 'L Arm': 'joint', Spine: 'joint', 'R Arm': 'joint' }
    expect(roles).toEqual({ ...figure, Gun: 'attach', Sight: 'attach' })
  })
})

describe('basis', () => {
  it('is its own inverse, for every kind of value', () => {
    const v = [1, 2, 3],
      out = [0, 0, 0],
      back = [0, 0, 0]
    basisVector(out, 0, v, 0)
    expect(out).toEqual([-1, 3, 2])
    basisVector(back, 0, out, 0)
    expect(back).toEqual(v)
    const q = [0.1, 0.2, 0.3, 0.9],
      oq = [0, 0, 0, 0],
      bq = [0, 0, 0, 0]
    basisQuat(oq, 0, q, 0)
    basisQuat(bq, 0, oq, 0)
    expect(bq).toEqual(q)
    const s = [1, 2, 3],
      os = [0, 0, 0],
      bs = [0, 0, 0]
    basisScale(os, 0, s, 0)
    basisScale(bs, 0, os, 0)
    expect(bs).toEqual(s)
    const m = Array.from({ length: 16 }, (_, i) => i + 1),
      om = new Float64Array(16),
      bm = new Float64Array(16)
    basisMatrix(om, 0, m, 0)
    basisMatrix(bm, 0, om, 0)
    expect(Array.from(bm)).toEqual(m)
  })
  it('agrees between matrices and points', () => {
    const m = Float64Array.from([0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 5, 6, 7, 1])
    const changed = new Float64Array(16)
    basisMatrix(changed, 0, m, 0)
    const p = [2, 3, 4]
    const moved = [0, 1, 2].map((r) => m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r])
    const ps = [0, 0, 0],
      ms = [0, 0, 0]
    basisVector(ps, 0, p, 0)
    basisVector(ms, 0, moved, 0)
    expect([0, 1, 2].map((r) => changed[r] * ps[0] + changed[4 + r] * ps[1] + changed[8 + r] * ps[2] + changed[12 + r])).toEqual(ms)
    multiply(changed, 0, changed, 0, changed, 0)
  })
})

describe('assembled model', () => {
  const ped = (): Document => dffFormat.decode(encodeDff(newDff(pedModel())), 'a/ped.dff')
  it('has frames as joints, materials of BinMesh, and matches its skin at rest', () => {
    const { scene, diagnostics } = assemble({ 'a/ped.dff': ped() })
    expect(scene.skeleton.names).toEqual(['clump', 'Root', 'L Arm', 'Spine', 'R Arm'])
    expect(scene.skeleton.roles).toEqual(['mesh', 'joint', 'joint', 'joint', 'joint'])
    const mesh = scene.meshes[0]
    expect(Array.from(mesh.positions.slice(0, 3)).map((v) => v + 0)).toEqual([0.6, 1.5, 0].map(Math.fround))
    expect(mesh.groups).toEqual([
      { start: 0, count: 3, material: 0 },
      { start: 3, count: 6, material: 1 },
    ])
    expect(scene.materials[1]).toMatchObject({ diffuse: [1, 0, 0, 128 / 255], blend: 'alpha' })
    expect(diagnostics.map((d) => d.code)).toEqual(['renderware.texture-missing', 'renderware.texture-missing'])
    skinned(scene, createPose(scene))[0].forEach((v, i) => expect(v).toBeCloseTo(mesh.positions[i], 5))
    // zero-weight slots with junk have no influence
    expect(Array.from(scene.skins[0].offsets)).toEqual([0, 2, 3, 4, 6, 9])
  })
  it('turns raw vertices of another orientation upright', () => {
    const model = pedModel()
    // bind space with the head along +X: raw = (z, x, y); node ids of a real figure
    const turn = (p: ArrayLike<number>, i: number): number[] => [p[i + 2], p[i], p[i + 1]]
    const ids = [5, 43, 31, 21]
    model.frames = model.frames.map((f, i) => ({
      ...f,
      nodeId: i ? ids[i - 1] : undefined,
      name: ['clump', 'Head', 'L Foot', 'L Hand', 'R Hand'][i],
    }))
    model.nodes = ids
    const places = [
      [0, 0, 1],
      [-0.2, 0, -1],
      [-0.5, 0, 0],
      [0.5, 0, 0],
    ]
    const s2b = new Float32Array(64)
    // rows are the images of raw x, y, z: raw = (z, x, y) of the figure
    places.forEach((p, b) => s2b.set([0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, -p[0], -p[1], -p[2], 0], 16 * b))
    const g = model.geometries[0]
    const upright = g.positions.slice()
    for (let i = 0; i < upright.length; i += 3) g.positions.set(turn(upright, i), i)
    g.skin = { ...g.skin!, skinToBone: s2b }
    const { scene } = assemble({ 'p.dff': newDff(model) })
    const pose = createPose(scene)
    expect(at(scene, pose, 'Head')).toEqual([0, 1, 0])
    expect(at(scene, pose, 'L Hand')).toEqual([0.5, 0, 0])
    const expected = new Float32Array(upright.length)
    for (let i = 0; i < upright.length; i += 3) basisVector(expected, i, upright, i)
    scene.meshes[0].positions.forEach((v, i) => expect(v).toBeCloseTo(expected[i], 5))
    skinned(scene, pose)[0].forEach((v, i) => expect(v).toBeCloseTo(expected[i], 5))
  })
  describe('with a skin on its atomic, and frames without numbers', () => {
    const upright = LEGACY_PLACES
    const legacy = (also = false): Document => dffFormat.decode(encodeDff(legacyPed(['R Arm', 'L Arm'], also)), 'a/old.dff')

    it('stands as its frames do, which are its bones by tree and place', () => {
      const { scene } = assemble({ 'a/old.dff': legacy() })
      expect(scene.skeleton.names).toEqual(['clump', 'Root', 'L Arm', 'R Arm'])
      expect(Array.from(scene.skins[0].joints, (joint) => scene.skeleton.names[joint])).toEqual(['Root', 'R Arm', 'L Arm'])
      const pose = createPose(scene)
      expect(at(scene, pose, 'Root')).toEqual([0, 1, 0])
      expect(at(scene, pose, 'R Arm')).toEqual([-0.5, 1.5, 0])
      const expected = new Float32Array(12)
      for (let i = 0; i < 12; i += 3) basisVector(expected, i, upright, i)
      scene.meshes[0].positions.forEach((v, i) => expect(v).toBeCloseTo(expected[i], 5))
      skinned(scene, pose)[0].forEach((v, i) => expect(v).toBeCloseTo(expected[i], 5))
    })
    it('is moved by animations that name a frame or the number of a bone', () => {
      for (const [bone, id] of [
        ['R Arm', -1],
        ['?', 41],
      ] as const) {
        const clip = { name: 'lift', tracks: [{ bone, id, times: [0], rotations: [0, 0, 0, 1], translations: [0.5, 0, 1.5] }] }
        const ifp = ifpFormat.decode(encodeDocument(ifpFormat, newIfp('p', [clip])).bytes, 'p.ifp')
        const { scene } = assemble({ 'a/old.dff': legacy(), 'p.ifp': ifp })
        const pose = createPose(scene)
        sampleClip(scene, scene.clips[0], 0, pose)
        expect(at(scene, pose, 'R Arm')).toEqual([-0.5, 2.5, 0])
        expect(Array.from(skinned(scene, pose)[0].subarray(3, 6), (v) => Math.round(v * 100) / 100 + 0)).toEqual([-0.6, 2.5, 0])
      }
    })
    it('has bones as joints of their own where the frames are another tree', () => {
      const { scene } = assemble({ 'a/old.dff': legacy(true) })
      expect(scene.skeleton.names.slice(5)).toEqual(['node 40', 'node 41', 'node 42'])
    })
  })
  it('plays animations of both kinds alike', () => {
    const h = Math.SQRT1_2
    const clip = {
      name: 'turn',
      tracks: [
        { bone: ' Root', id: 0, times: [0, 1], rotations: [0, 0, 0, 1, 0, 0, h, h], translations: [0, 0, 1, 0, 2, 1] },
        { bone: 'R_Arm', id: -1, times: [0], rotations: [h, 0, 0, h] },
        { bone: 'tail', id: 77, times: [0], rotations: [0, 0, 0, 1] },
      ],
    }
    const poses = (['ANP3', 'ANPK'] as const).map((kind) => {
      const ifp = ifpFormat.decode(encodeDocument(ifpFormat, newIfp('p', [clip], kind)).bytes, 'p.ifp')
      const { scene } = assemble({ 'a/ped.dff': ped(), 'p.ifp': ifp })
      const played = scene.clips[0]
      expect([played.fit, played.rate, played.end]).toEqual([{ matched: 2, total: 3 }, kind === 'ANP3' ? 60 : 1, kind === 'ANP3' ? 60 : 1])
      const pose = createPose(scene)
      sampleClip(scene, played, played.end / 2, pose)
      // halfway: one unit forward (+Z), a quarter of a half turn about up
      expect(at(scene, pose, 'Root')).toEqual([0, 1, 1])
      expect(at(scene, pose, 'L Arm').map((v) => Math.round(v * 100) / 100)).toEqual([0.35, 1.5, 0.65])
      return Array.from(pose.world, (v) => Math.round(v * 1000) / 1000 + 0)
    })
    expect(poses[0]).toEqual(poses[1])
  })
  it('takes textures from dictionaries without regard to case', () => {
    const rgba = new Uint8Array(64).fill(200)
    const txd = txdFormat.decode(
      encodeDocument(txdFormat, newTxd([{ name: 'SKIN', width: 4, height: 4, rgba, raster: '8888' }])).bytes,
      'a/ped.txd',
    )
    const { scene, diagnostics } = assemble({ 'a/ped.dff': ped(), 'a/ped.txd': txd })
    expect(scene.textures.map((t) => [t.name, t.missing, t.width, t.hasAlpha])).toEqual([
      ['skin', false, 4, true],
      ['cloth', true, 0, false],
    ])
    expect(scene.textures[0].source).toEqual({ ref: 'a/ped.txd', path: 'texDictionary.textureNative[0]' })
    expect(diagnostics).toHaveLength(1)
  })
  it('shows no colour that only tells the parts of a car apart', () => {
    const model = pedModel()
    const paint = [
      [60, 255, 0, 255],
      [255, 0, 175, 128],
    ] as const
    const lamps = [
      [255, 175, 0, 255],
      [0, 255, 200, 255],
      [185, 255, 0, 255],
      [255, 60, 0, 255],
    ] as const
    const own = [
      [60, 255, 1, 255],
      [0, 0, 0, 255],
    ] as const
    const colors = [...paint, ...lamps, ...own]
    model.geometries[0].materials = colors.map((color) => ({ color, texture: 'dirt' }))
    const { scene, diagnostics } = assemble({ 'p.dff': newDff(model) })
    expect(scene.materials.map((m) => m.diffuse.map((v) => Math.round(v * 255)))).toEqual([
      [255, 255, 255, 255],
      [255, 255, 255, 128],
      ...lamps.map(() => [255, 255, 255, 255]),
      ...own,
    ])
    expect(scene.materials.map((m) => m.teamColor ?? false)).toEqual(colors.map((_, i) => i < 2))
    // paint shows where the dirt over it is missing; anything else shows that its picture is
    expect(scene.materials.map((m) => m.texture)).toEqual(colors.map((_, i) => (i < 2 ? -1 : 0)))
    expect(diagnostics.map((d) => d.code)).toEqual(['renderware.texture-missing'])
  })
  it('leads from a light and a 2d effect to the fields that say them', () => {
    const made = newDff(pedModel())
    const [clump] = made.roots.filter(({ type }) => type === ID.clump)
    const effect = (x: number): unknown[] => [{ f32: [x, 2, 3] }, 0, 76, junk(76)]
    childOf(readModel(made).clumps[0].geometries[0].chunk, ID.extension)!.children!.push(
      makeRaw(ID.effect2d, clump.stamp, payload(2, ...(effect(1) as []), ...(effect(4) as []))),
    )
    const light = makeRaw(ID.struct, clump.stamp, payload({ f32: [200, 1, 0.5, 0.25, 0] }, 0x00800003))
    clump.children!.push(makeRaw(ID.struct, clump.stamp, payload(0)), makeContainer(ID.light, clump.stamp, [light]))
    const document = dffFormat.decode(encodeDff(made), 'p.dff')
    const root = dffFormat.describe(document)
    const fields = assemble({ 'p.dff': document }).scene.helpers.map(({ name, source }) => [
      name,
      findField(root, `${source.path}.${name.startsWith('light') ? 'radius' : 'position'}`)?.field.value,
      findField(root, `${source.path}.${name.startsWith('light') ? 'color' : 'coronaFarClip'}`)?.field.type,
    ])
    expect(fields).toEqual([
      ['light 0', '200', 'f32[3]'],
      ['2d effect 0', '1, 2, 3', 'f32'],
      ['2d effect 1', '4, 2, 3', 'f32'],
    ])
  })
  it('knows colours of vertices that are light from those that are a tint', () => {
    const model = pedModel()
    expect(assemble({ 'p.dff': newDff(model) }).scene.materials[0].prelit).toBeUndefined()
    model.geometries[0].prelit = new Uint8Array(4 * 5).fill(90)
    const lit = newDff(model)
    expect(assemble({ 'p.dff': lit }).scene.materials[0]).toMatchObject({ lit: true, vertexColors: true, prelit: true })
    const geometry = readModel(lit).clumps[0].geometries[0]
    geometry.struct!.format &= ~GEOMETRY.light
    const unlit = assemble({ 'p.dff': lit }).scene.materials[0]
    expect([unlit.lit, unlit.vertexColors, unlit.prelit]).toEqual([false, true, undefined])
  })
  it('mends strips that lost their winding, and takes triangles of the Struct where there is no BinMesh', () => {
    const document = newDff(pedModel())
    const geometry = document.roots[0].children!.find((c) => c.type === 0x1a)!.children!.find((c) => c.type === 0xf)!
    const extension = geometry.children!.find((c) => c.type === 3)!
    const bins = extension.children!.find((c) => c.type === 0x50e)!.value as { flags: number; meshes: { indices: Uint32Array }[] }
    const plain = assemble({ 'p.dff': document }).scene.meshes[0].indices.slice()
    bins.flags = 1
    bins.meshes[0].indices = Uint32Array.of(1, 0, 2)
    bins.meshes[1].indices = Uint32Array.of(0, 1, 3, 3, 1, 1, 0, 4)
    const oriented = (list: Uint32Array): string[] =>
      Array.from({ length: list.length / 3 }, (_, i) => {
        const t = [...list.subarray(3 * i, 3 * i + 3)]
        const m = t.indexOf(Math.min(...t))
        return [...t.slice(m), ...t.slice(0, m)].join()
      }).sort()
    expect(oriented(assemble({ 'p.dff': document }).scene.meshes[0].indices)).toEqual(oriented(plain))
    extension.children = extension.children!.filter((c) => c.type !== 0x50e)
    const mesh = assemble({ 'p.dff': document }).scene.meshes[0]
    expect(oriented(mesh.indices)).toEqual(oriented(plain))
    expect(mesh.groups.map((g) => g.material)).toEqual([0, 1])
  })
  it('hides damaged parts and sets distant ones apart', () => {
    const model = pedModel()
    const frames = ['body', 'door_ok', 'door_dam', 'chassis_vlo'].map((name, i) => ({
      name,
      parent: i - 1 < 0 ? -1 : 0,
      matrix: [1, 0, 0, 0, 1, 0, 0, 0, 1, i, 0, 0],
    }))
    const { scene } = assemble({
      'car.dff': newDff({
        frames,
        geometries: [{ ...model.geometries[0], skin: undefined }],
        atomics: frames.map((_, frame) => ({ frame, geometry: 0 })),
      }),
    })
    expect(scene.meshes.map((m) => [m.name, m.visible, m.lod])).toEqual([
      ['body', true, 1],
      ['door_ok', true, 1],
      ['door_dam', false, 1],
      ['chassis_vlo', true, 0],
    ])
    expect(scene.lods).toEqual(['very low', 'full'])
    expect(at(scene, createPose(scene), 'door_dam')).toEqual([-2, 0, 0])
  })
  it('says what is wrong and throws nothing', () => {
    const document = newDff(pedModel())
    const skin = skinOf(document)
    skin.weights.fill(NaN)
    skin.weights[0] = Infinity
    skin.indices.fill(200)
    skin.bones.fill(0x7fc00000)
    expect(assemble({ 'p.dff': document }).scene.meshes).toHaveLength(1)
    const bytes = oddDff()
    for (let i = 0; i < bytes.length; i += 11) {
      for (const value of [0, 0x7f, 0xff]) {
        const copy = bytes.slice()
        copy[i] = value
        let decoded: Document
        try {
          decoded = dffFormat.decode(copy, 'p.dff')
        } catch {
          continue
        }
        const { scene } = assemble({ 'p.dff': decoded })
        for (const values of [scene.skeleton.restLocal, ...scene.meshes.flatMap((m) => [m.positions, m.normals])])
          if (values.some((v) => !Number.isFinite(v))) expect.unreachable(`byte ${i} = ${value} makes a number that is none`)
      }
    }
    expect(assemble({ 'p.dff': undefined as unknown as Document }).diagnostics[0].code).toBe('renderware.model-unread')
  })
})

describe('hostile models', () => {
  it('with a thousand atomics of one large geometry, or a table of a million nodes, end', () => {
    const model = pedModel()
    const big = { ...model.geometries[0], skin: undefined, triangles: new Uint32Array(300_000), materialOf: undefined }
    const many = newDff({
      frames: model.frames,
      geometries: [big],
      atomics: Array.from({ length: 3000 }, () => ({ frame: 0, geometry: 0 })),
    })
    dffFormat.summarize(many)
    const { scene, diagnostics } = assemble({ 'p.dff': many })
    expect(scene.meshes.length).toBeLessThan(100)
    expect(diagnostics.some((d) => d.code === 'renderware.too-many-vertices')).toBe(true)
    const deep = newDff(model)
    const clump = readModel(deep).clumps[0]
    const hanim = clump.frames[1].hanim!
    hanim.numNodes = 300_000
    hanim.table!.nodes = Int32Array.from({ length: 900_000 }, (_, i) => (i % 3 === 2 ? 0 : 1000 + i))
    const again = dffFormat.decode(encodeDff(deep), 'p.dff')
    expect(assemble({ 'p.dff': again }).scene.skeleton.count).toBeLessThan(2000)
    renderware.lint(again, { around: undefined as never, load: () => undefined })
  })
})

// --- binding -----------------------------------------------------------------------------------------------------

function neighbourhood(files: Record<string, { format: FileFormat; document: Document }>): Neighbourhood {
  const list: BindFile[] = Object.entries(files).map(([ref, { format }]) => {
    const cut = Math.max(ref.lastIndexOf('/'), ref.lastIndexOf('!'))
    return { ref, name: ref.slice(cut + 1), folder: ref.slice(0, cut), format: format.id, kind: format.kind }
  })
  const summary = (ref: string): ReturnType<Neighbourhood['summary']> =>
    files[ref] && files[ref].format.summarize({ ...files[ref].document, ref })
  const near =
    (from: string) =>
    (a: BindFile, b: BindFile): number =>
      Number(b.folder === from) - Number(a.folder === from) || a.folder.length - b.folder.length
  return {
    inFolder: (folder) => list.filter((f) => f.folder === folder),
    byStem: (stem, from) => list.filter((f) => f.name.replace(/\.[^.]*$/, '').toLowerCase() === stem.toLowerCase()).sort(near(from)),
    providing: (key, from) =>
      list.filter((f) => summary(f.ref)?.provides?.some((p) => p.toLowerCase() === key.toLowerCase())).sort(near(from)),
    needing: () => [],
    summary,
    document: (ref) => files[ref]?.document,
  }
}

describe('binding', () => {
  const rgba = new Uint8Array(4)
  const dff = (): { format: FileFormat; document: Document } => ({ format: dffFormat, document: newDff(pedModel()) })
  const txd = (...names: string[]): { format: FileFormat; document: Document } => ({
    format: txdFormat,
    document: newTxd(names.map((name) => ({ name, width: 1, height: 1, rgba, raster: '8888' as const }))),
  })
  const ifp = (...ids: number[]): { format: FileFormat; document: Document } => ({
    format: ifpFormat,
    document: newIfp('p', [{ name: 'c', tracks: ids.map((id) => ({ bone: `b${id}`, id, times: [0], rotations: [0, 0, 0, 1] })) }]),
  })
  it('finds dictionaries by name, then by the textures a model lacks, and animations by their bones', () => {
    const around = neighbourhood({
      'g/models/gta3.img!Ped.dff': dff(),
      'g/models/gta3.img!ped.txd': txd('skin'),
      'g/models/generic.txd': txd('CLOTH'),
      'other/ped.txd': txd('skin', 'cloth'),
      'g/models/walk.ifp': ifp(0, 2, 21, 31),
      'g/models/car.ifp': ifp(100, 101, 102, 0),
      'g/anim/ped.ifp': ifp(0, 2, 21, 99),
    })
    const models = bind('g/models/gta3.img', around)
    expect(models).toHaveLength(1)
    expect(models[0].members.map((m) => [m.role, m.ref, m.why, m.detail])).toEqual([
      ['model', 'g/models/gta3.img!Ped.dff', 'self', ''],
      ['textures', 'g/models/gta3.img!ped.txd', 'name', 'ped.txd, same name: 1 of 3 textures'],
      ['textures', 'g/models/generic.txd', 'explicit', 'generic.txd, has textures that the model names: 1 of 3 textures'],
      ['animation', 'g/models/walk.ifp', 'bones', '4 of 4 bones'],
      ['animation', 'g/anim/ped.ifp', 'bones', '3 of 4 bones'],
    ])
  })
  it('takes a dictionary from above, and from elsewhere only where it has what the model names', () => {
    expect(
      bind('g/a', neighbourhood({ 'g/a/ped.dff': dff(), 'g/ped.txd': txd('x'), 'h/ped.txd': txd('skin') }))[0].members.map((m) => m.ref),
    ).toEqual(['g/a/ped.dff', 'g/ped.txd'])
    expect(bind('g/a', neighbourhood({ 'g/a/ped.dff': dff(), 'h/ped.txd': txd('skin') }))[0].members.map((m) => m.ref)).toEqual([
      'g/a/ped.dff',
      'h/ped.txd',
    ])
    expect(bind('g/a', neighbourhood({ 'g/a/ped.dff': dff(), 'h/ped.txd': txd('x') }))[0].members.map((m) => m.ref)).toEqual([
      'g/a/ped.dff',
    ])
  })
  it('takes what all cars share from wherever it stands, and no other stranger', () => {
    const members = (others: Record<string, ReturnType<typeof txd>>): string[] =>
      bind(
        'g/models/gta3.img',
        neighbourhood({ 'g/models/gta3.img!ped.dff': dff(), 'g/models/gta3.img!ped.txd': txd('skin'), ...others }),
      )[0]
        .members.slice(1)
        .map((m) => m.ref)
    expect(members({ 'g/models/generic/vehicle.txd': txd('cloth') })).toEqual(['g/models/gta3.img!ped.txd', 'g/models/generic/vehicle.txd'])
    expect(members({ 'g/models/generic/vehicle.txd': txd('grunge') })).toEqual(['g/models/gta3.img!ped.txd'])
    expect(members({ 'g/models/generic/other.txd': txd('cloth') })).toEqual(['g/models/gta3.img!ped.txd'])
  })
  it('knows of a vehicle that what it lacks may stand in the dictionary that is not here, as lint does', () => {
    const car = pedModel()
    car.frames[0].name = 'chassis_dummy'
    const files = (model: ReturnType<typeof pedModel>, shared?: string): Parameters<typeof neighbourhood>[0] => ({
      'g/models/ped.dff': { format: dffFormat, document: newDff(model) },
      'g/models/ped.txd': txd('skin'),
      ...(shared ? { 'g/models/generic/vehicle.txd': txd(shared) } : {}),
    })
    const told = (tree: ReturnType<typeof files>): unknown[] => {
      const around = neighbourhood(tree)
      const binding = { ...bind('g/models', around)[0], absent: renderware.absent!('g/models', around) }
      const load = (ref: string): Document | undefined => tree[ref]?.document
      const model = renderware.assemble(binding, load, {})
      const said = (list: readonly { code: string; severity: string }[]): string[] =>
        list.filter(({ code }) => code === 'renderware.texture-missing').map(({ severity }) => severity)
      const lint = renderware.lint(load('g/models/ped.dff')!, { binding, load, around } as LintModel)
      expect(said(lint)).toEqual(said(model.diagnostics))
      return [...new Set(said(lint)), ...missingParts(model).map(({ shared, names }) => [shared, names])]
    }
    expect(told(files(car))).toEqual(['info', ['vehicle.txd', expect.arrayContaining(['cloth'])]])
    // the dictionary is here and has nothing of it, or it is no vehicle: the game does not find it either
    expect(told(files(car, 'grunge'))).toEqual(['warning', [undefined, expect.arrayContaining(['cloth'])]])
    expect(told(files(pedModel()))).toEqual(['warning', [undefined, expect.arrayContaining(['cloth'])]])
  })
  const ide = (text: string): { format: FileFormat; document: Document } => ({
    format: ideFormat,
    document: ideFormat.decode(new TextEncoder().encode(text), 'x.ide'),
  })
  it('goes by object lists before names, and falls back on the parents of dictionaries', () => {
    const files = {
      'g/models/gta3.img!ped.dff': dff(),
      'g/models/gta3.img!ped.txd': txd('skin', 'cloth'),
      'g/models/gta3.img!gang.txd': txd('SKIN'),
    }
    const members = (text: string, more: Record<string, ReturnType<typeof txd>> = {}): [string, string, string][] =>
      bind('g/models/gta3.img', neighbourhood({ ...files, ...more, 'g/data/peds.ide': ide(text) }))[0]
        .members.slice(1)
        .map((m) => [m.ref, m.why, m.detail])
    const listed: [string, string, string] = ['g/models/gta3.img!gang.txd', 'explicit', 'gang.txd, by peds.ide: 1 of 3 textures']
    expect(members('# x\r\npeds\r\n7, PED , Gang, CIVMALE # who\r\nend\r\n')).toEqual([
      listed,
      ['g/models/gta3.img!ped.txd', 'name', 'ped.txd, same name: 1 of 3 textures'],
    ])
    // as III writes them, and a dictionary without what the model names is the game's choice still
    expect(members('objs\n7 ped base 1 100 0\nend', { 'g/models/base.txd': txd('stone') })[0]).toEqual([
      'g/models/base.txd',
      'explicit',
      'base.txd, by peds.ide: 0 of 3 textures',
    ])
    expect(
      members('peds\n7, ped, gang, X\nend\ntxdp\ngang, wardrobe\nwardrobe, gang\nend', { 'g/models/wardrobe.txd': txd('cloth') }),
    ).toEqual([listed, ['g/models/wardrobe.txd', 'explicit', 'wardrobe.txd, parent of gang: 1 of 3 textures']])
    // a list of nothing that is there changes nothing
    for (const text of ['peds\n7, other, gang\nend', 'peds\n7, ped, null\nend', 'peds\n7, ped, nowhere\nend', '7, ped, gang'])
      expect(members(text)).toEqual([['g/models/gta3.img!ped.txd', 'name', 'ped.txd, same name: 2 of 3 textures']])
  })
  it('reads object lists of all sections, and writes them as they were', () => {
    const text = new TextEncoder().encode(
      'objs\r\n1, a, t1, 100\r\n2,b,t2\r\nEND\r\ncars\r\n400,  landstal,\tlandstal, car, LANDSTAL\r\nend\nweap\n3, gun, null, x\nend\nhier\n4 h ht\nend\n2dfx\n1, 0, 0\nend\nobjs\nx, y, z\n9, ../../etc, t\n5',
    )
    const document = expectLossless(ideFormat, text)
    expect(document.pairs.map((p) => `${p.section} ${p.model} ${p.txd}`)).toEqual([
      'objs a t1',
      'objs b t2',
      'cars landstal landstal',
      'weap gun ',
      'hier h ht',
    ])
    expect(ideFormat.summarize(document).provides).toEqual([
      'renderware.ide:a',
      'renderware.ide-txd:a>t1',
      'renderware.ide:b',
      'renderware.ide-txd:b>t2',
      'renderware.ide:landstal',
      'renderware.ide-txd:landstal>landstal',
      'renderware.ide:h',
      'renderware.ide-txd:h>ht',
    ])
    expect([
      ideFormat.identify(text, 'x.ide', text.length),
      ideFormat.identify(text, 'x.txt', text.length),
      ideFormat.identify(Uint8Array.of(0, 1, 2), 'x.ide', 3),
    ]).toEqual([0.9, 0, 0])
    expectTameWhenTruncated(ideFormat, text)
    expectTameWhenCorrupted(ideFormat, text)
  })
  it('does not take a few numbers in common for a fit', () => {
    expect(
      animationFit({ provides: ['renderware.nodes:0,1,2,3,4,5,6,7,8,9'] }, { provides: ['renderware.ifp-nodes:0,1,2,3,4,21,22,23,24,25'] }),
    ).toEqual({ matched: 5, total: 10, fits: false })
    expect(animationFit({ bones: ['Swaist', 'Smid '] }, { bones: ['swaist', 'smid', 'x'] })).toEqual({ matched: 2, total: 3, fits: true })
    expect(animationFit(undefined, undefined).fits).toBe(false)
  })
})

describeCorpus('renderware', (root) => {
  const documents = new Map<string, Document>()
  const load = (path: string): Document => {
    if (!documents.has(path))
      documents.set(
        path,
        (path.endsWith('.dff') ? dffFormat : path.endsWith('.txd') ? txdFormat : ifpFormat).decode(readBytes(path), path) as Document,
      )
    return documents.get(path)!
  }
  const files = filesBelow(root)
  const peds = files.filter((f) => /\/(sa-peds|odd)\/.*\.dff$/.test(f) || f.endsWith('wuzimu.dff'))

  it('every figure stands upright, looks forward, matches its skin at rest, and walks', () => {
    const walkOnly = { ...load(files.find((f) => f.endsWith('/ped.ifp'))!) } as ReturnType<typeof ifpFormat.decode>
    walkOnly.animations = walkOnly.animations.filter((a) => String.fromCharCode(...a.name).startsWith('WALK_civi\0'))
    expect(peds.length).toBeGreaterThan(50)
    for (const path of peds) {
      const { scene } = assemble({ [path]: load(path), 'ped.ifp': walkOnly })
      const pose = createPose(scene)
      const check = (what: string): void => {
        const head = at(scene, pose, 'Head'),
          foot = at(scene, pose, 'L Foot'),
          left = at(scene, pose, 'L Hand'),
          right = at(scene, pose, 'R Hand'),
          toe = at(scene, pose, /^L Toe/)
        expect(head[1] - foot[1], `${path} ${what}: head above feet`).toBeGreaterThan(1.1)
        expect(left[0] - right[0], `${path} ${what}: left hand on the left`).toBeGreaterThan(0.3)
        // a foot that is lifted behind points down
        if (foot[2] > toe[2]) expect(toe[1], `${path} ${what}: toes in front`).toBeLessThan(foot[1])
        else expect(toe[2] - foot[2], `${path} ${what}: toes in front`).toBeGreaterThan(0)
      }
      check('at rest')
      const mesh = scene.meshes[0]
      let worst = 0
      skinned(scene, pose)[0].forEach((v, i) => (worst = Math.max(worst, Math.abs(v - mesh.positions[i]))))
      expect(worst, path).toBeLessThan(1e-5)
      const clip = scene.clips[0]
      expect(clip.fit.matched, path).toBeGreaterThanOrEqual(24)
      for (const time of [0, 10, 20, 34, 50, 68]) {
        sampleClip(scene, clip, time, pose)
        check(`walking at ${time}`)
      }
      // it walks forward, one step and a half at most
      sampleClip(scene, clip, 68, pose)
      const travelled = at(scene, pose, 'Pelvis')
      expect(travelled[2], path).toBeGreaterThan(1.5)
      const top = skinned(scene, pose)[0].reduce((most, v, i) => (i % 3 === 1 ? Math.max(most, v) : most), -9)
      expect(top, path).toBeGreaterThan(0.6)
      expect(top, path).toBeLessThan(1.1)
    }
  })

  it('every model has triangles that face outward', () => {
    for (const path of files.filter((f) => f.endsWith('.dff'))) {
      const { scene } = assemble({ [path]: load(path) })
      let good = 0
      let all = 0
      for (const m of scene.meshes) {
        const p = m.positions,
          n = m.normals
        if (!n.length || n.every((v, i) => (i % 3 === 1 ? v === 1 : v === 0))) continue
        for (let i = 0; i < m.indices.length; i += 3) {
          const [a, b, c] = [3 * m.indices[i], 3 * m.indices[i + 1], 3 * m.indices[i + 2]]
          const u = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]],
            v = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]]
          if ((u[1] * v[2] - u[2] * v[1]) * n[a] + (u[2] * v[0] - u[0] * v[2]) * n[a + 1] + (u[0] * v[1] - u[1] * v[0]) * n[a + 2] > 0)
            good++
          all++
        }
      }
      if (all) expect(good / all, path).toBeGreaterThan(0.9)
    }
  })

  it('an infernus stands on its wheels, nose forward, with its damaged parts hidden', () => {
    const path = files.find((f) => f.endsWith('infernus.dff'))!
    const { scene } = assemble({ [path]: load(path), t: load(path.replace('.dff', '.txd')) })
    expect(scene.lods).toEqual(['very low', 'full'])
    expect(scene.meshes.filter((m) => /_dam$/.test(m.name)).every((m) => !m.visible)).toBe(true)
    expect(scene.meshes.filter((m) => m.lod === 0).map((m) => m.name)).toEqual(['chassis_vlo'])
    expect(
      scene.meshes
        .map((m) => m.name)
        .filter((n) => n.startsWith('wheel'))
        .sort(),
    ).toEqual(['wheel', 'wheel at wheel_lb_dummy', 'wheel at wheel_lf_dummy', 'wheel at wheel_rb_dummy'])
    expect(scene.materials.some((m) => m.teamColor)).toBe(true)
    const pose = createPose(scene)
    const wheel = at(scene, pose, 'wheel_lf_dummy'),
      back = at(scene, pose, 'wheel_lb_dummy'),
      right = at(scene, pose, 'wheel_rf_dummy')
    expect(wheel[2]).toBeGreaterThan(back[2])
    expect(wheel[0]).toBeGreaterThan(right[0])
  })
})
