/** The tools of one picture, and which of them has the main button. */
import type { Helper } from '../../../shared/scene/types.ts'
import type { LocalPose } from '../gizmo.ts'
import type { PosedModel } from '../posed-model.ts'
import type { HeldPoint, HeldPose, StageEvents, ViewBrush, ViewTool } from '../types.ts'
import type { ViewState } from '../view-state.ts'
import { BoxTool } from './box-tool.ts'
import { BrushTool } from './brush-tool.ts'
import { CameraTool } from './camera-tool.ts'
import { GrabTool } from './grab-tool.ts'
import { HandleTool } from './handle-tool.ts'
import { ReachTool } from './reach-tool.ts'
import type { Tool } from './tool.ts'

export class ToolSet {
  readonly camera: CameraTool
  readonly box: BoxTool
  readonly grab: GrabTool
  private readonly handles: HandleTool
  private readonly reach: ReachTool
  private readonly brush: BrushTool
  private readonly events: StageEvents
  private told: HeldPose = { held: null, posed: null, point: null }

  constructor(state: ViewState, events: StageEvents) {
    this.events = events
    this.handles = new HandleTool(state, events)
    this.reach = new ReachTool(state, events)
    this.grab = new GrabTool(state, events)
    this.brush = new BrushTool(state, (event) => events.brush(event))
    this.camera = new CameraTool(state, () => this.active.ownsMain === true)
    this.box = new BoxTool(state, (what) => events.pick({ ...what, add: true }))
  }

  /** The tool that has the main button first. */
  get active(): Tool {
    if (this.grab.going) return this.grab
    if (this.brush.active) return this.brush
    if (this.reach.active) return this.reach
    return this.handles.active ? this.handles : this.camera
  }

  get painting(): boolean {
    return this.brush.active
  }

  /** Joints are moved: what is edited is where the file has it. */
  get posing(): boolean {
    return this.handles.active || this.reach.active || this.grab.going
  }

  /** The handles stand where the chosen bone's axes would. */
  get handled(): boolean {
    return this.handles.active
  }

  use(tool: ViewTool): void {
    this.handles.use({ ...tool, kind: tool.kind === 'reach' ? 'none' : tool.kind })
    this.reach.use(tool)
  }

  paint(brush: ViewBrush | null): void {
    this.brush.use(brush)
  }

  /** Another scene is shown. */
  adopt(model: PosedModel): void {
    this.handles.adopt(model)
    this.reach.adopt(model)
    this.grab.adopt(model)
  }

  /** The clip says again where what was held is. */
  letGo(): void {
    this.grab.letGo()
    this.handles.letGo()
    this.reach.letGo()
  }

  put(joint: number, pose: LocalPose | null, keepSkin = false): void {
    this.handles.put(joint, pose, keepSkin)
  }

  putPoint(point: HeldPoint | null): void {
    this.handles.putPoint(point)
  }

  /** What is held in the picture as it is drawn now, where it is something else than before. */
  tell({ held, posed }: PosedModel): void {
    const point = this.grab.heldPoint ?? this.handles.heldPoint
    const { told } = this
    if (held === told.held && posed === told.posed && point === told.point) return
    this.told = { held, posed, point }
    this.events.held(this.told)
  }

  /** The same, but for what is in the hand. */
  settle(): void {
    if (!this.handles.dragging) this.handles.letGo()
    if (!this.reach.dragging) this.reach.letGo()
    this.grab.letGo()
  }

  /** What another joint or point that is chosen lets go of. */
  leave(): void {
    this.grab.letGo()
    this.handles.letGo()
  }

  helper(index: number | undefined): Helper | undefined {
    return this.grab.holds(index) ? this.grab.helper(index) : this.handles.helper(index)
  }
}
