/** How far two models are from each other at one moment: vertex by vertex where their meshes are of one make, joint by joint of one name. */
import type { Scene, Skeleton } from '../../shared/scene/types.ts'
import type { Stand } from './orbit.ts'
import type { PosedMesh } from './posed-model.ts'
import { sameBytes } from './same-make.ts'

/** Where another model is drawn: so many times as large about the middle of the scene, then so much higher. */
export interface Fit {
  readonly scale: number
  readonly lift: number
}

export const AS_IT_IS: Fit = { scale: 1, lift: 0 }

/** Models of two games count in metres and in hundredths: farther from one size than this, the other is drawn as large. */
const ALIKE = 2
/** They begin at the soles or at the hips, too. What is less, in parts of the height, are heels and tails: those are to be seen. */
const ONE_FLOOR = 0.1

/** As large as the other, and on its floor, where they are no models of one make. */
export function fitted(own: Stand, other: Stand): Fit {
  const ratio = own.extent / other.extent
  const scale = ratio > ALIKE || ratio < 1 / ALIKE ? ratio : 1
  const lift = own.floor - scale * other.floor
  return { scale, lift: Math.abs(lift) > own.extent * ONE_FLOOR ? lift : 0 }
}

/** Of each mesh of `a` the one of `b` with the same triangles, first among those of its name, -1 for none. */
export function pairMeshes(a: Scene, b: Scene): Int32Array {
  const pairs = new Int32Array(a.meshes.length).fill(-1)
  const taken = new Set<number>()
  const alike = (i: number, j: number): boolean =>
    a.meshes[i].positions.length === b.meshes[j].positions.length && sameBytes(a.meshes[i].indices, b.meshes[j].indices)
  for (const named of [true, false])
    for (let i = 0; i < pairs.length; i++) {
      if (pairs[i] >= 0) continue
      const j = b.meshes.findIndex((mesh, n) => !taken.has(n) && (!named || mesh.name === a.meshes[i].name) && alike(i, n))
      if (j < 0) continue
      pairs[i] = j
      taken.add(j)
    }
  return pairs
}

/** Of each joint of `b` that of `a` with its name, the n-th of a name to the n-th, -1 for none. */
export function pairJoints(a: Skeleton, b: Skeleton): Int32Array {
  const places = new Map<string, number[]>()
  for (let i = 0; i < a.count; i++) {
    const list = places.get(a.names[i])
    if (list) list.push(i)
    else places.set(a.names[i], [i])
  }
  const seen = new Map<string, number>()
  return Int32Array.from({ length: b.count }, (_, i) => {
    const n = seen.get(b.names[i]) ?? 0
    seen.set(b.names[i], n + 1)
    return places.get(b.names[i])?.[n] ?? -1
  })
}

/**
 * Distances of the vertices of two meshes of one make, in scene units.
 * @param fit where `b` is drawn
 * @param least what is below it is no distance
 * @returns the largest, and how many there are
 */
export function vertexDistances(
  a: PosedMesh,
  b: PosedMesh,
  { scale, lift }: Fit,
  least: number,
  out: Float32Array,
): { most: number; moved: number } {
  const p = a.positions,
    q = b.positions,
    m = a.world,
    n = b.world
  let most = 0,
    moved = 0
  for (let v = 0, i = 0; v < out.length; v++, i += 3) {
    const x = m[0] * p[i] + m[4] * p[i + 1] + m[8] * p[i + 2] + m[12] - scale * (n[0] * q[i] + n[4] * q[i + 1] + n[8] * q[i + 2] + n[12])
    const y =
      m[1] * p[i] + m[5] * p[i + 1] + m[9] * p[i + 2] + m[13] - scale * (n[1] * q[i] + n[5] * q[i + 1] + n[9] * q[i + 2] + n[13]) - lift
    const z = m[2] * p[i] + m[6] * p[i + 1] + m[10] * p[i + 2] + m[14] - scale * (n[2] * q[i] + n[6] * q[i + 1] + n[10] * q[i + 2] + n[14])
    const d = Math.sqrt(x * x + y * y + z * z)
    // a place that is no number is no distance either
    out[v] = d > least ? d : 0
    if (out[v] === 0) continue
    moved++
    if (d > most && d < Infinity) most = d
  }
  return { most, moved }
}

/** Whether two joints stand elsewhere or are turned otherwise. @param least of places, scene units */
export function jointsDiffer(a: Float32Array, i: number, b: Float32Array, j: number, { scale, lift }: Fit, least: number): boolean {
  for (let c = 0; c < 3; c++) if (Math.abs(a[16 * i + 12 + c] - scale * b[16 * j + 12 + c] - (c === 1 ? lift : 0)) > least) return true
  for (let axis = 0; axis < 12; axis += 4)
    for (let c = 0; c < 3; c++) if (Math.abs(a[16 * i + axis + c] - b[16 * j + axis + c]) > 1e-3) return true
  return false
}

/** The next of 1, 2, 5, 10 … that is not below: the end of a scale that stays while it can. */
export function roundUp(value: number): number {
  if (!(value > 0) || !Number.isFinite(value)) return 0
  const power = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value * (1 - 1e-6))!
}
