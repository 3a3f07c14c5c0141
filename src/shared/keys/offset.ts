/** An offset of a joint over a range of a clip: all of it within, none at the ends where it is eased in and out. */
import { multiplyQuat, slerp } from '../scene/matrix.ts'
import { smoothStep } from '../motion/smooth-step.ts'

/** About which axes a turn goes: those of the joint's parent, or the joint's own. */
export const OFFSET_AXES = ['parent', 'own'] as const

export interface KeyOffset {
  joint: number
  axes: (typeof OFFSET_AXES)[number]
  /** x, y, z, w of length 1 */
  turn?: number[]
  /** along the axes of the parent, in the scene's lengths */
  move?: number[]
}

/** Native times. */
export interface OffsetSpan {
  start: number
  end: number
  /** from the start on, and before the end; 0: all of the offset is there at once */
  easeIn: number
  easeOut: number
}

/** Native times that differ by less are one: files keep them in 32 bits. */
export const timeSlack = (time: number): number => 1e-6 * Math.max(1, Math.abs(time))

/** Share of the offset at a time, 0 to 1. Where the two eases meet the lesser counts. */
export function offsetWeight({ start, end, easeIn, easeOut }: OffsetSpan, time: number): number {
  const slack = timeSlack(time)
  if (time < start - slack || time > end + slack) return 0
  const share = (way: number, over: number): number => (over > 0 ? smoothStep(Math.min(1, Math.max(0, way / over))) : 1)
  return Math.min(share(time - start, easeIn), share(end - time, easeOut))
}

/**
 * Times at which an eased offset has to have keys: where an ease begins and ends. Without an ease at a side there are none there.
 * @param fresh of a track that has no keys yet: the clip that it is for, and the least time between two keys
 */
export function borderTimes(span: OffsetSpan, fresh: { start: number; end: number; step: number } | null): number[] {
  const { start, end, easeIn, easeOut } = span
  const out = new Set<number>()
  if (easeIn > 0) out.add(start).add(Math.min(end, start + easeIn))
  if (easeOut > 0) out.add(Math.max(start, end - easeOut)).add(end)
  // where eases overlap the middle is their peak
  if (easeIn > 0 && easeOut > 0 && easeIn + easeOut > end - start) out.add(start + ((end - start) * easeIn) / (easeIn + easeOut))
  if (fresh) {
    const step = fresh.step || 1e-3 * (fresh.end - fresh.start)
    out.add(start).add(end)
    if (fresh.start < start) out.add(fresh.start).add(easeIn > 0 ? start : Math.max(fresh.start, start - step))
    if (fresh.end > end) out.add(fresh.end).add(easeOut > 0 ? end : Math.min(fresh.end, end + step))
  }
  return [...out].sort((a, b) => a - b)
}

const none = [0, 0, 0, 1]
const part = [0, 0, 0, 1]

/** Turns a rotation by so much of an offset. @param values x, y, z, w from `o` on, written */
export function turnedBy(
  values: Float32Array | number[],
  o: number,
  turn: readonly number[],
  axes: KeyOffset['axes'],
  weight: number,
): void {
  slerp(part, 0, none, 0, [...turn], 0, weight)
  if (axes === 'own') multiplyQuat(values, o, values, o, part, 0)
  else multiplyQuat(values, o, part, 0, values, o)
}

/** The turn that leads from one rotation to another, both x, y, z, w of length 1. */
export function turnFromTo(from: ArrayLike<number>, to: ArrayLike<number>, axes: KeyOffset['axes']): number[] {
  const back = [-from[0], -from[1], -from[2], from[3]]
  const goal = Array.from(to)
  const out = [0, 0, 0, 1]
  if (axes === 'own') multiplyQuat(out, 0, back, 0, goal, 0)
  else multiplyQuat(out, 0, goal, 0, back, 0)
  return out[3] < 0 ? out.map((v) => -v) : out
}
