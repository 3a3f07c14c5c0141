/** Bars, blocks and mirrored sections that all parts of the walker are built of. */
import { ACROSS_X, ACROSS_Y, disc, plate, round, wrapped } from './plating.ts'
import { add, cross, mul, sub, unit } from './vectors.ts'
import { RECT } from './walker-paint.ts'
import { left } from './walker-rig.ts'
import type { Plating, Plane, Section } from './plating.ts'
import type { Vec } from './vectors.ts'

/** Points and sections mirrored to the right side. */
export function mirrored(section: Section, side: number): Section {
  return side > 0 ? section : { ...section, at: left(section.at, side), points: section.points.map((p) => left(p, side)) }
}

export const at = (a: Vec, b: Vec, k: number): Vec => add(a, mul(sub(b, a), k))

/** A cylinder between two points. */
export function bar(
  p: Plating,
  a: Vec,
  b: Vec,
  ra: number,
  rb: number,
  n: number,
  rect: (typeof RECT)[keyof typeof RECT],
  bones: [number, number],
  cap: keyof typeof RECT | undefined = undefined,
): void {
  const d = unit(sub(b, a))
  const side = unit(cross(d, Math.abs(d[2]) > 0.9 ? [1, 0, 0] : [0, 0, 1]))
  const plane: Plane = { a: side, b: cross(d, side) }
  const ends = cap ? { start: disc(RECT[cap], a, ra, plane), end: disc(RECT[cap], b, rb, plane) } : { start: true, end: true }
  p.loft([round(plane, a, ra, ra, n, bones[0]), round(plane, b, rb, rb, n, bones[1])], wrapped(rect), ends)
}

/** A block with cut corners along X, Y or Z between two corners. */
export function block(p: Plating, plane: Plane, a: Vec, b: Vec, bevel: number, mapping: Parameters<Plating['loft']>[1], bone = 0): void {
  const low: Vec = [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.min(a[2], b[2])]
  const high: Vec = [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.max(a[2], b[2])]
  const axis = plane === ACROSS_X ? 0 : plane === ACROSS_Y ? 1 : 2
  const mid = mul(add(low, high), 0.5)
  const half = mul(sub(high, low), 0.5)
  const [ha, hb] = axis === 0 ? [half[1], half[2]] : axis === 1 ? [half[0], half[2]] : [half[0], half[1]]
  const sections = [
    [-1, bevel],
    [-1, 0],
    [1, 0],
    [1, bevel],
  ].map(([end, inset], i) => {
    const c = [...mid] as [number, number, number]
    c[axis] = mid[axis] + end * (half[axis] - (i === 1 || i === 2 ? bevel : 0))
    return plate(plane, c, ha - inset, hb - inset, bevel, bone)
  })
  p.loft(sections, mapping, { start: true, end: true })
}
