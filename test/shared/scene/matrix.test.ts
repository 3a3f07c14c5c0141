import fc from 'fast-check'
import { mat4 } from 'gl-matrix'
import type { quat } from 'gl-matrix'
import { describe, expect, it } from 'vitest'
import {
  compose,
  decompose,
  identity,
  invertAffine,
  multiply,
  multiplyQuat,
  slerp,
  transformPoint,
} from '../../../src/shared/scene/matrix.ts'

const number = (size: number) => fc.double({ min: -size, max: size, noNaN: true, noDefaultInfinity: true })
const quaternion = fc
  .tuple(number(1), number(1), number(1), number(1))
  .filter((q) => Math.hypot(...q) > 0.05)
  .map((q) => q.map((x) => x / Math.hypot(...q)))
const scaleOf = fc.double({ min: 0.05, max: 20, noNaN: true })
const vector = fc.tuple(number(100), number(100), number(100))

function trs(t: number[], q: number[], s: number[]): Float64Array {
  const out = new Float64Array(16)
  compose(out, 0, t, 0, q, 0, s, 0)
  return out
}

function parts(m: Float64Array | number[]): { t: number[]; q: number[]; s: number[] } {
  const t = [0, 0, 0],
    q = [0, 0, 0, 0],
    s = [0, 0, 0]
  decompose(m, 0, t, 0, q, 0, s, 0)
  return { t, q, s }
}

function expectClose(a: ArrayLike<number>, b: ArrayLike<number>, tolerance = 1e-6): void {
  expect(a.length).toBe(b.length)
  const scale = Math.max(1, ...Array.from(b, Math.abs))
  for (let i = 0; i < a.length; i++)
    expect(Math.abs(a[i] - b[i]), `entry ${i}: ${a[i]} is not ${b[i]}`).toBeLessThanOrEqual(tolerance * scale)
}

describe('multiply', () => {
  it('agrees with gl-matrix, also in place and with offsets', () => {
    fc.assert(
      fc.property(
        fc.array(number(10), { minLength: 16, maxLength: 16 }),
        fc.array(number(10), { minLength: 16, maxLength: 16 }),
        (a, b) => {
          // the fourth row of an affine matrix is 0 0 0 1, but the product holds for any
          const expected = mat4.multiply([] as unknown as mat4, a as mat4, b as mat4)
          const buffer = [...new Array(3).fill(7), ...a, ...b]
          multiply(buffer, 19, buffer, 3, buffer, 19)
          expectClose(buffer.slice(19, 35), expected, 1e-9)
          const second = [...a, ...b]
          multiply(second, 0, second, 0, second, 16)
          expectClose(second.slice(0, 16), expected, 1e-9)
          expect(buffer.slice(0, 3)).toEqual([7, 7, 7])
        },
      ),
    )
  })
})

describe('compose and decompose', () => {
  it('composes as translation, then rotation, then scale', () => {
    fc.assert(
      fc.property(vector, quaternion, fc.tuple(scaleOf, scaleOf, scaleOf), (t, q, s) => {
        expectClose(trs(t, q, s), mat4.fromRotationTranslationScale(new Float64Array(16) as unknown as mat4, q as quat, t, s), 1e-9)
      }),
    )
  })

  it('takes apart what compose made: same translation, scale and rotation up to the sign of the quaternion', () => {
    fc.assert(
      fc.property(vector, quaternion, fc.tuple(scaleOf, scaleOf, scaleOf), (t, q, s) => {
        const p = parts(trs(t, q, s))
        expectClose(p.t, t, 1e-9)
        expectClose(p.s, s, 1e-9)
        expect(Math.abs(p.q.reduce((sum, x, i) => sum + x * q[i], 0))).toBeGreaterThan(1 - 1e-9)
      }),
    )
  })

  it('recomposes a mirrored matrix to itself, with the mirror in x', () => {
    fc.assert(
      fc.property(
        vector,
        quaternion,
        fc.tuple(scaleOf, scaleOf, scaleOf),
        fc.constantFrom([-1, 1, 1], [1, -1, 1], [1, 1, -1], [-1, -1, -1]),
        (t, q, s, sign) => {
          const m = trs(
            t,
            q,
            s.map((x, i) => x * sign[i]),
          )
          const p = parts(m)
          expect(p.s[0]).toBeLessThan(0)
          expect(p.s[1]).toBeGreaterThan(0)
          expect(p.s[2]).toBeGreaterThan(0)
          expectClose(trs(p.t, p.q, p.s), m, 1e-8)
        },
      ),
    )
  })

  it('finds every branch of the quaternion: half turns about each axis', () => {
    for (const q of [
      [1, 0, 0, 0],
      [0, 1, 0, 0],
      [0, 0, 1, 0],
      [0, 0, 0, 1],
      [Math.SQRT1_2, Math.SQRT1_2, 0, 0],
      [0, Math.SQRT1_2, Math.SQRT1_2, 0],
    ]) {
      const m = trs([1, 2, 3], q, [1, 1, 1])
      const p = parts(m)
      expectClose(trs(p.t, p.q, p.s), m, 1e-9)
    }
  })

  it('keeps the rotation where scale is zero along one axis or two', () => {
    const q = [0.1, -0.5, 0.3, 0.8].map((x) => x / Math.hypot(0.1, -0.5, 0.3, 0.8))
    for (const s of [
      [0, 2, 3],
      [2, 0, 3],
      [2, 3, 0],
      [0, 0, 3],
      [0, 3, 0],
      [3, 0, 0],
    ]) {
      const m = trs([1, 2, 3], q, s)
      const p = parts(m)
      expectClose(p.s, s, 1e-9)
      expectClose(trs(p.t, p.q, p.s), m, 1e-9)
      expect(Math.hypot(...p.q)).toBeCloseTo(1, 9)
    }
  })

  it('gives a usable rotation for a matrix of zeros or of NaN', () => {
    expect(parts(new Float64Array(16)).q).toEqual([0, 0, 0, 1])
    const bad = parts(new Float64Array(16).fill(NaN))
    expect(bad.q).toEqual([0, 0, 0, 1])
  })
})

