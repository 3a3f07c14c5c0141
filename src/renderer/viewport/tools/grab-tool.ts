/**
 * What is chosen is moved or turned at once: it follows the pointer with no button held, until a press or Enter keeps it, or Escape or the
 * second button takes it back. Bones of a clip several at a time; at rest, and points, the one that was chosen last.
 */
import { decompose } from '../../../shared/scene/matrix.ts'
import type { Helper } from '../../../shared/scene/types.ts'
import type { FlatData, Tint } from '../flat-batch.ts'
import { jointSubject, pointSubject } from '../gizmo.ts'
import type { GizmoKind, LocalPose } from '../gizmo.ts'
import { Grab, nextHold, topmost } from '../grab.ts'
import type { AxisIndex, GrabHold } from '../grab.ts'
import { AXIS_X, AXIS_Y, AXIS_Z, measureGrid } from '../grid.ts'
import { basis, viewer } from '../orbit.ts'
import type { PosedModel } from '../posed-model.ts'
import type { GrabShown, HeldPoint, PointDrag, PoseDrag, PosedJoints, ReachDrag } from '../types.ts'
import { mad } from '../vec.ts'
import type { Vec3 } from '../vec.ts'
import type { ViewState } from '../view-state.ts'
import { TURN_STEP, typedNumber } from './handle-tool.ts'
import type { CssCursor, Tool, ToolPointer } from './tool.ts'

export interface GrabEvents {
  pose(drag: PoseDrag): void
  reach(drag: ReachDrag): void
  point(drag: PointDrag): void
  grab(shown: GrabShown | null): void
}

/** What is held: joints of a clip, one joint at rest, or a point. */
type Target =
  { kind: 'joints'; joints: readonly number[]; before: PosedJoints } | { kind: 'rest'; joint: number } | { kind: 'point'; helper: number }
type Phase = PoseDrag['phase']

const TINTS: readonly Tint[] = [AXIS_X, AXIS_Y, AXIS_Z]
const LETTERS = ['x', 'y', 'z']

interface Going {
  grab: Grab
  target: Target
  hold: GrabHold | null
  typed: string
  /** where the pointer was at first */
  from: { x: number; y: number } | null
  at: { x: number; y: number } | null
  snap: boolean
  out: LocalPose[]
}

export class GrabTool implements Tool {
  readonly ownsMain = true
  private readonly state: ViewState
  private readonly events: GrabEvents
  private now: Going | null = null
  private keepSkin = false
  /** a joint at rest stands where it was put: its edit is on its way */
  private heldRest = false
  /** a point that was put elsewhere than the scene has it */
  heldPoint: HeldPoint | null = null

  constructor(state: ViewState, events: GrabEvents) {
    this.state = state
    this.events = events
  }

  get going(): boolean {
    return this.now !== null
  }

  /** Begins with what is chosen; false where nothing is. In the middle of another one the same is held on, in this way. */
  begin(kind: GizmoKind, keepSkin = false): boolean {
    const pointer = this.now?.at ?? this.state.pointer
    if (this.now?.grab.kind === kind) return true
    this.cancel()
    this.asInFile()
    const begun = this.take(kind)
    if (!begun) return false
    this.keepSkin = keepSkin
    const at = pointer && { x: pointer.x, y: pointer.y }
    this.now = { ...begun, hold: null, typed: '', from: at, at, snap: false, out: [] }
    this.put('start')
    return true
  }

  holds(helper: number | undefined): boolean {
    return helper !== undefined && this.heldPoint?.helper === helper
  }

  helper(index: number | undefined): Helper | undefined {
    const helper = index === undefined ? undefined : this.state.model?.scene.helpers[index]
    const held = this.heldPoint
    return helper && held && held.helper === index ? { ...helper, center: held.center } : helper
  }

  /** Another scene is shown: what is in the hand stays there, if the scene still has it. */
  adopt(model: PosedModel): void {
    const { now } = this
    if (!now) {
      this.heldPoint = null
      this.heldRest = false
      return
    }
    const { target } = now
    if (target.kind === 'point') return
    const last = target.kind === 'rest' ? target.joint : Math.max(...target.joints)
    if (last < model.scene.skeleton.count && (target.kind === 'rest' || 4 * model.scene.skeleton.count === target.before.rotation.length))
      this.show(model, now)
    else this.cancel()
  }

