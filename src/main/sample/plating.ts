/** A builder of hard surfaces: lofts through cross-sections, flat where they are flat, smooth where they are round, painted by projection. */

import { add, sub, mul, dot, cross, unit } from './vectors.ts'
import type { Rect } from './paint.ts'
import type { Vec } from './vectors.ts'

/** A closed cross-section; all of a loft have the same number of points. `bone` moves its vertices. */
export interface Section {
  at: Vec
  points: Vec[]
  bone: number
}

/** Where a corner of a face lies in the picture, in pixels from the top left. `around` and `along` run 0..1 over a loft; caps have `along` -1. */
export type Mapping = (point: Vec, normal: Vec, around: number, along: number) => readonly [number, number]

export interface Plates {
  positions: number[]
  normals: number[]
  /** v from the top row */
  uvs: number[]
  /** counter-clockwise from the outside */
  triangles: number[]
  /** one per vertex */
  bones: number[]
}

interface Corner {
  at: Vec
  uv: readonly [number, number]
  bone: number
}
interface Face {
  corners: Corner[]
  normal: Vec
  area: number
}

/** Planes of cross-sections: two axes, the loft runs across them. */
export interface Plane {
  a: Vec
  b: Vec
}
export const ACROSS_X: Plane = { a: [0, 1, 0], b: [0, 0, 1] }
export const ACROSS_Y: Plane = { a: [1, 0, 0], b: [0, 0, 1] }
export const ACROSS_Z: Plane = { a: [1, 0, 0], b: [0, 1, 0] }

/** The plane across a direction that lies in the XZ plane: a is Y, b is ahead. */
export function across(direction: Vec): Plane {
  const d = unit(direction)
  return { a: [0, 1, 0], b: unit(cross(d, [0, 1, 0])) }
}

/** A rectangle with cut corners; `a` and `b` are half sizes. */
export function plate(plane: Plane, at: Vec, a: number, b: number, cut: number, bone = 0): Section {
  const points: Vec[] = []
  const c = Math.min(cut, a * 0.95, b * 0.95)
  for (const [x, y] of [
    [a, b - c],
    [a - c, b],
    [c - a, b],
    [-a, b - c],
    [-a, c - b],
    [c - a, -b],
    [a - c, -b],
    [a, c - b],
  ])
    points.push(add(at, add(mul(plane.a, x), mul(plane.b, y))))
  return { at, points, bone }
}

/** An ellipse of `n` points. */
export function round(plane: Plane, at: Vec, a: number, b: number, n: number, bone = 0): Section {
  return {
    at,
    bone,
    points: Array.from({ length: n }, (_, i) =>
      add(at, add(mul(plane.a, a * Math.cos((i / n) * 2 * Math.PI)), mul(plane.b, b * Math.sin((i / n) * 2 * Math.PI)))),
    ),
  }
}

/** The picture runs once around and once along. */
export function wrapped(rect: Rect, times = 1): Mapping {
  return (_, __, around, along) =>
    along < 0
      ? [rect.x + rect.w / 2, rect.y + rect.h / 2]
      : [rect.x + 0.5 + (rect.w - 1) * fold(around * times), rect.y + 0.5 + (rect.h - 1) * along]
}

/** There and back, so that a picture meets itself without a seam. */
function fold(k: number): number {
  const t = k % 2
  return t > 1 ? 2 - t : t
}

/** A disc seen along an axis of the loft, for caps and hubs. */
export function disc(rect: Rect, at: Vec, radius: number, plane: Plane): Mapping {
  return (p) => {
    const d = sub(p, at)
    return [
      rect.x + rect.w / 2 + (dot(d, plane.a) / radius) * (rect.w / 2 - 1),
      rect.y + rect.h / 2 - (dot(d, plane.b) / radius) * (rect.h / 2 - 1),
    ]
  }
}

export interface Faces {
  front: Rect
  back: Rect
  side: Rect
  top: Rect
  bottom: Rect
}

/** Projected from six sides: pictures are drawn as they are seen, the side with the front to its right. */
export function boxed(min: Vec, max: Vec, rects: Faces): Mapping {
  return (p, n) => {
    const k = p.map((x, i) => (x - min[i]) / (max[i] - min[i] || 1))
    const [x, y, z] = n.map(Math.abs)
    let rect: Rect, u: number, v: number
    if (z * 1.05 >= x && z >= y) {
      rect = n[2] > 0 ? rects.top : rects.bottom
      u = k[0]
      v = 1 - k[1]
    } else if (x >= y) {
      rect = n[0] > 0 ? rects.front : rects.back
      u = n[0] > 0 ? k[1] : 1 - k[1]
      v = 1 - k[2]
    } else {
      rect = rects.side
      u = k[0]
      v = 1 - k[2]
    }
    return [rect.x + 0.5 + (rect.w - 1) * Math.max(0, Math.min(1, u)), rect.y + 0.5 + (rect.h - 1) * Math.max(0, Math.min(1, v))]
  }
}

