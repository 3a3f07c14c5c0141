import { NodeIO } from '@gltf-transform/core'
import { decode as decodePng } from 'fast-png'
import { validateBytes } from 'gltf-validator'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FileStore } from '../../src/main/files/store.ts'
import { MemoryNeighbourhood } from '../../src/main/files/memory-neighbourhood.ts'
import { openDocument } from '../../src/main/files/open-document.ts'
import { jointChannels } from '../../src/main/interchange/clip-window.ts'
import { fileNames, safeName } from '../../src/main/files/file-names.ts'
import { writeGltf, writeTextures } from '../../src/main/interchange/gltf-writer.ts'
import { materialChannels } from '../../src/main/interchange/shown-window.ts'
import { EXPORT_DEFAULTS, EXPORT_OPTIONS, EXPORT_PRESETS } from '../../src/shared/api/export-options.ts'
import type { ExportOptionName, ExportSettings } from '../../src/shared/api/export-options.ts'
import { compose, decompose, transformPoint } from '../../src/shared/scene/matrix.ts'
import { createPose, sampleClip } from '../../src/shared/scene/pose.ts'
import { emptyScene, plainMaterial } from '../../src/shared/scene/types.ts'
import type { Clip, Scene, Track } from '../../src/shared/scene/types.ts'
import { corpusRoot, describeCorpus } from '../support/corpus.ts'

const source = { ref: 'test', path: '' }

function clip(tracks: Track[], extra: Partial<Clip> = {}): Clip {
  return {
    name: 'walk',
    tracks,
    start: 0,
    end: 20,
    rate: 10,
    unit: 'frame',
    loop: 'none',
    fit: { matched: 1, total: 1 },
    events: [],
    source,
    ...extra,
  }
}

function track(property: Track['property'], times: number[], values: number[], extra: Partial<Track> = {}): Track {
  return {
    target: { kind: 'joint', index: 1 },
    property,
    interpolation: property === 'rotation' ? 'slerp' : 'linear',
    mode: 'absolute',
    times: Float32Array.from(times),
    values: Float32Array.from(values),
    label: '',
    source,
    ...extra,
  }
}

/** Two joints, a skinned quad with an unweighted vertex, a rigid triangle, a material with a texture. */
function scene(clips: Clip[] = []): Scene {
  const s = emptyScene('モデル')
  const half = Math.SQRT1_2
  s.skeleton = {
    count: 2,
    names: ['root', '腕'],
    parents: Int32Array.of(-1, 0),
    restLocal: new Float32Array(32),
    restTranslation: Float32Array.of(1, 0, 0, 0, 2, 0),
    restRotation: Float32Array.of(0, 0, half, half, 0, 0, 0, 1),
    restScale: Float32Array.of(1, 1, 1, 1, 1, 1),
    nativeIndex: Int32Array.of(0, 1),
    sources: [source, source],
  }
  for (let i = 0; i < 2; i++)
    compose(s.skeleton.restLocal, 16 * i, s.skeleton.restTranslation, 3 * i, s.skeleton.restRotation, 4 * i, s.skeleton.restScale, 3 * i)
  s.textures.push({
    name: 'skin.tga',
    width: 2,
    height: 1,
    rgba: Uint8Array.of(255, 0, 0, 255, 0, 255, 0, 128),
    missing: false,
    hasAlpha: true,
    source,
  })
  s.materials.push({ ...plainMaterial('m', source), texture: 0, blend: 'additive', wrapU: 'clamp' })
  const mesh = {
    normals: new Float32Array(12),
    uvs: [Float32Array.of(0, 0, 1, 0, 0, 1, 1, 1)],
    colors: new Float32Array(0),
    groups: [{ start: 0, count: 6, material: 0 }],
    nativeVertex: Uint32Array.of(0, 1, 2, 3),
    nativeVertexCount: 4,
    visible: true,
    lod: -1,
    source,
  }
  s.meshes.push({
    ...mesh,
    name: 'quad',
    joint: 0,
    positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, NaN),
    indices: Uint32Array.of(0, 1, 2, 2, 1, 3),
    skin: 0,
  })
  s.meshes.push({
    ...mesh,
    name: 'tri',
    joint: 1,
    positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
    normals: new Float32Array(0),
    uvs: [],
    indices: Uint32Array.of(0, 1, 2, 0, 1, 99),
    groups: [],
    skin: -1,
    nativeVertexCount: 3,
  })
  s.skins.push({
    name: 'skin',
    joints: Uint32Array.of(1),
    inverseBind: new Float32Array(16),
    offsets: Uint32Array.of(0, 1, 3, 4, 4),
    slots: Uint16Array.of(0, 0, 0, 0),
    weights: Float32Array.of(1, 0.5, 0.5, 1),
    source,
  })
  for (let i = 0; i < 4; i++) s.skins[0].inverseBind[5 * i] = 1
  s.clips = clips
  return s
}

