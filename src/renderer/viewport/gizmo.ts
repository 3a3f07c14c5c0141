/** Handles that move or turn a joint, or move a point that hangs on one: what they look like, what is under the pointer, what a drag means. Plain maths, no Babylon.js. */
import { compose, decompose, identity, invertAffine, multiply, multiplyQuat, transformPoint } from '../../shared/scene/matrix.ts'
import type { Helper, Skeleton } from '../../shared/scene/types.ts'
import type { FlatData, Tint } from './flat-batch.ts'
import { AXIS_X, AXIS_Y, AXIS_Z } from './grid.ts'
import type { Basis, Projector } from './orbit.ts'
import { cross, dot, length, mad, normalize, scale, sub } from './vec.ts'
import type { Vec3 } from './vec.ts'

export type GizmoKind = 'move' | 'rotate'
export type GizmoSpace = 'local' | 'parent' | 'world'
/** an axis, or the plane of the screen */
export type Handle = 0 | 1 | 2 | 'screen'

/** Where a joint is put: its local transform, parts that were not touched as they were. */
export interface LocalPose {
  translation: [number, number, number]
  rotation: [number, number, number, number]
  /** absent: as it was */
  scale?: [number, number, number]
}

/** What is held: 16 numbers each, in the scene, of what carries it (null for a root), and within that. */
export interface GizmoSubject {
  world: Float32Array
  parent: Float32Array | null
  local: Float32Array
}

export function jointSubject(s: Skeleton, joint: number, pose: { world: Float32Array; local: Float32Array }): GizmoSubject {
  const of = (matrices: Float32Array, j: number): Float32Array => matrices.slice(16 * j, 16 * j + 16)
  const parent = s.parents[joint]
  return { world: of(pose.world, joint), parent: parent < 0 ? null : of(pose.world, parent), local: of(pose.local, joint) }
}

/** A point stands as its joint does; it has a place and no turn of its own. */
export function pointSubject(helper: Pick<Helper, 'joint' | 'center'>, pose: { world: Float32Array }): GizmoSubject {
  const { joint, center } = helper
  const local = new Float32Array(16)
  identity(local)
  local.set(center, 12)
  if (joint < 0 || 16 * joint + 16 > pose.world.length) return { world: local.slice(), parent: null, local }
  const parent = pose.world.slice(16 * joint, 16 * joint + 16)
  const world = parent.slice()
  const p: Vec3 = [0, 0, 0]
  transformPoint(p, 0, parent, 0, center[0], center[1], center[2])
  world.set(p, 12)
  return { world, parent, local }
}

export interface GizmoFrame {
  kind: GizmoKind
  origin: Vec3
  axes: [Vec3, Vec3, Vec3]
  /** towards the viewer */
  back: Vec3
  /** length of a handle in the scene: the same on screen at any distance */
  size: number
}

const PIXELS = 78
const REACH = 8
const STEPS = 48

export function gizmoFrame(kind: GizmoKind, space: GizmoSpace, subject: GizmoSubject, view: Projector, camera: Basis): GizmoFrame {
  const { world, parent } = subject
  const origin: Vec3 = [world[12], world[13], world[14]]
  const of = space === 'local' ? world : space === 'parent' ? parent : null
  const axis = (c: number): Vec3 => {
    const plain: Vec3 = [c === 0 ? 1 : 0, c === 1 ? 1 : 0, c === 2 ? 1 : 0]
    if (!of) return plain
    const v = normalize([of[4 * c], of[4 * c + 1], of[4 * c + 2]])
    return length(v) > 0.5 ? v : plain
  }
  const p = [0, 0, 0]
  view.project(origin[0], origin[1], origin[2], p)
  return { kind, origin, axes: [axis(0), axis(1), axis(2)], back: camera.back, size: PIXELS / view.pixelsAt(Math.max(p[2], 1e-6)) }
}

