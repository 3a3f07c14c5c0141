/** RenderWare files built from the format page, byte by byte: what it states must come out of the command line and the scene. */
import { describe, expect, it } from 'vitest'
import {
  ascii,
  bytes,
  cleanUp,
  expectNear,
  f32,
  field,
  fieldsOf,
  fill,
  findNode,
  folder,
  i16,
  joints,
  posed,
  tree,
  u16,
  u32,
  u8,
} from './support.ts'
import type { Folder } from './support.ts'
import type { StructureNode } from '../../src/main/formats/format.ts'

cleanUp()

/** GTA SA, GTA VC, GTA III, rwtest, and others of the page's list */
const SA = 0x1803ffff
const V35 = 0x1400ffff
const V34 = 0x1003ffff
const V33 = 0x0c02ffff
const V37 = 0x1c02000a
const V31 = 0x00000310
const version = (stamp: number): number =>
  stamp & 0xffff0000 ? (((stamp >>> 14) & 0x3ff00) + 0x30000) | ((stamp >>> 16) & 0x3f) : stamp << 8

type Build = (stamp: number) => Uint8Array
const chunk =
  (type: number, ...body: (Uint8Array | Build)[]): Build =>
  (stamp) => {
    const b = bytes(...body.map((x) => (typeof x === 'function' ? x(stamp) : x)))
    return bytes(u32(type, b.length, stamp), b)
  }
const struct = (...body: Uint8Array[]): Build => chunk(1, ...body)
const ext = (...body: Build[]): Build => chunk(3, ...body)
const str = (s: string, pad = 4): Build => chunk(2, bytes(ascii(s), fill(pad - (s.length % pad), 0)))

interface Frame {
  name?: string
  parent: number
  pos?: number[]
  axes?: number[]
  hanim?: Uint8Array
  more?: Build[]
}

const frameList = (frames: Frame[]): Build =>
  chunk(
    0xe,
    struct(
      u32(frames.length),
      ...frames.map((f) =>
        bytes(f32(...(f.axes ?? [1, 0, 0, 0, 1, 0, 0, 0, 1]), ...(f.pos ?? [0, 0, 0])), u32(f.parent, f.parent < 0 ? 0x20003 : 3)),
      ),
    ),
    ...frames.map((f) =>
      ext(
        ...(f.name === undefined ? [] : [chunk(0x253f2fe, ascii(f.name))]),
        ...(f.hanim ? [chunk(0x11e, f.hanim)] : []),
        ...(f.more ?? []),
      ),
    ),
  )
const hanimId = (id: number): Uint8Array => u32(0x100, id, 0)
const hanimTable = (id: number, nodes: [number, number][], flags = 0, keySize = 36): Uint8Array =>
  bytes(u32(0x100, id, nodes.length, flags, keySize), ...nodes.map(([n, f], i) => u32(n, i, f)))

const texture = (name: string, mask = '', filter = 0x1106): Build => chunk(6, struct(u32(filter)), str(name), str(mask), ext())
const material =
  (rgba: number[], name?: string, ...plugins: Build[]): Build =>
  (stamp) =>
    chunk(
      7,
      version(stamp) < 0x30400
        ? struct(u32(0), u8(...rgba), u32(0xdeadbeef, name ? 1 : 0))
        : struct(u32(0), u8(...rgba), u32(0xdeadbeef, name ? 1 : 0), f32(1, 0.5, 0.25)),
      ...(name ? [texture(name)] : []),
      ext(...plugins),
    )(stamp)
const materials = (list: (Build | number)[]): Build =>
  chunk(
    8,
    struct(u32(list.length, ...list.map((m) => (typeof m === 'number' ? m : 0xffffffff)))),
    ...list.filter((m) => typeof m !== 'number'),
  )

interface Geometry {
  vertices: number[][]
  /** first, second, last, material */
  triangles: number[][]
  normals?: number[][]
  uvs?: number[][][]
  prelit?: number[][]
  flags?: number
  /** sets in bits 16-23; -1 leaves them 0 */
  sets?: number
  morphs?: { vertices: number[][]; normals?: number[][] }[]
  materials?: (Build | number)[]
  extension?: Build[]
}

function geometry({
  vertices,
  triangles,
  normals,
  uvs = [],
  prelit,
  flags = 0x42,
  sets,
  morphs,
  materials: list = [material([255, 255, 255, 255])],
  extension = [],
}: Geometry): Build {
  return (stamp) => {
    const format =
      flags |
      (uvs.length === 1 ? 4 : uvs.length > 1 ? 0x80 : 0) |
      (prelit ? 8 : 0) |
      (normals ? 0x10 : 0) |
      ((sets ?? uvs.length) >= 0 ? (sets ?? uvs.length) << 16 : 0)
    const targets = morphs ?? [{ vertices, normals }]
    return chunk(
      0xf,
      struct(
        u32(format, triangles.length, vertices.length, targets.length),
        version(stamp) < 0x34000 ? f32(1, 1, 1) : bytes(),
        ...(prelit ?? []).map((c) => u8(...c)),
        ...uvs.flat().map((p) => f32(...p)),
        ...triangles.map(([a, b, c, m = 0]) => u16(b, a, m, c)),
        ...targets.map((t) =>
          bytes(
            f32(0, 0, 0, 5),
            u32(1, t.normals ? 1 : 0),
            ...t.vertices.map((p) => f32(...p)),
            ...(t.normals ?? []).map((p) => f32(...p)),
          ),
        ),
      ),
      materials(list),
      ext(...extension),
    )(stamp)
  }
}

const binMesh = (flags: number, meshes: [number, number[]][]): Build =>
  chunk(
    0x50e,
    u32(
      flags,
      meshes.length,
      meshes.reduce((n, [, ix]) => n + ix.length, 0),
    ),
    ...meshes.map(([m, ix]) => u32(ix.length, m, ...ix)),
  )
const atomic = (frame: number, geom: number | Build, ...extension: Build[]): Build =>
  typeof geom === 'number'
    ? chunk(0x14, struct(u32(frame, geom, 5, 0x1234)), ext(...extension))
    : chunk(0x14, struct(u32(frame, 5, 0x1234)), geom, ext(...extension))

function clump(frames: Frame[], geometries: Build[], atomics: Build[], more: Build[] = [], counts?: number[]): Build {
  return (stamp) => {
    const old = version(stamp) <= 0x33000
    return chunk(
      0x10,
      struct(u32(...(counts ?? (old ? [atomics.length] : [atomics.length, 0, 0])))),
      frameList(frames),
      ...(version(stamp) >= 0x30400 ? [chunk(0x1a, struct(u32(geometries.length)), ...geometries)] : []),
      ...atomics,
      ...more,
      ext(),
    )(stamp)
  }
}

