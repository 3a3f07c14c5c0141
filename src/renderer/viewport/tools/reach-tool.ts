/**
 * Posing by inverse kinematics: any joint is drawn to where it shall be, in the plane of the screen or along an axis, and its
 * chain follows; pinned joints stay. What was posed is shown at once and held until the window has its edit.
 */
import { changedJoints, copyMoment, pinAt, solvePose } from '../../../shared/motion/posing.ts'
import { momentOf, readMoment, rigOf } from '../../../shared/motion/rig.ts'
import { vectorAt } from '../../../shared/motion/turns.ts'
import type { PosedMoment, PosingRig } from '../../../shared/motion/rig.ts'
import { say } from '../../../shared/texts/say.ts'
import { formatNumber } from '../../ui/format.ts'
import type { FlatData } from '../flat-batch.ts'
import type { LabelLayer, LabelStyle } from '../label-layer.ts'
import { basis } from '../orbit.ts'
import type { PosedModel } from '../posed-model.ts'
import { fillReach, REACH_PIXELS } from '../reach-marks.ts'
import type { PosedJoints, ReachDrag, ReachOptions, ViewPick, ViewTool } from '../types.ts'
import { add, dot, mad, scale, sub } from '../vec.ts'
import type { Vec3 } from '../vec.ts'
import type { ViewState } from '../view-state.ts'
import { typedNumber } from './handle-tool.ts'
import type { CssCursor, Tool, ToolPointer } from './tool.ts'

const NOTHING: ReachOptions = { pins: [], bones: new Map(), follow: false }
const AXES = ['x', 'y', 'z'] as const
/** A joint that is farther from where it is drawn, in heights of the figure, does not reach it. */
const SHORT = 0.005

export interface ReachEvents {
  reach(drag: ReachDrag): void
  pick(what: ViewPick): void
}

interface Drag {
  joint: number
  /** what the pointer took hold of it with: place of the joint less place under the pointer */
  grip: Vec3
  start: Vec3
  moved: boolean
  /** of the scene; null: the plane of the screen */
  axis: 0 | 1 | 2 | null
  typed: string
  last: ToolPointer
  left: number
}

export class ReachTool implements Tool {
  private readonly state: ViewState
  private readonly events: ReachEvents
  private options: ReachOptions = NOTHING
  private on = false
  private rig: { of: object; rig: PosingRig } | null = null
  /** the clip's own pose, that which a drag starts from, and what comes of it */
  private moments: { clip: PosedMoment; from: PosedMoment; out: PosedMoment } | null = null
  private drag: Drag | null = null
  private hovered = -1

  constructor(state: ViewState, events: ReachEvents) {
    this.state = state
    this.events = events
  }

  get active(): boolean {
    return this.on
  }

  get dragging(): boolean {
    return this.drag !== null
  }

  use({ kind, reach }: ViewTool): void {
    const was = this.on
    this.on = kind === 'reach'
    this.options = reach ?? NOTHING
    if (was && !this.on) this.letGo()
  }

  /** Another scene is shown: the edit of what was posed, most often. */
  adopt(model: PosedModel): void {
    if (this.drag) model.posed = this.posed()
  }

  /** The clip says again where the joints are. */
  letGo(): void {
    const { model } = this.state
    this.drag = null
    if (!model?.posed) return
    model.posed = null
    this.state.repose()
  }

  down(at: ToolPointer): boolean {
    const { model } = this.state
    const joint = this.jointAt(at.x, at.y)
    const rig = this.ready()
    if (!model || !rig || joint < 0) return false
    const moments = (this.moments ??= { clip: momentOf(rig), from: momentOf(rig), out: momentOf(rig) })
    readMoment(rig, model.pose.local, moments.from)
    if (!model.posed) copyMoment(moments.from, moments.clip)
    copyMoment(moments.from, moments.out)
    const start = vectorAt(moments.from.places.place, 3 * joint)
    this.drag = { joint, start, grip: [0, 0, 0], moved: false, axis: null, typed: '', last: at, left: 0 }
    this.drag.grip = sub(start, this.placeUnder(at, null))
    return true
  }

  move(at: ToolPointer): void {
    const { drag, moments } = this
    const { model } = this.state
    const rig = this.ready()
    if (!drag || !moments || !model || !rig) return
    drag.last = at
    if (!drag.moved) this.events.reach({ joint: drag.joint, pose: this.posed(), phase: 'start' })
    drag.moved = true
    const { pins, bones, follow } = this.options
    const wish = { joint: drag.joint, target: this.target(drag) }
    drag.left = solvePose(
      rig,
      moments.from,
      { drag: wish, pins: pins.flatMap((joint) => (joint < rig.figure.count ? [pinAt(moments.from, joint)] : [])), bones, follow },
      moments.out,
    )
    model.posed = this.posed()
    this.state.repose()
    this.events.reach({ joint: drag.joint, pose: model.posed, phase: 'drag' })
  }

  /** An axis letter holds to that axis and lets go of it again; digits are how far along it; Enter lets go of the joint. */
  key(event: KeyboardEvent): boolean {
    const { drag } = this
    if (!drag || event.type !== 'keydown' || event.ctrlKey || event.metaKey || event.altKey) return false
    const axis = AXES.findIndex((name) => name === event.key.toLowerCase())
    if (axis >= 0) {
      drag.axis = drag.axis === axis ? null : (axis as 0 | 1 | 2)
      drag.typed = ''
    } else if (event.key === 'Enter') {
      this.up()
      return true
    } else {
      const typed = drag.axis === null ? null : typedNumber(drag.typed, event.key)
      if (typed === null) return false
      drag.typed = typed
    }
    this.move(drag.last)
    return true
  }

