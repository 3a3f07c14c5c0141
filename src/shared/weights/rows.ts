/** Weights of one mesh as rows per vertex, and edits of them. The file's own scale is kept: nothing is normalised unasked. */
import type { NativeWeights, WeightEdit } from '../api/types/weights.ts'
import { fit, type Loss } from './limits.ts'

export interface Influence {
  /** index into NativeWeights.bones */
  bone: number
  weight: number
}

export function influencesOf(w: NativeWeights, vertex: number): Influence[] {
  const out: Influence[] = []
  for (let i = w.offsets[vertex]; i < w.offsets[vertex + 1]; i++) out.push({ bone: w.bone[i], weight: w.weight[i] })
  return out
}

export function countOf(w: NativeWeights, vertex: number): number {
  return w.offsets[vertex + 1] - w.offsets[vertex]
}

export function sumOf(w: NativeWeights, vertex: number): number {
  let sum = 0
  for (let i = w.offsets[vertex]; i < w.offsets[vertex + 1]; i++) sum += w.weight[i]
  return sum
}

/** Weight of one bone on a vertex; 0 where it does not move it. */
export function weightOf(w: NativeWeights, vertex: number, bone: number): number {
  let sum = 0
  for (let i = w.offsets[vertex]; i < w.offsets[vertex + 1]; i++) if (w.bone[i] === bone) sum += w.weight[i]
  return sum
}

/** The sum is what the file calls a full weight, within a thousandth; no influence at all is right too (the vertex rides on its owner). */
export function sumIsFull(sum: number, count: number, full: number): boolean {
  return count === 0 || Math.abs(sum - full) <= full * 1e-3
}

/** What is listed: every vertex, those whose sum is off, those that no bone moves. */
export type VertexFilter = 'all' | 'off' | 'none'

/** Vertices that a bone moves (any bone: -1), by their state if asked. */
export function filterVertices(w: NativeWeights, bone: number, filter: VertexFilter): Uint32Array {
  const out = new Uint32Array(w.vertexCount)
  let n = 0
  for (let v = 0; v < w.vertexCount; v++) {
    const from = w.offsets[v]
    const to = w.offsets[v + 1]
    if (filter === 'none') {
      if (from === to) out[n++] = v
      continue
    }
    if (bone >= 0) {
      let moved = false
      for (let i = from; i < to && !moved; i++) moved = w.bone[i] === bone
      if (!moved) continue
    }
    if (filter === 'off' && sumIsFull(sumOf(w, v), to - from, w.limits.fullWeight)) continue
    out[n++] = v
  }
  return out.subarray(0, n)
}

/** An edit that gives one vertex these influences. */
export function editOf(id: string, vertex: number, list: readonly Influence[]): WeightEdit {
  return {
    id,
    vertices: Uint32Array.of(vertex),
    offsets: Uint32Array.of(0, list.length),
    bone: Uint16Array.from(list, (i) => i.bone),
    weight: Float32Array.from(list, (i) => i.weight),
  }
}

/** An edit that changes nothing: what a step is done again as when it comes to nothing. */
export function editOfNothing(id: string): WeightEdit {
  return { id, vertices: new Uint32Array(0), offsets: Uint32Array.of(0), bone: new Uint16Array(0), weight: new Float32Array(0) }
}

/** Collects new rows; those that are what the file has are left out of the edit. */
export class EditRows {
  /** vertices that lost bones because the file has no room for them */
  cut = 0
  /** most that a weight changed by rounding, native scale */
  rounded = 0
  private readonly base: NativeWeights
  private readonly rows = new Map<number, readonly Influence[]>()

  constructor(base: NativeWeights) {
    this.base = base
  }

  /** @param loss what making the row fit took from it, for the account of the whole */
  set(vertex: number, list: readonly Influence[], loss?: Loss): void {
    if (this.isSame(vertex, list)) {
      this.rows.delete(vertex)
      return
    }
    this.rows.set(vertex, list)
    if (!loss) return
    if (loss.cut) this.cut++
    this.rounded = Math.max(this.rounded, loss.rounded)
  }

  /** The row made to fit the file, see `fit`. */
  setFit(vertex: number, list: readonly Influence[], sum?: number): void {
    const loss = { cut: 0, rounded: 0 }
    this.set(vertex, fit(list, this.base.limits, sum, loss), loss)
  }

  get count(): number {
    return this.rows.size
  }

  /** @returns null where nothing would change */
  edit(): WeightEdit | null {
    if (!this.rows.size) return null
    const vertices = Uint32Array.from(this.rows.keys()).sort()
    const offsets = new Uint32Array(vertices.length + 1)
    vertices.forEach((v, i) => (offsets[i + 1] = offsets[i] + this.rows.get(v)!.length))
    const bone = new Uint16Array(offsets[vertices.length])
    const weight = new Float32Array(bone.length)
    let at = 0
    for (const v of vertices) {
      for (const entry of this.rows.get(v)!) {
        bone[at] = entry.bone
        weight[at++] = entry.weight
      }
    }
    return { id: this.base.id, vertices, offsets, bone, weight }
  }

  private isSame(vertex: number, list: readonly Influence[]): boolean {
    const { offsets, bone, weight } = this.base
    const from = offsets[vertex]
    if (offsets[vertex + 1] - from !== list.length) return false
    return list.every((entry, i) => bone[from + i] === entry.bone && Object.is(weight[from + i], Math.fround(entry.weight)))
  }
}

/** The weights as they will be once an edit is written: for previews and tests. */
export function applied(w: NativeWeights, edit: WeightEdit | null): NativeWeights {
  if (!edit) return w
  const row = new Int32Array(w.vertexCount).fill(-1)
  edit.vertices.forEach((v, i) => (row[v] = i))
  const offsets = new Uint32Array(w.vertexCount + 1)
  for (let v = 0; v < w.vertexCount; v++)
    offsets[v + 1] = offsets[v] + (row[v] < 0 ? countOf(w, v) : edit.offsets[row[v] + 1] - edit.offsets[row[v]])
  const bone = new Uint16Array(offsets[w.vertexCount])
  const weight = new Float32Array(bone.length)
  for (let v = 0; v < w.vertexCount; v++) {
    const from = row[v] < 0 ? w : edit
    const at = row[v] < 0 ? w.offsets[v] : edit.offsets[row[v]]
    const count = offsets[v + 1] - offsets[v]
    bone.set(from.bone.subarray(at, at + count), offsets[v])
    weight.set(from.weight.subarray(at, at + count), offsets[v])
  }
  return { ...w, offsets, bone, weight }
}
