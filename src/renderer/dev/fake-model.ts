/** A synthetic model for work on the window alone: a skinned figure with a clip, slices, weights and files. Development builds only. */
import type { NativeTrack } from '../../shared/api/types/clips.ts'
import type { ModelFile } from '../../shared/api/types/model.ts'
import type { StructureNode } from '../../shared/api/types/structure.ts'
import type { NativeWeights } from '../../shared/api/types/weights.ts'
import { compose, invertAffine } from '../../shared/scene/matrix.ts'
import { buildSkeleton, updateWorld } from '../../shared/scene/pose.ts'
import { emptyScene, plainMaterial, type Clip, type Mesh, type Scene, type Skin, type Slice, type Track } from '../../shared/scene/types.ts'

const BONES: [name: string, parent: number, x: number, y: number, z: number][] = [
  ['root', -1, 0, 0, 0],
  ['hips', 0, 0, 9.2, 0],
  ['spine', 1, 0, 1.4, 0],
  ['chest', 2, 0, 1.8, 0],
  ['neck', 3, 0, 1.9, 0],
  ['head', 4, 0, 0.9, 0],
  ['arm_l', 3, 1.5, 1.4, 0],
  ['forearm_l', 6, 2.4, 0, 0],
  ['hand_l', 7, 2.2, 0, 0],
  ['arm_r', 3, -1.5, 1.4, 0],
  ['forearm_r', 9, -2.4, 0, 0],
  ['hand_r', 10, -2.2, 0, 0],
  ['leg_l', 1, 0.9, -0.4, 0],
  ['shin_l', 12, 0, -4.1, 0],
  ['foot_l', 13, 0, -4.1, 0],
  ['leg_r', 1, -0.9, -0.4, 0],
  ['shin_r', 15, 0, -4.1, 0],
  ['foot_r', 16, 0, -4.1, 0],
  ['wep_right', 11, -0.6, 0, 0.2],
  ['剣__c', 18, 0, 0, 0.4],
  ['eff_head', 5, 0, 1.6, 0],
]

const sourceOf = (path: string): { ref: string; path: string } => ({ ref: `${PACK}!c01a.mds`, path })

export const PACK = '/games/dark-cloud/chara/c01a.chr'

export const fakeSlices: [name: string, start: number, end: number, speed: number][] = [
  ['待機', 1, 40, 0.35],
  ['歩き', 41, 72, 0.6],
  ['走り', 73, 96, 0.8],
  ['攻撃１', 97, 130, 0.7],
  ['攻撃２', 120, 160, 0.7],
  ['防御', 161, 175, 0.5],
  ['ダメージ', 176, 192, 0.6],
  ['死亡', 193, 240, 0.4],
  ['予備', 0, 0, 0],
]