  /** No press is its own: what listens to the pointer ends it. */
  down(): boolean {
    return false
  }

  move(at: ToolPointer): void {
    const { now } = this
    if (!now) return
    now.at = { x: at.x, y: at.y }
    now.from ??= now.at
    now.snap = at.ctrl
    this.put('drag')
  }

  /** Axis letters, digits, Enter and Escape; G and R change what it does. All others wait until it is over. */
  key(event: KeyboardEvent): boolean {
    const { now } = this
    if (!now) return false
    if (event.key === 'Control' || event.key === 'Meta') {
      now.snap = event.type === 'keydown'
      this.put('drag')
      return true
    }
    if (event.type !== 'keydown') return false
    if (event.ctrlKey || event.metaKey || event.altKey) return true
    const letter = letterOf(event)
    const axis = LETTERS.indexOf(letter)
    if (event.key === 'Enter' || event.key === ' ') this.up()
    else if (event.key === 'Escape') this.cancel()
    else if (axis >= 0) this.holdTo(nextHold(now.hold, axis as AxisIndex, event.shiftKey))
    else if (letter === 'g' || letter === 'r') this.begin(letter === 'g' ? 'move' : 'rotate', this.keepSkin)
    else {
      const typed = typedNumber(now.typed, event.key)
      if (typed !== null) {
        now.typed = typed
        this.put('drag')
      }
    }
    return true
  }

  up(): void {
    const { now } = this
    if (!now) return
    if (now.grab.amounts.every((amount) => amount === 0)) {
      this.cancel()
      return
    }
    this.now = null
    this.heldRest = now.target.kind === 'rest'
    this.tell(now, 'end')
    this.events.grab(null)
    this.state.repose()
  }

  cancel(): void {
    const { now } = this
    if (!now) return
    this.now = null
    const { model } = this.state
    const { target } = now
    if (target.kind === 'point') this.heldPoint = null
    else if (model && target.kind === 'rest') model.held = null
    // what was posed before it stays
    else if (model && target.kind === 'joints') model.posed = isPosed(target.before) ? target.before : null
    this.state.repose()
    this.tell(now, 'cancel')
    this.events.grab(null)
  }

  /** The scene says again where what was held is. */
  letGo(): void {
    this.cancel()
    this.heldPoint = null
    const { model } = this.state
    if (!this.heldRest || !model) return
    this.heldRest = false
    model.held = null
    this.state.repose()
  }

  /** The axes that it is held to. */
  draw(batch: FlatData): boolean {
    const { now } = this
    if (!now?.hold) return now !== null
    const { rig } = this.state
    const view = rig.projector()
    const { grab, hold } = now
    const p = [0, 0, 0]
    view.project(...grab.pivot, p)
    const pixel = 1 / view.pixelsAt(Math.max(p[2], 1e-6))
    const axes = grab.axes(hold)
    for (const c of grab.counts(hold)) {
      const end = (k: number): Vec3 => mad(grab.pivot, axes[c], k * 600 * pixel)
      batch.ribbon(end(-1), end(1), basis(rig.orbit).back, 0.8 * pixel, TINTS[c])
    }
    return true
  }

  cursor(): CssCursor {
    return this.now ? 'move' : ''
  }

  /** What is edited is where the file has it, also of a walk that is shown in its place. */
  private asInFile(): void {
    const { model, clip, time, rig } = this.state
    if (!model?.inPlace) return
    model.inPlace = false
    model.update(clip, time, viewer(rig.orbit))
  }

  private holdTo(hold: GrabHold | null): void {
    this.now!.hold = hold
    this.put('drag')
  }

