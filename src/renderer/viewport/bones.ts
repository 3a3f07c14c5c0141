/** Bones as things to see and to hit: plain geometry, no Babylon.js. */
import type { Skeleton } from '../../shared/scene/types.ts'
import type { Bounds } from './bounds.ts'
import { radius } from './bounds.ts'
import type { FlatData, Tint } from './flat-batch.ts'
import { AXIS_X, AXIS_Y, AXIS_Z } from './grid.ts'
import type { Projector } from './orbit.ts'
import type { BoneShape } from './types.ts'
import { cross, length, mad, normalize, scale, sub } from './vec.ts'
import type { Vec3 } from './vec.ts'

/** A bone goes from its joint to the joint of a child, or a little way on where it has none. */
export interface Bone {
  joint: number
  /** -1 for the end of a chain */
  child: number
  /** only a line: a root that holds many loose parts is no bone to each of them */
  link?: boolean
  /** out of a root: where it only leads from the scene's origin to the body, it is a line as well */
  root?: boolean
}

export type JointKind = 'joint' | 'attach' | 'mesh' | 'hidden'

function jointKind(s: Skeleton, joint: number): JointKind {
  return s.roles?.[joint] ?? 'joint'
}

/** Bones of a skeleton: one to each child that is a bone itself, one stub for the end of a chain. Some games hang loose parts on their root by the dozen. */
export function bonesOf(s: Skeleton): Bone[] {
  const out: Bone[] = []
  const isBone = (j: number): boolean => jointKind(s, j) === 'joint'
  const children = new Uint32Array(s.count)
  for (let j = 0; j < s.count; j++) if (s.parents[j] >= 0 && isBone(j)) children[s.parents[j]]++
  for (let j = 0; j < s.count; j++) {
    const p = s.parents[j]
    if (p < 0 || !isBone(j) || !isBone(p)) continue
    out.push({ joint: p, child: j, link: children[p] > (s.parents[p] < 0 ? 3 : 6), root: s.parents[p] < 0 })
  }
  for (let j = 0; j < s.count; j++) if (isBone(j) && !children[j]) out.push({ joint: j, child: -1 })
  return out
}

function jointPosition(world: Float32Array, joint: number): Vec3 {
  return [world[16 * joint + 12], world[16 * joint + 13], world[16 * joint + 14]]
}

/** Head and tail of each bone in scene space, 6 numbers per bone. @param stub length of a bone that ends a chain */
export function boneSegments(
  s: Skeleton,
  bones: readonly Bone[],
  world: Float32Array,
  stub: number,
  out = new Float32Array(6 * bones.length),
): Float32Array {
  bones.forEach((bone, i) => {
    const head = jointPosition(world, bone.joint)
    let tail: Vec3
    if (bone.child >= 0) tail = jointPosition(world, bone.child)
    else {
      const p = s.parents[bone.joint]
      const along = p >= 0 ? sub(head, jointPosition(world, p)) : ([0, 0, 0] as Vec3)
      const far = length(along)
      // it goes on as its parent went, shorter; a lone joint points up
      tail = far > 1e-9 ? mad(head, along, Math.min(0.35, stub / far)) : mad(head, [0, 1, 0], stub)
    }
    out.set(head, 6 * i)
    out.set(tail, 6 * i + 3)
  })
  return out
}

/** Lengths that overlays are drawn with, from the size of the model. */
export function overlaySize(bounds: Bounds): { stub: number; thin: number; thick: number; mark: number; long: number } {
  const r = radius(bounds)
  return { stub: r * 0.06, thin: r * 0.006, thick: r * 0.03, mark: r * 0.02, long: r * 0.3 }
}

export interface BoneColors {
  face: Tint
  edge: Tint
  attach: Tint
  selectedFace: Tint
  selectedEdge: Tint
  hoverEdge: Tint
}

export function boneColors(dark: boolean): BoneColors {
  return dark
    ? {
        face: [0.56, 0.66, 0.8, 0.5],
        edge: [0.86, 0.92, 1, 0.9],
        attach: [0.42, 0.84, 0.66, 0.95],
        selectedFace: [1, 0.66, 0.2, 0.75],
        selectedEdge: [1, 0.82, 0.5, 1],
        hoverEdge: [1, 1, 1, 1],
      }
    : {
        face: [0.3, 0.42, 0.6, 0.42],
        edge: [0.08, 0.15, 0.28, 0.9],
        attach: [0, 0.45, 0.3, 0.95],
        selectedFace: [0.95, 0.5, 0.05, 0.7],
        selectedEdge: [0.7, 0.3, 0, 1],
        hoverEdge: [0, 0, 0, 1],
      }
}

