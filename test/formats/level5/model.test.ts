import { describe, expect, it } from 'vitest'
import { assemble } from '../../../src/main/formats/level5/scene/assemble.ts'
import { nodeAttributes } from '../../../src/main/formats/level5/codecs/attributes.ts'
import { rotationFromScene, rotationToScene, vectorFromScene, vectorToScene } from '../../../src/main/formats/level5/scene/basis.ts'
import { level5 } from '../../../src/main/formats/level5/family.ts'
import { updateOrder } from '../../../src/main/formats/level5/codecs/order.ts'
import { compose, multiply } from '../../../src/shared/scene/matrix.ts'
import { createPose, poseRest, sampleClip, updateWorld } from '../../../src/shared/scene/pose.ts'
import { skinMesh } from '../../../src/shared/scene/skinning.ts'
import {
  bbpBytes,
  identity,
  imgBytes,
  mdsBytes,
  mdtBytes,
  motTracks,
  nodes,
  tim2Bytes,
  trackListBytes,
  translation,
} from '../../fixtures/level5/bytes.ts'
import { dc1Text, dc2Text, latin } from '../../fixtures/level5/text.ts'
import { openFolder } from '../../fixtures/level5/folder.ts'
import { junk } from '../../support/hostile.ts'
import type { Scene } from '../../../src/shared/scene/types.ts'

/** A quad whose four corners are vertices 0..3, two triangles, front to +z. */
const quad = mdtBytes({
  primitives: [{ type: 3, corners: 6, material: 0, indices: [0, 0, 0, 1, 0, 1, 2, 0, 2, 0, 0, 0, 2, 0, 2, 3, 0, 3] }],
  texture: 'SKIN',
  diffuse: [0.5, 0.5, 0.5, 1],
})
const turned = new Float32Array(16)
compose(turned, 0, [0, 5, 0], 0, [0, 0, Math.SQRT1_2, Math.SQRT1_2], 0, [1, 1, 1], 0)

/** root, owner of a skinned quad at height 10, bone above it. The pose of the MDS is not the bind pose: its arm is turned. */
const posed = [
  { name: 'root', parent: -1, matrix: identity },
  { name: 'body', parent: 0, matrix: translation(0, 10, 0), mdt: quad },
  { name: 'arm', parent: 1, matrix: Array.from(turned) },
  { name: 'hand', parent: 2, matrix: translation(0, 2, 0) },
]
/** Straight bind pose, local and in model space. */
const bindLocal = [identity, translation(0, 10, 0), translation(0, 5, 0), translation(0, 2, 0)]
const bindWorld = [identity, translation(0, 10, 0), translation(0, 15, 0), translation(0, 17, 0)]
const weights = trackListBytes([
  { node: 1, target: 0, type: 20, keys: [] },
  {
    node: 1,
    target: 1,
    type: 20,
    keys: [
      [0, 100],
      [1, 50],
    ],
  },
  {
    node: 1,
    target: 2,
    type: 20,
    keys: [
      [1, 50],
      [2, 200],
    ],
  },
])

const hero = {
  'hero.mds': mdsBytes(posed),
  'hero.wgt': weights,
  'hero.bbp': bbpBytes(bindLocal),
  'info.cfg': latin(dc1Text),
  'hero.mot': trackListBytes([
    {
      node: 2,
      type: 0,
      keys: [
        [1, 1, 0, 0, 0],
        [40, 1, 0, 0, 0],
      ],
    },
  ]),
  'skin.img': imgBytes('IM2', [['skin', tim2Bytes({ imageType: 3, image: new Uint8Array(1024).fill(0x80) })]]),
}

function skinned(scene: Scene, pose = createPose(scene)): number[][] {
  const mesh = scene.meshes[0]
  const out = new Float32Array(mesh.positions.length)
  const skin = scene.skins[mesh.skin]
  skinMesh(mesh, skin, pose, out, new Float32Array(0), new Float32Array(16 * skin.joints.length))
  const rows: number[][] = []
  mesh.nativeVertex.forEach(
    (native, v) => (rows[native] = Array.from(out.subarray(3 * v, 3 * v + 3), (x) => Math.round(x * 1000) / 1000 + 0)),
  )
  return rows
}

