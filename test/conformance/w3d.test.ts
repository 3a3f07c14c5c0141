/** W3D files built from the format page, byte by byte: what it states must come out of the command line and the scene. */
import { describe, expect, it } from 'vitest'
import {
  ascii,
  bytes,
  cleanUp,
  expectNear,
  f32,
  field,
  fill,
  findNode,
  folder,
  i16,
  joints,
  posed,
  tree,
  u16,
  u32,
  u32be,
  u8,
} from './support.ts'
import type { Folder } from './support.ts'
import type { StructureNode } from '../../src/main/formats/format.ts'

cleanUp()

const leaf = (id: number, ...body: Uint8Array[]): Uint8Array => {
  const b = bytes(...body)
  return bytes(u32(id, b.length), b)
}
/** `flag` false: as files before September 1999 have it */
const box = (id: number, flag: boolean, ...body: Uint8Array[]): Uint8Array => {
  const b = bytes(...body)
  return bytes(u32(id, flag ? b.length + 0x80000000 : b.length), b)
}
const name16 = (s: string): Uint8Array => field(s, 16, 0)
const text = (s: string): Uint8Array => ascii(`${s}\0`)
const ROOT = 0xffffffff

interface Pivot {
  name: string
  parent: number
  t?: number[]
  euler?: number[]
  q?: number[]
}

const sq = Math.SQRT1_2

function hierarchy(name: string, pivots: Pivot[], { flag = true, fixups = 48 as 0 | 12 | 48, junk = 0 } = {}): Uint8Array {
  return box(
    0x100,
    flag,
    leaf(0x101, u32(0x40001), name16(name), u32(pivots.length), f32(0, 0, 0)),
    leaf(
      0x102,
      ...pivots.map((p) =>
        bytes(field(p.name, 16, junk), u32(p.parent), f32(...(p.t ?? [0, 0, 0]), ...(p.euler ?? [0, 0, 0]), ...(p.q ?? [0, 0, 0, 1]))),
      ),
    ),
    fixups
      ? leaf(0x103, ...pivots.map(() => (fixups === 48 ? f32(1.3123, 0, 0, 0, 1.3123, 0, 0, 0, 1.3123, 0, 0, 0) : f32(0.1, 0.2, 0.3))))
      : bytes(),
  )
}

interface MeshParts {
  name?: string
  container?: string
  version?: number
  attributes?: number
  vertices: number[][]
  triangles?: number[][]
  /** further chunks in this order */
  more?: Uint8Array[]
  min?: number[]
  max?: number[]
  flag?: boolean
  channels?: number
  materials?: number
}

function mesh({
  name = 'M',
  container = 'C',
  version = 0x40002,
  attributes = 0,
  vertices,
  triangles = [[0, 1, 2]],
  more = [],
  min = [0, 0, 0],
  max = [1, 1, 1],
  flag = true,
  channels = 3,
  materials = 0,
}: MeshParts): Uint8Array {
  const center = min.map((v, i) => (v + max[i]) / 2)
  const radius = Math.hypot(...min.map((v, i) => (max[i] - v) / 2))
  return box(
    0,
    flag,
    leaf(
      0x1f,
      u32(version, attributes),
      name16(name),
      name16(container),
      u32(triangles.length, vertices.length, materials, 0, 0, 0, 0, channels, 1),
      f32(...min, ...max, ...center, radius),
    ),
    leaf(2, ...vertices.map((v) => f32(...v))),
    leaf(3, ...vertices.map(() => f32(0, 0, 1))),
    leaf(0x20, ...triangles.map((t) => bytes(u32(...t, 13), f32(0, 0, 1, 0)))),
    ...more,
  )
}

const tri = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
]
const shader = bytes(3, 1, 9, 0, 9, 1, 0, 1, 1, 0, 0, 9, 0, 0, 0, 0xee)
const only = (f: Folder): StructureNode => f.info('a.w3d').structure!
const find = (f: Folder, type: RegExp): StructureNode => {
  const found = findNode(only(f), (n) => type.test(n.type))
  if (!found) throw new Error(`${type} is not in ${tree(only(f))}`)
  return found
}
const file = (...chunks: Uint8Array[]): Folder => folder({ 'a.w3d': bytes(...chunks) })

// --- container ----------------------------------------------------------------------------------------------------

