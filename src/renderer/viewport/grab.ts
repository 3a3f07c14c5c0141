/**
 * Moving and turning what is chosen at once, without a handle: which way the pointer and typed numbers take it, freely, along an
 * axis or across one. Plain maths, no Babylon.js.
 */
import { Placing, round, turnWorld } from './gizmo.ts'
import type { GizmoKind, GizmoSubject, LocalPose } from './gizmo.ts'
import type { Basis, Projector } from './orbit.ts'
import { add, dot, length, mad, normalize, scale, sub } from './vec.ts'
import type { Vec3 } from './vec.ts'

export type AxisIndex = 0 | 1 | 2

/** What a grab is held to. */
export interface GrabHold {
  axis: AxisIndex
  /** to the plane across the axis; a turn goes about it all the same */
  across: boolean
  /** the axes of what is held; those of the scene otherwise */
  local: boolean
}

/** An axis letter: the scene's axis first, then its own, then free again. */
export function nextHold(now: GrabHold | null, axis: AxisIndex, across: boolean): GrabHold | null {
  if (now?.axis !== axis || now.across !== across) return { axis, across, local: false }
  return now.local ? null : { axis, across, local: true }
}

interface Pixel {
  x: number
  y: number
}

export interface GrabWish {
  view: Projector
  camera: Basis
  /** where the pointer was at first and is now, null where nobody knows */
  from: Pixel | null
  at: Pixel | null
  hold: GrabHold | null
  /** 0, or what angles (radians) and distances are rounded to */
  step: number
  /** radians or scene units in place of what the pointer says; of a free move along the first axis */
  exact?: number
}

const PLAIN: readonly Vec3[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]

export class Grab {
  readonly kind: GizmoKind
  /** middle of what is held */
  readonly pivot: Vec3
  private readonly subjects: readonly GizmoSubject[]
  private readonly placing: Placing[]
  private turned = 0
  private lastAngle: number | null = null

  constructor(kind: GizmoKind, subjects: readonly GizmoSubject[]) {
    this.kind = kind
    this.subjects = subjects
    this.placing = subjects.map((subject) => new Placing(subject))
    const sum = subjects.reduce<Vec3>((total, { world }) => add(total, [world[12], world[13], world[14]]), [0, 0, 0])
    this.pivot = scale(sum, 1 / subjects.length)
  }

  /** along the axes that count, scene units; or about the one, radians */
  amounts: Vec3 = [0, 0, 0]

  /** The axes of one of what is held. */
  axes(hold: GrabHold | null, subject = 0): readonly Vec3[] {
    if (!hold?.local) return PLAIN
    const { world } = this.subjects[subject]
    return PLAIN.map((plain, c) => {
      const own = normalize([world[4 * c], world[4 * c + 1], world[4 * c + 2]])
      return length(own) > 0.5 ? own : plain
    })
  }

  /** Where everything stands, each within what carries it. */
  to(wish: GrabWish): LocalPose[] {
    return this.kind === 'move' ? this.move(wish) : this.turn(wish)
  }

  /** Which of three numbers count: `amounts` has the others at 0. */
  counts(hold: GrabHold | null): AxisIndex[] {
    if (!hold) return [0, 1, 2]
    if (!hold.across || this.kind === 'rotate') return [hold.axis]
    return ([0, 1, 2] as const).filter((axis) => axis !== hold.axis)
  }

  private move({ view, camera, from, at, hold, step, exact }: GrabWish): LocalPose[] {
    const axes = this.axes(hold)
    const counted = this.counts(hold)
    this.amounts = [0, 0, 0]
    if (exact !== undefined) this.amounts[counted[0]] = exact
    else if (from && at) {
      const along = hold && !hold.across ? axes[hold.axis] : null
      const normal = hold?.across ? axes[hold.axis] : camera.back
      const place = (pixel: Pixel): Vec3 => this.placeUnder(view, camera, pixel, along, normal)
      const by = sub(place(at), place(from))
      for (const c of counted) this.amounts[c] = round(dot(by, axes[c]), step)
    }
    return this.subjects.map((subject, i) => {
      const world = subject.world.slice()
      const own = this.axes(hold, i)
      for (const c of counted) for (let k = 0; k < 3; k++) world[12 + k] += this.amounts[c] * own[c][k]
      return this.placing[i].local('move', world)
    })
  }

  /** Each about its own place: bones keep their lengths. */
  private turn({ view, camera, from, at, hold, step, exact }: GrabWish): LocalPose[] {
    const screen = this.follow(view, from, at)
    const facing = hold && dot(this.axes(hold)[hold.axis], camera.back) < 0 ? -1 : 1
    const angle = exact ?? round(screen * facing, step)
    this.amounts = [0, 0, 0]
    this.amounts[hold?.axis ?? 0] = angle
    return this.subjects.map((subject, i) => {
      const world = subject.world.slice()
      turnWorld(world, hold ? this.axes(hold, i)[hold.axis] : camera.back, angle)
      return this.placing[i].local('rotate', world)
    })
  }

  /** How far the pointer went about the pivot, against the clock: more than once about counts. */
  private follow(view: Projector, from: Pixel | null, at: Pixel | null): number {
    if (!from || !at) return this.turned
    const p = [0, 0, 0]
    view.project(...this.pivot, p)
    const angleOf = ({ x, y }: Pixel): number => Math.atan2(p[1] - y, x - p[0])
    const now = angleOf(at)
    const by = now - (this.lastAngle ?? angleOf(from))
    this.turned += Math.atan2(Math.sin(by), Math.cos(by))
    this.lastAngle = now
    return this.turned
  }

  /** The pointer in the scene: on an axis through the pivot, or on the plane through it. */
  private placeUnder(view: Projector, camera: Basis, at: Pixel, along: Vec3 | null, normal: Vec3): Vec3 {
    const { origin, direction } = view.ray(at.x, at.y)
    const { pivot } = this
    if (along) {
      const w = sub(pivot, origin)
      const b = dot(along, direction)
      const denominator = 1 - b * b
      // looked at along the axis there is no way to tell where on it
      return denominator < 1e-4 ? pivot : mad(pivot, along, (b * dot(direction, w) - dot(along, w)) / denominator)
    }
    // a plane seen from its edge: that of the screen says where
    const plane = Math.abs(dot(direction, normal)) < 0.02 ? camera.back : normal
    const d = dot(direction, plane)
    return Math.abs(d) < 1e-4 ? pivot : mad(origin, direction, dot(sub(pivot, origin), plane) / d)
  }
}

/** Of the chosen joints those that no other one carries: what hangs on one goes with it. */
export function topmost(parents: ArrayLike<number>, joints: readonly number[]): number[] {
  const chosen = new Set(joints)
  return joints.filter((joint) => {
    for (let up = parents[joint]; up >= 0; up = parents[up]) if (chosen.has(up)) return false
    return true
  })
}