  private take(kind: GizmoKind): Pick<Going, 'grab' | 'target'> | null {
    const { model, selection, clip } = this.state
    if (!model) return null
    const { skeleton } = model.scene
    const helper = this.state.helper(selection.helper)
    if (helper) {
      if (kind === 'rotate') return null
      return { grab: new Grab(kind, [pointSubject(helper, model.pose)]), target: { kind: 'point', helper: selection.helper! } }
    }
    const there = (joint: number): boolean => joint >= 0 && joint < skeleton.count
    if (clip < 0) {
      const { joint } = selection
      return there(joint) ? { grab: new Grab(kind, [jointSubject(skeleton, joint, model.pose)]), target: { kind: 'rest', joint } } : null
    }
    const joints = topmost(skeleton.parents, [...new Set(selection.joints ?? [selection.joint])].filter(there))
    if (joints.length === 0) return null
    const before = posedNow(model)
    return {
      grab: new Grab(
        kind,
        joints.map((joint) => jointSubject(skeleton, joint, model.pose)),
      ),
      target: { kind: 'joints', joints, before },
    }
  }

  private put(phase: 'start' | 'drag'): void {
    const { now } = this
    const { model, rig, bounds } = this.state
    if (!now || !model) return
    const { grab, hold } = now
    const rotates = grab.kind === 'rotate'
    const value = Number(now.typed)
    const exact = /\d/.test(now.typed) && Number.isFinite(value) ? (rotates ? (value * Math.PI) / 180 : value) : undefined
    const step = !now.snap ? 0 : rotates ? TURN_STEP : measureGrid(bounds).step
    now.out = grab.to({ view: rig.projector(), camera: basis(rig.orbit), from: now.from, at: now.at, hold, step, exact })
    this.show(model, now)
    this.tell(now, phase)
    const { target } = now
    this.events.grab({
      kind: grab.kind,
      hold,
      amounts: grab.counts(hold).map((axis) => ({ axis, value: grab.amounts[axis] })),
      typed: now.typed,
      joints: target.kind === 'joints' ? target.joints : target.kind === 'rest' ? [target.joint] : [],
    })
  }

  private show(model: PosedModel, { target, out, grab }: Going): void {
    model.typed = null
    if (target.kind === 'point') this.heldPoint = { helper: target.helper, center: out[0].translation }
    else if (target.kind === 'rest') model.held = { joint: target.joint, ...out[0], keepSkin: this.keepSkin }
    else model.posed = withJoints(target.before, target.joints, out, grab.kind)
    this.state.repose()
  }

  private tell({ target, out, grab }: Going, phase: Phase): void {
    const { events } = this
    const [first] = out
    if (target.kind === 'point') events.point({ helper: target.helper, center: first.translation, phase })
    else if (target.kind === 'rest') events.pose({ joint: target.joint, kind: grab.kind, ...first, phase })
    else {
      const pose = phase === 'cancel' ? target.before : withJoints(target.before, target.joints, out, grab.kind)
      events.reach({ joint: target.joints[0], pose, phase, grabbed: { kind: grab.kind, count: target.joints.length } })
    }
  }
}

/** The letter of a key, also where the layout types others. */
function letterOf({ key, code }: KeyboardEvent): string {
  return /^[a-z]$/i.test(key) ? key.toLowerCase() : /^Key[A-Z]$/.test(code) && key.length === 1 ? code.slice(3).toLowerCase() : ''
}

const isPosed = ({ turned, moved }: PosedJoints): boolean => turned.length + moved.length > 0

/** All joints as they stand now, and which of them tools have put elsewhere than the clip has them. */
function posedNow({ scene, pose, posed }: PosedModel): PosedJoints {
  const { count } = scene.skeleton
  const [translation, rotation] = [new Float64Array(3 * count), new Float64Array(4 * count)]
  const scale = [0, 0, 0]
  for (let i = 0; i < count; i++) decompose(pose.local, 16 * i, translation, 3 * i, rotation, 4 * i, scale, 0)
  return { turned: posed?.turned ?? [], moved: posed?.moved ?? [], translation, rotation }
}

function withJoints(before: PosedJoints, joints: readonly number[], out: readonly LocalPose[], kind: GizmoKind): PosedJoints {
  const translation = before.translation.slice()
  const rotation = before.rotation.slice()
  joints.forEach((joint, i) => {
    if (kind === 'move') translation.set(out[i].translation, 3 * joint)
    else rotation.set(out[i].rotation, 4 * joint)
  })
  const also = (list: readonly number[], on: boolean): readonly number[] => (on ? [...new Set([...list, ...joints])] : list)
  return { turned: also(before.turned, kind === 'rotate'), moved: also(before.moved, kind === 'move'), translation, rotation }
}
