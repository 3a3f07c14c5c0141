/**
 * The family's space and the scene's. RenderWare as GTA uses it: right-handed, Z up, +Y front (a walking ped moves along +Y).
 * The scene: right-handed, Y up, +Z front. (x, y, z) becomes (-x, z, y): half a turn about (0, 1, 1), its own inverse.
 *
 * Matrices: RenderWare multiplies row vectors, v * M, with rows right, up, at, pos. The same numbers in the same order are
 * a column-major matrix for column vectors, so only the padding words have to be set and the basis changed.
 */

type Numbers = Float32Array | Float64Array | number[]

/** A point or direction; also a translation. Works both ways. */
export function basisVector(out: Numbers, o: number, v: ArrayLike<number>, at: number): void {
  const x = v[at],
    y = v[at + 1],
    z = v[at + 2]
  out[o] = -x
  out[o + 1] = z
  out[o + 2] = y
}

/** A rotation x,y,z,w. Works both ways. */
export function basisQuat(out: Numbers, o: number, q: ArrayLike<number>, at: number): void {
  const x = q[at],
    y = q[at + 1],
    z = q[at + 2],
    w = q[at + 3]
  out[o] = -x
  out[o + 1] = z
  out[o + 2] = y
  out[o + 3] = w
}

/** Scale along the axes. Works both ways. */
export function basisScale(out: Numbers, o: number, s: ArrayLike<number>, at: number): void {
  const x = s[at],
    y = s[at + 1],
    z = s[at + 2]
  out[o] = x
  out[o + 1] = z
  out[o + 2] = y
}

const PLACE = [0, 2, 1, 3]
const SIGN = [-1, 1, 1, 1]

/** An affine column-major matrix. Works both ways. */
export function basisMatrix(out: Numbers, o: number, m: ArrayLike<number>, at: number): void {
  const copy = new Float64Array(16)
  for (let c = 0; c < 4; c++) for (let r = 0; r < 4; r++) copy[4 * c + r] = SIGN[c] * SIGN[r] * m[at + 4 * PLACE[c] + PLACE[r]]
  for (let i = 0; i < 16; i++) out[o + i] = copy[i]
}

/** Column-major matrix of 12 floats right, up, at, pos (a frame). */
export function frameMatrix(out: Numbers, o: number, f: ArrayLike<number>, at: number): void {
  for (let c = 0; c < 4; c++) {
    for (let r = 0; r < 3; r++) out[o + 4 * c + r] = f[at + 3 * c + r]
    out[o + 4 * c + 3] = c === 3 ? 1 : 0
  }
}

/** Column-major matrix of 16 floats as a skin has them: the fourth of each row is padding. */
export function paddedMatrix(out: Numbers, o: number, f: ArrayLike<number>, at: number): void {
  for (let c = 0; c < 4; c++) {
    for (let r = 0; r < 3; r++) out[o + 4 * c + r] = f[at + 4 * c + r]
    out[o + 4 * c + 3] = c === 3 ? 1 : 0
  }
}
