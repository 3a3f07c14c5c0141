import { describe, expect, it } from 'vitest'
import { devScene } from '../../../src/renderer/dev/figure.ts'
import { box, quad } from '../../../src/renderer/dev/shapes.ts'
import { FlatData } from '../../../src/renderer/viewport/flat-batch.ts'
import { fillTrail, ghostMoments, trailOf } from '../../../src/renderer/viewport/ghosts.ts'
import { weightsOf, rampNumbers, RAMP } from '../../../src/renderer/viewport/heat.ts'
import { place } from '../../../src/renderer/viewport/helpers.ts'
import { shownInLod } from '../../../src/renderer/viewport/lods.ts'
import { defaultOrbit, frameBounds, projector, viewer, VIEWS } from '../../../src/renderer/viewport/orbit.ts'
import { pickSurface } from '../../../src/renderer/viewport/picking.ts'
import { PosedModel } from '../../../src/renderer/viewport/posed-model.ts'
import { sameBytes, sameMake } from '../../../src/renderer/viewport/same-make.ts'
import { drawLevel, surfaceOf } from '../../../src/renderer/viewport/surface.ts'
import { checker } from '../../../src/renderer/viewport/textures.ts'
import { upright } from '../../../src/renderer/viewport/thumbnail.ts'
import { createPose, sampleClip } from '../../../src/shared/scene/pose.ts'
import { skinMesh } from '../../../src/shared/scene/skinning.ts'
import { emptyScene, plainMaterial } from '../../../src/shared/scene/types.ts'
import type { BlendMode, Scene, Track } from '../../../src/shared/scene/types.ts'

const source = { ref: 'test', path: '' }
const camera = viewer({ ...defaultOrbit(), yaw: 0.7, pitch: 0.4 })

function track(target: Track['target'], property: Track['property'], values: number[], more: Partial<Track> = {}): Track {
  return {
    target,
    property,
    interpolation: 'step',
    mode: 'absolute',
    times: Float32Array.of(0),
    values: Float32Array.from(values),
    label: '',
    source,
    ...more,
  }
}

function withTracks(scene: Scene, ...tracks: Track[]): Scene {
  scene.clips = [
    { name: 'c', tracks, start: 0, end: 10, rate: 30, unit: 'frame', loop: 'none', fit: { matched: 0, total: 0 }, events: [], source },
  ]
  return scene
}

