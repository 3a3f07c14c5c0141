/**
 * Lengths of vectors and quaternions, for each key and vertex of a file. `Math.hypot` is safe for numbers whose squares are beyond what a double holds,
 * which no 32-bit float is, and takes eight times as long.
 */

export function length3(x: number, y: number, z: number): number {
  return Math.sqrt(x * x + y * y + z * z)
}

export function length4(x: number, y: number, z: number, w: number): number {
  return Math.sqrt(x * x + y * y + z * z + w * w)
}

/** A quaternion at unit length, in place; what is no longer than `least` turns nothing. */
export function unitQuaternion(q: Float32Array | Float64Array, o: number, least = 1e-12): void {
  const length = length4(q[o], q[o + 1], q[o + 2], q[o + 3])
  if (length > least && Number.isFinite(length)) for (let c = 0; c < 4; c++) q[o + c] /= length
  else {
    q[o] = q[o + 1] = q[o + 2] = 0
    q[o + 3] = 1
  }
}