describe('invertAffine', () => {
  it('is the inverse of an affine matrix, in place too', () => {
    fc.assert(
      fc.property(vector, quaternion, fc.tuple(scaleOf, scaleOf, scaleOf), (t, q, s) => {
        const m = trs(t, q, s)
        const inverse = m.slice()
        expect(invertAffine(inverse, 0, inverse, 0)).toBe(true)
        const product = new Float64Array(16)
        multiply(product, 0, m, 0, inverse, 0)
        const one = new Float64Array(16)
        identity(one)
        expectClose(product, one, 1e-7)
      }),
    )
  })

  it('gives the identity and false for what has no inverse', () => {
    for (const m of [
      new Float64Array(16),
      new Float64Array(16).fill(NaN),
      trs([1, 2, 3], [0, 0, 0, 1], [1, 0, 1]),
      new Float64Array(16).fill(Infinity),
    ]) {
      const out = new Float64Array(16).fill(9)
      expect(invertAffine(out, 0, m, 0)).toBe(false)
      const one = new Float64Array(16)
      identity(one)
      expect(out).toEqual(one)
    }
  })
})

describe('slerp', () => {
  const rotation = (q: number[]): number[] => [...trs([0, 0, 0], q, [1, 1, 1])]

  it('meets both ends and takes equal steps on the short way', () => {
    fc.assert(
      fc.property(quaternion, quaternion, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, k) => {
        const out = [0, 0, 0, 0]
        slerp(out, 0, a, 0, b, 0, 0)
        expectClose(rotation(out), rotation(a), 1e-7)
        slerp(out, 0, a, 0, b, 0, 1)
        expectClose(rotation(out), rotation(b), 1e-7)
        slerp(out, 0, a, 0, b, 0, k)
        expect(Math.hypot(...out)).toBeCloseTo(1, 9)
        const dot = (p: number[], q: number[]): number => Math.min(1, Math.abs(p.reduce((sum, x, i) => sum + x * q[i], 0)))
        const whole = Math.acos(dot(a, b))
        // within the blend of short arcs the error stays below a thousandth of the arc
        expect(Math.abs(Math.acos(dot(a, out)) - k * whole)).toBeLessThan(1e-3 * whole + 1e-7)
      }),
    )
  })

  it('does not mind the sign of either quaternion', () => {
    fc.assert(
      fc.property(quaternion, quaternion, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, k) => {
        fc.pre(Math.abs(a.reduce((sum, x, i) => sum + x * b[i], 0)) > 1e-3) // exactly half a turn has two short ways
        const one = [0, 0, 0, 0],
          other = [0, 0, 0, 0]
        slerp(one, 0, a, 0, b, 0, k)
        slerp(
          other,
          0,
          a,
          0,
          b.map((x) => -x),
          0,
          k,
        )
        expectClose(rotation(one), rotation(other), 1e-7)
      }),
    )
  })

  it('gives a rotation for quaternions of zeros or NaN', () => {
    for (const bad of [
      [0, 0, 0, 0],
      [NaN, 0, 0, 1],
    ]) {
      const out = [9, 9, 9, 9]
      slerp(out, 0, bad, 0, bad, 0, 0.5)
      expect(out).toEqual([0, 0, 0, 1])
    }
  })
})

describe('multiplyQuat', () => {
  it('is the product of the rotations', () => {
    fc.assert(
      fc.property(quaternion, quaternion, (a, b) => {
        const out = [0, 0, 0, 0]
        multiplyQuat(out, 0, a, 0, b, 0)
        const product = new Float64Array(16)
        multiply(product, 0, trs([0, 0, 0], a, [1, 1, 1]), 0, trs([0, 0, 0], b, [1, 1, 1]), 0)
        expectClose(trs([0, 0, 0], out, [1, 1, 1]), product, 1e-9)
      }),
    )
  })
})

describe('transformPoint', () => {
  it('moves a point as a column vector', () => {
    const out = [0, 0, 0]
    // a quarter turn about y takes +z to +x
    transformPoint(out, 0, trs([10, 0, 0], [0, Math.SQRT1_2, 0, Math.SQRT1_2], [2, 2, 2]), 0, 0, 0, 1)
    expectClose(out, [12, 0, 0], 1e-12)
  })
})
