/**
 * Inverse kinematics of longer chains (tails, tentacles, spines): FABRIK, after Aristidou and Lasenby 2011. Places alone;
 * rotations follow by the shortest turn. It starts from the places that are given, never from what was solved before: the
 * same frame gives the same result however it is come to.
 */
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
/** As near as this is there, in lengths of the chain. */
const NEAR = 1e-4
/** Share of the chain's length from which it is stretched out before the first round. */
const NEAR_FULL = 0.85

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

/** Turns the chain as a whole to a target that is nearly out of reach, and stretches it as far out: the rounds would only creep there. */
function pointAt(places: Float64Array, lengths: Float64Array, target: Vector, whole: number): void {
  const count = places.length / 3
  const root = vectorAt(places, 0)
  const own = minus(vectorAt(places, 3 * (count - 1)), root)
  const way = minus(target, root)
  const [is, wished] = [lengthOf(own), lengthOf(way)]
  if (wished <= NEAR_FULL * whole) return
  const x = directionOf(way)
  if (!x) return
  const turn = [0, 0, 0, 1]
  arcBetween(turn, 0, own, 0, way, 0)
  const more = wished > is ? (wished - is) / (whole - is) : 0
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

/** A straight chain with its target on its own line would only ever move along it: its middle is put a little to the side. */
function bendStraight(places: Float64Array, lengths: Float64Array, target: Vector, whole: number): void {
  const root = vectorAt(places, 0)
  const x = directionOf(minus(target, root))
  if (!x) return
  let off = 0
  const count = places.length / 3
  for (let i = 1; i < count; i++) {
    const v = minus(vectorAt(places, 3 * i), root)
    const along = v[0] * x[0] + v[1] * x[1] + v[2] * x[2]
    off = Math.max(off, lengthOf(plus(v, x, -along)))
  }
  if (off > 1e-6 * whole) return
  const side: Vector = Math.abs(x[1]) < 0.9 ? [x[2], 0, -x[0]] : [0, -x[2], x[1]]
  const across = directionOf(side)!
  for (let i = 1; i + 1 < count; i++) {
    const shift = 0.01 * whole * Math.sin((Math.PI * i) / (count - 1))
    places.set(plus(vectorAt(places, 3 * i), across, shift), 3 * i)
  }
  // lengths as they were
  for (let i = 1; i < count; i++) places.set(towards(places, i - 1, i, lengths[i - 1]), 3 * i)
}
