/**
 * Values between and on keys, worked out here in another way than the project does: sums of whole deltas, half-angle forms, turns about one
 * axis, and complex numbers. Three frames or more of each coding.
 */
import { describe, expect, it } from 'vitest'
import { sampleTrack } from '../../src/shared/scene/pose.ts'
import { ascii, bytes, cleanUp, expectNear, f32, field, fill, folder, posed, u16, u32, u8 } from './support.ts'
import type { Track } from '../../src/shared/scene/types.ts'

cleanUp()

type Clip = { tracks: Track[]; loop: 'blend' | 'wrap' | 'hold'; start: number; end: number }
const at = (clip: Clip, property: Track['property'], time: number, nth = 0): number[] => {
  const track = clip.tracks.filter((t) => t.property === property)[nth]
  const out = new Float32Array(16)
  expect(sampleTrack(track, clip as never, time, out)).toBe(true)
  return [
    ...out.subarray(0, property === 'rotation' ? 4 : property === 'translation' || property === 'scale' || property === 'color' ? 3 : 1),
  ]
}

/** An oblique axis of length one. */
const AXIS = [1 / 3, 2 / 3, 2 / 3]
const radians = (degrees: number): number => (degrees * Math.PI) / 180
/** x, y, z, w of a turn about the axis */
const turn = (degrees: number, axis = AXIS): number[] => [
  ...axis.map((a) => a * Math.sin(radians(degrees) / 2)),
  Math.cos(radians(degrees) / 2),
]
/** The same turn, whichever of its two quaternions. */
function expectTurn(actual: number[], expected: number[], digits = 4): void {
  const i = expected.findIndex((v) => Math.abs(v) > 0.1)
  const sign = Math.sign(expected[i]) === Math.sign(actual[i]) ? 1 : -1
  expectNear(
    actual.map((v) => sign * v),
    expected,
    digits,
  )
}

