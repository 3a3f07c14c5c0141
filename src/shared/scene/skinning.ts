/** Linear blend skinning on the CPU: exact for any number of influences, and the same everywhere. */
import { multiply } from './matrix.ts'
import type { Pose } from './pose.ts'
import type { Mesh, Skin } from './types.ts'

/**
 * Skinned positions and normals in scene space. A vertex without influences rides on the mesh's own joint
 * as it did at bind (`ownerMatrix`: world of the owner times its inverse bind; identity when absent).
 * @param positions 3 per vertex, written
 * @param normals 3 per vertex, written and normalised; may be empty
 * @param palette scratch, 16 per entry of skin.joints
 */
export function skinMesh(
  mesh: Mesh,
  skin: Skin,
  pose: Pick<Pose, 'world'>,
  positions: Float32Array,
  normals: Float32Array,
  palette: Float32Array,
  ownerMatrix?: Float32Array,
): void {
  const { offsets, slots, weights, joints, inverseBind } = skin
  for (let j = 0; j < joints.length; j++) multiply(palette, 16 * j, pose.world, 16 * joints[j], inverseBind, 16 * j)
  const src = mesh.positions
  const srcNormals = mesh.normals
  const n = src.length / 3
  const withNormals = srcNormals.length === src.length && normals.length === src.length
  for (let v = 0; v < n; v++) {
    const x = src[3 * v],
      y = src[3 * v + 1],
      z = src[3 * v + 2]
    let m0 = 0,
      m1 = 0,
      m2 = 0,
      m4 = 0,
      m5 = 0,
      m6 = 0,
      m8 = 0,
      m9 = 0,
      m10 = 0,
      m12 = 0,
      m13 = 0,
      m14 = 0
    const from = offsets[v],
      to = offsets[v + 1]
    if (from === to) {
      if (ownerMatrix) {
        m0 = ownerMatrix[0]
        m1 = ownerMatrix[1]
        m2 = ownerMatrix[2]
        m4 = ownerMatrix[4]
        m5 = ownerMatrix[5]
        m6 = ownerMatrix[6]
        m8 = ownerMatrix[8]
        m9 = ownerMatrix[9]
        m10 = ownerMatrix[10]
        m12 = ownerMatrix[12]
        m13 = ownerMatrix[13]
        m14 = ownerMatrix[14]
      } else m0 = m5 = m10 = 1
    }
    for (let i = from; i < to; i++) {
      const p = 16 * slots[i]
      const w = weights[i]
      m0 += w * palette[p]
      m1 += w * palette[p + 1]
      m2 += w * palette[p + 2]
      m4 += w * palette[p + 4]
      m5 += w * palette[p + 5]
      m6 += w * palette[p + 6]
      m8 += w * palette[p + 8]
      m9 += w * palette[p + 9]
      m10 += w * palette[p + 10]
      m12 += w * palette[p + 12]
      m13 += w * palette[p + 13]
      m14 += w * palette[p + 14]
    }
    positions[3 * v] = m0 * x + m4 * y + m8 * z + m12
    positions[3 * v + 1] = m1 * x + m5 * y + m9 * z + m13
    positions[3 * v + 2] = m2 * x + m6 * y + m10 * z + m14
    if (withNormals) {
      const nx = srcNormals[3 * v],
        ny = srcNormals[3 * v + 1],
        nz = srcNormals[3 * v + 2]
      const a = m0 * nx + m4 * ny + m8 * nz,
        b = m1 * nx + m5 * ny + m9 * nz,
        c = m2 * nx + m6 * ny + m10 * nz
      const length = Math.sqrt(a * a + b * b + c * c) || 1
      normals[3 * v] = a / length
      normals[3 * v + 1] = b / length
      normals[3 * v + 2] = c / length
    }
  }
}

/**
 * Packs weight lists into a Skin's rows: influences of each vertex, normalised to a sum of 1; what is no positive number is dropped.
 * @param influences called per vertex; pushes (slot, weight) pairs
 */
export function packInfluences(
  vertexCount: number,
  influences: (vertex: number, push: (slot: number, weight: number) => void) => void,
): Pick<Skin, 'offsets' | 'slots' | 'weights'> {
  const offsets = new Uint32Array(vertexCount + 1)
  let capacity = vertexCount * 4
  let slots = new Uint16Array(capacity)
  let weights = new Float32Array(capacity)
  let used = 0
  const push = (slot: number, weight: number): void => {
    // as the float it is stored as: what overflows there is no weight either
    if (!(weight > 0) || Math.fround(weight) === Infinity) return
    if (used === capacity) {
      capacity = Math.max(16, capacity * 2)
      const s = new Uint16Array(capacity)
      const w = new Float32Array(capacity)
      s.set(slots)
      w.set(weights)
      slots = s
      weights = w
    }
    slots[used] = slot
    weights[used++] = weight
  }
  for (let v = 0; v < vertexCount; v++) {
    const first = used
    influences(v, push)
    let sum = 0
    for (let i = first; i < used; i++) sum += weights[i]
    if (sum > 0) for (let i = first; i < used; i++) weights[i] /= sum
    offsets[v + 1] = used
  }
  return { offsets, slots: slots.slice(0, used), weights: weights.slice(0, used) }
}

/** Joints of a skin in the order in which its weights first name them. */
export class SkinJoints {
  readonly list: number[] = []
  private readonly slots = new Map<number, number>()

  /** The number that a joint has in the skin. */
  slot(joint: number): number {
    let s = this.slots.get(joint)
    if (s === undefined) {
      s = this.list.length
      this.slots.set(joint, s)
      this.list.push(joint)
    }
    return s
  }
}
