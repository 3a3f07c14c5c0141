/** Handles that move or turn the chosen joint, or move the chosen point. What was moved is shown at once and held until the window has its edit. */
import type { Helper } from '../../../shared/scene/types.ts'
import { formatNumber } from '../../ui/format.ts'
import type { FlatData } from '../flat-batch.ts'
import { fillGizmo, GizmoDrag, gizmoFrame, jointSubject, pickHandle, pointSubject } from '../gizmo.ts'
import type { GizmoFrame, GizmoSubject, Handle, LocalPose } from '../gizmo.ts'
import { measureGrid } from '../grid.ts'
import type { LabelLayer, LabelStyle } from '../label-layer.ts'
import { basis } from '../orbit.ts'
import type { PosedModel } from '../posed-model.ts'
import type { HeldPoint, PointDrag, PoseDrag, ViewTool } from '../types.ts'
import type { ViewState } from '../view-state.ts'
import type { CssCursor, Tool, ToolPointer } from './tool.ts'

/** Degrees with one place, as a protractor reads them. */
const formatAngle = (radians: number): string => ((radians * 180) / Math.PI).toFixed(1).replace(/^-(0\.0)$/, '$1')

/** What a key makes of a number that is being typed; null where it has no part in one. */
export function typedNumber(text: string, key: string): string | null {
  if (key === 'Backspace') return text.slice(0, -1)
  if (key === '-') return text.startsWith('-') ? text.slice(1) : `-${text}`
  if (key === '.' || key === ',') return text.includes('.') ? text : `${text}.`
  return /^\d$/.test(key) && text.length < 12 ? text + key : null
}

/** Angles that Ctrl holds to. */
export const TURN_STEP = Math.PI / 36

/** The handles' own tools. */
export type HandleOptions = ViewTool & { kind: 'none' | 'move' | 'rotate' }

export interface HandleEvents {
  pose(drag: PoseDrag): void
  point(drag: PointDrag): void
}

export class HandleTool implements Tool {
  private readonly state: ViewState
  private readonly events: HandleEvents
  private options: HandleOptions = { kind: 'none', space: 'local' }
  private gizmo: GizmoFrame | null = null
  /** under the pointer, or in the hand */
  private handle: Handle | null = null
  private drag: GizmoDrag | null = null
  private last: ToolPointer | null = null
  /** digits that were typed while it is held: they count in place of the pointer */
  private typed = ''
  private held: LocalPose | null = null
  /** a point that a handle put elsewhere than the scene has it */
  heldPoint: HeldPoint | null = null
  /** a point as numbers have it that are being typed */
  private typedPoint: HeldPoint | null = null

  constructor(state: ViewState, events: HandleEvents) {
    this.state = state
    this.events = events
  }

  get active(): boolean {
    return this.options.kind !== 'none'
  }

  get dragging(): boolean {
    return this.drag !== null
  }

  use(options: HandleOptions): void {
    this.options = options
  }

  /** A helper as it is held now. */
  helper(index: number | undefined): Helper | undefined {
    const helper = index === undefined ? undefined : this.state.model?.scene.helpers[index]
    const held = this.typedPoint ?? this.heldPoint
    return helper && held && held.helper === index ? { ...helper, center: held.center } : helper
  }

  /** Another scene is shown. An edit of the very joint that is being dragged comes back as one: the hand still holds it. */
  adopt(model: PosedModel): void {
    if (this.drag && this.held) model.held = { joint: this.state.selection.joint, ...this.held, keepSkin: this.options.keepSkin }
    else this.held = null
    if (!this.drag) this.heldPoint = this.typedPoint = null
  }

  /** A joint is shown as numbers say that are being typed, null: as it was before; what is in the hand comes before them. */
  put(joint: number, pose: LocalPose | null, keepSkin: boolean): void {
    const { model } = this.state
    if (this.drag || !model) return
    model.typed = pose && { joint, ...pose, keepSkin }
    this.state.repose()
  }

  /** The same of a point. */
  putPoint(point: HeldPoint | null): void {
    if (this.drag) return
    this.typedPoint = point
    this.state.repose()
  }

  down(at: ToolPointer): boolean {
    const subject = this.subject()
    const { gizmo } = this
    if (!subject || !gizmo) return false
    const view = this.state.rig.projector()
    const handle = pickHandle(gizmo, view, at.x, at.y)
    if (handle === null) return false
    this.handle = handle
    this.drag = new GizmoDrag(gizmo, handle, subject, view, at.x, at.y)
    this.typed = ''
    this.last = at
    this.hold(this.drag.to(view, at.x, at.y), 'start')
    return true
  }

