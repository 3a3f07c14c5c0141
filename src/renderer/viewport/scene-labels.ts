/** Names of bones and helpers over the picture, as many as fit, and the ring about the chosen vertex. */
import { radius } from './bounds.ts'
import { place } from './helpers.ts'
import type { LabelLayer, LabelStyle } from './label-layer.ts'
import { ALWAYS, declutter } from './labels.ts'
import type { Label } from './labels.ts'
import type { Vec3 } from './vec.ts'
import { pointedJoint, shownHelpers, type ViewState } from './view-state.ts'

export function drawSceneLabels(labels: LabelLayer, style: LabelStyle, state: ViewState): void {
  const { model, display, selection, bounds, rig, hovered } = state
  if (!model) return
  const view = rig.projector()
  const p = [0, 0, 0]
  const list: Label[] = []
  const strong = new Set<number>()
  const put = (text: string, at: Vec3, id: number, priority: number): void => {
    view.project(at[0], at[1], at[2], p)
    if (p[2] > 0 && text)
      list.push({ text, x: p[0], y: p[1], width: labels.measure(text), id, priority: priority - p[2] / (radius(bounds) * 100) })
  }
  const { skeleton } = model.scene
  const w = model.pose.world
  const pointed = pointedJoint(selection, display)
  for (let j = 0; j < skeleton.count; j++) {
    const chosen = j === pointed || j === hovered
    if (!chosen && (!display.names || skeleton.roles?.[j] === 'hidden')) continue
    if (chosen) strong.add(j)
    put(skeleton.names[j], [w[16 * j + 12], w[16 * j + 13], w[16 * j + 14]], j, chosen ? 2 * ALWAYS : 0)
  }
  for (const i of shownHelpers(state)) {
    const h = state.helper(i)!
    const chosen = i === selection.helper
    if (chosen) strong.add(skeleton.count + i)
    put(h.label || h.name, place(h, w), skeleton.count + i, chosen ? 2 * ALWAYS : 1)
  }
  labels.labels(declutter(list, rig.width, rig.height), style, strong)
  const { mesh, vertex } = selection
  if (vertex === undefined || mesh < 0 || mesh >= model.meshes.length || !model.meshes[mesh].visible) return
  const positions = model.scenePositions(mesh)
  if (selection.vertices && selection.vertices.length > 1) {
    const places: number[] = []
    for (const v of selection.vertices) {
      view.project(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2], p)
      if (p[2] > 0) places.push(p[0], p[1])
    }
    labels.dots(places, style)
  }
  view.project(positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2], p)
  if (p[2] > 0) labels.ring(p[0], p[1], style)
}
