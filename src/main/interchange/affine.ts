/** What reading of rest poses asks of affine matrices: 16 numbers, by columns, from an offset on. */
import { decompose, identity, invertAffine, multiply } from '../../shared/scene/matrix.ts'

/** The identity where there is none. */
export function inverse(m: Float64Array, o = 0): Float64Array {
  const out = new Float64Array(16)
  if (!invertAffine(out, 0, m, o)) identity(out)
  return out
}

/** Its turn alone, x, y, z, w. */
export function rotationOf(m: Float64Array): Float64Array {
  const q = new Float64Array(4)
  decompose(m, 0, new Float64Array(3), 0, q, 0, new Float64Array(3), 0)
  return q
}

/** A joint below its parent. @param world of all joints, 16 numbers each */
export function localOf(world: Float64Array, parents: ArrayLike<number>, joint: number): Float64Array {
  const own = world.slice(16 * joint, 16 * joint + 16)
  if (parents[joint] >= 0) multiply(own, 0, inverse(world, 16 * parents[joint]), 0, own, 0)
  return own
}