describe('chunks', () => {
  it('are containers by their id, flag or not; every flag stays', () => {
    for (const flag of [false, true]) {
      const material = [
        leaf(0x28, u32(1, 1, 1, 1)),
        leaf(0x29, shader),
        box(
          0x2a,
          flag,
          box(
            0x2b,
            flag,
            leaf(0x2c, text('skin')),
            leaf(0x2d, u32(0x60000), bytes(1, 2, 3, 0xaa, 4, 5, 6, 0xbb, 7, 8, 9, 0xcc, 0, 0, 0, 0xdd), f32(1, 1, 0)),
            leaf(0x2e, text('UPerSec=0.5\r\nVPerSec=0')),
            leaf(0x2f, text('x')),
          ),
        ),
        box(0x30, flag, box(0x31, flag, leaf(0x32, text('skin.tga')), leaf(0x33, u16(0x18, 1), u32(4), f32(15)))),
        box(
          0x38,
          flag,
          leaf(0x39, u32(0)),
          leaf(0x3a, u32(0)),
          leaf(0x3b, fill(12, 200)),
          leaf(0x3c, fill(12, 100)),
          leaf(0x3e, fill(12, 50)),
          box(0x48, flag, leaf(0x49, u32(0)), leaf(0x4a, f32(0, 0.25, 1, 0, 0, 1)), leaf(0x4b, u32(0, 1, 2))),
        ),
      ]
      const body = mesh({
        vertices: tri,
        flag,
        materials: 1,
        more: [
          leaf(0x0c, text('a=b')),
          leaf(0x22, u32(1, 1, 1)),
          ...material,
          box(0x58, flag, u32(0, 0, 0, 0, 0)),
          leaf(0x80, fill(12, 3)),
        ],
      })
      const f = file(body)
      f.lossless(0)
      expect(tree(only(f))).not.toMatch(/RAW/)
      expect(find(f, /DEFORM/).children).toEqual([])
      expect(f.info('a.w3d').summary?.meshes).toEqual([expect.objectContaining({ name: 'C.M', vertices: 3, triangles: 1 })])
      // v is stored from the bottom
      const { scene } = f.scene()
      expect([...scene.meshes[0].uvs[0]]).toEqual([0, 0.75, 1, 1, 0, 0])
    }
  })

  it('unknown ones, trailing bytes and data chunks with the flag stay as they are', () => {
    const f = file(
      hierarchy('H', [{ name: 'ROOTTRANSFORM', parent: ROOT }]),
      leaf(0xabcd, fill(7, 1)),
      box(0xabce, true, leaf(5, fill(3, 9))),
      fill(5, 0xff),
    )
    f.lossless(7 + 3 + 5)
    expect(f.lint()).toContain('w3d.trailing-bytes')
    // a plug-in writes data chunks with the flag set
    const motion = box(0x284, true, bytes(0, 1, 1, 0), u16(2, 0), f32(1, 5), bytes(24, 0x11, 0, 0, 0, 0, 0, 0, 0))
    const g = file(box(0x280, true, leaf(0x281, u32(0x10000), name16('A'), name16('H'), u32(2), u16(30, 0)), motion))
    g.lossless(0)
  })

  it('obsolete and unsampled ones are shown by name', () => {
    const ids: [number, RegExp][] = [
      [0x2c0, /MORPH/],
      [0x400, /LOD/],
      [0x440, /POINTS/],
      [0x460, /LIGHT/],
      [0x500, /EMITTER/],
      [0x600, /AGGREGATE/],
      [0x741, /SPHERE/],
      [0x742, /RING/],
      [0x800, /LIGHTSCAPE/],
      [0x900, /DAZZLE/],
      [0xa00, /SOUNDROBJ/],
      [0xb00, /SHDMESH/],
    ]
    const f = file(
      hierarchy('H', [{ name: 'R', parent: ROOT }]),
      ...ids.map(([id]) => (id === 0x741 || id === 0x742 ? leaf(id, fill(8, id & 0xff)) : box(id, true, leaf(id + 1, fill(8, 3))))),
    )
    expect(f.roundtrip()).toMatchObject({ failures: [], identical: 1 })
    const shown = only(f).children.map((c) => c.type)
    ids.forEach(([, type], i) => expect(shown[i + 1]).toMatch(type))
  })

  it('a size that overruns is an error with its place', () => {
    const cut = bytes(hierarchy('H', [{ name: 'R', parent: ROOT }]), u32(0, 1000), fill(30, 4))
    const f = file(cut)
    expect(f.roundtrip().failures).toMatchObject([{ code: 'truncated', offset: cut.length - 34 }])
  })
})

// --- hierarchy ----------------------------------------------------------------------------------------------------

const pivots: Pivot[] = [
  { name: 'ROOTTRANSFORM', parent: ROOT },
  { name: 'HIP', parent: 0, t: [0, 0, 5] },
  // +90 degrees about Z: X of the pivot is Y of its parent
  { name: 'ARM', parent: 1, t: [1, 0, 0], euler: [0, 0, 1.5707964], q: [0, 0, sq, sq] },
  { name: 'HAND', parent: 2, t: [2, 0, 0] },
]
/** file (x, y, z) faces +X with Z up; the scene faces +Z with Y up */
const scenePoint = ([x, y, z]: number[]): number[] => [y, z, x]

describe('HIERARCHY', () => {
  it('is typed with both kinds of fixups, has 60-byte pivots', () => {
    for (const fixups of [0, 12, 48] as const) {
      const f = file(hierarchy('H', pivots, { fixups, flag: fixups !== 12 }))
      f.lossless(0)
      expect(f.lint(), `${fixups}`).toEqual(fixups === 12 ? [expect.stringMatching(/fixup/)] : [])
    }
    const f = file(hierarchy('H', pivots))
    const p2 = findNode(only(f), (n) => /pivot\[2\]/.test(n.name))!
    // file: 8 + (8 + 36) + 8 + 2 * 60
    expect(p2.start).toBe(8 + 44 + 8 + 120)
    expect(p2.fields.map((x) => x.start - p2.start)).toEqual([0, 16, 20, 32, 44])
  })

  it('rests as the engine has it: pivot 0 itself ignored, fixups not applied', () => {
    const odd = pivots.map((p, i) => (i === 0 ? { ...p, t: [9, 9, 9], q: [1, 0, 0, 0] } : p))
    for (const list of [pivots, odd]) {
      const f = file(hierarchy('H', list))
      const at = joints(f.scene().scene)
      expectNear(at.HIP, scenePoint([0, 0, 5]))
      expectNear(at.ARM, scenePoint([1, 0, 5]))
      expectNear(at.HAND, scenePoint([1, 2, 5]))
      expect(f.lint().filter((c) => /pivot|root/.test(c)).length).toBe(list === odd ? 1 : 0)
    }
  })

  it('tells of roots, parents and names that the engine does not take', () => {
    const rules: [Pivot[], RegExp][] = [
      [[...pivots, { name: 'SECOND', parent: ROOT }], /second-root/],
      [[pivots[0], { name: 'SELF', parent: 1 }], /parent/],
      [[pivots[0], { name: 'LATER', parent: 2 }, { name: 'X', parent: 0 }], /parent/],
      [[pivots[0], { name: 'ABCDEFGHIJKLMNOP', parent: 0 }], /name/],
      [[pivots[0], { name: 'Q', parent: 0, q: [0, 0, 0, 0.5] }], /quaternion/],
    ]
    for (const [list, code] of rules) {
      const f = file(hierarchy('H', list))
      f.lossless(0)
      expect(f.lint(), String(code)).toContainEqual(expect.stringMatching(code))
    }
  })
})

