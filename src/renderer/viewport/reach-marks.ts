/** Marks of joints that can be drawn to a place: discs, squares where they are pinned, and the chain that bends. Plain maths, no Babylon.js. */
import { bonesFor } from '../../shared/motion/posing.ts'
import { chainJoints } from '../../shared/motion/rig.ts'
import type { PosingRig } from '../../shared/motion/rig.ts'
import type { FlatData, Tint } from './flat-batch.ts'
import { AXIS_X, AXIS_Y, AXIS_Z } from './grid.ts'
import type { Basis, Projector } from './orbit.ts'
import { mad } from './vec.ts'
import type { Vec3 } from './vec.ts'

export interface ReachMarks {
  rig: PosingRig
  world: Float32Array
  view: Projector
  camera: Basis
  handles: readonly number[]
  pins: readonly number[]
  bones: ReadonlyMap<number, number>
  chosen: number
  /** under the pointer or in the hand, -1 for none */
  active: number
  /** that it is held to */
  axis: 0 | 1 | 2 | null
}

/** Half the width of a mark. */
export const REACH_PIXELS = 6

const FREE: Tint = [0.35, 0.75, 1, 0.9]
const PINNED: Tint = [1, 0.45, 0.4, 0.95]
const HELD: Tint = [1, 0.82, 0.35, 1]
const RIM: Tint = [0.04, 0.06, 0.09, 0.85]
const SIDES = 20

export function fillReach(data: FlatData, marks: ReachMarks): void {
  const { rig, world, view, camera, active, chosen } = marks
  const at = (joint: number): Vec3 => [world[16 * joint + 12], world[16 * joint + 13], world[16 * joint + 14]]
  const p = [0, 0, 0]
  const pixel = (place: Vec3): number => {
    view.project(...place, p)
    return 1 / view.pixelsAt(Math.max(p[2], 1e-6))
  }
  const shown = active >= 0 ? active : chosen
  if (shown >= 0 && shown < rig.figure.count) {
    const chain = chainJoints(rig, shown, bonesFor(rig, shown, marks.bones))
    for (let i = 1; i < chain.length; i++) {
      const [a, b] = [at(chain[i - 1]), at(chain[i])]
      data.ribbon(a, b, camera.back, 2 * pixel(a), [HELD[0], HELD[1], HELD[2], active >= 0 ? 0.85 : 0.55])
    }
    // where the chain begins, which stays
    if (chain.length > 1) polygon(data, at(chain[0]), camera, 3.5 * pixel(at(chain[0])), 4, Math.PI / 4, HELD)
  }
  if (marks.axis !== null && active >= 0) {
    const way: Vec3 = [marks.axis === 0 ? 1 : 0, marks.axis === 1 ? 1 : 0, marks.axis === 2 ? 1 : 0]
    const half = 400 * pixel(at(active))
    data.ribbon(
      mad(at(active), way, -half),
      mad(at(active), way, half),
      camera.back,
      0.75 * pixel(at(active)),
      [AXIS_X, AXIS_Y, AXIS_Z][marks.axis],
    )
  }
  for (const joint of marks.handles) {
    const place = at(joint)
    const size = REACH_PIXELS * pixel(place) * (joint === active ? 1.3 : 1)
    const pinned = marks.pins.includes(joint)
    const tint = joint === active || joint === chosen ? HELD : pinned ? PINNED : FREE
    const [sides, turn] = pinned ? [4, Math.PI / 4] : [SIDES, 0]
    const wide = pinned ? size * 1.25 : size
    polygon(data, place, camera, wide, sides, turn, RIM)
    polygon(data, place, camera, wide * 0.76, sides, turn, tint)
    // a pinned joint that is chosen is still seen to be pinned
    if (pinned) polygon(data, place, camera, wide * 0.36, sides, turn, tint === PINNED ? RIM : PINNED)
  }
}

function polygon(data: FlatData, middle: Vec3, { right, up }: Basis, radius: number, sides: number, turn: number, tint: Tint): void {
  const center = data.vertex(...middle, tint)
  let before = -1
  for (let i = 0; i <= sides; i++) {
    const angle = turn + (i / sides) * Math.PI * 2
    const corner = data.vertex(...mad(mad(middle, right, Math.cos(angle) * radius), up, Math.sin(angle) * radius), tint)
    if (before >= 0) data.index(center, before, corner)
    before = corner
  }
}
