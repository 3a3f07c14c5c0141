/** Level-5 files built from the format page, byte by byte: what it states must come out of the command line and the scene. */
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
  joints,
  nodeAt,
  posed,
  tree,
  u16,
  u32,
} from './support.ts'

cleanUp()

// --- builders -----------------------------------------------------------------------------------------------------

const NAN = u32(0x7fa00001) // signalling
const ID = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
const at = (x: number, y: number, z: number): number[] => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1]

interface Node {
  name: string
  parent: number
  matrix: number[]
  mdt?: Uint8Array
}

function mds(nodes: Node[], version = 1): Uint8Array {
  const table: Uint8Array[] = []
  const bodies: Uint8Array[] = []
  let ofs = 16 + 0x70 * nodes.length
  nodes.forEach((n, i) => {
    table.push(bytes(u32(i, 0x70), field(n.name, 32, 0xa5), u32(n.mdt ? ofs : 0, n.parent), f32(...n.matrix)))
    if (n.mdt) {
      bodies.push(n.mdt)
      ofs += n.mdt.length
    }
  })
  return bytes(ascii('MDS\0'), u32(version, nodes.length, 16), ...table, ...bodies)
}

type Primitive = [type: number, material: number, ...indices: number[]]
const stride = (type: number): number => 3 + (type & 0x100 ? 1 : 0) - (type & 0x200 ? 1 : 0) - (type & 0x10 ? 1 : 0)

interface MdtParts {
  positions: number[][]
  normals?: number[][]
  colors?: number[][]
  uvs?: number[][]
  primitives: Primitive[]
  materials?: { diffuse: number[]; texture: string }[]
  order?: string
}

function mdt({ positions, normals = [], colors = [], uvs = [], primitives, materials = [], order = 'vfnucm' }: MdtParts): Uint8Array {
  const faces = bytes(
    u32(0xbb000c, 16, primitives.length, 0),
    ...primitives.map(([type, material, ...ix]) => bytes(u32(type, ix.length / stride(type), material), u32(...ix))),
  )
  const sections: Record<string, Uint8Array> = {
    v: bytes(...positions.map((p) => f32(...p, 1))),
    n: bytes(...normals.map((p) => f32(...p, 1))),
    c: bytes(...colors.map((p) => f32(...p))),
    u: bytes(...uvs.map((p) => f32(...p, 1, 0))),
    f: faces,
    m: bytes(
      ...materials.map((m) =>
        bytes(f32(...m.diffuse), f32(1, 1, 1, 0), f32(0, 0, 0), NAN, f32(50), field(m.texture, 32, 0x7e), u32(0xdeadbeef), NAN, NAN),
      ),
    ),
  }
  const offsets: Record<string, number> = {}
  const body: Uint8Array[] = []
  let ofs = 0x40
  for (const key of order) {
    if (!sections[key].length) continue
    offsets[key] = ofs
    const slack = (16 - (sections[key].length % 16)) % 16
    body.push(sections[key], fill(slack, 0x5e))
    ofs += sections[key].length + slack
  }
  const o = (key: string): number => offsets[key] ?? (key === 'c' ? 0xffffffff : 0)
  return bytes(
    ascii('MDT\0'),
    u32(
      0x40,
      ofs,
      positions.length,
      o('v'),
      normals.length,
      o('n'),
      colors.length,
      o('c'),
      faces.length,
      o('f'),
      uvs.length,
      o('u'),
      materials.length,
      o('m'),
      0x200a2c3b,
    ),
    ...body,
  )
}

interface TrackParts {
  node: number
  target?: number
  type: number
  /** frame (or vertex) and up to four values */
  keys: number[][]
  next?: number
}

/** Track list; `lastNext` fills the last track's word too, as one file might. */
function tracks(list: TrackParts[], pad = 0xcdcdcdcd): Uint8Array {
  return bytes(
    ...list.map((t, i) => {
      const next = t.next ?? (i === list.length - 1 ? 0 : 32 + 32 * t.keys.length)
      const keys = t.keys.map(([frame, ...v]) => bytes(u32(frame, pad, pad, pad), f32(...v, ...Array(4 - v.length).fill(0))))
      return bytes(u32(t.node, t.target ?? 0, t.type, 32, t.keys.length, next, 0x74700000, 0x747bfe95), ...keys)
    }),
  )
}

function pak(files: [string, Uint8Array][]): Uint8Array {
  const junk = 0x140cda
  const records = files.map(([name, body]) => {
    const padded = Math.ceil(body.length / 16) * 16
    return bytes(field(name, 64, 0x77), u32(0x50, body.length, 0x50 + padded, junk), body, fill(padded - body.length, 0))
  })
  return bytes(...records, 0, fill(63, 0xe1), u32(0x50, 0xffffffff, 0xffffffff, junk))
}

const cp932 = { 表: [0x95, 0x5c], ソ: [0x83, 0x5c], 立: [0x97, 0xa7], ち: [0x82, 0xbf] } as Record<string, number[]>
const sjis = (text: string): Uint8Array => bytes(...[...text].map((c) => Uint8Array.from(cp932[c] ?? [c.charCodeAt(0)])))

// --- MDS ----------------------------------------------------------------------------------------------------------

const quad = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
  [1, 1, 0],
]
const up = [[0, 0, 1]]
const uv4 = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
]