// --- skins --------------------------------------------------------------------------------------------------------

const hlod = (name: string, hier: string, lods: [number, string][][], extra: Uint8Array[] = []): Uint8Array =>
  box(
    0x700,
    true,
    leaf(0x701, u32(0x10000, lods.length), name16(name), name16(hier)),
    ...lods.map((subs, i) => array(0x702, subs, i === lods.length - 1 ? 3.4028234663852886e38 : 10 * (i + 1))),
    ...extra,
  )
const array = (id: number, subs: [number, string][], size: number): Uint8Array =>
  box(id, true, leaf(0x703, u32(subs.length), f32(size)), ...subs.map(([bone, name]) => leaf(0x704, u32(bone), field(name, 32, 0))))
const SKIN = 0x20000

describe('skins', () => {
  const skel = hierarchy('H_SKL', pivots)
  const one = leaf(0x0e, u16(1, 0, 0, 0), u16(2, 0, 0, 0), u16(3, 0, 0, 0))
  const lod = hlod('C', 'H_SKL', [[[0, 'C.M']]])

  it('stand in bone space, one bone per vertex', () => {
    const f = folder({
      'c.w3d': bytes(mesh({ vertices: tri, attributes: SKIN, more: [one], channels: 0x13, min: [0, 0, 5], max: [1, 3, 5] }), lod),
      'h_skl.w3d': skel,
    })
    f.lossless(0)
    const { scene } = f.scene('c.w3d')
    expect(scene.skins.length).toBe(1)
    // vertex 1 (1,0,0) of ARM: turned by 90 about Z: ARM + (0,1,0). Vertex 2 (0,1,0) of HAND: HAND + (-1,0,0)
    const at = posed(scene, 0)
    expectNear(at[0], scenePoint([0, 0, 5]))
    expectNear(at[1], scenePoint([1, 1, 5]))
    expectNear(at[2], scenePoint([0, 2, 5]))
    expect(f.lint('c.w3d')).toEqual(['w3d.mesh-box'])
    const good = folder({
      'c.w3d': bytes(mesh({ vertices: tri, attributes: SKIN, more: [one], channels: 0x13, min: [0, 0, 5], max: [1, 2, 5] }), lod),
      'h_skl.w3d': skel,
    })
    expect(good.lint()).toEqual([])
  })

  it('have two bones with two positions, weights in percent, both 0 for the first alone', () => {
    // vertex 0: HIP 40 %, ARM 60 %, the same place twice: (2,3,7) in the model
    // in HIP (2,3,2); in ARM: (2,3,7)-(1,0,5) = (1,3,2) turned by -90: (3,-1,2)
    const v = [
      [2, 3, 2],
      [1, 0, 0],
      [0, 1, 0],
    ]
    const v2 = [
      [3, -1, 2],
      [0, 0, 0],
      [0, 0, 0],
    ]
    const two = leaf(0x0e, u16(1, 2, 40, 60), u16(2, 0, 0, 0), u16(3, 3, 100, 0))
    const more = [two, leaf(0xc00, ...v2.map((p) => f32(...p))), leaf(0xc01, fill(36, 0)), leaf(0x60, fill(36, 0)), leaf(0x61, fill(36, 0))]
    const body = mesh({ version: 0x50000, vertices: v, attributes: SKIN, more, channels: 0x73, min: [0, 1, 5], max: [2, 3, 7] })
    const anim = box(
      0x200,
      true,
      leaf(0x201, u32(0x40001), name16('A'), name16('H_SKL'), u32(2, 30)),
      leaf(0x202, u16(0, 1, 1, 0, 2, 0xbeef), f32(10, 10)),
    )
    const f = folder({ 'c.w3d': bytes(body, lod), 'h_skl.w3d': skel, 'a.w3d': anim })
    f.lossless(0)
    expect(f.lint().filter((c) => c !== 'w3d.mesh-box')).toEqual([])
    const { scene } = f.scene('c.w3d')
    expectNear(posed(scene, 0)[0], scenePoint([2, 3, 7]))
    expectNear(posed(scene, 0)[1], scenePoint([1, 1, 5]))
    // ARM moves by 10 along its own X, which is the model's Y: 60 % of vertex 0, all of vertex 1
    expectNear(posed(scene, 0, 0, 0)[0], scenePoint([2, 3 + 6, 7]))
    expectNear(posed(scene, 0, 0, 0)[1], scenePoint([1, 11, 5]))
    // and HAND hangs on ARM
    expectNear(posed(scene, 0, 0, 0)[2], scenePoint([0, 12, 5]))
  })

  it('of Generals may have junk behind the bone', () => {
    const junk = leaf(0x0e, u16(1, 0xcdcd, 0xcdcd, 0xcdcd), u16(2, 0xcdcd, 7, 9), u16(3, 1, 2, 3))
    const f = folder({
      'c.w3d': bytes(mesh({ vertices: tri, attributes: SKIN, more: [junk], channels: 0x13, min: [0, 0, 5], max: [1, 2, 5] }), lod),
      'h_skl.w3d': skel,
    })
    f.lossless(0)
    const { scene } = f.scene('c.w3d')
    expectNear(posed(scene, 0)[1], scenePoint([1, 1, 5]))
    expectNear(posed(scene, 0)[2], scenePoint([0, 2, 5]))
  })

  it('of versions below 4.1 say so in the low bits; hierarchies below 3.0 have no root', () => {
    const oldMesh = mesh({ version: 0x40000, vertices: tri, attributes: 2, more: [one], channels: 0x13, min: [0, 0, 5], max: [1, 2, 5] })
    expectNear(posed(folder({ 'c.w3d': bytes(oldMesh, lod), 'h_skl.w3d': skel }).scene('c.w3d').scene, 0)[1], scenePoint([1, 1, 5]))
    // the same figure without its root: the engine puts one in front and counts from it
    const bare = hierarchy(
      'H_SKL',
      pivots.slice(1).map((p) => ({ ...p, parent: p.parent === 0 ? ROOT : p.parent - 1 })),
    )
    const version = bare.slice()
    version.set(u32(0x20000), 16)
    const f = folder({
      'h_skl.w3d': version,
      'a.w3d': box(
        0x200,
        true,
        leaf(0x201, u32(0x20000), name16('A'), name16('H_SKL'), u32(2, 30)),
        leaf(0x202, u16(0, 1, 1, 0, 1, 0), f32(10, 10)),
      ),
    })
    f.lossless(0)
    const { scene } = f.scene('h_skl.w3d')
    expectNear(joints(scene).HAND, scenePoint([1, 2, 5]))
    expectNear(joints(scene, 0, 0).HAND, scenePoint([1, 12, 5]))
  })

  it('are found by name among several hierarchies, names without an end', () => {
    const long = 'ABCDEFGHIJKLMNOP'
    const moved = hierarchy(
      long,
      pivots.map((p, i) => (i === 1 ? { ...p, t: [0, 0, 50] } : p)),
    )
    const f = folder({
      'c.w3d': bytes(
        mesh({ vertices: tri, attributes: SKIN, more: [one], channels: 0x13, min: [0, 0, 5], max: [1, 2, 5] }),
        hlod('C', long, [[[0, 'C.M']]]),
      ),
      'both.w3d': bytes(skel, moved),
    })
    f.lossless(0)
    expectNear(posed(f.scene('c.w3d').scene, 0)[0], scenePoint([0, 0, 50]))
  })

  it('are told of when they cannot work', () => {
    const rules: [Uint8Array[], string][] = [
      [[leaf(0x0e, u16(9, 0, 0, 0), u16(2, 0, 0, 0), u16(3, 0, 0, 0))], 'w3d.influence-bone'],
      [[leaf(0x0e, u16(1, 2, 40, 60), u16(2, 0, 0, 0), u16(3, 0, 0, 0))], 'w3d.second-stream-missing'],
      [
        [leaf(0x0e, u16(1, 2, 40, 50), u16(2, 0, 0, 0), u16(3, 0, 0, 0)), leaf(0xc00, fill(36, 0)), leaf(0xc01, fill(36, 0))],
        'w3d.weight-sum',
      ],
    ]
    for (const [more, code] of rules) {
      const f = folder({
        'c.w3d': bytes(mesh({ version: 0x50000, vertices: tri, attributes: SKIN, more, channels: 0x13 }), lod),
        'h_skl.w3d': skel,
      })
      expect(f.lint(), code).toContain(code)
    }
    expect(folder({ 'c.w3d': bytes(mesh({ vertices: tri, attributes: SKIN, more: [one] }), lod) }).lint()).toContain(
      'w3d.hierarchy-missing',
    )
    expect(file(mesh({ vertices: tri, triangles: [[0, 1, 7]] })).lint()).toContain('w3d.triangle-vertex')
    expect(
      folder({
        'c.w3d': bytes(
          mesh({ vertices: tri }),
          hlod('C', 'H_SKL', [
            [
              [9, 'C.M'],
              [0, 'C.NONE'],
            ],
          ]),
        ),
        'h_skl.w3d': skel,
      }).lint(),
    ).toEqual(expect.arrayContaining(['w3d.bone-index', 'w3d.sub-object-missing']))
    expect(file(hierarchy('H', pivots), mesh({ vertices: tri, more: [leaf(0x28, u32(3, 2, 1, 1))] })).lint()).toContain(
      'w3d.material-count',
    )
  })
})

