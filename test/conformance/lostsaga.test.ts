/** Lost Saga files built from the format page, byte by byte: what it states must come out of the command line and the scene. */
import { describe, expect, it } from 'vitest'
import {
  ascii,
  bytes,
  cleanUp,
  expectNear,
  f32,
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
  u8,
} from './support.ts'
import type { Folder } from './support.ts'

cleanUp()

const raw = (b: Uint8Array): Uint8Array => bytes(u32(b.length), b)
const str = (s: string): Uint8Array => raw(ascii(s))
/** 가, 나 in CP949 */
const korean = bytes(0xb0, 0xa1, 0xb3, 0xaa)
const sq = Math.SQRT1_2

// --- builders -----------------------------------------------------------------------------------------------------

interface Bone {
  name: string | Uint8Array
  parent: string
  t: number[]
  q?: number[]
  /** inverse bind */
  it: number[]
  iq?: number[]
  children?: string[]
}

const skl = (bones: Bone[], linked = '', version = 1000): Uint8Array =>
  bytes(
    ascii('SKL\0'),
    u32(version, bones.length),
    ...bones.map((b) =>
      bytes(
        typeof b.name === 'string' ? str(b.name) : raw(b.name),
        f32(...b.t, ...(b.q ?? [0, 0, 0, 1]), ...b.it, ...(b.iq ?? [0, 0, 0, 1])),
        f32(...Array(16).fill(7.5)),
        str(b.parent),
        u32((b.children ?? []).length),
        ...(b.children ?? []).map(str),
      ),
    ),
    str(linked),
  )

interface MeshParts {
  version?: number
  type?: number
  mask: number
  secondMask?: number
  positions: number[][]
  bones?: (string | Uint8Array)[]
  /** weights and indices per vertex */
  weights?: [number[], number[]][]
  faces?: number[][]
  submeshes?: number[][]
  points?: [string, string, string, number[]][]
  box?: number[]
  radius?: number
}

function msh({
  version = 2000,
  type = 0,
  mask,
  secondMask,
  positions,
  bones = [],
  weights = [],
  faces = [[0, 1, 2]],
  submeshes,
  points = [],
  box,
  radius,
}: MeshParts): Uint8Array {
  const n = positions.length
  const min = [0, 1, 2].map((c) => Math.min(...positions.map((p) => p[c])))
  const max = [0, 1, 2].map((c) => Math.max(...positions.map((p) => p[c])))
  const column = (bit: number, width: number, base: number): Uint8Array =>
    mask & bit ? f32(...Array.from({ length: n * width }, (_, i) => base + i / 8)) : bytes()
  const normals = mask & 0x20 ? f32(...positions.flatMap(() => [0, 0, -1])) : bytes()
  return bytes(
    ascii('MSH\0'),
    u32(version, type, mask),
    ...(secondMask === undefined ? [] : [u32(secondMask)]),
    f32(...(box ?? [...min, ...max])),
    f32(radius ?? Math.hypot(...min.map((v, c) => max[c] - v)) / 2),
    u32((submeshes ?? [[0, n, 0, faces.length]]).length),
    ...(submeshes ?? [[0, n, 0, faces.length]]).map((s) => u32(...s)),
    u32(n),
    mask & 1 ? bytes(...positions.map((p) => f32(...p))) : bytes(),
    normals,
    column(0x1000, 3, 20),
    column(0x2000, 3, 30),
    mask & 0x40 ? bytes(...positions.map((_, i) => u8(i, 2, 3, 255))) : bytes(),
    column(0x100, 2, 0),
    column(0x200, 2, 50),
    mask & 8
      ? bytes(
          u32(bones.length),
          ...bones.map((b) => (typeof b === 'string' ? str(b) : raw(b))),
          ...weights.map(([w, ix]) => f32(...w, ...fill(4 - w.length, 0), ...ix, ...fill(4 - ix.length, 0))),
        )
      : bytes(),
    column(2, 3, 70),
    u32(faces.length),
    ...faces.map((f) => u16(...f)),
    version === 2002 ? bytes(u32(points.length), ...points.map(([a, b, c, p]) => bytes(str(a), str(b), str(c), f32(...p)))) : bytes(),
  )
}