describe('PosedModel', () => {
  it('rests where the bind is', () => {
    const scene = devScene()
    const model = new PosedModel(scene)
    model.update(-1, 0)
    const source = scene.meshes[0].positions
    model.meshes[0].positions.forEach((x, i) => expect(Math.abs(x - source[i])).toBeLessThan(1e-5))
  })

  it('keeps its pose while the tracks of the next clip are on their way', () => {
    const scene = devScene()
    scene.clips = [...scene.clips, { ...scene.clips[0], tracks: [], away: true }]
    const model = new PosedModel(scene)
    model.update(1, 7)
    const rest = model.pose.world.slice()
    model.update(0, 7)
    const posed = model.pose.world.slice()
    expect(posed).not.toEqual(rest)
    model.update(1, 3)
    expect(model.pose.world).toEqual(posed)
  })

  it('skins as the shared maths does and leaves the scene untouched', () => {
    const scene = devScene()
    const before = scene.meshes[0].positions.slice()
    const model = new PosedModel(scene)
    model.update(0, 7)
    const pose = createPose(scene)
    sampleClip(scene, scene.clips[0], 7, pose)
    const expected = new Float32Array(before.length)
    skinMesh(scene.meshes[0], scene.skins[0], pose, expected, new Float32Array(0), new Float32Array(16 * scene.skins[0].joints.length))
    expect(model.meshes[0].positions).toEqual(expected)
    expect(model.meshes[0].positions).not.toEqual(before)
    expect(scene.meshes[0].positions).toEqual(before)
  })

  it('carries unweighted vertices of a skin with the owner of the mesh', () => {
    const scene = devScene()
    const head = scene.skeleton.names.indexOf('head')
    scene.skins[0] = { ...scene.skins[0], offsets: new Uint32Array(scene.skins[0].offsets.length) }
    scene.meshes[0].joint = head
    withTracks(scene, track({ kind: 'joint', index: 0 }, 'translation', [0, 3, 0]))
    const model = new PosedModel(scene)
    model.update(0, 0)
    expect(model.meshes[0].positions[1]).toBeCloseTo(scene.meshes[0].positions[1] + 3, 4)
  })

  it('hides the meshes of a hidden joint, and a mesh that is hidden itself', () => {
    const scene = devScene()
    const glow = scene.skeleton.names.indexOf('glow')
    withTracks(scene, track({ kind: 'joint', index: glow }, 'visibility', [0]), track({ kind: 'mesh', index: 1 }, 'visibility', [0]))
    const model = new PosedModel(scene)
    model.update(0, 0)
    expect(
      scene.meshes
        .map((m, i) => [m.name, model.meshes[i].visible])
        .filter(([, on]) => !on)
        .map(([name]) => name),
    ).toEqual(['blade', 'glow'])
    model.update(-1, 0)
    expect(model.meshes.every((m) => m.visible)).toBe(true)
  })

  it('moves animated vertices by their native number, split ones together, and puts them back', () => {
    const scene = devScene()
    const m = scene.meshes[3]
    m.nativeVertex = Uint32Array.of(0, 1, 1, 2)
    m.nativeVertexCount = 3
    withTracks(
      scene,
      track({ kind: 'mesh', index: 3 }, 'vertex', [7, 8, 9], { vertex: 1 }),
      track({ kind: 'mesh', index: 3 }, 'vertex', [1, 1, 1], { vertex: 99 }),
    )
    const model = new PosedModel(scene)
    model.update(0, 0)
    const p = model.meshes[3].positions
    expect([...p.subarray(3, 9)]).toEqual([7, 8, 9, 7, 8, 9])
    expect(p[0]).toBe(m.positions[0])
    model.update(-1, 0)
    expect(model.meshes[3].positions).toEqual(m.positions)
  })

  it('turns billboards to the viewer: +Z of the mesh looks at the camera, place and size stay', () => {
    const scene = devScene()
    const i = scene.meshes.findIndex((m) => m.name === 'glow')
    const model = new PosedModel(scene)
    expect(model.facesViewer).toBe(true)
    model.update(-1, 0)
    const still = model.meshes[i].world.slice()
    model.update(-1, 0, camera)
    const w = model.meshes[i].world
    for (let c = 0; c < 3; c++) {
      expect(w[8 + c]).toBeCloseTo(camera.back[c], 5)
      expect(w[12 + c]).toBe(still[12 + c])
    }
    scene.meshes[i].billboard = 'y'
    model.update(-1, 0, camera)
    expect([...w.subarray(4, 7)]).toEqual([0, 1, 0])
    expect(w[9]).toBe(0)
    expect(w[8] * camera.back[0] + w[10] * camera.back[2]).toBeGreaterThan(0)
    expect(new PosedModel(emptyScene('x')).facesViewer).toBe(false)
  })

  it('turns meshes to the place of the viewer, not against its gaze', () => {
    const scene = devScene()
    const i = scene.meshes.findIndex((m) => m.name === 'glow')
    scene.meshes[i].billboard = 'eye'
    const model = new PosedModel(scene)
    const w = model.meshes[i].world
    model.update(-1, 0)
    const at = [w[12], w[13], w[14]]
    const size = Math.hypot(w[8], w[9], w[10])
    const to = [3, -4, 12]
    // 3, -4, 12 is 13 long
    model.update(-1, 0, { ...camera, eye: [at[0] + to[0], at[1] + to[1], at[2] + to[2]] })
    for (let c = 0; c < 3; c++) expect(w[8 + c]).toBeCloseTo((size * to[c]) / 13, 5)
    expect(w[1]).toBe(0)
    expect(w[5]).toBeGreaterThan(0)
    expect(w[0] * w[4] + w[1] * w[5] + w[2] * w[6]).toBeCloseTo(0, 5)
    // straight above it the viewer's own directions hold
    model.update(-1, 0, { ...camera, eye: [at[0], at[1] + 5, at[2]] })
    for (let c = 0; c < 3; c++) expect(w[8 + c]).toBeCloseTo(size * camera.back[c], 5)
  })

  it('turns billboard joints and what hangs on them', () => {
    const scene = devScene()
    const arm = scene.skeleton.names.indexOf('arm.R'),
      hand = scene.skeleton.names.indexOf('hand.R')
    scene.skeleton.billboards = scene.skeleton.names.map((_, j) => (j === arm ? 'full' : 'none'))
    const model = new PosedModel(scene)
    const length = (j: number): number =>
      Math.hypot(...[12, 13, 14].map((c) => model.pose.world[16 * j + c] - model.pose.world[16 * arm + c]))
    const before = length(hand)
    model.update(-1, 0, camera)
    for (let c = 0; c < 3; c++) expect(model.pose.world[16 * arm + 8 + c]).toBeCloseTo(camera.back[c], 5)
    expect(length(hand)).toBeCloseTo(before, 5)
    expect(model.pose.world[16 * hand + 8]).toBeCloseTo(camera.back[0], 5)
  })

  it('bounds what is shown, broken vertices aside, and the joints where there is no mesh', () => {
    const scene = devScene()
    scene.meshes[0].positions[30] = NaN
    scene.meshes[0].positions[61] = 1e9
    const model = new PosedModel(scene)
    model.update(-1, 0)
    const b = model.bounds()!
    expect(b.max[1]).toBeGreaterThan(1.6)
    expect(b.max[1]).toBeLessThan(2.2)
    expect(model.bounds((i) => scene.meshes[i].name === 'crate')!.min[0]).toBeCloseTo(0.55)
    scene.meshes = []
    expect(new PosedModel(scene).bounds()!.max[1]).toBeGreaterThan(1.2)
    expect(new PosedModel(emptyScene('x')).bounds()).toBeNull()
  })

  it('takes meshes whose joint or skin is not there', () => {
    const scene = emptyScene('x')
    scene.meshes.push(box('b', 5, [0, 0, 0], [1, 1, 1], 3), { ...quad('q', -1, [0, 0, 0], 1, -1), skin: 9 })
    const model = new PosedModel(scene)
    model.update(3, 1, camera)
    expect(model.bounds()!.max).toEqual([1, 1, 1])
  })
})

