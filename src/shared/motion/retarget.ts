/**
 * Motion of one figure for another: how each joint is turned against its reference pose, in scene space, is put upon the
 * other's reference pose. Axes and roll of bones cancel out so; what rests at another angle is brought into one silhouette
 * first (arms and legs; feet stand as they rest). Hips take their way scaled by their height, all other joints keep the
 * figure's own lengths.
 */
import { multiplyQuat, slerp } from '../scene/matrix.ts'
import { placesOf, stand } from './figure.ts'
import { mapFigures } from './figure-map.ts'
import { frameOf, sameSide } from './motion.ts'
import { rideAlong, ridersOf } from './riders.ts'
import { arcBetween, inverseTurn, minus, rotate, turnFrom, unitTurn, vectorAt } from './turns.ts'
import type { Figure, FigureParts, FigurePlaces } from './figure.ts'
import type { FigureMap } from './figure-map.ts'
import type { Travel } from '../api/retarget-options.ts'
import type { Limb } from './body.ts'
import type { Motion } from './motion.ts'
import type { Rider } from './riders.ts'
import type { Vector } from './turns.ts'

export interface RetargetOptions {
  map?: FigureMap
  /** arms and legs of the reference poses are brought into one silhouette */
  align?: boolean
  /** hips move up and down, and over the ground as `travel` says */
  hips?: boolean
  /** what hangs on nothing that is moved goes along with the hand or the part of the trunk that it stands at */
  ride?: boolean
  travel?: Travel
}

/** What does not change from frame to frame. */
export interface Retarget {
  source: Figure
  target: Figure
  map: FigureMap
  /** height of the target's hips by the source's */
  ratio: number
  /** turn that brings the source's facing upon the target's, about the vertical */
  facing: Float64Array
  /** the target's reference pose after alignment, 4 per joint in scene space */
  reference: Float64Array
  /** joints of the target whose place is the source's */
  carriers: number[]
  /** joints of the target that move along with their parent as in the source: both rest in the same place of it */
  followers: number[]
  riders: Rider[]
  options: Required<Omit<RetargetOptions, 'map'>>
}

/** Facing that is off a quarter turn by less is that quarter turn. */
const QUARTER = (20 * Math.PI) / 180
/** Joints that rest as near, in heights of the figure, rest in one place. */
const SAME_PLACE = 1e-3

export function prepareRetarget(source: Figure, target: Figure, wishes: RetargetOptions = {}): Retarget {
  const { align = true, hips = true, ride = true, travel = 'keep' } = wishes
  const map = wishes.map ?? mapFigures(source, target)
  const facing = facingOf(map)
  const out: Retarget = {
    source,
    target,
    map,
    ratio: ratioOf(map, source, target),
    facing,
    reference: referenceOf(source, target, map, facing, align),
    carriers: [],
    followers: [],
    riders: ride ? ridersOf(target, map) : [],
    options: { align, hips, ride, travel },
  }
  // hips and what carries them, and what hangs on nothing; without a body the topmost joints that are mapped
  const top = map.target?.hips
  const carries = new Set(Array.from({ length: target.count }, (_, i) => i).filter((i) => target.parents[i] < 0))
  if (top !== undefined) for (let joint = top; joint >= 0; joint = target.parents[joint]) carries.add(joint)
  else
    for (let joint = 0; joint < target.count; joint++) {
      let above = target.parents[joint]
      while (above >= 0 && map.from[above] < 0) above = target.parents[above]
      if (above < 0 && map.from[joint] >= 0) carries.add(joint)
    }
  for (let joint = 0; joint < target.count; joint++) {
    if (map.from[joint] < 0 || map.share[joint] > 0) continue
    if (carries.has(joint)) out.carriers.push(joint)
    else if (follows(out, joint)) out.followers.push(joint)
  }
  return out
}

/** Both figures have this joint in the same place of the same parent: a motion of it there means the same here. */
function follows({ source, target, map, ratio, facing }: Retarget, joint: number): boolean {
  const from = map.from[joint]
  const [parent, above] = [target.parents[joint], source.parents[from]]
  if (parent < 0 || above < 0 || map.from[parent] !== above) return false
  if (target.names[joint].trim().toLowerCase() !== source.names[from].trim().toLowerCase()) return false
  const own = minus(vectorAt(target.bind.place, 3 * joint), vectorAt(target.bind.place, 3 * parent))
  const there = minus(vectorAt(source.bind.place, 3 * from), vectorAt(source.bind.place, 3 * above))
  rotate(there, 0, facing, 0, there, 0)
  return Math.hypot(...own.map((value, c) => value - ratio * there[c])) <= SAME_PLACE * target.height
}

function ratioOf({ source: a, target: b }: FigureMap, source: Figure, target: Figure): number {
  if (!a || !b) return target.height / source.height
  const [own, there] = [hipHeight(target, b.hips), hipHeight(source, a.hips)]
  return own > 0 && there > 0 ? own / there : target.height / source.height
}