/** Two directions across a third. */
function across(axis: Vec3): [Vec3, Vec3] {
  const a = normalize(cross(axis, Math.abs(axis[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0]))
  return [a, cross(axis, a)]
}

function ring(g: GizmoFrame, axis: Vec3, radius: number): Vec3[] {
  const [a, b] = across(axis)
  return Array.from({ length: STEPS + 1 }, (_, i) => {
    const t = (i / STEPS) * Math.PI * 2
    return mad(mad(g.origin, a, Math.cos(t) * radius), b, Math.sin(t) * radius)
  })
}

/** Lines of a handle in the scene. */
function linesOf(g: GizmoFrame, handle: Handle): Vec3[] {
  if (g.kind === 'move')
    return handle === 'screen'
      ? ring(g, g.back, g.size * 0.12)
      : [mad(g.origin, g.axes[handle], g.size * 0.15), mad(g.origin, g.axes[handle], g.size)]
  return handle === 'screen' ? ring(g, g.back, g.size * 1.12) : ring(g, g.axes[handle], g.size * 0.92)
}

const HANDLES: Handle[] = [0, 1, 2, 'screen']

/** The handle under a pixel, null for none. The far half of a ring, which is drawn faint, cannot be taken. */
export function pickHandle(g: GizmoFrame, view: Projector, px: number, py: number): Handle | null {
  let best: Handle | null = null
  let nearest = REACH
  const p = [0, 0, 0],
    q = [0, 0, 0]
  // the middle of the move handle is held by its whole disc, before any axis that points at the viewer
  if (g.kind === 'move') {
    view.project(...g.origin, p)
    if (Math.hypot(p[0] - px, p[1] - py) < PIXELS * 0.12) return 'screen'
  }
  for (const handle of HANDLES) {
    const line = linesOf(g, handle)
    for (let i = 0; i + 1 < line.length; i++) {
      if (g.kind === 'rotate' && handle !== 'screen' && dot(sub(line[i], g.origin), g.back) < -0.1 * g.size) continue
      view.project(...line[i], p)
      view.project(...line[i + 1], q)
      if (p[2] <= 0 || q[2] <= 0) continue
      const dx = q[0] - p[0],
        dy = q[1] - p[1],
        n = dx * dx + dy * dy
      const t = n > 0 ? Math.max(0, Math.min(1, ((px - p[0]) * dx + (py - p[1]) * dy) / n)) : 0
      const away = Math.hypot(p[0] + dx * t - px, p[1] + dy * t - py)
      if (away < nearest) {
        nearest = away
        best = handle
      }
    }
  }
  return best
}

const TINTS: Record<string, Tint> = { 0: AXIS_X, 1: AXIS_Y, 2: AXIS_Z, screen: [0.75, 0.78, 0.82, 0.9] }
const HELD: Tint = [1, 0.82, 0.35, 1]

/** Ribbons that face the viewer, so that handles are as wide on every screen. */
export function fillGizmo(data: FlatData, g: GizmoFrame, active: Handle | null): void {
  const width = g.size * 0.014
  for (const handle of HANDLES) {
    const line = linesOf(g, handle)
    const tint = handle === active ? HELD : TINTS[handle]
    const thick = handle === active ? width * 1.6 : width
    for (let i = 0; i + 1 < line.length; i++) {
      const behind = g.kind === 'rotate' && handle !== 'screen' && dot(sub(line[i], g.origin), g.back) < -0.1 * g.size
      data.ribbon(line[i], line[i + 1], g.back, behind ? thick * 0.5 : thick, behind ? [tint[0], tint[1], tint[2], 0.22] : tint)
    }
    if (g.kind === 'move' && handle !== 'screen')
      cone(data, mad(g.origin, g.axes[handle], g.size), g.axes[handle], g.size * 0.2, g.size * 0.06, tint)
  }
}

function cone(data: FlatData, base: Vec3, axis: Vec3, height: number, radius: number, tint: Tint): void {
  const [a, b] = across(axis)
  const tip = mad(base, axis, height)
  const sides = 10
  for (let i = 0; i < sides; i++) {
    const at = (k: number): Vec3 =>
      mad(mad(base, a, Math.cos((k / sides) * Math.PI * 2) * radius), b, Math.sin((k / sides) * Math.PI * 2) * radius)
    const tone: Tint = [
      tint[0] * (0.75 + 0.25 * Math.cos((i / sides) * Math.PI * 2)),
      tint[1] * (0.75 + 0.25 * Math.cos((i / sides) * Math.PI * 2)),
      tint[2] * (0.75 + 0.25 * Math.cos((i / sides) * Math.PI * 2)),
      tint[3],
    ]
    data.index(data.vertex(...tip, tone), data.vertex(...at(i), tone), data.vertex(...at(i + 1), tone))
  }
}

/** Where something stands within what carries it, for where it is put in the scene. */
export class Placing {
  private readonly parentInverse = Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
  private readonly start: LocalPose = { translation: [0, 0, 0], rotation: [0, 0, 0, 1] }

  constructor(subject: GizmoSubject) {
    if (subject.parent) invertAffine(this.parentInverse, 0, subject.parent, 0)
    decompose(subject.local, 0, this.start.translation, 0, this.start.rotation, 0, [1, 1, 1], 0)
  }

  /** @param world of what was moved or turned: the other part stays to the last bit */
  local(kind: GizmoKind, world: Float32Array): LocalPose {
    const local = new Float32Array(16)
    multiply(local, 0, this.parentInverse, 0, world, 0)
    const out: LocalPose = { translation: [...this.start.translation], rotation: [...this.start.rotation] }
    if (kind === 'move') out.translation = [local[12], local[13], local[14]]
    else decompose(local, 0, [0, 0, 0], 0, out.rotation, 0, [0, 0, 0], 0)
    return out
  }
}

/** A drag of one handle, from the moment it was taken. */
export class GizmoDrag {
  readonly handle: Handle
  private readonly g: GizmoFrame
  private readonly start: { point: Vec3; pixel: [number, number] }
  private readonly startWorld: Float32Array
  private readonly placed: Placing

  constructor(g: GizmoFrame, handle: Handle, subject: GizmoSubject, view: Projector, px: number, py: number) {
    this.g = g
    this.handle = handle
    this.startWorld = subject.world.slice()
    this.placed = new Placing(subject)
    this.start = { point: this.pointAt(view, px, py), pixel: [px, py] }
  }

  /** how far it went: radians about the axis, or scene units along it */
  amount = 0

  /**
   * Local transform for the pointer's place.
   * @param step 0, or what angles (radians) and distances are rounded to
   * @param exact how far it goes, in place of what the pointer says; not in the plane of the screen
   */
  to(view: Projector, px: number, py: number, step = 0, exact?: number): LocalPose {
    const { g } = this
    const now = this.pointAt(view, px, py)
    const world = this.startWorld.slice()
    if (g.kind === 'move') {
      let by = sub(now, this.start.point)
      this.amount = length(by)
      if (this.handle !== 'screen') {
        const axis = g.axes[this.handle]
        this.amount = exact ?? round(dot(by, axis), step)
        if (step || exact !== undefined) by = scale(axis, this.amount)
      }
      for (let c = 0; c < 3; c++) world[12 + c] += by[c]
    } else {
      this.amount = exact ?? round(this.angle(view, px, py, now), step)
      turnWorld(world, this.axis, this.amount)
    }
    return this.placed.local(g.kind, world)
  }

  private get axis(): Vec3 {
    return this.handle === 'screen' ? this.g.back : this.g.axes[this.handle]
  }

  private angle(view: Projector, px: number, py: number, now: Vec3): number {
    const { g } = this
    const axis = this.axis
    // a ring seen from its edge: the pointer's way along the ring's line on screen counts
    if (Math.abs(dot(axis, g.back)) < 0.12) {
      const along = normalize(cross(axis, g.back))
      const p = [0, 0, 0],
        q = [0, 0, 0]
      view.project(...g.origin, p)
      view.project(...mad(g.origin, along, g.size), q)
      const n = Math.hypot(q[0] - p[0], q[1] - p[1]) || 1
      return (((px - this.start.pixel[0]) * (q[0] - p[0]) + (py - this.start.pixel[1]) * (q[1] - p[1])) / n / PIXELS) * 1.1
    }
    const from = normalize(sub(this.start.point, g.origin)),
      to = normalize(sub(now, g.origin))
    return Math.atan2(dot(axis, cross(from, to)), dot(from, to))
  }

  /** The pointer in the scene: on the axis, or on the plane that the handle moves in. */
  private pointAt(view: Projector, px: number, py: number): Vec3 {
    const { g } = this
    const { origin, direction } = view.ray(px, py)
    if (g.kind === 'move' && this.handle !== 'screen') {
      const axis = g.axes[this.handle]
      const w = sub(g.origin, origin)
      const b = dot(axis, direction),
        denominator = 1 - b * b
      // looked at along the axis: no way to tell where on it
      if (denominator < 1e-4) return g.origin
      return mad(g.origin, axis, (b * dot(direction, w) - dot(axis, w)) / denominator)
    }
    const normal = this.axis
    const d = dot(direction, normal)
    if (Math.abs(d) < 1e-4) return g.origin
    return mad(origin, direction, dot(sub(g.origin, origin), normal) / d)
  }
}

export function round(x: number, step: number): number {
  return step ? Math.round(x / step) * step : x
}

/** Turns a world matrix about an axis through its own place. */
export function turnWorld(world: Float32Array, axis: Vec3, angle: number): void {
  const t = [0, 0, 0],
    q = [0, 0, 0, 1],
    s = [1, 1, 1]
  decompose(world, 0, t, 0, q, 0, s, 0)
  const k = Math.sin(angle / 2)
  multiplyQuat(q, 0, [axis[0] * k, axis[1] * k, axis[2] * k, Math.cos(angle / 2)], 0, q, 0)
  compose(world, 0, t, 0, q, 0, s, 0)
}