// --- materials ----------------------------------------------------------------------------------------------------

describe('materials and other objects', () => {
  it('shader materials of BFME2, texture coordinates under the pass', () => {
    const prop = (type: number, name: string, value: Uint8Array): Uint8Array => leaf(0x53, u32(type, name.length + 1), text(name), value)
    const fx = box(
      0x50,
      true,
      box(
        0x51,
        true,
        leaf(0x52, u8(1), field('NormalMapped.fx', 32, 0), u32(0)),
        prop(1, 'DiffuseTexture', bytes(u32(8), text('a_d.tga'))),
        prop(1, 'NormalMap', bytes(u32(8), text('a_n.tga'))),
        prop(2, 'BumpScale', f32(1.5)),
        prop(3, 'V2', f32(1, 2)),
        prop(4, 'V3', f32(1, 2, 3)),
        prop(5, 'DiffuseColor', f32(1, 1, 1, 1)),
        prop(6, 'I', u32(7)),
        prop(7, 'AlphaTestEnable', u8(1)),
        prop(99, 'Unknown', fill(5, 1)),
      ),
    )
    const pass = box(0x38, true, leaf(0x3f, u32(0)), leaf(0x4a, f32(0, 0, 1, 0, 0, 1)))
    const f = file(mesh({ version: 0x50000, vertices: tri, more: [leaf(0x28, u32(1, 0, 0, 0)), fx, pass] }))
    const report = f.roundtrip()
    expect(report.failures).toEqual([])
    expect(report.opaqueBytes).toBeLessThanOrEqual(8 + 8 + 5)
    const shown = tree(only(f))
    for (const s of ['NormalMapped.fx', 'DiffuseTexture', 'a_d.tga', 'BumpScale', '1.5', 'AlphaTestEnable']) expect(shown).toContain(s)
    const { scene } = f.scene()
    expect(scene.textures.map((t) => [t.name.toLowerCase(), t.missing])).toContainEqual([expect.stringContaining('a_d'), true])
    expect([...scene.meshes[0].uvs[0]]).toEqual([0, 1, 1, 1, 0, 0])
  })

  it('alpha test, blends and two passes', () => {
    const make = (destBlend: number, srcBlend: number, alphaTest: number): ReturnType<Folder['scene']>['scene'] => {
      const s = bytes(3, destBlend === 0 ? 1 : 0, 0, destBlend, 0, 1, 0, srcBlend, 1, 0, 0, 0, alphaTest, 0, 0, 0)
      const pass = box(
        0x38,
        true,
        leaf(0x39, u32(0)),
        leaf(0x3a, u32(0)),
        box(0x48, true, leaf(0x49, u32(0xffffffff)), leaf(0x4a, fill(24, 0))),
      )
      return file(
        mesh({
          vertices: tri,
          attributes: 0x2000,
          more: [
            leaf(0x28, u32(1, 1, 1, 0)),
            leaf(0x29, s),
            box(0x2a, true, box(0x2b, true, leaf(0x2c, text('m')), leaf(0x2d, u32(0), fill(16, 255), f32(1, 0.5, 0)))),
            pass,
          ],
        }),
      ).scene().scene
    }
    expect(make(0, 1, 0).materials[0]).toMatchObject({ blend: 'opaque', doubleSided: true, depthWrite: true })
    expect(make(5, 2, 0).materials[0].blend).toBe('alpha')
    expect(make(1, 1, 0).materials[0].blend).toBe('additive')
    expect(make(0, 1, 1).materials[0].alphaTest).toBeCloseTo(0x60 / 255, 2)
    expect(make(5, 2, 0).materials[0].texture).toBe(-1)
  })

  it('AABTREE, BOX, NULL, HMODEL, COLLECTION', () => {
    const tree91 = box(
      0x90,
      true,
      leaf(0x91, u32(1, 1, 9, 9, 9, 9, 9, 9)),
      leaf(0x92, u32(0)),
      leaf(0x93, f32(0, 0, 0, 1, 1, 1), u32(0x80000000, 1)),
    )
    const boxChunk = leaf(0x740, u32(0x10000, 2 | 0x30), field('C.BOX', 32, 0), bytes(1, 2, 3, 0x99), f32(1, 2, 3, 4, 5, 6))
    const nothing = leaf(0x750, u32(0x10000, 0, 7, 8), field('C.NULL', 32, 0))
    const hmodel = box(
      0x300,
      false,
      leaf(0x301, u32(0x40002), name16('HM'), name16('H'), u16(3)),
      leaf(0x302, name16('M'), u16(1)),
      leaf(0x303, name16('COL'), u16(2)),
      leaf(0x304, name16('SKIN'), u16(3)),
      leaf(0x305, fill(8, 1)),
      leaf(0x306, fill(8, 2)),
    )
    const collection = box(
      0x420,
      false,
      leaf(0x421, u32(0x10000), name16('COLL'), u32(1, 5, 6)),
      leaf(0x422, text('C.M')),
      leaf(0x423, u32(1), f32(1, 0, 0, 0, 1, 0, 0, 0, 1, 4, 5, 6), u32(3), ascii('abc')),
      leaf(0x424, u32(1), f32(1, 0, 0, 0, 1, 0, 0, 0, 1, 4, 5, 6), u32(4), text('def')),
    )
    const f = file(hierarchy('H', pivots), mesh({ vertices: tri, more: [tree91] }), boxChunk, nothing, hmodel, collection)
    f.lossless(16)
    const shown = tree(only(f))
    for (const s of ['C.BOX', 'C.NULL', 'SKIN', 'COLL', 'abc', 'def']) expect(shown).toContain(s)
    const scene = file(
      hierarchy('H', pivots),
      mesh({ vertices: tri }),
      boxChunk,
      hlod('C', 'H', [
        [
          [1, 'C.BOX'],
          [0, 'C.M'],
        ],
      ]),
    ).scene().scene
    const helper = scene.helpers.find((h) => h.name.includes('BOX'))!
    expect(helper.kind).toBe('box')
    expectNear(helper.center, scenePoint([1, 2, 3]))
    expectNear(helper.extent, scenePoint([4, 5, 6]))
  })

  it('HLOD: array 0 is the lowest, aggregates and proxies', () => {
    const agg = array(0x705, [[1, 'OTHER']], 0)
    const proxy = array(0x706, [[2, 'DOOR']], 0)
    const f = file(
      hierarchy('H', pivots),
      mesh({ name: 'LOW', vertices: tri }),
      mesh({ name: 'HIGH', vertices: tri }),
      hlod('C', 'H', [[[1, 'C.LOW']], [[2, 'C.HIGH']]], [agg, proxy]),
    )
    f.lossless(0)
    const { scene } = f.scene()
    expect(scene.lods.length).toBe(2)
    const by = Object.fromEntries(scene.meshes.map((m) => [m.name.split('.').pop()!, m]))
    expect([by.LOW.lod, by.HIGH.lod]).toEqual([0, 1])
    expectNear(posed(scene, scene.meshes.indexOf(by.HIGH))[0], scenePoint([1, 0, 5]))
    expectNear(posed(scene, scene.meshes.indexOf(by.HIGH))[1], scenePoint([1, 1, 5]))
    expect(tree(only(f))).toMatch(/DOOR/)
  })
})