describe('MDS and MDT', () => {
  const file = mds([
    { name: 'root', parent: -1, matrix: at(1, 2, 3) },
    {
      name: 'grip__cz',
      parent: 0,
      matrix: at(10, 0, 0),
      mdt: mdt({
        positions: quad,
        normals: up,
        uvs: uv4,
        primitives: [[4, 0, 0, 0, 0, 1, 0, 1, 2, 0, 2, 3, 0, 3]],
        materials: [{ diffuse: [1, 0.5, 0.25, 0.006], texture: 'skin' }],
      }),
    },
    { name: 'tail', parent: 1, matrix: at(0, 5, 0) },
  ])

  it('comes back whole; only slack between sections is raw', () => {
    // faces 16 + 12 + 4*12 = 76 bytes: 4 of slack
    const f = folder({ 'a.mds': file })
    f.lossless(4)
    expect(f.lint()).toEqual(['level5.texture-missing'])
  })

  it('has the fields of the page where the page says', () => {
    const report = folder({ 'a.mds': file }).info('a.mds')
    expect(report.format).toBe('level5.mds')
    const text = tree(report.structure!)
    for (const part of ['nodes[1]', '@16 ', 'grip__cz']) expect(text).toContain(part)
    const n1 = nodeAt(report, 'nodes[1]')
    expect([n1.start, n1.fields.map((f) => f.start - n1.start)]).toEqual([128, [0, 4, 8, 0x28, 0x2c, 0x30]])
    expect(fieldsOf(n1)).toMatchObject({ parent: ['0', 128 + 0x2c] })
    const mdtNode = findNode(report.structure!, (n) => n.type === 'MDT')!
    expect(mdtNode.start).toBe(16 + 3 * 112)
    expect(mdtNode.end).toBe(file.length)
  })

  it('stands where row vectors put it', () => {
    const { scene } = folder({ 'a.mds': file }).scene()
    expect(joints(scene)).toEqual({ root: [1, 2, 3], grip__cz: [11, 2, 3], tail: [11, 7, 3] })
    expect(posed(scene, 0).slice(0, 4)).toEqual(
      expect.arrayContaining([
        [11, 2, 3],
        [12, 2, 3],
        [11, 3, 3],
        [12, 3, 3],
      ]),
    )
    // v = 0 is the top row: unchanged
    expect([...scene.meshes[0].uvs[0]].slice(0, 8).sort()).toEqual([0, 0, 0, 0, 1, 1, 1, 1])
    expect(scene.materials[0].lit).toBe(false)
    expect(scene.materials[0].depthWrite).toBe(false)
  })

  it('reads every primitive type with every index flag', () => {
    const shapes: [number, number, number][] = [
      [3, 6, 2],
      [4, 4, 2],
      [5, 4, 2],
    ]
    for (const [base, corners, triangles] of shapes) {
      for (const flags of [0, 0x08, 0x10, 0x100, 0x200, 0x110, 0x210, 0x300, 0x310, 0x318]) {
        const type = base | flags
        const corner = base === 3 ? [0, 1, 2, 2, 1, 3] : base === 4 ? [0, 1, 2, 3] : [0, 1, 3, 2]
        const ix: number[] = []
        for (const c of corner.slice(0, corners)) {
          ix.push(c)
          if (!(flags & 0x200)) ix.push(0)
          if (!(flags & 0x10)) ix.push(3 - c)
          if (flags & 0x100) ix.push(c & 1)
        }
        const body = mdt({
          positions: quad,
          normals: up,
          uvs: uv4,
          colors: [
            [1, 0, 0, 1],
            [0, 1, 0, 1],
          ],
          primitives: [[type, 0, ...ix]],
          materials: [{ diffuse: [1, 1, 1, 1], texture: '' }],
        })
        const f = folder({ 'a.mds': mds([{ name: 'n', parent: -1, matrix: ID, mdt: body }]) })
        const faces = 16 + 12 + 4 * ix.length
        f.lossless((16 - (faces % 16)) % 16)
        const { scene } = f.scene()
        const mesh = scene.meshes[0]
        expect(mesh.indices.length, `type 0x${type.toString(16)}`).toBe(3 * triangles)
        // all are counter-clockwise seen from +Z
        let area = 0
        for (let i = 0; i < mesh.indices.length; i += 3) {
          const [a, b, c] = [0, 1, 2].map((k) => [mesh.positions[3 * mesh.indices[i + k]], mesh.positions[3 * mesh.indices[i + k] + 1]])
          const twice = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
          expect(twice, `type 0x${type.toString(16)}`).toBeGreaterThan(0)
          area += twice
        }
        expect(area).toBe(2)
        if (!(flags & 0x10)) {
          for (let v = 0; v < mesh.nativeVertex.length; v++)
            expect([...mesh.uvs[0].slice(2 * v, 2 * v + 2)]).toEqual(uv4[3 - mesh.nativeVertex[v]])
        }
        if (flags & 0x100)
          for (let v = 0; v < mesh.nativeVertex.length; v++) expect(mesh.colors[4 * v]).toBe(mesh.nativeVertex[v] & 1 ? 0 : 1)
        expect(f.lint(), `type 0x${type.toString(16)}`).toEqual([])
      }
    }
  })

  it('reads sections in any order on disc, and children before parents', () => {
    const body = mdt({
      positions: quad,
      normals: up,
      uvs: uv4,
      colors: [[1, 1, 1, 1]],
      primitives: [[3, 0, 0, 0, 0, 1, 0, 1, 2, 0, 2]],
      materials: [{ diffuse: [1, 1, 1, 1], texture: '' }],
      order: 'mcunfv',
    })
    const f = folder({
      'a.mds': mds([
        { name: 'child', parent: 1, matrix: at(0, 1, 0), mdt: body },
        { name: 'top', parent: -1, matrix: at(5, 0, 0) },
      ]),
    })
    f.lossless((16 - ((28 + 36) % 16)) % 16)
    expect(joints(f.scene().scene)).toEqual({ top: [5, 0, 0], child: [5, 1, 0] })
  })

  it('survives a cycle of parents and tells of it', () => {
    const f = folder({
      'a.mds': mds([
        { name: 'a', parent: 1, matrix: ID },
        { name: 'b', parent: 0, matrix: ID },
        { name: 'c', parent: 7, matrix: ID },
      ]),
    })
    f.lossless(0)
    expect(f.scene().scene.skeleton.count).toBe(3)
    expect(f.lint().length).toBeGreaterThan(0)
  })

  it('refuses Dragon Quest VIII with a word on it', () => {
    const f = folder({ 'a.mds': mds([{ name: 'a', parent: -1, matrix: ID }], 200) })
    expect(f.info('a.mds').error).toMatchObject({ code: 'refused', message: expect.stringMatching(/Dragon Quest VIII/) })
    expect(f.roundtrip()).toMatchObject({ failures: [], skipped: 1 })
  })

  it('reads render attributes behind __', () => {
    const one = (suffix: string) => {
      const body = mdt({
        positions: quad,
        normals: up,
        uvs: uv4,
        primitives: [[3, 0, 0, 0, 0, 1, 0, 1, 2, 0, 2]],
        materials: [{ diffuse: [1, 1, 1, 1], texture: '' }],
      })
      const { scene } = folder({ 'a.mds': mds([{ name: `n__${suffix}`, parent: -1, matrix: ID, mdt: body }]) }).scene()
      return { material: scene.materials[0], billboard: scene.skeleton.billboards?.[0] ?? 'none' }
    }
    expect(one('c').material.lit).toBe(false)
    expect(one('aPP').material.blend).toBe('additive')
    expect(one('aNN').material.blend).toBe('subtractive')
    expect(one('aOF').material.blend).toBe('opaque')
    // PS2 alpha: 0x80 is 1
    expect(one('a40').material.alphaTest).toBeCloseTo(0.5, 2)
    expect(one('z').material.depthWrite).toBe(false)
    expect(one('o').material.depthTest).toBe(false)
    expect(one('by1').billboard).toBe('y')
    expect(one('bY').billboard).toBe('y')
    expect(one('ba').billboard).toBe('full')
    expect(one('bA').billboard).toBe('full')
    expect(one('cappz').material).toMatchObject({ lit: false, blend: 'additive', depthWrite: false })
    expect(one('czapp').material).toMatchObject({ lit: false, blend: 'additive', depthWrite: false })
  })
})

