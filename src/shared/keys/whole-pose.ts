/** The pose of a whole figure at one moment, and what can be made of it: put elsewhere, mirrored, between its neighbours. */
import { slerp } from '../scene/matrix.ts'
import { localPose } from './local-pose.ts'
import { mirrorPoses } from './mirror.ts'
import { angleBetween } from './value.ts'
import type { PoseKeys } from '../api/types/clips.ts'
import type { Clip, Scene, Track } from '../scene/types.ts'

/** Per joint translation (3), rotation (4) and scale (3) towards its parent. */
export interface WholePose {
  names: readonly string[]
  parts: Float32Array
}

const WIDTH = 10
/** Less than this is the same pose: degrees, and a share of the greatest length that a joint stands off its parent. */
const SAME_DEGREES = 1e-3
const SAME_PLACE = 1e-6

export function wholePose(scene: Scene, clip: Clip, time: number): WholePose {
  const { count, names } = scene.skeleton
  const parts = new Float32Array(WIDTH * count)
  for (let i = 0; i < count; i++) localPose(scene, clip, i, time, parts.subarray(WIDTH * i, WIDTH * i + WIDTH))
  return { names, parts }
}

export function restPose({ skeleton: s }: Scene): WholePose {
  const parts = new Float32Array(WIDTH * s.count)
  for (let i = 0; i < s.count; i++) {
    parts.set(s.restTranslation.subarray(3 * i, 3 * i + 3), WIDTH * i)
    parts.set(s.restRotation.subarray(4 * i, 4 * i + 4), WIDTH * i + 3)
    parts.set(s.restScale.subarray(3 * i, 3 * i + 3), WIDTH * i + 7)
  }
  return { names: s.names, parts }
}

/**
 * Keys that give joints the pose at a time; a joint that has it already gets none. Lengths of bones stay the figure's own: places are
 * taken for joints that the clip moves.
 * @param moved whether the clip has places for a joint
 */
export function keysOfPose(
  scene: Scene,
  clip: Clip,
  time: number,
  pose: WholePose,
  joints: Iterable<number>,
  moved: (joint: number) => boolean,
): PoseKeys[] {
  const at = placesByName(pose.names)
  const now = new Float32Array(WIDTH)
  const far = reachOf(scene)
  const out: PoseKeys[] = []
  for (const joint of joints) {
    const from = at.get(plain(scene.skeleton.names[joint]))
    if (from === undefined) continue
    localPose(scene, clip, joint, time, now)
    const o = WIDTH * from
    const keys: PoseKeys = { joint, times: Float64Array.of(time) }
    if (angleBetween(now, 3, pose.parts, o + 3) > SAME_DEGREES) keys.rotation = pose.parts.slice(o + 3, o + 7)
    const away = Math.hypot(...[0, 1, 2].map((c) => now[c] - pose.parts[o + c]))
    if (moved(joint) && away > SAME_PLACE * far) keys.translation = pose.parts.slice(o, o + 3)
    if (keys.rotation || keys.translation) out.push(keys)
  }
  return out
}

/** The pose with left and right changed, as the given skeleton stands. @param sides the other side of each joint, itself where there is none */
export function mirroredPose(scene: Scene, pose: WholePose, sides: Int32Array): WholePose {
  const { names, count } = scene.skeleton
  const at = placesByName(pose.names)
  const source = { ref: '', path: '' }
  const track = (joint: number, property: 'translation' | 'rotation', values: Float32Array): Track => ({
    target: { kind: 'joint', index: joint },
    property,
    interpolation: property === 'rotation' ? 'slerp' : 'linear',
    mode: 'absolute',
    times: Float32Array.of(0),
    values,
    label: '',
    source,
  })
  const tracks: Track[] = []
  for (let joint = 0; joint < count; joint++) {
    const from = at.get(plain(names[joint]))
    if (from === undefined) continue
    tracks.push(track(joint, 'translation', pose.parts.slice(WIDTH * from, WIDTH * from + 3)))
    tracks.push(track(joint, 'rotation', pose.parts.slice(WIDTH * from + 3, WIDTH * from + 7)))
  }
  const still: Clip = {
    name: '',
    tracks,
    start: 0,
    end: 0,
    rate: 1,
    unit: 'frame',
    loop: 'none',
    fit: { matched: 0, total: 0 },
    events: [],
    source,
  }
  const out = wholePose(scene, still, 0)
  const wanted = new Map(Array.from({ length: count }, (_, joint) => [joint, [0]] as const))
  for (const { joint, translation, rotation } of mirrorPoses(scene, still, wanted, sides)) {
    if (translation) out.parts.set(translation, WIDTH * joint)
    if (rotation) out.parts.set(rotation, WIDTH * joint + 3)
  }
  return out
}