describe('pickSurface', () => {
  const scene = devScene()
  const model = new PosedModel(scene)
  const crate = scene.meshes.findIndex((m) => m.name === 'crate')

  it('hits what is in front, names the nearest vertex and the material', () => {
    model.update(-1, 0)
    const orbit = { ...defaultOrbit(), ...VIEWS.front }
    Object.assign(orbit, frameBounds(orbit, model.bounds()!, 4 / 3))
    const view = projector(orbit, 800, 600)
    const target = [0.93, 0.38, 0.1],
      out = [0, 0, 0]
    view.project(target[0], target[1], target[2], out)
    const { origin, direction } = view.ray(out[0], out[1])
    const hit = pickSurface(model, () => true, origin, direction)!
    expect(scene.meshes[hit.mesh].name).toBe('crate')
    expect(scene.materials[hit.material].name).toBe('lost')
    const p = scene.meshes[crate].positions
    expect([...p.subarray(3 * hit.vertex, 3 * hit.vertex + 3)].map((x) => Math.round(x * 100) / 100)).toEqual([0.95, 0.4, 0.1])
    expect(hit.point[2]).toBeCloseTo(0.1, 4)
    expect(pickSurface(model, (i) => i !== crate, origin, direction)).toBeNull()
  })

  it('follows the pose, and sees no hidden mesh', () => {
    const other = devScene()
    withTracks(other, track({ kind: 'joint', index: 0 }, 'translation', [10, 0, 0]))
    const moved = new PosedModel(other)
    moved.update(0, 0)
    expect(pickSurface(moved, () => true, [0, 1.1, 5], [0, 0, -1])).toBeNull()
    expect(pickSurface(moved, () => true, [10, 1.1, 5], [0, 0, -1])!.mesh).toBe(0)
  })

  it('passes over triangles that are broken', () => {
    const broken = emptyScene('x')
    broken.meshes.push(quad('q', -1, [0, 0, 0], 1, -1), quad('q', -1, [0, 0, -1], 1, -1))
    broken.meshes[0].positions.fill(NaN)
    expect(pickSurface(new PosedModel(broken), () => true, [0.1, 0.2, 5], [0, 0, -1])!.mesh).toBe(1)
  })
})

