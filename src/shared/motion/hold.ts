/** Joints held where they are at one moment over a range of a clip: what bends for them gets keys, eased in and out. */
import { createPose, sampleClip } from '../scene/pose.ts'
import { slerp } from '../scene/matrix.ts'
import { changedJoints, pinAt, solvePose } from './posing.ts'
import { momentOf, readMoment } from './rig.ts'
import { smoothStep } from './smooth-step.ts'
import { minus, plus } from './turns.ts'
import type { PoseKeys } from '../api/types/clips.ts'
import type { Clip, Scene } from '../scene/types.ts'
import type { Pin } from './posing.ts'
import type { PosedMoment, PosingRig } from './rig.ts'

export interface HoldWish {
  joints: readonly number[]
  /** native: where they are held at is where they are then */
  at: number
  start: number
  end: number
  /** native time before and after the range over which they come there and leave */
  ease: number
  /** of a frame */
  step: number
  bones?: ReadonlyMap<number, number>
  /** hips come to where the pins can be reached */
  follow?: boolean
}

export interface Held {
  poses: PoseKeys[]
  /** the most that a joint is away from its place within the range, in scene units */
  left: number
}

/** A clip of more frames is not held in one go. */
const MOST_TIMES = 20_000

/** @param keyed times of keys that are there: each within the range is set too, else it would stand for the pose of before */
export function holdOver(rig: PosingRig, scene: Scene, clip: Clip, wish: HoldWish, keyed: Iterable<number>): Held {
  const { joints, at, start, end, bones, follow } = wish
  const pose = createPose(scene)
  const [own, out] = [momentOf(rig), momentOf(rig)]
  const momentAt = (time: number): PosedMoment => {
    sampleClip(scene, clip, time, pose)
    readMoment(rig, pose.local, own)
    return own
  }
  const anchors = joints.map((joint) => pinAt(momentAt(at), joint))
  const ease = Math.max(wish.step, wish.ease)
  const times = timesOf(clip, wish, ease, keyed)
  const { count } = rig.figure
  const rotation = new Float32Array(4 * count * times.length)
  const translation = new Float32Array(3 * count * times.length)
  const [turned, moved] = [new Set<number>(), new Set<number>()]
  const held: Held = { poses: [], left: 0 }
  times.forEach((time, i) => {
    const from = momentAt(time)
    const away = Math.max(start - time, time - end, 0) / ease
    const weight = away >= 1 ? 0 : 1 - smoothStep(away)
    const left = weight > 0 ? solvePose(rig, from, { pins: anchors.map((pin) => easedPin(from, pin, weight)), bones, follow }, out) : 0
    if (away === 0) held.left = Math.max(held.left, left)
    const now = weight > 0 ? out : from
    const changed = changedJoints(rig, from, now)
    for (const joint of changed.turned) turned.add(joint)
    for (const joint of changed.moved) moved.add(joint)
    rotation.set(now.parts.rotation, 4 * count * i)
    translation.set(now.parts.translation, 3 * count * i)
  })
  const column = (values: Float32Array, width: number, joint: number): Float32Array => {
    const list = new Float32Array(width * times.length)
    for (let i = 0; i < times.length; i++)
      list.set(values.subarray(width * (count * i + joint), width * (count * i + joint + 1)), width * i)
    return list
  }
  for (const joint of [...new Set([...turned, ...moved])].sort((a, b) => a - b))
    held.poses.push({
      joint,
      times: times.slice(),
      ...(turned.has(joint) && { rotation: column(rotation, 4, joint) }),
      ...(moved.has(joint) && { translation: column(translation, 3, joint) }),
    })
  return held
}

/** Frames from where the ease begins to where it ends, and the keys between; the outermost have the pose that is there. */
function timesOf(clip: Clip, { start, end, step }: HoldWish, ease: number, keyed: Iterable<number>): Float64Array {
  const whole = (time: number): number => (clip.unit === 'ms' ? Math.round(time) : Number(time.toPrecision(9)))
  const [first, last] = [Math.max(clip.start, start - ease), Math.min(clip.end, end + ease)]
  const out = new Set([whole(first), whole(last)])
  const frames = Math.min(MOST_TIMES, Math.ceil((last - first) / step))
  for (let i = 0; i < frames; i++) out.add(whole(first + i * step))
  for (const time of keyed) if (time >= first && time <= last) out.add(time)
  return Float64Array.from(out).sort()
}

/** A pin between where the joint is and where it is to be held. @param weight 0 to 1 */
function easedPin(moment: PosedMoment, pin: Pin, weight: number): Pin {
  if (weight >= 1) return pin
  const now = pinAt(moment, pin.joint)
  const turn = new Float64Array(4)
  slerp(turn, 0, Array.from(now.turn), 0, Array.from(pin.turn), 0, weight)
  return { joint: pin.joint, place: plus(now.place, minus(pin.place, now.place), weight), turn }
}
