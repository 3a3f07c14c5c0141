/**
 * What a glTF says of a joint against what an export of the clip as it is would say, at the glTF's own times: only what
 * differs there was changed by somebody. So neither the grid that a tool samples on nor its way between two keys moves
 * anything, and what nobody touched is left to the file.
 */
import { multiplyQuat, slerp } from '../../shared/scene/matrix.ts'
import { sampleChannel, straightArc, timeRounding } from './gltf-sampling.ts'
import { dot } from './quaternion.ts'
import { length3, length4 } from '../../shared/scene/length.ts'
import type { Scene } from '../../shared/scene/types.ts'
import type { JointChannel } from './clip-window.ts'
import type { GltfAnimation, GltfChannel, GltfPath } from './gltf-reader.ts'
import type { JointMotion } from './joint-motion.ts'

/** Differences up to these are rounding on the way. */
export interface Tolerance {
  degrees: number
  /** in the model's unit */
  distance: number
  scale: number
}

/** A part of a joint over the time of an animation; values mean what the model's local parts do. */
export interface PartChange {
  joint: number
  path: GltfPath
  /** seconds from the start of the window, ascending */
  times: Float64Array
  /** 3 or 4 per time */
  values: Float64Array
  /** the clip's own at those times */
  before: Float64Array
  /** 1 where they differ by more than the tolerance */
  changed: Uint8Array
  any: boolean
  /** at a time the file shows the same as earlier while the clip was edited since: the edit of the clip stays */
  kept: boolean
  /** at a time both the file and the clip were changed since: the file wins */
  both: boolean
  /** the file says something else than it said before, or nothing is known of before */
  news: boolean
  /** values are held from one time to the next */
  stepped: boolean
  /** the values replace those of the clip, also between the times, instead of being added as a change */
  taken?: boolean
  /** the greatest difference that was taken as rounding: degrees, the model's unit, or parts of the size */
  rounding: number
}

/** Poses of joints over the time of a window. */
export interface Shown {
  /** @param straight components in straight lines between two keys, as some tools blend quaternions */
  at(joint: number, path: GltfPath, seconds: number, out: Float32Array, straight?: boolean): void
}

/** The clip as an export has it, and how a joint rests where the clip has nothing to say. */
export class Baseline implements Shown {
  private readonly channels = new Map<string, GltfChannel>()
  private readonly scene: Scene

  constructor(scene: Scene, channels: readonly JointChannel[]) {
    this.scene = scene
    for (const { joint, path, interpolation, times, values } of channels)
      this.channels.set(`${joint} ${path}`, { node: '', index: -1, parent: '', path, interpolation, times, values })
  }

  /** seconds of its keys; none where the joint rests */
  times(joint: number, path: GltfPath): ArrayLike<number> {
    return this.channels.get(`${joint} ${path}`)?.times ?? []
  }

  at(joint: number, path: GltfPath, seconds: number, out: Float32Array, straight = false): void {
    const channel = this.channels.get(`${joint} ${path}`)
    const { restTranslation, restRotation, restScale } = this.scene.skeleton
    if (!channel) {
      if (path === 'rotation') slerp(out, 0, restRotation, 4 * joint, restRotation, 4 * joint, 0)
      else out.set((path === 'translation' ? restTranslation : restScale).subarray(3 * joint, 3 * joint + 3))
    } else if (straight && path === 'rotation') straightArc(channel, seconds, out)
    else sampleChannel(channel, seconds, out)
  }
}

/** Seconds between two samples where a file has the same for nearly all that it moves; undefined where it has keys. */
export function sampledStep(animation: GltfAnimation): number | undefined {
  const counts = new Map<number, number>()
  let all = 0
  for (const { times } of animation.channels) {
    if (times.length < 3) continue
    all++
    const last = times.length - 1
    // an animation may begin and end between two samples
    const [a, b] = last > 3 ? [1, last - 1] : [0, last]
    const step = (times[b] - times[a]) / (b - a)
    let even = step > 0 && step < SLOWEST
    for (let i = 1; even && i <= last; i++) {
      const more = times[i] - times[i - 1] - step
      const near = 0.02 * step + timeRounding(times[i])
      even = more < near && (more > -near || i <= a || i > b)
    }
    if (!even) continue
    const key = Math.round(1 / step)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1])
  return most && most[1] >= 0.8 * all ? 1 / most[0] : undefined
}

