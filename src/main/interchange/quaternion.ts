/** Quaternions in flat arrays, x, y, z, w from an offset on: what reading and writing of clips shares. */
export function dot(a: ArrayLike<number>, ao: number, b: ArrayLike<number>, bo: number): number {
  return a[ao] * b[bo] + a[ao + 1] * b[bo + 1] + a[ao + 2] * b[bo + 2] + a[ao + 3] * b[bo + 3]
}
