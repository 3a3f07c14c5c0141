/**
 * Lost Saga is left-handed, Y up, centimetres; characters face -Z, their left is +X. The scene is right-handed, Y up, facing +Z: Z is
 * negated, and so is the winding. The map is its own inverse. Evidence: docs/formats/lostsaga.md, "Space" (hands, eyes, toes of the real rig).
 */

/** Position or normal, 3 per entry, in place. */
export function flipVectors(values: Float32Array): Float32Array {
  for (let i = 2; i < values.length; i += 3) values[i] = -values[i]
  return values
}

/** Quaternions x, y, z, w, 4 per entry, in place. */
export function flipRotations(values: Float32Array): Float32Array {
  for (let i = 0; i + 3 < values.length; i += 4) {
    values[i] = -values[i]
    values[i + 1] = -values[i + 1]
  }
  return values
}

/** Two corners of each triangle change places. */
export function flipWinding(indices: Uint32Array): Uint32Array {
  for (let i = 0; i + 2 < indices.length; i += 3) {
    const b = indices[i + 1]
    indices[i + 1] = indices[i + 2]
    indices[i + 2] = b
  }
  return indices
}

export const UNITS_PER_METRE = 100