describe('skinning', () => {
  const bound = [
    [0, 10, 0],
    [1, 10, 0],
    [1, 11, 0],
    [0, 11, 0],
  ]

  it.each([
    ['DC1 local', bbpBytes(bindLocal)],
    ['DC2 model space', bbpBytes(bindWorld)],
    ['DC1 with zero entries', bbpBytes([new Array<number>(16).fill(0), bindLocal[1], bindLocal[2], new Array<number>(16).fill(0)])],
  ])('places the mesh where it was bound when the bones are where they were bound: %s', (_, bbp) => {
    const { scene, options } = openFolder({ ...hero, 'hero.bbp': bbp }).assemble()
    expect(options.find((o) => o.key === 'level5.bbp')?.value).toBe('auto')
    const pose = createPose(scene)
    bindWorld.forEach((m, i) => pose.world.set(m, 16 * i))
    expect(skinned(scene, pose)).toEqual(bound)
    expect(Array.from(scene.meshes[0].positions.subarray(0, 3))).toEqual([0, 10, 0])
  })

  it('deforms it in the pose of the MDS, which is another', () => {
    const { scene } = openFolder(hero).assemble()
    // vertex 2 hangs on the arm alone: (1, 11) is (1, -4) from the arm at bind; a quarter turn makes that (4, 1), from (0, 15)
    // vertex 1 is halfway between the body (1, 10) and the arm's (5, 1) -> (5, 16)
    expect(skinned(scene)).toEqual([
      [0, 10, 0],
      [3, 13, 0],
      [4, 16, 0],
      [0, 11, 0],
    ])
  })

  it('takes the MDS as bind pose without a BBP: the rest pose shows the mesh as it is', () => {
    for (const bbp of [undefined, bbpBytes(bindLocal.map(() => new Array<number>(16).fill(0)))]) {
      const files: Record<string, Uint8Array> = { ...hero }
      delete files['hero.bbp']
      if (bbp) files['hero.bbp'] = bbp
      expect(skinned(openFolder(files).assemble().scene)).toEqual(bound)
    }
  })

  it('follows a choice over what it found', () => {
    const { scene, options } = openFolder({ ...hero, 'hero.bbp': bbpBytes(bindWorld) }).assemble({ 'level5.bbp': 'local' })
    expect(options.find((o) => o.key === 'level5.bbp')).toMatchObject({ value: 'local', reason: 'chosen' })
    expect(skinned(scene)).not.toEqual(bound)
  })

  it('normalises weights for display, lets unlisted vertices ride on the owner, reports what does not fit', () => {
    const { scene } = openFolder(hero).assemble()
    const { skins, meshes } = scene
    const rows = (native: number): [number, number][] => {
      const v = meshes[0].nativeVertex.indexOf(native)
      const out: [number, number][] = []
      for (let i = skins[0].offsets[v]; i < skins[0].offsets[v + 1]; i++)
        out.push([skins[0].joints[skins[0].slots[i]], skins[0].weights[i]])
      return out
    }
    expect([rows(0), rows(1), rows(2), rows(3)]).toEqual([
      [[1, 1]],
      [
        [1, 0.5],
        [2, 0.5],
      ],
      [[2, 1]],
      [[1, 1]],
    ])
    const bad = trackListBytes([
      { node: 1, target: 9, type: 20, keys: [[0, 100]] },
      {
        node: 1,
        target: 1,
        type: 20,
        keys: [
          [77, 100],
          [1, Number.NaN],
          [0, -5],
        ],
      },
      { node: 0, target: 1, type: 20, keys: [[0, 100]] },
      { node: 55, target: 1, type: 20, keys: [[0, 100]] },
    ])
    const odd = openFolder({ ...hero, 'hero.wgt': bad }).assemble()
    expect(odd.diagnostics.map((d) => d.code)).toEqual(
      expect.arrayContaining(['level5.skin-bone', 'level5.skin-vertex', 'level5.skin-owner', 'level5.skin-owner']),
    )
    expect(skinned(odd.scene).flat().every(Number.isFinite)).toBe(true)
    const short = openFolder({ ...hero, 'hero.bbp': bbpBytes(bindWorld.slice(0, 2), 5) }).assemble()
    expect(short.diagnostics.map((d) => d.code)).toContain('level5.bbp-nodes')
  })
})