describe('materials', () => {
  const mesh = quad('q', -1, [0, 0, 0], 1, -1)
  const none = (): boolean => false,
    all = (i: number): boolean => i >= 0

  it('map every blend mode to a state of its own', () => {
    const states = (['opaque', 'alpha', 'additive', 'subtractive', 'multiply', 'screen'] as BlendMode[]).map((blend) =>
      surfaceOf({ ...plainMaterial('m', source), blend }, mesh, none),
    )
    expect(states.map((s) => s.transparent)).toEqual([false, true, true, true, true, true])
    expect(states.map((s) => s.reverseSubtract)).toEqual([false, false, false, true, false, false])
    expect(new Set(states.map((s) => s.defines[0])).size).toBe(6)
  })

  it('ask only for what the mesh has', () => {
    const m = {
      ...plainMaterial('m', source),
      texture: 0,
      vertexColors: true,
      uvSet: 3,
      layers: [
        { texture: 1, uvSet: 1, blend: 'multiply' as const },
        { texture: -1, uvSet: 0, blend: 'alpha' as const },
      ],
    }
    const s = surfaceOf(m, mesh, all)
    expect(s.attributes).toEqual(['position', 'normal', 'uv'])
    expect(s.defines).toContain('BASE_UV uv')
    expect(s.defines).toContain('LAYER0 4')
    expect(s.defines.some((d) => d.startsWith('LAYER1'))).toBe(false)
    const two = surfaceOf(m, { ...mesh, uvs: [mesh.uvs[0], mesh.uvs[0]], colors: new Float32Array(16), normals: new Float32Array(0) }, all)
    expect(two.attributes).toEqual(['position', 'color', 'uv', 'uv2'])
    const bare = surfaceOf(m, { ...mesh, uvs: [] }, all)
    expect(bare.defines).toContain('BASE_UV vec2(0.0)')
    expect(surfaceOf({ ...m, environment: true }, mesh, all).defines).toContain('ENVIRONMENT')
    // colours that are light need lamps to be added to
    const coloured = { ...mesh, colors: new Float32Array(16) }
    expect(surfaceOf({ ...m, prelit: true }, coloured, all).defines).toContain('PRELIT')
    for (const s of [
      surfaceOf(m, coloured, all),
      surfaceOf({ ...m, prelit: true, lit: false }, coloured, all),
      surfaceOf({ ...m, prelit: true }, mesh, all),
    ])
      expect(s.defines).not.toContain('PRELIT')
  })

  it('follow depth flags', () => {
    const on = surfaceOf(plainMaterial('m', source), mesh, none)
    const off = surfaceOf({ ...plainMaterial('m', source), depthTest: false, depthWrite: false, doubleSided: true }, mesh, none)
    expect([on.depthWrite, on.cull, off.depthWrite, off.cull]).toEqual([true, true, false, false])
    expect(on.depthFunction).not.toBe(off.depthFunction)
  })

  it('draw sorted levels first, the highest number before all, light after matter', () => {
    const alpha = { blend: 'alpha' as const, depthTest: true },
      light = { blend: 'additive' as const, depthTest: true }
    const order = [drawLevel(20, alpha), drawLevel(3, alpha), drawLevel(3, light), drawLevel(0, alpha), drawLevel(undefined, light)]
    expect([...order].sort((a, b) => a - b)).toEqual(order)
  })

  it('show the wanted level of detail, the highest by default', () => {
    const scene = { ...emptyScene('x'), lods: ['low', 'mid', 'high'] }
    expect([0, 1, 2, -1].map((lod) => shownInLod(scene, lod, -1))).toEqual([false, false, true, true])
    expect([0, 1, 2, -1].map((lod) => shownInLod(scene, lod, 0))).toEqual([true, false, false, true])
    expect(shownInLod(scene, 2, 17)).toBe(true)
    expect(shownInLod(emptyScene('x'), 4, -1)).toBe(true)
  })

  it('stand in for a missing picture with a checker of two colours', () => {
    const c = checker()
    expect(c.length).toBe(64 * 64 * 4)
    expect(new Set(Array.from({ length: 64 * 64 }, (_, i) => c.subarray(4 * i, 4 * i + 4).join())).size).toBe(2)
  })
})

