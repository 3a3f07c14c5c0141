/** Quaternions in flat arrays, x, y, z, w from an offset on: what reading and writing of clips shares. */
import { length4 } from '../../shared/scene/length.ts'

export function dot(a: ArrayLike<number>, ao: number, b: ArrayLike<number>, bo: number): number {
  return a[ao] * b[bo] + a[ao + 1] * b[bo + 1] + a[ao + 2] * b[bo + 2] + a[ao + 3] * b[bo + 3]
}

/** At unit length, in place; none at all becomes the identity. */
export function unitQuaternion(q: Float32Array | Float64Array, o: number): void {
  const length = length4(q[o], q[o + 1], q[o + 2], q[o + 3])
  if (length > 1e-12) for (let i = 0; i < 4; i++) q[o + i] /= length
  else q.set([0, 0, 0, 1], o)
}