const tri = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 0, 1],
]
const one: Frame[] = [
  { name: 'dummy', parent: -1 },
  { name: 'part', parent: 0, pos: [1, 2, 3] },
]
/** (x, y, z) with Z up and +Y front to the scene */
const sp = ([x, y, z]: number[]): number[] => [-x, z, y]
const find = (f: Folder, file: string, type: RegExp | string): StructureNode => {
  const root = f.info(file).structure!
  const found = findNode(root, (n) => (typeof type === 'string' ? n.type === type : type.test(n.type)))
  if (!found) throw new Error(`${type} is not in ${tree(root)}`)
  return found
}
const dff = (build: Build, stamp = SA): Folder => folder({ 'a.dff': build(stamp) })

// --- chunks -------------------------------------------------------------------------------------------------------

describe('chunks and stamps', () => {
  const plain = clump(
    one,
    [geometry({ vertices: tri, triangles: [[0, 1, 2, 0]], extension: [binMesh(0, [[0, [0, 1, 2]]])] })],
    [atomic(1, 0)],
  )

  it('of every version are typed whole, with the version shown', () => {
    for (const [stamp, text] of [
      [SA, '3.6.0.3'],
      [V35, '3.5.0.0'],
      [V34, '3.4.0.3'],
      [V33, '3.3.0.2'],
      [V37, '3.7.0.2'],
      [0x1c02ffff, '3.7.0.2'],
      [0x0401ffff, '3.1.0.1'],
    ] as const) {
      // below 3.4 geometries... the page: the list from 0x30400 on, so all of these have it
      const f = dff(plain, stamp)
      f.lossless(0)
      expect(tree(f.info('a.dff').structure!), text).toContain(text)
      expectNear(posed(f.scene().scene, 0)[1], sp([2, 2, 3]))
      expect(f.lint(), text).toEqual([])
    }
  })

  it('3.1: geometry stands in the atomic', () => {
    const inline = chunk(0x10, struct(u32(1)), frameList(one), atomic(1, geometry({ vertices: tri, triangles: [[0, 1, 2, 0]] })), ext())
    // 0x0310 means 3.1.0.0, whose list is there; 3.0.0.3 has it inline
    const f = dff(inline, 0x00000300)
    f.lossless(0)
    expect(f.scene().scene.meshes.length).toBe(1)
    expectNear(posed(f.scene().scene, 0)[1], sp([2, 2, 3]))
    const g = dff(plain, V31)
    g.lossless(0)
    expect(tree(g.info('a.dff').structure!)).toContain('3.1.0.0')
  })

  it('padding, trailing junk, lock chunks, second roots, nested extensions', () => {
    const root = plain(SA)
    const cases: [Uint8Array, number][] = [
      [bytes(root, fill(2048 - (root.length % 2048), 0)), 2048 - (root.length % 2048)],
      [bytes(root, fill(33, 0x41)), 33],
      [bytes(root, u32(0xf21e, 8, SA), fill(8, 5)), 8],
      [bytes(root, ext()(SA)), 0],
      [clump([{ name: 'x', parent: -1, more: [ext(ext(chunk(0x123456, fill(5, 1))))] }], [], [])(SA), 5],
    ]
    for (const [file, opaque] of cases) {
      const f = folder({ 'a.dff': file })
      const report = f.roundtrip()
      expect(report.failures).toEqual([])
      expect(report.opaqueBytes).toBeLessThanOrEqual(opaque + (opaque === 8 ? 12 : 0))
      expect(f.info('a.dff').readOnly).toBe('')
    }
  })

  it('locked sizes and sizes that are too short are salvaged, told and written back', () => {
    const root = plain(SA)
    const locked = root.slice()
    locked[12 + 7] = 1 // size of the clump's struct: 0x0100000C
    const f = folder({ 'a.dff': locked })
    f.lossless(0)
    expect(f.lint()).toContain('renderware.locked-size')
    expectNear(posed(f.scene().scene, 0)[1], sp([2, 2, 3]))
    const short = root.slice()
    short.set(u32(root.length - 12 - 12), 4)
    const g = folder({ 'a.dff': short })
    g.lossless(0)
    expect(g.lint()).toContain('renderware.short-size')
    expectNear(posed(g.scene().scene, 0)[1], sp([2, 2, 3]))
  })

  it('UVAnimDict first, several clumps', () => {
    const uv = chunk(
      0x1b,
      u32(0x100, 0x1c0, 1, 0),
      f32(2),
      u32(0),
      field('scroll', 32, 0xee),
      u32(0, 0, 0, 0, 0, 0, 0, 0),
      f32(0, 0, 1, 1, 0, 0.5, 0),
      u32(0xffffffff),
    )
    const file = bytes(chunk(0x2b, struct(u32(1)), uv)(SA), plain(SA), plain(SA))
    const f = folder({ 'a.dff': file })
    f.lossless(0)
    expect(f.info('a.dff').format).toBe('renderware.dff')
    expect(f.scene().scene.meshes.length).toBe(2)
    expect(tree(f.info('a.dff').structure!)).toContain('scroll')
  })
})

// --- geometry -----------------------------------------------------------------------------------------------------

