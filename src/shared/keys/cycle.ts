/** A loop that begins elsewhere: keys go around it, so that it is the same movement from another moment on. */
import { chosenKeys, emptyPlan, leaveOut, outOfRange, refuses, storable, type KeyPlan } from './plan.ts'
import { leads, nearSign } from './smooth.ts'
import { difference, isRotation, sampleInto } from './value.ts'
import type { KeyEdit, NativeTrack } from '../api/types/clips.ts'
import { say } from '../texts/say.ts'

/** Ends that differ by less meet: degrees of turns, native units of all else. */
const MEET = { degrees: 0.5, other: 1e-3 }

/** Where a moment of a loop stands once it begins `by` later. */
export function cycled(start: number, end: number, by: number): (time: number) => number {
  const period = end - start
  const shift = within(by, period)
  return (time) => (time < start || time > end ? time : start + within(time - start - shift, period))
}

/** 0 up to, not including, `period`. */
function within(time: number, period: number): number {
  const left = time % period
  const out = left < 0 ? left + period : left
  return out > period - 1e-6 ? 0 : out
}

/**
 * Moves the beginning of a loop. First and last pose are one afterwards; where they were not before, the jump stands where the loop began.
 * Keys outside of the range are not touched.
 * @param by native time that the loop begins later
 * @param travel positions that may go on from round to round: these begin where they began
 */
export function cycleKeys(
  tracks: readonly NativeTrack[],
  range: { start: number; end: number },
  by: number,
  travel: ReadonlySet<string> = new Set(),
): KeyPlan {
  const plan = emptyPlan()
  const { start, end } = range
  const period = end - start
  if (!(period > 0) || within(by, period) === 0) return plan
  for (const track of tracks) {
    const inside = Array.from(track.times).filter((time) => time >= start && time <= end)
    // what holds one value all through the loop does so from any moment on
    if (inside.length < 2 || refuses(plan, track, '')) continue
    const { times, limits } = track
    if (limits.dense && (times[0] > start || times[times.length - 1] < end)) {
      leaveOut(plan, say('keyEdits.left.cycleDense'))
      continue
    }
    if (outOfRange(track, start) || outOfRange(track, end)) {
      leaveOut(plan, say('keyEdits.left.noEndKey'))
      continue
    }
    const round = new Round(track, range, by, travel.has(track.id))
    if (round.by === 0) continue
    if (round.open) leaveOut(plan, say('keyEdits.left.cycleOpen'))
    const edit = limits.dense ? denseEdit(track, range, round) : keyedEdit(track, range, round)
    if (!edit) continue
    plan.edits.push(edit)
    plan.count += (edit.set?.keys.length ?? 0) + (edit.insert?.times.length ?? 0)
  }
  return plan
}

/** A track's values once around its loop, from the new beginning on. */
class Round {
  readonly open: boolean
  /** storable times: where the loop began stands here */
  readonly seam: number
  /** storable */
  readonly by: number
  private readonly track: NativeTrack
  private readonly range: { start: number; end: number }
  private readonly goes: Float32Array
  private readonly back: Float32Array
  private readonly flip: boolean
  private readonly moves: boolean

  constructor(track: NativeTrack, range: { start: number; end: number }, by: number, travels: boolean) {
    const { start, end } = range
    const width = track.components.length
    this.track = track
    this.range = range
    this.by = within(storable(track, start + within(by, end - start)) - start, end - start)
    this.seam = storable(track, end - this.by)
    const [first, last] = [new Float32Array(width), new Float32Array(width)]
    sampleInto(track, start, first, 0)
    sampleInto(track, end, last, 0)
    const turns = isRotation(track)
    this.flip = turns && nearSign(track, first, last) !== first
    this.goes = new Float32Array(width)
    if (travels && !turns)
      for (let c = 0; c < width; c++) if (leads(track, c, start, end, first[c], last[c])) this.goes[c] = last[c] - first[c]
    const came = first.map((value, c) => value + this.goes[c])
    this.open = difference(track, came, 0, last, 0) > (turns ? MEET.degrees : MEET.other)
    this.back = new Float32Array(width)
    this.moves = this.goes.some((way) => way !== 0)
    // a figure that walks on begins where it began
    if (this.moves) {
      const at = new Float32Array(width)
      sampleInto(track, start + this.by, at, 0)
      for (let c = 0; c < width; c++) if (this.goes[c] !== 0) this.back[c] = at[c] - first[c]
    }
  }

