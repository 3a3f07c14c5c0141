/** Rotations of a track as degrees about x, y and z, in the order of `eulerDegrees`: a curve that goes on from key to key. */
import type { NativeTrack } from '../api/types/clips.ts'
import { eulerDegrees, quaternionOfDegrees, readQuaternion, writeQuaternion } from './value.ts'

/** What the angles are called. */
export const DEGREES = ['x°', 'y°', 'z°'] as const

/** Degrees of y from which on `eulerDegrees` gives z to x. */
const POLE = (Math.asin(0.999999) * 180) / Math.PI

/** The same angle, whole turns away, next to another one. */
const near = (angle: number, to: number): number => angle + 360 * Math.round((to - angle) / 360)

/**
 * Degrees of a rotation x, y, z, w. It has two triples of them, each angle is one of many whole turns apart, and at ±90° of y what x and z turn
 * is one: the ones next to others are taken.
 */
export function degreesNear(out: Float64Array | number[], q: ArrayLike<number>, to: ArrayLike<number>, at = 0): void {
  eulerDegrees(out, q)
  if (Math.abs(out[1]) > POLE) {
    out[0] += Math.sign(out[1]) * to[at + 2]
    out[2] = to[at + 2]
  }
  const other = [out[0] + 180, 180 - out[1], out[2] + 180]
  let way = 0
  let otherWay = 0
  for (let c = 0; c < 3; c++) {
    out[c] = near(out[c], to[at + c])
    other[c] = near(other[c], to[at + c])
    way += Math.abs(out[c] - to[at + c])
    otherWay += Math.abs(other[c] - to[at + c])
  }
  // where both are as near, the plain one: rounding does not choose
  if (otherWay < way - 1e-3) for (let c = 0; c < 3; c++) out[c] = other[c]
}

/** Degrees of all keys, three a key, each next to the key before: a joint which goes on turning has a curve that goes on rising, also beyond 90° of y. */
export function degreesOf(track: NativeTrack): Float32Array {
  const out = new Float32Array(track.times.length * 3)
  const q = [0, 0, 0, 0]
  const e = [0, 0, 0]
  for (let k = 0; k < track.times.length; k++) {
    readQuaternion(q, track, track.values, k * 4)
    if (k) degreesNear(e, q, out, 3 * (k - 1))
    else eulerDegrees(e, q)
    for (let c = 0; c < 3; c++) out[3 * k + c] = e[c]
  }
  return out
}

/** Writes degrees as the rotation of a key: its length and its half of the sphere of quaternions stay as they are. */
export function turnTo(track: NativeTrack, values: Float32Array, at: number, degrees: ArrayLike<number>): void {
  const before = [0, 0, 0, 0]
  const q = [0, 0, 0, 0]
  readQuaternion(before, track, values, at)
  quaternionOfDegrees(q, degrees)
  const dot = before.reduce((sum, v, c) => sum + v * q[c], 0)
  const length = (Math.hypot(...before) || 1) * (dot < 0 ? -1 : 1)
  for (let c = 0; c < 4; c++) q[c] *= length
  writeQuaternion(values, at, track, q)
}
