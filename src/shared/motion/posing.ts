/**
 * Posing by inverse kinematics: a joint is dragged and its chain follows, pinned joints stay where they are, hips go only as far
 * as pinned legs reach. Each pose is made of the moment's own one, never of what was solved before: the same drag gives the same
 * pose however the pointer came there.
 */
import { multiplyQuat } from '../scene/matrix.ts'
import { moveInScene } from './figure.ts'
import { reachWithChain, reachWithLimb } from './limb-pose.ts'
import { chainJoints, standMoment } from './rig.ts'
import { arcBetween, lengthOf, minus, plus, radiansBetween, scaled, turnFrom, unitTurn, vectorAt } from './turns.ts'
import type { PosedMoment, PosingRig } from './rig.ts'
import type { Vector } from './turns.ts'

/** A joint that keeps its place and turn in the scene. */
export interface Pin {
  joint: number
  place: Vector
  /** x, y, z, w */
  turn: ArrayLike<number>
}

export interface PosingWish {
  /** the dragged joint, and where it shall come */
  drag?: { joint: number; target: Vector }
  pins?: readonly Pin[]
  /** bones that bend for a joint, where it is not what the rig proposes */
  bones?: ReadonlyMap<number, number>
  /** trunk and hips come after what a limb does not reach; hips only with pins, which hold them */
  follow?: boolean
}

/** A pinned limb is not stretched further; what is already longer stays so. */
const STRETCH = 0.995
const ROUNDS = 6
/** Nearly straight chains come near slowly. */
const CHAIN_ROUNDS = 100
/** Most that the trunk leans in a round, in its own lengths. */
const LEAN = 0.4
/** As near as this is there, in heights of the figure. */
const NEAR = 1e-5
/** Parts that differ less are as they were: radians, and a share of the height. */
const SAME_TURN = 1e-6
const SAME_PLACE = 1e-7

export function bonesFor(rig: PosingRig, joint: number, bones?: ReadonlyMap<number, number>): number {
  return bones?.get(joint) ?? rig.bones[joint]
}

export function pinAt({ places }: PosedMoment, joint: number): Pin {
  return { joint, place: vectorAt(places.place, 3 * joint), turn: Float64Array.from(places.turn.subarray(4 * joint, 4 * joint + 4)) }
}

/**
 * @param from the moment's own pose, its places up to date
 * @param out written, places too; not `from`
 * @returns the way that is left, in scene units: of the dragged joint, or of a pinned one that leaves its place
 */
export function solvePose(rig: PosingRig, from: PosedMoment, { drag, pins = [], bones, follow }: PosingWish, out: PosedMoment): number {
  copyMoment(from, out)
  const { figure } = rig
  const held = pins.filter(({ joint }) => joint !== drag?.joint).sort((a, b) => a.joint - b.joint)
  const near = NEAR * figure.height
  let left = 0
  if (drag) {
    const own = bonesFor(rig, drag.joint, bones)
    if (own < 1) carry(rig, out, drag.joint, drag.target, held, bones)
    else {
      left = reach(rig, out, drag.joint, own, drag.target)
      if (follow && left > near) left = followWith(rig, from, out, own, { drag, pins: held, bones })
    }
    standMoment(rig, out)
    left = lengthOf(minus(drag.target, vectorAt(out.places.place, 3 * drag.joint)))
  } else if (follow && rig.body && held.length > 0) {
    // hips come to where the pins can be reached
    carry(rig, out, rig.body.hips, vectorAt(out.places.place, 3 * rig.body.hips), held, bones)
    standMoment(rig, out)
  }
  for (const pin of held) left = Math.max(left, hold(rig, out, pin, bones))
  return left
}

/** Joints whose rotation or translation is another one. Both lists ascend. */
export function changedJoints({ figure }: PosingRig, from: PosedMoment, to: PosedMoment): { turned: number[]; moved: number[] } {
  const out = { turned: [] as number[], moved: [] as number[] }
  for (let i = 0; i < figure.count; i++) {
    if (radiansBetween(from.parts.rotation, 4 * i, to.parts.rotation, 4 * i) > SAME_TURN) out.turned.push(i)
    let way = 0
    for (let c = 0; c < 3; c++) way = Math.max(way, Math.abs(from.parts.translation[3 * i + c] - to.parts.translation[3 * i + c]))
    if (way > SAME_PLACE * figure.height) out.moved.push(i)
  }
  return out
}

export function copyMoment(from: PosedMoment, out: PosedMoment): void {
  out.parts.translation.set(from.parts.translation)
  out.parts.rotation.set(from.parts.rotation)
  out.scale.set(from.scale)
  out.places.place.set(from.places.place)
  out.places.turn.set(from.places.turn)
  out.places.size.set(from.places.size)
}

/** Turns the bones of a chain; places are not brought up. */
function reach(rig: PosingRig, { parts, places }: PosedMoment, joint: number, bones: number, target: Vector, soft?: number): number {
  const chain = chainJoints(rig, joint, bones)
  if (chain.length === 3) {
    const [upper, lower, end] = chain
    return reachWithLimb(rig.figure, parts, places, { upper, lower, end }, { target, soft })
  }
  return reachWithChain(rig.figure, parts, places, chain, target, CHAIN_ROUNDS)
}

/**
 * The trunk leans after what the limb does not reach, then the hips go; the limb starts each round from the moment's own bend.
 * @returns the way that is left
 */
