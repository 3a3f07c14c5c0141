/** Names for the two sides of a mesh: left and right where the bones there say so. */
import type { NativeWeights } from '../../../shared/api/types/weights.ts'
import { sideOfName } from '../../../shared/scene/sides.ts'
import type { NativeGeometry } from '../../../shared/weights/geometry.ts'
import { say } from '../../../shared/texts/say.ts'

export function sideLabels(
  w: NativeWeights,
  geometry: NativeGeometry,
  plane: { axis: number; plane: number },
): { positive: string; negative: string } {
  const sides = w.bones.map((b) => sideOfName(b.name))
  // where the vertices of left bones lie, against those of right ones
  let lean = 0
  for (let v = 0; v < w.vertexCount; v++) {
    const away = geometry.positions[3 * v + plane.axis] - plane.plane
    if (!Number.isFinite(away)) continue
    for (let i = w.offsets[v]; i < w.offsets[v + 1]; i++) {
      const side = sides[w.bone[i]]
      if (side) lean += (side === 'left' ? away : -away) * w.weight[i]
    }
  }
  const axis = 'XYZ'[plane.axis]
  if (lean === 0) return { positive: say('weights.sides.towardsMinus', { axis }), negative: say('weights.sides.towardsPlus', { axis }) }
  const [plus, minus] = [`+${axis}`, `-${axis}`]
  return lean > 0
    ? { positive: say('weights.sides.leftToRight', { from: plus }), negative: say('weights.sides.rightToLeft', { from: minus }) }
    : { positive: say('weights.sides.rightToLeft', { from: plus }), negative: say('weights.sides.leftToRight', { from: minus }) }
}
