/**
 * Tools over many vertices. Each gives the rows that change; who asked sends them as one edit. A row depends on the weights as they are and on
 * nothing that the tool wrote, so that a mesh can be done in parts: `rows` and `tree` are those of the parts before.
 */
import type { NativeWeights } from '../api/types/weights.ts'
import type { NativeGeometry, Neighbours, SurfacePoint } from './geometry.ts'
import { SurfaceTree } from './geometry.ts'
import { largest, totalOf } from './limits.ts'
import { EditRows, countOf, influencesOf, sumIsFull, sumOf, type Influence } from './rows.ts'

/** Sums that are off become full. A vertex without weights stays without. */
export function normalise(w: NativeWeights, vertices: Uint32Array, rows: EditRows = new EditRows(w)): EditRows {
  for (const v of vertices) {
    const sum = sumOf(w, v)
    if (sum > 0 && !exactlyFull(w, v, sum)) rows.setFit(v, influencesOf(w, v))
  }
  return rows
}

function exactlyFull(w: NativeWeights, vertex: number, sum: number): boolean {
  const { fullWeight, step } = w.limits
  return step > 0 ? sum === fullWeight : Math.abs(sum - fullWeight) <= fullWeight * 1e-5 * Math.max(1, countOf(w, vertex))
}

/** Takes weights below a threshold out; the others take them over, so that the sum stays. The largest weight of a vertex stays always. */
export function prune(w: NativeWeights, vertices: Uint32Array, threshold: number, rows: EditRows = new EditRows(w)): EditRows {
  for (const v of vertices) {
    const list = influencesOf(w, v)
    let kept = list.filter((i) => i.weight >= threshold)
    if (kept.length === list.length) continue
    if (!kept.length) kept = largest(list, 1)
    if (kept.length < list.length) rows.setFit(v, kept, totalOf(list))
  }
  return rows
}

/** At most so many bones a vertex, the largest stay and take the others over. */
export function limit(w: NativeWeights, vertices: Uint32Array, most: number, rows: EditRows = new EditRows(w)): EditRows {
  const bound = Math.max(1, w.limits.maxInfluences > 0 ? Math.min(most, w.limits.maxInfluences) : most)
  for (const v of vertices) {
    if (countOf(w, v) <= bound) continue
    const list = influencesOf(w, v)
    rows.setFit(v, largest(list, bound), totalOf(list))
  }
  return rows
}

/** Every row goes towards the mean of its neighbours, all bones at once. @param strength 0..1 */
export function smooth(
  w: NativeWeights,
  vertices: Uint32Array,
  neighbours: Neighbours,
  strength: number,
  rows: EditRows = new EditRows(w),
): EditRows {
  const mean = new Float64Array(w.bones.length)
  const touched: number[] = []
  for (const v of vertices) {
    const from = neighbours.offsets[v],
      to = neighbours.offsets[v + 1]
    if (from === to) continue
    touched.length = 0
    let total = 0
    const take = (vertex: number, share: number): void => {
      for (let i = w.offsets[vertex]; i < w.offsets[vertex + 1]; i++) {
        const b = w.bone[i]
        if (!(w.weight[i] > 0) || b >= mean.length) continue
        if (mean[b] === 0) touched.push(b)
        mean[b] += w.weight[i] * share
        total += w.weight[i] * share
      }
    }
    take(v, 1 - strength)
    for (let i = from; i < to; i++) take(neighbours.list[i], strength / (to - from))
    const list = touched.map((bone) => ({ bone, weight: mean[bone] }))
    for (const b of touched) mean[b] = 0
    // below a thousandth a weight only makes the row longer
    const kept = list.filter((i) => i.weight >= total * 1e-3)
    if (total > 0) rows.setFit(v, unchanged(influencesOf(w, v), kept, total))
  }
  return rows
}

/** The old row where the new one differs by less than anyone sees, so that flat places keep their bytes. */
function unchanged(old: Influence[], next: Influence[], total: number): Influence[] {
  if (old.length !== next.length) return next
  return next.every((n) => Math.abs((old.find((o) => o.bone === n.bone)?.weight ?? Infinity) - n.weight) <= total * 1e-5) ? old : next
}

export interface Transfer {
  rows: EditRows
  /** vertices that found no place near enough */
  unmatched: number
  /** bones of the source that have no counterpart here */
  missing: string[]
}

