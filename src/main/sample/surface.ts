/** A surface of tubes around joints, with weights, and places in a picture. */
import { add, cross, mul, sub, unit } from './vectors.ts'
import type { Rect } from './paint.ts'
import type { Vec } from './vectors.ts'

/** Side of the picture that all parts are painted in. */
export const ATLAS = 256

/** One cross-section: centre, half axes, what moves it. `power` above 2 makes it boxier. */
export interface Ring {
  at: Vec
  rx: number
  rz: number
  weights: [number, number][] | ((angle: number) => [number, number][])
  power?: number
  /** height in the texture, 0 top to 1 bottom; evenly spaced when absent */
  v?: number
  /** shift of single points, e.g. for spikes */
  bend?: (angle: number) => Vec
}

function weightsOf(ring: Ring, angle: number): [number, number][] {
  return typeof ring.weights === 'function' ? ring.weights(angle) : ring.weights
}

export class Surface {
  positions: number[] = []
  uvs: number[] = []
  indices: number[] = []
  weights: [number, number][][] = []

  vertex(at: Vec, u: number, v: number, weights: [number, number][]): number {
    this.positions.push(...at)
    this.uvs.push(u, v)
    this.weights.push(weights)
    return this.positions.length / 3 - 1
  }

  triangle(a: number, b: number, c: number): void {
    this.indices.push(a, b, c)
  }

  /**
   * A tube through rings, from the top of its texture to the bottom. Angle 0 faces +Z ("front", middle of the texture), growing towards +X.
   * `side` and `front` are the axes of the cross-sections; side x front points along the tube.
   */
  tube(
    rings: Ring[],
    segments: number,
    rect: Rect,
    options: { side?: Vec; front?: Vec; capTop?: boolean; capBottom?: boolean } = {},
  ): void {
    const side = options.side ?? [1, 0, 0],
      front = options.front ?? [0, 0, 1]
    const grid: number[][] = rings.map((ring, r) => {
      const v = (rect.y + 0.5 + (rect.h - 1) * (ring.v ?? r / (rings.length - 1))) / ATLAS
      return Array.from({ length: segments + 1 }, (_, s) => {
        const angle = ((s / segments) * 2 - 1) * Math.PI
        const e = 2 / (ring.power ?? 2)
        const sin = Math.sin(angle),
          cos = Math.cos(angle)
        const x = Math.sign(sin) * Math.abs(sin) ** e * ring.rx,
          z = Math.sign(cos) * Math.abs(cos) ** e * ring.rz
        let at = add(ring.at, add(mul(side, x), mul(front, z)))
        if (ring.bend) at = add(at, ring.bend(angle))
        return this.vertex(at, (rect.x + 0.5 + (rect.w - 1) * (s / segments)) / ATLAS, v, weightsOf(ring, angle))
      })
    })
    for (let r = 0; r + 1 < grid.length; r++) {
      for (let s = 0; s < segments; s++) {
        const a = grid[r][s],
          b = grid[r][s + 1],
          c = grid[r + 1][s],
          d = grid[r + 1][s + 1]
        this.triangle(a, c, d)
        this.triangle(a, d, b)
      }
    }
    const cap = (r: number, top: boolean): void => {
      const ring = rings[r]
      const first = grid[r]
      const centre = this.vertex(
        ring.at,
        (rect.x + rect.w / 2) / ATLAS,
        (rect.y + 0.5 + (rect.h - 1) * (ring.v ?? r / (rings.length - 1))) / ATLAS,
        weightsOf(ring, 0),
      )
      for (let s = 0; s < segments; s++) {
        if (top) this.triangle(centre, first[s], first[s + 1])
        else this.triangle(centre, first[s + 1], first[s])
      }
    }
    if (options.capTop) cap(0, true)
    if (options.capBottom) cap(rings.length - 1, false)
  }

  /** Normals by area, shared between vertices at one place so that seams do not show. */
  normals(): number[] {
    const sums = new Map<string, Vec>()
    const key = (i: number): string => [0, 1, 2].map((c) => Math.round(this.positions[3 * i + c] * 20000)).join()
    const at = (i: number): Vec => [this.positions[3 * i], this.positions[3 * i + 1], this.positions[3 * i + 2]]
    for (let t = 0; t < this.indices.length; t += 3) {
      const [a, b, c] = [this.indices[t], this.indices[t + 1], this.indices[t + 2]]
      const n = cross(sub(at(b), at(a)), sub(at(c), at(a)))
      for (const i of [a, b, c]) sums.set(key(i), add(sums.get(key(i)) ?? [0, 0, 0], n))
    }
    return Array.from({ length: this.positions.length / 3 }, (_, i) => unit(sums.get(key(i)) ?? [0, 1, 0])).flat()
  }
}
