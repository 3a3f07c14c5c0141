/**
 * Rotations and directions on flat arrays of doubles with offsets, beside those of `scene/matrix.ts`: what carries motion
 * from figure to figure and solves limbs needs small turns to the last digit.
 * Quaternions x, y, z, w; directions 3.
 */
import { multiplyQuat } from '../scene/matrix.ts'
import { length3, length4 } from '../scene/length.ts'

export type Doubles = Float64Array | number[]

/** out = q v q⁻¹ for a unit quaternion; out may be v. */
export function rotate(out: Doubles, o: number, q: ArrayLike<number>, qo: number, v: ArrayLike<number>, vo: number): void {
  const [x, y, z, w] = [q[qo], q[qo + 1], q[qo + 2], q[qo + 3]]
  const [a, b, c] = [v[vo], v[vo + 1], v[vo + 2]]
  const tx = 2 * (y * c - z * b),
    ty = 2 * (z * a - x * c),
    tz = 2 * (x * b - y * a)
  out[o] = a + w * tx + y * tz - z * ty
  out[o + 1] = b + w * ty + z * tx - x * tz
  out[o + 2] = c + w * tz + x * ty - y * tx
}

/** out = q⁻¹ of a unit quaternion; out may be q. */
export function inverseTurn(out: Doubles, o: number, q: ArrayLike<number>, qo: number): void {
  out[o] = -q[qo]
  out[o + 1] = -q[qo + 1]
  out[o + 2] = -q[qo + 2]
  out[o + 3] = q[qo + 3]
}

/** out = a⁻¹ b for unit quaternions; out may be b. */
export function turnFrom(out: Doubles, o: number, a: Doubles, ao: number, b: Doubles, bo: number): void {
  const back = [-a[ao], -a[ao + 1], -a[ao + 2], a[ao + 3]]
  multiplyQuat(out, o, back, 0, b, bo)
}

/** Brings a quaternion to length 1; what has no length becomes the identity. */
export function unitTurn(q: Doubles, o: number): void {
  const length = length4(q[o], q[o + 1], q[o + 2], q[o + 3])
  if (!(length > 0) || !Number.isFinite(length)) {
    q[o] = q[o + 1] = q[o + 2] = 0
    q[o + 3] = 1
    return
  }
  for (let c = 0; c < 4; c++) q[o + c] /= length
}

/** The shortest turn that brings direction a upon direction b, both of any length above 0; of opposite ones half a turn about any axis across. */
export function arcBetween(out: Doubles, o: number, a: ArrayLike<number>, ao: number, b: ArrayLike<number>, bo: number): void {
  const la = length3(a[ao], a[ao + 1], a[ao + 2]),
    lb = length3(b[bo], b[bo + 1], b[bo + 2])
  if (!(la > 0) || !(lb > 0)) {
    out[o] = out[o + 1] = out[o + 2] = 0
    out[o + 3] = 1
    return
  }
  const [ax, ay, az] = [a[ao] / la, a[ao + 1] / la, a[ao + 2] / la]
  const [bx, by, bz] = [b[bo] / lb, b[bo + 1] / lb, b[bo + 2] / lb]
  const w = 1 + ax * bx + ay * by + az * bz
  if (w > 1e-12) {
    out[o] = ay * bz - az * by
    out[o + 1] = az * bx - ax * bz
    out[o + 2] = ax * by - ay * bx
    out[o + 3] = w
  } else {
    const across = acrossOf([ax, ay, az])
    out[o] = across[0]
    out[o + 1] = across[1]
    out[o + 2] = across[2]
    out[o + 3] = 0
  }
  unitTurn(out, o)
}

/** A direction of length 1 that stands across one of length 1. */
export function acrossOf(v: ArrayLike<number>): [number, number, number] {
  const [x, y, z] = [Math.abs(v[0]), Math.abs(v[1]), Math.abs(v[2])]
  const other = x <= y && x <= z ? [1, 0, 0] : y <= z ? [0, 1, 0] : [0, 0, 1]
  const out = cross(v, other)
  return scaled(out, 1 / Math.hypot(...out))
}

/** Radians between two unit quaternions, whatever their signs. */
export function radiansBetween(a: ArrayLike<number>, ao: number, b: ArrayLike<number>, bo: number): number {
  let less = 0,
    more = 0
  for (let c = 0; c < 4; c++) {
    less += (a[ao + c] - b[bo + c]) ** 2
    more += (a[ao + c] + b[bo + c]) ** 2
  }
  return 4 * Math.atan2(Math.sqrt(Math.min(less, more)), Math.sqrt(Math.max(less, more)))
}

// --- three numbers ---------------------------------------------------------------------------------------------------

export type Vector = [number, number, number]

export function vectorAt(values: ArrayLike<number>, o: number): Vector {
  return [values[o], values[o + 1], values[o + 2]]
}

export function minus(a: ArrayLike<number>, b: ArrayLike<number>): Vector {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/** a + k b */
export function plus(a: ArrayLike<number>, b: ArrayLike<number>, k = 1): Vector {
  return [a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2]]
}

export function scaled(a: ArrayLike<number>, k: number): Vector {
  return [a[0] * k, a[1] * k, a[2] * k]
}

export function dotOf(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

export function cross(a: ArrayLike<number>, b: ArrayLike<number>): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

export function lengthOf(a: ArrayLike<number>): number {
  return length3(a[0], a[1], a[2])
}

/** Of length 1; undefined for what has no direction. */
export function directionOf(a: ArrayLike<number>, least = 1e-300): Vector | undefined {
  const length = lengthOf(a)
  return length > least && Number.isFinite(length) ? scaled(a, 1 / length) : undefined
}
