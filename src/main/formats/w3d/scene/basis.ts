/**
 * The one change of basis between files and the scene. W3D is right-handed with Z up and models face +X; the scene is right-handed with
 * Y up and +Z front. So X becomes Z, Y becomes X, Z becomes Y: the axes change places in a circle and no number is rounded.
 */
import { length3 } from '../../../../shared/scene/length.ts'

type Numbers = Float32Array | Float64Array | number[]

/** scene axis i is file axis AXIS[i] */
const AXIS = [1, 2, 0] as const

/** (x, y, z) of the file to (y, z, x). */
export function vectorToScene(out: Numbers, o: number, v: ArrayLike<number>, vo: number): void {
  const x = v[vo],
    y = v[vo + 1],
    z = v[vo + 2]
  out[o] = y
  out[o + 1] = z
  out[o + 2] = x
}

export function vectorFromScene(out: Numbers, o: number, v: ArrayLike<number>, vo: number): void {
  const x = v[vo],
    y = v[vo + 1],
    z = v[vo + 2]
  out[o] = z
  out[o + 1] = x
  out[o + 2] = y
}

/** Quaternions x, y, z, w turn about the same axes under their new names. */
export function rotationToScene(out: Numbers, o: number, q: ArrayLike<number>, qo: number): void {
  const w = q[qo + 3]
  vectorToScene(out, o, q, qo)
  out[o + 3] = w
}

export function rotationFromScene(out: Numbers, o: number, q: ArrayLike<number>, qo: number): void {
  const w = q[qo + 3]
  vectorFromScene(out, o, q, qo)
  out[o + 3] = w
}

/** Column-major affine matrix of the file as one of the scene: rows and columns change places alike. out must not be m. */
export function matrixToScene(out: Numbers, o: number, m: ArrayLike<number>, mo: number): void {
  for (let c = 0; c < 3; c++) {
    for (let r = 0; r < 3; r++) out[o + 4 * c + r] = m[mo + 4 * AXIS[c] + AXIS[r]]
    out[o + 4 * c + 3] = 0
  }
  vectorToScene(out, o + 12, m, mo + 12)
  out[o + 15] = 1
}

export function matrixFromScene(out: Numbers, o: number, m: ArrayLike<number>, mo: number): void {
  for (let c = 0; c < 3; c++) {
    for (let r = 0; r < 3; r++) out[o + 4 * AXIS[c] + AXIS[r]] = m[mo + 4 * c + r]
    out[o + 4 * AXIS[c] + 3] = 0
  }
  vectorFromScene(out, o + 12, m, mo + 12)
  out[o + 15] = 1
}

/** A normal in scene axes at unit length; (0, 1, 0) where it has none. */
export function unitNormal(out: Float32Array, o: number, x: number, y: number, z: number): void {
  const length = length3(x, y, z)
  if (!(length > 0) || !Number.isFinite(length)) {
    out[o] = 0
    out[o + 1] = 1
    out[o + 2] = 0
    return
  }
  out[o] = y / length
  out[o + 1] = z / length
  out[o + 2] = x / length
}
