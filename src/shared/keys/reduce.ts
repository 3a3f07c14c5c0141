/** Taking out keys that the game would interpolate anyway, within a stated error. */
import { chosenKeys, emptyPlan, refuses, leaveOut, type KeyPlan, type KeySelection } from './plan.ts'
import { blendValues, difference, measureOf, type Measure } from './value.ts'
import type { NativeTrack } from '../api/types/clips.ts'
import { say } from '../texts/say.ts'

/** Largest difference that is allowed; of rotations, of lengths in the format's units, of plain numbers (scale, opacity, colour). */
export type Tolerance = Readonly<Record<Measure, number>>

export interface ReducePlan extends KeyPlan {
  /** largest difference there is afterwards, at the keys taken out and half-way between keys */
  reached: Record<Measure, number>
}

/**
 * Keys that were not chosen, first and last keys, keys that are jumped to and those before them stay. Tracks that share their keys (rotation and position in
 * one record) lose a key only where all of them can do without it.
 */
export function reduceKeys(tracks: readonly NativeTrack[], selection: KeySelection, tolerance: Tolerance): ReducePlan {
  const plan: ReducePlan = { ...emptyPlan(), reached: { degrees: 0, distance: 0, factor: 0 } }
  const groups = new Map<string, NativeTrack[]>()
  for (const track of tracks) {
    const key = track.sharedKeys ?? track.id
    const group = groups.get(key)
    if (group) group.push(track)
    else groups.set(key, [track])
  }
  for (const group of groups.values()) {
    const asked = group.filter((t) => selection.get(t.id)?.size)
    if (!asked.length) continue
    const times = new Set<number>()
    for (const t of asked) for (const time of selection.get(t.id)!) times.add(time)
    const keys = chosenKeys(group[0], times)
    if (!keys.length || group.some((t) => refuses(plan, t, say('keyEdits.left.denseDelete')))) continue
    if (group.length > asked.length) leaveOut(plan, say('keyEdits.left.sharedKeys'))
    const removed = reduceGroup(group, keys, tolerance)
    const gone = new Set(removed)
    for (const track of group) {
      const reached = errorWithout(track, gone)
      const measure = measureOf(track)
      plan.reached[measure] = Math.max(plan.reached[measure], reached)
    }
    const left = new Set(times)
    for (const k of removed) left.delete(group[0].times[k])
    for (const t of asked) plan.selection.set(t.id, left)
    if (!removed.length) continue
    plan.edits.push(...group.map((t) => ({ track: t.id, remove: Uint32Array.from(removed) })))
    plan.count += removed.length * group.length
  }
  return plan
}

/** Numbers of the keys that can go, ascending. */
function reduceGroup(group: readonly NativeTrack[], keys: readonly number[], tolerance: Tolerance): number[] {
  const n = group[0].times.length
  const may = new Uint8Array(n)
  for (const k of keys) if (k > 0 && k < n - 1) may[k] = 1
  for (const track of group) {
    for (let k = 1; k < n; k++) if (track.stepInto?.[k]) may[k] = may[k - 1] = 0
    // of keys at one time nobody knows which the game takes
    for (let k = 1; k < n; k++) if (track.times[k] === track.times[k - 1]) may[k] = may[k - 1] = 0
  }
  const out: number[] = []
  const split: [number, number][] = []
  const shares = new Float64Array(n)
  for (let a = 0; a < n - 1;) {
    let b = a + 1
    while (b < n - 1 && may[b]) b++
    if (b > a + 1) split.push([a, b])
    a = b
  }
  // the key that differs most stays and parts the rest, until the largest difference is within what is allowed
  while (split.length) {
    const [a, b] = split.pop()!
    const worst = worstBetween(group, a, b, tolerance, shares)
    if (worst < 0) for (let k = a + 1; k < b; k++) out.push(k)
    else {
      if (worst > a + 1) split.push([a, worst])
      if (b > worst + 1) split.push([worst, b])
    }
  }
  return out.sort((x, y) => x - y)
}

const blended = new Float32Array(64)
const middle = new Float32Array(64)

/** A key whose difference is this share of the largest one counts as equal to it. */
const ALIKE = 0.9

/**
 * A key between a and b that differs about most, in shares of what is allowed; -1 when all are within. Of several like
 * it the one nearest to the middle: a swing that repeats is parted in halves then, and not swing by swing, which for
 * thousands of keys is the difference between a moment and minutes.
 * @param shares as long as the track, for use here
 */
function worstBetween(group: readonly NativeTrack[], a: number, b: number, tolerance: Tolerance, shares: Float64Array): number {
  let most = 1
  let last = false
  shares.fill(0, a + 1, b)
  for (const track of group) {
    const width = track.components.length
    const { times, values } = track
    const allowed = tolerance[measureOf(track)]
    const span = times[b] - times[a]
    const ratio = (d: number): number => (d === 0 ? 0 : allowed > 0 ? d / allowed : Infinity)
    for (let k = a + 1; k < b; k++) {
      let d: number
      if (track.limits.stepped) d = difference(track, values, k * width, values, a * width)
      else {
        blendValues(track, blended, 0, values, a * width, values, b * width, (times[k] - times[a]) / span)
        d = difference(track, blended, 0, values, k * width)
        // turning is not straight: half-way to the key before it may be further off than both
        if (measureOf(track) === 'degrees') {
          blendValues(track, middle, 0, values, (k - 1) * width, values, k * width, 0.5)
          blendValues(track, blended, 0, values, a * width, values, b * width, ((times[k] + times[k - 1]) / 2 - times[a]) / span)
          d = Math.max(d, difference(track, blended, 0, middle, 0))
        }
      }
      const r = ratio(d)
      if (r > shares[k]) shares[k] = r
      if (r > most) most = r
    }
    if (!track.limits.stepped && measureOf(track) === 'degrees' && most === 1) {
      blendValues(track, middle, 0, values, (b - 1) * width, values, b * width, 0.5)
      blendValues(track, blended, 0, values, a * width, values, b * width, ((times[b] + times[b - 1]) / 2 - times[a]) / span)
      if (ratio(difference(track, blended, 0, middle, 0)) > 1) last = true
    }
  }
  if (most === 1) return last ? b - 1 : -1
  const enough = Math.max(most * ALIKE, 1)
  const centre = (a + b) / 2
  let best = -1
  for (let k = a + 1; k < b; k++)
    if (shares[k] > 1 && shares[k] >= enough && (best < 0 || Math.abs(k - centre) < Math.abs(best - centre))) best = k
  return best
}

/** Largest difference of a track without some of its keys, at those keys and half-way between keys. */
export function errorWithout(track: NativeTrack, gone: ReadonlySet<number>): number {
  const width = track.components.length
  const { times, values } = track
  const n = times.length
  let most = 0
  let a = 0
  for (let b = 1; b < n; b++) {
    if (gone.has(b)) continue
    for (let k = a + 1; b > a + 1 && k <= b; k++) {
      if (track.limits.stepped) {
        if (k < b) most = Math.max(most, difference(track, values, a * width, values, k * width))
        continue
      }
      const at = (t: number): number => (t - times[a]) / (times[b] - times[a])
      blendValues(track, middle, 0, values, (k - 1) * width, values, k * width, 0.5)
      blendValues(track, blended, 0, values, a * width, values, b * width, at((times[k] + times[k - 1]) / 2))
      most = Math.max(most, difference(track, blended, 0, middle, 0))
      if (k === b) continue
      blendValues(track, blended, 0, values, a * width, values, b * width, at(times[k]))
      most = Math.max(most, difference(track, blended, 0, values, k * width))
    }
    a = b
  }
  return most
}
