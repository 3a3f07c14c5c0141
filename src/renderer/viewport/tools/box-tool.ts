/** A box over the picture that chooses the bones in it, or the vertices of the mesh that some are chosen of. With Ctrl, so that a plain drag goes on turning the camera. */
import { jointsWithin } from '../bones.ts'
import { frontVertices } from '../front-vertices.ts'
import { verticesWithin } from '../picking.ts'
import type { LabelLayer } from '../label-layer.ts'
import type { ViewPick } from '../types.ts'
import type { ViewState } from '../view-state.ts'
import type { Tool, ToolPointer } from './tool.ts'

export class BoxTool implements Tool {
  private readonly state: ViewState
  private readonly choose: (what: Pick<ViewPick, 'joints' | 'mesh' | 'vertices'>) => void
  private from: { x: number; y: number } | null = null
  private to = { x: 0, y: 0 }

  constructor(state: ViewState, choose: BoxTool['choose']) {
    this.state = state
    this.choose = choose
  }

  /** Only bones that are drawn are chosen. */
  down(at: ToolPointer): boolean {
    const { model, display, selection } = this.state
    if (!model || (!selection.vertices && !display.skeleton)) return false
    this.from = { x: at.x, y: at.y }
    this.to = this.from
    return true
  }

  move(at: ToolPointer): void {
    this.to = { x: at.x, y: at.y }
    this.state.invalidate()
  }

  up(): void {
    const { model, rig, selection, display, view } = this.state
    const box = this.box
    this.cancel()
    if (!model || !box) return
    const { mesh } = selection
    if (!selection.vertices) this.choose({ joints: jointsWithin(model.scene.skeleton, model.pose.world, rig.projector(), box) })
    else if (model.meshes[mesh]) {
      const eye = rig.projector()
      const shown = (m: number, group?: number): boolean => view?.isShown(m, display, group) ?? true
      const front = (given: readonly number[]): number[] => frontVertices(model, shown, eye, box, mesh, given)
      this.choose({ mesh, vertices: verticesWithin(model, mesh, eye, box, display.frontOnly ? front : undefined) })
    }
  }

  cancel(): void {
    this.from = null
    this.state.invalidate()
  }

  drawOver(labels: LabelLayer): void {
    if (this.box) labels.box(this.box)
  }

  cursor(): string {
    return ''
  }

  private get box(): [number, number, number, number] | null {
    const { from, to } = this
    return from && [Math.min(from.x, to.x), Math.min(from.y, to.y), Math.max(from.x, to.x), Math.max(from.y, to.y)]
  }
}