describe('geometry', () => {
  const quad = [
    [0, 0, 0],
    [1, 0, 0],
    [0, 0, 1],
    [1, 0, 1],
  ]
  const uv = [
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
  ]
  it('takes materials from BinMesh, lists and strips', () => {
    const list = [material([255, 0, 0, 255], 'red'), material([0, 0, 255, 128], 'blue')]
    const g = (bin: Build[]): Build =>
      clump(
        one,
        [
          geometry({
            vertices: quad,
            triangles: [
              [0, 1, 2, 0],
              [2, 1, 3, 0],
            ],
            uvs: [uv],
            normals: quad.map(() => [0, -1, 0]),
            prelit: quad.map(() => [1, 2, 3, 4]),
            materials: list,
            extension: bin,
          }),
        ],
        [atomic(0, 0)],
      )
    for (const bin of [
      binMesh(0, [
        [1, [0, 1, 2]],
        [0, [2, 1, 3]],
      ]),
      binMesh(1, [
        [1, [0, 1, 2]],
        [0, [2, 1, 3, 3]],
      ]),
    ]) {
      const f = dff(g([bin]))
      f.lossless(0)
      const { scene } = f.scene()
      const groups = scene.meshes[0].groups.map((x) => [
        scene.materials[x.material].diffuse.map((v) => Math.round(255 * v)).join(),
        [...scene.meshes[0].indices.slice(x.start, x.start + x.count)].length,
      ])
      expect(groups).toEqual([
        ['0,0,255,128', 3],
        ['255,0,0,255', 3],
      ])
      expect([...scene.meshes[0].uvs[0]]).toEqual(uv.flat())
    }
    // strip: every second triangle turns round; all face -Y as the list's do, which is -Z of the scene
    const strip = dff(g([binMesh(1, [[0, [0, 1, 2, 3]]])])).scene().scene.meshes[0]
    const bare = dff(g([])).scene().scene.meshes[0]
    for (const mesh of [strip, bare]) {
      expect(mesh.indices.length).toBe(6)
      for (let t = 0; t < 6; t += 3) {
        const [a, b, c] = [0, 1, 2].map((k) => [...mesh.positions.slice(3 * mesh.indices[t + k], 3 * mesh.indices[t + k] + 3)])
        const e1 = b.map((v, i) => v - a[i])
        const e2 = c.map((v, i) => v - a[i])
        expect(e1[0] * e2[1] - e1[1] * e2[0]).toBeLessThan(0)
      }
    }
  })

  it('UV sets by count or by flags, morph targets, reused materials, native data', () => {
    for (const [n, sets, flags] of [
      [2, undefined, 0x42],
      [3, undefined, 0x42],
      [1, -1, 0x42],
      [2, -1, 0x42],
    ] as const) {
      const f = dff(clump(one, [geometry({ vertices: quad, triangles: [[0, 1, 2]], uvs: Array(n).fill(uv), sets, flags })], [atomic(0, 0)]))
      f.lossless(0)
      expect(f.scene().scene.meshes[0].uvs.length).toBe(n)
    }
    const morph = dff(
      clump(
        one,
        [
          geometry({
            vertices: quad,
            triangles: [[0, 1, 2]],
            normals: quad,
            morphs: [{ vertices: quad, normals: quad }, { vertices: quad }],
          }),
        ],
        [atomic(0, 0)],
      ),
    )
    morph.lossless(0)
    expect(posed(morph.scene().scene, 0).length).toBe(4)
    const reuse = dff(
      clump(one, [geometry({ vertices: quad, triangles: [[0, 1, 2, 1]], materials: [material([1, 2, 3, 255]), 0] })], [atomic(0, 0)]),
    )
    reuse.lossless(0)
    const { scene } = reuse.scene()
    expect(scene.materials[scene.meshes[0].groups[0].material].diffuse[0]).toBeCloseTo(1 / 255)
    const native = chunk(
      0xf,
      struct(u32(0x01010006, 1, 3, 1), f32(0, 0, 0, 1), u32(0, 0)),
      materials([material([1, 2, 3, 255])]),
      ext(chunk(0x510, struct(u32(4), fill(40, 7))), chunk(0x116, struct(u32(4), u8(1, 1, 1, 0), u8(0), fill(64 + 16 + 12, 3)))),
    )
    const nat = dff(clump(one, [native], [atomic(0, 0)]))
    expect(nat.roundtrip()).toMatchObject({ failures: [], identical: 1 })
    expect(nat.info('a.dff').error).toBeUndefined()
    expect(nat.scene().scene.skeleton.count).toBe(2)
  })

  it('plugins of materials, geometries, atomics, frames and clumps', () => {
    const matfx = chunk(0x120, u32(3), u32(1), f32(0.5), u32(1), texture('bump'), u32(0), u32(2), f32(0.25), u32(0, 1), texture('env'))
    const dual = chunk(0x120, u32(4), u32(4, 5, 6, 1), texture('dual'), u32(0))
    const spec = chunk(0x253f2f6, f32(0.5), field('spec', 24, 0xaa))
    const refl = chunk(0x253f2fc, f32(1, 2, 3, 4, 0.5), u32(0))
    const pipe = chunk(0x253f2f3, u32(0x53f2009a))
    const user = chunk(0x11f, u32(2), u32(4), ascii('key\0'), u32(1, 2, 7, 8), u32(3), ascii('fl\0'), u32(2, 1), f32(1.5))
    const night = chunk(0x253f2f9, u32(1), fill(4 * 3, 9))
    const effects = chunk(0x253f2f8, u32(2), f32(1, 2, 3), u32(0, 4), fill(4, 1), f32(4, 5, 6), u32(4, 0))
    const breakable = chunk(0x253f2fd, u32(0))
    const col = chunk(0x253f2fa, ascii('COL3'), u32(20), fill(20, 2))
    const light: Build[] = [struct(u32(0)), chunk(0x12, struct(f32(10, 1, 0.5, 0.25, 0), u32(0x00800003)), ext())]
    const f = dff(
      clump(
        [
          { name: 'dummy', parent: -1, more: [user] },
          { name: 'part', parent: 0 },
        ],
        [
          geometry({
            vertices: tri,
            triangles: [[0, 1, 2, 1]],
            materials: [material([1, 2, 3, 4], 'tex', matfx, spec), material([4, 3, 2, 255], 'tex2', dual, refl)],
            extension: [binMesh(0, [[1, [0, 1, 2]]]), night, effects, breakable, user],
          }),
        ],
        [atomic(1, 0, chunk(0x1f, u32(0x120, 0)), chunk(0x120, u32(1)), pipe)],
        light,
        [1, 1, 0],
      ),
    )
    // the data of the first effect, which the page skips by its size
    f.lossless(4)
    const camera: Build[] = [struct(u32(0)), chunk(5, struct(f32(1, 1, 0, 0, 0.1, 100, 50), u32(1)), ext())]
    expect(dff(clump(one, [], [], camera, [0, 0, 1])).roundtrip()).toMatchObject({ failures: [], identical: 1 })
    const g = dff(clump(one, [], [], [col], [0, 0, 0]))
    expect(g.roundtrip().opaqueBytes).toBeLessThanOrEqual(28)
    const shown = tree(f.info('a.dff').structure!)
    for (const s of ['bump', 'env', 'dual', 'spec', 'key', 'deadbeef']) expect(shown).toContain(s)
    expect(f.lint()).toEqual(['renderware.texture-missing', 'renderware.texture-missing'].slice(0, f.lint().length))
    expect(shown).toMatch(/text=tex@/)
  })
})

// --- skins --------------------------------------------------------------------------------------------------------

const mat = (x: number, y: number, z: number, pad: number[] = [0, 0, 0, 0]): Uint8Array =>
  bytes(f32(1, 0, 0), u32(pad[0]), f32(0, 1, 0), u32(pad[1]), f32(0, 0, 1), u32(pad[2]), f32(x, y, z), u32(pad[3]))
