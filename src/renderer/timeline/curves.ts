/** Curves of track components: which are shown, the range of their values, and the point under the pointer. */
import type { NativeTrack } from '../../shared/api/types.ts'
import { lowerBound, timeToX, xToTime, type View } from './geometry.ts'

export interface Curve {
  key: string
  track: NativeTrack
  component: number
  name: string
  /** 0 red, 1 green, 2 blue, 3 the fourth */
  color: number
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

export function curvesOf(tracks: readonly NativeTrack[]): Curve[] {
  return tracks.flatMap((track) =>
    track.components.map((name, component) => ({ key: `${track.id}/${component}`, track, component, name, color: AXIS[name.toLowerCase()] ?? component % 4 })),
  )
}

/** Range of all values of the curves; a flat or missing one gets room around it. Values that are no numbers do not count. */
export function valueRange(curves: readonly Curve[]): ValueRange {
  let min = Infinity
  let max = -Infinity
  for (const { track, component } of curves) {
    const width = track.components.length
    for (let i = component; i < track.values.length; i += width) {
      const v = track.values[i]
      if (!Number.isFinite(v)) continue
      if (v < min) min = v
      if (v > max) max = v
    }
  }
  if (min > max) return { min: -1, max: 1 }
  const room = max - min > 1e-9 * Math.max(1, Math.abs(max)) ? (max - min) * 0.08 : Math.max(0.5, Math.abs(max) * 0.1)
  return { min: min - room, max: max + room }
}

export const valueToY = (range: ValueRange, height: number, value: number): number => ((range.max - value) / (range.max - range.min)) * height
export const yToValue = (range: ValueRange, height: number, y: number): number => range.max - (y / height) * (range.max - range.min)

/** The key of the nearest point within `reach` pixels. */
export function pointAt(curves: readonly Curve[], view: View, range: ValueRange, height: number, x: number, y: number, reach = 7): { curve: Curve; key: number } | null {
  let best: { curve: Curve; key: number } | null = null
  let nearest = reach
  for (const curve of curves) {
    const { times, values, components } = curve.track
    const end = xToTime(view, x + reach)
    for (let k = lowerBound(times, xToTime(view, x - reach)); k < times.length && times[k] <= end; k++) {
      const d = Math.hypot(timeToX(view, times[k]) - x, valueToY(range, height, values[k * components.length + curve.component]) - y)
      if (d < nearest) {
        nearest = d
        best = { curve, key: k }
      }
    }
  }
  return best
}
