/**
 * Keys that were copied. Within a file they go back as the file has them. Another file may turn axes or signs another way and another model
 * counts time differently, so there they go as poses of the scene, in seconds.
 */
import { localPose } from './local-pose.ts'
import { chosenKeys, emptyPlan, outOfRange, refuses, storable, leaveOut, type KeyPlan, type KeySelection } from './plan.ts'
import type { KeyEdit, NativeTrack, PoseKeys } from '../api/types/clips.ts'
import type { Clip, Scene } from '../scene/types.ts'
import { say } from '../texts/say.ts'

export interface CopiedTrack {
  ref: string
  target: string
  joint: number
  property: NativeTrack['property']
  label: string
  components: string[]
  times: Float64Array
  values: Float32Array
}

export interface CopiedKeys {
  /** earliest of the copied times */
  start: number
  tracks: CopiedTrack[]
  /** what the keys meant when they were copied; null where no scene was shown */
  from: { scene: Scene; clip: Clip } | null
}

export function copyKeys(tracks: readonly NativeTrack[], selection: KeySelection, from: CopiedKeys['from'] = null): CopiedKeys | null {
  const out: CopiedKeys = { start: Infinity, tracks: [], from }
  for (const track of tracks) {
    const keys = chosenKeys(track, selection.get(track.id))
    if (!keys.length) continue
    const width = track.components.length
    const values = new Float32Array(keys.length * width)
    keys.forEach((k, i) => values.set(track.values.subarray(k * width, (k + 1) * width), i * width))
    const times = Float64Array.from(keys, (k) => track.times[k])
    out.start = Math.min(out.start, times[0])
    out.tracks.push({
      ref: track.ref,
      target: track.target,
      joint: track.joint,
      property: track.property,
      label: track.label,
      components: [...track.components],
      times,
      values,
    })
  }
  return out.tracks.length ? out : null
}

/** Whether all of it comes from a file that these tracks are of, so that it can go back as it is. */
export function sameFile(tracks: readonly NativeTrack[], copied: CopiedKeys): boolean {
  const refs = new Set(tracks.map((t) => t.ref))
  return copied.tracks.every((t) => refs.has(t.ref))
}

/** Where each component of `from` stands in `to`; null where they are not the same components. */
function componentPlaces(from: readonly string[], to: readonly string[]): number[] | null {
  if (from.length !== to.length) return null
  const places = to.map((name) => from.indexOf(name))
  return places.every((at) => at >= 0) ? places : null
}

const named = (name: string): string => name.trim().toLowerCase()

/**
 * Copied keys from `time` on, in the tracks of the same bones and kinds; keys that stand there take the copied values.
 * @param over keys that stand between the pasted ones go, so that nothing of the old movement stays among them
 */
export function pasteKeys(tracks: readonly NativeTrack[], copied: CopiedKeys, time: number, over = false): KeyPlan {
  const plan = emptyPlan()
  // of every key that is left out
  const beyondEnd = say('keyEdits.left.beyondEnd')
  const beyondFrames = say('keyEdits.left.beyondFrames')
  for (const from of copied.tracks) {
    const fits = (t: NativeTrack): boolean =>
      named(t.target) === named(from.target) && t.property === from.property && componentPlaces(from.components, t.components) !== null
    const track = tracks.find((t) => fits(t) && t.label === from.label) ?? tracks.find(fits)
    if (!track) {
      if (plan.skipped.length < 3) leaveOut(plan, say('keyEdits.left.noTrack', { property: from.property, target: from.target }))
      continue
    }
    const { dense } = track.limits
    if (refuses(plan, track, '')) continue
    const places = componentPlaces(from.components, track.components)!
    const width = places.length
    const at = new Map<number, number>()
    for (let k = 0; k < track.times.length; k++) at.set(track.times[k], k)
    const set = new Map<number, number>()
    const insert = new Map<number, number>()
    from.times.forEach((t, i) => {
      const moment = time + t - copied.start
      if (outOfRange(track, moment)) return leaveOut(plan, beyondEnd)
      const to = storable(track, moment)
      const key = at.get(to)
      // of copied keys that land on one key the last counts
      if (key !== undefined) set.set(key, i)
      else if (dense) leaveOut(plan, beyondFrames)
      else insert.set(to, i)
    })
    const rows = (list: number[]): Float32Array => {
      const values = new Float32Array(list.length * width)
      list.forEach((i, n) => places.forEach((place, c) => (values[n * width + c] = from.values[i * width + place])))
      return values
    }
    const edit: KeyEdit = { track: track.id }
    const keys = [...set.keys()].sort((a, b) => a - b)
    const times = [...insert.keys()].sort((a, b) => a - b)
    if (keys.length)
      edit.set = {
        keys: Uint32Array.from(keys),
        times: Float64Array.from(keys, (k) => track.times[k]),
        values: rows(keys.map((k) => set.get(k)!)),
      }
    if (times.length) edit.insert = { times: Float64Array.from(times), values: rows(times.map((t) => insert.get(t)!)) }
    if (!keys.length && !times.length) continue
    if (over && !dense) {
      const placed = [...keys.map((k) => track.times[k]), ...times]
      const first = Math.min(...placed),
        last = Math.max(...placed)
      const gone: number[] = []
      for (let k = 0; k < track.times.length; k++) if (track.times[k] > first && track.times[k] < last && !set.has(k)) gone.push(k)
      if (gone.length) edit.remove = Uint32Array.from(gone)
    }
    plan.edits.push(edit)
    plan.selection.set(track.id, new Set([...times, ...keys.map((k) => track.times[k])]))
    plan.count += times.length + keys.length
  }
  return plan
}