describe('clips', () => {
  const files = {
    'hero.mds': mdsBytes(nodes),
    'hero.mot': trackListBytes(motTracks),
    'hero.cfg': latin(dc2Text),
    'skin.img': hero['skin.img'],
  }

  it('turns every type into what it drives', () => {
    const { scene } = openFolder(files).assemble()
    expect(scene.clips[0]).toMatchObject({ name: 'hero', start: 1, end: 40, rate: 60, loop: 'wrap', fit: { matched: 12, total: 12 } })
    expect(scene.clips[0].tracks.map((t) => [t.property, t.interpolation, t.target.kind, t.target.index, t.times.length])).toEqual([
      ['translation', 'linear', 'joint', 0, 3],
      ['rotation', 'slerp', 'joint', 1, 3],
      ['scale', 'linear', 'joint', 1, 2],
      ['opacity', 'linear', 'material', 0, 3],
      ['color', 'linear', 'material', 0, 2],
      ['vertex', 'linear', 'mesh', 0, 2],
      ['visibility', 'step', 'joint', 0, 3],
      ['visibility', 'step', 'mesh', 1, 2],
      ['camera', 'linear', 'joint', 3, 1],
      ['camera', 'linear', 'joint', 3, 0],
      ['unknown', 'step', 'joint', 3, 2],
      ['rotation', 'slerp', 'joint', 2, 1],
    ])
    expect(scene.clips[0].tracks[5].vertex).toBe(1)
    expect(Array.from(scene.clips[0].tracks[3].values)).toEqual([0, 0.75, 0])
  })

  it('plays them as the game does', () => {
    const { scene } = openFolder(files).assemble()
    const pose = createPose(scene)
    sampleClip(scene, scene.clips[0], 20, pose)
    // stored (w, x, y, z) = (cos 45, 0, sin 45, 0), conjugated: the x axis turns towards +z by a quarter
    expect(Array.from(pose.local.subarray(16, 19), (v) => Math.round(v * 1000) / 1000 + 0)).toEqual([0, 0, expect.closeTo(1.594, 2)])
    expect(pose.visible[0]).toBe(0)
    expect(pose.materialOpacity[0]).toBeCloseTo(0.75 + (0 - 0.75) * (15 / 35))
    sampleClip(scene, scene.clips[0], 0, pose)
    expect(Array.from(pose.local.subarray(12, 15))).toEqual([0, 0, 0])
    expect(pose.visible[0]).toBe(1)
    sampleClip(scene, scene.clips[0], 99, pose)
    expect(Array.from(pose.local.subarray(12, 15))).toEqual([3, 0, 0])
    expect(pose.vertices).toEqual([{ mesh: 0, vertex: 1, x: 5, y: 5, z: 5 }])
  })

  it('keeps the bind scale of a node that is turned only', () => {
    const stretched = translation(1, 2, 3)
    stretched[0] = 2
    stretched[5] = 3
    const { scene } = openFolder({
      'a.mds': mdsBytes([{ name: 'a', parent: -1, matrix: stretched }]),
      'a.mot': trackListBytes([{ node: 0, type: 0, keys: [[1, 1, 0, 0, 0]] }]),
    }).assemble()
    const pose = createPose(scene)
    sampleClip(scene, scene.clips[0], 1, pose)
    expect(Array.from(pose.local)).toEqual(Array.from(Float32Array.from(stretched)))
  })

  it('reads type 40 by its evidence, and as chosen', () => {
    const type40 = [
      {
        node: 1,
        target: 0,
        type: 40,
        keys: [
          [1, 1],
          [9, 0.2],
        ] as [number, number][],
      },
      { node: 1, target: 0, type: 40, keys: [[1, 1.5]] as [number, number][] },
      { node: 1, target: 5, type: 40, keys: [[1, 0.5]] as [number, number][] },
      { node: 0, target: 0, type: 40, keys: [[1, 0.5]] as [number, number][] },
    ]
    const model = openFolder({ ...files, 'hero.mot': trackListBytes(type40) })
    const auto = model.assemble()
    expect(auto.scene.clips[0].tracks.map((t) => t.property)).toEqual(['opacity', 'scale', 'scale', 'scale'])
    expect(Array.from(auto.scene.clips[0].tracks[1].values)).toEqual([1.5, 1.5, 1.5])
    expect(auto.options.find((o) => o.key === 'level5.type40')?.reason).toContain('1 of 4 tracks')
    expect(auto.scene.materials[0].diffuse[3]).toBe(1)
    expect(model.assemble({ 'level5.type40': 'scale' }).scene.clips[0].tracks.map((t) => t.property)).toEqual([
      'scale',
      'scale',
      'scale',
      'scale',
    ])
    expect(model.assemble({ 'level5.type40': 'transparency' }).scene.clips[0].tracks.map((t) => t.property)).toEqual([
      'opacity',
      'opacity',
      'unknown',
      'unknown',
    ])
    expect(model.assemble({ 'level5.type40': 'scale' }).scene.materials[0].diffuse[3]).toBeCloseTo(0.006)
  })

  it('sorts keys that are out of order, drops values that are none, counts lost tracks, plays the last of two', () => {
    const { scene, diagnostics } = openFolder({
      ...files,
      'hero.mot': trackListBytes([
        {
          node: 0,
          type: 2,
          keys: [
            [9, 9, 0, 0],
            [1, 1, 0, 0],
            [5, Number.NaN, 0, 0],
          ],
        },
        { node: 0, type: 2, keys: [[1, 7, 0, 0]] },
        { node: 99, type: 2, keys: [[1, 1, 0, 0]] },
        { node: -1, type: 0, keys: [] },
      ]),
    }).assemble()
    expect(Array.from(scene.clips[0].tracks[0].times)).toEqual([1, 9])
    expect(scene.clips[0].fit).toEqual({ matched: 2, total: 4 })
    expect(diagnostics.map((d) => d.code).filter((c) => c !== 'level5.texture-missing')).toEqual(['level5.track-node'])
    const pose = createPose(scene)
    sampleClip(scene, scene.clips[0], 1, pose)
    expect(pose.local[12]).toBe(7)
  })

  it('takes the tick rate as a setting', () => {
    expect(openFolder(files).assemble({ 'level5.tickRate': 30 }).scene.clips[0].rate).toBe(30)
    expect(openFolder(files).assemble({ 'level5.tickRate': 'x' }).scene.clips[0].rate).toBe(60)
  })
})