describe('sameMake', () => {
  it('holds for a copy, and for edits of bones, clips, weights and vertices', () => {
    const a = devScene(),
      b = structuredClone(a)
    b.skeleton.restLocal[12] = 5
    b.clips = []
    b.skins[0].weights.fill(0.5)
    b.meshes[0].positions[0] = 9
    b.meshes[0].visible = false
    expect(sameMake(a, b)).toBe(true)
  })
  it('fails for anything that is on the graphics card', () => {
    const edits: ((s: Scene) => void)[] = [
      (s) => s.meshes.pop(),
      (s) => (s.meshes[0].indices[7] ^= 1),
      (s) => (s.meshes[0].uvs[0][3] += 0.1),
      (s) => (s.meshes[2].groups[0].material = 0),
      (s) => (s.meshes[0].skin = -1),
      (s) => (s.materials[1].blend = 'alpha'),
      (s) => (s.textures[0].rgba[s.textures[0].rgba.length - 1] ^= 1),
      (s) => (s.textures[3].missing = false),
      (s) => s.lods.push('x'),
    ]
    for (const edit of edits) {
      const b = devScene()
      edit(b)
      expect(sameMake(devScene(), b), String(edit)).toBe(false)
    }
  })
  it('compares bytes at any offset and length', () => {
    const bytes = Uint8Array.from({ length: 23 }, (_, i) => i)
    for (const [start, end] of [
      [0, 23],
      [1, 22],
      [4, 11],
      [5, 5],
    ]) {
      const a = bytes.subarray(start, end),
        b = bytes.slice(start, end)
      expect(sameBytes(a, b)).toBe(true)
      if (b.length) b[b.length - 1] ^= 1
      expect(sameBytes(a, b)).toBe(b.length === 0)
    }
  })
})

describe('weights', () => {
  const scene = devScene()
  it('are those of the skin, summed over repeated influences', () => {
    const out = new Float32Array(scene.meshes[0].positions.length / 3)
    const total = new Float32Array(out.length)
    for (let j = 0; j < scene.skeleton.count; j++) {
      weightsOf(scene.meshes[0], scene.skins[0], j, out)
      out.forEach((w, v) => (total[v] += w))
    }
    total.forEach((w) => expect(w).toBeCloseTo(1, 5))
  })
  it('give a rigid mesh and an unweighted vertex to the owner', () => {
    const out = new Float32Array(4)
    const q = quad('q', 3, [0, 0, 0], 1, -1)
    weightsOf(q, null, 3, out)
    expect([...out]).toEqual([1, 1, 1, 1])
    weightsOf(q, null, 2, out)
    expect([...out]).toEqual([0, 0, 0, 0])
    const skin = {
      ...scene.skins[0],
      joints: Uint32Array.of(2, 5),
      offsets: Uint32Array.of(0, 2, 2, 3, 4),
      slots: Uint16Array.of(0, 0, 1, 0),
      weights: Float32Array.of(0.25, 0.5, 1, 1),
    }
    weightsOf(q, skin, 2, out)
    expect([...out]).toEqual([0.75, 0, 0, 1])
    weightsOf(q, skin, 3, out)
    expect([...out]).toEqual([0, 1, 0, 0])
  })
  it('are shown in colours that grow lighter', () => {
    const n = rampNumbers()
    expect(n.length).toBe(3 * RAMP.length)
    const light = RAMP.map((_, i) => 0.2126 * n[3 * i] + 0.7152 * n[3 * i + 1] + 0.0722 * n[3 * i + 2])
    expect([...light].sort((a, b) => a - b)).toEqual(light)
  })
})