describe('W3D', () => {
  const chunk = (id: number, container: boolean, ...parts: (ArrayLike<number> | number)[]): Uint8Array => {
    const body = bytes(...parts)
    return bytes(u32(id, (body.length | (container ? 0x80000000 : 0)) >>> 0), body)
  }
  const name = (text: string): Uint8Array => field(text, 16)
  const skeleton = chunk(
    0x100,
    true,
    chunk(0x101, false, u32(0x40001), name('H'), u32(2), f32(0, 0, 0)),
    chunk(
      0x102,
      false,
      ...[
        ['ROOTTRANSFORM', 0xffffffff],
        ['BONE', 0],
      ].map(([n, parent]) => bytes(name(n as string), u32(parent as number), f32(0, 0, 0, 0, 0, 0, 0, 0, 0, 1))),
    ),
  )
  const clip = (animation: Uint8Array): Clip => folder({ 'h.w3d': skeleton, 'a.w3d': animation }).scene('h.w3d').scene.clips[0] as Clip
  const raw = (frames: number, ...channels: Uint8Array[]): Clip =>
    clip(chunk(0x200, true, chunk(0x201, false, u32(0x40001), name('A'), name('H'), u32(frames, 30)), ...channels))
  const compressed = (frames: number, flavor: number, ...channels: Uint8Array[]): Clip =>
    clip(
      chunk(
        0x280,
        true,
        chunk(0x281, false, u32(flavor === 2 ? 0x10000 : 1), name('A'), name('H'), u32(frames), u16(30, flavor === 1 ? 1 : 0)),
        ...channels,
      ),
    )
  /** x, y, z of the file in the scene's axes */
  const scene = ([x, y, z, ...w]: number[]): number[] => [y, z, x, ...w]

  it('uncompressed: lerp, slerp, bits', () => {
    const moving = raw(
      3,
      chunk(0x202, false, u16(0, 2, 1, 0, 1, 0), f32(1, -3, 10)),
      chunk(0x202, false, u16(0, 2, 1, 2, 1, 0), f32(0, 4, 4)),
      chunk(0x202, false, u16(0, 2, 4, 6, 1, 0), f32(...turn(0), ...turn(100), ...turn(160).map((v) => -v))),
      chunk(0x203, false, u16(0, 2, 0, 1), 1, 0b101),
    )
    for (const [time, x, z, degrees, shown] of [
      [0, 1, 0, 0, 1],
      [0.25, 0, 1, 25, 1],
      [1, -3, 4, 100, 0],
      [1.5, 3.5, 4, 130, 0],
      [2, 10, 4, 160, 1],
    ]) {
      expectNear(at(moving, 'translation', time), scene([x, 0, z]))
      // the shorter way, also to the negated quaternion
      expectTurn(at(moving, 'rotation', time), scene(turn(degrees)))
      expect(at(moving, 'visibility', time)).toEqual([shown])
    }
  })

  it('time-coded: keys apart, one of them jumped to, bits', () => {
    const moving = compressed(
      21,
      0,
      chunk(0x282, false, u32(3), u16(1), u8(1, 1), u32(0), f32(2), u32(8), f32(-6), u32(0x80000014), f32(50)),
      chunk(0x282, false, u32(3), u16(1), u8(4, 6), u32(0), f32(...turn(0)), u32(5), f32(...turn(90)), u32(20), f32(...turn(-60))),
      chunk(0x283, false, u32(3), u16(1), u8(0, 1), u32(0x80000000, 7, 0x80000000 + 15)),
    )
    for (const [time, y, degrees, shown] of [
      [0, 2, 0, 1],
      [2, 0, 36, 1],
      [7, -5, 70, 0],
      [8, -6, 60, 0],
      [15, -6, -10, 1],
      [19.5, -6, -55, 1],
      [20, 50, -60, 1],
    ]) {
      expectNear(at(moving, 'translation', time), scene([0, y, 0]))
      expectTurn(at(moving, 'rotation', time), scene(turn(degrees)))
      expect(at(moving, 'visibility', time)).toEqual([shown])
    }
  })

  /** 1 - sin a = 2 sin^2 (45 degrees - a / 2) */
  const step = (i: number): number => (i < 16 ? Number(`1e${i - 8}`) : 2 * Math.sin(Math.PI / 4 - ((i - 16) * Math.PI) / 960) ** 2)
  /** deltas of each frame after the first for each component, with the step of each block */
  type Coded = { init: number[]; scale: number; steps: number[][]; deltas: number[][] }
  const blocks = ({ steps, deltas }: Coded, bits: 4 | 8): Uint8Array => {
    const out: Uint8Array[] = []
    for (let b = 0; b < steps[0].length; b++) {
      for (let c = 0; c < deltas.length; c++) {
        const of = Array.from({ length: 16 }, (_, k) => deltas[c][16 * b + k] ?? 0)
        // 4 bits: two's complement, the first of two in the lower half; 8 bits: counted from -128
        out.push(
          bytes(
            steps[c][b],
            bits === 8
              ? Uint8Array.from(of, (d) => d + 128)
              : Uint8Array.from({ length: 8 }, (_, i) => ((of[2 * i] + 16) % 16) + 16 * ((of[2 * i + 1] + 16) % 16)),
          ),
        )
      }
    }
    return bytes(...out)
  }
  const value = ({ init, scale, steps, deltas }: Coded, bits: 4 | 8, c: number, frame: number): number => {
    let sum = init[c]
    steps[c].forEach(
      (s, b) =>
        (sum +=
          deltas[c].slice(16 * b, Math.min(16 * b + 16, frame)).reduce((n, d) => n + d, 0) * step(s) * (bits === 8 ? scale / 16 : scale)),
    )
    return sum
  }
  const unit = (q: number[]): number[] => q.map((v) => v / Math.hypot(...q))

  it.each([
    ['adaptive', 4],
    ['motion', 4],
    ['motion', 8],
  ] as const)('%s of %i bits: one number and quaternions, over two blocks', (coding, bits) => {
    const most = bits === 8 ? 127 : 7
    const wave = (n: number): number[] => Array.from({ length: 20 }, (_, k) => ((k * 5 + n * 3) % (2 * most + 2)) - most - 1)
    const move: Coded = { init: [0.5], scale: 0.25, steps: [[60, 200]], deltas: [wave(1)] }
    const spin: Coded = {
      init: turn(30),
      scale: bits === 8 ? 0.002 : 0.004,
      steps: [
        [16, 40],
        [7, 8],
        [100, 17],
        [90, 255],
      ],
      deltas: [wave(2), wave(0), wave(3), wave(5)],
    }
    const data = (coded: Coded, type: number): Uint8Array => {
      const body = bytes(f32(coded.scale, ...coded.init), blocks(coded, bits))
      return coding === 'adaptive'
        ? chunk(0x282, false, u32(21), u16(1), u8(coded.init.length, type), body, fill(3, 0))
        : chunk(0x284, false, u8(0, bits === 8 ? 2 : 1, coded.init.length, type), u16(21, 1), body)
    }
    const moving = compressed(21, coding === 'adaptive' ? 1 : 2, data(move, 0), data(spin, 6))
    for (const frame of [0, 1, 9, 16, 17, 20]) {
      expectNear(at(moving, 'translation', frame), scene([value(move, bits, 0, frame), 0, 0]))
      expectTurn(at(moving, 'rotation', frame), scene(unit([0, 1, 2, 3].map((c) => value(spin, bits, c, frame)))))
    }
    expectNear(at(moving, 'translation', 16.5), scene([(value(move, bits, 0, 16) + value(move, bits, 0, 17)) / 2, 0, 0]))
  })

  it('motion keys at times of 16 bits', () => {
    const moving = compressed(
      301,
      2,
      chunk(0x284, false, u8(0, 0, 4, 6), u16(3, 1), u16(0, 100, 300), u16(0xbeef), f32(...turn(0), ...turn(50), ...turn(150))),
      chunk(0x284, false, u8(0, 0, 1, 2), u16(2, 1), u16(0, 300), f32(-1, 5)),
    )
    for (const [time, degrees, z] of [
      [0, 0, -1],
      [50, 25, 0],
      [100, 50, 1],
      [250, 125, 4],
      [300, 150, 5],
    ]) {
      expectTurn(at(moving, 'rotation', time), scene(turn(degrees)))
      expectNear(at(moving, 'translation', time), scene([0, 0, z]))
    }
  })
})