/** The validator's verdict; hints and infos do not count. */
async function validate(bytes: Uint8Array): Promise<string[]> {
  const report = await validateBytes(bytes, { maxIssues: 50 })
  return report.issues.messages.filter((m) => m.severity <= 1).map((m) => `${m.code} ${m.pointer}`)
}

describe('glTF export', () => {
  it('writes a valid file that reads back as the scene', async () => {
    const s = scene([
      clip([track('translation', [0, 10, 20], [0, 0, 0, 1, 2, 3, 0, 0, 0]), track('rotation', [0, 20], [0, 0, 0, 2, 0, 0, 1, 0])]),
    ])
    s.slices.push({ clip: 0, name: '歩く', start: 5, end: 15, speed: 1, loop: true, source })
    const { files, left } = await writeGltf(s, { format: 'glb', name: 'モデル' })
    expect(files.map((f) => f.name)).toEqual(['モデル.glb'])
    expect(await validate(files[0].bytes)).toEqual([])
    expect(left).toEqual(['blend modes other than alpha'])

    const root = (await new NodeIO().readBinary(files[0].bytes)).getRoot()
    expect(root.listNodes().map((n) => n.getName())).toEqual(['root', '腕', 'quad', 'tri'])
    expect(
      root
        .listNodes()[0]
        .listChildren()
        .map((n) => n.getName()),
    ).toEqual(['腕'])
    expect(
      root
        .listNodes()[1]
        .listChildren()
        .map((n) => n.getName()),
    ).toEqual(['tri'])
    const [quad, tri] = root.listMeshes().map((m) => m.listPrimitives()[0])
    expect([...quad.getAttribute('POSITION')!.getArray()!]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0])
    // an index of a vertex that is not there takes its triangle along
    expect([...tri.getIndices()!.getArray()!]).toEqual([0, 1, 2])
    // two entries for one joint are one influence; the vertex without weights rides on the owner
    expect([...quad.getAttribute('JOINTS_0')!.getArray()!]).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0])
    expect([...quad.getAttribute('WEIGHTS_0')!.getArray()!]).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0])
    const skin = root.listSkins()[0]
    // the whole skeleton, so that an armature that is made of it is whole
    expect(skin.listJoints().map((n) => n.getName())).toEqual(['root', '腕'])
    const material = root.listMaterials()[0]
    expect(material.getAlphaMode()).toBe('BLEND')
    expect(material.getExtras()).toEqual({ marrow: { blend: 'additive' } })
    expect(material.getBaseColorTextureInfo()!.getWrapS()).toBe(33071)
    const image = decodePng(root.listTextures()[0].getImage()!)
    expect([image.width, image.height, ...image.data]).toEqual([2, 1, 255, 0, 0, 255, 0, 255, 0, 128])

    const [slice, whole] = root.listAnimations()
    expect([slice.getName(), whole.getName()]).toEqual(['歩く', 'walk'])
    const [translation, rotation] = slice.listChannels()
    // 10 frames at the clip's rate of 10 take a second
    expect([...translation.getSampler()!.getInput()!.getArray()!]).toEqual([0, 0.5, 1])
    expect([...translation.getSampler()!.getOutput()!.getArray()!]).toEqual([0.5, 1, 1.5, 1, 2, 3, 0.5, 1, 1.5])
    expect([...whole.listChannels()[0].getSampler()!.getInput()!.getArray()!]).toEqual([0, 1, 2])
    expect(rotation.getTargetPath()).toBe('rotation')
    for (const v of [0, 1])
      expect(Math.hypot(...[0, 1, 2, 3].map((i) => rotation.getSampler()!.getOutput()!.getArray()![4 * v + i]))).toBeCloseTo(1, 6)
  })

  it('writes .gltf with a .bin and PNG files beside it', async () => {
    const { files } = await writeGltf(scene(), { format: 'gltf', name: '../a:b' })
    expect(files.map((f) => f.name).sort()).toEqual(['_a_b.bin', '_a_b.gltf', 'skin.png'])
    const json = JSON.parse(Buffer.from(files[0].bytes).toString('utf8'))
    expect(json.images[0].uri).toBe('skin.png')
    expect(json.buffers[0].uri).toBe('_a_b.bin')
    expect(json.asset).toMatchObject({ generator: 'Marrow', version: '2.0' })
  })

  it("puts a family's unit into a node above the skeleton", async () => {
    const s = scene()
    s.unitsPerMetre = 100
    const { files } = await writeGltf(s, { format: 'glb', name: 'x' })
    expect(await validate(files[0].bytes)).toEqual([])
    const root = (await new NodeIO().readBinary(files[0].bytes)).getRoot()
    const top = root
      .getDefaultScene()!
      .listChildren()
      .find((n) => !n.getMesh())!
    expect(top.getScale()[0]).toBeCloseTo(0.01, 9)
    expect(top.listChildren()[0].getName()).toBe('root')
  })

  it('leaves out what is not shown, and says so', async () => {
    const s = scene([clip([{ ...track('visibility', [0], [0]), interpolation: 'step' }])])
    s.lods = ['low', 'high']
    s.meshes[0].lod = 0
    s.meshes[1].visible = false
    const { files, left } = await writeGltf(s, { format: 'glb', name: 'x' })
    expect(left.sort()).toEqual([
      'blend modes other than alpha',
      'levels of detail below the highest',
      'meshes that are hidden',
      'visibility tracks',
    ])
    expect((await new NodeIO().readBinary(files[0].bytes)).getRoot().listMeshes()).toEqual([])
  })

  it('writes on wish what is hidden, lower levels, when meshes are shown, one animation alone, and no pictures', async () => {
    const s = scene([
      clip([{ ...track('visibility', [0, 5, 12], [1, 0, 1]), interpolation: 'step' }]),
      { ...clip([track('translation', [0], [0, 0, 0])]), name: 'other' },
    ])
    s.lods = ['low', 'high']
    s.meshes[0].lod = 0
    s.meshes[1].visible = false
    s.materials[0].lit = false
    const { files, left } = await writeGltf(s, {
      format: 'gltf',
      name: 'x',
      hidden: true,
      lods: true,
      visibility: true,
      textures: false,
      animations: ['walk'],
    })
    expect(left.sort()).toEqual(['blend modes other than alpha', 'pictures of materials'])
    const json = JSON.parse(Buffer.from(files[0].bytes).toString('utf8'))
    expect(json.images).toBeUndefined()
    expect(json.extensionsUsed.sort()).toEqual(['KHR_animation_pointer', 'KHR_materials_unlit', 'KHR_node_visibility'])
    expect(json.materials[0].extensions).toEqual({ KHR_materials_unlit: {} })
    const tri = json.nodes.findIndex((n: { name: string }) => n.name === 'tri')
    expect(json.nodes[tri].extensions).toEqual({ KHR_node_visibility: { visible: false } })
    expect(json.animations.map((a: { name: string }) => a.name)).toEqual(['walk'])
    expect(json.animations[0].channels).toEqual([
      {
        sampler: 0,
        target: {
          path: 'pointer',
          extensions: { KHR_animation_pointer: { pointer: `/nodes/${tri}/extensions/KHR_node_visibility/visible` } },
        },
      },
    ])
    const { files: whole } = await writeGltf(s, { format: 'glb', name: 'x', hidden: true, lods: true, visibility: true })
    expect(await validate(whole[0].bytes)).toEqual([])
  })

  it('writes opacity and colour of materials as they are displayed, and draws what fades as what can be seen through', async () => {
    const target = { kind: 'material' as const, index: 0 }
    const tracks = [
      track('opacity', [0, 10, 20], [1, 0.5, 0], { target }),
      track('color', [0, 2], [1, 0, 0, 0, 0, 1], { target }),
      track('opacity', [0], [0.5]),
    ]
    const s = scene([clip(tracks)])
    s.materials[0].blend = 'opaque'
    s.materials[0].diffuse = [1, 1, 1, 0.5]
    const off = await writeGltf(s, { format: 'gltf', name: 'x' })
    expect(off.left.sort()).toEqual(['color tracks', 'opacity tracks'])
    const plain = JSON.parse(Buffer.from(off.files[0].bytes).toString('utf8'))
    expect([plain.animations, plain.materials[0].alphaMode, plain.extensionsUsed]).toEqual([undefined, undefined, undefined])

    const { files, left } = await writeGltf(s, { format: 'gltf', name: 'x', opacity: true })
    // that of a joint is nobody's material
    expect(left).toEqual(['opacity tracks'])
    const json = JSON.parse(Buffer.from(files[0].bytes).toString('utf8'))
    expect(json.materials[0].alphaMode).toBe('BLEND')
    const [channel] = json.animations[0].channels
    expect(channel.target.extensions.KHR_animation_pointer.pointer).toBe('/materials/0/pbrMetallicRoughness/baseColorFactor')
    const [{ times, values, interpolation }] = materialChannels(s, s.clips[0], { from: 0, to: 20, zero: 0, unitsPerSecond: 10 })
    expect(interpolation).toBe('LINEAR')
    // every frame: half of the way from red to blue is half as bright as displayed, a fifth in linear light
    const at = (frame: number): number[] => [...values.subarray(4 * frame, 4 * frame + 4)].map((v) => Number(v.toFixed(3)))
    expect(times.length).toBe(21)
    expect(at(0)).toEqual([1, 0, 0, 0.5])
    expect(at(1)).toEqual([0.214, 0, 0.214, 0.475])
    expect(at(10)).toEqual([0, 0, 1, 0.25])
    expect(at(20)).toEqual([0, 0, 1, 0])
    const { files: whole } = await writeGltf(s, { format: 'glb', name: 'x', opacity: true })
    expect(await validate(whole[0].bytes)).toEqual([])
  })

  it('has every option another in what is validated of real files', () => {
    for (const [name, value] of Object.entries(EXPORT_DEFAULTS)) expect(ANOTHER[name as ExportOptionName], name).not.toBe(value)
  })

  it('says what was left out on wish', async () => {
    const s = scene([clip([track('rotation', [0], [0, 0, 0, 1])], { events: [{ time: 3, type: 'step', info: '', source }] })])
    s.materials[0].lit = false
    s.materials[0].vertexColors = true
    s.meshes[0].colors = new Float32Array(16).fill(0.5)
    s.helpers.push({
      name: 'box',
      kind: 'box',
      joint: 1,
      center: [1, 2, 3],
      extent: [4, 5, NaN],
      color: [1, 1, 1],
      label: '',
      source,
    })
    const all = await writeGltf(s, { format: 'gltf', name: 'x', colours: undefined, vertices: true })
    expect(all.left).toEqual(['blend modes other than alpha'])
    const json = JSON.parse(Buffer.from(all.files[0].bytes).toString('utf8'))
    expect(Object.keys(json.meshes[0].primitives[0].attributes)).toEqual(
      expect.arrayContaining(['COLOR_0', '_MARROW_VERTEX', 'JOINTS_0', 'WEIGHTS_0']),
    )
    expect(json.nodes[1].extras).toEqual({ marrow: { index: 1, helpers: { box: { kind: 'box', box: [1, 2, 3, 4, 5, 0] } } } })
    expect(json.animations[0].extras.marrow).toMatchObject({ start: 0, end: 20, rate: 10, eventTimes: [3], eventTypes: 'step' })

    const bare = await writeGltf(s, { format: 'gltf', name: 'x', colours: false, unlit: false, extras: false, textures: false })
    expect(bare.left.sort()).toEqual([
      'blend modes other than alpha',
      'boxes, points and other helpers',
      'colours of vertices',
      'events of animations',
      'materials that light does nothing to are lit',
      'pictures of materials',
    ])
    const text = Buffer.from(bare.files[0].bytes).toString('utf8')
    for (const word of ['extras', 'extensions', 'COLOR_0', '_MARROW', 'images']) expect(text).not.toContain(word)

    // light of its own that the game adds, which glTF would multiply in
    s.materials[0].prelit = true
    const prelit = await writeGltf(s, { format: 'gltf', name: 'x' })
    expect(prelit.left).toContain('colours of vertices that the game adds as light')
  })

  const SWITCHES = (Object.keys(EXPORT_DEFAULTS) as ExportOptionName[]).filter((name) => EXPORT_OPTIONS[name].kind === 'flag')
  it.each(SWITCHES)('is valid with %s the other way round', async (name) => {
    const target = { kind: 'material' as const, index: 0 }
    const s = scene([clip([track('opacity', [0, 9], [1, 0], { target }), { ...track('visibility', [0], [0]), interpolation: 'step' }])])
    s.lods = ['low', 'high']
    s.meshes[0].lod = 0
    s.meshes.push({ ...s.meshes[0], name: 'top', lod: 1, colors: new Float32Array(16).fill(0.5) })
    s.materials[0].vertexColors = true
    s.materials[0].lit = false
    s.meshes[1].visible = false
    for (const others of [EXPORT_DEFAULTS, Object.fromEntries(SWITCHES.map((key) => [key, true]))]) {
      const { files } = await writeGltf(s, { ...others, [name]: !EXPORT_DEFAULTS[name], format: 'glb', name: 'x' })
      expect(await validate(files[0].bytes)).toEqual([])
    }
  })

  it('gives each joint and mesh a name of its own', async () => {
    const s = scene()
    s.skeleton.names = ['bone', 'bone']
    s.meshes[0].name = 'bone'
    const { files } = await writeGltf(s, { format: 'glb', name: 'x' })
    const nodes = (await new NodeIO().readBinary(files[0].bytes)).getRoot().listNodes()
    expect(nodes.map((n) => n.getName())).toEqual(['bone', 'bone 2', 'bone 3', 'tri'])
  })

  it('lets the meshes have the skew that no node can', async () => {
    const s = scene()
    // a joint below a turned parent that is not scaled evenly
    s.skeleton.restLocal.set([2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
    s.skeleton.restLocal.set([0.8, 0.6, 0, 0, -0.1, 0.9, 0, 0, 0, 0, 1, 0, 0, 2, 0, 1], 16)
    for (let i = 0; i < 2; i++)
      decompose(
        s.skeleton.restLocal,
        16 * i,
        s.skeleton.restTranslation,
        3 * i,
        s.skeleton.restRotation,
        4 * i,
        s.skeleton.restScale,
        3 * i,
      )
    const { files, left } = await writeGltf(s, { format: 'glb', name: 'x' })
    expect(left.find((what) => what.startsWith('skew of the rest of 1 bone,'))).toBeDefined()
    expect(await validate(files[0].bytes)).toEqual([])
    const root = (await new NodeIO().readBinary(files[0].bytes)).getRoot()
    const tri = root.listNodes().find((n) => n.getName() === 'tri')!
    const written = tri.getMesh()!.listPrimitives()[0].getAttribute('POSITION')!
    const world = createPose(s).world
    for (let v = 0; v < 3; v++) {
      const [out, real] = [new Float32Array(3), new Float32Array(3)]
      const [x, y, z] = written.getElement(v, [0, 0, 0])
      transformPoint(out, 0, tri.getWorldMatrix() as number[], 0, x, y, z)
      const [rx, ry, rz] = s.meshes[1].positions.subarray(3 * v)
      transformPoint(real, 0, world, 16, rx, ry, rz)
      for (let c = 0; c < 3; c++) expect(out[c]).toBeCloseTo(real[c], 5)
    }
  })

  it('writes an empty scene', async () => {
    const { files } = await writeGltf(emptyScene(''), { format: 'glb', name: '' })
    expect(files[0].name).toBe('_.glb')
    expect(await validate(files[0].bytes)).toEqual([])
  })

  it('gives the textures as PNG files with different names', () => {
    const s = scene()
    s.textures.push({ ...s.textures[0], name: 'SKIN.dds' }, { ...s.textures[0], name: 'gone', missing: true, rgba: new Uint8Array(0) })
    expect(writeTextures(s).map((f) => f.name)).toEqual(['skin.png', 'SKIN-2.png'])
  })
})