const junkPads = [0x80000000, 0x6d33645c, 0x7fa00001, 0x3f800000]

interface SkinParts {
  layout?: 'new' | 'old'
  used?: number[]
  max?: number
  vertices: [number[], number[]][]
  bones: Uint8Array[]
  split?: Uint8Array
  dead?: number
}

function skin({ layout = 'new', used = [], max = 0, vertices, bones, split = u32(0, 0, 0), dead = 0xdeaddead }: SkinParts): Build {
  return chunk(
    0x116,
    u8(bones.length, used.length, max, 0),
    u8(...used),
    ...vertices.map(([ix]) => u8(...ix, ...fill(4 - ix.length, 0))),
    ...vertices.map(([, w]) => f32(...w, ...fill(4 - w.length, 0))),
    ...bones.map((m) => (layout === 'old' ? bytes(u32(dead), m) : m)),
    layout === 'new' ? split : bytes(),
  )
}

/** root node 0 with two children: at x = 2 and, on a table that is not in frame order, at x = 5 */
const pedFrames: Frame[] = [
  { name: 'ped', parent: -1 },
  {
    name: 'Root',
    parent: 0,
    hanim: hanimTable(0, [
      [0, 0],
      [1, 3],
      [2, 1],
    ]),
  },
  { name: 'Second', parent: 1, pos: [5, 0, 0], hanim: hanimId(2) },
  { name: 'First', parent: 1, pos: [2, 0, 0], hanim: hanimId(1) },
]
const binds = (pads = [0, 0, 0, 0]): Uint8Array[] => [mat(0, 0, 0, pads), mat(-2, 0, 0, pads), mat(-5, 0, 0, pads)]
/** slots without weight hold junk */
const weighted: [number[], number[]][] = [
  [
    [1, 2, 2, 2],
    [1, 0, 0, 0],
  ],
  [
    [2, 1],
    [0.75, 0.25],
  ],
  [[2], [1]],
]
const ped = (s: Build, more: Build[] = []): Build =>
  clump(
    pedFrames,
    [
      geometry({
        vertices: [
          [2, 0, 0],
          [4, 0, 0],
          [5, 1, 0],
        ],
        triangles: [[0, 1, 2]],
        extension: [s, binMesh(0, [[0, [0, 1, 2]]]), ...more],
      }),
    ],
    [atomic(1, 0, chunk(0x1f, u32(0x116, 1)))],
  )

