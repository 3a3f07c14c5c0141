/** Weights of one mesh as rows per vertex, and edits of them. The file's own scale is kept: nothing is normalised unasked. */
import type { NativeWeights, WeightEdit } from '../../shared/api/types.ts'

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

export function sumOf(w: NativeWeights, vertex: number): number {
  let sum = 0
  for (let i = w.offsets[vertex]; i < w.offsets[vertex + 1]; i++) sum += w.weight[i]
  return sum
}

/** The sum is what the file calls a full weight, within a thousandth; no influence at all is right too (the vertex rides on its owner). */
export function sumIsFull(sum: number, count: number, full: number): boolean {
  return count === 0 || Math.abs(sum - full) <= full * 1e-3
}

/** Vertices that a bone moves (any bone: -1), only those whose sum is off if asked. */
export function filterVertices(w: NativeWeights, bone: number, offOnly: boolean): Uint32Array {
  const out = new Uint32Array(w.vertexCount)
  let n = 0
  for (let v = 0; v < w.vertexCount; v++) {
    const from = w.offsets[v]
    const to = w.offsets[v + 1]
    if (bone >= 0) {
      let moved = false
      for (let i = from; i < to && !moved; i++) moved = w.bone[i] === bone
      if (!moved) continue
    }
    if (offOnly) {
      let sum = 0
      for (let i = from; i < to; i++) sum += w.weight[i]
      if (sumIsFull(sum, to - from, w.limits.fullWeight)) continue
    }
    out[n++] = v
  }
  return out.subarray(0, n)
}

/** Weights scaled to a full sum, rounded to the file's step; the rest of the rounding goes to the largest. */
export function normalise(list: readonly Influence[], limits: { fullWeight: number; step: number }): Influence[] {
  const sum = list.reduce((n, i) => n + i.weight, 0)
  if (!(sum > 0)) return list.map((i) => ({ ...i }))
  const round = (v: number): number => (limits.step > 0 ? Math.round(v / limits.step) * limits.step : v)
  const out = list.map((i) => ({ bone: i.bone, weight: round((i.weight / sum) * limits.fullWeight) }))
  if (limits.step > 0) {
    const rest = limits.fullWeight - out.reduce((n, i) => n + i.weight, 0)
    const largest = out.reduce((best, i) => (i.weight > best.weight ? i : best), out[0])
    largest.weight += rest
  }
  return out
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