/** Native time -> value of a channel, as a glTF player would show it (linear, or held). */
function play(channel: ReturnType<typeof jointChannels>[number], seconds: number): number[] {
  const width = channel.path === 'rotation' ? 4 : 3
  const { times, values } = channel
  let k = 0
  while (k + 1 < times.length && times[k + 1] <= seconds) k++
  const at = (i: number): number[] => [...values.subarray(i * width, i * width + width)]
  if (channel.interpolation === 'STEP' || k + 1 === times.length || seconds <= times[0]) return at(k)
  const t = (seconds - times[k]) / (times[k + 1] - times[k])
  const [a, b] = [at(k), at(k + 1)]
  const mixed = a.map((v, i) => v + (b[i] - v) * t)
  const length = Math.hypot(...mixed)
  return width === 4 ? mixed.map((v) => v / length) : mixed
}

describe('what glTF cannot say becomes keys that say the same', () => {
  const expectSame = (s: Scene, c: Clip, at: number[]): void => {
    const channels = jointChannels(s, c, { from: c.start, to: c.end, zero: c.start, unitsPerSecond: c.rate })
    const pose = createPose(s)
    for (const time of at) {
      sampleClip(s, c, time, pose)
      const t = s.skeleton.restTranslation.slice(3, 6),
        r = s.skeleton.restRotation.slice(4, 8),
        k = s.skeleton.restScale.slice(3, 6)
      for (const channel of channels)
        ({ translation: t, rotation: r, scale: k })[channel.path].set(play(channel, Math.fround((time - c.start) / c.rate)))
      const local = new Float32Array(16)
      compose(local, 0, t, 0, r, 0, k, 0)
      for (let i = 0; i < 16; i++) expect(local[i], `${c.name} at ${time}, element ${i}`).toBeCloseTo(pose.local[16 + i], 3)
    }
  }
  const s = scene()

  it('jumps between blended keys', () => {
    expectSame(
      s,
      clip([track('translation', [0, 5, 10, 20], [0, 0, 0, 2, 0, 0, 8, 0, 0, 9, 0, 0], { stepInto: Uint8Array.of(0, 0, 1, 0) })]),
      [0, 2, 5, 6, 9.9, 10, 15, 20],
    )
  })
  it('values relative to the rest pose, with both parts and different keys', () => {
    expectSame(
      s,
      clip([
        track('translation', [0, 20], [0, 0, 0, 4, 0, 0], { mode: 'delta' }),
        track('rotation', [0, 10], [0, 0, 0, 1, 0, 0.1, 0, 0.995], { mode: 'delta' }),
      ]),
      [0, 5, 10, 15, 20],
    )
  })
  it('the rest pose outside of the keys', () => {
    expectSame(s, clip([track('translation', [5, 10], [7, 0, 0, 8, 0, 0], { outside: 'rest' })]), [0, 3, 5, 7, 10, 12, 20])
  })
  it('steps, keys outside of the window, several keys at one time, a clip that does not begin at zero', () => {
    expectSame(
      s,
      clip([track('scale', [-5, 3, 3, 30], [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4], { interpolation: 'step' })]),
      [0, 2, 3, 10, 20],
    )
    expectSame(
      s,
      clip([track('translation', [0, 4, 4, 8, 30], [0, 0, 0, 4, 0, 0, 5, 0, 0, 8, 0, 0, 30, 0, 0])], { start: 4, end: 20 }),
      [4, 6, 8, 14, 20],
    )
  })
  it('times ascend strictly and begin at zero', () => {
    for (const channel of jointChannels(
      s,
      clip([track('translation', [1e6, 1e6 + 1e-3, 1e6 + 2], [0, 0, 0, 1, 1, 1, 2, 2, 2])], { start: 1e6, end: 1e6 + 2, rate: 4800 }),
      { from: 1e6, to: 1e6 + 2, zero: 1e6, unitsPerSecond: 4800 },
    )) {
      expect(channel.times[0]).toBe(0)
      channel.times.forEach((t, i) => i > 0 && expect(t).toBeGreaterThan(channel.times[i - 1]))
    }
  })
})

