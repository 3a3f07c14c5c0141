import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { radius, robustBounds, union } from '../../../src/renderer/viewport/bounds.ts'
import {
  basis,
  defaultOrbit,
  depthRange,
  halfHeight,
  eye,
  lookedAtAs,
  frameBounds,
  mixOrbit,
  pan,
  parallelMatrix,
  projectionMatrix,
  projector,
  turn,
  viewMatrix,
  VIEWS,
  zoom,
} from '../../../src/renderer/viewport/orbit.ts'
import type { CarriedStand, Orbit } from '../../../src/renderer/viewport/orbit.ts'
import { measureGrid } from '../../../src/renderer/viewport/grid.ts'
import { cross, dot, parseColor } from '../../../src/renderer/viewport/vec.ts'

const size = fc.double({ min: 0.01, max: 1000, noNaN: true })
const place = fc.double({ min: -1000, max: 1000, noNaN: true })
const boxes = fc
  .tuple(place, place, place, size, size, size)
  .map(([x, y, z, w, h, d]) => ({ min: [x, y, z] as [number, number, number], max: [x + w, y + h, z + d] as [number, number, number] }))
const orbits = fc.record({
  target: fc.tuple(place, place, place).map((p): [number, number, number] => p),
  yaw: fc.double({ min: -4, max: 4, noNaN: true }),
  pitch: fc.double({ min: -Math.PI / 2, max: Math.PI / 2, noNaN: true }),
  distance: fc.double({ min: 0.1, max: 1000, noNaN: true }),
  fov: fc.constant(0.5),
})

describe('robustBounds', () => {
  it('is the box of ordinary points', () => {
    expect(
      robustBounds([
        [0, 0, 0, 1, 2, 3],
        [-1, 5, 0],
      ]),
    ).toEqual({ min: [-1, 0, 0], max: [1, 5, 3] })
  })
  it('keeps thin far parts, drops the absurd', () => {
    const body = Array.from({ length: 300 }, (_, i) => [Math.sin(i), (i % 20) / 10, Math.cos(i)]).flat()
    const withSword = robustBounds([body, [4, 1, 0]])!
    expect(withSword.max[0]).toBe(4)
    const broken = robustBounds([body, [1e7, 0, 0, NaN, 1, 1, 0, Infinity, 0, 0, -1e30, 0]])!
    expect(broken.max[0]).toBeLessThanOrEqual(1)
    expect(broken.min[1]).toBe(0)
    expect(radius(broken)).toBeLessThan(4)
  })
  it('leaves out parts that were moved away, on whichever side, and keeps what is only apart', () => {
    const body = Array.from({ length: 300 }, (_, i) => [Math.sin(i), (i % 20) / 10, Math.cos(i)]).flat()
    const part = (x: number, y: number, n = 80): number[] =>
      Array.from({ length: n }, (_, i) => [x + Math.sin(i) / 4, y, Math.cos(i) / 4]).flat()
    const own = robustBounds([body])
    expect(robustBounds([body, part(0, -500)])).toEqual(own)
    expect(robustBounds([part(900, 0), body, part(0, 80)])).toEqual(own)
    // a weapon beside its owner belongs to the model, and so does every other half
    expect(robustBounds([body, part(5, 0)])!.max[0]).toBeGreaterThan(5)
    expect(robustBounds([body, part(60, 0, 300)])!.max[0]).toBeGreaterThan(60)
  })
  it('keeps what triangles join to the rest, however far it is, and not what one broken corner does', () => {
    // a lamp of many vertices on a post of few
    const lamp = Array.from({ length: 57 }, (_, i) => [Math.sin(i), 6 + (i % 5) / 10, Math.cos(i)]).flat()
    const foot = Array.from({ length: 24 }, (_, i) => [Math.sin(i) / 9, -(i % 3) / 4, Math.cos(i) / 9]).flat()
    const post = [0, 57, 60, 1, 58, 61]
    const whole = robustBounds([[...lamp, ...foot]], [post])!
    expect(whole.min[1]).toBe(-0.5)
    expect(whole.max[1]).toBeCloseTo(6.4)
    // the same far below, without a post: hidden there
    expect(
      robustBounds(
        [lamp, foot.map((v, i) => (i % 3 === 1 ? v - 90 : v))],
        [
          [0, 1, 2],
          [0, 1, 2],
        ],
      )!.min[1],
    ).toBe(6)
    expect(robustBounds([[...lamp, 0, -60, 0]], [[0, 1, 57]])!.min[1]).toBe(6)
    const torn = Array.from({ length: 24 }, (_, i) => [0, -4000 - i, 0]).flat()
    expect(robustBounds([[...lamp, ...torn]], [post])!.min[1]).toBe(6)
  })
  it('has nothing to say without a usable point', () => {
    expect(robustBounds([])).toBeNull()
    expect(
      robustBounds([
        [NaN, 0, 0],
        [Infinity, 1, 1],
      ]),
    ).toBeNull()
  })
  it('unites', () => {
    expect(union(null, { min: [0, 0, 0], max: [1, 1, 1] })).toEqual({ min: [0, 0, 0], max: [1, 1, 1] })
    expect(union({ min: [-1, 0, 0], max: [0, 1, 1] }, { min: [0, 0, 0], max: [1, 1, 2] })).toEqual({ min: [-1, 0, 0], max: [1, 1, 2] })
  })
})

