/** Numbers that are none: files may hold them, and nothing on screen may turn to NaN. */

/** Values that are no numbers become `fallback`. @returns how many there were */
export function mendNumbers(values: Float32Array, fallback = 0): number {
  let bad = 0
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) {
      values[i] = fallback
      bad++
    }
  }
  return bad
}

/** Entries of 4x4 matrices that are no numbers become those of the identity. */
export function mendMatrices(matrices: Float32Array): void {
  for (let i = 0; i < matrices.length; i++) if (!Number.isFinite(matrices[i])) matrices[i] = (i % 16) % 5 === 0 ? 1 : 0
}

export function finiteOr(value: number, other: number): number {
  return Number.isFinite(value) ? value : other
}