/** Of a model that is laid over another one. */
const OTHER = { dark: [1, 0.55, 0.84], light: [0.68, 0.05, 0.46] } as const

/** @param colors of the bones that they stand beside; what is chosen is chosen in both */
export function otherBoneColors(colors: BoneColors, dark: boolean): BoneColors {
  const [r, g, b] = OTHER[dark ? 'dark' : 'light']
  return { ...colors, face: [r, g, b, colors.face[3]], edge: [r, g, b, 0.95], attach: [r, g, b, 0.95] }
}

/** How much of their colours is drawn of what a surface stands in front of. */
export const COVERED = { faces: 0.7, edges: 0.7 } as const

/** Bones where a surface is in front of them: bright lines on a dark fill stand out from any skin, whatever the theme. */
export function boneColorsOnSurface(): BoneColors {
  return {
    face: [0.05, 0.08, 0.13, 0.55],
    edge: [0.9, 0.96, 1, 0.95],
    attach: [0.45, 0.95, 0.72, 0.95],
    selectedFace: [0.45, 0.22, 0, 0.65],
    selectedEdge: [1, 0.78, 0.36, 1],
    hoverEdge: [1, 1, 1, 1],
  }
}

/** What of the joints is marked. */
export interface MarkedJoints {
  chosen: ReadonlySet<number>
  /** -1 for none */
  hovered: number
}

export interface BoneLook {
  shape: BoneShape
  /** factor on their thickness */
  size: number
}

