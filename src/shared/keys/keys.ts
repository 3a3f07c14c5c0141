/** Deleting, inserting and setting keys. */
import { chosenKeys, emptyPlan, refuses, storable, valueEdit, type KeyPlan, type KeySelection } from './plan.ts'
import { retimeKeys, shifted } from './retime.ts'
import { degreesOf, turnTo } from './degrees.ts'
import { isRotation, quaternionOrder, sampleInto, valueAt } from './value.ts'
import type { NativeTrack } from '../api/types/clips.ts'
import { say } from '../texts/say.ts'

export function removeKeys(tracks: readonly NativeTrack[], selection: KeySelection): KeyPlan {
  const plan = emptyPlan()
  for (const track of tracks) {
    const keys = chosenKeys(track, selection.get(track.id))
    if (!keys.length || refuses(plan, track, say('keyEdits.left.denseDelete'))) continue
    plan.edits.push({ track: track.id, remove: Uint32Array.from(keys) })
    plan.count += keys.length
  }
  return plan
}

/** A key at `time` with the value that the track has there. */
export function insertKeys(tracks: readonly NativeTrack[], time: number): KeyPlan {
  const plan = emptyPlan()
  for (const track of tracks) {
    if (refuses(plan, track, say('keyEdits.left.denseInsert'))) continue
    const at = storable(track, time)
    plan.selection.set(track.id, new Set([at]))
    if (track.times.includes(at)) continue
    plan.edits.push({ track: track.id, insert: { times: Float64Array.of(at), values: valueAt(track, at) } })
    plan.count++
  }
  return plan
}

function withValues(
  track: NativeTrack,
  times: ReadonlySet<number>,
  change: (values: Float32Array, at: number, key: number) => void,
): KeyPlan {
  const plan = emptyPlan()
  const keys = chosenKeys(track, times)
  if (!keys.length || refuses(plan, track, '')) return plan
  const width = track.components.length
  const values = new Float32Array(keys.length * width)
  keys.forEach((k, i) => {
    values.set(track.values.subarray(k * width, (k + 1) * width), i * width)
    change(values, i * width, k)
  })
  plan.selection.set(track.id, new Set(times))
  const edit = valueEdit(track, keys, values)
  if (!edit) return plan
  plan.edits.push(edit)
  plan.count = keys.length
  return plan
}

/** Gives one component of the chosen keys of a track a new value. Of a rotation the other components follow. */
export function setValue(track: NativeTrack, times: ReadonlySet<number>, component: number, value: number): KeyPlan {
  return withValues(track, times, (out, at) => setComponent(track, out, at, component, value))
}

/** What of a value is changed: a component as the file has it, or of a rotation the degrees about x (0), y (1) or z (2). */
export interface ValueAxis {
  component: number
  degrees: boolean
}

/** Adds to one component of the chosen keys of a track. Of a rotation the other components follow; the other degrees stay. */
export function offsetValues(track: NativeTrack, times: ReadonlySet<number>, axis: ValueAxis, by: number): KeyPlan {
  const add = adder(track, axis, by)
  return withValues(track, times, add)
}

/** Adds to the value of key `k`, which stands at `at` of some values. */
function adder(track: NativeTrack, { component, degrees }: ValueAxis, by: number): (values: Float32Array, at: number, k: number) => void {
  if (!degrees) return (values, at) => setComponent(track, values, at, component, values[at + component] + by)
  // by what the curve shows: of the ways to say a rotation in degrees it has one
  const shown = degreesOf(track)
  return (values, at, k) => {
    const turned = Array.from(shown.subarray(3 * k, 3 * k + 3))
    turned[component] += by
    turnTo(track, values, at, turned)
  }
}