/** Of the reference pose, above the lowest bone. */
function hipHeight({ bind, bone, count }: Figure, hips: number): number {
  let low = Infinity
  for (let i = 0; i < count; i++) if (bone[i]) low = Math.min(low, bind.place[3 * i + 1])
  return bind.place[3 * hips + 1] - low
}

function facingOf({ source, target }: FigureMap): Float64Array {
  if (!source || !target) return Float64Array.of(0, 0, 0, 1)
  const [a, b] = [source.left, target.left]
  // about +Y, from z towards x
  let angle = Math.atan2(b[0], b[2]) - Math.atan2(a[0], a[2])
  const quarter = (Math.round(angle / (Math.PI / 2)) * Math.PI) / 2
  if (Math.abs(angle - quarter) < QUARTER) angle = quarter
  return Float64Array.of(0, Math.sin(angle / 2), 0, Math.cos(angle / 2))
}

/** The target's bind pose with its arms and legs in the directions of the source's; 4 per joint. */
function referenceOf(source: Figure, target: Figure, map: FigureMap, facing: Float64Array, align: boolean): Float64Array {
  const turns = new Float64Array(4 * target.count)
  for (let i = 0; i < target.count; i++) turns[4 * i + 3] = 1
  const next = new Map<number, { own: number; joint: number; other: number }>()
  const stands = new Set<number>()
  if (align && map.source && map.target) {
    for (const kind of ['arms', 'legs'] as const)
      for (const side of ['left', 'right'] as const) {
        const [from, to] = [map.source[kind]?.[side], map.target[kind]?.[side]]
        if (!from || !to) continue
        const pair = (a: keyof Limb & ('upper' | 'lower'), b: 'lower' | 'end'): void => {
          if ([from[a], from[b], to[a], to[b]].every((joint) => joint >= 0) && map.from[to[a]] === from[a])
            next.set(to[a], { own: to[b], joint: from[a], other: from[b] })
        }
        pair('upper', 'lower')
        pair('lower', 'end')
        if (kind === 'legs' && to.end >= 0) stands.add(to.end)
      }
  }
  const out = Float64Array.from(target.bind.turn)
  for (let i = 0; i < target.count; i++) {
    const o = 4 * i
    const parent = target.parents[i]
    // a foot stands as it rests, however its leg is turned
    if (parent >= 0 && !stands.has(i)) turns.copyWithin(o, 4 * parent, 4 * parent + 4)
    const aim = next.get(i)
    if (aim) {
      const own = minus(vectorAt(target.bind.place, 3 * aim.own), vectorAt(target.bind.place, 3 * i))
      const there = minus(vectorAt(source.bind.place, 3 * aim.other), vectorAt(source.bind.place, 3 * aim.joint))
      rotate(there, 0, facing, 0, there, 0)
      rotate(own, 0, turns, o, own, 0)
      const arc = [0, 0, 0, 1]
      arcBetween(arc, 0, own, 0, there, 0)
      multiplyQuat(turns, o, arc, 0, turns, o)
    }
    multiplyQuat(out, o, turns, o, target.bind.turn, o)
  }
  return out
}

/** @param frames parts of each frame of the source, joints of a frame together */
export function retarget(plan: Retarget, frames: Motion): Motion {
  const { source, target, map, facing, reference, ratio, carriers, followers, options } = plan
  const out: Motion = {
    frames: frames.frames,
    translation: new Float64Array(3 * target.count * frames.frames),
    rotation: new Float64Array(4 * target.count * frames.frames),
  }
  const there = placesOf(source.count)
  const here = placesOf(target.count)
  const away = new Float64Array(4 * source.count)
  const back = Float64Array.of(-facing[0], -facing[1], -facing[2], facing[3])
  const refLocal = localTurns(target, reference)
  const carrier = new Uint8Array(target.count)
  for (const joint of carriers) carrier[joint] = options.hips ? 1 : 0
  const follower = new Uint8Array(target.count)
  for (const joint of followers) follower[joint] = 1
  const way = options.travel === 'keep' ? undefined : travelOf(plan, frames, there)
  const unturn = [0, 0, 0, 1]
  const place: Vector = [0, 0, 0]
  for (let f = 0; f < frames.frames; f++) {
    stand(source, frameOf(frames, f, source.count), there)
    for (let j = 0; j < source.count; j++) {
      const o = 4 * j
      inverseTurn(unturn, 0, source.bind.turn, o)
      multiplyQuat(away, o, there.turn, o, unturn, 0)
      multiplyQuat(away, o, facing, 0, away, o)
      multiplyQuat(away, o, away, o, back, 0)
    }
    const parts = frameOf(out, f, target.count)
    for (let i = 0; i < target.count; i++) {
      const o = 4 * i
      const p = target.parents[i]
      const from = map.from[i]
      here.size[i] = (p < 0 ? 1 : here.size[p]) * target.rest.scale[i]
      if (from < 0) {
        parts.rotation.set(refLocal.subarray(o, o + 4), o)
        if (p < 0) here.turn.set(parts.rotation.subarray(o, o + 4), o)
        else multiplyQuat(here.turn, o, here.turn, 4 * p, parts.rotation, o)
      } else {
        slerp(here.turn, o, away, 4 * from, away, 4 * map.beside[i], map.share[i])
        multiplyQuat(here.turn, o, here.turn, o, reference, o)
        unitTurn(here.turn, o)
        if (p < 0) parts.rotation.set(here.turn.subarray(o, o + 4), o)
        else turnFrom(parts.rotation, o, here.turn, 4 * p, here.turn, o)
      }
      // places
      if (carrier[i]) {
        for (let c = 0; c < 3; c++) place[c] = there.place[3 * from + c] - source.bind.place[3 * from + c] - (way?.[3 * f + c] ?? 0)
        rotate(place, 0, facing, 0, place, 0)
        for (let c = 0; c < 3; c++) here.place[3 * i + c] = target.bind.place[3 * i + c] + ratio * place[c]
        intoParent(target, here, i, parts.translation)
        continue
      }
      if (follower[i]) followed(plan, frames, f, i, here, parts)
      else for (let c = 0; c < 3; c++) parts.translation[3 * i + c] = target.rest.translation[3 * i + c]
      outOfParent(target, here, i, parts.translation)
    }
    if (f > 0) sameSide(out.rotation, 4 * target.count, f)
  }
  rideAlong(plan, out)
  return out
}

