/**
 * One stroke of the weight brush, from press to release, as pure data: takes dabs, tells what the file would store. Add, subtract and replace
 * count the strongest dab on a vertex, so that going over a place twice in a stroke changes nothing; smooth goes on with every dab.
 */
import type { NativeWeights } from '../../../shared/api/types/weights.ts'
import {
  changedWeight,
  columnOf,
  falloffAt,
  neighbourMean,
  withBone,
  type ChangeMode,
  type Falloff,
} from '../../../shared/weights/change.ts'
import type { NativeGeometry, Neighbours } from '../../../shared/weights/geometry.ts'
import { SurfaceTree } from '../../../shared/weights/geometry.ts'
import { EditRows, influencesOf, type Influence } from '../../../shared/weights/rows.ts'

export interface StrokeOptions {
  bone: number
  mode: ChangeMode
  /** 0..1 in the middle of the brush */
  strength: number
  /** native weight that `replace` goes to */
  amount: number
  falloff: Falloff
  heirs: Int32Array
  neighbours: Neighbours
  geometry: Pick<NativeGeometry, 'drawnOf'>
  /** the vertex on the other side of each (see partnersOf), and the bone painted there */
  mirror?: { partners: Int32Array; bone: number }
}

/** A bone's weights being painted. */
interface Layer {
  bone: number
  before: Float32Array
  column: Float32Array
  /** strongest dab on each vertex, 0..1 */
  share: Float32Array
}

/** Share of a full step that one dab of smoothing takes. */
const SMOOTH_RATE = 0.5

export class Stroke {
  private readonly weights: NativeWeights
  private readonly options: StrokeOptions
  private readonly layers: Layer[]
  private readonly touched = new Set<number>()
  private readonly strongest: Float32Array

  constructor(weights: NativeWeights, options: StrokeOptions) {
    this.weights = weights
    this.options = options
    const layer = (bone: number): Layer => {
      const before = columnOf(weights, bone)
      return { bone, before, column: before.slice(), share: new Float32Array(weights.vertexCount) }
    }
    this.layers = [layer(options.bone)]
    if (options.mirror && options.mirror.bone !== options.bone) this.layers.push(layer(options.mirror.bone))
    this.strongest = new Float32Array(weights.vertexCount)
  }

  get touchedCount(): number {
    return this.touched.size
  }

  /**
   * @param positions 3 per drawn vertex, in the space of the point
   * @returns native vertices that it reached
   */
  dab(point: ArrayLike<number>, radius: number, positions: Float32Array): number[] {
    const { falloff, geometry, mirror } = this.options
    const reached: number[] = []
    for (let v = 0; v < this.weights.vertexCount; v++) {
      const d = 3 * geometry.drawnOf[v]
      if (d < 0) continue
      const dx = positions[d] - point[0],
        dy = positions[d + 1] - point[1],
        dz = positions[d + 2] - point[2]
      const square = dx * dx + dy * dy + dz * dz
      if (!(square < radius * radius)) continue
      const share = falloffAt(falloff, Math.sqrt(square) / radius)
      if (share > 0) {
        this.strongest[v] = share
        reached.push(v)
      }
    }
    const main = this.layers[0]
    const all = new Set(reached)
    if (!mirror) this.paint(main, reached, this.strongest)
    else {
      const there = new Map<number, number>()
      for (const v of reached) {
        const m = mirror.partners[v]
        if (m >= 0) there.set(m, Math.max(there.get(m) ?? 0, this.strongest[v]))
      }
      for (const m of there.keys()) all.add(m)
      if (this.layers.length === 1) {
        // a bone in the middle: both sides are one layer
        for (const [m, share] of there) this.strongest[m] = Math.max(this.strongest[m], share)
        this.paint(main, [...all], this.strongest)
      } else {
        this.paint(main, reached, this.strongest)
        for (const v of reached) this.strongest[v] = 0
        for (const [m, share] of there) this.strongest[m] = share
        this.paint(this.layers[1], [...there.keys()], this.strongest)
      }
    }
    for (const v of all) {
      this.strongest[v] = 0
      this.touched.add(v)
    }
    return [...all]
  }

  private paint(layer: Layer, vertices: readonly number[], shares: Float32Array): void {
    const { mode, strength, amount, neighbours } = this.options
    const full = this.weights.limits.fullWeight
    if (mode === 'smooth') {
      // all means are of the state before the dab: the order of vertices does not show
      const next = vertices.map((v) =>
        changedWeight('smooth', layer.column[v], shares[v] * strength * SMOOTH_RATE, neighbourMean(layer.column, neighbours, v), full),
      )
      vertices.forEach((v, i) => (layer.column[v] = next[i]))
      return
    }
    for (const v of vertices) {
      if (!(shares[v] > layer.share[v])) continue
      layer.share[v] = shares[v]
      layer.column[v] = changedWeight(mode, layer.before[v], shares[v] * strength, amount, full)
    }
  }

  /** The row that the file would store. */
  row(vertex: number): Influence[] {
    const { weights, options } = this
    let list = influencesOf(weights, vertex)
    for (const { bone, before, column } of this.layers)
      if (column[vertex] !== before[vertex]) list = withBone(list, bone, column[vertex], weights.limits, options.heirs[bone] ?? -1)
    return list
  }

  /** Weight of the painted bone as it would be stored, 0..1 of a full one. */
  stored(vertex: number): number {
    let sum = 0
    for (const i of this.row(vertex)) if (i.bone === this.options.bone) sum += i.weight
    return sum / this.weights.limits.fullWeight
  }

  rows(): EditRows {
    const rows = new EditRows(this.weights)
    for (const v of this.touched) rows.set(v, this.row(v))
    return rows
  }
}

/** The vertex nearest to where each one is seen in the mirror, -1 where none is near. */
export function partnersOf(geometry: NativeGeometry, mirror: { axis: number; plane: number }): Int32Array {
  const { positions } = geometry
  const tree = new SurfaceTree(geometry)
  const out = new Int32Array(positions.length / 3).fill(-1)
  for (let v = 0; v < out.length; v++) {
    const p = [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]]
    p[mirror.axis] = 2 * mirror.plane - p[mirror.axis]
    const found = tree.nearest(p[0], p[1], p[2], geometry.size * 0.02)
    if (found) out[v] = found.vertices[found.shares.indexOf(Math.max(...found.shares))]
  }
  return out
}