/** The pose of some joints, as it is kept. */
export function jointsOf(pose: WholePose, joints: readonly number[]): { translation: Float32Array; rotation: Float32Array } {
  const [translation, rotation] = [new Float32Array(3 * joints.length), new Float32Array(4 * joints.length)]
  joints.forEach((joint, i) => {
    translation.set(pose.parts.subarray(WIDTH * joint, WIDTH * joint + 3), 3 * i)
    rotation.set(pose.parts.subarray(WIDTH * joint + 3, WIDTH * joint + 7), 4 * i)
  })
  return { translation, rotation }
}

/** A pose that is kept, of its joints alone. */
export function poseOf(names: readonly string[], { translation, rotation }: ReturnType<typeof jointsOf>): WholePose {
  const parts = new Float32Array(WIDTH * names.length).fill(1)
  names.forEach((_, i) => {
    parts.set(translation.subarray(3 * i, 3 * i + 3), WIDTH * i)
    parts.set(rotation.subarray(4 * i, 4 * i + 4), WIDTH * i + 3)
  })
  return { names, parts }
}

/** A kept pose with left and right changed, for the other sides of its joints; elsewhere the figure stands as it does now. */
export function mirroredJoints(scene: Scene, now: WholePose, kept: WholePose, sides: Int32Array): WholePose {
  const from = placesByName(kept.names)
  const whole: WholePose = { names: now.names, parts: now.parts.slice() }
  now.names.forEach((name, i) => {
    const at = from.get(plain(name))
    if (at !== undefined) whole.parts.set(kept.parts.subarray(WIDTH * at, WIDTH * at + 7), WIDTH * i)
  })
  const mirrored = mirroredPose(scene, whole, sides)
  const joints = [...now.names.keys()].filter((joint) => from.has(plain(now.names[sides[joint]])))
  return poseOf(
    joints.map((joint) => now.names[joint]),
    jointsOf(mirrored, joints),
  )
}

/** So much of the way from the present pose to another one, of the joints that both have. */
export function poseTowards(now: WholePose, to: WholePose, share: number): WholePose {
  const from = placesByName(now.names)
  const out: WholePose = { names: to.names, parts: to.parts.slice() }
  to.names.forEach((name, i) => {
    const at = from.get(plain(name))
    if (at !== undefined) blend(out.parts, WIDTH * i, now.parts, WIDTH * at, to.parts, WIDTH * i, share)
  })
  return out
}

/** Translation and rotation between two poses of a joint. */
function blend(out: Float32Array, o: number, a: Float32Array, ao: number, b: Float32Array, bo: number, share: number): void {
  for (let c = 0; c < 3; c++) out[o + c] = a[ao + c] + share * (b[bo + c] - a[ao + c])
  slerp(out, o + 3, a, ao + 3, b, bo + 3, share)
}

/** Times of the keys before and after a moment, of each joint; a joint that has none on one side is left out. */
export function neighbours(clip: Clip, time: number, joints: Iterable<number>): Map<number, [before: number, after: number]> {
  const wanted = new Set(joints)
  const slack = 1e-4
  const found = new Map<number, [number, number]>()
  for (const { target, property, times } of clip.tracks) {
    if (target.kind !== 'joint' || !wanted.has(target.index) || (property !== 'rotation' && property !== 'translation')) continue
    const own = found.get(target.index) ?? [-Infinity, Infinity]
    for (const t of times) {
      if (t < time - slack) own[0] = Math.max(own[0], t)
      else if (t > time + slack) own[1] = Math.min(own[1], t)
    }
    found.set(target.index, own)
  }
  for (const [joint, [before, after]] of found) if (!Number.isFinite(before) || !Number.isFinite(after)) found.delete(joint)
  return found
}

/**
 * A pose among the neighbouring keys of each joint.
 * @param share of the way from the key before to the one after; below 0 and above 1 it goes beyond them
 * @param push null: that pose alone; otherwise the present pose, so much further away from it (or towards it, below 0)
 */
export function poseBetween(
  scene: Scene,
  clip: Clip,
  time: number,
  among: ReadonlyMap<number, readonly [number, number]>,
  share: number | null,
  push: number | null,
): WholePose {
  const out = wholePose(scene, clip, time)
  const [a, b, between] = [new Float32Array(WIDTH), new Float32Array(WIDTH), new Float32Array(WIDTH)]
  for (const [joint, [before, after]] of among) {
    localPose(scene, clip, joint, before, a)
    localPose(scene, clip, joint, after, b)
    blend(between, 0, a, 0, b, 0, share ?? (time - before) / (after - before))
    if (push === null) out.parts.set(between.subarray(0, 7), WIDTH * joint)
    else blend(out.parts, WIDTH * joint, between, 0, out.parts.slice(WIDTH * joint, WIDTH * joint + WIDTH), 0, 1 + push)
  }
  return out
}

const plain = (name: string): string => name.trim().toLowerCase()

function placesByName(names: readonly string[]): Map<string, number> {
  const out = new Map<string, number>()
  names.forEach((name, i) => out.has(plain(name)) || out.set(plain(name), i))
  return out
}

function reachOf({ skeleton: { restTranslation } }: Scene): number {
  let far = 0
  for (const value of restTranslation) far = Math.max(far, Math.abs(value))
  return far || 1
}
