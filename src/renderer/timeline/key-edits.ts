/**
 * Edits of keys as the services take them, from a selection of key times per track. Tracks keep their own components and units.
 * What a track's format cannot do is left out and told: nothing is bent silently.
 */
import type { KeyEdit, NativeTrack } from '../../shared/api/types.ts'
import { slerp } from '../../shared/scene/matrix.ts'
import { lowerBound } from './geometry.ts'

/** Chosen key times by track id. */
export type KeySelection = ReadonlyMap<string, ReadonlySet<number>>

export interface KeyPlan {
  edits: KeyEdit[]
  /** the selection after the edit */
  selection: Map<string, Set<number>>
  /** keys that the edit is about */
  count: number
  /** why some tracks were left out */
  skipped: string[]
}

const empty = (): KeyPlan => ({ edits: [], selection: new Map(), count: 0, skipped: [] })

function chosenKeys(track: NativeTrack, times: ReadonlySet<number> | undefined): number[] {
  const out: number[] = []
  if (!times?.size) return out
  for (let k = 0; k < track.times.length; k++) if (times.has(track.times[k])) out.push(k)
  return out
}

export function countKeys(tracks: readonly NativeTrack[], selection: KeySelection): number {
  return tracks.reduce((n, t) => n + chosenKeys(t, selection.get(t.id)).length, 0)
}

function refuse(plan: KeyPlan, track: NativeTrack, dense: string): boolean {
  const why = track.limits.readOnly || (track.limits.dense ? dense : '')
  if (why && !plan.skipped.includes(why)) plan.skipped.push(why)
  return why !== ''
}

/** A time that the track can store. */
export function storable(track: NativeTrack, time: number): number {
  const { timeStep, minTime, maxTime } = track.limits
  const stepped = timeStep > 0 ? Math.round(time / timeStep) * timeStep : time
  return Math.min(maxTime, Math.max(minTime, stepped))
}

/** Moves the chosen keys in time; a key that was not chosen and stands where one lands gives way. */
export function moveKeys(tracks: readonly NativeTrack[], selection: KeySelection, to: (time: number) => number): KeyPlan {
  const plan = empty()
  for (const track of tracks) {
    const keys = chosenKeys(track, selection.get(track.id))
    if (!keys.length) continue
    if (refuse(plan, track, 'a key on every frame: its keys cannot be moved alone')) {
      plan.selection.set(track.id, new Set(selection.get(track.id)))
      continue
    }
    const width = track.components.length
    const times = Float64Array.from(keys, (k) => storable(track, to(track.times[k])))
    const landed = new Set(times)
    plan.selection.set(track.id, landed)
    if (times.every((t, i) => t === track.times[keys[i]])) continue
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
  }
  return plan
}

export function removeKeys(tracks: readonly NativeTrack[], selection: KeySelection): KeyPlan {
  const plan = empty()
  for (const track of tracks) {
    const keys = chosenKeys(track, selection.get(track.id))
    if (!keys.length || refuse(plan, track, 'a key on every frame: its keys cannot be deleted')) continue
    plan.edits.push({ track: track.id, remove: Uint32Array.from(keys) })
    plan.count += keys.length
  }
  return plan
}

/** Gives the chosen keys of one track new values, `values` per component (NaN leaves a component as it is). */
export function setValues(track: NativeTrack, times: ReadonlySet<number>, values: readonly number[]): KeyPlan {
  const plan = empty()
  const keys = chosenKeys(track, times)
  if (!keys.length || refuse(plan, track, '')) return plan
  const width = track.components.length
  const out = new Float32Array(keys.length * width)
  keys.forEach((k, at) => {
    for (let c = 0; c < width; c++) out[at * width + c] = Number.isNaN(values[c]) ? track.values[k * width + c] : values[c]
  })
  plan.edits.push({ track: track.id, set: { keys: Uint32Array.from(keys), times: Float64Array.from(keys, (k) => track.times[k]), values: out } })
  plan.selection.set(track.id, new Set(times))
  plan.count = keys.length
  return plan
}

/** Value of a track between its keys: turned for rotations, straight otherwise, held outside and where the track steps. */
export function valueAt(track: NativeTrack, time: number): Float32Array {
  const width = track.components.length
  const n = track.times.length
  const out = new Float32Array(width)
  if (!n) return out
  let k = lowerBound(track.times, time)
  if (k < n && track.times[k] === time) return track.values.slice(k * width, (k + 1) * width)
  k--
  if (k < 0) return track.values.slice(0, width)
  if (k >= n - 1 || track.limits.stepped) return track.values.slice(k * width, (k + 1) * width)
  const t = (time - track.times[k]) / (track.times[k + 1] - track.times[k])
  if (track.property === 'rotation' && width === 4) slerp(out, 0, track.values, k * 4, track.values, (k + 1) * 4, t)
  else for (let c = 0; c < width; c++) out[c] = track.values[k * width + c] + (track.values[(k + 1) * width + c] - track.values[k * width + c]) * t
  return out
}

