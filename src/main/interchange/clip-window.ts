/**
 * A stretch of a clip as glTF has animations: per joint and property ascending times in seconds from zero, values with
 * one interpolation. What glTF cannot say (a jump between blended keys, values relative to the rest pose, rest outside
 * of the keys) becomes keys that say the same.
 */
import { FormatError } from '../binary/format-error.ts'
import { compose, decompose, multiply } from '../../shared/scene/matrix.ts'
import { keyBefore, sampleTrack, trackWidth } from '../../shared/scene/pose.ts'
import { unitQuaternion } from '../../shared/scene/length.ts'
import type { Clip, Scene, Slice, Track } from '../../shared/scene/types.ts'
import { say } from '../../shared/texts/say.ts'

export interface JointChannel {
  joint: number
  path: 'translation' | 'rotation' | 'scale'
  interpolation: 'LINEAR' | 'STEP'
  /** seconds from the start of the window, strictly ascending */
  times: Float32Array
  values: Float32Array
}

/** Native time units that pass in a second of a clip. */
export function clipRate(clip: Clip): number {
  return clip.rate > 0 ? clip.rate : 30
}

/** Native time units that pass in a second of a slice. */
export function sliceRate(slice: Slice, clip: Clip): number {
  const rate = clip.rate * (slice.speed || 1)
  return rate > 0 && Number.isFinite(rate) ? rate : 30
}

type Part = JointChannel['path']
const PARTS: readonly Part[] = ['translation', 'rotation', 'scale']
/** A jump takes this part of the time between two keys, so that times still ascend as 32-bit floats. */
const JUMP = 1e-3
/** A file may say that a clip is of any length. */
const MOST_SAMPLES = 1_000_000

/** Native times; both poses belong to it. */
export interface Stretch {
  from: number
  to: number
  /** where seconds are counted from */
  zero: number
  /** native time units that pass in a second */
  unitsPerSecond: number
}

/** @param every native time between two samples; 0 for the clip's own keys */
export function jointChannels(scene: Scene, clip: Clip, stretch: Stretch, every = 0): JointChannel[] {
  const perJoint = new Map<number, Track[]>()
  for (const track of clip.tracks) {
    if (track.target.kind !== 'joint' || !(track.property === 'translation' || track.property === 'rotation' || track.property === 'scale'))
      continue
    if (track.target.index < 0 || track.target.index >= scene.skeleton.count || track.times.length === 0) continue
    const list = perJoint.get(track.target.index)
    if (list) list.push(track)
    else perJoint.set(track.target.index, [track])
  }
  const channels: JointChannel[] = []
  for (const [joint, tracks] of perJoint) {
    if (tracks.some((track) => track.mode === 'delta')) {
      channels.push(...resolved(scene, clip, joint, tracks, stretch, every))
      continue
    }
    for (const part of PARTS) {
      // of several tracks for one thing the sampler lets the last one win
      const track = tracks.findLast((t) => t.property === part)
      if (track) channels.push(plain(scene, clip, joint, part, track, stretch, every))
    }
  }
  return channels
}

function plain(scene: Scene, clip: Clip, joint: number, part: Part, track: Track, stretch: Stretch, every: number): JointChannel {
  const step = track.interpolation === 'step'
  const times = sampleTimes([track], stretch, step, every)
  const width = trackWidth(track)
  const values = new Float32Array(times.length * width)
  const one = new Float32Array(4)
  times.forEach((time, i) => {
    if (!sampleTrack(track, clip, time, one)) one.set(rest(scene, joint, part))
    values.set(one.subarray(0, width), i * width)
  })
  return finish({ joint, path: part, interpolation: step ? 'STEP' : 'LINEAR', times: seconds(times, stretch), values })
}

