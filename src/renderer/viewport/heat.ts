/** The weight heat map: colours that grow evenly lighter (viridis), and the weight of one joint per vertex. */
import type { Mesh, Skin } from '../../shared/scene/types.ts'
import { parseColor } from './vec.ts'

/** From no to full weight, even steps. */
export const RAMP = ['#440154', '#472d7b', '#3b528b', '#2c728e', '#21918c', '#28ae80', '#5ec962', '#addc30', '#fde725'] as const

/** Vertices that the joint does not move at all. */
export const NO_WEIGHT = '#9296a0'

export function rampNumbers(): number[] {
  return RAMP.flatMap((c) => parseColor(c))
}

/** Weight (0..1) of a joint on each vertex. A rigid mesh belongs whole to its joint, an unweighted vertex to the owner of the mesh. */
export function weightsOf(mesh: Mesh, skin: Skin | null, joint: number, out: Float32Array): void {
  const n = mesh.positions.length / 3
  const owned = mesh.joint === joint ? 1 : 0
  if (!skin) {
    out.fill(owned, 0, n)
    return
  }
  for (let v = 0; v < n; v++) {
    const from = skin.offsets[v],
      to = skin.offsets[v + 1]
    let w = from === to ? owned : 0
    for (let i = from; i < to; i++) if (skin.joints[skin.slots[i]] === joint) w += skin.weights[i]
    out[v] = w
  }
}