/** A key at `time` with the value that the track has there. */
export function insertKeys(tracks: readonly NativeTrack[], time: number): KeyPlan {
  const plan = empty()
  for (const track of tracks) {
    if (refuse(plan, track, 'has a key on every frame already')) continue
    const at = storable(track, time)
    plan.selection.set(track.id, new Set([at]))
    if (track.times.includes(at)) continue
    plan.edits.push({ track: track.id, insert: { times: Float64Array.of(at), values: valueAt(track, at) } })
    plan.count++
  }
  return plan
}

export interface CopiedKeys {
  /** earliest of the copied times */
  start: number
  tracks: { target: string; property: NativeTrack['property']; label: string; width: number; times: Float64Array; values: Float32Array }[]
}

export function copyKeys(tracks: readonly NativeTrack[], selection: KeySelection): CopiedKeys | null {
  const out: CopiedKeys = { start: Infinity, tracks: [] }
  for (const track of tracks) {
    const keys = chosenKeys(track, selection.get(track.id))
    if (!keys.length) continue
    const width = track.components.length
    const values = new Float32Array(keys.length * width)
    keys.forEach((k, i) => values.set(track.values.subarray(k * width, (k + 1) * width), i * width))
    const times = Float64Array.from(keys, (k) => track.times[k])
    out.start = Math.min(out.start, times[0])
    out.tracks.push({ target: track.target, property: track.property, label: track.label, width, times, values })
  }
  return out.tracks.length ? out : null
}

/** Copied keys from `time` on, in the tracks of the same bones and kinds; keys that stand there take the copied values. */
export function pasteKeys(tracks: readonly NativeTrack[], copied: CopiedKeys, time: number): KeyPlan {
  const plan = empty()
  for (const from of copied.tracks) {
    const track = tracks.find((t) => t.target === from.target && t.property === from.property && t.components.length === from.width && t.label === from.label) ?? tracks.find((t) => t.target === from.target && t.property === from.property && t.components.length === from.width)
    if (!track) {
      const why = `no ${from.property} track for ${from.target}`
      if (plan.skipped.length < 3) plan.skipped.push(why)
      continue
    }
    if (refuse(plan, track, 'a key on every frame: nothing can be put in')) continue
    const at = new Map<number, number>()
    for (let k = 0; k < track.times.length; k++) at.set(track.times[k], k)
    const set: { key: number; i: number }[] = []
    const insert = new Map<number, number>()
    from.times.forEach((t, i) => {
      const to = storable(track, time + t - copied.start)
      const key = at.get(to)
      if (key !== undefined) set.push({ key, i })
      else insert.set(to, i)
    })
    const row = (i: number): Float32Array => from.values.subarray(i * from.width, (i + 1) * from.width)
    const rows = (list: number[]): Float32Array => {
      const values = new Float32Array(list.length * from.width)
      list.forEach((i, n) => values.set(row(i), n * from.width))
      return values
    }
    const times = [...insert.keys()].sort((a, b) => a - b)
    const edit: KeyEdit = { track: track.id }
    // of copied keys that land on one key the last counts
    const bySet = [...new Map(set.map((s) => [s.key, s])).values()].sort((a, b) => a.key - b.key)
    if (bySet.length) edit.set = { keys: Uint32Array.from(bySet, (s) => s.key), times: Float64Array.from(bySet, (s) => track.times[s.key]), values: rows(bySet.map((s) => s.i)) }
    if (times.length) edit.insert = { times: Float64Array.from(times), values: rows(times.map((t) => insert.get(t)!)) }
    plan.edits.push(edit)
    plan.selection.set(track.id, new Set([...times, ...bySet.map((s) => track.times[s.key])]))
    plan.count += times.length + bySet.length
  }
  return plan
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

/** Adds to one component of the chosen keys of a track. */
export function offsetValues(track: NativeTrack, times: ReadonlySet<number>, component: number, by: number): KeyPlan {
  const plan = empty()
  const keys = chosenKeys(track, times)
  if (!keys.length || refuse(plan, track, '')) return plan
  const width = track.components.length
  const values = new Float32Array(keys.length * width)
  keys.forEach((k, at) => {
    values.set(track.values.subarray(k * width, (k + 1) * width), at * width)
    values[at * width + component] += by
  })
  plan.edits.push({ track: track.id, set: { keys: Uint32Array.from(keys), times: Float64Array.from(keys, (k) => track.times[k]), values } })
  plan.selection.set(track.id, new Set(times))
  plan.count = keys.length
  return plan
}