// --- MOT ----------------------------------------------------------------------------------------------------------

const sq = Math.SQRT1_2

describe('MOT', () => {
  const body = mdt({
    positions: quad,
    normals: up,
    uvs: uv4,
    primitives: [[3, 0, 0, 0, 0, 1, 0, 1, 2, 0, 2]],
    materials: [{ diffuse: [1, 1, 1, 1], texture: '' }],
  })
  const model = mds([
    { name: 'root', parent: -1, matrix: at(0, 0, 0) },
    { name: 'arm', parent: 0, matrix: at(1, 0, 0), mdt: body },
    { name: 'hand', parent: 1, matrix: at(1, 0, 0) },
  ])
  const list: TrackParts[] = [
    {
      node: 1,
      type: 0,
      keys: [
        [1, 1, 0, 0, 0],
        [11, sq, 0, 0, sq],
      ],
    },
    {
      node: 1,
      type: 1,
      keys: [
        [1, 1, 1, 1],
        [5, 2, 2, 2],
      ],
    },
    {
      node: 2,
      type: 2,
      keys: [
        [1, 1, 0, 0],
        [11, 3, 0, 0],
      ],
    },
    { node: 1, target: 1, type: 12, keys: [[1, 0, 0, 9]] },
    { node: 0, type: 30, keys: [[1, 1, 2, 3]] },
    { node: 0, type: 31, keys: [[1, 1, 2, 3]] },
    { node: 0, type: 32, keys: [[1, 45]] },
    { node: 0, type: 33, keys: [[1, 60]] },
    {
      node: 1,
      target: 0,
      type: 40,
      keys: [
        [1, 0.994],
        [11, 0],
      ],
    },
    { node: 1, target: 0, type: 41, keys: [[1, 1, 0.5, 0.25]] },
    {
      node: 1,
      type: 50,
      keys: [
        [1, 1],
        [6, 0],
        [9, 1],
      ],
    },
    { node: 0, type: 51, keys: [] },
    { node: 2, type: 99, keys: [[1, 7, 7, 7, 7]] },
    { node: 2, type: 1, keys: [] },
  ]
  const f = folder({ 'm.mds': model, 'm.mot': tracks(list) })

  it('is typed whole, garbage words and pads too', () => {
    f.lossless(0)
  })

  it('names tracks and offsets', () => {
    const report = f.info('m.mot')
    expect(report.format).toBe('level5.mot')
    const t1 = nodeAt(report, 'tracks[1]')
    expect(t1.start).toBe(96)
    const text = tree(t1)
    expect(text).toMatch(/1946157056|0x74700000/i)
    expect(report.summary?.clips?.[0]).toMatchObject({ tracks: 14 })
  })

  it('turns by the conjugate of (w, x, y, z), replaces parts, clamps, steps', () => {
    const { scene } = f.scene('')
    // (w,z) = (sqrt 1/2, sqrt 1/2): for column vectors the conjugate, -90 degrees about Z: X goes to -Y
    const end = joints(scene, 0, 11)
    // arm at (1,0,0), scale 2 held, hand at 3 along X of the arm
    expectNear(end.hand, [1, -6, 0])
    expectNear(joints(scene, 0, 1).hand, [2, 0, 0])
    expectNear(joints(scene, 0, 3).hand, [1 + 1.5 * 1.4 * Math.cos((-18 * Math.PI) / 180), 1.5 * 1.4 * Math.sin((-18 * Math.PI) / 180), 0])
    expectNear(joints(scene, 0, 99).hand, [1, -6, 0])
    expectNear(joints(scene, 0, -5).hand, [2, 0, 0])
    const opacity = scene.clips[0].tracks.find((t) => t.property === 'opacity')!
    expectNear([...opacity.values], [0.006, 1])
    const color = scene.clips[0].tracks.find((t) => t.property === 'color')!
    expectNear([...color.values], [1, 0.5, 0.25])
    expect(scene.clips[0].tracks.find((t) => t.property === 'vertex')).toMatchObject({ vertex: 0 })
    expect(scene.clips[0].tracks.filter((t) => t.property === 'visibility').every((t) => t.interpolation === 'step')).toBe(true)
    expect([scene.clips[0].start, scene.clips[0].end, scene.clips[0].rate]).toEqual([1, 11, 60])
  })

  it('reads type 40 as transparency from the evidence, and as scale when told', () => {
    expect(f.scene('').options.find((o) => o.key === 'level5.type40')?.value).toBe('auto')
    const scaled = f.scene('', { 'level5.type40': 'scale' }).scene
    expect(scaled.clips[0].tracks.some((t) => t.property === 'opacity')).toBe(false)
    // no mesh on the node, or values beyond 1: nothing to be transparent
    const odd = folder({
      'm.mds': model,
      'm.mot': tracks([
        { node: 2, type: 40, keys: [[1, 0.5]] },
        { node: 1, type: 40, keys: [[1, 2]] },
      ]),
    }).scene('')
    expect(odd.scene.clips[0].tracks.map((t) => t.property)).toEqual(['scale', 'scale'])
  })

  it('lets the last of two tracks win, keeps bind scale under a rotation', () => {
    const scaled = mds([
      { name: 'a', parent: -1, matrix: [1.5, 0, 0, 0, 0, 1.5, 0, 0, 0, 0, 1.5, 0, 0, 0, 0, 1] },
      { name: 'b', parent: 0, matrix: at(1, 0, 0) },
    ])
    const m = folder({
      'm.mds': scaled,
      'm.mot': tracks([
        { node: 0, type: 0, keys: [[1, 1, 0, 0, 0]] },
        { node: 0, type: 0, keys: [[1, 0, 0, 0, 1]] },
      ]),
    })
    expectNear(joints(m.scene('').scene, 0, 1).b, [-1.5, 0, 0])
    expect(m.hints()).toContain('level5.rotation-without-scale')
    expect(m.lint()).toContain('level5.track-duplicate')
  })

  it('ends at next = 0 or at the end of the file, filled last words and trailing bytes kept', () => {
    const filled = tracks([{ node: 0, type: 0, keys: [[1, 1, 0, 0, 0]], next: 64 }])
    const a = folder({ 'a.mot': filled })
    a.lossless(0)
    expect(a.info('a.mot').summary?.clips?.[0].tracks).toBe(1)
    const b = folder({ 'a.mot': bytes(tracks([{ node: 0, type: 0, keys: [[1, 1, 0, 0, 0]] }]), fill(40, 0x99)) })
    b.lossless(40)
  })

  it('refuses Dragon Quest VIII motion bytes without a crash', () => {
    const odd = folder({ 'a.mot': fill(64, 0xff) })
    expect(odd.roundtrip().failures.length + odd.roundtrip().skipped).toBe(1)
  })
})