export interface MirrorOptions {
  /** 0 for x (left and right of a scene), 1, 2 */
  axis: number
  /** place of the plane on the axis */
  plane: number
  /** the side that is copied from: that of larger or of smaller coordinates */
  from: 'positive' | 'negative'
  /** the other side of each bone, see mirrorNames */
  pairs: Int32Array
  /** farthest a mirrored vertex may lie from the surface, scene units */
  tolerance: number
}

/** Vertices of one side get the weights of the other, bones swapped by `pairs`; on the plane both sides are evened out. */
export function mirror(
  w: NativeWeights,
  vertices: Uint32Array,
  geometry: NativeGeometry,
  options: MirrorOptions,
  tree: SurfaceTree = new SurfaceTree(geometry),
  rows: EditRows = new EditRows(w),
): Transfer {
  const { axis, plane, from, pairs, tolerance } = options
  const { positions } = geometry
  const sign = from === 'positive' ? 1 : -1
  const edge = Math.max(geometry.size * 1e-4, 1e-9)
  let unmatched = 0
  const swapped = (list: readonly Influence[]): Influence[] => list.map((i) => ({ bone: pairs[i.bone] ?? i.bone, weight: i.weight }))
  for (const v of vertices) {
    const at = positions.subarray(3 * v, 3 * v + 3)
    const side = (at[axis] - plane) * sign
    // NaN: not drawn
    if (!(side <= edge)) continue
    if (side >= -edge) {
      const own = influencesOf(w, v)
      if (own.length) rows.setFit(v, inPairs(evened(own, swapped(own)), pairs, w.limits.maxInfluences) ?? own, totalOf(own))
      continue
    }
    const p = [at[0], at[1], at[2]]
    p[axis] = 2 * plane - p[axis]
    const found = tree.nearest(p[0], p[1], p[2], tolerance)
    if (!found) unmatched++
    else rows.setFit(v, inOrder(swapped(blended(w, found)), influencesOf(w, v)), sumAt(w, found))
  }
  return { rows, unmatched, missing: [] }
}

function evened(a: Influence[], b: Influence[]): Influence[] {
  const out = a.map((i) => ({ bone: i.bone, weight: i.weight / 2 }))
  for (const i of b) {
    const known = out.find((o) => o.bone === i.bone)
    if (known) known.weight += i.weight / 2
    else out.push({ bone: i.bone, weight: i.weight / 2 })
  }
  return out
}

/** The largest weights that the file has room for, a bone never without its other side; null where not even one such set fits. */
function inPairs(list: Influence[], pairs: Int32Array, most: number): Influence[] | null {
  if (most === 0 || list.length <= most) return list
  const kept = new Set<number>()
  for (const { bone } of [...list].sort((a, b) => b.weight - a.weight)) {
    const both = [bone, pairs[bone] ?? bone].filter((b, i, a) => a.indexOf(b) === i && !kept.has(b))
    if (kept.size + both.length <= most) for (const b of both) kept.add(b)
  }
  return kept.size ? list.filter((i) => kept.has(i.bone)) : null
}

/** Weights at a point of the surface: those of the corners by their shares. */
function blended(w: NativeWeights, point: SurfacePoint): Influence[] {
  const out: Influence[] = []
  point.vertices.forEach((v, corner) => {
    const share = point.shares[corner]
    if (!(share > 1e-4)) return
    for (let i = w.offsets[v]; i < w.offsets[v + 1]; i++) {
      const known = out.find((o) => o.bone === w.bone[i])
      if (known) known.weight += w.weight[i] * share
      else out.push({ bone: w.bone[i], weight: w.weight[i] * share })
    }
  })
  return out
}

function sumAt(w: NativeWeights, point: SurfacePoint): number {
  return point.vertices.reduce((n, v, corner) => n + sumOf(w, v) * point.shares[corner], 0)
}

/** The bones that a vertex has already stand where they stood, so that a row that only says the same is no change. */
function inOrder(list: Influence[], old: readonly Influence[]): Influence[] {
  const place = (bone: number): number => {
    const at = old.findIndex((o) => o.bone === bone)
    return at < 0 ? old.length : at
  }
  return list
    .map((entry, i) => ({ entry, i }))
    .sort((a, b) => place(a.entry.bone) - place(b.entry.bone) || a.i - b.i)
    .map(({ entry }) => entry)
}

export interface CopySource {
  weights: NativeWeights
  geometry: NativeGeometry
}

/**
 * Weights taken from the nearest point of another mesh, bones by their names (case does not count), scaled to this file's full weight.
 * @param within farthest a vertex may be from the source, scene units
 */