/** Moves the chosen keys of a track in time and adds to one component of them, as one edit. */
export function shiftAndOffset(
  tracks: readonly NativeTrack[],
  selection: KeySelection,
  by: number,
  on: string,
  axis: ValueAxis,
  value: number,
): KeyPlan {
  const raised = tracks.map((track) => {
    const times = track.id === on ? selection.get(on) : undefined
    if (!times || track.limits.dense || track.limits.readOnly) return track
    const values = track.values.slice()
    const add = adder(track, axis, value)
    for (const k of chosenKeys(track, times)) add(values, k * track.components.length, k)
    return { ...track, values }
  })
  const plan = retimeKeys(raised, selection, shifted(by))
  const track = tracks.find((t) => t.id === on)
  // times that come to stand where they were are no edit of that track: its values are still
  if (!track || raised.includes(track) || plan.edits.some((edit) => edit.track === on)) return plan
  const values = offsetValues(track, selection.get(on)!, axis, value)
  return { ...plan, edits: [...plan.edits, ...values.edits], count: plan.count + values.count }
}

/** A quaternion that is a turn stays one: what is left of its length goes to the other components as they stand to each other. */
function setComponent(track: NativeTrack, values: Float32Array, at: number, component: number, value: number): void {
  const unit = isRotation(track) && Math.abs(Math.hypot(...values.subarray(at, at + 4)) - 1) < 0.02
  if (!unit) {
    values[at + component] = value
    return
  }
  const own = Math.min(1, Math.max(-1, value))
  values[at + component] = 0
  const others = Math.hypot(...values.subarray(at, at + 4))
  const left = Math.sqrt(1 - own * own)
  if (others > 1e-6) for (let c = 0; c < 4; c++) values[at + c] *= left / others
  // the turn was all in this component: w has the rest, or x where this is w
  else
    values[
      at +
        (quaternionOrder(track.components)[3] === component ? quaternionOrder(track.components)[0] : quaternionOrder(track.components)[3])
    ] = left
  values[at + component] = own
}

/** Moves the chosen translation keys by a vector of the format's own axes: the root's keys move the whole figure. */
export function offsetTranslation(
  tracks: readonly NativeTrack[],
  selection: KeySelection,
  by: Readonly<Record<'x' | 'y' | 'z', number>>,
): KeyPlan {
  const plan = emptyPlan()
  for (const track of tracks) {
    const times = selection.get(track.id)
    if (!times?.size || track.property !== 'translation') continue
    const one = withValues(track, times, (out, at) => track.components.forEach((name, c) => (out[at + c] += by[name as 'x'] ?? 0)))
    plan.edits.push(...one.edits)
    plan.count += one.count
    for (const why of one.skipped) if (!plan.skipped.includes(why)) plan.skipped.push(why)
    for (const [id, chosen] of one.selection) plan.selection.set(id, chosen)
  }
  if (!plan.edits.length && !plan.skipped.length) plan.skipped.push(say('keyEdits.left.noPosition'))
  return plan
}

/**
 * Takes the way out of a movement: what the chosen translation keys travel from their first to their last is taken off evenly, in the
 * given axes, so that a walk stays in place.
 */
export function takeOutTravel(tracks: readonly NativeTrack[], selection: KeySelection, axes: readonly string[] = ['x', 'y', 'z']): KeyPlan {
  const plan = emptyPlan()
  for (const track of tracks) {
    if (track.property !== 'translation') continue
    const keys = chosenKeys(track, selection.get(track.id))
    if (keys.length < 2 || refuses(plan, track, '')) continue
    const width = track.components.length
    const start = track.times[keys[0]],
      end = track.times[keys[keys.length - 1]]
    const values = new Float32Array(keys.length * width)
    const first = new Float32Array(width),
      last = new Float32Array(width)
    sampleInto(track, start, first, 0)
    sampleInto(track, end, last, 0)
    keys.forEach((k, i) => {
      const t = end > start ? (track.times[k] - start) / (end - start) : 0
      for (let c = 0; c < width; c++) {
        const value = track.values[k * width + c]
        values[i * width + c] = t > 0 && axes.includes(track.components[c]) ? value - t * (last[c] - first[c]) : value
      }
    })
    const edit = valueEdit(track, keys, values)
    plan.selection.set(track.id, new Set(selection.get(track.id)))
    if (!edit) continue
    plan.edits.push(edit)
    plan.count += keys.length
  }
  if (!plan.edits.length && !plan.skipped.length) plan.skipped.push(say('keyEdits.left.noTravel'))
  return plan
}