/** How a joint is moved within its parent is turned into the axes of the target's parent. */
function followed(
  { source, target, map, ratio, facing, reference }: Retarget,
  frames: Motion,
  f: number,
  i: number,
  here: FigurePlaces,
  parts: FigureParts,
): void {
  const from = map.from[i]
  const above = source.parents[from]
  const p = target.parents[i]
  const at = 3 * (f * source.count + from)
  const v: Vector = [0, 0, 0]
  for (let c = 0; c < 3; c++) v[c] = frames.translation[at + c] - source.rest.translation[3 * from + c]
  // parent's axes of the source, scene at reference, parent's axes of the target
  rotate(v, 0, source.bind.turn, 4 * above, v, 0)
  rotate(v, 0, facing, 0, v, 0)
  const back = [0, 0, 0, 1]
  inverseTurn(back, 0, reference, 4 * p)
  rotate(v, 0, back, 0, v, 0)
  const size = (ratio * source.bind.size[above]) / here.size[p]
  for (let c = 0; c < 3; c++) parts.translation[3 * i + c] = target.rest.translation[3 * i + c] + size * v[c]
}

/** The way over the ground that is taken away, 3 per frame in the source's scene. */
function travelOf({ source, map, options }: Retarget, frames: Motion, there: FigurePlaces): Float64Array {
  const hips = map.source?.hips ?? 0
  const ways = new Float64Array(3 * frames.frames)
  const start: Vector = [0, 0, 0]
  for (let f = 0; f < frames.frames; f++) {
    stand(source, frameOf(frames, f, source.count), there)
    for (const c of [0, 2]) {
      ways[3 * f + c] = there.place[3 * hips + c] - source.bind.place[3 * hips + c]
      if (f === 0) start[c] = ways[c]
    }
  }
  if (options.travel === 'drop' || frames.frames < 2) return ways
  const last = 3 * (frames.frames - 1)
  const [dx, dz] = [ways[last] - start[0], ways[last + 2] - start[2]]
  for (let f = 0; f < frames.frames; f++) {
    const share = f / (frames.frames - 1)
    ways[3 * f] = dx * share
    ways[3 * f + 2] = dz * share
  }
  return ways
}

function localTurns({ count, parents }: Figure, turns: Float64Array): Float64Array {
  const out = Float64Array.from(turns)
  for (let i = count - 1; i >= 0; i--) if (parents[i] >= 0) turnFrom(out, 4 * i, turns, 4 * parents[i], turns, 4 * i)
  return out
}

/** Place in scene space to translation in the parent's. */
function intoParent({ parents }: Figure, here: FigurePlaces, i: number, translation: Float64Array): void {
  const p = parents[i]
  const v = p < 0 ? vectorAt(here.place, 3 * i) : minus(vectorAt(here.place, 3 * i), vectorAt(here.place, 3 * p))
  if (p >= 0) {
    const back = [0, 0, 0, 1]
    inverseTurn(back, 0, here.turn, 4 * p)
    rotate(v, 0, back, 0, v, 0)
    for (let c = 0; c < 3; c++) v[c] /= here.size[p]
  }
  translation.set(v, 3 * i)
}

function outOfParent({ parents }: Figure, here: FigurePlaces, i: number, translation: Float64Array): void {
  const p = parents[i]
  const v = vectorAt(translation, 3 * i)
  if (p >= 0) {
    rotate(v, 0, here.turn, 4 * p, v, 0)
    for (let c = 0; c < 3; c++) v[c] = here.place[3 * p + c] + here.size[p] * v[c]
  }
  here.place.set(v, 3 * i)
}