/** Seconds: what is keyed more rarely is no sampling. */
const SLOWEST = 0.11

interface CompareOptions {
  /** seconds between which the animation says something */
  from: number
  to: number
  sampled: boolean
  tolerance: Tolerance
  /** what an earlier state of the file showed: where the file shows the same now, the clip stays as it is */
  earlier?: Shown
}

export function compare(
  baseline: Baseline,
  motion: JointMotion,
  joint: number,
  path: GltfPath,
  { from, to, sampled, tolerance, earlier }: CompareOptions,
): PartChange {
  const width = path === 'rotation' ? 4 : 3
  const own = motion.times.filter((time) => time >= from - timeRounding(time) && time <= to + timeRounding(time))
  // between samples a file says nothing of its own
  const times = sampled && own.length > 2 ? own : distinctTimes([...own, from, to, ...within(baseline.times(joint, path), from, to)])
  const out: PartChange = {
    joint,
    path,
    times: Float64Array.from(times),
    values: new Float64Array(width * times.length),
    before: new Float64Array(width * times.length),
    changed: new Uint8Array(times.length),
    any: false,
    stepped: motion.stepped[path],
    rounding: 0,
    kept: false,
    both: false,
    news: false,
  }
  const limit = path === 'rotation' ? tolerance.degrees : path === 'translation' ? tolerance.distance : tolerance.scale
  const parts = { translation: new Float64Array(3), rotation: new Float64Array(4), scale: new Float64Array(3) }
  const value = new Float32Array(4)
  times.forEach((time, i) => {
    motion.at(time, parts)
    const now = parts[path]
    baseline.at(joint, path, time, value)
    out.before.set(value.subarray(0, width), width * i)
    out.values.set(now, width * i)
    const error = apart(baseline, joint, path, time, now, limit)
    const since = earlier ? apart(earlier, joint, path, time, now, limit) : Infinity
    if (since > limit) out.news = true
    if (error <= limit) {
      out.rounding = Math.max(out.rounding, error)
      return
    }
    if (earlier) {
      if (since <= limit) {
        out.kept = true
        return
      }
      earlier.at(joint, path, time, value)
      if (apart(baseline, joint, path, time, value.subarray(0, width), limit) > limit) out.both = true
    }
    out.changed[i] = 1
    out.any = true
  })
  return out
}

/** How far a value is from what is shown at a time, whichever way that goes between its keys. */
function apart(shown: Shown, joint: number, path: GltfPath, time: number, now: ArrayLike<number>, limit: number): number {
  const value = new Float32Array(4)
  shown.at(joint, path, time, value)
  let error = differs(path, now, value)
  if (path === 'rotation' && error > 1e-3 * limit) {
    shown.at(joint, path, time, value, true)
    error = Math.min(error, differs(path, now, value))
  }
  return error > limit ? Math.min(error, besideJump(shown, joint, path, time, now)) : error
}

/** A time next to a jump may be meant before it, behind it, or within. */
function besideJump(shown: Shown, joint: number, path: GltfPath, time: number, now: ArrayLike<number>): number {
  const reach = Math.max(1e-5, 4 * timeRounding(time))
  const [a, b, at] = [new Float32Array(4), new Float32Array(4), new Float32Array(4)]
  shown.at(joint, path, time - reach, a)
  shown.at(joint, path, time + reach, b)
  const size = path === 'rotation' ? 4 : 3
  if (path === 'rotation' && dot(a, 0, b, 0) < 0) for (let c = 0; c < 4; c++) b[c] = -b[c]
  if (path === 'rotation' && dot(now, 0, a, 0) + dot(now, 0, b, 0) < 0) for (let c = 0; c < 4; c++) [a[c], b[c]] = [-a[c], -b[c]]
  let along = 0
  let length = 0
  for (let c = 0; c < size; c++) {
    along += (now[c] - a[c]) * (b[c] - a[c])
    length += (b[c] - a[c]) ** 2
  }
  const t = length > 0 ? Math.min(1, Math.max(0, along / length)) : 0
  for (let c = 0; c < size; c++) at[c] = a[c] + (b[c] - a[c]) * t
  return differs(path, now, at)
}