export function copyFrom(
  source: CopySource,
  w: NativeWeights,
  vertices: Uint32Array,
  geometry: NativeGeometry,
  within: number,
  tree: SurfaceTree = new SurfaceTree(source.geometry),
  rows: EditRows = new EditRows(w),
): Transfer {
  const byName = new Map<string, number>()
  w.bones.forEach((b, i) => {
    const name = b.name.trim().toLowerCase()
    if (!byName.has(name)) byName.set(name, i)
  })
  const to = source.weights.bones.map((b) => byName.get(b.name.trim().toLowerCase()) ?? -1)
  const missing = new Set<string>()
  let unmatched = 0
  for (const v of vertices) {
    const [x, y, z] = geometry.positions.subarray(3 * v, 3 * v + 3)
    if (!Number.isFinite(x)) continue
    const found = tree.nearest(x, y, z, within)
    if (!found) {
      unmatched++
      continue
    }
    const taken = blended(source.weights, found)
    const list: Influence[] = []
    for (const { bone, weight } of taken) {
      if (to[bone] >= 0) list.push({ bone: to[bone], weight })
      else missing.add(source.weights.bones[bone]?.name ?? String(bone))
    }
    if (list.length)
      rows.setFit(
        v,
        inOrder(list, influencesOf(w, v)),
        (sumAt(source.weights, found) * w.limits.fullWeight) / source.weights.limits.fullWeight,
      )
    else if (taken.length) unmatched++
  }
  return { rows, unmatched, missing: [...missing].sort() }
}

/** Plane that halves a mesh best: the axis and place about which most vertices have a counterpart. `share` says how many do. */
export function findPlane(geometry: NativeGeometry): { axis: number; plane: number; share: number } {
  const { positions } = geometry
  const tree = new SurfaceTree(geometry)
  const count = positions.length / 3
  const step = Math.max(1, Math.floor(count / 400))
  const tolerance = geometry.size * 0.005
  let best = { axis: 0, plane: 0, share: -1 }
  for (const axis of [0, 2]) {
    let low = Infinity,
      high = -Infinity
    for (let v = 0; v < count; v++) {
      const x = positions[3 * v + axis]
      if (x < low) low = x
      if (x > high) high = x
    }
    if (!(high > low)) continue
    for (const plane of [0, (low + high) / 2]) {
      let tried = 0,
        matched = 0
      for (let v = 0; v < count; v += step) {
        const p = [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]]
        if (!Number.isFinite(p[0])) continue
        p[axis] = 2 * plane - p[axis]
        tried++
        if (tree.nearest(p[0], p[1], p[2], tolerance)) matched++
      }
      const share = tried ? matched / tried : 0
      // the middle of the scene and the x axis win a draw
      if (share > best.share + 0.02) best = { axis, plane, share }
    }
  }
  return best
}

export interface BoneStatistics {
  /** vertices that each bone moves */
  vertices: Uint32Array
  /** mean of its weight on those, native scale */
  mean: Float32Array
  largest: Float32Array
}

export function boneStatistics(w: NativeWeights): BoneStatistics {
  const n = w.bones.length
  const vertices = new Uint32Array(n)
  const mean = new Float32Array(n)
  const most = new Float32Array(n)
  for (let i = 0; i < w.bone.length; i++) {
    const b = w.bone[i]
    if (b >= n || !(w.weight[i] > 0)) continue
    vertices[b]++
    mean[b] += w.weight[i]
    most[b] = Math.max(most[b], w.weight[i])
  }
  for (let b = 0; b < n; b++) if (vertices[b]) mean[b] /= vertices[b]
  return { vertices, mean, largest: most }
}

export interface WeightTrouble {
  /** vertices without weight */
  none: number
  /** vertices whose sum is not full */
  off: number
  /** vertices with more bones than the file's games read */
  many: number
  /** most bones that a vertex has */
  most: number
}

export function findTrouble(w: NativeWeights): WeightTrouble {
  const out = { none: 0, off: 0, many: 0, most: 0 }
  for (let v = 0; v < w.vertexCount; v++) {
    const count = countOf(w, v)
    if (count > out.most) out.most = count
    if (count === 0) out.none++
    else if (!sumIsFull(sumOf(w, v), count, w.limits.fullWeight)) out.off++
    if (w.limits.maxInfluences > 0 && count > w.limits.maxInfluences) out.many++
  }
  return out
}