function followWith(rig: PosingRig, from: PosedMoment, out: PosedMoment, own: number, wish: PosingWish & { pins: readonly Pin[] }): number {
  const { body, figure } = rig
  const { joint, target } = wish.drag!
  const chain = chainJoints(rig, joint, own)
  const trunk = body ? trunkOf(rig, chain[0]) : []
  let left = Infinity
  for (let round = 0; round < ROUNDS; round++) {
    standMoment(rig, out)
    const need = minus(target, vectorAt(out.places.place, 3 * joint))
    left = lengthOf(need)
    if (left <= NEAR * figure.height) break
    // the first rounds are the trunk's, unless there is none
    if (trunk.length > 1 && round < ROUNDS / 2) lean(rig, out, trunk, need)
    else if (body && wish.pins.length > 0)
      carry(rig, out, body.hips, plus(vectorAt(out.places.place, 3 * body.hips), need), wish.pins, wish.bones)
    else break
    for (const bone of chain.slice(0, -1)) out.parts.rotation.set(from.parts.rotation.subarray(4 * bone, 4 * bone + 4), 4 * bone)
    standMoment(rig, out)
    left = reach(rig, out, joint, own, target)
    keepTurn(rig, out, from, joint)
  }
  return left
}

/** What leads from the joint above the hips to where a limb begins. */
function trunkOf({ figure, body }: PosingRig, start: number): number[] {
  const out = [start]
  for (let p = figure.parents[start]; p >= 0 && p !== body!.hips; p = figure.parents[p]) out.unshift(p)
  return figure.parents[out[0]] === body!.hips ? out : []
}

/** Turns each joint of the trunk a little, so that its last comes so far. A way that is long next to the trunk counts less. */
function lean(rig: PosingRig, out: PosedMoment, trunk: readonly number[], need: Vector): void {
  const last = trunk.at(-1)!
  const turn = new Float64Array(4)
  for (const joint of trunk.slice(0, -1)) {
    const arm = minus(vectorAt(out.places.place, 3 * last), vectorAt(out.places.place, 3 * joint))
    const long = lengthOf(need)
    const share = Math.min(1, (LEAN * lengthOf(arm)) / (long || 1)) / (trunk.length - 1)
    arcBetween(turn, 0, arm, 0, plus(arm, need, share), 0)
    multiplyQuat(turn, 0, turn, 0, out.places.turn, 4 * joint)
    turnTo(rig, out, joint, turn)
    standMoment(rig, out)
  }
}

/** The joint is turned in the scene as it was. */
function keepTurn(rig: PosingRig, out: PosedMoment, from: PosedMoment, joint: number): void {
  standMoment(rig, out)
  turnTo(rig, out, joint, from.places.turn.subarray(4 * joint, 4 * joint + 4))
}

function turnTo({ figure }: PosingRig, out: PosedMoment, joint: number, turn: ArrayLike<number>): void {
  const p = figure.parents[joint]
  const wanted = Array.from(turn)
  if (p < 0) out.parts.rotation.set(wanted, 4 * joint)
  else turnFrom(out.parts.rotation, 4 * joint, out.places.turn, 4 * p, wanted, 0)
  unitTurn(out.parts.rotation, 4 * joint)
}

/** @param out its places are up to date before and afterwards @returns how far it is from its place */
function hold(rig: PosingRig, out: PosedMoment, pin: Pin, bones: PosingWish['bones']): number {
  const { joint } = pin
  const own = bonesFor(rig, joint, bones)
  if (own < 1) moveInScene(rig.figure, out.parts, out.places, joint, minus(pin.place, vectorAt(out.places.place, 3 * joint)))
  else reach(rig, out, joint, own, pin.place, 1 - STRETCH - 0.003)
  standMoment(rig, out)
  turnTo(rig, out, joint, pin.turn)
  standMoment(rig, out)
  return lengthOf(minus(pin.place, vectorAt(out.places.place, 3 * joint)))
}

/** Moves a joint with all that hangs on it, as far as the pins below it let it. Places are not brought up. */
function carry(rig: PosingRig, out: PosedMoment, joint: number, target: Vector, pins: readonly Pin[], bones: PosingWish['bones']): void {
  const { parents } = rig.figure
  const { place } = out.places
  let way = minus(target, vectorAt(place, 3 * joint))
  const below = (at: number): boolean => {
    while (at > joint) at = parents[at]
    return at === joint
  }
  const balls = pins.flatMap((pin) => {
    const own = bonesFor(rig, pin.joint, bones)
    const chain = chainJoints(rig, pin.joint, own)
    if (own < 1 || !below(chain[0]) || pin.joint === joint) return []
    let whole = 0
    for (let i = 1; i < chain.length; i++) whole += lengthOf(minus(vectorAt(place, 3 * chain[i]), vectorAt(place, 3 * chain[i - 1])))
    const start = vectorAt(place, 3 * chain[0])
    const now = lengthOf(minus(vectorAt(place, 3 * pin.joint), start))
    return [{ middle: minus(pin.place, start), radius: Math.max(STRETCH * whole, Math.min(now, whole)) }]
  })
  // onto what all of them have in common: the same way from everywhere, and never a jump
  for (let round = 0; round < 32 && balls.length > 0; round++) {
    let worst = 0
    for (const { middle, radius } of balls) {
      const off = minus(way, middle)
      const far = lengthOf(off)
      if (far <= radius) continue
      worst = Math.max(worst, far - radius)
      way = plus(middle, scaled(off, radius / far))
    }
    if (worst <= 1e-9 * rig.figure.height) break
  }
  moveInScene(rig.figure, out.parts, out.places, joint, way)
}
