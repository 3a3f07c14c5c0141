/** Smoothing, and making the end of a movement meet its start. */
import { multiplyQuat, slerp } from '../scene/matrix.ts'
import { chosenKeys, emptyPlan, lowerBound, refuses, storable, leaveOut, valueEdit, type KeyPlan, type KeySelection } from './plan.ts'
import { blendValues, isRotation, readQuaternion, sampleInto, turnBetween, writeQuaternion } from './value.ts'
import type { KeyEdit, NativeTrack } from '../api/types/clips.ts'
import { say } from '../texts/say.ts'

/**
 * Draws each chosen key towards what its neighbours say, by `strength` (0 to 1), `rounds` times. The first and last key of a track, stepped tracks and keys
 * that are jumped to stay.
 */
export function smoothKeys(tracks: readonly NativeTrack[], selection: KeySelection, strength: number, rounds = 1): KeyPlan {
  const plan = emptyPlan()
  for (const track of tracks) {
    const keys = chosenKeys(track, selection.get(track.id))
    if (!keys.length) continue
    plan.selection.set(track.id, new Set(selection.get(track.id)))
    if (refuses(plan, track, '')) continue
    if (track.limits.stepped) {
      leaveOut(plan, say('keyEdits.left.stepped'))
      continue
    }
    const width = track.components.length
    const { times } = track
    const inner = keys.filter(
      (k) => k > 0 && k < times.length - 1 && !track.stepInto?.[k] && !track.stepInto?.[k + 1] && times[k + 1] > times[k - 1],
    )
    let now = track.values.slice()
    const between = new Float32Array(width)
    for (let round = 0; round < rounds; round++) {
      const next = now.slice()
      for (const k of inner) {
        blendValues(
          track,
          between,
          0,
          now,
          (k - 1) * width,
          now,
          (k + 1) * width,
          (times[k] - times[k - 1]) / (times[k + 1] - times[k - 1]),
        )
        blendValues(track, next, k * width, now, k * width, between, 0, strength)
      }
      now = next
    }
    const values = new Float32Array(keys.length * width)
    keys.forEach((k, i) => values.set(now.subarray(k * width, (k + 1) * width), i * width))
    const edit = valueEdit(track, keys, values)
    if (!edit) continue
    plan.edits.push(edit)
    plan.count += inner.length
  }
  return plan
}

/** What gives way where the ends of a loop are made to meet: its end, its start, or each half of the way. */
export const MEETINGS = ['end', 'start', 'both'] as const
export type Meeting = (typeof MEETINGS)[number]

/**
 * Makes the pose at `end` the pose at `start`. What they differ by is spread over the last `over` of the range: nothing at its beginning, all of it at the
 * end; over the first of it where the start gives way. A track without a key at an end that changes gets one. Keys outside of the range are not touched: on
 * a master track the next movement begins there.
 * @param travel positions that may go on from round to round: of these, axes along which the range leads somewhere keep their way
 */