// --- animation ----------------------------------------------------------------------------------------------------

const rawHeader = (frames: number, fps = 30): Uint8Array => leaf(0x201, u32(0x40001), name16('A'), name16('H'), u32(frames, fps))
const compHeader = (frames: number, flavor: number, version = 1, fps = 30): Uint8Array =>
  leaf(0x281, u32(version), name16('A'), name16('H'), u32(frames), u16(fps, flavor))
const animated = (anim: Uint8Array): Folder => folder({ 'h.w3d': hierarchy('H', pivots), 'a.w3d': anim })
const handAt = (f: Folder, time: number): number[] => joints(f.scene('h.w3d').scene, 0, time).HAND

describe('ANIMATION', () => {
  it('raw: deltas in the pivot, pads of junk, trailing bytes, ranges of their own, bits', () => {
    const anim = box(
      0x200,
      true,
      rawHeader(4),
      leaf(0x202, u16(0, 3, 1, 0, 2, 0xdead), f32(0, 1, 2, 3)),
      leaf(0x202, u16(1, 2, 4, 6, 2, 0), f32(0, 0, sq, sq, 0, 0, sq, sq), fill(12, 0x88)),
      leaf(0x202, u16(0, 3, 1, 2, 1, 1), f32(0, 0, 0, 0)),
      leaf(0x203, u16(0, 3, 0, 3), u8(1), u8(0b0101)),
      leaf(0x202, u16(0, 0, 1, 15, 3, 0), f32(0.5)),
      leaf(0x202, u16(0, 0, 1, 0, 77, 0), f32(0.5)),
    )
    const f = animated(anim)
    f.lossless(12)
    const codes = f.lint('a.w3d')
    expect(codes).toContain('w3d.channel-pivot')
    // HAND = ARM . T(2,0,0); ARM rest at (1,0,5) turned 90 about Z
    expectNear(handAt(f, 0), scenePoint([1, 2, 5]))
    // frame 1: ARM moved 1 along its X (Y of the model), then turned by 90 more: its X is now -X of the model
    expectNear(handAt(f, 1), scenePoint([1 - 2, 1, 5]))
    expectNear(handAt(f, 2), scenePoint([1 - 2, 2, 5]))
    // frame 3: outside of the rotation's range, identity
    expectNear(handAt(f, 3), scenePoint([1, 5, 5]))
    // the last frame goes towards the first
    expectNear(handAt(f, 3.5), scenePoint([1, 2 + 1.5, 5]))
    const { scene } = f.scene('h.w3d')
    expect(scene.clips[0]).toMatchObject({ rate: 30, loop: 'blend', start: 0, end: 3 })
    const vis = scene.clips[0].tracks.find((t) => t.property === 'visibility')!
    expect([...vis.values].slice(0, 4)).toEqual([1, 0, 1, 0])
    expect(f.info('a.w3d').summary?.clips).toMatchObject([{ frames: 4, rate: 30 }])
  })

  it('time-coded: the step bit holds the value before', () => {
    const anim = box(
      0x280,
      true,
      compHeader(11, 0),
      leaf(0x282, u32(3), u16(2), u8(1, 0), u32(0), f32(0), u32(0x80000005), f32(10), u32(10), f32(20)),
      leaf(0x282, u32(2), u16(1), u8(4, 6), u32(0), f32(0, 0, 0, 1), u32(10), f32(0, 0, 1, 0)),
      leaf(0x283, u32(2), u16(3), u8(0, 1), u32(0x80000000, 5)),
    )
    const f = animated(anim)
    f.lossless(0)
    expect(f.lint('a.w3d')).toEqual([])
    const at = (t: number): number[] => joints(f.scene('h.w3d').scene, 0, t).ARM
    // HIP turns 18 degrees per frame about Z; ARM at 1 + delta along...: T(1,0,0) R(90) T(d,0,0) = (1, d, 0) in HIP
    const hip = (angle: number, d: number): number[] =>
      scenePoint([Math.cos(angle) - d * Math.sin(angle), Math.sin(angle) + d * Math.cos(angle), 5])
    expectNear(at(0), hip(0, 0), 3)
    expectNear(at(4), hip((4 * Math.PI) / 10, 0), 3)
    expectNear(at(5), hip((5 * Math.PI) / 10, 10), 3)
    expectNear(at(7.5), hip((7.5 * Math.PI) / 10, 15), 3)
    const vis = f.scene('h.w3d').scene.clips[0].tracks.find((t) => t.property === 'visibility')!
    expect([[...vis.times], [...vis.values]]).toEqual([
      [0, 5],
      [1, 0],
    ])
  })

  /** table[24 .. ]: exact power at 8: 10^0 */
  const block4 = (filter: number, nibbles: number[]): Uint8Array =>
    bytes(filter, ...Array.from({ length: 8 }, (_, i) => ((nibbles[2 * i] ?? 0) & 15) | (((nibbles[2 * i + 1] ?? 0) & 15) << 4)))
  const block8 = (filter: number, deltas: number[]): Uint8Array =>
    bytes(filter, ...Array.from({ length: 16 }, (_, i) => ((deltas[i] ?? 0) & 0xff) ^ 0x80))

  it('adaptive delta: either number of blocks, with and without the pad of 3', () => {
    const table24 = 1 - Math.sin((Math.PI / 2) * (8 / 240))
    for (const frames of [17, 18]) {
      // 17 frames have 16 deltas: ceil((n-1)/16) is 1, ceil(n/16) is 2
      for (const blocks of new Set([Math.ceil(frames / 16), Math.ceil((frames - 1) / 16)])) {
        for (const pad of [0, 3]) {
          const data = bytes(
            ...Array.from({ length: blocks }, (_, b) =>
              block4(b === 0 ? 8 : 24, b === 0 ? [1, -8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2] : [4]),
            ),
            fill(pad, 0),
          )
          const f = animated(box(0x280, true, compHeader(frames, 1), leaf(0x282, u32(frames), u16(2), u8(1, 0), f32(0.5, 3), data)))
          f.lossless(pad)
          expect(f.lint('a.w3d'), `${frames} ${blocks} ${pad}`).toEqual([])
          const d = (t: number): number => handAt(f, t)[0] - 2
          expect(d(0)).toBeCloseTo(3, 4)
          expect(d(1)).toBeCloseTo(3.5, 4)
          expect(d(2)).toBeCloseTo(-0.5, 4)
          expect(d(3)).toBeCloseTo(3, 4)
          expect(d(16)).toBeCloseTo(4, 4)
          if (frames === 18) expect(d(17)).toBeCloseTo(4 + 4 * table24 * 0.5, 4)
        }
      }
    }
  })

  it('motion channels: uncoded with odd n, 4 bit, 8 bit', () => {
    const header = compHeader(5, 0, 0x10000)
    const plain = leaf(0x284, u8(0, 0, 1, 0), u16(3, 2), u16(0, 2, 4), u16(0xabcd), f32(0, 8, 0))
    const f = animated(box(0x280, true, header, plain))
    f.lossless(0)
    expect(f.lint('a.w3d')).toEqual([])
    expectNear(handAt(f, 1), scenePoint([1, 6, 5]))
    const even = animated(box(0x280, true, header, leaf(0x284, u8(0, 0, 3, 0), u16(2, 2), u16(0, 4), f32(0, 0, 0, 8, 0, 0))))
    even.lossless(0)
    const four = animated(box(0x280, true, header, leaf(0x284, u8(0, 1, 1, 0), u16(5, 2), f32(2, 1), block4(8, [1, 1, -1, 3]))))
    four.lossless(0)
    expectNear(
      [0, 1, 2, 3, 4].map((t) => handAt(four, t)[0] - 2),
      [1, 3, 5, 3, 9],
    )
    const eight = animated(box(0x280, true, header, leaf(0x284, u8(0, 2, 1, 0), u16(5, 2), f32(2, 1), block8(8, [16, -128, 127, 8]))))
    eight.lossless(0)
    expectNear(
      [0, 1, 2, 3, 4].map((t) => handAt(eight, t)[0] - 2),
      [1, 3, -13, 2.875, 3.875],
    )
    // quaternions: four components side by side
    const turn = animated(
      box(
        0x280,
        true,
        header,
        leaf(0x284, u8(0, 2, 4, 6), u16(5, 2), f32(1, 0, 0, 0, 1), block8(0, []), block8(0, []), block8(8, [16]), block8(8, [-16])),
      ),
    )
    turn.lossless(0)
    // 180 degrees about Z from frame 1 on
    expectNear(handAt(turn, 1), scenePoint([1, -2, 5]), 3)
  })

  it('short channels, other names and wide times do no harm', () => {
    const short = box(0x200, true, rawHeader(10), leaf(0x202, u16(0, 9, 1, 0, 2, 0), f32(1, 2)))
    const f = animated(short)
    expect(f.roundtrip().failures).toEqual([])
    expect(f.lint('a.w3d').length).toBeGreaterThan(0)
    expect(i16(-1)).toEqual(Uint8Array.of(255, 255))
  })
})

