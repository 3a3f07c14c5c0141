/** Limbs and chains of a posed figure brought to where they shall end; what is below rides along, the end keeps its turn in scene space. */
import { multiplyQuat } from '../scene/matrix.ts'
import { solveChain } from './fabrik.ts'
import { arcBetween, minus, rotate, turnFrom, unitTurn, vectorAt } from './turns.ts'
import { solveTwoBone } from './two-bone.ts'
import type { Figure, FigureParts, FigurePlaces } from './figure.ts'
import type { Vector } from './turns.ts'
import type { TwoBoneAim } from './two-bone.ts'

/** Joints of a limb of two bones: parents one of the other, with or without joints between that stay as they are. */
export interface LimbJoints {
  upper: number
  lower: number
  end: number
}

/**
 * Turns upper and lower joint so that the end comes to the target.
 * @param parts local, written
 * @param places of `parts` in scene space, not brought up to date
 * @returns way that is left to the target
 */
export function reachWithLimb(
  figure: Pick<Figure, 'parents'>,
  parts: FigureParts,
  places: FigurePlaces,
  { upper, lower, end }: LimbJoints,
  aim: TwoBoneAim,
): number {
  const [start, middle, tip] = [upper, lower, end].map((joint) => vectorAt(places.place, 3 * joint))
  const solved = solveTwoBone({ start, middle, end: tip }, aim)
  const [first, second] = [new Float64Array(4), new Float64Array(4)]
  arcBetween(first, 0, minus(middle, start), 0, minus(solved.middle, start), 0)
  turnAll(figure, parts, places, upper, first)
  // what the first turn made of the second bone
  const arm = minus(tip, middle)
  const turned: Vector = [0, 0, 0]
  rotate(turned, 0, first, 0, arm, 0)
  arcBetween(second, 0, turned, 0, minus(solved.end, solved.middle), 0)
  multiplyQuat(second, 0, second, 0, first, 0)
  turnAll(figure, parts, places, lower, second, first)
  const nothing = Float64Array.of(0, 0, 0, 1)
  turnAll(figure, parts, places, end, nothing, second)
  return solved.unreached
}

/**
 * Turns the joints of a chain so that its last comes to the target; the last keeps its turn.
 * @param joints from the one that stays to the end, each the parent of the next
 * @returns way that is left to the target
 */
export function reachWithChain(
  figure: Pick<Figure, 'parents'>,
  parts: FigureParts,
  places: FigurePlaces,
  joints: readonly number[],
  target: Vector,
  rounds?: number,
): number {
  const before = Float64Array.from(joints.flatMap((joint) => vectorAt(places.place, 3 * joint)))
  const solved = solveChain(before, target, rounds)
  let above = Float64Array.of(0, 0, 0, 1)
  const arm: Vector = [0, 0, 0]
  for (let i = 0; i + 1 < joints.length; i++) {
    rotate(arm, 0, above, 0, minus(vectorAt(before, 3 * i + 3), vectorAt(before, 3 * i)), 0)
    const turn = new Float64Array(4)
    arcBetween(turn, 0, arm, 0, minus(vectorAt(solved.places, 3 * i + 3), vectorAt(solved.places, 3 * i)), 0)
    multiplyQuat(turn, 0, turn, 0, above, 0)
    turnAll(figure, parts, places, joints[i], turn, above)
    above = turn
  }
  const last = joints.at(-1)
  if (last !== undefined && joints.length > 1) turnAll(figure, parts, places, last, Float64Array.of(0, 0, 0, 1), above)
  return solved.unreached
}

/**
 * Writes the local rotation of a joint that is turned in scene space.
 * @param turn what it shall be turned by against `places`
 * @param above what its parent has been turned by
 */
function turnAll(
  { parents }: Pick<Figure, 'parents'>,
  parts: FigureParts,
  places: FigurePlaces,
  joint: number,
  turn: Float64Array,
  above: Float64Array = Float64Array.of(0, 0, 0, 1),
): void {
  const o = 4 * joint
  const p = parents[joint]
  const wanted = new Float64Array(4)
  multiplyQuat(wanted, 0, turn, 0, places.turn, o)
  if (p < 0) {
    parts.rotation.set(wanted, o)
    return
  }
  const parent = new Float64Array(4)
  multiplyQuat(parent, 0, above, 0, places.turn, 4 * p)
  turnFrom(parts.rotation, o, parent, 0, wanted, 0)
  unitTurn(parts.rotation, o)
}