  /** Where a moment of the loop goes to. */
  to(time: number): number {
    return cycled(this.range.start, this.range.end, this.by)(time)
  }

  /** The value that stands at a time of the loop afterwards. */
  at(time: number, out: Float32Array): Float32Array {
    const { start, end } = this.range
    const from = time - start + this.by
    const again = from >= end - start - 1e-6
    sampleInto(this.track, again ? start + Math.max(0, from - (end - start)) : start + from, out, 0)
    return this.carried(out, again)
  }

  /** A value as it is afterwards. @param again it stands behind the seam */
  carried(values: Float32Array, again: boolean): Float32Array {
    if (this.flip && again) for (let c = 0; c < values.length; c++) values[c] = -values[c]
    if (this.moves) for (let c = 0; c < values.length; c++) values[c] += (again ? this.goes[c] : 0) - this.back[c]
    return values
  }
}

/** Values alone go around where there is a key on every frame. */
function denseEdit(track: NativeTrack, { start, end }: { start: number; end: number }, round: Round): KeyEdit | null {
  const keys = chosenKeys(track, new Set(Array.from(track.times).filter((time) => time >= start && time <= end)))
  const width = track.components.length
  const values = new Float32Array(width * keys.length)
  const value = new Float32Array(width)
  keys.forEach((k, i) => values.set(round.at(track.times[k], value), width * i))
  return rows(
    track,
    keys,
    keys.map((k) => track.times[k]),
    values,
  )
}

/** Keys keep their values and go to other times; ends and seam get keys where none comes to stand there. */
function keyedEdit(track: NativeTrack, { start, end }: { start: number; end: number }, round: Round): KeyEdit | null {
  const { times } = track
  const width = track.components.length
  const [first, last] = [storable(track, start), storable(track, end)]
  const taken = new Set<number>()
  const keys: number[] = []
  const at: number[] = []
  const values: number[] = []
  const remove: number[] = []
  const value = new Float32Array(width)
  for (let k = 0; k < times.length; k++) {
    const time = times[k]
    if (time < start || time > end) continue
    // the last key stays the last: what stood there stands at the seam already
    const goes = time >= last - 1e-6 ? last : storable(track, round.to(time))
    if (taken.has(goes)) {
      remove.push(k)
      continue
    }
    taken.add(goes)
    keys.push(k)
    at.push(goes)
    if (goes === last) round.at(last, value)
    else round.carried((value.set(track.values.subarray(k * width, (k + 1) * width)), value), goes >= round.seam - 1e-6)
    values.push(...value)
  }
  const put = [first, round.seam, last].filter((time) => ![...taken].some((there) => Math.abs(there - time) < 1e-6))
  const edit = rows(track, keys, at, Float32Array.from(values)) ?? { track: track.id }
  if (remove.length) edit.remove = Uint32Array.from(remove)
  if (put.length)
    edit.insert = { times: Float64Array.from(put), values: Float32Array.from(put.flatMap((time) => [...round.at(time, value)])) }
  return edit.set || edit.remove || edit.insert ? edit : null
}

/** Only keys that differ are in the edit. */
function rows(track: NativeTrack, keys: readonly number[], times: readonly number[], values: Float32Array): KeyEdit | null {
  const width = track.components.length
  const differs = keys
    .map((_, i) => i)
    .filter(
      (i) =>
        times[i] !== track.times[keys[i]] ||
        track.components.some((_, c) => !Object.is(values[width * i + c], track.values[width * keys[i] + c])),
    )
  if (!differs.length) return null
  return {
    track: track.id,
    set: {
      keys: Uint32Array.from(differs, (i) => keys[i]),
      times: Float64Array.from(differs, (i) => times[i]),
      values: Float32Array.from(differs.flatMap((i) => [...values.subarray(width * i, width * i + width)])),
    },
  }
}