describe('visibility of a branch', () => {
  const keys = (value: number): [number, number][] => [
    [1, value],
    [40, value],
  ]
  const shown = (tracks: { node: number; type: number; keys: [number, number][] }[], choices = {}) => {
    const { scene, options } = openFolder({ 'hero.mds': mdsBytes(nodes), 'hero.mot': trackListBytes(tracks) }).assemble(choices)
    const pose = createPose(scene)
    sampleClip(scene, scene.clips[0], 20, pose)
    return { visible: Array.from(pose.meshVisible), option: options.find(({ key }) => key === 'level5.type51')?.value }
  }
  const own = (node: number) => ({ node, type: 50, keys: keys(1) })
  const branch = { node: 0, type: 51, keys: keys(0) }

  it('hides the meshes below that have none of their own, wherever it stands; the other reading is a choice', () => {
    expect(shown([branch])).toEqual({ visible: [0, 0], option: undefined })
    for (const tracks of [
      [own(3), branch],
      [branch, own(3)],
    ])
      expect(shown(tracks)).toEqual({ visible: [0, 1], option: 'own' })
    expect(shown([own(3), branch], { 'level5.type51': 'tree' })).toEqual({ visible: [0, 0], option: 'tree' })
    expect(shown([own(1), own(3), branch])).toEqual({ visible: [1, 1], option: 'own' })
  })
})

