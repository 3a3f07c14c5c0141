/** Rotations of a track as degrees about x, y and z, in the order of `eulerDegrees`: a curve that goes on from key to key. */
import type { NativeTrack } from '../api/types/clips.ts'
import { eulerDegrees, quaternionOfDegrees, readQuaternion, writeQuaternion } from './value.ts'

/** What the angles are called. */
export const DEGREES = ['x°', 'y°', 'z°'] as const

/** The same angle, whole turns away, next to another one. */
const near = (angle: number, to: number): number => angle + 360 * Math.round((to - angle) / 360)

/**
 * Degrees of all keys, three a key. A rotation has two triples of degrees, and each angle is one of many whole turns apart: the ones next to
 * the key before are taken, so that a joint which goes on turning has a curve that goes on rising, also beyond 90° of y.
 */
export function degreesOf(track: NativeTrack): Float32Array {
  const out = new Float32Array(track.times.length * 3)
  const q = [0, 0, 0, 0]
  const e = [0, 0, 0]
  const other = [0, 0, 0]
  for (let k = 0; k < track.times.length; k++) {
    readQuaternion(q, track, track.values, k * 4)
    eulerDegrees(e, q)
    if (k) {
      other[0] = e[0] + 180
      other[1] = 180 - e[1]
      other[2] = e[2] + 180
      let way = 0
      let otherWay = 0
      for (let c = 0; c < 3; c++) {
        const before = out[3 * (k - 1) + c]
        e[c] = near(e[c], before)
        other[c] = near(other[c], before)
        way += Math.abs(e[c] - before)
        otherWay += Math.abs(other[c] - before)
      }
      // where both are as near, the plain one: rounding does not choose
      if (otherWay < way - 1e-3) for (let c = 0; c < 3; c++) e[c] = other[c]
    }
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
