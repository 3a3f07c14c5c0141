/**
 * Lost Saga is left-handed, Y up, centimetres; characters face -Z, their left is +X. The scene is right-handed, Y up, facing +Z: Z is
 * negated, and so is the winding. The map is its own inverse. Evidence: docs/formats/lostsaga.md, "Space" (hands, eyes, toes of the real rig).
 */
import { length4 } from '../../../../shared/scene/length.ts'

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

/** A quaternion at unit length, in place; what has none is no rotation. */
export function unitRotation(q: Float32Array, o: number): void {
  const length = length4(q[o], q[o + 1], q[o + 2], q[o + 3])
  if (length > 0 && Number.isFinite(length)) for (let c = 0; c < 4; c++) q[o + c] /= length
  else {
    q[o] = q[o + 1] = q[o + 2] = 0
    q[o + 3] = 1
  }
}