/** Deltas apply after the whole rest transform (local = rest * T * R): evaluated, and taken apart again. */
function resolved(scene: Scene, clip: Clip, joint: number, tracks: Track[], stretch: Stretch, every: number): JointChannel[] {
  const step = tracks.every((track) => track.interpolation === 'step')
  const times = sampleTimes(tracks, stretch, step, every)
  const out = {
    translation: new Float32Array(3 * times.length),
    rotation: new Float32Array(4 * times.length),
    scale: new Float32Array(3 * times.length),
  }
  const s = scene.skeleton
  const local = new Float32Array(16)
  const deltaMatrix = new Float32Array(16)
  const unit = new Float32Array([1, 1, 1])
  const value = new Float32Array(4)
  times.forEach((time, i) => {
    const absolute = {
      translation: rest(scene, joint, 'translation').slice(),
      rotation: rest(scene, joint, 'rotation').slice(),
      scale: rest(scene, joint, 'scale').slice(),
    }
    const delta = { translation: new Float32Array(3), rotation: new Float32Array([0, 0, 0, 1]) }
    let touched = false
    for (const track of tracks) {
      if (!sampleTrack(track, clip, time, value)) continue
      const part = track.property as Part
      if (track.mode === 'delta' && part !== 'scale') delta[part].set(value.subarray(0, part === 'rotation' ? 4 : 3))
      else {
        absolute[part].set(value.subarray(0, part === 'rotation' ? 4 : 3))
        touched = true
      }
    }
    if (touched) compose(local, 0, absolute.translation, 0, absolute.rotation, 0, absolute.scale, 0)
    else local.set(s.restLocal.subarray(16 * joint, 16 * joint + 16))
    compose(deltaMatrix, 0, delta.translation, 0, delta.rotation, 0, unit, 0)
    multiply(local, 0, local, 0, deltaMatrix, 0)
    decompose(local, 0, out.translation, 3 * i, out.rotation, 4 * i, out.scale, 3 * i)
  })
  const at = seconds(times, stretch)
  return PARTS.filter((part) => part !== 'scale' || tracks.some((t) => t.property === 'scale')).map((path) =>
    finish({ joint, path, interpolation: step ? 'STEP' : 'LINEAR', times: at.slice(), values: out[path] }),
  )
}

function rest(scene: Scene, joint: number, part: Part): Float32Array {
  const s = scene.skeleton
  if (part === 'translation') return s.restTranslation.subarray(3 * joint, 3 * joint + 3)
  if (part === 'rotation') return s.restRotation.subarray(4 * joint, 4 * joint + 4)
  return s.restScale.subarray(3 * joint, 3 * joint + 3)
}

/** Native times at which the tracks have to be evaluated so that straight lines between them say what the tracks say. */
export function sampleTimes(tracks: Track[], { from, to, zero }: Stretch, step: boolean, every = 0): number[] {
  const at = new Set<number>([from, to])
  if (every > 0) {
    const count = (to - from) / every
    if (!(count < MOST_SAMPLES)) throw new FormatError('unsupported', say('exportedModel.tooManySamples', { most: MOST_SAMPLES }))
    const last = to - 1e-6 * every
    for (let i = Math.ceil((from - zero) / every); zero + i * every < last; i++) at.add(Math.max(from, zero + i * every))
    return [...at].sort((a, b) => a - b)
  }
  const add = (time: number): void => {
    if (time > from && time < to) at.add(time)
  }
  for (const track of tracks) {
    const { times } = track
    const last = times.length - 1
    const first = Math.max(0, keyBefore(times, from))
    for (let k = first; k <= last && times[k] <= to; k++) {
      add(times[k])
      const jumps = track.stepInto?.[k] || track.interpolation === 'step'
      // held until just before the jump
      if (!step && jumps && k > 0 && times[k] > times[k - 1]) add(times[k] - (times[k] - times[k - 1]) * JUMP)
    }
    if (track.outside === 'rest' && !step) {
      const margin = Math.max(1e-3, (to - from) * JUMP * 0.1)
      add(times[0] - margin)
      add(times[last] + margin)
    }
  }
  return [...at].sort((a, b) => a - b)
}

export function seconds(times: readonly number[], { zero, unitsPerSecond }: Stretch): Float32Array {
  return Float32Array.from(times, (time) => (time - zero) / unitsPerSecond)
}

/** Times that fall together as 32-bit floats are one key, rotations are unit quaternions on one side, nothing is infinite. */
function finish(channel: JointChannel): JointChannel {
  const { times, values, path } = channel
  const width = path === 'rotation' ? 4 : 3
  let n = 0
  for (let i = 0; i < times.length; i++) {
    if (n > 0 && !(times[i] > times[n - 1])) n--
    times[n] = times[i]
    values.copyWithin(n * width, i * width, i * width + width)
    n++
  }
  for (let i = 0; i < n * width; i++) if (!Number.isFinite(values[i])) values[i] = 0
  if (path === 'rotation') for (let i = 0; i < n; i++) unitQuaternion(values, 4 * i)
  return { ...channel, times: times.slice(0, n), values: values.slice(0, n * width) }
}
