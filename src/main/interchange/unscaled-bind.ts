/**
 * Joints at bind as programs have them whose bones have no scale at rest: of each joint below its parent place and turn are kept and scale is
 * not, so that what hangs on a scaled joint rests elsewhere. Poses are as they were: the scale is in them.
 */
import { compose, decompose, multiply } from '../../shared/scene/matrix.ts'
import { inverse } from './affine.ts'
import type { ExportedRest } from './exported-rest.ts'

/** @param inverseBind 16 per joint. @returns for each joint 16 numbers, from its space to scene space */
export function unscaledBind(inverseBind: ExportedRest['inverseBind'], parents: ArrayLike<number>): Float64Array[] {
  const out: Float64Array[] = []
  for (let joint = 0; joint < parents.length; joint++) {
    const local = inverse(inverseBind, 16 * joint)
    const parent = parents[joint]
    // a joint above stands before it, and one that does not counts as none
    const below = parent >= 0 && parent < joint
    if (below) multiply(local, 0, inverseBind.subarray(16 * parent, 16 * parent + 16), 0, local, 0)
    const [place, turn] = [new Float64Array(3), new Float64Array(4)]
    decompose(local, 0, place, 0, turn, 0, new Float64Array(3), 0)
    const own = new Float64Array(16)
    compose(own, 0, place, 0, turn, 0, [1, 1, 1], 0)
    if (below) multiply(own, 0, out[parent], 0, own, 0)
    out.push(own)
  }
  return out
}