/** Octahedra, whose waist stands at a sixth of the way and is thin on long bones, or sticks: as faces and as edges. */
export function fillBones(
  faces: FlatData,
  edges: FlatData,
  bones: readonly Bone[],
  segments: Float32Array,
  size: { thin: number; thick: number; long: number },
  colors: BoneColors,
  { chosen, hovered }: MarkedJoints,
  look: BoneLook = { shape: 'octahedral', size: 1 },
): void {
  for (let i = 0; i < bones.length; i++) {
    const head: Vec3 = [segments[6 * i], segments[6 * i + 1], segments[6 * i + 2]]
    const tail: Vec3 = [segments[6 * i + 3], segments[6 * i + 4], segments[6 * i + 5]]
    const along = sub(tail, head)
    const far = length(along)
    if (!(far > 1e-9) || !Number.isFinite(far)) continue
    const joint = bones[i].joint
    const marked = chosen.has(joint)
    const face = marked ? colors.selectedFace : colors.face
    const edge = marked ? colors.selectedEdge : joint === hovered ? colors.hoverEdge : colors.edge
    if (bones[i].link || (bones[i].root && far > size.long)) {
      const faint: Tint = [edge[0], edge[1], edge[2], edge[3] * (marked || joint === hovered ? 0.8 : 0.3)]
      edges.line(head, tail, faint)
      continue
    }
    const dir = scale(along, 1 / far)
    const side = normalize(cross(dir, Math.abs(dir[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0]))
    const other = cross(dir, side)
    const stick = look.shape === 'stick'
    const w = stick ? size.thin * 0.6 * look.size : Math.min(Math.max(far * 0.09, size.thin) * look.size, size.thick * look.size, far * 0.3)
    const around = (at: Vec3): Vec3[] => [mad(at, side, w), mad(at, other, w), mad(at, side, -w), mad(at, other, -w)]
    const corners = around(stick ? head : mad(head, dir, Math.min(far * 0.16, w * 2)))
    const ends = stick ? around(tail) : corners
    for (let c = 0; c < 4; c++) {
      const a = corners[c],
        b = corners[(c + 1) % 4]
      // two tones stand in for light
      const tone: Tint = c % 2 ? face : [face[0] * 0.8, face[1] * 0.8, face[2] * 0.8, face[3]]
      if (stick) {
        const [i0, i1] = [faces.vertex(...a, tone), faces.vertex(...b, tone)]
        const [i2, i3] = [faces.vertex(...ends[(c + 1) % 4], tone), faces.vertex(...ends[c], tone)]
        faces.index(i0, i1, i2, i0, i2, i3)
        edges.line(a, b, edge)
        edges.line(a, ends[c], edge)
        continue
      }
      faces.index(faces.vertex(...head, tone), faces.vertex(...a, tone), faces.vertex(...b, tone))
      faces.index(faces.vertex(...tail, tone), faces.vertex(...b, tone), faces.vertex(...a, tone))
      edges.line(head, a, edge)
      edges.line(a, tail, edge)
      edges.line(a, b, edge)
    }
  }
}

/** Attach points and owners of meshes: a small cross that turns with the joint. */
export function fillMarks(
  edges: FlatData,
  s: Skeleton,
  world: Float32Array,
  mark: number,
  colors: BoneColors,
  { chosen, hovered }: MarkedJoints,
): void {
  for (let j = 0; j < s.count; j++) {
    const kind = jointKind(s, j)
    if (kind === 'hidden' || kind === 'joint') continue
    const tint: Tint = chosen.has(j)
      ? colors.selectedEdge
      : j === hovered
        ? colors.hoverEdge
        : kind === 'attach'
          ? colors.attach
          : [colors.edge[0], colors.edge[1], colors.edge[2], 0.45]
    const o = jointPosition(world, j)
    for (let axis = 0; axis < 3; axis++) {
      const d = normalize([world[16 * j + 4 * axis], world[16 * j + 4 * axis + 1], world[16 * j + 4 * axis + 2]])
      edges.line(mad(o, d, -mark), mad(o, d, mark), tint)
    }
  }
}

/** Axes of the selected joint. */
export function fillAxes(edges: FlatData, world: Float32Array, joint: number, size: number): void {
  const o = jointPosition(world, joint)
  ;[AXIS_X, AXIS_Y, AXIS_Z].forEach((tint, axis) => {
    const d = normalize([world[16 * joint + 4 * axis], world[16 * joint + 4 * axis + 1], world[16 * joint + 4 * axis + 2]])
    const tip = mad(o, d, size)
    edges.line(o, tip, tint)
    // an arrow head that is seen from any side
    const a = normalize(cross(d, Math.abs(d[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0]))
    const b = cross(d, a)
    for (const side of [a, b]) {
      edges.line(tip, mad(mad(tip, d, -size * 0.16), side, size * 0.07), tint)
      edges.line(tip, mad(mad(tip, d, -size * 0.16), side, -size * 0.07), tint)
    }
  })
}

/**
 * The joint whose bone is under a pixel, or -1: joints themselves first (within the tolerance), then the
 * nearest bone line; of several as near, the one nearer to the viewer.
 * @param tolerance pixels
 */
export function pickBone(
  s: Skeleton,
  bones: readonly Bone[],
  segments: Float32Array,
  world: Float32Array,
  view: Projector,
  px: number,
  py: number,
  tolerance = 9,
): number {
  const p = [0, 0, 0],
    q = [0, 0, 0]
  let best = -1
  let bestScore = tolerance
  let bestDepth = Infinity
  const consider = (joint: number, distance: number, depth: number): void => {
    if (!(depth > 0) || !(distance <= tolerance)) return
    // within two pixels of each other the nearer to the viewer wins
    if (distance < bestScore - 2 || (distance < bestScore + 2 && depth < bestDepth)) {
      best = joint
      bestScore = distance
      bestDepth = depth
    }
  }
  for (let j = 0; j < s.count; j++) {
    const kind = jointKind(s, j)
    if (kind === 'hidden') continue
    view.project(world[16 * j + 12], world[16 * j + 13], world[16 * j + 14], p)
    // the joint's own place counts a little more than the line that leads to it
    consider(j, Math.max(0, Math.hypot(p[0] - px, p[1] - py) - 3), p[2])
  }
  for (let i = 0; i < bones.length; i++) {
    view.project(segments[6 * i], segments[6 * i + 1], segments[6 * i + 2], p)
    view.project(segments[6 * i + 3], segments[6 * i + 4], segments[6 * i + 5], q)
    if (p[2] <= 0 || q[2] <= 0) continue
    const dx = q[0] - p[0],
      dy = q[1] - p[1]
    const len2 = dx * dx + dy * dy
    const t = len2 > 0 ? Math.max(0, Math.min(1, ((px - p[0]) * dx + (py - p[1]) * dy) / len2)) : 0
    consider(bones[i].joint, Math.hypot(p[0] + dx * t - px, p[1] + dy * t - py), p[2] + (q[2] - p[2]) * t)
  }
  return best
}

/** Joints whose place is within a box of the screen. @param box left, top, right, bottom, pixels */
export function jointsWithin(
  s: Skeleton,
  world: ArrayLike<number>,
  view: Projector,
  [left, top, right, bottom]: readonly [number, number, number, number],
): number[] {
  const p = [0, 0, 0]
  const found: number[] = []
  for (let j = 0; j < s.count; j++) {
    if (jointKind(s, j) === 'hidden') continue
    view.project(world[16 * j + 12], world[16 * j + 13], world[16 * j + 14], p)
    if (p[2] > 0 && p[0] >= left && p[0] <= right && p[1] >= top && p[1] <= bottom) found.push(j)
  }
  return found
}
