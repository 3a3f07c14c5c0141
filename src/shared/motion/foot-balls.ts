/**
 * What of a foot stands on the ground: its ball. A toe joint where there is one; a point that rides on the end of the leg where only the other
 * figure of a pair has toes, so that a foot may roll over it on both.
 */
import { stand, placesOf } from './figure.ts'
import { frameOf } from './motion.ts'
import { inverseTurn, minus, plus, rotate, scaled, vectorAt } from './turns.ts'
import type { Body, Limb } from './body.ts'
import type { Figure, FigurePlaces } from './figure.ts'
import type { Motion } from './motion.ts'
import type { Retarget } from './retarget.ts'
import type { Vector } from './turns.ts'

export const SIDES = ['left', 'right'] as const
export type Side = (typeof SIDES)[number]

export interface Ball {
  joint: number
  /** from the joint, in its own axes */
  offset: Vector
}

export type Balls = Partial<Record<Side, Ball>>

/** What stays on the ground: the toe, or the end of the leg. */
function ballOf({ end, tip, lower }: Limb): number {
  return tip[0] ?? (end >= 0 ? end : lower)
}

/** Of one figure alone; none for a leg without a foot. */
export function ballsOf({ legs }: Body): Balls {
  const out: Balls = {}
  for (const side of SIDES) {
    const joint = legs ? ballOf(legs[side]) : -1
    if (joint >= 0) out[side] = { joint, offset: [0, 0, 0] }
  }
  return out
}

/** Of two figures, the same part of the foot on both. */
export function ballsOfBoth({ source, target, map, ratio, facing }: Retarget): { source: Balls; target: Balls } {
  if (!map.source || !map.target) return { source: {}, target: {} }
  const out = { source: ballsOf(map.source), target: ballsOf(map.target) }
  for (const side of SIDES) {
    const [a, b] = [map.source.legs?.[side], map.target.legs?.[side]]
    if (!a || !b || a.end < 0 || b.end < 0) continue
    const toe = (figure: Figure, { end, tip }: Limb): Vector =>
      minus(vectorAt(figure.bind.place, 3 * tip[0]), vectorAt(figure.bind.place, 3 * end))
    if (a.tip.length > 0 && b.tip.length === 0) {
      const way = scaled(toe(source, a), ratio)
      rotate(way, 0, facing, 0, way, 0)
      out.target[side] = ballOn(target, b.end, way)
    } else if (b.tip.length > 0 && a.tip.length === 0) {
      const way = scaled(toe(target, b), 1 / ratio)
      const back = [0, 0, 0, 1]
      inverseTurn(back, 0, facing, 0)
      rotate(way, 0, back, 0, way, 0)
      out.source[side] = ballOn(source, a.end, way)
    }
  }
  return out
}

/** @param way from the joint in the bind pose, in scene space */
function ballOn({ bind }: Figure, joint: number, way: Vector): Ball {
  const back = [0, 0, 0, 1]
  inverseTurn(back, 0, bind.turn, 4 * joint)
  const offset: Vector = [0, 0, 0]
  rotate(offset, 0, back, 0, way, 0)
  return { joint, offset: scaled(offset, 1 / bind.size[joint]) }
}

function ballAt({ place, turn, size }: FigurePlaces, { joint, offset }: Ball): Vector {
  const way: Vector = [0, 0, 0]
  rotate(way, 0, turn, 4 * joint, offset, 0)
  return plus(vectorAt(place, 3 * joint), way, size[joint])
}

/** Place of each ball in each frame, 3 numbers a frame. */
export function ballTracks(figure: Figure, motion: Motion, balls: Balls): Partial<Record<Side, Float64Array>> {
  const out: Partial<Record<Side, Float64Array>> = {}
  const places = placesOf(figure.count)
  for (const side of SIDES) if (balls[side]) out[side] = new Float64Array(3 * motion.frames)
  for (let f = 0; f < motion.frames; f++) {
    stand(figure, frameOf(motion, f, figure.count), places)
    for (const side of SIDES) if (balls[side]) out[side]!.set(ballAt(places, balls[side]), 3 * f)
  }
  return out
}

/** How high each ball of the target is, one number a frame, where the source's are as high as their tracks say: in proportion, from where both rest. */
export function heightsLike(
  { source, target, ratio }: Retarget,
  balls: { source: Balls; target: Balls },
  tracks: Partial<Record<Side, Float64Array>>,
): Partial<Record<Side, Float64Array>> {
  const out: Partial<Record<Side, Float64Array>> = {}
  for (const side of SIDES) {
    const [own, there, track] = [balls.target[side], balls.source[side], tracks[side]]
    if (!own || !there || !track) continue
    const [rest, from] = [ballAt(target.bind, own)[1], ballAt(source.bind, there)[1]]
    out[side] = Float64Array.from({ length: track.length / 3 }, (_, f) => rest + ratio * (track[3 * f + 1] - from))
  }
  return out
}
