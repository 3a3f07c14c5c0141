/** Boxes around posed models that a broken vertex cannot blow up. */
import type { Vec3 } from './vec.ts'

export interface Bounds {
  min: Vec3
  max: Vec3
}

export function center(b: Bounds): Vec3 {
  return [(b.min[0] + b.max[0]) / 2, (b.min[1] + b.max[1]) / 2, (b.min[2] + b.max[2]) / 2]
}

/** Half of the diagonal. */
export function radius(b: Bounds): number {
  return Math.hypot(b.max[0] - b.min[0], b.max[1] - b.min[1], b.max[2] - b.min[2]) / 2
}

export function union(a: Bounds | null, b: Bounds | null): Bounds | null {
  if (!a || !b) return a ?? b
  return {
    min: [Math.min(a.min[0], b.min[0]), Math.min(a.min[1], b.min[1]), Math.min(a.min[2], b.min[2])],
    max: [Math.max(a.max[0], b.max[0]), Math.max(a.max[1], b.max[1]), Math.max(a.max[2], b.max[2])],
  }
}

/** A box that has an extent: a point is the middle of one of the size of a person. */
export function withExtent(b: Bounds): Bounds {
  if (radius(b) >= 1e-6) return b
  const [x, y, z] = b.min
  return { min: [x - 0.5, y - 0.5, z - 0.5], max: [x + 0.5, y + 0.5, z + 0.5] }
}

/** Points are taken as a sample where there are more. */
const SAMPLE = 20_000

/**
 * Box around points (3 numbers each). What is not finite is passed over, and so is what lies far outside
 * of where most of the points are: neither a corrupt vertex nor a part that a game hides by moving it away must make the model
 * a dot on screen. What triangles join to the rest is no such part: the foot of a lamp post. Null without a usable point.
 * @param triangles of each list, three of its points each; absent where there are none
 */
export function robustBounds(lists: readonly ArrayLike<number>[], triangles: readonly ArrayLike<number>[] = []): Bounds | null {
  let total = 0
  for (const list of lists) total += list.length / 3
  if (!total) return null
  const step = Math.max(1, Math.ceil(total / SAMPLE))
  const size = Math.ceil(total / step) + lists.length
  const axes = [new Float32Array(size), new Float32Array(size), new Float32Array(size)]
  let n = 0
  for (const list of lists) {
    for (let i = 0; i + 2 < list.length; i += 3 * step) {
      if (!(Math.abs(list[i]) < 1e18 && Math.abs(list[i + 1]) < 1e18 && Math.abs(list[i + 2]) < 1e18)) continue
      axes[0][n] = list[i]
      axes[1][n] = list[i + 1]
      axes[2][n] = list[i + 2]
      n++
    }
  }
  if (!n) return null
  // where the bulk is, and how large it is
  const low: number[] = []
  const high: number[] = []
  let extent = 0
  const sorted = axes.map((axis) => axis.slice(0, n).sort())
  const most =
    MOST_JOINED * Math.max(...sorted.map((axis) => axis[Math.floor((1 - MOST_AWAY) * (n - 1))] - axis[Math.floor(MOST_AWAY * n)]))
  for (const [axis, places] of sorted.entries()) {
    const [from, to] = bulkOf(places, (a, b) => isSpanned(lists, triangles, { axis, from: a, to: b, most }))
    low.push(from)
    high.push(to)
    extent = Math.max(extent, to - from)
  }
  // a thin sword or a long tail is still part of it: three times the bulk on every side
  const reach = n < 8 ? Infinity : extent * 3
  const min: Vec3 = [Infinity, Infinity, Infinity]
  const max: Vec3 = [-Infinity, -Infinity, -Infinity]
  for (const list of lists) {
    for (let i = 0; i + 2 < list.length; i += 3) {
      let inside = true
      for (let c = 0; c < 3; c++) if (!(list[i + c] >= low[c] - reach && list[i + c] <= high[c] + reach)) inside = false
      if (!inside) continue
      for (let c = 0; c < 3; c++) {
        if (list[i + c] < min[c]) min[c] = list[i + c]
        if (list[i + c] > max[c]) max[c] = list[i + c]
      }
    }
  }
  return min[0] <= max[0] ? { min, max } : null
}

/** Share of the points, on each side, that may be a part that was moved away. */
const MOST_AWAY = 0.3
/** A part is away when the way to it is so many times the size of what stays. */
const AWAY = 3
/** Triangles that are so many times as long as the middle of all is large have a corner that is broken. */
const MOST_JOINED = 30
/** Fewer points than these are no part that something could be joined to. */
const LEAST_JOINED = 3

/**
 * From where to where most of the points are: 98 % of them, without what a wide gap parts from the rest.
 * @param sorted one coordinate of each
 * @param isJoined whether there is something from one side of a gap to the other
 */
function bulkOf(sorted: Float32Array, isJoined: (from: number, to: number) => boolean): [number, number] {
  const n = sorted.length
  const cut = Math.floor(n * 0.01)
  let low = cut
  let high = n - 1 - cut
  const share = Math.floor(n * MOST_AWAY)
  // the innermost gap on each side counts
  for (let i = Math.min(share, high - 1); i >= low; i--) {
    if (sorted[i + 1] - sorted[i] <= AWAY * (sorted[high] - sorted[i + 1])) continue
    if (i - cut + 1 >= LEAST_JOINED && isJoined(sorted[i], sorted[i + 1])) continue
    low = i + 1
    break
  }
  for (let i = Math.max(n - 1 - share, low + 1); i <= high; i++) {
    if (sorted[i] - sorted[i - 1] <= AWAY * (sorted[i - 1] - sorted[low])) continue
    if (n - cut - i >= LEAST_JOINED && isJoined(sorted[i - 1], sorted[i])) continue
    high = i - 1
    break
  }
  return [sorted[low], sorted[high]]
}

/** Whether a triangle goes over a gap of one coordinate. @param gap.most longer ones do not count */
function isSpanned(
  lists: readonly ArrayLike<number>[],
  triangles: readonly ArrayLike<number>[],
  { axis, from, to, most }: { axis: number; from: number; to: number; most: number },
): boolean {
  return triangles.some((corners, list) => {
    const points = lists[list]
    for (let t = 0; t + 2 < corners.length; t += 3) {
      const a = points[3 * corners[t] + axis]
      const b = points[3 * corners[t + 1] + axis]
      const c = points[3 * corners[t + 2] + axis]
      const [low, high] = [Math.min(a, b, c), Math.max(a, b, c)]
      if (low <= from && high >= to && high - low <= most) return true
    }
    return false
  })
}