describe('visibility between 0.5 and 1', () => {
  const shown = (type: number, value: number, choices?: Record<string, string>): { visible: number; option: unknown } => {
    const { scene, options } = openFolder({
      'hero.mds': mdsBytes([
        { name: 'root', parent: -1, matrix: identity },
        { name: 'cape', parent: 0, matrix: identity, mdt: mdtBytes() },
      ]),
      'hero.mot': trackListBytes([
        {
          node: 1,
          type,
          keys: [
            [1, value],
            [40, value],
          ],
        },
      ]),
    }).assemble(choices)
    const pose = createPose(scene)
    sampleClip(scene, scene.clips[0], 20, pose)
    return { visible: pose.meshVisible[0], option: options.find(({ key }) => key === 'level5.shownFrom')?.value }
  }

  it.each([50, 51])('hides what is below 1, type %i; the other reading is a choice, asked for where it matters', (type) => {
    expect(shown(type, 1)).toEqual({ visible: 1, option: undefined })
    expect(shown(type, 0)).toEqual({ visible: 0, option: undefined })
    expect(shown(type, 0.49)).toEqual({ visible: 0, option: undefined })
    expect(shown(type, 0.5)).toEqual({ visible: 0, option: 'one' })
    expect(shown(type, 0.99)).toEqual({ visible: 0, option: 'one' })
    expect(shown(type, 0.5, { 'level5.shownFrom': 'half' })).toEqual({ visible: 1, option: 'half' })
    expect(shown(type, 0.49, { 'level5.shownFrom': 'half' })).toEqual({ visible: 0, option: undefined })
  })
})

describe('slices', () => {
  it('keeps order, placeholders and the list of each MOTION', () => {
    const { scene } = openFolder({
      ...hero,
      'run.mot': trackListBytes([
        {
          node: 0,
          type: 2,
          keys: [
            [1, 0, 0, 0],
            [5, 0, 0, 0],
          ],
        },
      ]),
    }).assemble()
    expect(scene.slices.map((s) => [scene.clips[s.clip].name, s.name, s.start, s.end, s.speed])).toEqual([
      ['hero', '立ち 0', 1, 10, 0.17],
      ['hero', 'ソ', 10, 20, 0.4],
      ['hero', '', 0, 0, 0],
      ['hero', '', 20, 40, 0.3],
      ['hero', '表', 50, 90, 1],
      ['run', '', 1, 5, 0.5],
    ])
    expect(scene.slices[5].source.path).toBe('motions[1].keys[0]')
  })

  it('shows windows whose animation is missing', () => {
    const { scene } = openFolder(hero).assemble()
    expect(scene.clips.map((c) => c.name)).toEqual(['hero', 'run.mot (missing)'])
    expect(scene.slices[5].clip).toBe(1)
  })
})