describe('file names', () => {
  it('are fit for every file system and lead nowhere else', () => {
    expect(['a/b', '..', '', 'CON', 'x. ', '名前', 'a\u0000b', '.hidden'].map(safeName)).toEqual([
      'a_b',
      '_',
      '_',
      '_CON',
      'x',
      '名前',
      'a_b',
      'hidden',
    ])
    // what an address in a glTF would read as something else, and what is no text at all
    for (const name of ['%s', '100%', '%2e%2e%2fx', 'a#b', '\ud800x', `${'y'.repeat(119)}\u{1f600}`])
      expect(decodeURIComponent(safeName(name)), name).toBe(decodeURIComponent(encodeURIComponent(safeName(name))))
    expect(safeName('%2e%2e%2fx')).toBe('_2e_2e_2fx')
    expect(fileNames(['a', 'A', 'b'], 'png')).toEqual(['a.png', 'A-2.png', 'b.png'])
  })
})

/** MARROW_WHOLE_CORPUS=1: every model, as it is by default, with every option another, and as other programs are told to have it. */
const whole = process.env.MARROW_WHOLE_CORPUS !== undefined
const ANOTHER: ExportSettings = {
  sampling: '24',
  textures: false,
  colours: false,
  unlit: false,
  extras: false,
  hidden: true,
  lods: true,
  visibility: true,
  opacity: true,
  vertices: true,
  rootBone: true,
  scale: 2.5,
}
/** What adds to a file, all at once. */
const FULL: ExportSettings = { ...ANOTHER, textures: true, colours: true, unlit: true, extras: true, sampling: 'keys' }
const VARIANTS = { default: EXPORT_DEFAULTS, another: ANOTHER, full: FULL, unreal: EXPORT_PRESETS.unreal }

