/**
 * Joints that nothing of the other figure moves, and that hang on nothing that is moved: a weapon that stands in a hand, a cape about the hips,
 * both tied to the root of their skeleton. They go along as they stand in the bind pose.
 */
import { frameOf, sameSide } from './motion.ts'
import { placesOf, stand } from './figure.ts'
import { BESIDE } from './figure-map.ts'
import { inverseTurn, lengthOf, minus, plus, rotate, turnFrom, unitTurn, vectorAt } from './turns.ts'
import { multiplyQuat } from '../scene/matrix.ts'
import type { Figure } from './figure.ts'
import type { FigureMap } from './figure-map.ts'
import type { Motion } from './motion.ts'
import type { Retarget } from './retarget.ts'
import type { Vector } from './turns.ts'

export interface Rider {
  joint: number
  /** what it goes along with */
  on: number
  /** of the rider in the axes of that joint, in the bind pose */
  place: Vector
  turn: Float64Array
}

/** Heights of the figure within which a joint stands in a hand. */
const IN_HAND = 0.12

export function ridersOf(target: Figure, { from, target: body }: Pick<FigureMap, 'from' | 'target'>): Rider[] {
  if (!body) return []
  const { count, parents, bone, bind, height } = target
  // below what is moved, and above it, nothing goes by itself
  const [below, above] = [new Uint8Array(count), new Uint8Array(count)]
  const away = (a: number, b: number): number => lengthOf(minus(vectorAt(bind.place, 3 * a), vectorAt(bind.place, 3 * b)))
  // a root on the ground carries the figure, and moves nothing of it
  const grounds = new Set<number>()
  for (let i = parents[body.hips]; i >= 0; i = parents[i]) if (away(i, body.hips) > BESIDE * height) grounds.add(i)
  for (let i = 0; i < count; i++) below[i] = (from[i] >= 0 && !grounds.has(i)) || (parents[i] >= 0 && below[parents[i]]) ? 1 : 0
  for (let i = count - 1; i >= 0; i--) if ((from[i] >= 0 || above[i]) && parents[i] >= 0) above[parents[i]] = 1
  const moved = (joints: readonly number[]): number[] => joints.filter((joint) => joint >= 0 && from[joint] >= 0)
  const hands = moved(body.arms ? [body.arms.left, body.arms.right].map(({ end, lower }) => (end >= 0 ? end : lower)) : [])
  const trunk = moved([body.hips, ...body.spine, ...body.neck, body.head])
  const out: Rider[] = []
  for (let joint = 0; joint < count; joint++) {
    const parent = parents[joint]
    if (!bone[joint] || parent < 0 || !above[parent] || below[joint] || above[joint] || from[joint] >= 0) continue
    const nearest = (joints: readonly number[]): number =>
      joints.reduce((best, one) => (best < 0 || away(joint, one) < away(joint, best) ? one : best), -1)
    const hand = nearest(hands)
    const on = hand >= 0 && away(joint, hand) <= IN_HAND * height ? hand : nearest(trunk)
    if (on < 0) continue
    const back = [0, 0, 0, 1]
    inverseTurn(back, 0, bind.turn, 4 * on)
    const place = minus(vectorAt(bind.place, 3 * joint), vectorAt(bind.place, 3 * on))
    rotate(place, 0, back, 0, place, 0)
    const turn = new Float64Array(4)
    multiplyQuat(turn, 0, back, 0, bind.turn, 4 * joint)
    out.push({ joint, on, place: place.map((v) => v / bind.size[on]) as Vector, turn })
  }
  return out
}

/** @param motion of the target, written */
export function rideAlong({ target, riders }: Pick<Retarget, 'target' | 'riders'>, motion: Motion): void {
  if (riders.length === 0) return
  const { count, parents } = target
  const places = placesOf(count)
  const [wanted, back] = [new Float64Array(4), [0, 0, 0, 1]]
  for (let f = 0; f < motion.frames; f++) {
    const parts = frameOf(motion, f, count)
    stand(target, parts, places)
    for (const { joint, on, place, turn } of riders) {
      const p = parents[joint]
      const way: Vector = [0, 0, 0]
      rotate(way, 0, places.turn, 4 * on, place, 0)
      const to = plus(vectorAt(places.place, 3 * on), way, places.size[on])
      multiplyQuat(wanted, 0, places.turn, 4 * on, turn, 0)
      turnFrom(parts.rotation, 4 * joint, places.turn, 4 * p, wanted, 0)
      unitTurn(parts.rotation, 4 * joint)
      inverseTurn(back, 0, places.turn, 4 * p)
      const local = minus(to, vectorAt(places.place, 3 * p))
      rotate(local, 0, back, 0, local, 0)
      for (let c = 0; c < 3; c++) parts.translation[3 * joint + c] = local[c] / places.size[p]
    }
    if (f > 0) sameSide(motion.rotation, 4 * count, f)
  }
}
