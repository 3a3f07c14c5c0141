/** What is framed when the selection is: as much about it as shows where it is. */
import { radius, union, type Bounds } from './bounds.ts'
import { place } from './helpers.ts'
import type { Vec3 } from './vec.ts'
import type { ViewState } from './view-state.ts'

/** Null where nothing with a place is chosen. */
export function selectionBounds(state: ViewState): Bounds | null {
  const { model, selection, bounds } = state
  if (!model) return null
  const { mesh, vertex, joint } = selection
  const helper = state.helper(selection.helper)
  if (helper) return around(place(helper, model.pose.world), Math.max(radius(bounds) * 0.15, Math.hypot(...helper.extent)))
  if (mesh >= 0 && mesh < model.meshes.length) {
    if (vertex === undefined) return model.bounds((i) => i === mesh)
    const p = model.scenePositions(mesh)
    return around([p[3 * vertex], p[3 * vertex + 1], p[3 * vertex + 2]], radius(bounds) * 0.1)
  }
  if (joint >= 0 && joint < model.scene.skeleton.count) {
    const w = model.pose.world
    const places = (selection.joints ?? [joint]).map((j) => around([w[16 * j + 12], w[16 * j + 13], w[16 * j + 14]], radius(bounds) * 0.2))
    return places.reduce<Bounds | null>(union, null)
  }
  return null
}

function around(p: Vec3, r: number): Bounds {
  return { min: [p[0] - r, p[1] - r, p[2] - r], max: [p[0] + r, p[1] + r, p[2] + r] }
}