/** The same picture on all six sides. */
export function allSides(min: Vec, max: Vec, rect: Rect): Mapping {
  return boxed(min, max, { front: rect, back: rect, side: rect, top: rect, bottom: rect })
}

export class Plating {
  private readonly faces: Face[] = []
  private readonly size: number

  /** @param size of the picture in pixels */
  constructor(size: number) {
    this.size = size
  }

  get empty(): boolean {
    return this.faces.length === 0
  }

  /** Faces between neighbouring sections, and caps. The outside is the side away from the line through their centres. */
  loft(sections: readonly Section[], mapping: Mapping, caps: { start?: Mapping | boolean; end?: Mapping | boolean } = {}): void {
    const n = sections[0].points.length
    const lengths = [0]
    for (let s = 1; s < sections.length; s++)
      lengths.push(lengths[s - 1] + Math.hypot(...sub(sections[s].points[0], sections[s - 1].points[0])) + 1e-6)
    const total = lengths[lengths.length - 1]
    for (let s = 0; s + 1 < sections.length; s++) {
      const [p, q] = [sections[s], sections[s + 1]]
      const inside = mul(add(p.at, q.at), 0.5)
      for (let i = 0; i < n; i++) {
        const j = (i + 1) % n
        this.face(
          [p.points[i], p.points[j], q.points[j], q.points[i]],
          [p.bone, p.bone, q.bone, q.bone],
          inside,
          mapping,
          [i / n, (i + 1) / n, (i + 1) / n, i / n],
          [lengths[s] / total, lengths[s] / total, lengths[s + 1] / total, lengths[s + 1] / total],
        )
      }
    }
    const cap = (s: number, next: number, how: Mapping | boolean | undefined): void => {
      if (!how) return
      const { points, bone } = sections[s]
      this.face(
        points,
        points.map(() => bone),
        sections[next].at,
        how === true ? mapping : how,
        points.map((_, i) => i / n),
        points.map(() => -1),
      )
    }
    cap(0, 1, caps.start)
    cap(sections.length - 1, sections.length - 2, caps.end)
  }

  /** A flat polygon that is seen from the side that `from` is not on. */
  face(
    points: readonly Vec[],
    bones: readonly number[],
    from: Vec,
    mapping: Mapping,
    around: readonly number[] = points.map(() => 0),
    along: readonly number[] = points.map(() => -1),
  ): void {
    let normal: Vec = [0, 0, 0]
    for (let i = 0; i < points.length; i++)
      normal = add(normal, cross(sub(points[i], points[0]), sub(points[(i + 1) % points.length], points[0])))
    const area = Math.hypot(...normal)
    if (area < 1e-7) return
    normal = unit(normal)
    const centre = mul(points.reduce(add, [0, 0, 0] as Vec), 1 / points.length)
    const order = Array.from(points.keys())
    if (dot(normal, sub(centre, from)) < 0) {
      order.reverse()
      normal = mul(normal, -1)
    }
    this.faces.push({
      normal,
      area,
      corners: order.map((i) => ({ at: points[i], uv: mapping(points[i], normal, around[i], along[i]), bone: bones[i] })),
    })
  }

  /** Triangles, with edges of less than `crease` degrees rounded off by their normals. */
  build(crease = 38): Plates {
    const key = (p: Vec): string => p.map((x) => Math.round(x * 4096)).join()
    const around = new Map<string, Face[]>()
    for (const face of this.faces) {
      for (const corner of face.corners) {
        const k = key(corner.at)
        const list = around.get(k)
        if (list) list.push(face)
        else around.set(k, [face])
      }
    }
    const least = Math.cos((crease * Math.PI) / 180)
    const out: Plates = { positions: [], normals: [], uvs: [], triangles: [], bones: [] }
    const known = new Map<string, number>()
    for (const face of this.faces) {
      const indices = face.corners.map(({ at, uv, bone }) => {
        const place = key(at)
        let normal: Vec = [0, 0, 0]
        for (const other of around.get(place)!)
          if (dot(other.normal, face.normal) >= least) normal = add(normal, mul(other.normal, other.area))
        normal = unit(normal)
        const id = `${place}|${key(normal)}|${uv.map((x) => Math.round(x * 64)).join()}|${bone}`
        let index = known.get(id)
        if (index === undefined) {
          index = out.bones.length
          known.set(id, index)
          out.positions.push(...at)
          out.normals.push(...normal)
          out.uvs.push(uv[0] / this.size, uv[1] / this.size)
          out.bones.push(bone)
        }
        return index
      })
      for (let i = 2; i < indices.length; i++) {
        const [a, b, c] = [indices[0], indices[i - 1], indices[i]]
        if (a !== b && b !== c && a !== c) out.triangles.push(a, b, c)
      }
    }
    return out
  }
}
