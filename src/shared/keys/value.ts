/** Values of native tracks: read between keys, measured, turned. Rotations are known by the names of their components: w may stand first or last. */
import { multiplyQuat, slerp } from '../scene/matrix.ts'
import { lowerBound } from './plan.ts'
import type { NativeTrack } from '../api/types/clips.ts'

type Numbers = Float32Array | Float64Array | number[]

export function isRotation(track: Pick<NativeTrack, 'property' | 'components'>): boolean {
  return track.property === 'rotation' && track.components.length === 4
}

/** Values at `a` and `b` of two lists blended: turned for rotations (the shorter way), straight otherwise. */
export function blendValues(track: NativeTrack, out: Numbers, o: number, a: Numbers, ao: number, b: Numbers, bo: number, t: number): void {
  if (isRotation(track)) slerp(out, o, a, ao, b, bo, t)
  else for (let c = 0; c < track.components.length; c++) out[o + c] = a[ao + c] + (b[bo + c] - a[ao + c]) * t
}

/** Value of a track between its keys; held outside, where the track steps and before a key that is jumped to. */
export function valueAt(track: NativeTrack, time: number): Float32Array {
  const width = track.components.length
  const out = new Float32Array(width)
  sampleInto(track, time, out, 0)
  return out
}

export function sampleInto(track: NativeTrack, time: number, out: Numbers, o: number): void {
  const width = track.components.length
  const n = track.times.length
  if (!n) return
  let k = lowerBound(track.times, time)
  const copy = (key: number): void => {
    for (let c = 0; c < width; c++) out[o + c] = track.values[key * width + c]
  }
  if (k < n && track.times[k] === time) {
    // of several keys at one time the last counts
    while (k + 1 < n && track.times[k + 1] === time) k++
    return copy(k)
  }
  k--
  if (k < 0) return copy(0)
  if (k >= n - 1 || track.limits.stepped || track.stepInto?.[k + 1]) return copy(k)
  blendValues(
    track,
    out,
    o,
    track.values,
    k * width,
    track.values,
    (k + 1) * width,
    (time - track.times[k]) / (track.times[k + 1] - track.times[k]),
  )
}

/** Degrees between two rotations of four components in one order, whatever their lengths and signs. */
export function angleBetween(a: ArrayLike<number>, ao: number, b: ArrayLike<number>, bo: number): number {
  let aa = 0,
    bb = 0,
    dot = 0
  for (let c = 0; c < 4; c++) {
    aa += a[ao + c] ** 2
    bb += b[bo + c] ** 2
    dot += a[ao + c] * b[bo + c]
  }
  if (!(aa > 0) || !(bb > 0)) return 0
  const ka = 1 / Math.sqrt(aa),
    kb = (dot < 0 ? -1 : 1) / Math.sqrt(bb)
  let less = 0,
    more = 0
  for (let c = 0; c < 4; c++) {
    less += (a[ao + c] * ka - b[bo + c] * kb) ** 2
    more += (a[ao + c] * ka + b[bo + c] * kb) ** 2
  }
  // the arc between unit quaternions is half of the turn; its cosine would lose small angles
  return (4 * Math.atan2(Math.sqrt(less), Math.sqrt(more)) * 180) / Math.PI
}

export type Measure = 'degrees' | 'distance' | 'factor'

/** How differences of a track are measured: degrees, lengths of the format, or plain numbers (scale, opacity, colour). */
export function measureOf(track: Pick<NativeTrack, 'property' | 'components'>): Measure {
  if (isRotation(track)) return 'degrees'
  return track.property === 'translation' || track.property === 'vertex' ? 'distance' : 'factor'
}

export function difference(track: NativeTrack, a: ArrayLike<number>, ao: number, b: ArrayLike<number>, bo: number): number {
  if (isRotation(track)) return angleBetween(a, ao, b, bo)
  let sum = 0
  for (let c = 0; c < track.components.length; c++) sum += (a[ao + c] - b[bo + c]) ** 2
  return Math.sqrt(sum)
}

/** Where x, y, z and w stand among the components. */
export function quaternionOrder(components: readonly string[]): [number, number, number, number] {
  const place = (name: string, otherwise: number): number => {
    const at = components.indexOf(name)
    return at < 0 ? otherwise : at
  }
  return [place('x', 0), place('y', 1), place('z', 2), place('w', 3)]
}

/** Native rotation to x, y, z, w. */
export function readQuaternion(out: Numbers, track: Pick<NativeTrack, 'components'>, values: ArrayLike<number>, at: number): void {
  const order = quaternionOrder(track.components)
  for (let c = 0; c < 4; c++) out[c] = values[at + order[c]]
}

export function writeQuaternion(values: Numbers, at: number, track: Pick<NativeTrack, 'components'>, q: ArrayLike<number>): void {
  const order = quaternionOrder(track.components)
  for (let c = 0; c < 4; c++) values[at + order[c]] = q[c]
}

/** a⁻¹ b for unit quaternions x, y, z, w. */
export function turnBetween(out: Numbers, a: ArrayLike<number>, b: Numbers): void {
  multiplyQuat(out, 0, [-a[0], -a[1], -a[2], a[3]], 0, b, 0)
}

/** Euler degrees x, y, z (turned about x first, then y, then z) of a quaternion x, y, z, w. For reading: at ±90° of y, x takes what z would turn. */
export function eulerDegrees(out: Numbers, q: ArrayLike<number>): void {
  const length = Math.hypot(q[0], q[1], q[2], q[3]) || 1
  const x = q[0] / length,
    y = q[1] / length,
    z = q[2] / length,
    w = q[3] / length
  const sin = Math.max(-1, Math.min(1, 2 * (w * y - z * x)))
  const k = 180 / Math.PI
  out[1] = Math.asin(sin) * k
  if (Math.abs(sin) > 0.999999) {
    out[0] = 2 * Math.atan2(x, w) * k
    out[2] = 0
    return
  }
  out[0] = Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)) * k
  out[2] = Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)) * k
}

/** The quaternion x, y, z, w that turns about x first, then y, then z, by degrees: what `eulerDegrees` reads back. */
export function quaternionOfDegrees(out: Numbers, degrees: ArrayLike<number>): void {
  const half = Math.PI / 360
  const [sx, sy, sz] = [0, 1, 2].map((i) => Math.sin(degrees[i] * half))
  const [cx, cy, cz] = [0, 1, 2].map((i) => Math.cos(degrees[i] * half))
  out[0] = sx * cy * cz - cx * sy * sz
  out[1] = cx * sy * cz + sx * cy * sz
  out[2] = cx * cy * sz - sx * sy * cz
  out[3] = cx * cy * cz + sx * sy * sz
}
