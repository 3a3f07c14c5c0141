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

/**
 * Makes the pose at `end` the pose at `start`. What they differ by is spread over the last `over` of the range: nothing at its beginning, all of it at the
 * end. A track without a key at the end gets one. Keys outside of the range are not touched: on a master track the next movement begins there.
 * @param travel positions that may go on from round to round: of these, axes along which the range leads somewhere keep their way
 */
export function fitLoop(
  tracks: readonly NativeTrack[],
  range: { start: number; end: number },
  over = range.end - range.start,
  travel: ReadonlySet<string> = new Set(),
): KeyPlan {
  const plan = emptyPlan()
  const { start, end } = range
  const begin = Math.max(start, end - over)
  if (!(end > start)) return plan
  for (const track of tracks) {
    const { times } = track
    if (!times.length || times[times.length - 1] <= start || times[0] >= end || refuses(plan, track, '')) continue
    const width = track.components.length
    const first = new Float32Array(width),
      last = new Float32Array(width)
    sampleInto(track, start, first, 0)
    sampleInto(track, end, last, 0)
    const target = nearSign(track, first, last)
    if (travel.has(track.id)) for (let c = 0; c < width; c++) if (leads(track, c, start, end, first[c], last[c])) target[c] = last[c]
    const keys: number[] = []
    for (let k = lowerBound(times, begin); k < times.length && times[k] <= end; k++) if (times[k] > start) keys.push(k)
    const values = new Float32Array(keys.length * width)
    keys.forEach((k, i) => {
      if (times[k] === end) values.set(target, i * width)
      else spread(track, values, i * width, k * width, target, last, end > begin ? Math.max(0, (times[k] - begin) / (end - begin)) : 0)
    })
    const edit: KeyEdit = valueEdit(track, keys, values) ?? { track: track.id }
    const hasEnd = keys.length > 0 && times[keys[keys.length - 1]] === end
    const at = storable(track, end)
    if (!hasEnd && !track.limits.dense && at === end && !target.every((v, c) => v === last[c]))
      edit.insert = { times: Float64Array.of(at), values: target }
    else if (!hasEnd && !target.every((v, c) => v === last[c])) leaveOut(plan, say('keyEdits.left.noEndKey'))
    if (!edit.set && !edit.insert) continue
    plan.edits.push(edit)
    plan.selection.set(track.id, new Set([...keys.map((k) => times[k]), ...(edit.insert ? [at] : [])]))
    plan.count += (edit.set?.keys.length ?? 0) + (edit.insert ? 1 : 0)
  }
  return plan
}

/** So much of all the way that a position goes to and fro must be between its ends, for it to lead somewhere. */
const LEADS = 0.5

function leads(track: NativeTrack, component: number, start: number, end: number, first: number, last: number): boolean {
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