function buildFigure(): Scene {
  const scene = emptyScene('c01a')
  const n = BONES.length
  const rest = new Float32Array(16 * n)
  BONES.forEach(([, , x, y, z], i) => compose(rest, 16 * i, [x, y, z], 0, [0, 0, 0, 1], 0, [1, 1, 1], 0))
  const built = buildSkeleton(
    BONES.map((b) => b[0]),
    BONES.map((b) => b[1]),
    rest,
    (native) => sourceOf(`nodes[${native}]`),
  )
  scene.skeleton = built.skeleton
  scene.skeleton.roles = BONES.map(([name]) => (name.startsWith('eff') ? 'attach' : name.includes('__') ? 'mesh' : 'joint'))
  const world = new Float32Array(16 * n)
  updateWorld(scene.skeleton, scene.skeleton.restLocal, world)

  const positions: number[] = []
  const normals: number[] = []
  const uvs: number[] = []
  const indices: number[] = []
  const owner: [number, number, number][] = []
  // one octagonal tube per bone with a child, weighted between both ends
  BONES.forEach(([name, parent], i) => {
    if (parent < 0 || name.startsWith('eff') || name.startsWith('wep') || name.includes('__')) return
    const a = [...world.subarray(16 * parent + 12, 16 * parent + 15)]
    const b = [...world.subarray(16 * i + 12, 16 * i + 15)]
    const d = [b[0] - a[0], b[1] - a[1], b[2] - a[2]]
    const length = Math.hypot(d[0], d[1], d[2]) || 1
    const along = d.map((v) => v / length)
    const side = Math.abs(along[1]) > 0.7 ? [1, 0, 0] : [0, 1, 0]
    const u = cross(along, side)
    const v = cross(u, along)
    const radius = parent < 4 ? 1.35 : name === 'head' ? 0.9 : 0.62
    const base = positions.length / 3
    const rings = 5
    for (let r = 0; r < rings; r++) {
      const t = r / (rings - 1)
      const round = radius * (0.8 + 0.25 * Math.sin(Math.PI * t))
      for (let s = 0; s <= 8; s++) {
        const angle = (s / 8) * Math.PI * 2
        const nx = u[0] * Math.cos(angle) + v[0] * Math.sin(angle)
        const ny = u[1] * Math.cos(angle) + v[1] * Math.sin(angle)
        const nz = u[2] * Math.cos(angle) + v[2] * Math.sin(angle)
        positions.push(a[0] + d[0] * t + nx * round, a[1] + d[1] * t + ny * round, a[2] + d[2] * t + nz * round)
        normals.push(nx, ny, nz)
        uvs.push(s / 8, t)
        owner.push([parent, i, t > 0.6 ? (t - 0.6) / 0.8 : 0])
      }
    }
    for (let r = 0; r < rings - 1; r++) {
      for (let s = 0; s < 8; s++) {
        const p = base + r * 9 + s
        indices.push(p, p + 1, p + 9, p + 1, p + 10, p + 9)
      }
    }
  })
  const count = positions.length / 3
  const offsets: number[] = [0]
  const slots: number[] = []
  const weights: number[] = []
  for (const [parent, child, w] of owner) {
    slots.push(parent)
    weights.push(1 - w)
    if (w > 0) {
      slots.push(child)
      weights.push(w)
    }
    offsets.push(slots.length)
  }
  const inverseBind = new Float32Array(16 * n)
  for (let i = 0; i < n; i++) invertAffine(inverseBind, 16 * i, world, 16 * i)
  const skin: Skin = {
    name: 'c01a.wgt',
    joints: Uint32Array.from({ length: n }, (_, i) => i),
    inverseBind,
    offsets: Uint32Array.from(offsets),
    slots: Uint16Array.from(slots),
    weights: Float32Array.from(weights),
    source: { ref: `${PACK}!c01a.wgt`, path: '' },
  }
  const body: Mesh = {
    name: '体',
    joint: 1,
    positions: Float32Array.from(positions),
    normals: Float32Array.from(normals),
    uvs: [Float32Array.from(uvs)],
    colors: new Float32Array(0),
    indices: Uint32Array.from(indices),
    groups: [{ start: 0, count: indices.length, material: 0 }],
    skin: 0,
    nativeVertex: Uint32Array.from({ length: count }, (_, i) => i),
    nativeVertexCount: count,
    visible: true,
    lod: -1,
    source: sourceOf('nodes[1].mdt'),
  }
  const blade: Mesh = {
    ...body,
    name: '剣__c',
    joint: 19,
    positions: Float32Array.from([-0.15, 0, 0, 0.15, 0, 0, 0.15, 0, 5, -0.15, 0, 5]),
    normals: Float32Array.from([0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0]),
    uvs: [Float32Array.from([0, 0, 1, 0, 1, 1, 0, 1])],
    indices: Uint32Array.from([0, 1, 2, 0, 2, 3]),
    groups: [{ start: 0, count: 6, material: 1 }],
    skin: -1,
    nativeVertex: Uint32Array.from([0, 1, 2, 3]),
    nativeVertexCount: 4,
    source: sourceOf('nodes[19].mdt'),
  }
  scene.meshes = [body, blade]
  scene.skins = [skin]
  scene.materials = [
    { ...plainMaterial('c01a_body', sourceOf('nodes[1].mdt.materials[0]')), texture: 0 },
    { ...plainMaterial('剣', sourceOf('nodes[19].mdt.materials[0]')), texture: 1, diffuse: [0.8, 0.85, 0.95, 1], doubleSided: true },
  ]
  const rgba = new Uint8Array(128 * 128 * 4)
  for (let y = 0; y < 128; y++) {
    for (let x = 0; x < 128; x++) {
      const o = 4 * (y * 128 + x)
      const band = ((x >> 4) + (y >> 4)) & 1
      rgba[o] = 120 + band * 40 + y / 4
      rgba[o + 1] = 110 + band * 24 + x / 6
      rgba[o + 2] = 92 + band * 12
      rgba[o + 3] = 255
    }
  }
  const textureSource = (i: number): { ref: string; path: string } => ({ ref: `${PACK}!c01a.img`, path: `entries[${i}]` })
  scene.textures = [
    { name: 'c01a_body', width: 128, height: 128, rgba, missing: false, hasAlpha: false, source: textureSource(0) },
    { name: 'wep_01', width: 0, height: 0, rgba: new Uint8Array(0), missing: true, hasAlpha: false, source: textureSource(1) },
  ]
  const tracks: Track[] = []
  const keyed = BONES.map((_, i) => i).filter((i) => i > 0 && i < 18)
  for (const j of keyed) {
    const times: number[] = []
    const values: number[] = []
    for (let f = 1; f <= 240; f += 2 + ((j * 7) % 5)) {
      const side = BONES[j][0].endsWith('_l') ? 1 : -1
      const amount = /leg|arm/.test(BONES[j][0]) ? 0.45 : /shin|forearm/.test(BONES[j][0]) ? 0.3 : 0.06
      const angle = Math.sin(f / 5) * amount * side
      const axis = /arm/.test(BONES[j][0]) ? 1 : 0
      times.push(f)
      values.push(axis === 0 ? Math.sin(angle / 2) : 0, axis === 1 ? Math.sin(angle / 2) : 0, 0, Math.cos(angle / 2))
    }
    tracks.push({
      target: { kind: 'joint', index: j },
      property: 'rotation',
      interpolation: 'slerp',
      mode: 'absolute',
      times: Float32Array.from(times),
      values: Float32Array.from(values),
      label: 'type 0 rotation',
      source: { ref: `${PACK}!c01a.mot`, path: `tracks[${tracks.length}]` },
    })
  }
  const hip: Track = {
    target: { kind: 'joint', index: 1 },
    property: 'translation',
    interpolation: 'linear',
    mode: 'absolute',
    times: Float32Array.from({ length: 60 }, (_, i) => 1 + i * 4),
    values: Float32Array.from({ length: 180 }, (_, i) => (i % 3 === 1 ? 9.2 + 0.2 * Math.sin((i / 3) * 1.6) : 0)),
    label: 'type 2 translation',
    source: { ref: `${PACK}!c01a.mot`, path: `tracks[${tracks.length}]` },
  }
  tracks.push(hip)
  const clip: Clip = {
    name: 'c01a.mot',
    tracks,
    start: 1,
    end: 240,
    rate: 30,
    unit: 'frame',
    loop: 'wrap',
    fit: { matched: tracks.length, total: tracks.length },
    events: [],
    source: { ref: `${PACK}!c01a.mot`, path: '' },
  }
  scene.clips = [clip]
  return scene
}