  move(at: ToolPointer): void {
    if (!this.drag) return
    this.last = at
    const step = !at.ctrl ? 0 : this.options.kind === 'rotate' ? TURN_STEP : measureGrid(this.state.bounds).step
    this.hold(this.drag.to(this.state.rig.projector(), at.x, at.y, step, this.exact), 'drag')
  }

  /** Steps begin and end with Ctrl, whether or not the pointer moves. A number that is typed is how far it goes, Enter lets go of it. */
  key(event: KeyboardEvent): boolean {
    const { last } = this
    if (!last || !this.drag) return false
    if (event.key === 'Control') {
      this.move({ ...last, ctrl: event.type === 'keydown' })
      return true
    }
    if (event.type !== 'keydown' || event.ctrlKey || event.metaKey || event.altKey) return false
    if (event.key === 'Enter') {
      this.up()
      return true
    }
    const typed = typedNumber(this.typed, event.key)
    if (typed === null) return false
    this.typed = typed
    this.move(last)
    return true
  }

  /** Radians or scene units that were typed. */
  private get exact(): number | undefined {
    const value = Number(this.typed)
    if (!/\d/.test(this.typed) || !Number.isFinite(value)) return undefined
    return this.options.kind === 'rotate' ? (value * Math.PI) / 180 : value
  }

  /** How far the handle went, beside the pointer. */
  drawOver(labels: LabelLayer, style: LabelStyle): void {
    if (!this.drag || !this.last) return
    const { amount } = this.drag
    const text = this.typed || (this.options.kind === 'rotate' ? formatAngle(amount) : formatNumber(amount, 4))
    labels.note(this.options.kind === 'rotate' ? `${text}°` : text, this.last.x, this.last.y, style)
  }

  up(): void {
    this.finish('end')
  }

  cancel(): void {
    this.finish('cancel')
    this.letGo()
  }

  /** The clip says again where the joint is. */
  letGo(): void {
    const { model } = this.state
    if (!this.held && !this.heldPoint && !this.typedPoint && !this.drag && !model?.typed) return
    this.drag = null
    this.held = null
    this.heldPoint = this.typedPoint = null
    if (model) model.held = model.typed = null
    this.state.repose()
  }

  draw(batch: FlatData): boolean {
    const { pointer, rig } = this.state
    const { kind, space } = this.options
    const subject = this.subject()
    const view = rig.projector()
    this.gizmo = kind !== 'none' && subject ? gizmoFrame(kind, space, subject, view, basis(rig.orbit)) : null
    if (!this.gizmo) {
      this.handle = null
      return false
    }
    if (!this.drag) this.handle = pointer ? pickHandle(this.gizmo, view, pointer.x, pointer.y) : null
    fillGizmo(batch, this.gizmo, this.handle)
    return true
  }

  cursor(): CssCursor {
    return this.handle === null ? '' : 'grab'
  }

  /** What the handles take: the chosen point, else the chosen joint. */
  private subject(): GizmoSubject | null {
    const { model, selection } = this.state
    if (!model) return null
    const helper = this.helper(selection.helper)
    if (helper) return pointSubject(helper, model.pose)
    const { joint } = selection
    return joint >= 0 && joint < model.scene.skeleton.count ? jointSubject(model.scene.skeleton, joint, model.pose) : null
  }

  private finish(phase: 'end' | 'cancel'): void {
    if (!this.drag) return
    this.drag = null
    this.last = null
    if (this.heldPoint) this.hold({ translation: this.heldPoint.center, rotation: [0, 0, 0, 1] }, phase)
    else if (this.held) this.hold(this.held, phase)
  }

  private hold(pose: LocalPose, phase: PoseDrag['phase']): void {
    const { joint, helper } = this.state.selection
    if (this.helper(helper)) {
      this.typedPoint = null
      this.heldPoint = { helper: helper!, center: pose.translation }
      this.events.point({ ...this.heldPoint, phase })
      this.state.repose()
      return
    }
    this.held = pose
    const { model } = this.state
    const { kind, keepSkin } = this.options
    if (model) {
      model.held = { joint, ...pose, keepSkin }
      model.typed = null
    }
    this.state.repose()
    if (kind !== 'none') this.events.pose({ joint, kind, ...pose, phase })
  }
}
