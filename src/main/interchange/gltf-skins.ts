/**
 * Skins of an exported model. Each has every joint of the skeleton, so that tools which make an armature of a skin make
 * one whole armature of a model, with the joints that carry no vertex too.
 */
import { identity, invertAffine, multiply, transformPoint } from '../../shared/scene/matrix.ts'
import type { ExportedRest } from './exported-rest.ts'
import type { Mesh, Scene, Skin } from '../../shared/scene/types.ts'

export interface WrittenSkin {
  /** 16 per joint of the skeleton, and one more 16 where `still` */
  inverseBind: Float32Array
  /** the last joint is one that never moves, for vertices that nothing carries */
  still: boolean
  /** JOINTS_n and WEIGHTS_n */
  sets: { joints: Uint8Array | Uint16Array; weights: Float32Array }[]
  /** vertex positions where some had to be moved, so that they stand where they stood */
  positions: Float32Array
}

/** What two matrices that undo each other may leave. */
const ROUNDING = 1e-5

/**
 * Vertices without weights ride on the mesh's owner.
 * @param restWorld 16 per joint, scene space
 * @param still the skin has a joint that never moves, whether a vertex needs it or not
 */
export function writeSkin(scene: Scene, mesh: Mesh, skin: Skin, rest: ExportedRest, restWorld: Float32Array, still = false): WrittenSkin {
  const { count } = scene.skeleton
  const vertices = mesh.positions.length / 3
  const own = Float64Array.from(rest.inverseBind)
  skin.joints.forEach((joint, slot) => {
    if (joint < count)
      multiply(own, 16 * joint, rest.skew, 16 * joint, Float64Array.from(skin.inverseBind.subarray(16 * slot, 16 * slot + 16)), 0)
  })
  const owned = mesh.joint >= 0 && mesh.joint < count
  // what a vertex in the owner's rest space has to be for the owner's bind matrix to bring it there
  const moved = new Float64Array(16)
  if (owned) {
    invertAffine(moved, 0, own, 16 * mesh.joint)
    const back = new Float64Array(16)
    invertAffine(back, 0, Float64Array.from(restWorld), 16 * mesh.joint)
    multiply(back, 0, rest.skew, 16 * mesh.joint, back, 0)
    multiply(moved, 0, moved, 0, back, 0)
  }
  const positions = mesh.positions.map((value) => (Number.isFinite(value) ? value : 0))
  const moves = moved.some((value, i) => Math.abs(value - (i % 5 === 0 ? 1 : 0)) > ROUNDING)
  const rows: [number, number][][] = []
  let most = 1
  for (let v = 0; v < vertices; v++) {
    // several entries for one joint are one influence
    const row = new Map<number, number>()
    for (let i = skin.offsets[v]; i < skin.offsets[v + 1]; i++) {
      const joint = skin.joints[skin.slots[i]]
      if (skin.weights[i] > 0 && joint < count) row.set(joint, (row.get(joint) ?? 0) + skin.weights[i])
    }
    if (row.size === 0) {
      row.set(owned ? mesh.joint : count, 1)
      if (!owned) still = true
      else if (moves) transformPoint(positions, 3 * v, moved, 0, positions[3 * v], positions[3 * v + 1], positions[3 * v + 2])
    }
    const sum = [...row.values()].reduce((a, b) => a + b, 0)
    rows.push([...row].map(([joint, weight]): [number, number] => [joint, weight / sum]).sort((a, b) => b[1] - a[1]))
    most = Math.max(most, row.size)
  }
  const inverseBind = new Float32Array(own.length + (still ? 16 : 0))
  inverseBind.set(own)
  if (still) identity(inverseBind, own.length)
  const sets: WrittenSkin['sets'] = []
  for (let set = 0; set < Math.ceil(most / 4); set++) {
    const joints = inverseBind.length > 256 * 16 ? new Uint16Array(4 * vertices) : new Uint8Array(4 * vertices)
    const weights = new Float32Array(4 * vertices)
    rows.forEach((row, v) => {
      for (const [i, [joint, weight]] of row.slice(4 * set, 4 * set + 4).entries()) {
        joints[4 * v + i] = joint
        weights[4 * v + i] = weight
      }
    })
    sets.push({ joints, weights })
  }
  return { inverseBind, still, sets, positions }
}
