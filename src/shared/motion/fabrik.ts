/**
 * Inverse kinematics of longer chains (tails, tentacles, spines): FABRIK, after Aristidou and Lasenby 2011. Places alone;
 * rotations follow by the shortest turn. It starts from the places that are given, never from what was solved before: the
 * same frame gives the same result however it is come to.
 */
import { slerp } from '../scene/matrix.ts'
import { arcBetween, directionOf, lengthOf, minus, plus, rotate, scaled, vectorAt } from './turns.ts'
import type { Vector } from './turns.ts'

export interface ChainSolved {
  /** 3 per joint, from the root of the chain to its end */
  places: Float64Array
  /** way from the end to the target */
  unreached: number
  rounds: number
}

const ROUNDS = 20
/** As near as this is there, in lengths of the chain: so small that a round more or less is not to be seen. */
const NEAR = 1e-9
/** Shares of the chain's length between which it comes to be turned to the target, and stretched, before the first round. */
const NEAR_FULL = [0.6, 0.85]
/** Share of an even bow's height that a chain has at least before the first round. */
const LEAST_BEND = 0.8

/** @param places 3 per joint, from the root of the chain, which stays, to its end */
export function solveChain(places: ArrayLike<number>, target: Vector, rounds = ROUNDS): ChainSolved {
  const count = Math.floor(places.length / 3)
  const out = Float64Array.from(places)
  if (count < 2) return { places: out, unreached: count ? lengthOf(minus(target, vectorAt(out, 0))) : 0, rounds: 0 }
  const lengths = Float64Array.from({ length: count - 1 }, (_, i) => lengthOf(minus(vectorAt(out, 3 * i + 3), vectorAt(out, 3 * i))))
  const whole = lengths.reduce((sum, length) => sum + length, 0)
  const root = vectorAt(out, 0)
  const last = 3 * (count - 1)
  const way = minus(target, root)
  const distance = lengthOf(way)
  const put = (i: number, v: Vector): void => out.set(v, 3 * i)
  if (distance >= whole) {
    // laid out straight
    const direction = directionOf(way)!
    let at = 0
    for (let i = 1; i < count; i++) put(i, plus(root, direction, (at += lengths[i - 1])))
    return { places: out, unreached: lengthOf(minus(target, vectorAt(out, last))), rounds: 0 }
  }
  pointAt(out, lengths, target, whole)
  bendStraight(out, lengths, target, whole)
  let round = 0
  while (round < rounds && lengthOf(minus(target, vectorAt(out, last))) > NEAR * whole) {
    round++
    put(count - 1, target)
    for (let i = count - 2; i > 0; i--) put(i, towards(out, i + 1, i, lengths[i]))
    for (let i = 1; i < count; i++) put(i, towards(out, i - 1, i, lengths[i - 1]))
  }
  return { places: out, unreached: lengthOf(minus(target, vectorAt(out, last))), rounds: round }
}

/**
 * Turns the chain as a whole to a target that is nearly out of reach, and stretches it as far out: the rounds would only creep there.
 * It sets in little by little, so that nothing jumps while a target goes outwards.
 */
function pointAt(places: Float64Array, lengths: Float64Array, target: Vector, whole: number): void {
  const count = places.length / 3
  const root = vectorAt(places, 0)
  const own = minus(vectorAt(places, 3 * (count - 1)), root)
  const way = minus(target, root)
  const [is, wished] = [lengthOf(own), lengthOf(way)]
  const [from, full] = NEAR_FULL
  const share = Math.min(1, (wished / whole - from) / (full - from))
  const x = directionOf(way)
  if (!(share > 0) || !x) return
  const turn = [0, 0, 0, 1]
  arcBetween(turn, 0, own, 0, way, 0)
  const weight = share * share * (3 - 2 * share)
  slerp(turn, 0, [0, 0, 0, 1], 0, turn, 0, weight)
  const more = wished > is ? (weight * (wished - is)) / (whole - is) : 0
  let along = 0
  for (let i = 1; i < count; i++) {
    const v = minus(vectorAt(places, 3 * i), root)
    rotate(v, 0, turn, 0, v, 0)
    along += lengths[i - 1]
    const straight = scaled(x, along)
    places.set(plus(root, plus(v, minus(straight, v), more)), 3 * i)
  }
  for (let i = 1; i < count; i++) places.set(towards(places, i - 1, i, lengths[i - 1]), 3 * i)
}

/** The place at `length` from joint `from` in the direction of joint `to`. */
function towards(places: Float64Array, from: number, to: number, length: number): Vector {
  const start = vectorAt(places, 3 * from)
  return plus(start, directionOf(minus(vectorAt(places, 3 * to), start)) ?? [0, 1, 0], length)
}

/**
 * A chain that is nearly straight would only creep to a target that is nearer than its end: it is bowed first, by a part of what an
 * even bow to there has.
 */
function bendStraight(places: Float64Array, lengths: Float64Array, target: Vector, whole: number): void {
  const root = vectorAt(places, 0)
  const way = minus(target, root)
  const x = directionOf(way)
  if (!x) return
  const count = places.length / 3
  let off = 0
  let side: Vector = [0, 0, 0]
  for (let i = 1; i < count; i++) {
    const v = minus(vectorAt(places, 3 * i), root)
    const across = plus(v, x, -(v[0] * x[0] + v[1] * x[1] + v[2] * x[2]))
    if (lengthOf(across) <= off) continue
    off = lengthOf(across)
    side = across
  }
  const bow = whole * Math.sqrt(0.375 * Math.max(0, 1 - lengthOf(way) / whole))
  // a chain that is where it shall be stays as it is
  const moves = Math.min(1, lengthOf(minus(target, vectorAt(places, 3 * (count - 1)))) / (0.02 * whole))
  const need = moves * (LEAST_BEND * bow - off)
  if (!(need > 0)) return
  const any: Vector = Math.abs(x[1]) < 0.9 ? [x[2], 0, -x[0]] : [0, -x[2], x[1]]
  const across = directionOf(plus(side, any, 1e-3 * whole))!
  for (let i = 1; i + 1 < count; i++) places.set(plus(vectorAt(places, 3 * i), across, need * Math.sin((Math.PI * i) / (count - 1))), 3 * i)
  // lengths as they were
  for (let i = 1; i < count; i++) places.set(towards(places, i - 1, i, lengths[i - 1]), 3 * i)
}