describe("the game's layout", () => {
  /** 1 x 1, 32 bits, rows from the bottom */
  const tga = bytes(0, 0, 2, fill(5, 0), u16(0, 0, 1, 1), 32, 8, bytes(3, 2, 1, 255))
  /** 4 x 4 DXT1, no mip count: all of colour 0, blue */
  const dds = bytes(
    ascii('DDS '),
    u32(124, 0x1007, 4, 4, 8, 0, 0),
    fill(44, 0),
    u32(32, 4),
    ascii('DXT1'),
    fill(20, 0),
    u32(0x1000, 0, 0, 0, 0),
    u16(31, 0),
    u32(0),
  )
  const body = mesh({
    vertices: tri,
    max: [1, 1, 0],
    materials: 1,
    more: [
      leaf(0x28, u32(1, 1, 1, 1)),
      leaf(0x29, shader),
      box(0x2a, true, box(0x2b, true, leaf(0x2c, text('m')), leaf(0x2d, u32(0), fill(16, 255), f32(1, 1, 0)))),
      box(0x30, true, box(0x31, true, leaf(0x32, text('Skin.TGA')))),
      box(0x38, true, leaf(0x39, u32(0)), leaf(0x3a, u32(0)), box(0x48, true, leaf(0x49, u32(0)), leaf(0x4a, f32(0, 0, 1, 0, 0, 1)))),
    ],
  })
  const files = {
    'Art/W3D/c.w3d': bytes(body, hlod('C', 'H_SKL', [[[2, 'C.M']]])),
    'Art/W3D/H_SKL.W3D': hierarchy('H_SKL', pivots),
    'Art/Textures/skin.tga': tga,
  }
  const pixel = (f: Folder): number[] => {
    const { scene } = f.scene('Art/W3D/c.w3d')
    expectNear(posed(scene, 0)[0], scenePoint([1, 0, 5]))
    return [...scene.textures[0].rgba.slice(0, 4)]
  }
  it('one file is seen with its skeleton and textures; DDS comes before TGA', () => {
    const f = folder(files)
    f.lossless(0)
    expect(pixel(f)).toEqual([1, 2, 3, 255])
    expect(f.lint('Art/W3D/c.w3d')).toEqual([])
    expect(pixel(folder({ ...files, 'Art/Textures/SKIN.dds': dds }))).toEqual([0, 0, 255, 255])
    // without a second folder of the game beside it the folder stands for itself
    const alone = folder({ 'W3D/c.w3d': files['Art/W3D/c.w3d'], 'other/skin.tga': tga })
    expect(alone.lint('W3D/c.w3d')).toContain('w3d.texture-missing')
  })
})

