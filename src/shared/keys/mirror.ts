/**
 * Left and right change places. Formats turn the axes of their bones in ways of their own, so this is done on the figure as it stands in the scene, where X is
 * its side: each bone takes the mirrored turn of its other side, measured from how both rest.
 */
import { compose, decompose, invertAffine, multiply, multiplyQuat } from '../scene/matrix.ts'
import { createPose, poseRest, sampleClip } from '../scene/pose.ts'
import { mirrorNames } from '../scene/sides.ts'
import { tracksOfJoint } from './local-pose.ts'
import type { PoseKeys } from '../api/types/clips.ts'
import type { Clip, Scene } from '../scene/types.ts'

/** Further pairs of parts of names, left and right, tried first. */
export type NamePair = readonly [left: string, right: string]

/** The other side of each name, by the given pairs and then as names usually tell; its own index where there is none. */
export function sidesOf(names: readonly string[], pairs: readonly NamePair[] = []): Int32Array {
  const out = mirrorNames(names)
  const at = new Map<string, number>()
  names.forEach((name, i) => at.has(name.trim().toLowerCase()) || at.set(name.trim().toLowerCase(), i))
  for (const [left, right] of pairs) {
    if (!left || !right) continue
    const l = left.toLowerCase(),
      r = right.toLowerCase()
    names.forEach((name, i) => {
      const own = name.trim().toLowerCase()
      const swapped = own.includes(l) ? own.replace(l, r) : own.includes(r) ? own.replace(r, l) : ''
      const j = swapped ? at.get(swapped) : undefined
      if (j === undefined || j === i) return
      // whoever was their pair before stands alone now
      for (const k of [out[i], out[j]]) if (k !== i && k !== j) out[k] = k
      out[i] = j
      out[j] = i
    })
  }
  return out
}

/** Bones rest at mirrored places when they are so near, as a share of the figure. */
const NEAR = 0.02

/**
 * Pairs bones whose names tell no side by where they rest: the numbered bones of a cape, what the one and the other hand hold. Both are off the middle, hang on
 * one bone or on its other side, and are each other's nearest.
 * @param sides pairs by names; those stay
 */
export function sidesByPlace(scene: Scene, sides: Int32Array): Int32Array {
  const { count, parents } = scene.skeleton
  const { world } = createPose(scene)
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity]
  for (let j = 0; j < count; j++) {
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k], world[16 * j + 12 + k])
      high[k] = Math.max(high[k], world[16 * j + 12 + k])
    }
  }
  const near = NEAR * Math.max(...high.map((v, k) => v - low[k]))
  const out = Int32Array.from(sides)
  const alone = (j: number): boolean => out[j] === j && Math.abs(world[16 * j + 12]) > near
  const from = (j: number): number => (parents[j] < 0 ? -1 : out[parents[j]])
  const nearest = (j: number): number => {
    let best = -1
    let least = near
    for (let k = 0; k < count; k++) {
      if (k === j || !alone(k) || from(j) !== parents[k] || from(k) !== parents[j]) continue
      const d = Math.hypot(
        world[16 * j + 12] + world[16 * k + 12],
        world[16 * j + 13] - world[16 * k + 13],
        world[16 * j + 14] - world[16 * k + 14],
      )
      if (d >= least) continue
      least = d
      best = k
    }
    return best
  }
  for (let j = 0; j < count; j++) {
    if (!alone(j)) continue
    const k = nearest(j)
    if (k < 0 || nearest(k) !== j) continue
    out[j] = k
    out[k] = j
  }
  return out
}

/**
 * Times at which each joint's mirror is written, with those at which its other side has keys between the first and the last of them: a key that stayed there
 * would be of the movement before.
 * @param keyed times of the keys of a joint
 */
export function mirrorTimes(
  wanted: ReadonlyMap<number, ReadonlySet<number>>,
  keyed: (joint: number) => Iterable<number>,
  sides: Int32Array,
): Map<number, Float64Array> {
  const out = new Map<number, Float64Array>()
  for (const [joint, own] of wanted) {
    const times = new Set(own)
    let first = Infinity,
      last = -Infinity
    for (const t of own) {
      first = Math.min(first, t)
      last = Math.max(last, t)
    }
    for (const t of wanted.get(sides[joint]) ?? []) times.add(t)
    if (sides[joint] !== joint) for (const t of keyed(sides[joint])) if (t >= first && t <= last) times.add(t)
    out.set(joint, Float64Array.from(times).sort())
  }
  return out
}

/**
 * Poses that mirror a clip.
 * @param wanted joints whose keys are mirrored, with the times of those keys; the mirror of each is written on its other side
 * @param progress told a share from 0 to 1
 * @returns keys for the other sides, at the same times: rotations, and translations where one of the two is moved
 */