function cross(a: number[], b: number[]): number[] {
  const c = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
  const length = Math.hypot(c[0], c[1], c[2]) || 1
  return c.map((v) => v / length)
}

let figure: Scene | undefined

export function fakeScene(slices: Slice[]): Scene {
  figure ??= buildFigure()
  return { ...figure, slices: slices.map((s) => ({ ...s })) }
}

export function fakeFiles(dirty: boolean): ModelFile[] {
  const file = (
    name: string,
    role: string,
    format: string,
    formatLabel: string,
    why: ModelFile['why'],
    detail: string,
    size: number,
    fit?: ModelFile['fit'],
  ): ModelFile => ({
    ref: `${PACK}!${name}`,
    name,
    role,
    format,
    formatLabel,
    why,
    detail,
    fit,
    size,
    dirty: false,
    readOnly: '',
  })
  const files = [
    file('c01a.mds', 'model', 'alpha.mds', 'MDS skeleton and meshes', 'self', 'the file itself', 84_512),
    file('c01a.mot', 'animation', 'alpha.mot', 'MOT track list', 'explicit', 'MOTION 0 in info.cfg', 61_984, { matched: 18, total: 18 }),
    file('c01a.wgt', 'skin', 'alpha.wgt', 'WGT skin weights', 'explicit', 'MOTION 0 in info.cfg', 50_240, { matched: 17, total: 18 }),
    file('c01a.bbp', 'bind-pose', 'alpha.bbp', 'BBP bind pose', 'name', 'same base name', 1344),
    file('c01a.img', 'texture', 'alpha.img', 'IMG texture set', 'explicit', 'IMG in info.cfg', 17_536),
    { ...file('info.cfg', 'slices', 'alpha.cfg', 'CFG model script', 'explicit', 'in the same pack', 612), dirty },
  ]
  files.push({
    ...file('c01b.mot', 'animation', 'alpha.mot', 'MOT track list', 'bones', '3 of 40 tracks fit', 9120, { matched: 3, total: 40 }),
    readOnly: 'not the same bytes after decode and encode',
  })
  return files
}