describe('Skin PLG', () => {
  /** three bones are no ped; junk in matrices does no harm and is said to be there */
  const missing = ['renderware.missing-nodes', 'renderware.matrix-padding']
  const codes = (f: Folder): string[] => f.lint().filter((c) => !missing.includes(c) && c !== 'renderware.translation-not-root')

  it('new, old and split layouts are told apart by size, under any stamp', () => {
    const split = bytes(u32(2, 1, 2), u8(0, 1, 0xff), u8(0, 2), u8(0, 1), u8(2, 1))
    const layouts: [string, SkinParts][] = [
      ['new', { used: [1, 2], max: 2, vertices: weighted, bones: binds(junkPads) }],
      ['old', { layout: 'old', vertices: weighted, bones: binds(junkPads) }],
      ['new', { used: [1, 2], max: 2, vertices: weighted, bones: binds(), split }],
      // header bytes that say otherwise: the size decides
      ['new', { used: [1, 2], max: 0, vertices: weighted, bones: binds() }],
      ['old', { layout: 'old', max: 3, vertices: weighted, bones: [...binds(), mat(0, 0, 0)], dead: 0 }],
    ]
    for (const [layout, parts] of layouts) {
      for (const stamp of [SA, V33, V34, V37]) {
        const f = dff(ped(skin(parts)), stamp)
        f.lossless(0)
        const node = find(f, 'a.dff', /^Skin/)
        expect(tree(node).toLowerCase(), `${layout} 0x${stamp.toString(16)}`).toContain(layout)
        expect(fieldsOf(node)).toMatchObject({ numBones: [String(parts.bones.length), node.start + 12] })
      }
    }
    // 12 = 4 x 3: both sizes are the same, the header decides
    const tie = dff(ped(skin({ used: [], max: 0, layout: 'old', vertices: weighted, bones: binds() })))
    expect(tree(find(tie, 'a.dff', /^Skin/)).toLowerCase()).toContain('old')
    const tie2 = dff(ped(skin({ used: [], max: 2, layout: 'new', vertices: weighted, bones: binds() })))
    expect(tree(find(tie2, 'a.dff', /^Skin/)).toLowerCase()).toContain('new')
    tie.lossless(0)
    tie2.lossless(0)
  })

  it('is shown field by field at its offsets', () => {
    const f = dff(ped(skin({ used: [1, 2], max: 2, vertices: weighted, bones: binds() })))
    const node = find(f, 'a.dff', /^Skin/)
    const at = node.start + 12
    const fields = fieldsOf(node)
    expect(fields).toMatchObject({
      numUsedBones: ['2', at + 1],
      maxWeightsPerVertex: ['2', at + 2],
      padding: ['0', at + 3],
      bonesUsed: ['1, 2', at + 4],
      vertexBoneIndices: [expect.any(String), at + 6],
      vertexBoneWeights: [expect.any(String), at + 18],
    })
    expect(fields.boneLimit?.[1]).toBe(at + 18 + 48 + 192)
  })

  it('binds by inverse(skinToBone), in node order, raw vertices where the skin was bound', () => {
    const ifp = anp3([{ name: 'walk', bones: [{ name: 'First', type: 4, id: 1, keys: [[0, 0, 0, 4096, 0, 2 * 1024, 0, 1024]] }] }])
    for (const layout of ['new', 'old'] as const) {
      const f = folder({
        'a.dff': ped(
          skin({ layout, used: layout === 'new' ? [1, 2] : [], max: layout === 'new' ? 2 : 0, vertices: weighted, bones: binds(junkPads) }),
        )(SA),
        'ped.ifp': ifp,
      })
      const { scene } = f.scene('a.dff')
      expect(scene.skins.length).toBe(1)
      const at = posed(scene, 0)
      expectNear(at[0], sp([2, 0, 0]))
      expectNear(at[1], sp([4, 0, 0]))
      expectNear(at[2], sp([5, 1, 0]))
      expectNear(joints(scene).First, sp([2, 0, 0]))
      expectNear(joints(scene).Second, sp([5, 0, 0]))
      // First moves to z = 1: vertex 0 whole, vertex 1 a quarter, vertex 2 not
      if (scene.clips.length) {
        const moved = posed(scene, 0, 0, 0)
        expectNear(moved[0], sp([2, 0, 1]))
        expectNear(moved[1], sp([4, 0, 0.25]))
        expectNear(moved[2], sp([5, 1, 0]))
      }
      expect(codes(f)).toEqual([])
    }
  })

  it('split data: runs that do not hold together are told', () => {
    const parts: SkinParts = { used: [1, 2], max: 2, vertices: weighted, bones: binds() }
    // one mesh, bones 1 and 2: one run, slots 0 and 1
    const good = bytes(u32(2, 1, 1), u8(0xff, 0, 1), u8(0, 1), u8(1, 2))
    expect(codes(dff(ped(skin({ ...parts, split: good }))))).toEqual([])
    for (const bad of [
      bytes(u32(2, 1, 1), u8(0xff, 1, 0), u8(0, 1), u8(1, 2)),
      bytes(u32(2, 1, 1), u8(0xff, 0, 1), u8(0, 5), u8(1, 2)),
      bytes(u32(1, 1, 1), u8(0xff, 0, 1), u8(0, 1), u8(1, 2)),
      bytes(u32(2, 2, 1), u8(0xff, 0, 1), u8(0, 1, 0, 1), u8(1, 2)),
      bytes(u32(2, 1, 1), u8(0xff, 0, 0xff), u8(0, 1), u8(1, 1)),
    ]) {
      const f = dff(ped(skin({ ...parts, split: bad })))
      f.lossless(0)
      expect(codes(f).length).toBeGreaterThan(0)
    }
  })

  it('legacy on the atomic', () => {
    const legacy = chunk(
      0x116,
      u32(2, 3),
      ...tri.map(() => u8(1, 0, 0, 0)),
      ...tri.map(() => f32(1, 0, 0, 0)),
      u32(0, 0, 0xffffff00),
      mat(0, 0, 0),
      u32(1, 1, 3),
      mat(-2, 0, 0),
    )
    const f = dff(
      clump(
        [
          { name: 'a', parent: -1 },
          { name: 'b', parent: 0 },
          { name: 'c', parent: 1, pos: [2, 0, 0] },
        ],
        [geometry({ vertices: tri, triangles: [[0, 1, 2]] })],
        [atomic(0, 0, legacy)],
      ),
      V33,
    )
    f.lossless(0)
    expect(tree(find(f, 'a.dff', /^Skin/)).toLowerCase()).toContain('legacy')
    expect(f.scene().scene.skins.length).toBe(1)
  })

  it('rules of what breaks the game', () => {
    const good: SkinParts = { used: [1, 2], max: 2, vertices: weighted, bones: binds() }
    const rules: [Build, RegExp][] = [
      [ped(skin({ ...good, vertices: [[[1], [0]], weighted[1], weighted[2]] })), /zero/],
      [ped(skin({ ...good, vertices: [[[7], [1]], weighted[1], weighted[2]] })), /bone-range/],
      [ped(skin({ ...good, used: [0, 1] })), /used/],
      [ped(skin({ ...good, max: 1 })), /max|weights/],
      [ped(skin({ ...good, max: 5 })), /max|weights/],
      [ped(skin({ ...good, vertices: [[[1], [0.5]], weighted[1], weighted[2]] })), /sum/],
      [ped(skin({ ...good, bones: [...binds(), mat(0, 0, 0)] })), /bone-count|nodes|num/],
      [ped(skin({ ...good, bones: [binds()[0], fill(64, 0), binds()[2]] })), /singular|matri/],
      [
        clump(
          pedFrames.map((x) => ({ ...x, hanim: undefined })),
          [geometry({ vertices: tri, triangles: [[0, 1, 2]], extension: [skin(good)] })],
          [atomic(1, 0)],
        ),
        /hanim/,
      ],
    ]
    for (const [build, code] of rules) {
      const f = dff(build)
      expect(f.roundtrip().failures, String(code)).toEqual([])
      expect(codes(f), String(code)).toContainEqual(expect.stringMatching(code))
    }
    const hanims: [Uint8Array, RegExp][] = [
      [
        hanimTable(
          0,
          [
            [0, 0],
            [1, 3],
            [2, 1],
          ],
          2,
        ),
        /no-matrices/,
      ],
      [
        hanimTable(
          0,
          [
            [0, 0],
            [1, 3],
            [2, 1],
          ],
          0,
          20,
        ),
        /key-size/,
      ],
      [
        hanimTable(0, [
          [0, 0],
          [1, 3],
          [1, 1],
        ]),
        /duplicate/,
      ],
      [
        hanimTable(0, [
          [0, 2],
          [1, 2],
          [2, 1],
        ]),
        /push-pop/,
      ],
      [bytes(u32(0x101, 0, 3, 0, 36), u32(0, 0, 0, 1, 1, 3, 2, 2, 1)), /version/],
      [bytes(u32(0x100, 0, 3, 0, 36), u32(0, 0, 0, 1, 2, 3, 2, 1, 1)), /node-order/],
    ]
    for (const [table, code] of hanims) {
      const frames = pedFrames.map((x, i) => (i === 1 ? { ...x, hanim: table } : x))
      const f = dff(clump(frames, [geometry({ vertices: tri, triangles: [[0, 1, 2]], extension: [skin(good)] })], [atomic(1, 0)]))
      f.lossless(0)
      const said = codes(f)
      expect(said, String(code)).toContainEqual(expect.stringMatching(code))
    }
    const name24 = dff(clump([{ name: 'abcdefghijklmnopqrst\0\0\0\0', parent: -1 }], [], []))
    expect(name24.lint()).toContain('renderware.node-name-length')
    const name23 = dff(clump([{ name: 'abcdefghijklmnopqrstuvw', parent: -1 }], [], []))
    expect(name23.lint()).not.toContain('renderware.node-name-length')
  })
})

// --- IFP ----------------------------------------------------------------------------------------------------------

interface IfpBone {
  name: string
  type: number
  id: number
  keys: number[][]
}

/** type 1 and 2: q, time, t as floats; 3 and 4: shorts. Key as [qx, qy, qz, qw, time, ...t] */
function anp3(anims: { name: string; bones: IfpBone[] }[], { tail = bytes(), tag = 'ANP3', junk = 0xcd } = {}): Uint8Array {
  const key = (type: number, k: number[]): Uint8Array =>
    type <= 2 ? f32(...k.slice(0, type === 2 ? 8 : 5)) : i16(...k.slice(0, type === 4 ? 8 : 5))
  const body = bytes(
    field('pack', 24, junk),
    u32(anims.length),
    ...anims.map((a) => {
      const bones = a.bones.map((b) => ({
        head: bytes(field(b.name, 24, junk), u32(b.type, b.keys.length, b.id)),
        keys: bytes(...b.keys.map((k) => key(b.type, k))),
      }))
      return bytes(
        field(a.name, 24, junk),
        u32(
          a.bones.length,
          bones.reduce((n, b) => n + b.keys.length, 0),
        ),
        tag === 'ANP3' ? u32(1) : bytes(),
        ...bones.map((b) => bytes(b.head, b.keys)),
      )
    }),
  )
  return bytes(ascii(tag), u32(body.length), body, tail)
}

