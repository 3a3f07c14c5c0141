/**
 * What of a figure's flesh comes down on the floor: the points of its feet that can be the lowest. A shoe that is longer than the other figure's
 * turns as that one does, and its tip goes into the floor where the other's did not.
 */
import { legLength } from './body.ts'
import { placesOf, stand } from './figure.ts'
import { SIDES } from './foot-balls.ts'
import { frameOf } from './motion.ts'
import { inverseTurn, rotate } from './turns.ts'
import { transformPoint } from '../scene/matrix.ts'
import type { Body } from './body.ts'
import type { Figure, FigurePlaces } from './figure.ts'
import type { Side } from './foot-balls.ts'
import type { Motion } from './motion.ts'
import type { Plant } from './plants.ts'
import type { Retarget } from './retarget.ts'
import type { Mesh, Scene } from '../scene/types.ts'

/** Of one joint of a foot. */
export interface Sole {
  joint: number
  /** 3 a point, in the joint's space */
  points: Float64Array
}

export type Soles = Partial<Record<Side, Sole[]>>

/** How deep feet of a target may go. */
export interface Floor {
  soles: Soles
  /** height that no point of a sole is to be below, one number a frame */
  least: Partial<Record<Side, Float64Array>>
  /** what a foot may be raised by more or less than in the frame before or behind, one number a frame */
  steps: Partial<Record<Side, Float64Array>>
}

/**
 * How fast a foot is raised in the air: a part of the most that the source's sole rises or sinks, and so many lengths of the leg per second at most. A leg
 * that is nearly straight turns its knee by much for little. A foot that stands is raised as fast as the source's goes, or it would come off the floor before it has to.
 */
const IN_AIR = { share: 1 / 3, speed: 0.5 }

/** Directions in which a point can be the outermost: no more points are kept of a joint. */
const DIRECTIONS = 64

/** Of the meshes that are shown at the highest level of detail; none for a leg without a foot, or without flesh on it. */
export function solesOf(scene: Pick<Scene, 'meshes' | 'skins' | 'skeleton' | 'lods'>, { legs }: Body): Soles {
  const { count, parents } = scene.skeleton
  const out: Soles = {}
  for (const side of SIDES) {
    const end = legs?.[side].end ?? -1
    if (end < 0) continue
    const foot = new Uint8Array(count)
    for (let i = end; i < count; i++) foot[i] = i === end || (parents[i] >= 0 && foot[parents[i]]) ? 1 : 0
    const points = new Map<number, number[]>()
    for (const mesh of scene.meshes)
      if (mesh.visible && (mesh.lod < 0 || mesh.lod === scene.lods.length - 1)) addPoints(scene, mesh, foot, points)
    const soles = [...points].map(([joint, own]): Sole => ({ joint, points: outermost(own) }))
    if (soles.length > 0) out[side] = soles
  }
  return out
}

/** Vertices of a mesh that a foot moves most of all. @param points by joint, written */
function addPoints({ skins }: Pick<Scene, 'skins'>, mesh: Mesh, foot: Uint8Array, points: Map<number, number[]>): void {
  const skin = skins[mesh.skin]
  const add = (joint: number, x: number, y: number, z: number): void => {
    if (![x, y, z].every(Number.isFinite)) return
    const own = points.get(joint)
    if (own) own.push(x, y, z)
    else points.set(joint, [x, y, z])
  }
  const { positions } = mesh
  const at = [0, 0, 0]
  for (let v = 0; 3 * v < positions.length; v++) {
    const [x, y, z] = positions.subarray(3 * v, 3 * v + 3)
    if (!skin) {
      if (foot[mesh.joint]) add(mesh.joint, x, y, z)
      continue
    }
    let most = -1
    for (let k = skin.offsets[v]; k < skin.offsets[v + 1]; k++) if (most < 0 || skin.weights[k] > skin.weights[most]) most = k
    if (most < 0) continue
    const slot = skin.slots[most]
    const joint = skin.joints[slot]
    if (!foot[joint]) continue
    transformPoint(at, 0, skin.inverseBind, 16 * slot, x, y, z)
    add(joint, at[0], at[1], at[2])
  }
}

