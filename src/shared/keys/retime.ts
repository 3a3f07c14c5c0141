/** Moving keys in time: shift, scale about a pivot, reverse, snap to a grid. */
import { chosenKeys, emptyPlan, lowerBound, outOfRange, refuses, storable, leaveOut, type KeyPlan, type KeySelection } from './plan.ts'
import { blendValues, sampleInto } from './value.ts'
import type { NativeTrack } from '../api/types/clips.ts'
import { say } from '../texts/say.ts'

/** Where a key goes, and from where a time takes its value (for tracks with a key on every frame); without `from` those stay. */
export interface TimeMap {
  to(time: number): number
  from?(time: number): number
}

export const shifted = (by: number): TimeMap => ({ to: (t) => t + by, from: (t) => t - by })

/** @param factor not 0; below 0 it also reverses */
export const scaled = (pivot: number, factor: number): TimeMap => ({
  to: (t) => pivot + (t - pivot) * factor,
  from: (t) => pivot + (t - pivot) / factor,
})

export const reversed = (start: number, end: number): TimeMap => ({ to: (t) => start + end - t, from: (t) => start + end - t })

export const snapped = (step: number): TimeMap => ({ to: (t) => Math.round(t / step) * step })

/** Whether keys that are not chosen stand in what a longer movement takes: after its old end, up to its new one. */
export function runsInto(track: NativeTrack, chosen: ReadonlySet<number> | undefined, end: number, until: number): boolean {
  if (!chosen?.size || track.limits.dense) return false
  for (let k = lowerBound(track.times, end); k < track.times.length && track.times[k] <= until; k++)
    if (track.times[k] > end && !chosen.has(track.times[k])) return true
  return false
}

/** The first time that the chosen keys would need and their tracks cannot store; null where all fit. A track with a key on every frame has no such limit. */
export function beyondLimits(tracks: readonly NativeTrack[], selection: KeySelection, map: TimeMap): number | null {
  for (const track of tracks) {
    if (track.limits.dense || track.limits.readOnly) continue
    for (const t of selection.get(track.id) ?? [])
      if (outOfRange(track, map.to(t))) return map.to(t) < track.limits.minTime ? track.limits.minTime : track.limits.maxTime
  }
  return null
}

/** As much of a shift as all chosen keys have room for. */
export function roomFor(tracks: readonly NativeTrack[], selection: KeySelection, by: number): number {
  let room = by
  for (const track of tracks) {
    if (track.limits.dense || track.limits.readOnly) continue
    for (const t of selection.get(track.id) ?? [])
      room = by > 0 ? Math.min(room, Math.max(0, track.limits.maxTime - t)) : Math.max(room, Math.min(0, track.limits.minTime - t))
  }
  return room
}

/** Moves the chosen keys in time; a key that was not chosen and stands where one lands gives way. A track with a key on every frame takes new values instead. */
export function retimeKeys(tracks: readonly NativeTrack[], selection: KeySelection, map: TimeMap): KeyPlan {
  const plan = emptyPlan()
  for (const track of tracks) {
    const keys = chosenKeys(track, selection.get(track.id))
    if (!keys.length) continue
    if (refuses(plan, track, '')) plan.selection.set(track.id, new Set(selection.get(track.id)))
    else if (track.limits.dense) resample(plan, track, keys, map)
    else move(plan, track, keys, map)
  }
  return plan
}

function move(plan: KeyPlan, track: NativeTrack, keys: number[], map: TimeMap): void {
  const width = track.components.length
  const times = Float64Array.from(keys, (k) => storable(track, map.to(track.times[k])))
  const landed = new Set(times)
  plan.selection.set(track.id, landed)
  if (times.every((t, i) => t === track.times[keys[i]])) return
  const chosen = new Set(keys)
  // of chosen keys that land on one time the last counts
  const last = new Map<number, number>()
  times.forEach((t, i) => last.set(t, i))
  const kept = keys.map((_, i) => i).filter((i) => last.get(times[i]) === i)
  const remove: number[] = keys.filter((_, i) => last.get(times[i]) !== i)
  for (let k = 0; k < track.times.length; k++) if (!chosen.has(k) && landed.has(track.times[k])) remove.push(k)
  const values = new Float32Array(kept.length * width)
  kept.forEach((i, at) => values.set(track.values.subarray(keys[i] * width, (keys[i] + 1) * width), at * width))
  plan.edits.push({
    track: track.id,
    remove: remove.length ? Uint32Array.from(remove.sort((a, b) => a - b)) : undefined,
    set: { keys: Uint32Array.from(kept, (i) => keys[i]), times: Float64Array.from(kept, (i) => times[i]), values },
  })
  plan.count += keys.length
  plan.gaveWay += remove.length
}

/**
 * Keys on every frame stay where they are; their values move. Frames that the movement leaves are filled from what stands on both sides,
 * what goes beyond the ends of the track is lost.
 */
function resample(plan: KeyPlan, track: NativeTrack, keys: number[], map: TimeMap): void {
  if (!map.from) {
    plan.selection.set(track.id, new Set(keys.map((k) => track.times[k])))
    return
  }
  const { times } = track
  const width = track.components.length
  const n = times.length
  const a = times[keys[0]],
    b = times[keys[keys.length - 1]]
  const ends = [map.to(a), map.to(b)].sort((x, y) => x - y)
  const first = keys[0],
    last = keys[keys.length - 1]
  const begin = Math.max(0, lowerBound(times, ends[0] - 1e-6))
  let end = lowerBound(times, ends[1] + 1e-6)
  if (begin >= end || begin >= n) {
    leaveOut(plan, say('keyEdits.left.denseNoRoom'))
    plan.selection.set(track.id, new Set(keys.map((k) => times[k])))
    return
  }
  end = Math.min(end, n)
  if (ends[0] < times[0] - 1e-6 || ends[1] > times[n - 1] + 1e-6) leaveOut(plan, say('keyEdits.left.denseLost'))
  const values = track.values.slice()
  for (let k = begin; k < end; k++) sampleInto(track, Math.min(b, Math.max(a, map.from(times[k]))), values, k * width)
  const left = (k: number): boolean => k >= first && k <= last && (k < begin || k >= end)
  for (let k = first; k <= last; k++) {
    if (!left(k)) continue
    let before = k - 1
    while (before >= 0 && left(before)) before--
    let after = k + 1
    while (after < n && left(after)) after++
    if (before < 0 && after >= n) continue
    const from = before < 0 ? after : before,
      to = after >= n ? before : after
    blendValues(
      track,
      values,
      k * width,
      values,
      from * width,
      values,
      to * width,
      to > from ? (times[k] - times[from]) / (times[to] - times[from]) : 0,
    )
  }
  const touched: number[] = []
  for (let k = Math.min(first, begin); k < Math.max(last + 1, end); k++) {
    for (let c = 0; c < width; c++) {
      if (Object.is(values[k * width + c], track.values[k * width + c])) continue
      touched.push(k)
      break
    }
  }
  plan.selection.set(track.id, new Set(times.subarray(begin, end)))
  if (!touched.length) return
  const out = new Float32Array(touched.length * width)
  touched.forEach((k, i) => out.set(values.subarray(k * width, (k + 1) * width), i * width))
  plan.edits.push({
    track: track.id,
    set: { keys: Uint32Array.from(touched), times: Float64Array.from(touched, (k) => times[k]), values: out },
  })
  plan.count += keys.length
}