const fourCc = (tag: string, ...body: Uint8Array[]): Uint8Array => {
  const b = bytes(...body)
  return bytes(ascii(tag), u32(b.length), b, fill((4 - (b.length % 4)) % 4, 0x5a))
}

interface PkBone {
  name: string
  id: number
  tag?: string
  keys: number[][]
  long?: boolean
}

function anpk(anims: { name: string; bones: PkBone[] }[]): Uint8Array {
  return fourCc(
    'ANPK',
    fourCc('INFO', u32(anims.length), ascii('pack\0')),
    ...anims.flatMap((a) => [
      fourCc('NAME', ascii(`${a.name}\0`)),
      fourCc(
        'DGAN',
        fourCc('INFO', u32(a.bones.length, 0)),
        ...a.bones.map((b) =>
          fourCc(
            'CPAN',
            fourCc('ANIM', field(b.name, 28, 0xab), u32(b.keys.length, 0, b.keys.length - 1), b.long ? u32(1, 2) : u32(b.id)),
            ...(b.keys.length ? [fourCc(b.tag ?? 'KR00', ...b.keys.map((k) => f32(...k)))] : []),
          ),
        ),
      ),
    ]),
  )
}

const sq = Math.SQRT1_2

describe('IFP', () => {
  const model = ped(skin({ used: [1, 2], max: 2, vertices: weighted, bones: binds() }))(SA)
  const bones = (type: number): IfpBone[] => {
    const r = type <= 2 ? 1 : 4096
    const t = type <= 2 ? 1 : 1024
    const s = type <= 2 ? 1 : 60
    return [
      {
        name: 'Root',
        type,
        id: 0,
        keys: [
          [0, 0, 0, r, 0, 0, 0, 0],
          [0, 0, Math.fround(sq * r), Math.fround(sq * r), s, 0, t, 0],
        ],
      },
      { name: 'First', type, id: 1, keys: [[0, 0, 0, r, 0, 2 * t, 0, 0]] },
      { name: 'Second', type, id: 2, keys: [[0, 0, 0, r, 0, 5 * t, 0, 0]] },
    ]
  }

  it('ANP3 types 1 to 4: units, sign and times', () => {
    for (const type of [1, 2, 3, 4]) {
      const f = folder({ 'a.dff': model, 'ped.ifp': anp3([{ name: 'turn', bones: bones(type) }]) })
      f.lossless(0)
      const { scene } = f.scene('a.dff')
      expect(scene.clips.length, `type ${type}`).toBe(1)
      expect(scene.clips[0]).toMatchObject({ name: 'turn', rate: 60, start: 0, end: 60 })
      const at = joints(scene, 0, 60)
      const y = type === 1 || type === 3 ? 0 : 1
      // +90 about Z with row vectors right.y = 2(xy + wz): X goes to +Y
      expectNear(at.Root, sp([0, y, 0]), 3)
      expectNear(at.First, sp([0, y + 2, 0]), 2)
      expectNear(at.Second, sp([0, y + 5, 0]), 2)
      expectNear(joints(scene, 0, 0).First, sp([2, 0, 0]), 3)
    }
  })

  it('stale tails, junk names, bones without number, ANP2', () => {
    const list = bones(4).map((b) => ({ ...b, id: 0xffffffff }))
    const f = folder({
      'a.dff': model,
      'ped.ifp': anp3(
        [
          { name: 'turn', bones: list },
          { name: 'two', bones: bones(3) },
        ],
        { tail: fill(99, 0x33) },
      ),
    })
    f.lossless(99)
    expect(f.lint('ped.ifp')).toContain('renderware.stale-tail')
    expectNear(joints(f.scene('a.dff').scene, 0, 60).First, sp([0, 3, 0]), 2)
    const two = folder({ 'ped.ifp': anp3([{ name: 'turn', bones: bones(4) }], { tag: 'ANP2' }) })
    expect(two.roundtrip()).toMatchObject({ failures: [], identical: 1 })
    expect(two.info('ped.ifp').summary?.clips).toMatchObject([{ name: 'turn', tracks: 3 }])
  })

  it('ANPK: conjugated, seconds, 44 and 48 bytes of ANIM, no keys', () => {
    const list = (long: boolean): PkBone[] => [
      {
        name: 'Root',
        id: 0,
        tag: 'KRT0',
        long,
        keys: [
          [0, 0, 0, 1, 0, 0, 0, 0],
          [0, 0, -sq, sq, 0, 1, 0, 1],
        ],
      },
      { name: 'First', id: 1, tag: 'KR00', long, keys: [[0, 0, 0, 1, 0]] },
      { name: 'Second', id: 2, tag: 'KRTS', long, keys: [[0, 0, 0, 1, 5, 0, 0, 1, 1, 1, 0]] },
      { name: 'Nothing', id: 9, long, keys: [] },
    ]
    for (const long of [false, true]) {
      const f = folder({
        'a.dff': model,
        'ped.ifp': anpk([
          { name: 'turn', bones: list(long) },
          { name: 'a', bones: [] },
        ]),
      })
      expect(f.roundtrip(), `${long}`).toMatchObject({ failures: [], identical: 2 })
      // at most the padding behind names
      expect(f.roundtrip().opaqueBytes).toBeLessThan(16)
      const { scene } = f.scene('a.dff')
      expect(scene.clips[0]).toMatchObject({ name: 'turn', rate: 1, end: 1 })
      const at = joints(scene, 0, 1)
      expectNear(at.Root, sp([0, 1, 0]))
      expectNear(at.First, sp([0, 3, 0]))
      expectNear(at.Second, sp([0, 6, 0]))
    }
  })
})

// --- RtAnim -------------------------------------------------------------------------------------------------------

