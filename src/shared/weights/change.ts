/**
 * The weight of one bone changed over a set of vertices: what a brush does in a stroke and what a form does at once. Weights are worked
 * out in a column (the bone's weight on each vertex); rows are made from it at the end, so that a long stroke rounds once.
 */
import type { NativeWeights, WeightLimits } from '../api/types/weights.ts'
import type { Neighbours } from './geometry.ts'
import { fit, largest, totalOf, type Loss } from './limits.ts'
import { EditRows, influencesOf, weightOf, type Influence } from './rows.ts'

export type ChangeMode = 'add' | 'subtract' | 'replace' | 'smooth'

export type Falloff = 'smooth' | 'linear' | 'sharp' | 'constant'

/** Share of the strength at a distance from the middle (0) to the rim (1); 0 beyond. */
export function falloffAt(kind: Falloff, distance: number): number {
  if (!(distance < 1)) return 0
  const near = 1 - Math.max(0, distance)
  switch (kind) {
    case 'constant':
      return 1
    case 'linear':
      return near
    case 'sharp':
      return near * near
    case 'smooth':
      return near * near * (3 - 2 * near)
  }
}

/** Weight of a bone on every vertex, native scale. */
export function columnOf(w: NativeWeights, bone: number, out = new Float32Array(w.vertexCount)): Float32Array {
  for (let v = 0; v < w.vertexCount; v++) out[v] = weightOf(w, v, bone)
  return out
}

/**
 * One weight changed.
 * @param share 0..1: strength times falloff
 * @param amount what `replace` goes to; for `smooth` the mean of the neighbours
 */
export function changedWeight(mode: ChangeMode, before: number, share: number, amount: number, full: number): number {
  const by = mode === 'add' ? share * full : mode === 'subtract' ? -share * full : share * (amount - before)
  return Math.min(full, Math.max(0, before + by))
}

/** Mean of the column over the neighbours of a vertex; its own value where it has none. */
export function neighbourMean(column: Float32Array, neighbours: Neighbours, vertex: number): number {
  const from = neighbours.offsets[vertex]
  const to = neighbours.offsets[vertex + 1]
  if (from === to) return column[vertex]
  let sum = 0
  for (let i = from; i < to; i++) sum += column[neighbours.list[i]]
  return sum / (to - from)
}

/**
 * A row with a new weight for one bone: the others share what is left in their proportions, and give way where the file has too few slots.
 * @param heir takes what is left on a vertex that no other bone moves (the parent bone); -1: the bone keeps the vertex whole
 */
export function withBone(
  list: readonly Influence[],
  bone: number,
  weight: number,
  limits: WeightLimits,
  heir: number,
  loss?: Loss,
): Influence[] {
  const full = limits.fullWeight
  const least = limits.step > 0 ? limits.step / 2 : 0
  const value = weight > least ? Math.min(full, weight) : 0
  let others = list.filter((i) => i.bone !== bone && i.weight > 0)
  if (limits.maxInfluences === 1) {
    // a whole bone or none: the larger half has the vertex
    const [first] = largest(others, 1)
    if (value * 2 >= full || (!first && heir < 0)) return [{ bone, weight: full }]
    return [{ bone: first?.bone ?? heir, weight: full }]
  }
  if (value > 0 && limits.maxInfluences > 0) {
    if (loss) loss.cut += Math.max(0, others.length - (limits.maxInfluences - 1))
    others = largest(others, limits.maxInfluences - 1)
  }
  const shared = totalOf(others)
  if (value < full && !(shared > 0)) {
    if (heir < 0 || heir === bone) return [{ bone, weight: full }]
    others = [{ bone: heir, weight: 1 }]
  }
  const k = (full - value) / (shared > 0 ? shared : 1)
  const out: Influence[] = []
  let placed = false
  for (const i of list) {
    if (i.bone === bone) {
      if (!placed && value > 0) out.push({ bone, weight: value })
      placed = true
    } else if (others.includes(i)) out.push({ bone: i.bone, weight: i.weight * k })
  }
  if (!placed && value > 0) out.push({ bone, weight: value })
  for (const i of others) if (!list.includes(i)) out.push({ bone: i.bone, weight: i.weight * k })
  return fit(out, limits, limits.fullWeight, loss)
}

export interface ChangeOptions {
  bone: number
  mode: ChangeMode
  /** 0..1 */
  strength: number
  /** native weight that `replace` goes to */
  amount: number
  /** parent bone of each bone, -1 for none: see `withBone` */
  heirs: Int32Array
  /** 0..1 per listed vertex; absent: 1 */
  falloff?: Float32Array
  /** needed by `smooth` */
  neighbours?: Neighbours
}

/** Changes the weight of a bone on these vertices; an untouched vertex is not in the edit. */
export function changeBone(w: NativeWeights, vertices: Uint32Array, options: ChangeOptions, rows: EditRows = new EditRows(w)): EditRows {
  const { bone, mode, strength, amount, heirs, falloff, neighbours } = options
  const column = columnOf(w, bone)
  vertices.forEach((v, i) => {
    const share = strength * (falloff ? falloff[i] : 1)
    if (!(share > 0)) return
    const before = column[v]
    const goal = mode === 'smooth' && neighbours ? neighbourMean(column, neighbours, v) : amount
    const after = changedWeight(mode, before, share, mode === 'smooth' && !neighbours ? before : goal, w.limits.fullWeight)
    if (Math.fround(after) === before) return
    const loss = { cut: 0, rounded: 0 }
    rows.set(v, withBone(influencesOf(w, v), bone, after, w.limits, heirs[bone], loss), loss)
  })
  return rows
}

/** Nearest ancestor of each bone that is a bone of the skin too; -1 for none. @param parents of the scene's joints */
export function heirsOf(w: Pick<NativeWeights, 'bones'>, parents: Int32Array): Int32Array {
  const boneOf = new Map(w.bones.map((b, i) => [b.joint, i]))
  return Int32Array.from(w.bones, ({ joint }) => {
    if (joint < 0) return -1
    let steps = parents.length
    for (let p = parents[joint] ?? -1; p >= 0 && steps-- > 0; p = parents[p]) {
      const found = boneOf.get(p)
      if (found !== undefined) return found
    }
    return -1
  })
}
