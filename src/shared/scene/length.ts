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
