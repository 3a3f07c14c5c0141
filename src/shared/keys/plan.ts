/**
 * A plan is what an edit of keys comes to: the edits as the services take them, the keys chosen afterwards, and in words what was left out
 * or what else changes. What a track's format cannot do is told, nothing is bent silently.
 */
import type { KeyEdit, NativeTrack } from '../api/types/clips.ts'

/** Chosen key times by track id. */
export type KeySelection = ReadonlyMap<string, ReadonlySet<number>>

export interface KeyPlan {
  edits: KeyEdit[]
  /** the selection after the edit */
  selection: Map<string, Set<number>>
  /** keys that the edit is about */
  count: number
  /** keys that go because another one comes to stand at their time, chosen or not */
  gaveWay: number
  /** why some tracks were left out */
  skipped: string[]
}

export const emptyPlan = (): KeyPlan => ({ edits: [], selection: new Map(), count: 0, gaveWay: 0, skipped: [] })

/** Index of the first time at or after `time`. */
export function lowerBound(times: ArrayLike<number>, time: number): number {
  let lo = 0
  let hi = times.length
  while (lo < hi) {
    const mid = (lo + hi) >> 1
    if (times[mid] < time) lo = mid + 1
    else hi = mid
  }
  return lo
}

/** Numbers of the chosen keys of a track, ascending. */
export function chosenKeys(track: NativeTrack, times: ReadonlySet<number> | undefined): number[] {
  const out: number[] = []
  if (!times?.size) return out
  for (let k = 0; k < track.times.length; k++) if (times.has(track.times[k])) out.push(k)
  return out
}

export function countKeys(tracks: readonly NativeTrack[], selection: KeySelection): number {
  return tracks.reduce((n, t) => n + chosenKeys(t, selection.get(t.id)).length, 0)
}

/** First and last chosen time; null without a choice. */
export function chosenSpan(selection: KeySelection): { start: number; end: number } | null {
  let start = Infinity
  let end = -Infinity
  for (const times of selection.values()) {
    for (const t of times) {
      start = Math.min(start, t)
      end = Math.max(end, t)
    }
  }
  return start <= end ? { start, end } : null
}

export function leaveOut(plan: KeyPlan, why: string): void {
  if (!plan.skipped.includes(why)) plan.skipped.push(why)
}

/** True, and told, where the track cannot be edited so. @param dense what to say of a track with a key on every frame, '' where that is no hindrance */
export function refuses(plan: KeyPlan, track: NativeTrack, dense: string): boolean {
  const why = track.limits.readOnly || (track.limits.dense ? dense : '')
  if (why) leaveOut(plan, why)
  return why !== ''
}

/** A time that the track can store. */
export function storable(track: NativeTrack, time: number): number {
  const { timeStep, minTime, maxTime } = track.limits
  const stepped = timeStep > 0 ? Math.round(time / timeStep) * timeStep : time
  return Math.min(maxTime, Math.max(minTime, stepped))
}

/** Whether a time lies so far outside of what the track can store that it would become another moment. */
export function outOfRange({ limits }: NativeTrack, time: number): boolean {
  const slack = limits.timeStep / 2 + 1e-6
  return time < limits.minTime - slack || time > limits.maxTime + slack
}

/** New values for keys that keep their times; only keys that differ are in the edit. */
export function valueEdit(track: NativeTrack, keys: readonly number[], values: Float32Array): KeyEdit | null {
  const width = track.components.length
  const differs: number[] = []
  for (let i = 0; i < keys.length; i++) {
    for (let c = 0; c < width; c++) {
      if (Object.is(values[i * width + c], track.values[keys[i] * width + c])) continue
      differs.push(i)
      break
    }
  }
  if (!differs.length) return null
  const out = new Float32Array(differs.length * width)
  differs.forEach((i, at) => out.set(values.subarray(i * width, (i + 1) * width), at * width))
  return {
    track: track.id,
    set: { keys: Uint32Array.from(differs, (i) => keys[i]), times: Float64Array.from(differs, (i) => track.times[keys[i]]), values: out },
  }
}
