/**
 * The one change of basis of the family: none. Dark Cloud stores its models as the scene wants them.
 * - Right-handed: triangles face the way of their normals when read counter-clockwise (227 of 227 in the samples [V]).
 * - Y up: `__bY` nodes turn to the viewer about Y and carry what stands upright (flames, whirls) [V].
 * - Row vectors with the translation in the fourth row: in memory that is a column-major matrix for column vectors, so a
 *   matrix is copied as it stands [V].
 * - Front: taken as +Z; no public file shows a face.
 * Only quaternions are written otherwise: (w, x, y, z), and conjugated, since the engine builds a row-vector matrix from them.
 */
type Numbers = Float32Array | Float64Array | number[]

/** Native point or vector -> scene. Its own inverse. */
export function vectorToScene(v: readonly [number, number, number]): [number, number, number] {
  return [v[0], v[1], v[2]]
}

export function vectorFromScene(v: readonly [number, number, number]): [number, number, number] {
  return [v[0], v[1], v[2]]
}

/** Stored (w, x, y, z) -> scene (x, y, z, w). */
export function rotationToScene(out: Numbers, o: number, native: Numbers, at: number): void {
  const w = native[at],
    x = native[at + 1],
    y = native[at + 2],
    z = native[at + 3]
  out[o] = -x
  out[o + 1] = -y
  out[o + 2] = -z
  out[o + 3] = w
}

/** Scene (x, y, z, w) -> stored (w, x, y, z). Zeros stay positive: files have no -0 in identity keys. */
export function rotationFromScene(out: Numbers, o: number, scene: Numbers, at: number): void {
  const x = scene[at],
    y = scene[at + 1],
    z = scene[at + 2],
    w = scene[at + 3]
  out[o] = w
  out[o + 1] = 0 - x
  out[o + 2] = 0 - y
  out[o + 3] = 0 - z
}