describe('Level-5', () => {
  const matrix = (x: number, y: number, z: number): Uint8Array => f32(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1)
  const list = (...tracks: { node: number; target?: number; type: number; keys: number[][] }[]): Uint8Array =>
    bytes(
      ...tracks.map(({ node, target = 0, type, keys }, i) =>
        bytes(
          u32(node, target, type, 32, keys.length, i === tracks.length - 1 ? 0 : 32 + 32 * keys.length, 0xace63701, 0xb0f0fc77),
          ...keys.map(([frame, ...v]) => bytes(u32(frame, 0, 0, 0), f32(...v, ...Array<number>(4 - v.length).fill(0)))),
        ),
      ),
    )
  /** triangle of three vertices, no normals and no texture coordinates */
  const mesh = (vertices: number[][]): Uint8Array => {
    const faces = bytes(u32(0, 16, 1, 0, 0x213, 3, 0, 0, 1, 2), fill(8, 0))
    const material = bytes(f32(1, 1, 1, 1), fill(0x50, 0))
    const v = 16 * vertices.length
    return bytes(
      ascii('MDT\0'),
      u32(0x40, 0x40 + v + 48 + 0x60, vertices.length, 0x40, 0, 0, 0, 0xffffffff, 40, 0x40 + v, 0, 0, 1, 0x40 + v + 48, 0),
      ...vertices.map((p) => f32(...p, 1)),
      faces,
      material,
    )
  }
  const places = [
    [0, 0, 0],
    [1, 0, 0],
    [2, 0, 0],
    [0, 0, 0],
  ]
  const model = (vertices: number[][]): Uint8Array =>
    bytes(
      ascii('MDS\0'),
      u32(1, 4, 16),
      ...places.map((p, i) =>
        bytes(u32(i, 0x70), field(`n${i}`, 32), u32(i === 3 ? 16 + 4 * 0x70 : 0, [0xffffffff, 0, 1, 0][i]), matrix(p[0], p[1], p[2])),
      ),
      mesh(vertices),
    )
  const stored = (degrees: number): number[] => {
    const [x, y, z, w] = turn(degrees)
    return [w, x, y, z]
  }
  const flat = [
    [2, 1, 0],
    [3, -1, 0],
    [4, 2, 0],
  ]

  it('MOT: turns, moves, scales, colours and alphas between sparse keys, held outside; visibility jumps', () => {
    const clip = folder({
      'm.mds': model(flat),
      'm.mot': list(
        {
          node: 1,
          type: 0,
          keys: [
            [1, ...stored(0)],
            [11, ...stored(100)],
            [31, ...stored(40).map((v) => -v)],
          ],
        },
        {
          node: 1,
          type: 2,
          keys: [
            [5, 1, 2, 3],
            [15, 11, -8, 3],
          ],
        },
        {
          node: 1,
          type: 1,
          keys: [
            [1, 1, 1, 1],
            [21, 3, 1, 0.5],
          ],
        },
        {
          node: 3,
          type: 40,
          keys: [
            [1, 1],
            [17, 0.2],
          ],
        },
        {
          node: 3,
          type: 41,
          keys: [
            [1, 0, 0.5, 1],
            [9, 1, 0.5, 0],
          ],
        },
        {
          node: 3,
          type: 50,
          keys: [
            [1, 1],
            [10, 0],
            [20, 1],
          ],
        },
      ),
    }).scene().scene.clips[0] as Clip
    for (const [time, degrees, moved, sx, sz, alpha, red, shown] of [
      [-4, 0, 0, 1, 1, 0, 0, 1],
      [3, 20, 0, 1.2, 0.95, 0.1, 0.25, 1],
      [9, 80, 0.4, 1.8, 0.8, 0.4, 1, 1],
      [10, 90, 0.5, 1.9, 0.775, 0.45, 1, 0],
      [21, 70, 1, 3, 0.5, 0.8, 1, 1],
      [99, 40, 1, 3, 0.5, 0.8, 1, 1],
    ]) {
      // the engine's row vectors turn by what is the conjugate for column vectors
      expectTurn(
        at(clip, 'rotation', time),
        turn(
          degrees,
          AXIS.map((a) => -a),
        ),
      )
      expectNear(at(clip, 'translation', time), [1 + 10 * moved, 2 - 10 * moved, 3])
      expectNear(at(clip, 'scale', time), [sx, 1, sz])
      expectNear(at(clip, 'opacity', time), [alpha])
      expectNear(at(clip, 'color', time), [red, 0.5, 1 - red])
      expect(at(clip, 'visibility', time)).toEqual([shown])
    }
  })

  it('WGT: a vertex between three bones, as complex numbers of the plane have it', () => {
    type Complex = [number, number]
    const mul = (a: Complex, b: Complex): Complex => [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
    const add = (a: Complex, b: Complex): Complex => [a[0] + b[0], a[1] + b[1]]
    const about = (degrees: number): Complex => [Math.cos(radians(degrees)), Math.sin(radians(degrees))]
    const weights = [
      [20, 30, 50],
      [0, 100, 0],
      [10, 0, 90],
    ]
    const z = (degrees: number): number[] => [Math.cos(radians(degrees) / 2), 0, 0, Math.sin(radians(degrees) / 2)]
    const { scene } = folder({
      'm.mds': model(flat),
      'm.wgt': list(
        ...[0, 1, 2].map((bone) => ({ node: 3, target: bone, type: 20, keys: weights.flatMap((w, v) => (w[bone] ? [[v, w[bone]]] : [])) })),
      ),
      'm.mot': list(
        {
          node: 1,
          type: 0,
          keys: [
            [1, ...z(0)],
            [11, ...z(-60)],
          ],
        },
        {
          node: 2,
          type: 0,
          keys: [
            [1, ...z(0)],
            [11, ...z(-80)],
          ],
        },
      ),
    }).scene()
    for (const time of [1, 4.5, 11]) {
      const part = (time - 1) / 10
      const got = posed(scene, 0, 0, time)
      flat.forEach(([x, y], v) => {
        // bone 1 stands at 1, bone 2 at 3; stored turns of -60 and -80 degrees are +60 and +80
        const [a, b] = [about(60 * part), about(80 * part)]
        const byOne = add([1, 0], mul(a, [x - 1, y]))
        const byTwo = add([1, 0], mul(a, add([2, 0], mul(b, [x - 3, y]))))
        const [w0, w1, w2] = weights[v].map((w) => w / 100)
        expectNear(got[v], [w0 * x + w1 * byOne[0] + w2 * byTwo[0], w0 * y + w1 * byOne[1] + w2 * byTwo[1], 0])
      })
    }
  })
})