describe('RtAnim', () => {
  it('types 1 and 2, keys by their previous ones, unknown types', () => {
    const model = ped(skin({ used: [1, 2], max: 2, vertices: weighted, bones: binds() }))(SA)
    const key = (t: number, q: number[], p: number[], prev: number): Uint8Array => bytes(f32(t, ...q, ...p), u32(prev))
    const id = [0, 0, 0, 1]
    const type1 = chunk(
      0x1b,
      u32(0x100, 1, 5, 0),
      f32(1),
      key(0, id, [0, 0, 0], 0x12345678),
      key(0, id, [2, 0, 0], 0x12345678),
      key(0, id, [5, 0, 0], 0x9abcdef0),
      key(1, id, [0, 0, 7], 0),
      key(1, id, [2, 0, 4], 36),
    )(SA)
    const f = folder({ 'a.dff': model, 'a.anm': type1 })
    f.lossless(0)
    const { scene } = f.scene('a.dff')
    expect(scene.clips.length).toBe(1)
    const at = joints(scene, 0, 1)
    expectNear(at.Root, sp([0, 0, 7]))
    expectNear(at.First, sp([2, 0, 11]))
    expectNear(at.Second, sp([5, 0, 7]))
    // 1.0: 0x3f800000 - 0x38000000 = 0x07800000 >> 12
    const h1 = 0x7800
    const half = 0x7000
    const key2 = (t: number, p: number[], prev: number): Uint8Array => bytes(f32(t), u16(0, 0, 0, h1, ...p), u32(prev))
    const type2 = chunk(
      0x1b,
      u32(0x100, 2, 4, 0),
      f32(1),
      key2(0, [0, 0, 0], 0x123),
      key2(0, [h1, 0, 0], 0x123),
      key2(0, [half, 0, 0], 0x123),
      key2(1, [h1, 0, h1], 24),
      f32(0, 0, 1),
      f32(2, 1, 10),
    )(SA)
    const g = folder({ 'a.dff': model, 'a.anm': type2 })
    g.lossless(0)
    const end = joints(g.scene('a.dff').scene, 0, 1)
    expectNear(end.First, sp([2, 0, 1 + 1 + 10]))
    expectNear(end.Second, sp([1, 0, 2]))
    const odd = folder({ 'a.anm': chunk(0x1b, u32(0x100, 0x1103, 4, 0), f32(1), fill(50, 9))(SA) })
    expect(odd.roundtrip()).toMatchObject({ failures: [], identical: 1, opaqueBytes: 50 })
  })
})

// --- TXD ----------------------------------------------------------------------------------------------------------

interface Raster {
  name?: string
  platform?: number
  format: number
  d3d?: number
  width: number
  height: number
  depth: number
  levels: Uint8Array[]
  count?: number
  flags?: number
  palette?: Uint8Array
}

const native = ({
  name = 'tex',
  platform = 9,
  format,
  d3d = 0,
  width,
  height,
  depth,
  levels,
  count,
  flags = 0,
  palette = bytes(),
}: Raster): Build =>
  chunk(
    0x15,
    struct(
      u32(platform, 0x1106),
      field(name, 32, 0),
      field('', 32, 0),
      u32(format, d3d),
      u16(width, height),
      u8(depth, count ?? levels.length, 4, flags),
      palette,
      ...levels.map((l) => bytes(u32(l.length), l)),
    ),
    ext(),
  )
const txd = (list: Build[], stamp = SA, nativeStamp = stamp): Uint8Array =>
  chunk(
    0x16,
    version(stamp) < 0x36000 ? struct(u32(list.length)) : struct(u16(list.length, 2)),
    ...list.map((b) => () => b(nativeStamp)),
    ext(),
  )(stamp)