/** Degrees between rotations; distance of places; of scales the greatest part. */
export function differs(path: GltfPath, a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (path === 'rotation') {
    const [la, lb] = [length4(a[0], a[1], a[2], a[3]) || 1, length4(b[0], b[1], b[2], b[3]) || 1]
    let [same, opposite] = [0, 0]
    for (let c = 0; c < 4; c++) {
      same += (a[c] / la - b[c] / lb) ** 2
      opposite += (a[c] / la + b[c] / lb) ** 2
    }
    // by the chord: near zero an arc cosine knows too little
    return (4 * Math.asin(Math.min(1, Math.sqrt(Math.min(same, opposite)) / 2)) * 180) / Math.PI
  }
  const apart = length3(a[0] - b[0], a[1] - b[1], a[2] - b[2])
  return path === 'translation' ? apart : apart / Math.max(1e-6, length3(b[0], b[1], b[2]) / Math.sqrt(3))
}

/**
 * What the part becomes at a time. Between two samples the clip's own way goes on, with as much of the change as stands
 * there.
 * @param own the clip's own value at the time, which becomes the new one
 * @returns false where nothing changes
 */
export function applyChange(change: PartChange, seconds: number, own: Float32Array): boolean {
  const { times, values, before, changed, path } = change
  const width = path === 'rotation' ? 4 : 3
  const near = timeRounding(seconds) * 2
  let next = 0
  let high = times.length
  while (next < high) {
    const middle = (next + high) >> 1
    if (times[middle] <= seconds + near) next = middle + 1
    else high = middle
  }
  const at = next - 1
  if (at < 0) return false
  if (seconds - times[at] <= near) {
    if (!changed[at]) return false
    for (let c = 0; c < width; c++) own[c] = values[at * width + c]
    return true
  }
  if (next < times.length && change.taken) {
    between(change, at, next, seconds, own)
    return true
  }
  if (next >= times.length || (!changed[at] && (change.stepped || !changed[next]))) return false
  const t = change.stepped ? 0 : (seconds - times[at]) / (times[next] - times[at])
  if (path !== 'rotation') {
    for (let c = 0; c < width; c++) {
      const [a, b] = [at, next].map((i) => (changed[i] ? values[i * width + c] - before[i * width + c] : 0))
      own[c] += a + (b - a) * t
    }
    return true
  }
  const turn = (i: number): Float64Array => {
    const q = Float64Array.of(0, 0, 0, 1)
    if (changed[i]) {
      const back = Float64Array.of(-before[4 * i], -before[4 * i + 1], -before[4 * i + 2], before[4 * i + 3])
      multiplyQuat(q, 0, back, 0, values, 4 * i)
    }
    return q
  }
  const q = new Float64Array(4)
  slerp(q, 0, turn(at), 0, turn(next), 0, t)
  multiplyQuat(own, 0, own, 0, q, 0)
  return true
}

/** What the file itself shows between two of its times. */
function between({ times, values, path, stepped }: PartChange, at: number, next: number, seconds: number, out: Float32Array): void {
  const t = stepped ? 0 : (seconds - times[at]) / (times[next] - times[at])
  if (path === 'rotation') slerp(out, 0, values, 4 * at, values, 4 * next, t)
  else for (let c = 0; c < 3; c++) out[c] = values[3 * at + c] + (values[3 * next + c] - values[3 * at + c]) * t
}

function within(times: ArrayLike<number>, from: number, to: number): number[] {
  return Array.from(times).filter((time) => time >= from && time <= to)
}

/** Ascending; times that are one but for their rounding are one. */
function distinctTimes(times: number[]): number[] {
  const out: number[] = []
  for (const time of times.sort((a, b) => a - b)) if (out.length === 0 || time - out.at(-1)! > timeRounding(time)) out.push(time)
  return out
}