/** Times of the keys that joints have, by kind. */
export type KeyedTimes = ReadonlyMap<number, Partial<Record<'translation' | 'rotation' | 'scale', Float64Array>>>

export function keyedTimes(tracks: readonly NativeTrack[]): KeyedTimes {
  const out = new Map<number, Partial<Record<'translation' | 'rotation' | 'scale', Float64Array>>>()
  for (const { joint, property, times } of tracks) {
    if (joint < 0 || (property !== 'translation' && property !== 'rotation' && property !== 'scale')) continue
    const own = out.get(joint) ?? {}
    own[property] = own[property] ? Float64Array.from(new Set([...own[property], ...times])).sort() : times
    out.set(joint, own)
  }
  return out
}

export interface CopiedPoses {
  poses: PoseKeys[]
  skipped: string[]
}

/**
 * Copied keys as poses for bones of the same names of another model or file, from `time` on. Bones keep the place and turn that they had
 * towards their parent; where the two skeletons rest differently the pose looks different too.
 * @param rate native time units per second of the clip that takes them
 * @param last where that clip ends for good: what would come later is left out
 * @param over keys of the clip that takes them: those that stand between the pasted ones follow the copied movement too
 * @param progress told a share from 0 to 1
 */
export function copiedPoses(
  copied: CopiedKeys,
  jointNames: readonly string[],
  time: number,
  rate: number,
  last = Infinity,
  over: KeyedTimes | null = null,
  progress: (share: number) => void = () => {},
): CopiedPoses {
  const out: CopiedPoses = { poses: [], skipped: [] }
  if (!copied.from) return { poses: [], skipped: [say('keyEdits.left.unknown')] }
  const { scene, clip } = copied.from
  const joints = new Map<string, number>()
  jointNames.forEach((name, i) => joints.has(named(name)) || joints.set(named(name), i))
  const parts = new Map<number, { source: number; translation: Set<number>; rotation: Set<number>; scale: Set<number> }>()
  for (const track of copied.tracks) {
    const to = joints.get(named(track.target))
    const property = track.property
    if (property !== 'translation' && property !== 'rotation' && property !== 'scale') {
      if (out.skipped.length < 3) out.skipped.push(say('keyEdits.left.ownFile', { property }))
    } else if (to === undefined || track.joint < 0) {
      if (out.skipped.length < 3) out.skipped.push(say('keyEdits.left.noBone', { bone: track.target }))
    } else {
      let own = parts.get(to)
      if (!own) parts.set(to, (own = { source: track.joint, translation: new Set(), rotation: new Set(), scale: new Set() }))
      for (const t of track.times) own[property].add(t)
    }
  }
  const pose = new Float32Array(10)
  const moment = (t: number): number => time + ((t - copied.start) / clip.rate) * rate
  const sourceTime = (m: number): number => copied.start + ((m - time) / rate) * clip.rate
  let done = 0
  let late = false
  for (const [joint, own] of parts) {
    progress(done++ / parts.size)
    // the three kinds of a bone often have the same times: one list each keeps those apart that have not
    for (const property of ['translation', 'rotation', 'scale'] as const) {
      const all = [...own[property]].sort((a, b) => a - b)
      const times = all.filter((t) => moment(t) <= last + 1e-6)
      if (times.length < all.length) late = true
      if (!times.length) continue
      const at = property === 'translation' ? 0 : property === 'rotation' ? 3 : 7
      const width = property === 'rotation' ? 4 : 3
      // source time of each moment: keys of the clip are met exactly, the rest is reckoned back
      const from = new Map<number, number>(times.map((t) => [moment(t), t]))
      const [start, end] = [moment(times[0]), moment(times[times.length - 1])]
      for (const m of over?.get(joint)?.[property] ?? []) if (m > start && m < end && !from.has(m)) from.set(m, sourceTime(m))
      const moments = Float64Array.from(from.keys()).sort()
      const values = new Float32Array(moments.length * width)
      moments.forEach((m, i) => {
        localPose(scene, clip, own.source, from.get(m)!, pose)
        values.set(pose.subarray(at, at + width), i * width)
      })
      out.poses.push({ joint, times: moments, [property]: values })
    }
  }
  if (late) out.skipped.push(say('keyEdits.left.beyondEnd'))
  return out
}
