/** A round brush on one mesh. What a dab means is the window's business. */
import { alongStroke, brushRim, brushSpot, type BrushSpot } from '../brush.ts'
import type { LabelLayer, LabelStyle } from '../label-layer.ts'
import { pickSurface } from '../picking.ts'
import type { BrushEvent, ViewBrush } from '../types.ts'
import type { ViewState } from '../view-state.ts'
import type { CssCursor, Tool, ToolPointer } from './tool.ts'

export class BrushTool implements Tool {
  readonly ownsMain = true
  private readonly state: ViewState
  private readonly strokeChanged: (event: BrushEvent) => void
  private brush: ViewBrush | null = null
  /** where the last dab of a stroke was, null between strokes */
  private stroke: { x: number; y: number } | null = null

  constructor(state: ViewState, strokeChanged: (event: BrushEvent) => void) {
    this.state = state
    this.strokeChanged = strokeChanged
  }

  get active(): boolean {
    return this.brush !== null
  }

  /** A stroke on another mesh is taken back. */
  use(brush: ViewBrush | null): void {
    if (!brush || brush.mesh !== this.brush?.mesh) this.cancel()
    this.brush = brush
  }

  down(at: ToolPointer): boolean {
    if (!this.dab(at.x, at.y, 'start', at.ctrl)) return false
    this.stroke = { x: at.x, y: at.y }
    return true
  }

  move(at: ToolPointer): void {
    if (!this.stroke || !this.brush) return
    for (const { x, y } of alongStroke(this.stroke, at, this.brush.radius)) this.dab(x, y, 'drag', at.ctrl)
    this.stroke = { x: at.x, y: at.y }
    this.state.invalidate()
  }

  up(): void {
    this.end('end')
  }

  cancel(): void {
    this.end('cancel')
  }

  cursor(): CssCursor {
    return this.spotAtPointer() ? 'none' : ''
  }

  /** The rim where the brush would paint. */
  drawOver(labels: LabelLayer, style: LabelStyle): void {
    const spot = this.spotAtPointer()
    if (!spot) return
    const view = this.state.rig.projector()
    const p = [0, 0, 0]
    view.project(...spot.hit.point, p)
    labels.rim(brushRim(spot, view), p[0], p[1], style)
  }

  private end(phase: 'end' | 'cancel'): void {
    if (!this.stroke) return
    this.stroke = null
    this.strokeChanged({ phase })
    this.state.invalidate()
  }

  private spotAtPointer(): BrushSpot | null {
    const { pointer } = this.state
    return pointer && this.spotAt(pointer.x, pointer.y)
  }

  private spotAt(x: number, y: number): BrushSpot | null {
    const { brush } = this
    const { model, view, display, rig } = this.state
    if (!model || !view || !brush) return null
    const projected = rig.projector()
    const { origin, direction } = projected.ray(x, y)
    const hit = pickSurface(model, (i) => i === brush.mesh && view.isShown(i, display), origin, direction)
    return hit && brushSpot(model, hit, projected, direction, brush.radius)
  }

  private dab(x: number, y: number, phase: 'start' | 'drag', inverse: boolean): boolean {
    const { model } = this.state
    const spot = this.spotAt(x, y)
    if (!spot || !model) return false
    const { mesh, point } = spot.hit
    this.strokeChanged({ phase, mesh, point, radius: spot.radius, positions: model.scenePositions(mesh), inverse })
    return true
  }
}