interface Track {
  bone: string | Uint8Array
  weight?: number
  /** rotation words, position, ms */
  keys: [Uint8Array, number[], number][]
}

const ani = (version: number, tracks: Track[], events: [Uint8Array, Uint8Array, number][] = [], total = 1000): Uint8Array =>
  bytes(
    ascii('ANI\0'),
    u32(version, events.length),
    ...events.map(([type, info, time]) => bytes(raw(type), raw(info), f32(time))),
    u32(total, tracks.length),
    ...tracks.map((t) =>
      bytes(
        typeof t.bone === 'string' ? str(t.bone) : raw(t.bone),
        f32(t.weight ?? 1),
        u32(t.keys.length),
        ...t.keys.map(([r, p, ms]) => bytes(r, f32(...p), u32(ms))),
      ),
    ),
  )

const rig: Bone[] = [
  { name: 'Bip01', parent: 'NoParent', t: [0, 80, 0], it: [0, -80, 0], children: ['Bip01 L Hand', 'Bip01 R Hand', 'Toe'] },
  { name: 'Bip01 L Hand', parent: 'Bip01', t: [52, 0, 0], it: [-52, -80, 0] },
  { name: 'Bip01 R Hand', parent: 'Bip01', t: [-52, 0, 0], it: [52, -80, 0] },
  { name: 'Toe', parent: 'Bip01', t: [0, -80, -18], it: [0, 0, 18] },
]
const body = (mask = 0x139): MeshParts => ({
  type: 1,
  mask,
  positions: [
    [52, 80, 0],
    [60, 80, 0],
    [52, 90, 0],
  ],
  bones: ['Bip01 L Hand', 'Bip01'],
  weights: [
    [[1], [0]],
    [
      [0.75, 0.25],
      [0, 1],
    ],
    [
      [1, 0, 0, 0],
      [1, 1, 1, 1],
    ],
  ],
})
const rest = { L: [0, 0, 0, 1], Z90: [0, 0, sq, sq] }

// --- SKL ----------------------------------------------------------------------------------------------------------

describe('SKL', () => {
  it('is typed whole; hands, toes and heights stand where they belong', () => {
    const f = folder({ 'a.skl': skl(rig, 'linked.skl') })
    f.lossless(0)
    const { scene } = f.scene()
    const at = joints(scene)
    expectNear(at['Bip01 L Hand'], [52, 80, 0])
    expectNear(at['Bip01 R Hand'], [-52, 80, 0])
    // faces -Z in the file, +Z here
    expectNear(at.Toe, [0, 0, 18])
    expect(scene.unitsPerMetre).toBe(100)
    expect(f.lint()).toEqual([])
    const report = f.info('a.skl')
    const b1 = nodeAt(report, 'bones[1]')
    // 12 + first bone: 4 + 5, 120 less its counts..., by hand: name 9, 14 floats 56, 16 floats 64, parent 12, count 4, children 16 + 16 + 7
    expect(b1.start).toBe(12 + 9 + 56 + 64 + 12 + 4 + 39)
    expect(tree(b1)).toContain('Bip01 L Hand')
    expect(tree(report.structure!)).toContain('linked.skl')
  })
  it('rotations are not conjugated: world = parent * local', () => {
    const turned: Bone[] = [
      { ...rig[0], q: rest.Z90, children: ['x'] },
      { name: 'x', parent: 'Bip01', t: [10, 0, 0], it: [0, 0, 0] },
    ]
    // v' = q v q*: +90 degrees about Z takes X to Y, in the file and, Z negated, here
    expectNear(joints(folder({ 'a.skl': skl(turned) }).scene().scene).x, [0, 90, 0])
    const aboutX: Bone[] = [
      { ...rig[0], q: [sq, 0, 0, sq], children: ['x'] },
      { name: 'x', parent: 'Bip01', t: [0, 10, 0], it: [0, 0, 0] },
    ]
    // Y goes to Z of the file, which is -Z here
    expectNear(joints(folder({ 'a.skl': skl(aboutX) }).scene().scene).x, [0, 80, -10])
  })
  it('Korean names, parents after children, other versions, empty skeletons, trailing bytes', () => {
    const late = [rig[1], { ...rig[0], children: ['Bip01 L Hand'] }]
    const f = folder({ 'a.skl': skl(late) })
    f.lossless(0)
    expectNear(joints(f.scene().scene)['Bip01 L Hand'], [52, 80, 0])
    const k = folder({ 'a.skl': skl([{ ...rig[0], name: korean, children: [] }]) })
    k.lossless(0)
    expect(k.scene().scene.skeleton.names).toEqual(['가나'])
    const v = folder({ 'a.skl': skl([{ ...rig[0], children: [] }], '', 1001) })
    v.lossless(0)
    expect(v.lint()).toContain('lostsaga.unknown-version')
    folder({ 'a.skl': skl([]) }).lossless(0)
    folder({ 'a.skl': bytes(skl([{ ...rig[0], children: [] }]), 1, 2, 3) }).lossless(3)
  })
  it('tells of lists and matrices that do not agree', () => {
    expect(folder({ 'a.skl': skl([{ ...rig[0], children: ['nobody'] }]) }).lint()).toContain('lostsaga.child-list')
    expect(folder({ 'a.skl': skl([{ ...rig[0], children: [], it: [0, 5, 0] }]) }).lint()).toContain('lostsaga.bind-is-not-rest')
  })
})