/** Those of the points that are the farthest in some direction. */
function outermost(points: readonly number[]): Float64Array {
  const kept = new Set<number>()
  for (let d = 0; d < DIRECTIONS; d++) {
    // evenly over a sphere, by the golden angle
    const y = 1 - (2 * d + 1) / DIRECTIONS
    const [r, turn] = [Math.sqrt(1 - y * y), d * Math.PI * (3 - Math.sqrt(5))]
    const [x, z] = [r * Math.cos(turn), r * Math.sin(turn)]
    let [best, most] = [0, -Infinity]
    for (let i = 0; i < points.length; i += 3) {
      const far = x * points[i] + y * points[i + 1] + z * points[i + 2]
      if (far > most) [best, most] = [i, far]
    }
    kept.add(best)
  }
  return Float64Array.from([...kept].flatMap((i) => points.slice(i, i + 3)))
}

/** Height of the lowest point of a foot. */
function lowestOf({ place, turn, size }: FigurePlaces, soles: readonly Sole[]): number {
  let low = Infinity
  const [back, up] = [
    [0, 0, 0, 1],
    [0, 0, 0],
  ]
  for (const { joint, points } of soles) {
    inverseTurn(back, 0, turn, 4 * joint)
    rotate(up, 0, back, 0, [0, 1, 0], 0)
    for (let i = 0; i < points.length; i += 3) {
      const height = up[0] * points[i] + up[1] * points[i + 1] + up[2] * points[i + 2]
      low = Math.min(low, place[3 * joint + 1] + size[joint] * height)
    }
  }
  return low
}

/** Height of the lowest point of each foot in each frame. */
export function soleTracks(figure: Figure, motion: Motion, soles: Soles): Partial<Record<Side, Float64Array>> {
  const out: Partial<Record<Side, Float64Array>> = {}
  const places = placesOf(figure.count)
  for (const side of SIDES) if (soles[side]) out[side] = new Float64Array(motion.frames)
  for (let f = 0; f < motion.frames; f++) {
    stand(figure, frameOf(motion, f, figure.count), places)
    for (const side of SIDES) if (soles[side]) out[side]![f] = lowestOf(places, soles[side])
  }
  return out
}

/** Height that a figure stands on in its bind pose. */
export function floorOf({ bind }: Pick<Figure, 'bind'>, soles: Soles): number {
  return Math.min(...SIDES.map((side) => lowestOf(bind, soles[side] ?? [])))
}

/**
 * How deep the target's feet may go: below the floor that it is bound on no deeper than the source's own do, in proportion.
 * @param played of the source
 * @param plants feet of the source that stand
 */
export function floorLike(
  { source, target, map, ratio }: Retarget,
  soles: { source: Soles; target: Soles },
  played: Motion,
  plants: readonly Plant[],
  rate: number,
): Floor {
  const out: Floor = { soles: soles.target, least: {}, steps: {} }
  const tracks = soleTracks(source, played, soles.source)
  const [own, there] = [floorOf(target, soles.target), floorOf(source, soles.source)]
  for (const side of SIDES) {
    const track = tracks[side]
    if (!track || !soles.target[side]) continue
    out.least[side] = track.map((height) => own + Math.min(0, ratio * (height - there)))
    const step = ratio * track.reduce((most, height, f) => (f > 0 ? Math.max(most, Math.abs(height - track[f - 1])) : most), 0)
    const steps = new Float64Array(played.frames).fill(
      Math.min(IN_AIR.share * step, (IN_AIR.speed * legLength(target, map.target!.legs![side])) / rate),
    )
    for (const plant of plants) if (plant.side === side) steps.fill(step, plant.from, plant.to + 1)
    out.steps[side] = steps
  }
  return out
}

/** How much each foot is raised, one number a frame: by what it lacks, and before and behind that by no more than a step less from frame to frame. */
export function raisesOf(lacking: Float64Array, steps: Float64Array): Float64Array {
  const out = lacking.slice()
  for (let f = 1; f < out.length; f++) out[f] = Math.max(out[f], out[f - 1] - steps[f])
  for (let f = out.length - 2; f >= 0; f--) out[f] = Math.max(out[f], out[f + 1] - steps[f])
  return out
}