// --- BIG ----------------------------------------------------------------------------------------------------------

describe('BIG', () => {
  const skl = hierarchy('H', pivots)
  const big = (
    magic: string,
    entries: [string, Uint8Array][],
    { tail = bytes(), size = 'right' as 'right' | 'zero' | 'stale' | 'be', header = 'first' as 'first' | 'end', reverse = false } = {},
  ): Uint8Array => {
    const toc = entries.reduce((n, [name]) => n + 8 + name.length + 1, 16)
    const first = toc + tail.length
    const order = entries.map((_, i) => i)
    if (reverse) order.reverse()
    const offsets: number[] = []
    let ofs = first
    for (const i of order) {
      offsets[i] = ofs
      ofs += entries[i][1].length
    }
    const total = { right: u32(ofs), zero: u32(0), stale: u32(123), be: u32be(ofs) }[size]
    return bytes(
      ascii(magic),
      total,
      u32be(entries.length, header === 'end' ? toc : first - 1),
      ...entries.map(([name, body], i) => bytes(u32be(offsets[i], body.length), text(name))),
      tail,
      ...order.map((i) => entries[i][1]),
    )
  }
  it('of both magics, with tails, stale sizes, duplicates, any order', () => {
    for (const magic of ['BIGF', 'BIG4']) {
      for (const size of ['right', 'zero', 'stale', 'be'] as const) {
        for (const tail of [bytes(), bytes(ascii('L225'), u32(0)), bytes(ascii('L253'), u32(7), 0), fill(5, 0)]) {
          const f = folder({
            'x.big': big(
              magic,
              [
                ['art\\w3d\\h.w3d', skl],
                ['Art\\W3D\\H.w3d', skl],
                ['data\\a.ini', ascii('x')],
              ],
              { tail, size, reverse: tail.length > 5, header: tail.length ? 'first' : 'end' },
            ),
          })
          const report = f.roundtrip()
          expect(report.failures).toEqual([])
          expect(report.identical).toBe(3)
          const info = f.info('x.big')
          expect(info.members!.map((m) => m.size)).toEqual([skl.length, skl.length, 1])
          expect(new Set(info.members!.map((m) => m.path.toLowerCase())).size).toBe(3)
        }
      }
    }
  })
  it('of no entry, in 24 bytes; placeholders of 2', () => {
    const f = folder({ 'MapsZH.big': bytes(ascii('BIGF'), u32(24), u32be(0, 24), fill(8, 0x4c)), 'x.big': ascii('??') })
    expect(f.roundtrip().failures).toEqual([])
    expect(f.info('MapsZH.big')).toMatchObject({ format: 'w3d.big', members: [] })
  })
})

describe('scan', () => {
  it('counts', async () => {
    const skin = mesh({
      version: 0x50000,
      vertices: tri,
      attributes: SKIN,
      channels: 0x13,
      more: [leaf(0x0e, u16(1, 2, 40, 60), u16(2, 0, 0, 0), u16(3, 3, 100, 0)), leaf(0xc00, fill(36, 0)), leaf(0xc01, fill(36, 0))],
    })
    const anim = box(0x200, true, rawHeader(2), leaf(0x202, u16(0, 1, 1, 0, 2, 0xbeef), f32(10, 10)))
    const f = folder({
      'c.w3d': bytes(skin, hlod('C', 'H', [[[0, 'C.M']]])),
      'h.w3d': hierarchy('H', pivots),
      'a.w3d': anim,
      'b.w3d': bytes(u32(0x100, 0x80000100, 0x101, 36), fill(20, 0)),
    })
    expect(await f.scan()).toMatchObject({
      files: 4,
      recognised: 4,
      models: expect.any(Number),
      bones: 4,
      meshes: 1,
      slices: 0,
      weights: 4,
      textures: 0,
      errors: [{ path: f.path('b.w3d') }],
    })
  })
})