for (const folder of ['level5', 'w3d', 'renderware', 'lostsaga']) {
  describeCorpus(folder, () => {
    it('models export to glTF that the validator accepts', { timeout: whole ? 3_600_000 : 240_000 }, async () => {
      const store = new FileStore()
      const around = MemoryNeighbourhood.of(store, `${corpusRoot}/${folder}`)
      const bindings = around
        .allFolders()
        .flatMap((f) => store.registry.families.flatMap((family) => family.bind(f, around).map((binding) => ({ family, binding }))))
      // one of each folder: the suite must stay quick
      const picked = bindings.filter(
        ({ binding }, i) => whole || bindings.findIndex((b) => dirname(b.binding.primary) === dirname(binding.primary)) === i,
      )
      expect(picked.length).toBeGreaterThan(0)
      const counts = { files: 0, errors: 0, warnings: 0 }
      const faults: string[] = []
      const written = new Set<string>()
      for (const { family, binding } of picked) {
        const { scene: assembled } = family.assemble(
          binding,
          (ref) => {
            try {
              return openDocument(store, ref).document
            } catch {
              return undefined
            }
          },
          {},
        )
        // hundreds of clips that several models share are written with the first of them
        if (assembled.slices.length === 0)
          assembled.clips = assembled.clips.filter(({ source }) => {
            const key = `${source.ref}#${source.path}`
            return !written.has(key) && written.add(key)
          })
        for (const [variant, options] of Object.entries(VARIANTS)) {
          if (!whole && variant !== 'default') continue
          const { files } = await writeGltf(assembled, { ...options, format: 'glb', name: binding.name })
          const { issues } = await validateBytes(files[0].bytes, { maxIssues: 50 })
          counts.files++
          counts.errors += issues.numErrors
          counts.warnings += issues.numWarnings
          const bad = issues.messages.filter(({ severity }) => severity <= 1).map(({ code, pointer }) => `${code} ${pointer}`)
          if (bad.length > 0) faults.push(`${binding.primary.slice(corpusRoot.length)}, ${variant}: ${bad.join('; ')}`)
        }
      }
      store.close()
      if (whole)
        process.stdout.write(
          `${folder}: ${picked.length} models, ${counts.files} files, ${counts.errors} errors and ${counts.warnings} warnings\n`,
        )
      expect(faults).toEqual([])
      expect(counts).toEqual({ files: picked.length * (whole ? Object.keys(VARIANTS).length : 1), errors: 0, warnings: 0 })
    })
  })
}