// --- MSH ----------------------------------------------------------------------------------------------------------

describe('MSH', () => {
  const MASKS = [0x1, 0x21, 0x121, 0x301, 0x129, 0x139, 0x3021, 0x1361, 0x33ff & ~0x484, 0x337b]
  it('every component of the mask, every mesh type and version', () => {
    for (const mask of MASKS) {
      for (const version of [2000, 2001, 2002]) {
        const type = mask % 7
        const f = folder({
          'a.msh': msh({
            ...body(mask),
            type,
            version,
            points: [
              ['weapon', 'Bip01', 'x', [1, 2, 3]],
              ['', '', '', [0, 0, 0]],
            ],
          }),
        })
        f.lossless(0)
        const report = f.info('a.msh')
        expect(report.error, `0x${mask.toString(16)}`).toBeUndefined()
        expect(report.summary?.meshes).toMatchObject([{ vertices: 3, triangles: 1 }])
        const shown = tree(report.structure!)
        if (version === 2002) expect(shown).toContain('weapon')
        expect(fieldsOf(report.structure!)).toMatchObject({ vertexMask: [expect.any(String), 12] })
      }
    }
    // these bits never bring data
    for (const bit of [0x4, 0x10, 0x80, 0x400, 0x800]) folder({ 'a.msh': msh({ ...body(0x121 | bit) }) }).lossless(0)
  })

  it('offsets are those of the page', () => {
    const report = folder({ 'a.msh': msh(body()) }).info('a.msh')
    const at = (name: string): number => {
      const node = findNode(report.structure!, (n) => n.fields.some((x) => x.name === name))
      return node?.fields.find((x) => x.name === name)?.start ?? -1
    }
    // submesh at 0x30, V at 0x40, positions at 0x44, normals 36 later
    expect([at('type'), at('firstVertex'), at('vertexCount'), at('positions'), at('normals')].slice(1)).toEqual([
      0x30,
      expect.any(Number),
      0x44,
      0x44 + 36,
    ])
    expect(tree(report.structure!)).toMatch(/faceCount=1@/)
  })

  it('winding, normals, texture coordinates, submeshes', () => {
    // clockwise seen in the left-handed frame: cross(b-a, c-a) . normal > 0
    const two = msh({
      mask: 0x121,
      positions: [
        [0, 0, 0],
        [0, 1, 0],
        [1, 0, 0],
        [1, 1, 5],
      ],
      faces: [
        [0, 1, 2],
        [2, 1, 3],
      ],
      submeshes: [
        [0, 3, 0, 1],
        [1, 3, 3, 1],
      ],
    })
    const f = folder({ 'a.msh': two })
    f.lossless(0)
    const { scene } = f.scene()
    const mesh = scene.meshes[0]
    expect(mesh.groups.map((g) => [g.start, g.count])).toEqual([
      [0, 3],
      [3, 3],
    ])
    expectNear([...mesh.positions.slice(9, 12)], [1, 1, -5])
    expectNear([...mesh.normals.slice(0, 3)], [0, 0, 1])
    expect([...mesh.uvs[0].slice(0, 4)]).toEqual([0, 0.125, 0.25, 0.375])
    const [a, b, c] = [0, 1, 2].map((k) => [...mesh.positions.slice(3 * mesh.indices[k], 3 * mesh.indices[k] + 3)])
    const cross = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    expect(cross).toBeGreaterThan(0)
    expect(f.lint()).toEqual([])
  })

  it('lightmap meshes draw with their second set, colours are B, G, R, A', () => {
    const { scene } = folder({ 'a.msh': msh({ ...body(0x341), type: 2 }) }).scene()
    const mesh = scene.meshes[0]
    expect([...mesh.uvs[scene.materials[mesh.groups[0].material]?.uvSet ?? 1].slice(0, 2)]).toEqual([50, 50.125])
    expectNear([...mesh.colors.slice(4, 8)], [3 / 255, 2 / 255, 1 / 255, 1])
  })

  it('two masks only where that alone reaches the end', () => {
    const f = folder({ 'a.msh': msh({ ...body(0x139), secondMask: 0x139 }) })
    f.lossless(0)
    expect(f.info('a.msh').diagnostics.map((d) => d.code)).toContain('lostsaga.public-reading')
    expect(f.scene().scene.meshes[0].nativeVertexCount).toBe(3)
  })

  it('skins by bone names of its own', () => {
    const f = folder({
      'mesh/a.msh': msh(body()),
      'skeleton/a.skl': skl(rig),
      'animation/a.ani': ani(4000, [{ bone: 'Bip01 L Hand', keys: [[f32(...rest.Z90), [52, 10, 0], 0]] }]),
    })
    f.lossless(0)
    const { scene } = f.scene('mesh/a.msh')
    expectNear(posed(scene, 0)[1], [60, 80, 0])
    // hand up by 10 and turned by 90 about Z: vertex 0 sits in the hand, vertex 1 8 units along X
    const moved = posed(scene, 0, 0, 0)
    expectNear(moved[0], [52, 90, 0])
    expectNear(moved[1], [0.75 * 52 + 0.25 * 60, 0.75 * 98 + 0.25 * 80, 0])
    expectNear(moved[2], [52, 90, 0])
    // its triangle turns against its normals
    expect(f.lint()).toEqual(['lostsaga.face-winding'])
  })

  it('rules', () => {
    const say = (parts: MeshParts): string[] => folder({ 'mesh/a.msh': msh(parts), 'skeleton/a.skl': skl(rig) }).lint()
    expect(say(body(0x129))).toContain('lostsaga.weights-without-indices')
    expect(say({ ...body(), bones: ['Bip01 L Hand', 'Tail'] })).toContainEqual(expect.stringMatching(/bone/))
    // a hint alone
    expect(say({ ...body(), bones: ['Bip01 L Hand', ''] })).toEqual(say(body()))
    expect(say({ ...body(), box: [0, 0, 0, 1, 1, 1] })).toContain('lostsaga.bounding-box')
    expect(say({ ...body(), radius: 1 })).toContain('lostsaga.bounding-radius')
    expect(say({ ...body(), submeshes: [[0, 2, 0, 1]] })).toContain('lostsaga.submesh-vertices')
    expect(say({ ...body(), submeshes: [[0, 3, 0, 2]] })).toContain('lostsaga.submesh-faces')
    expect(say({ ...body(), faces: [[0, 1, 9]] })).toContain('lostsaga.index-range')
    expect(
      say({
        ...body(),
        weights: [
          [
            [0, 1],
            [0, 1],
          ],
          [[1], [0]],
          [[1], [0]],
        ],
      }),
    ).toContainEqual(expect.stringMatching(/influence-order|no-weight/))
    expect(
      say({
        ...body(),
        weights: [
          [[0.5], [0]],
          [[1], [0]],
          [[1], [0]],
        ],
      }),
    ).toContain('lostsaga.weight-sum')
    expect(
      say({
        ...body(),
        weights: [
          [[1], [7]],
          [[1], [0]],
          [[1], [0]],
        ],
      }),
    ).toContain('lostsaga.influence-range')
    expect(say({ ...body(), type: 9 })).toContain('lostsaga.mesh-type')
    expect(say({ ...body(), version: 2003 })).toContain('lostsaga.unknown-version')
  })
})

