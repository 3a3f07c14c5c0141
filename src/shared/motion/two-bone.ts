/**
 * Inverse kinematics of two bones, analytic: hip, knee and ankle of a leg, shoulder, elbow and wrist of an arm.
 * Bones never stretch; a target beyond reach is told as the way that is left. Near full reach the end follows ever less, so
 * that the middle does not snap, and never less far than the limb was stretched before: an end that stays moves nothing.
 */
import { smoothStep } from './smooth-step.ts'
import { acrossOf, arcBetween, cross, directionOf, dotOf, lengthOf, minus, plus, rotate, scaled } from './turns.ts'
import type { Vector } from './turns.ts'

export interface TwoBone {
  /** places in one space: where the limb begins, bends and ends */
  start: Vector
  middle: Vector
  end: Vector
}

export interface TwoBoneAim {
  target: Vector
  /** direction that the middle bends to; without one the limb bends as it does, turned along */
  pole?: Vector
  /** direction of the bend where a straight limb has none */
  restBend?: Vector
  /** share of the full reach over which the end is eased; 0 goes straight to the limit */
  soft?: number
}

export interface TwoBoneSolved extends TwoBone {
  /** way from the end to the target */
  unreached: number
}

/** Share of the limb that is never stretched out or folded up. */
const LIMIT = 1e-4
const SOFT = 0.02
/** A pole that stands nearer along the limb than this says ever less (sine of the angle). */
const NEAR_POLE = 0.2

export function solveTwoBone({ start, middle, end }: TwoBone, { target, pole, restBend, soft = SOFT }: TwoBoneAim): TwoBoneSolved {
  const l1 = lengthOf(minus(middle, start)),
    l2 = lengthOf(minus(end, middle))
  const whole = l1 + l2
  const before = minus(end, start)
  const now = minus(target, start)
  const was = lengthOf(before)
  const wished = lengthOf(now)
  const longest = whole * (1 - LIMIT)
  const shortest = Math.abs(l1 - l2) + whole * LIMIT
  const stretched = Math.min(was, longest)
  const x = directionOf(now, 1e-12 * whole) ?? directionOf(before) ?? [0, -1, 0]
  const reach = wished <= was ? wished : eased(wished, Math.max(whole * (1 - soft), stretched), Math.max(longest, was))
  // what is folded more than the limit already may stay so
  const d = Math.max(Math.min(reach, Math.max(longest, was)), Math.min(shortest, was))
  const y = bendOf({ start, middle, end }, x, pole, restBend)
  const cos = clamp((l1 * l1 + d * d - l2 * l2) / (2 * l1 * d))
  const sin = Math.sqrt(Math.max(0, 1 - cos * cos))
  const knee = plus(plus(start, x, l1 * cos), y, l1 * sin)
  const tip = plus(start, x, d)
  return { start, middle: knee, end: tip, unreached: lengthOf(minus(target, tip)) }
}

/** `value` up to `from`, then ever nearer to `limit`. */
function eased(value: number, from: number, limit: number): number {
  const room = limit - from
  if (value <= from) return value
  return room > 0 ? limit - room * Math.exp(-(value - from) / room) : limit
}

/** Direction of length 1 across `x` that the middle bends to. */
function bendOf({ start, middle, end }: TwoBone, x: Vector, pole: Vector | undefined, restBend: Vector | undefined): Vector {
  const along = directionOf(minus(end, start)) ?? x
  const size = lengthOf(minus(middle, start))
  // the bend as it is, turned along with the limb
  const own = across(minus(middle, start), along)
  const bend = directionOf(own, 1e-6 * size) ?? directionOf(across(restBend ?? [0, 0, 0], along), 1e-6) ?? acrossOf(along)
  const turn = [0, 0, 0, 1]
  arcBetween(turn, 0, along, 0, x, 0)
  const carried: Vector = [0, 0, 0]
  rotate(carried, 0, turn, 0, bend, 0)
  const kept = directionOf(across(carried, x), 1e-9) ?? acrossOf(x)
  const wish = pole && directionOf(pole)
  if (!wish) return kept
  const towards = across(wish, x)
  const sine = lengthOf(towards)
  if (sine < 1e-9) return kept
  // turned about the limb from what it is to the pole, by how clearly the pole says where
  const y = scaled(towards, 1 / sine)
  let angle = Math.atan2(dotOf(cross(kept, y), x), dotOf(kept, y))
  // half a turn is the same way round, whatever rounding says
  if (angle < -Math.PI + 1e-6) angle = Math.PI
  const weight = smoothStep(Math.min(1, sine / NEAR_POLE))
  const z = cross(x, kept)
  return plus(scaled(kept, Math.cos(angle * weight)), z, Math.sin(angle * weight))
}

function across(v: Vector, x: Vector): Vector {
  return plus(v, x, -dotOf(v, x))
}

const clamp = (value: number): number => Math.max(-1, Math.min(1, value))