// --- WGT and BBP --------------------------------------------------------------------------------------------------

describe('WGT', () => {
  // root (0,0,0) > a (1,0,0) > b (+2,0,0) > skin node (0,0,1) with a mesh; a second skin node
  const body = mdt({
    positions: [
      [0, 0, -1],
      [2, 0, -1],
      [0, 1, -1],
      [5, 5, 5],
    ],
    primitives: [[0x213, 0, 0, 1, 2]],
  })
  const nodes: Node[] = [
    { name: 'root', parent: -1, matrix: at(0, 0, 0) },
    { name: 'a', parent: 0, matrix: at(1, 0, 0) },
    { name: 'b', parent: 1, matrix: at(2, 0, 0) },
    { name: 'skin', parent: 0, matrix: at(0, 0, 1), mdt: body },
    { name: 'skin2', parent: 0, matrix: at(0, 0, 2), mdt: body },
  ]
  const groups: TrackParts[] = [
    { node: 3, target: 0, type: 20, keys: [] },
    {
      node: 3,
      target: 1,
      type: 20,
      keys: [
        [0, 100],
        [1, 25],
      ],
    },
    { node: 3, target: 2, type: 20, keys: [[1, 75]] },
    { node: 4, target: 0, type: 20, keys: [] },
    { node: 4, target: 1, type: 20, keys: [] },
    {
      node: 4,
      target: 2,
      type: 21,
      keys: [
        [0, 30],
        [1, 30],
        [2, 250],
      ],
    },
  ]
  const turn = tracks([
    { node: 2, type: 0, keys: [[1, sq, 0, 0, sq]] },
    { node: 1, type: 2, keys: [[1, 1, 10, 0]] },
  ])

  it('keeps groups of nothing, their order and several skins, all typed', () => {
    const f = folder({ 'm.mds': mds(nodes), 'm.wgt': tracks(groups, 0x12345678) })
    f.lossless(2 * ((16 - ((16 + 12 + 12) % 16)) % 16))
    const report = f.info('m.wgt')
    expect(report.format).toBe('level5.wgt')
    expect(report.structure!.children.filter((c) => /^tracks\[/.test(c.name)).length).toBe(6)
    expect(report.summary?.skins?.length).toBe(2)
    expect(report.summary?.skins?.[0]).toMatchObject({ weights: 3, maxInfluences: 2 })
  })

  it('skins as DC1 and DC2 do', () => {
    const f = folder({ 'm.mds': mds(nodes), 'm.wgt': tracks(groups), 'm.mot': turn })
    const { scene } = f.scene()
    expectNear(posed(scene, 0)[0], [0, 0, 0])
    expectNear(posed(scene, 0)[1], [2, 0, 0])
    // by hand: a moves by (0,10,0). Vertex 0 all a: (0,10,0).
    // Vertex 1 (2,0,0): a: (2,10,0). b stands at (3,10,0) turned -90 about Z; vertex is (-1,0,0) off it -> (0,1,0): (3,11,0)
    const moved = posed(scene, 0, 0, 1)
    expectNear(moved[0], [0, 10, 0])
    expectNear(moved[1], [0.25 * 2 + 0.75 * 3, 0.25 * 10 + 0.75 * 11, 0])
    // in no list: rides on the owner, which does not move
    expectNear(moved[2], [0, 1, 0])
    // out of range weights are normalised for display; second skin one unit further along Z
    expectNear(posed(scene, 1, 0, 1)[2], [3 + 1, 10 + 3, 1])
    expect(f.hints('m.wgt')).toContain('level5.weight-sum')
  })

  it('takes bind poses of BBP: local for DC1, world for DC2, zero matrices from the MDS', () => {
    const dc1 = bytes(f32(...Array(16).fill(0)), f32(...at(1, 0, 0)), f32(...at(2, 0, 0)), f32(...at(0, 0, 1)), f32(...at(0, 0, 2)))
    const dc2 = bytes(f32(...ID), f32(...at(1, 0, 0)), f32(...at(3, 0, 0)), f32(...at(0, 0, 1)), f32(...at(0, 0, 2)))
    for (const [bbp, form] of [
      [dc1, 'local'],
      [dc2, 'model-space'],
      [fill(320, 0), 'local'],
    ] as const) {
      const f = folder({ 'm.mds': mds(nodes), 'm.wgt': tracks(groups), 'm.mot': turn, 'm.bbp': bbp })
      f.lossless(2 * ((16 - ((16 + 12 + 12) % 16)) % 16))
      const { scene, options } = f.scene()
      if (bbp[3] !== 0 || form === 'model-space') expect(options.find((o) => o.key === 'level5.bbp')?.reason).toContain(form)
      expectNear(posed(scene, 0, 0, 1)[1], [2.75, 10.75, 0])
    }
    // a world form whose MDS is posed elsewhere: the bind pose is not the MDS's
    const posedNodes = nodes.map((n, i) => (i === 2 ? { ...n, matrix: at(2, 0.25, 0) } : n))
    const f = folder({ 'm.mds': mds(posedNodes), 'm.wgt': tracks(groups), 'm.bbp': dc2 })
    // vertex 1 follows b a quarter up by three quarters of its weight
    expectNear(posed(f.scene().scene, 0)[1], [2, 0.75 * 0.25, 0])
    expect(folder({ 'm.mds': mds(nodes), 'm.bbp': dc1.subarray(0, 256) }).lint('m.bbp').length).toBeGreaterThan(0)
  })
})

// --- CFG ----------------------------------------------------------------------------------------------------------

describe('CFG', () => {
  const model = mds([{ name: 'root', parent: -1, matrix: ID }])
  const mot = tracks([
    {
      node: 0,
      type: 2,
      keys: [
        [1, 0, 0, 0],
        [50, 1, 0, 0],
      ],
    },
  ])
  const numbers = (cfg: Uint8Array, mots = ['hero.mot']) => {
    const f = folder({ 'hero.mds': model, ...Object.fromEntries(mots.map((m) => [m, mot])), 'info.cfg': cfg })
    f.lossless(0)
    return f.slices().map((s) => [s.name, s.start, s.end, s.speed, s.clip])
  }

  it('DC1: no semicolons, no names, the comment behind', () => {
    const text = bytes(
      ascii(
        '        \r\nMODEL "hero.mds"\r\nMATERIAL_ANIME 1\r\nTEX_ANIME 1,2\r\nTEX_ANIME_DATA "tex",0,0,32,32,"tex",32,0,4,1\r\nTEX_ANIME_END\r\nMOTION 0, "hero.mot", "", ""\r\n',
      ),
      ascii('\tKEY_START 0\r\n// KEY 7, 8, 9\r\n  KEY  1,  10,  0.17    //'),
      sjis('立ち'),
      ascii(' 0\r\n/* KEY 1,2,3\r\n KEY 4,5,6 */\r\nKEY 10 20 .5\r\nKEY 20,40,1 // '),
      sjis('表ソ'),
      ascii('\r\nKEY 0,0,0\r\nKEY 1,1,0.3\r\nKEY 40,99,-0.5\r\nMOTION_END\r\nWHO_KNOWS 1 2 "x;y" 3\r\n\r\n\r\n'),
    )
    expect(numbers(text)).toEqual([
      [expect.stringContaining('立ち'), 1, 10, 0.17, 'hero'],
      [expect.any(String), 10, 20, 0.5, 'hero'],
      [expect.stringContaining('表ソ'), 20, 40, 1, 'hero'],
      [expect.any(String), 0, 0, 0, 'hero'],
      [expect.any(String), 1, 1, 0.3, 'hero'],
      [expect.any(String), 40, 99, -0.5, 'hero'],
    ])
  })

  it('DC1: several MOTION sets', () => {
    const text = ascii(
      '\r\nMOTION 0, "hero.mot", "", ""\r\nKEY_START 0\r\nKEY 1,2,3\r\nMOTION_END\r\nMOTION 1, "two.mot", "", ""\r\nKEY_START 1\r\nKEY 4,5,6\r\nMOTION_END\r\n',
    )
    expect(numbers(text, ['hero.mot', 'two.mot']).map((s) => s.slice(1))).toEqual([
      [1, 2, 3, 'hero'],
      [4, 5, 6, 'two'],
    ])
  })

  it('DC2: quoted names with separators, 5C second bytes, no comma, statements over lines, comment marks in strings', () => {
    const text = bytes(
      ascii('V2;\r\nMODEL "hero.mds";\r\nMOTION 0, "hero.mot", "", "";\r\nKEY_START;\r\nKEY "'),
      sjis('立ち'),
      ascii('", 4, 14, 0.35;\r\nKEY "a, b;c", 1, 2, 3;\r\n'),
      ascii('KEY "'),
      sjis('表'),
      ascii('", 5, 6, 1;KEY "'),
      sjis('ソ'),
      ascii('" 7, 8, 0.5;\r\n'),
      ascii('KEY "no // comment /* here */", 9, 10, 1; // but here\r\nKEY /* in */ "over",\r\n   11,\r\n   12, // why\r\n   0.25;\r\n'),
      ascii('KEY "q\\"q", 13, 14, 1;\r\nKEY "",0,0,0;\r\nUNKNOWN_TAG 1, "KEY", 3\r\n KEY_LIKE 5;\r\n'),
      ascii('KEY_END;\r\nMOTION_END;\r\n'),
    )
    expect(numbers(text)).toEqual([
      ['立ち', 4, 14, 0.35, 'hero'],
      ['a, b;c', 1, 2, 3, 'hero'],
      ['表', 5, 6, 1, 'hero'],
      ['ソ', 7, 8, 0.5, 'hero'],
      ['no // comment /* here */', 9, 10, 1, 'hero'],
      ['over', 11, 12, 0.25, 'hero'],
      ['q"q', 13, 14, 1, 'hero'],
      ['', 0, 0, 0, 'hero'],
    ])
  })

  it('a compiled script is recognised, and refused for editing', () => {
    const f = folder({ 'info.cfg': bytes(ascii('BIN\0'), fill(100, 0x81)) })
    expect(f.roundtrip()).toMatchObject({ failures: [] })
    const report = f.info('info.cfg')
    expect(report.format).toBe('level5.cfg')
    expect(report.readOnly + (report.error?.message ?? '')).not.toBe('')
  })

  it('tells of windows beyond the last key, of end before start', () => {
    const cfg = ascii('\r\nMODEL "hero.mds"\r\nMOTION 0, "hero.mot", "", ""\r\nKEY_START 0\r\nKEY 1,60,1\r\nKEY 9,3,1\r\nMOTION_END\r\n')
    const codes = folder({ 'hero.mds': model, 'hero.mot': mot, 'info.cfg': cfg }).lint()
    expect(codes).toEqual(['level5.root-track', 'level5.track-ends-early', 'level5.window-beyond', 'level5.window-order'])
    const good = ascii(
      '\r\nMODEL "hero.mds"\r\nMOTION 0, "hero.mot", "", ""\r\nKEY_START 0\r\nKEY 1,10,0.2\r\nKEY 10,50,1\r\nKEY 0,0,0\r\nMOTION_END\r\n',
    )
    expect(folder({ 'hero.mds': model, 'hero.mot': mot, 'info.cfg': good }).lint()).toEqual(['level5.root-track'])
  })
})

// --- PAK ----------------------------------------------------------------------------------------------------------

describe('PAK', () => {
  const model = mds([{ name: 'root', parent: -1, matrix: ID }])
  const cfg = ascii('\r\nMODEL "hero.mds"\r\nMOTION 0, "hero.mot", "", ""\r\nKEY_START 0\r\nKEY 1,2,3 //one\r\nMOTION_END\r\n\r\n')
  const pack = pak([
    ['info.cfg', cfg],
    ['HERO.MOT', tracks([{ node: 0, type: 2, keys: [[2, 0, 0, 0]] }])],
    ['hero.mds', model],
  ])

  it('ends at a name of nothing whatever else is there, under any extension', () => {
    for (const name of ['a.chr', 'a.pak', 'a.ipk', 'a.mpk', 'a.efp', 'a.pcp', 'a.sky', 'a.snd', 'Hero']) {
      const f = folder({ [name]: pack })
      const report = f.roundtrip()
      expect(report.failures, name).toEqual([])
      expect(report.identical, name).toBe(4)
      expect(
        f.info(name).members?.map((m) => [m.name, m.offset, m.size]),
        name,
      ).toEqual([
        ['info.cfg', 0x50, cfg.length],
        ['HERO.MOT', 0x50 + Math.ceil(cfg.length / 16) * 16 + 0x50, 64],
        ['hero.mds', 0x50 + Math.ceil(cfg.length / 16) * 16 + 0x50 + 64 + 0x50, 128],
      ])
      expect(
        f.slices(name).map((s) => [s.start, s.end, s.speed, s.clip.toLowerCase()]),
        name,
      ).toEqual([[1, 2, 3, 'hero']])
      // its one track begins behind its window, and moves the root
      expect(f.lint(name), name).toEqual(['level5.track-starts-late', 'level5.root-track'])
    }
  })
  it('keeps what is behind the terminator and a pack without one', () => {
    for (const odd of [
      bytes(pack, fill(16, 3)),
      pack.subarray(0, pack.length - 80),
      bytes(pack.subarray(0, pack.length - 80), fill(16, 0)),
    ])
      expect(folder({ 'a.chr': odd }).roundtrip().failures).toEqual([])
  })
})

// --- pictures -----------------------------------------------------------------------------------------------------

interface Picture {
  type: number
  width: number
  height: number
  clutType?: number
  clut?: Uint8Array
  colors?: number
  image: Uint8Array
  extra?: Uint8Array
  mips?: number
}

function picture({
  type,
  width,
  height,
  clutType = 0,
  clut = new Uint8Array(0),
  colors = 0,
  image,
  extra = new Uint8Array(0),
  mips = 1,
}: Picture): Uint8Array {
  return bytes(
    u32(65584, clut.length, image.length),
    u16(0x30 + extra.length, colors),
    0,
    mips,
    clutType,
    type,
    u16(width, height),
    u32(0, 0, 0, 0, 0x11111111, 0x22222222),
    extra,
    image,
    clut,
  )
}

function tim2(pictures: Uint8Array[], format = 0): Uint8Array {
  return bytes(ascii('TIM2'), 4, format, u16(pictures.length), fill(format ? 0x78 : 8, 0x3c), ...pictures)
}

function im2(magic: string, entries: [string, Uint8Array][]): Uint8Array {
  const size = magic === 'IM3' ? 0x40 : 0x30
  let ofs = 16 + size * entries.length
  const table = entries.map(([name, body]) => {
    const entry =
      magic === 'IM3'
        ? bytes(field(name, 32, 0x44), u32(0x40, ofs, 0, 0), u16(0), u16(0x55), u32(body.length, 5, 0x66))
        : bytes(field(name, 32, 0x44), u32(ofs, 0xcdcdcdcd, 0xcdcdcdcd, 0xcdcdcdcd))
    ofs += body.length
    return entry
  })
  const head =
    magic === 'IM3'
      ? bytes(ascii('IM3\0'), u32(0xcdcdcdcd, entries.length, 0xcdcdcdcd))
      : bytes(ascii(`${magic}\0`), u32(entries.length, 0xcdcdcdcd, 0xcdcdcdcd))
  return bytes(head, ...table, ...entries.map(([, body]) => body))
}

describe('IMG and TIM2', () => {
  const grey256 = bytes(...Array.from({ length: 256 }, (_, i) => bytes(i, i, i, 0x80)))
  /** CSM1: entries of bits 3 and 4 trade places */
  const csm1 = bytes(...Array.from({ length: 256 }, (_, i) => ((j) => bytes(j, j, j, 0x80))((i & 0xe7) | ((i & 8) << 1) | ((i & 16) >> 1))))
  // a smooth picture 32 x 32
  const smooth = Uint8Array.from({ length: 1024 }, (_, i) => 4 * (i % 32) + 3 * Math.floor(i / 32))
  /** The page's rule, written down once more. */
  const swizzled = (() => {
    const out = new Uint8Array(1024)
    const w = 32
    for (let y = 0; y < 32; y++) {
      for (let x = 0; x < w; x++) {
        const block = (y & ~15) * w + (x & ~15) * 2
        const swap = (((y + 2) >> 2) & 1) * 4
        const row = (((y & ~3) >> 1) + (y & 1)) & 7
        out[block + row * w * 2 + ((x + swap) & 7) * 4 + ((y >> 1) & 1) + ((x >> 2) & 2)] = smooth[y * w + x]
      }
    }
    return out
  })()
  const pixels = (img: Uint8Array, texture = 'tex', choices = {}): { width: number; height: number; rgba: number[] } => {
    const body = mdt({
      positions: quad,
      normals: up,
      uvs: uv4,
      primitives: [[3, 0, 0, 0, 0, 1, 0, 1, 2, 0, 2]],
      materials: [{ diffuse: [1, 1, 1, 1], texture }],
    })
    const f = folder({ 'm.mds': mds([{ name: 'n', parent: -1, matrix: ID, mdt: body }]), 'm.img': img })
    const { scene } = f.scene('', choices)
    const { width, height, rgba } = scene.textures[scene.materials[0].texture]
    return { width, height, rgba: [...rgba] }
  }
  const grey = smooth.reduce<number[]>((all, v) => [...all, v, v, v, 255], [])

  it('8 bit: linear and swizzled by the magic, and by smoothness where that is chosen; CSM1 and CSM2, wrong total', () => {
    for (const [image, magic, choices] of [
      [smooth, 'IMG', {}],
      [swizzled, 'IM2', {}],
      [smooth, 'IM2', { 'level5.swizzle': 'smooth' }],
      [swizzled, 'IMG', { 'level5.swizzle': 'smooth' }],
    ] as const) {
      const img = im2(magic, [
        ['tex', tim2([picture({ type: 5, width: 32, height: 32, clutType: 3, clut: csm1, colors: 256, image })])],
        ['#texanime', ascii('TEX_ANIME 1\r\n')],
      ])
      folder({ 'a.img': img }).lossless(0)
      expect(pixels(img, 'tex', choices)).toEqual({ width: 32, height: 32, rgba: grey })
    }
    const csm2 = im2('IMG', [
      ['TEX', tim2([picture({ type: 5, width: 32, height: 32, clutType: 0x83, clut: grey256, colors: 256, image: smooth })], 1)],
    ])
    // a picture header at 0x80 leaves 0x70 bytes that mean nothing
    folder({ 'a.img': csm2 }).lossless(0x70)
    expect(pixels(csm2).rgba).toEqual(grey)
    // the user's word counts
    const img = im2('IM2', [
      ['tex', tim2([picture({ type: 5, width: 32, height: 32, clutType: 3, clut: csm1, colors: 256, image: swizzled })])],
    ])
    expect(pixels(img, 'tex', { 'level5.swizzle': 'linear' }).rgba[4]).toBe(swizzled[1])
  })

  it('4 bit: low nibble left, no CSM1 swap', () => {
    const clut = bytes(...Array.from({ length: 16 }, (_, i) => bytes(16 * i, i, 0, 8 * i)))
    const img = im2('IM3', [
      ['tex', tim2([picture({ type: 4, width: 4, height: 2, clutType: 3, clut, colors: 16, image: bytes(0x10, 0x32, 0xba, 0x8f) })])],
    ])
    folder({ 'a.img': img }).lossless(0)
    const got = pixels(img)
    expect([got.width, got.height]).toEqual([4, 2])
    expect(got.rgba.filter((_, i) => i % 4 === 0)).toEqual([0, 16, 32, 48, 0xa0, 0xb0, 0xf0, 0x80])
    // alpha 0x80 is opaque, twice and held
    expect(got.rgba.filter((_, i) => i % 4 === 3)).toEqual([0, 16, 32, 48, 160, 176, 240, 128])
  })

  it('16, 24 and 32 bit', () => {
    const made = (type: number, image: Uint8Array): Uint8Array =>
      im2('IM2', [['tex', tim2([picture({ type, width: 2, height: 1, image })])]])
    const p16 = made(1, u16(0x8000 | 31 | (0 << 5) | (16 << 10), 31 << 5))
    const p24 = made(2, bytes(1, 2, 3, 4, 5, 6))
    const p32 = made(3, bytes(1, 2, 3, 0x80, 4, 5, 6, 0x20))
    for (const img of [p16, p24, p32]) folder({ 'a.img': img }).lossless(0)
    expect(pixels(p24).rgba).toEqual([1, 2, 3, 255, 4, 5, 6, 255])
    expect(pixels(p32).rgba).toEqual([1, 2, 3, 255, 4, 5, 6, 64])
    const [r, g, b, a, r2, g2, b2] = pixels(p16).rgba
    expect([r, g, a, r2, g2, b2]).toEqual([255, 0, 255, 0, 255, 0])
    expect(Math.abs(b - 131)).toBeLessThan(4)
  })

  it('several pictures, mip maps, headers with more in them, loose TM2', () => {
    const one = picture({ type: 3, width: 1, height: 1, image: bytes(9, 8, 7, 0x80) })
    const mip = picture({ type: 3, width: 2, height: 2, mips: 2, image: fill(16 + 4, 0x40), extra: fill(16, 0xee) })
    const f = folder({ 'a.tm2': tim2([one, mip]), 'b.tm2': tim2([mip], 1) })
    f.lossless(0x70 + 2 * 16)
    expect(f.info('a.tm2').summary?.textures).toMatchObject([
      { width: 1, height: 1 },
      { width: 2, height: 2 },
    ])
  })

  it('IM3 entries without a picture, with their fields', () => {
    const img = im2('IM3', [['tex', tim2([picture({ type: 3, width: 1, height: 1, image: bytes(9, 8, 7, 0x80) })])]])
    const f = folder({ 'a.img': img })
    f.lossless(0)
    expect(tree(f.info('a.img').structure!)).toMatch(
      /headerSize=64@48 offset=80@52 swizzle=0@56 block=0@60 noImage=0@64 .*size=68@68 clamp=5@72/,
    )
  })
})

// --- discs --------------------------------------------------------------------------------------------------------

describe('disc archives', () => {
  const cfg = ascii('\r\nKEY 1,2,3\r\n')
  it('HED, HD2, HD3 beside their DAT', () => {
    const data = bytes(cfg, fill(0x800 - cfg.length, 0), cfg, fill(100, 7))
    const hed = bytes(
      bytes(field('gedit\\a.cfg', 64, 0xcc), u32(0, cfg.length, 1, 2)),
      bytes(field('gedit\\b.cfg', 64, 0xcc), u32(0x800, cfg.length, 3, 4)),
    )
    const names = bytes(ascii('x\\a.cfg\0'), ascii('x\\b.cfg\0'))
    const hd2 = bytes(u32(64, 0, 0, 0, 0, cfg.length, 0, 1), u32(64 + 8, 0, 0, 0, 0x800, cfg.length, 1, 1), names)
    const hd3 = bytes(u32(32, cfg.length, 0, 1), u32(32 + 8, cfg.length, 1, 1), names)
    for (const [dir, body] of [
      ['DATA.HED', hed],
      ['DATA.HD2', hd2],
      ['DATA.HD3', hd3],
    ] as const) {
      const f = folder({ [dir]: body, 'DATA.DAT': data })
      const report = f.info(dir)
      expect(report.error, dir).toBeUndefined()
      expect(
        report.members?.map((m) => [m.offset, m.size, m.format]),
        dir,
      ).toEqual([
        [0, cfg.length, 'level5.cfg'],
        [0x800, cfg.length, 'level5.cfg'],
      ])
      expect(f.roundtrip(), dir).toMatchObject({ failures: [], files: 3, identical: 3 })
    }
  })
})

describe('scan', () => {
  it('counts', async () => {
    const body = mdt({ positions: quad, primitives: [[0x213, 0, 0, 1, 2]] })
    const nodes: Node[] = ['a', 'b', 'c', 'd', 'e'].map((name, i) => ({ name, parent: i - 1, matrix: ID, mdt: i > 2 ? body : undefined }))
    const wgt = tracks([
      { node: 3, target: 0, type: 20, keys: [] },
      {
        node: 3,
        target: 1,
        type: 20,
        keys: [
          [0, 100],
          [1, 25],
        ],
      },
      { node: 3, target: 2, type: 20, keys: [[1, 75]] },
      {
        node: 4,
        target: 2,
        type: 20,
        keys: [
          [0, 100],
          [1, 0],
        ],
      },
    ])
    const pack = pak([
      ['m.mds', mds(nodes)],
      ['m.wgt', wgt],
      ['m.mot', tracks([{ node: 0, type: 2, keys: [[1, 0, 0, 0]] }])],
      [
        'info.cfg',
        ascii(
          '\r\nMODEL "m.mds"\r\nMOTION 0, "m.mot", "", "m.wgt"\r\nKEY_START 0\r\nKEY 1,1,1\r\nKEY 1,1,1\r\nKEY 0,0,0\r\nMOTION_END\r\n',
        ),
      ],
      [
        'm.img',
        im2('IM2', [
          ['tex', tim2([picture({ type: 3, width: 1, height: 1, image: bytes(9, 8, 7, 0x80) })])],
          ['#texanime', ascii('x\r\n')],
        ]),
      ],
    ])
    const f = folder({ 'm.chr': pack, 'sub/cut.wgt': wgt.subarray(0, 80), 'readme.md': ascii('# no model') })
    expect(await f.scan()).toMatchObject({
      files: 8,
      recognised: 7,
      models: 1,
      bones: 5,
      meshes: 2,
      slices: 3,
      weights: 4,
      textures: 1,
      errors: [{ path: f.path('sub/cut.wgt'), code: expect.any(String), offset: expect.any(Number) }],
    })
  })
})