// --- ANI ----------------------------------------------------------------------------------------------------------

describe('ANI', () => {
  /** what one key of a packed rotation decodes to, back in the file's frame */
  const decoded = (version: number, ...words: number[]): number[] => {
    const f = folder({ 'a.skl': skl(rig), 'a.ani': ani(version, [{ bone: 'Bip01', keys: [[u32(...words), [0, 80, 0], 0]] }]) })
    f.lossless(0)
    const track = f.scene('a.skl').scene.clips[0].tracks.find((t) => t.property === 'rotation')!
    const [x, y, z, w] = track.values
    return [-x, -y, z, w]
  }
  const same = (q: number[], p: number[], digits = 2): void => {
    const sign = q[0] * p[0] + q[1] * p[1] + q[2] * p[2] + q[3] * p[3] < 0 ? -1 : 1
    expectNear(
      q.map((v) => sign * v),
      p,
      digits,
    )
  }
  it('COMP4 and COMP8 vectors of the page', () => {
    same(decoded(4001, 0xdff7fdff), [-0.000978, -0.000978, -0.000978, 0.999999], 5)
    same(decoded(4001, 0x1ff7ff69), [sq, 0, 0, sq])
    same(decoded(4001, 0xdcc66566), [-0.1, -0.2, -0.3, 0.92736])
    same(decoded(4001, 0x5ff7fdff), [0, 1, 0, 0])
    same(decoded(4002, 0x7fff7fff, 0x7fffffff), [0, 0, 0, 1], 4)
    same(decoded(4002, 0xda817fff, 0x7fffb504), [sq, 0, 0, sq], 4)
    same(decoded(4002, 0x73326666, 0x5999ed66), [-0.1, -0.2, -0.3, 0.92736], 4)
    same(decoded(4002, 0x7fffffff, 0x7fff0000), [0, 1, 0, 0], 4)
    // full range: a component of 1 beside the largest leaves a radicand below 0
    for (const q of [decoded(4001, 0xffffffff), decoded(4001, 0)]) expect(q.every(Number.isFinite)).toBe(true)
  })

  it('is typed whole with events, shows names, times and offsets', () => {
    const events: [Uint8Array, Uint8Array, number][] = [
      [ascii('motion_sound'), ascii('emotion/lights_camera_action.wav'), 0],
      [korean, bytes(), 333.25],
    ]
    const f = folder({
      'a.skl': skl(rig),
      'a.ani': ani(
        4000,
        [
          {
            bone: 'Bip01',
            weight: 0.5,
            keys: [
              [f32(0, 0, 0, 1), [0, 80, 0], 10],
              [f32(0, 0, 0, 0.8), [0, 90, 0], 30],
            ],
          },
          { bone: korean, keys: [] },
        ],
        events,
      ),
    })
    f.lossless(0)
    const { scene } = f.scene('a.skl')
    expect(scene.clips[0].events).toMatchObject([
      { type: 'motion_sound', info: 'emotion/lights_camera_action.wav', time: 0 },
      { type: '가나', info: '', time: 333.25 },
    ])
    expect(scene.clips[0]).toMatchObject({ unit: 'ms', rate: 1000, end: 1000, fit: { matched: 1, total: 2 } })
    // before the first and after the last key hold; between them the line; others rest
    expectNear(joints(scene, 0, 0).Bip01, [0, 80, 0])
    expectNear(joints(scene, 0, 20).Bip01, [0, 85, 0])
    expectNear(joints(scene, 0, 900)['Bip01 L Hand'], [52, 90, 0])
    const shown = tree(f.info('a.ani').structure!)
    expect(shown).toContain('motion_sound')
    expect(shown).toContain('가나')
    expect(f.lint('a.ani')).toContain('lostsaga.non-unit-rotation')
  })

  it('shortest path, keys out of order, unknown versions', () => {
    const f = folder({
      'a.skl': skl(rig),
      'a.ani': ani(4000, [
        {
          bone: 'Bip01',
          keys: [
            [f32(0, 0, 0, 1), [0, 80, 0], 0],
            [f32(0, 0, -sq, -sq), [0, 80, 0], 100],
          ],
        },
      ]),
    })
    const at = joints(f.scene('a.skl').scene, 0, 50)['Bip01 L Hand']
    expectNear(at, [52 * sq, 80 + 52 * sq, 0], 3)
    const order = folder({
      'a.ani': ani(4000, [
        {
          bone: 'x',
          keys: [
            [f32(0, 0, 0, 1), [0, 0, 0], 50],
            [f32(0, 0, 0, 1), [0, 0, 0], 20],
          ],
        },
      ]),
    })
    order.lossless(0)
    expect(order.lint()).toContain('lostsaga.key-order')
    const odd = folder({ 'a.ani': ani(4003, []) })
    expect(odd.roundtrip()).toMatchObject({ failures: [], identical: 1 })
    expect(odd.lint()).toContainEqual(expect.stringMatching(/version|layout/))
  })
})