export function mirrorPoses(
  scene: Scene,
  clip: Clip,
  wanted: ReadonlyMap<number, ArrayLike<number>>,
  sides: Int32Array,
  progress: (share: number) => void = () => {},
): PoseKeys[] {
  const { skeleton } = scene
  const n = skeleton.count
  const pose = createPose(scene)
  poseRest(scene, pose)
  const restRotation = new Float32Array(4 * n),
    restPlace = new Float32Array(3 * n),
    scale = new Float32Array(3 * n)
  for (let j = 0; j < n; j++) decompose(pose.world, 16 * j, restPlace, 3 * j, restRotation, 4 * j, scale, 3 * j)
  // what leads from the mirrored rest of the other side to a bone's own rest
  const correction = new Float32Array(4 * n),
    shift = new Float32Array(3 * n)
  const mirrored = new Float32Array(4)
  for (let j = 0; j < n; j++) {
    const c = sides[j]
    mirrorQuat(mirrored, restRotation, 4 * c)
    multiplyQuat(correction, 4 * j, [-mirrored[0], -mirrored[1], -mirrored[2], mirrored[3]], 0, restRotation, 4 * j)
    for (let k = 0; k < 3; k++) shift[3 * j + k] = restPlace[3 * j + k] - (k === 0 ? -1 : 1) * restPlace[3 * c + k]
  }
  const targets = new Map<number, Set<number>>()
  for (const [joint, times] of wanted) {
    const to = sides[joint]
    if (to === joint && isOnSide(skeleton.parents, sides, joint)) continue
    const own = targets.get(to) ?? new Set<number>()
    for (let i = 0; i < times.length; i++) own.add(times[i])
    targets.set(to, own)
  }
  const byTime = new Map<number, number[]>()
  for (const [joint, times] of targets) {
    for (const t of times) {
      const joints = byTime.get(t)
      if (joints) joints.push(joint)
      else byTime.set(t, [joint])
    }
  }
  const found = new Map<number, { times: number[]; rotation: number[]; translation: number[] }>()
  const world = new Float32Array(16 * n),
    done = new Uint8Array(n)
  const rotation = new Float32Array(4),
    place = new Float32Array(3),
    size = new Float32Array(3),
    inverse = new Float32Array(16),
    local = new Float32Array(16)
  const build = (j: number): void => {
    if (done[j]) return
    done[j] = 1
    const c = sides[j]
    decompose(pose.world, 16 * c, place, 0, rotation, 0, size, 0)
    mirrorQuat(mirrored, rotation, 0)
    multiplyQuat(mirrored, 0, mirrored, 0, correction, 4 * j)
    place[0] = -place[0]
    for (let k = 0; k < 3; k++) place[k] += shift[3 * j + k]
    compose(world, 16 * j, place, 0, mirrored, 0, size, 0)
  }
  let at = 0
  for (const time of [...byTime.keys()].sort((a, b) => a - b)) {
    progress(at++ / byTime.size)
    sampleClip(scene, clip, time, pose)
    done.fill(0)
    for (const j of byTime.get(time)!) {
      const parent = skeleton.parents[j]
      build(j)
      if (parent >= 0) {
        build(parent)
        invertAffine(inverse, 0, world, 16 * parent)
        multiply(local, 0, inverse, 0, world, 16 * j)
      } else local.set(world.subarray(16 * j, 16 * j + 16))
      decompose(local, 0, place, 0, rotation, 0, size, 0)
      let own = found.get(j)
      if (!own) found.set(j, (own = { times: [], rotation: [], translation: [] }))
      own.times.push(time)
      own.rotation.push(...rotation)
      own.translation.push(...place)
    }
  }
  const moves = (joint: number, property: string): boolean =>
    tracksOfJoint(clip, joint).some((t) => t.property === property) ||
    tracksOfJoint(clip, sides[joint]).some((t) => t.property === property)
  return [...found].map(([joint, own]) => ({
    joint,
    times: Float64Array.from(own.times),
    ...(moves(joint, 'rotation') ? { rotation: Float32Array.from(own.rotation) } : {}),
    ...(moves(joint, 'translation') ? { translation: Float32Array.from(own.translation) } : {}),
  }))
}

/** A bone without another side that hangs on one that has it, such as a sword in a hand: it stays in that hand as it is. */
function isOnSide(parents: Int32Array, sides: Int32Array, joint: number): boolean {
  for (let p = parents[joint]; p >= 0; p = parents[p]) if (sides[p] !== p) return true
  return false
}

/** A turn seen in a mirror across X = 0. */
function mirrorQuat(out: Float32Array, values: Float32Array, at: number): void {
  const x = values[at],
    y = values[at + 1],
    z = values[at + 2],
    w = values[at + 3]
  out[0] = x
  out[1] = -y
  out[2] = -z
  out[3] = w
}