describe('binding', () => {
  const why = (files: Record<string, Uint8Array>, options?: { pack?: string }): unknown[] =>
    openFolder(files, options).binding.members.map((m) => [m.role, m.ref.replace(/^.*[/!]/, ''), m.why, m.detail])

  it('goes by the script first, then by names, then by standing alone', () => {
    expect(why({ ...hero, 'odd.img': hero['skin.img'], 'hero.img': hero['skin.img'], 'RUN.MOT': hero['hero.mot'] })).toEqual([
      ['model', 'hero.mds', 'self', ''],
      ['slices', 'info.cfg', 'explicit', 'MODEL "hero.mds"'],
      ['animation', 'hero.mot', 'explicit', 'MOTION 0 in info.cfg'],
      ['bind-pose', 'hero.bbp', 'explicit', 'MOTION 0 in info.cfg'],
      ['skin', 'hero.wgt', 'explicit', 'MOTION 0 in info.cfg'],
      ['animation', 'RUN.MOT', 'explicit', 'MOTION 1 in info.cfg'],
      ['textures', 'skin.img', 'explicit', 'IMG 0 in info.cfg'],
      ['textures', 'hero.img', 'name', 'same name'],
      ['textures', 'odd.img', 'name', 'the only model in models'],
    ])
  })

  it('does not mix two models of one folder, and finds pictures by what materials ask for', () => {
    const folder = openFolder({
      'a.mds': mdsBytes(posed),
      'b.mds': mdsBytes(posed),
      'a.mot': hero['hero.mot'],
      'b.wgt': weights,
      'tex.img': hero['skin.img'],
      'other.mot': hero['hero.mot'],
    })
    expect(folder.bindings.map((b) => [b.name, b.members.map((m) => m.ref.replace(/^.*\//, ''))])).toEqual([
      ['a', ['a.mds', 'a.mot', 'tex.img']],
      ['b', ['b.mds', 'b.wgt', 'tex.img']],
    ])
    expect(folder.bindings[0].members[2]).toMatchObject({ role: 'textures', why: 'name', detail: 'has texture skin' })
  })

  it('names the only model of a pack after the pack, and says how well a clip fits', () => {
    const wide = trackListBytes([
      { node: 0, type: 2, keys: [] },
      { node: 40, type: 2, keys: [] },
    ])
    const pack = openFolder({ 'hero.mds': mdsBytes(posed), 'hero.mot': wide }, { pack: 'c01a.chr' })
    expect(pack.binding.name).toBe('c01a')
    expect(pack.binding.members[1].fit).toEqual({ matched: 1, total: 2 })
    expect(openFolder(hero).binding.members[2].fit).toEqual({ matched: 1, total: 1 })
  })
})

describe('names of nodes', () => {
  it('carry render attributes', () => {
    expect(nodeAttributes('3grid1__cappz')).toMatchObject({
      unlit: true,
      blend: 'additive',
      noDepthWrite: true,
      billboard: 'none',
      unknown: '',
    })
    expect(nodeAttributes('x__czapp_2')).toMatchObject({ unlit: true, blend: 'additive', noDepthWrite: true })
    expect(nodeAttributes('x__by1')).toMatchObject({ billboard: 'y', blend: 'default' })
    expect(nodeAttributes('x__BA')).toMatchObject({ billboard: 'full' })
    expect(nodeAttributes('x__annof')).toMatchObject({ blend: 'subtractive', ignoreDepth: true, noFog: true })
    expect(nodeAttributes('x__aofa80tv00sm')).toMatchObject({
      blend: 'opaque',
      alphaRef: 0x80,
      ambientBoost: true,
      hidden: true,
      unknown: 'm',
    })
    expect(nodeAttributes('x_capp')).toMatchObject({ unlit: false, blend: 'default' })
  })

  it('act on the scene', () => {
    const file = mdsBytes([
      { name: 'a__cappz', parent: -1, matrix: identity, mdt: quad },
      { name: 'b__a40o', parent: 0, matrix: identity, mdt: quad },
      { name: 'c__vby', parent: 0, matrix: identity, mdt: quad },
    ])
    const { scene } = openFolder({ 'a.mds': file }).assemble()
    expect(scene.materials.map((m) => [m.blend, m.lit, m.depthWrite, m.depthTest, m.alphaTest])).toEqual([
      ['additive', false, false, true, -1],
      ['opaque', true, true, false, 0.5],
      ['opaque', true, true, true, -1],
    ])
    expect(scene.meshes.map((m) => m.visible)).toEqual([true, true, false])
    expect(scene.skeleton.billboards).toEqual(['none', 'none', 'y'])
    expect(scene.textures).toEqual([expect.objectContaining({ name: 'SKIN', missing: true })])
  })
})

describe('odd models', () => {
  it('become a scene, never an exception', () => {
    const loop = mdsBytes([
      { name: 'a', parent: 1, matrix: identity, mdt: quad },
      { name: 'b', parent: 0, matrix: new Array<number>(16).fill(Number.NaN) },
      { name: 'c', parent: 2, matrix: identity },
      { name: 'd', parent: 99, matrix: identity },
    ])
    const { scene } = openFolder({
      'a.mds': loop,
      'a.wgt': weights,
      'a.bbp': bbpBytes([new Array<number>(16).fill(Number.NaN), identity]),
    }).assemble()
    expect(scene.skeleton.count).toBe(4)
    const pose = createPose(scene)
    poseRest(scene, pose)
    expect(pose.world.every(Number.isFinite)).toBe(true)
    const bad = mdtBytes({
      primitives: [
        { type: 3, corners: 3, material: 9, indices: [0, 0, 0, -1, 0, 0, 99, 0, 0] },
        { type: 3, corners: 3, material: 0, indices: [0, 5, 9, 1, 5, 9, 2, 5, 9] },
      ],
    })
    const odd = openFolder({ 'a.mds': mdsBytes([{ name: 'a', parent: -1, matrix: identity, mdt: bad }]) }).assemble()
    expect(odd.scene.meshes[0].indices).toHaveLength(3)
    expect(Array.from(odd.scene.meshes[0].normals.subarray(0, 3))).toEqual([0, 0, 1])
    const empty = assemble(
      { family: 'level5', name: 'x', primary: 'none', members: [{ role: 'model', ref: 'none', why: 'self', detail: '' }] },
      () => undefined,
      {},
    )
    expect(empty.diagnostics[0].code).toBe('level5.member-unread')
    openFolder({ 'a.mds': mdsBytes(nodes), 'a.img': imgBytes('IM2', [['skin', junk(50)]]), 'a.cfg': latin('KEY 1,2,3\nKEY 9') }).assemble()
    expect(level5.bind('nowhere', openFolder({}).around)).toEqual([])
  })

  it('puts parents first and cuts cycles', () => {
    expect(updateOrder(Int32Array.from([2, 0, -1]))).toEqual({ order: Int32Array.from([2, 0, 1]), parents: Int32Array.from([2, 0, -1]) })
    const cut = updateOrder(Int32Array.from([1, 0]))
    expect(Array.from(cut.order).sort()).toEqual([0, 1])
    expect(Array.from(cut.parents)).toContain(-1)
  })
})

describe('basis', () => {
  it('has an inverse', () => {
    expect(vectorFromScene(vectorToScene([1, 2, 3]))).toEqual([1, 2, 3])
    const native = [0.5, 0.1, -0.7, 0.5]
    const scene = [0, 0, 0, 0]
    const back = [0, 0, 0, 0]
    rotationToScene(scene, 0, native, 0)
    rotationFromScene(back, 0, scene, 0)
    expect(back).toEqual(native)
    expect(scene).toEqual([-0.1, 0.7, -0.5, 0.5])
    // Rotation in place, as clips are converted
    rotationToScene(back, 0, back, 0)
    expect(back).toEqual(scene)
  })

  it('gives the matrix that the engine builds: m[0][1] = 2(xy - wz) for row vectors', () => {
    const [w, x, y, z] = [0.5, 0.5, 0.5, 0.5]
    const q = [0, 0, 0, 0]
    rotationToScene(q, 0, [w, x, y, z], 0)
    const m = new Float32Array(16)
    compose(m, 0, [0, 0, 0], 0, q, 0, [1, 1, 1], 0)
    // row 0, column 1 of a row-vector matrix is the second float in memory
    expect(m[1]).toBeCloseTo(2 * (x * y - w * z))
    expect(m[2]).toBeCloseTo(2 * (x * z + w * y))
    const world = new Float32Array(16)
    multiply(world, 0, m, 0, Float32Array.from(identity), 0)
    expect(world).toEqual(m)
    updateWorld({ count: 1, parents: Int32Array.of(-1) } as never, m, world)
    expect(world).toEqual(m)
  })
})