  up(): void {
    const { drag } = this
    const { model } = this.state
    if (!drag) return
    this.drag = null
    if (drag.moved && model?.posed) this.events.reach({ joint: drag.joint, pose: model.posed, phase: 'end' })
    // a press that goes nowhere chooses the joint
    else if (!drag.moved) this.events.pick({ joint: drag.joint })
    this.state.invalidate()
  }

  cancel(): void {
    const { drag } = this
    if (drag?.moved) this.events.reach({ joint: drag.joint, pose: this.posed(), phase: 'cancel' })
    this.letGo()
    this.state.invalidate()
  }

  draw(batch: FlatData): boolean {
    const { model, rig: camera, pointer } = this.state
    const rig = this.ready()
    if (!model || !rig || !this.on) return false
    if (!this.drag) this.hovered = pointer ? this.jointAt(pointer.x, pointer.y) : -1
    fillReach(batch, {
      rig,
      world: model.pose.world,
      view: camera.projector(),
      camera: basis(camera.orbit),
      handles: this.handles(rig),
      pins: this.options.pins,
      bones: this.options.bones,
      chosen: this.state.selection.joint,
      active: this.drag?.joint ?? this.hovered,
      axis: this.drag?.axis ?? null,
    })
    return true
  }

  /** Which axis it is held to and how far, and that it does not reach. */
  drawOver(labels: LabelLayer, style: LabelStyle): void {
    const { drag } = this
    const rig = this.rig?.rig
    if (!drag?.moved || !rig) return
    const parts: string[] = []
    if (drag.axis !== null) {
      const far = drag.typed || formatNumber(dot(sub(this.target(drag), drag.start), axisOf(drag.axis)), 4)
      parts.push(`${AXES[drag.axis].toUpperCase()} ${far}`)
    }
    if (drag.left > SHORT * rig.figure.height) parts.push(say('viewport.outOfReach', { distance: formatNumber(drag.left, 3) }))
    if (parts.length > 0) labels.note(parts.join(', '), drag.last.x, drag.last.y, style)
  }

  cursor(): CssCursor {
    return this.drag ? 'grabbing' : this.hovered >= 0 ? 'grab' : ''
  }

  private handles(rig: PosingRig): number[] {
    const { joint } = this.state.selection
    const more = [joint, ...this.options.pins].filter((j) => j >= 0 && j < rig.figure.count && rig.figure.bone[j] === 1)
    return [...new Set([...more, ...rig.handles])]
  }

  private ready(): PosingRig | null {
    const { model } = this.state
    if (!model) return null
    const { skeleton, skins } = model.scene
    if (this.rig?.of !== skeleton) {
      this.rig = { of: skeleton, rig: rigOf({ skeleton, skins }) }
      this.moments = null
    }
    return this.rig.rig
  }

  private posed(): PosedJoints {
    const { clip, out } = this.moments!
    const { turned, moved } = changedJoints(this.rig!.rig, clip, out)
    return { turned, moved, translation: out.parts.translation.slice(), rotation: out.parts.rotation.slice() }
  }

  private jointAt(x: number, y: number): number {
    const { model, rig: camera } = this.state
    const rig = this.ready()
    if (!model || !rig) return -1
    const view = camera.projector()
    const { world } = model.pose
    const p = [0, 0, 0]
    let best = -1
    let nearest = REACH_PIXELS + 4
    for (const joint of this.handles(rig)) {
      view.project(world[16 * joint + 12], world[16 * joint + 13], world[16 * joint + 14], p)
      const away = Math.hypot(p[0] - x, p[1] - y)
      if (p[2] <= 0 || away >= nearest) continue
      // of several behind one another the chosen one is meant
      if (joint === this.state.selection.joint) return joint
      nearest = away
      best = joint
    }
    return best
  }

  private target(drag: Drag): Vec3 {
    const { axis } = drag
    if (axis === null) return add(this.placeUnder(drag.last, null), drag.grip)
    const way = axisOf(axis)
    const typed = Number(drag.typed)
    const far = /\d/.test(drag.typed) && Number.isFinite(typed) ? typed : dot(sub(this.placeUnder(drag.last, axis), drag.start), way)
    return mad(drag.start, way, far)
  }

  /** The pointer in the scene: in the plane of the screen through the joint, or on an axis of the scene through it. */
  private placeUnder(at: ToolPointer, axis: 0 | 1 | 2 | null): Vec3 {
    const { rig } = this.state
    const start = this.drag!.start
    const { origin, direction } = rig.projector().ray(at.x, at.y)
    if (axis === null) {
      const { back } = basis(rig.orbit)
      const d = dot(direction, back)
      return Math.abs(d) < 1e-4 ? start : mad(origin, direction, dot(sub(start, origin), back) / d)
    }
    const way = axisOf(axis)
    const w = sub(start, origin)
    const b = dot(way, direction)
    const denominator = 1 - b * b
    // looked at along the axis there is no way to tell where on it
    if (denominator < 1e-4) return start
    return add(start, scale(way, (b * dot(direction, w) - dot(way, w)) / denominator))
  }
}

const axisOf = (axis: 0 | 1 | 2): Vec3 => [axis === 0 ? 1 : 0, axis === 1 ? 1 : 0, axis === 2 ? 1 : 0]