describe('helpers', () => {
  it('stand in the space of their joint', () => {
    const scene = devScene()
    const model = new PosedModel(scene)
    model.update(-1, 0)
    const hand = scene.skeleton.names.indexOf('hand.R')
    const h = { ...scene.helpers[0], joint: hand, center: [0, 0, 1] as [number, number, number] }
    const p = place(h, model.pose.world)
    expect(p[2]).toBeCloseTo(model.pose.world[16 * hand + 14] + 1, 5)
    expect(place({ ...h, joint: -1 }, model.pose.world, 1, 2, 3)).toEqual([1, 2, 4])
    expect(place({ ...h, joint: 999 }, model.pose.world)).toEqual([0, 0, 1])
  })
})

describe('onion skin and trail', () => {
  it('show moments within the clip, the nearest strongest and last', () => {
    expect(ghostMoments({ before: 2, after: 2, step: 3 }, 4, 0, 8)).toEqual([
      { time: 1, strength: 1, past: true },
      { time: 7, strength: 1, past: false },
    ])
    const list = ghostMoments({ before: 3, after: 1, step: 1 }, 10, 0, 30)
    expect(list.map((m) => m.time)).toEqual([7, 8, 9, 11])
    expect(list[0].strength).toBeLessThan(list[2].strength)
    expect(ghostMoments({ before: 1e9, after: 0, step: 1 }, 50, 0, 100)).toHaveLength(8)
  })
  it('follow the joint through the clip, with its own keys', () => {
    const scene = devScene()
    const foot = scene.skeleton.names.indexOf('foot.L'),
      shin = scene.skeleton.names.indexOf('shin.L')
    const way = trailOf(scene, 0, foot)
    const pose = createPose(scene)
    sampleClip(scene, scene.clips[0], 15, pose)
    const middle = way.points.length / 8 - 0.5
    expect(way.points[4 * middle + 3]).toBe(15)
    expect(way.points[4 * middle + 1]).toBeCloseTo(pose.world[16 * foot + 13], 5)
    expect(way.keys).toEqual([])
    expect(trailOf(scene, 0, shin).keys).toEqual([0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30])
    const data = new FlatData()
    fillTrail(data, trailOf(scene, 0, shin), 12, 0.01)
    for (let i = 0; i < 3 * data.vertexCount; i++) expect(Number.isFinite(data.positions[i])).toBe(true)
    scene.clips[0].end = 0
    fillTrail(data, trailOf(scene, 0, shin), 0, 0.01)
  })
  it('hold a joint where a tool has put it, over the clip', () => {
    const scene = devScene()
    const model = new PosedModel(scene)
    const arm = scene.skeleton.names.indexOf('arm.L')
    model.held = { joint: arm, translation: [0, 1, 0], rotation: [0, 0, 0, 1] }
    model.update(0, 7)
    expect([...model.pose.local.subarray(16 * arm + 12, 16 * arm + 15)]).toEqual([0, 1, 0])
    model.held = { joint: 999, translation: [0, 1, 0], rotation: [0, 0, 0, 1] }
    model.update(0, 7)
    expect(model.pose.local[16 * arm + 13]).toBeCloseTo(0)
  })
})

describe('thumbnails', () => {
  it('turn the rows and undo the premultiplication', () => {
    const raw = Uint8Array.of(10, 20, 30, 255, 0, 0, 0, 0, 64, 32, 0, 128, 100, 0, 0, 0)
    const out = upright(raw, 2)
    expect([...out.subarray(8, 12)]).toEqual([10, 20, 30, 255])
    expect([...out.subarray(12)]).toEqual([0, 0, 0, 0])
    expect([...out.subarray(0, 4)]).toEqual([128, 64, 0, 128])
    expect([...out.subarray(4, 8)]).toEqual([255, 0, 0, 100])
  })
})