describe('TXD', () => {
  const shown = (r: Raster): number[] => {
    const model = clump(
      one,
      [
        geometry({
          vertices: tri,
          triangles: [[0, 1, 2]],
          uvs: [
            [
              [0, 0],
              [1, 0],
              [0, 1],
            ],
          ],
          materials: [material([255, 255, 255, 255], 'tex')],
          extension: [binMesh(0, [[0, [0, 1, 2]]])],
        }),
      ],
      [atomic(0, 0)],
    )(SA)
    const f = folder({ 'a.dff': model, 'a.txd': txd([native(r)]) })
    f.lossless(0)
    expect(f.lint(), JSON.stringify(r.format)).toEqual([])
    const { scene } = f.scene('a.dff')
    const t = scene.textures[scene.materials[scene.meshes[0].groups[0].material].texture]
    expect([t.width, t.height]).toEqual([r.width, r.height])
    return [...t.rgba]
  }
  it('every raster format', () => {
    const at = { width: 2, height: 1 }
    expect(shown({ ...at, format: 0x500, d3d: 21, depth: 32, flags: 1, levels: [u8(3, 2, 1, 4, 7, 6, 5, 8)] })).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8,
    ])
    expect(shown({ ...at, format: 0x600, d3d: 22, depth: 32, levels: [u8(3, 2, 1, 99, 7, 6, 5, 99)] })).toEqual([
      1, 2, 3, 255, 5, 6, 7, 255,
    ])
    expect(shown({ ...at, format: 0x600, d3d: 20, depth: 24, levels: [u8(3, 2, 1, 7, 6, 5)] })).toEqual([1, 2, 3, 255, 5, 6, 7, 255])
    expect(shown({ ...at, platform: 8, format: 0x100, d3d: 1, depth: 16, levels: [u16(0x8000 | (31 << 10), 31)] })).toEqual([
      255, 0, 0, 255, 0, 0, 255, 0,
    ])
    expect(shown({ ...at, platform: 8, format: 0x200, depth: 16, levels: [u16(31 << 11, 63 << 5)] })).toEqual([
      255, 0, 0, 255, 0, 255, 0, 255,
    ])
    expect(shown({ ...at, platform: 8, format: 0x300, d3d: 1, depth: 16, levels: [u16(0xff00, 0x0f0f)] })).toEqual([
      255, 0, 0, 255, 255, 0, 255, 0,
    ])
    expect(shown({ ...at, platform: 8, format: 0xa00, depth: 16, levels: [u16(31 << 10, 31 << 5)] })).toEqual([
      255, 0, 0, 255, 0, 255, 0, 255,
    ])
    expect(shown({ ...at, platform: 8, format: 0x400, depth: 8, levels: [u8(7, 200)] })).toEqual([7, 7, 7, 255, 200, 200, 200, 255])
    const palette = bytes(u8(1, 2, 3, 255, 4, 5, 6, 128), fill(1024 - 8, 9))
    expect(shown({ ...at, platform: 8, format: 0x2500, d3d: 1, depth: 8, palette, levels: [u8(1, 0)] })).toEqual([
      4, 5, 6, 128, 1, 2, 3, 255,
    ])
    expect(shown({ ...at, platform: 8, format: 0x4500, depth: 8, palette: palette.slice(0, 128), levels: [u8(0, 1)] })).toEqual([
      1, 2, 3, 255, 4, 5, 6, 128,
    ])
    const four = { width: 4, height: 4 }
    const dxt1 = bytes(u16(31 << 11, 31), u32((0x55555555 & 0xff) | 0))
    const c = shown({ ...four, format: 0x200, d3d: 0x31545844, depth: 16, flags: 8, levels: [dxt1] })
    expect([c.slice(0, 4), c.slice(16, 20)]).toEqual([
      [0, 0, 255, 255],
      [255, 0, 0, 255],
    ])
    const dxt3 = bytes(fill(8, 0x8f), dxt1)
    expect(shown({ ...four, format: 0x300, d3d: 0x33545844, depth: 16, flags: 9, levels: [dxt3] }).slice(0, 8)).toEqual([
      0, 0, 255, 255, 0, 0, 255, 136,
    ])
    const dxt5 = bytes(u8(255, 0), fill(6, 0), dxt1)
    expect(shown({ ...four, platform: 8, format: 0x300, d3d: 1, depth: 16, flags: 5, levels: [dxt5] }).slice(0, 4)).toEqual([
      0, 0, 255, 255,
    ])
    // mip levels down to one pixel, block formats down to one block
    const mips = [fill(16 * 4, 1), fill(4 * 4, 2), fill(4, 3)]
    shown({ ...four, format: 0x8500, d3d: 21, depth: 32, flags: 1, levels: mips })
    shown({
      width: 8,
      height: 4,
      format: 0x8200,
      d3d: 0x31545844,
      depth: 16,
      flags: 8,
      levels: [fill(16, 1), fill(8, 1), fill(8, 1), fill(8, 1)],
    })
  })

  it('stamps that differ, counts of 32 bits, no levels counted, extension of junk', () => {
    const r = native({ format: 0x500, d3d: 21, depth: 32, width: 1, height: 1, levels: [u8(1, 2, 3, 4)], flags: 1 })
    for (const file of [txd([r, r], SA, V34), txd([r], V34), txd([r], 0x0401ffff), txd([], SA)]) folder({ 'a.txd': file }).lossless(0)
    const zero = folder({
      'a.txd': txd([native({ format: 0x500, d3d: 21, depth: 32, width: 1, height: 1, levels: [u8(1, 2, 3, 4)], count: 0 })]),
    })
    zero.lossless(0)
    expect(zero.lint()).toContainEqual(expect.stringMatching(/level/))
    const wrong = folder({ 'a.txd': bytes(txd([r]).slice(0, 24), u16(5), txd([r]).slice(26)) })
    wrong.lossless(0)
    expect(wrong.lint()).toContain('renderware.txd-count')
  })

  it("of the model's name may stand in a folder above", () => {
    const model = clump(
      one,
      [
        geometry({
          vertices: tri,
          triangles: [[0, 1, 2]],
          uvs: [
            [
              [0, 0],
              [1, 0],
              [0, 1],
            ],
          ],
          materials: [material([255, 255, 255, 255], 'tex')],
          extension: [binMesh(0, [[0, [0, 1, 2]]])],
        }),
      ],
      [atomic(0, 0)],
    )(SA)
    const dictionary = txd([native({ format: 0x500, d3d: 21, depth: 32, width: 1, height: 1, levels: [u8(1, 2, 3, 4)] })])
    const missing = (files: Record<string, Uint8Array>): boolean[] =>
      folder(files)
        .scene('x/y/a.dff')
        .scene.textures.map((t) => t.missing)
    for (const above of ['A.TXD', 'x/a.txd']) expect(missing({ 'x/y/a.dff': model, [above]: dictionary })).toEqual([false])
    expect(missing({ 'x/y/a.dff': model, 'other.txd': dictionary })).toEqual([true])
  })

  it('other platforms are kept and named', () => {
    for (const [platform, body] of [
      [0x00325350, fill(200, 1)],
      [5, fill(200, 1)],
    ] as const) {
      const f = folder({ 'a.txd': txd([chunk(0x15, struct(u32(platform, 0x1106), body), ext())]) })
      expect(f.roundtrip(), String(platform)).toMatchObject({ failures: [], identical: 1 })
    }
  })
})

// --- IMG ----------------------------------------------------------------------------------------------------------

describe('IMG', () => {
  const body = clump(one, [], [])(SA)
  const sector = (b: Uint8Array): Uint8Array => bytes(b, fill((2048 - (b.length % 2048)) % 2048, 0))
  it('v2 and v1, padding trimmed, junk in names, sizes of both words', () => {
    const dir = bytes(ascii('VER2'), u32(2), u32(1), u16(1, 0), field('A.dff', 24, 0xdd), u32(2), u16(0, 1), field('b.dff', 24, 0xdd))
    const f = folder({ 'gta3.img': bytes(sector(dir), sector(body), sector(body)) })
    const report = f.roundtrip()
    expect(report.failures).toEqual([])
    expect(report.identical).toBe(3)
    expect(f.info('gta3.img').members?.map((m) => [m.name, m.offset, m.format])).toEqual([
      ['A.dff', 2048, 'renderware.dff'],
      ['b.dff', 4096, 'renderware.dff'],
    ])
    const v1 = folder({
      'gta3.dir': bytes(u32(0, 1), field('A.dff', 24, 0xdd), u32(1, 1), field('b.dff', 24, 0)),
      'gta3.img': bytes(sector(body), sector(body)),
    })
    expect(v1.roundtrip()).toMatchObject({ failures: [], identical: 3, skipped: 0 })
    expect(v1.models().length).toBe(2)
    expect(v1.info('gta3.dir').members?.map((m) => [m.name, m.offset])).toEqual([
      ['A.dff', 0],
      ['b.dff', 2048],
    ])
  })
})

describe('scan', () => {
  it('counts', async () => {
    const model = ped(skin({ used: [1, 2], max: 2, vertices: weighted, bones: binds() }))(SA)
    const raster = native({ format: 0x500, d3d: 21, depth: 32, width: 1, height: 1, levels: [u8(1, 2, 3, 4)] })
    const f = folder({
      'ped.dff': model,
      'ped.txd': txd([raster, raster]),
      'ped.ifp': anp3([{ name: 'a', bones: [] }]),
      'cut.txd': txd([raster]).slice(0, 60),
    })
    const report = await f.scan()
    expect(report).toMatchObject({
      files: 4,
      recognised: 4,
      meshes: 1,
      slices: 0,
      weights: 4,
      textures: 2,
      errors: [{ path: f.path('cut.txd') }],
    })
    // frames: the root of the file and three bones
    expect(report.bones).toBe(4)
    expect(report.models).toBe(1)
  })
})