// --- the rest -----------------------------------------------------------------------------------------------------

describe('CMS, tokens, texts', () => {
  it('CMS 5000; other versions are shown and refused for editing', () => {
    const cms = (version: number): Uint8Array =>
      bytes(ascii('CMS\0'), u32(version, 3), f32(0, 0, 1, 1, 0, 1, 0, 1, 1), u32(1), u16(0, 2, 1))
    const f = folder({ 'a.cms': cms(5000) })
    f.lossless(0)
    expect(f.info('a.cms')).toMatchObject({ format: 'lostsaga.cms', readOnly: '' })
    expect(f.scene().scene.meshes.length + f.scene().scene.helpers.length).toBeGreaterThan(0)
    const other = folder({ 'a.cms': cms(5001) })
    expect(other.roundtrip()).toMatchObject({ failures: [], identical: 1 })
    expect(other.info('a.cms').readOnly).not.toBe('')
  })

  it('MTL, FNT, PGF, AFX, EDG by their token, kept', () => {
    for (const [token, version] of [
      ['MTL', 3000],
      ['FNT', 5000],
      ['PGF', 1],
      ['AFX', 6000],
      ['EDG', 7000],
    ] as const) {
      const f = folder({ 'a.bin': bytes(ascii(`${token}\0`), u32(version), fill(40, 0x81)) })
      const report = f.roundtrip()
      expect(report, token).toMatchObject({ failures: [], identical: 1, opaqueBytes: 40 })
      expect(tree(f.info('a.bin').structure!)).toContain(token)
      expect(f.info('a.bin').readOnly).not.toBe('')
    }
  })

  const block = (texture: string, more = ''): string =>
    `material\r\n{\r\n\ttechnique\r\n\t{\r\n\t\tpass\r\n\t\t{\r\n\t\t\tambient 1 1 1 1\r\n\t\t\tdiffuse 0.5 0.25 1 1\r\n${more}\t\t\tshader_group Animate\r\n\t\t\tcustom_param rim float4 1 2 3 4\r\n\t\t\ttexture_unit\r\n\t\t\t{\r\n\t\t\t\ttexture ${texture}\r\n\t\t\t\ttex_address_mode wrap\r\n\t\t\t\tfiltering linear linear linear\r\n\t\t\t}\r\n\t\t}\r\n\t}\r\n}\r\n`
  it('materials belong to submeshes in order', () => {
    const two = msh({
      mask: 0x121,
      positions: [
        [0, 0, 0],
        [0, 1, 0],
        [1, 0, 0],
      ],
      faces: [
        [0, 1, 2],
        [0, 1, 2],
      ],
      submeshes: [
        [0, 3, 0, 1],
        [0, 3, 3, 1],
      ],
    })
    const script = `// ${'\t'}comment\r\n${block('one.dds', '\t\t\tcull none\r\n\t\t\tscene_blend add\r\n')}${block('two.dds', '\t\t\talpha_test greater 128\r\n\t\t\tunheard of\r\n')}`
    const f = folder({ 'mesh/a.msh': two, 'material/a.txt': ascii(script) })
    // lines that nobody reads are carried as they are
    f.lossless('// \tcomment'.length + 2)
    expect(f.info('material/a.txt').format).toBe('lostsaga.material')
    const { scene } = f.scene('mesh/a.msh')
    const [m0, m1] = scene.meshes[0].groups.map((g) => scene.materials[g.material])
    expect(m0).toMatchObject({ doubleSided: true, blend: 'additive' })
    expect(scene.textures[m0.texture].name).toContain('one')
    expect(scene.textures[m1.texture].name).toContain('two')
    expect(m1.alphaTest).toBeCloseTo(0.5, 1)
    expect(f.lint().every((c) => c === 'lostsaga.texture-missing')).toBe(true)
    const short = folder({ 'mesh/a.msh': two, 'material/a.txt': ascii(block('one.dds')) })
    expect(short.lint()).toContain('lostsaga.material-count')
    const three = folder({ 'material/a.txt': ascii(block('one.dds').replace('diffuse 0.5 0.25 1 1', 'diffuse 0.5 0.25 1')) })
    expect(three.lint()).toContain('lostsaga.colour-of-three')
  })

  it('model texts name skeleton, meshes, animations', () => {
    const text =
      '#MODEL_CFG\r\n; comment\r\n#SKELETON normal.skl\r\n#ANIMATION_LIST\r\nwalk.ani\r\n#ANIMATION_LIST_END\r\n#AABOX\r\n0 0 0\r\n1 1 1\r\n#SPHERE\r\n0 0 0\r\n5\r\n#MESH_LIST\r\nbody\r\n#MESH_LIST_END\r\n#MODEL_END\r\n'
    const f: Folder = folder({
      'model/animodel/hero.txt': ascii(text),
      'mesh/body.msh': msh(body()),
      'skeleton/normal.skl': skl(rig),
      'animation/walk.ani': ani(4000, [{ bone: 'Bip01', keys: [[f32(0, 0, 0, 1), [0, 80, 0], 0]] }]),
    })
    f.lossless(0)
    const model = f.models('model/animodel/hero.txt')[0]
    expect(model.members.map((m) => m.role).sort()).toEqual(['animation', 'mesh', 'model', 'skeleton'])
    expect(f.scene('model/animodel/hero.txt').scene.skins.length).toBe(1)
  })
})

describe('scan', () => {
  it('counts', async () => {
    const f = folder({
      'mesh/a.msh': msh(body()),
      'skeleton/a.skl': skl(rig),
      'animation/a.ani': ani(4000, []),
      'mesh/cut.msh': msh(body()).subarray(0, 90),
    })
    const report = await f.scan()
    expect(report).toMatchObject({
      files: 4,
      recognised: 4,
      bones: 4,
      meshes: 1,
      slices: 0,
      weights: 4,
      textures: 0,
      errors: [{ path: f.path('mesh/cut.msh') }],
    })
  })
})