describe('the camera', () => {
  it('has a right-handed basis for every direction, straight down too', () => {
    fc.assert(
      fc.property(orbits, (o) => {
        const b = basis(o)
        const z = cross(b.right, b.up)
        for (let c = 0; c < 3; c++) expect(z[c]).toBeCloseTo(b.back[c], 9)
        expect(dot(b.right, b.right)).toBeCloseTo(1, 9)
      }),
    )
  })
  it('stands where its view is named after', () => {
    const at = (name: keyof typeof VIEWS) =>
      eye({ ...defaultOrbit(), ...VIEWS[name], distance: 2 }).map((x) => Math.round(x * 1e6) / 1e6 + 0)
    expect(at('front')).toEqual([0, 0, 2])
    expect(at('back')).toEqual([0, 0, -2])
    expect(at('right')).toEqual([2, 0, 0])
    expect(at('left')).toEqual([-2, 0, 0])
    expect(at('top')).toEqual([0, 2, 0])
    expect(at('bottom')).toEqual([0, -2, 0])
  })
  it('projects as its matrices do', () => {
    fc.assert(
      fc.property(orbits, fc.tuple(place, place, place), (o, p) => {
        const [w, h] = [800, 600]
        const out = [0, 0, 0]
        projector(o, w, h).project(p[0], p[1], p[2], out)
        const v = viewMatrix(o, new Float64Array(16) as unknown as Float32Array<ArrayBuffer>)
        const m = projectionMatrix(o.fov, w / h, 1, 1e5, new Float64Array(16) as unknown as Float32Array<ArrayBuffer>)
        const c = [0, 1, 2].map((r) => v[r] * p[0] + v[4 + r] * p[1] + v[8 + r] * p[2] + v[12 + r])
        fc.pre(c[2] < -0.5)
        const clip = [m[0] * c[0], m[5] * c[1]].map((x) => x / -c[2])
        expect(out[0]).toBeCloseTo(((clip[0] + 1) / 2) * w, 2)
        expect(out[1]).toBeCloseTo(((1 - clip[1]) / 2) * h, 2)
        expect(out[2]).toBeCloseTo(-c[2], 4)
      }),
    )
  })
  it('projects without perspective as that matrix does: as large at every depth, as large as with it at the target', () => {
    fc.assert(
      fc.property(orbits, fc.tuple(place, place, place), (seen, p) => {
        const o: Orbit = { ...seen, parallel: true }
        const [w, h] = [800, 600]
        const view = projector(o, w, h)
        const out = [0, 0, 0]
        view.project(p[0], p[1], p[2], out)
        const v = viewMatrix(o, new Float64Array(16) as unknown as Float32Array<ArrayBuffer>)
        const m = parallelMatrix(halfHeight(o), w / h, -10, 10, new Float64Array(16) as unknown as Float32Array<ArrayBuffer>)
        const c = [0, 1, 2].map((r) => v[r] * p[0] + v[4 + r] * p[1] + v[8 + r] * p[2] + v[12 + r])
        expect(out[0]).toBeCloseTo(((m[0] * c[0] + 1) / 2) * w, 2)
        expect(out[1]).toBeCloseTo(((1 - m[5] * c[1]) / 2) * h, 2)
        expect(view.pixelsAt(1)).toBe(view.pixelsAt(1e6))
        expect(view.pixelsAt(1)).toBeCloseTo(projector(seen, w, h).pixelsAt(seen.distance), 6)
        const { origin, direction } = view.ray(out[0], out[1])
        const along = [0, 1, 2].reduce((sum, i) => sum + (p[i] - origin[i]) * direction[i], 0)
        for (let i = 0; i < 3; i++) expect(origin[i] + direction[i] * along).toBeCloseTo(p[i], 3)
      }),
    )
  })
  it('sends the ray of a pixel through the point that is drawn there', () => {
    fc.assert(
      fc.property(
        orbits,
        fc.double({ min: 1, max: 799, noNaN: true }),
        fc.double({ min: 1, max: 599, noNaN: true }),
        size,
        (o, x, y, far) => {
          const view = projector(o, 800, 600)
          const { origin, direction } = view.ray(x, y)
          const out = [0, 0, 0]
          view.project(origin[0] + direction[0] * far, origin[1] + direction[1] * far, origin[2] + direction[2] * far, out)
          expect(out[0]).toBeCloseTo(x, 3)
          expect(out[1]).toBeCloseTo(y, 3)
        },
      ),
    )
  })
  it('frames any box from any side: every corner on screen, and not small', () => {
    fc.assert(
      fc.property(orbits, boxes, fc.double({ min: 0.3, max: 4, noNaN: true }), (o, box, aspect) => {
        // a needle seen from its end can only be small
        const sides = [0, 1, 2].map((c) => box.max[c] - box.min[c])
        fc.pre(Math.min(...sides) > Math.max(...sides) * 0.2)
        const [w, h] = [600 * aspect, 600]
        const framed: Orbit = { ...o, ...frameBounds(o, box, aspect) }
        const view = projector(framed, w, h)
        const out = [0, 0, 0]
        let reach = 0
        for (let i = 0; i < 8; i++) {
          view.project(i & 1 ? box.max[0] : box.min[0], i & 2 ? box.max[1] : box.min[1], i & 4 ? box.max[2] : box.min[2], out)
          expect(out[2]).toBeGreaterThan(0)
          reach = Math.max(reach, Math.abs(out[0] / w - 0.5) * 2, Math.abs(out[1] / h - 0.5) * 2)
        }
        expect(reach).toBeLessThan(1)
        expect(reach).toBeGreaterThan(0.5)
      }),
    )
  })
  it('keeps model and camera inside the depth range', () => {
    fc.assert(
      fc.property(orbits, boxes, (o, box) => {
        const framed: Orbit = { ...o, ...frameBounds(o, box, 1.5) }
        const { near, far } = depthRange(framed, box, radius(box) * 5)
        expect(near).toBeGreaterThan(0)
        expect(far / near).toBeLessThanOrEqual(4001)
        const view = projector(framed, 100, 100)
        const out = [0, 0, 0]
        for (let i = 0; i < 8; i++) {
          view.project(i & 1 ? box.max[0] : box.min[0], i & 2 ? box.max[1] : box.min[1], i & 4 ? box.max[2] : box.min[2], out)
          expect(out[2]).toBeGreaterThan(near)
          expect(out[2]).toBeLessThan(far)
        }
      }),
    )
  })
  it('turns without passing the poles, pans with the pointer, zooms within the model', () => {
    let o = defaultOrbit()
    for (let i = 0; i < 100; i++) o = turn(o, 0.3, 0.2)
    expect(o.pitch).toBe(Math.PI / 2)
    expect(Math.abs(o.yaw)).toBeLessThanOrEqual(Math.PI)
    const before = projector(o, 800, 600),
      out = [0, 0, 0]
    before.project(...o.target, out)
    const moved = pan(o, 40, -25, 600)
    projector(moved, 800, 600).project(...o.target, out)
    expect(out[0]).toBeCloseTo(440, 3)
    expect(out[1]).toBeCloseTo(275, 3)
    for (let i = 0; i < 500; i++) o = zoom(o, 0.5, 1)
    expect(o.distance).toBeGreaterThan(0.01)
    for (let i = 0; i < 500; i++) o = zoom(o, 2, 1)
    expect(o.distance).toBeLessThan(100)
  })
  it('looks at a model of another size and floor as it looks at the first, and back', () => {
    // a figure of two metres from its soles, and one of 180 from its hips
    const [one, other] = [
      { floor: 0, extent: 2, carried: [0, 0], aims: 0 },
      { floor: -90, extent: 180, carried: [0, 0], aims: 0 },
    ] satisfies CarriedStand[]
    const orbit: Orbit = { target: [0.5, 1, -1], yaw: 1, pitch: 0.2, distance: 5, fov: 0.7 }
    const there = lookedAtAs(orbit, one, other)
    expect(there).toEqual({ ...orbit, target: [45, 0, -90], distance: 450 })
    expect(lookedAtAs(there, other, one)).toEqual(orbit)
    // cameras that follow: the first has gone three metres, the other stands
    const gone = { ...one, carried: [0, 3] } satisfies CarriedStand
    const follows: Orbit = { ...orbit, target: [0.5, 1, 2] }
    expect(lookedAtAs(follows, gone, other)).toEqual(there)
    expect(lookedAtAs(there, other, gone)).toEqual(follows)
  })

  it('moves from one place to another the short way round', () => {
    const a = { ...defaultOrbit(), yaw: 3 },
      b = { ...defaultOrbit(), yaw: -3 }
    expect(mixOrbit(a, b, 0.5).yaw).toBeCloseTo(Math.PI)
    const end = mixOrbit(a, { ...b, distance: 80, target: [1, 2, 3] }, 1)
    expect(end.distance).toBeCloseTo(80)
    expect(end.target).toEqual([1, 2, 3])
  })
})

describe('the grid', () => {
  it('has round steps and reaches past the model', () => {
    fc.assert(
      fc.property(boxes, (box) => {
        const { step, lines, extent } = measureGrid(box)
        expect(Math.log10(step) % 1).toBeCloseTo(0, 9)
        expect(lines % 10).toBe(0)
        expect(extent).toBeGreaterThan(radius(box))
        expect(lines).toBeLessThanOrEqual(200)
      }),
    )
  })
})

describe('parseColor', () => {
  it('reads what an input of type color gives, and grey for anything else', () => {
    expect(parseColor('#ff8000')).toEqual([1, 128 / 255, 0])
    expect(parseColor('red; x')).toEqual([0.5, 0.5, 0.5])
  })
})
