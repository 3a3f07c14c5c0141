/** Curves of track components: which are shown, the range of their values, and the point under the pointer. */
import type { NativeTrack } from '../../../shared/api/types/clips.ts'
import { DEGREES, degreesOf } from '../../../shared/keys/degrees.ts'
import { isRotation } from '../../../shared/keys/value.ts'
import { lowerBound, timeToX, xToTime, type View } from './geometry.ts'

export interface Curve {
  key: string
  track: NativeTrack
  component: number
  name: string
  /** 0 red, 1 green, 2 blue, 3 the fourth */
  color: number
  /** value of key k is values[k * stride + at]: the track's own, or degrees made from them */
  values: Float32Array
  stride: number
  at: number
  /** about an axis, of a rotation: its values are made from the file's numbers, and back */
  degrees: boolean
}

export interface ValueRange {
  min: number
  max: number
}

const AXIS: Record<string, number> = { x: 0, y: 1, z: 2, w: 3, r: 0, g: 1, b: 2 }

/** Curves of the chosen tracks; of a joint's tracks when no keys are chosen; of the first track else. */
export function shownTracks(tracks: readonly NativeTrack[], chosen: ReadonlySet<string>, joint: number, most = 6): NativeTrack[] {
  const byKeys = tracks.filter((t) => chosen.has(t.id))
  if (byKeys.length) return byKeys.slice(0, most)
  const byJoint = joint >= 0 ? tracks.filter((t) => t.joint === joint) : []
  return (byJoint.length ? byJoint : tracks.slice(0, 1)).slice(0, most)
}

/** @param euler show rotations as degrees about x, y and z */
export function curvesOf(tracks: readonly NativeTrack[], euler = false): Curve[] {
  return tracks.flatMap((track) => {
    if (euler && isRotation(track)) {
      const values = eulerValues(track)
      return DEGREES.map((name, c): Curve => ({
        key: `${track.id}/${name}`,
        track,
        component: c,
        name,
        color: c,
        values,
        stride: 3,
        at: c,
        degrees: true,
      }))
    }
    return track.components.map((name, component): Curve => ({
      key: `${track.id}/${component}`,
      track,
      component,
      name,
      color: AXIS[name.toLowerCase()] ?? component % 4,
      values: track.values,
      stride: track.components.length,
      at: component,
      degrees: false,
    }))
  })
}

const degrees = new WeakMap<NativeTrack, Float32Array>()

function eulerValues(track: NativeTrack): Float32Array {
  let out = degrees.get(track)
  if (!out) degrees.set(track, (out = degreesOf(track)))
  return out
}

/** Range of the values of the curves, of keys from `start` to `end`; a flat or missing one gets room around it. Values that are no numbers do not count. */
export function valueRange(curves: readonly Curve[], start = -Infinity, end = Infinity): ValueRange {
  let min = Infinity
  let max = -Infinity
  for (const { track, values, stride, at } of curves) {
    const { times } = track
    const first = start === -Infinity ? 0 : Math.max(0, lowerBound(times, start) - 1)
    const last = end === Infinity ? times.length : Math.min(times.length, lowerBound(times, end) + 1)
    for (let k = first; k < last; k++) {
      const v = values[k * stride + at]
      if (!Number.isFinite(v)) continue
      if (v < min) min = v
      if (v > max) max = v
    }
  }
  if (min > max) return { min: -1, max: 1 }
  const room = max - min > 1e-9 * Math.max(1, Math.abs(max)) ? (max - min) * 0.08 : Math.max(0.5, Math.abs(max) * 0.1)
  return { min: min - room, max: max + room }
}

/** Zooms the axis of values; the value at pixel `y` stays where it is. */
export function zoomRange(range: ValueRange, factor: number, y: number, height: number): ValueRange {
  const value = yToValue(range, height, y)
  const span = Math.min(1e12, Math.max(1e-9, (range.max - range.min) / factor))
  const max = value + (y / height) * span
  return { min: max - span, max }
}

export const valueToY = (range: ValueRange, height: number, value: number): number =>
  ((range.max - value) / (range.max - range.min)) * height
export const yToValue = (range: ValueRange, height: number, y: number): number => range.max - (y / height) * (range.max - range.min)

/** The key of the nearest point within `reach` pixels. */
export function pointAt(
  curves: readonly Curve[],
  view: View,
  range: ValueRange,
  height: number,
  x: number,
  y: number,
  reach = 7,
): { curve: Curve; key: number } | null {
  let best: { curve: Curve; key: number } | null = null
  let nearest = reach
  for (const curve of curves) {
    const { times } = curve.track
    const end = xToTime(view, x + reach)
    for (let k = lowerBound(times, xToTime(view, x - reach)); k < times.length && times[k] <= end; k++) {
      const d = Math.hypot(timeToX(view, times[k]) - x, valueToY(range, height, curve.values[k * curve.stride + curve.at]) - y)
      if (d < nearest) {
        nearest = d
        best = { curve, key: k }
      }
    }
  }
  return best
}

/** Times of the keys whose points lie in a box, by track. */
export function pointsWithin(curves: readonly Curve[], times: readonly number[], values: readonly number[]): Map<string, Set<number>> {
  const out = new Map<string, Set<number>>()
  for (const curve of curves) {
    const t = curve.track.times
    for (let k = lowerBound(t, times[0]); k < t.length && t[k] <= times[1]; k++) {
      const v = curve.values[k * curve.stride + curve.at]
      if (v < values[0] || v > values[1]) continue
      const own = out.get(curve.track.id)
      if (own) own.add(t[k])
      else out.set(curve.track.id, new Set([t[k]]))
    }
  }
  return out
}