export function fitLoop(
  tracks: readonly NativeTrack[],
  range: { start: number; end: number },
  over = range.end - range.start,
  travel: ReadonlySet<string> = new Set(),
  meeting: Meeting = 'end',
): KeyPlan {
  const plan = emptyPlan()
  const { start, end } = range
  // both ends give way within their own half
  const length = Math.min(over, meeting === 'both' ? (end - start) / 2 : end - start)
  const [gives, takes] = [meeting !== 'start', meeting !== 'end']
  const begin = end - length
  if (!(end > start)) return plan
  for (const track of tracks) {
    const { times } = track
    if (!times.length || times[times.length - 1] <= start || times[0] >= end || refuses(plan, track, '')) continue
    const width = track.components.length
    const first = new Float32Array(width),
      last = new Float32Array(width)
    sampleInto(track, start, first, 0)
    sampleInto(track, end, last, 0)
    const target = nearSign(track, first, last).slice()
    const way = travel.has(track.id)
    if (way) for (let c = 0; c < width; c++) if (leads(track, c, start, end, first[c], last[c])) target[c] = last[c]
    // what the start becomes, as the end says it and as the start does
    const origin = first.map((value, c) => (way && target[c] === last[c] ? value : last[c]))
    if (meeting === 'both') {
      blendValues(track, target, 0, last, 0, target.slice(), 0, 0.5)
      blendValues(track, origin, 0, first, 0, origin.slice(), 0, 0.5)
      // the two are one pose, not two that are nearly so
      if (!way) origin.set(target)
    }
    const begins = nearSign(track, origin, first)
    const keys: number[] = []
    for (let k = lowerBound(times, start); k < times.length && times[k] <= end; k++)
      if (takes ? times[k] < start + length || (gives && times[k] >= begin) : times[k] > start && times[k] >= begin) keys.push(k)
    const values = new Float32Array(keys.length * width)
    keys.forEach((k, i) => {
      const time = times[k]
      const o = i * width
      if (time === end && gives) values.set(target, o)
      else if (time === start && takes) values.set(begins, o)
      else if (takes && time < start + length)
        spread(track, values, o, k * width, begins, first, length > 0 ? (start + length - time) / length : 0)
      else spread(track, values, o, k * width, target, last, length > 0 ? Math.max(0, (time - begin) / length) : 0)
    })
    const edit: KeyEdit = valueEdit(track, keys, values) ?? { track: track.id }
    const put: { time: number; value: Float32Array }[] = []
    for (const { time, value, was, on } of [
      { time: start, value: begins, was: first, on: takes },
      { time: end, value: target, was: last, on: gives },
    ]) {
      if (!on || keys.some((k) => times[k] === time) || value.every((v, c) => v === was[c])) continue
      if (!track.limits.dense && storable(track, time) === time) put.push({ time, value })
      else leaveOut(plan, say('keyEdits.left.noEndKey'))
    }
    if (put.length)
      edit.insert = { times: Float64Array.from(put, ({ time }) => time), values: Float32Array.from(put.flatMap(({ value }) => [...value])) }
    if (!edit.set && !edit.insert) continue
    plan.edits.push(edit)
    plan.selection.set(track.id, new Set([...keys.map((k) => times[k]), ...put.map(({ time }) => time)]))
    plan.count += (edit.set?.keys.length ?? 0) + put.length
  }
  return plan
}

/** So much of all the way that a position goes to and fro must be between its ends, for it to lead somewhere. */
const LEADS = 0.5

export function leads(track: NativeTrack, component: number, start: number, end: number, first: number, last: number): boolean {
  const width = track.components.length
  let way = 0
  let before = first
  for (let k = lowerBound(track.times, start); k < track.times.length && track.times[k] <= end; k++) {
    const now = track.values[k * width + component]
    way += Math.abs(now - before)
    before = now
  }
  way += Math.abs(last - before)
  return way > 0 && Math.abs(last - first) > LEADS * way
}

/** Of the two quaternions of one rotation the one nearer to another value: games need not take the shorter way. */
export function nearSign(track: NativeTrack, value: Float32Array, to: ArrayLike<number>, at = 0): Float32Array {
  if (!isRotation(track)) return value
  let dot = 0
  for (let c = 0; c < 4; c++) dot += value[c] * to[at + c]
  return dot < 0 ? value.map((v) => -v) : value
}

const q = new Float32Array(4)
const qa = new Float32Array(4)
const qb = new Float32Array(4)
const turned = new Float32Array(4)
const none = new Float32Array([0, 0, 0, 1])

/** The key's value with a share of what leads from `last` to `target`. */
function spread(
  track: NativeTrack,
  out: Float32Array,
  o: number,
  from: number,
  target: Float32Array,
  last: Float32Array,
  share: number,
): void {
  const { values } = track
  const width = track.components.length
  if (!isRotation(track) || share === 0) {
    if (track.limits.stepped) for (let c = 0; c < width; c++) out[o + c] = values[from + c]
    else for (let c = 0; c < width; c++) out[o + c] = share === 0 ? values[from + c] : values[from + c] + share * (target[c] - last[c])
    return
  }
  readQuaternion(qa, track, last, 0)
  readQuaternion(qb, track, target, 0)
  slerp(qa, 0, qa, 0, qa, 0, 0)
  slerp(qb, 0, qb, 0, qb, 0, 0)
  turnBetween(turned, qa, qb)
  slerp(turned, 0, none, 0, turned, 0, share)
  readQuaternion(q, track, values, from)
  multiplyQuat(q, 0, q, 0, turned, 0)
  writeQuaternion(out, o, track, q)
}