export function fakeTracks(): NativeTrack[] {
  figure ??= buildFigure()
  return figure.clips[0].tracks.map((t, i) => {
    const rotation = t.property === 'rotation'
    const joint = t.target.index
    return {
      id: `${PACK}!c01a.mot#tracks[${i}]`,
      ref: `${PACK}!c01a.mot`,
      clip: 'c01a.mot',
      target: BONES[joint][0],
      joint,
      property: rotation ? 'rotation' : 'translation',
      label: t.label,
      components: rotation ? ['w', 'x', 'y', 'z'] : ['x', 'y', 'z'],
      times: Float64Array.from(t.times),
      values: t.values,
      limits: { timeStep: 1, minTime: 0, maxTime: 4_294_967_295, dense: false, stepped: false, packed: '', readOnly: '' },
    }
  })
}

export function fakeWeights(): NativeWeights {
  figure ??= buildFigure()
  const skin = figure.skins[0]
  return {
    id: `${PACK}!c01a.wgt#skins[0]`,
    mesh: '体',
    sceneMesh: 0,
    vertexCount: figure.meshes[0].nativeVertexCount,
    bones: BONES.map(([name], joint) => ({ name, joint })),
    offsets: skin.offsets.slice(),
    bone: Uint16Array.from(skin.slots),
    weight: Float32Array.from(skin.weights, (w) => Math.round(w * 1000) / 10),
    limits: { fullWeight: 100, maxInfluences: 0, step: 0, packedFront: false, rules: [], readOnly: '' },
  }
}

export function fakeStructure(ref: string): StructureNode {
  const name = ref.split('!').pop() ?? ref
  if (name.endsWith('.mds')) {
    return {
      name,
      type: 'MDS',
      start: 0,
      end: 84_512,
      summary: `${BONES.length} nodes`,
      fields: [
        { name: 'magic', type: 'char[4]', start: 0, size: 4, value: 'MDS' },
        { name: 'version', type: 'u32', start: 4, size: 4, value: '1' },
        { name: 'nodeCount', type: 'u32', start: 8, size: 4, value: String(BONES.length) },
        { name: 'nodeTable', type: 'u32', start: 12, size: 4, value: '16' },
      ],
      children: BONES.map(([bone, parent, x, y, z], i) => {
        const at = 16 + 112 * i
        return {
          name: `nodes[${i}]`,
          type: 'node',
          summary: bone,
          start: at,
          end: at + 112,
          fields: [
            { name: 'index', type: 'u32', start: at, size: 4, value: String(i) },
            { name: 'size', type: 'u32', start: at + 4, size: 4, value: '112' },
            { name: 'name', type: 'char[32]', start: at + 8, size: 32, value: bone },
            { name: 'mdtOffset', type: 'u32', start: at + 0x28, size: 4, value: i === 1 ? '2368' : '0' },
            { name: 'parent', type: 'i32', start: at + 0x2c, size: 4, value: String(parent) },
            {
              name: 'bind',
              type: 'f32[16]',
              start: at + 0x30,
              size: 64,
              value: `1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ${x}, ${y}, ${z}, 1`,
              note: 'local, row vectors',
            },
          ],
          children:
            i === 1
              ? [
                  {
                    name: 'mdt',
                    type: 'MDT',
                    start: 2368,
                    end: 60_000,
                    summary: '630 vertices',
                    fields: [
                      { name: 'vertexCount', type: 'u32', start: 2380, size: 4, value: '630' },
                      {
                        name: 'unknown3C',
                        type: 'u32',
                        start: 2428,
                        size: 4,
                        value: '0x200a2c3b',
                        unknown: true,
                        note: 'not zero in one sample',
                      },
                    ],
                    children: [{ name: 'slack', type: 'bytes', start: 50_000, end: 50_012, opaque: true, fields: [], children: [] }],
                  },
                ]
              : [],
        }
      }),
    }
  }
  return {
    name,
    type: name.split('.').pop()?.toUpperCase() ?? '',
    start: 0,
    end: 612,
    fields: [{ name: 'text', type: 'char[612]', start: 0, size: 612, value: 'CP932 text' }],
    children: [],
  }
}
