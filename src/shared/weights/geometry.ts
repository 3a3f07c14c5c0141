/** A mesh in the file's own vertices: places, triangles, neighbours, nearest points. Scene space at bind. */
import type { Mesh } from '../scene/types.ts'

export interface NativeGeometry {
  /** 3 per native vertex; NaN for one that is not drawn */
  positions: Float32Array
  /** native vertices, three per triangle */
  triangles: Uint32Array
  /** a drawn vertex of each native one, -1 for none */
  drawnOf: Int32Array
  /** length of the diagonal of the box around it */
  size: number
}

export function nativeGeometry(mesh: Pick<Mesh, 'positions' | 'indices' | 'nativeVertex'>, vertexCount: number): NativeGeometry {
  const positions = new Float32Array(3 * vertexCount).fill(NaN)
  const drawnOf = new Int32Array(vertexCount).fill(-1)
  const low = [Infinity, Infinity, Infinity]
  const high = [-Infinity, -Infinity, -Infinity]
  for (let i = 0; i < mesh.nativeVertex.length; i++) {
    const v = mesh.nativeVertex[i]
    if (v >= vertexCount || drawnOf[v] >= 0) continue
    drawnOf[v] = i
    for (let c = 0; c < 3; c++) {
      const x = mesh.positions[3 * i + c]
      positions[3 * v + c] = x
      if (x < low[c]) low[c] = x
      if (x > high[c]) high[c] = x
    }
  }
  const triangles = new Uint32Array(mesh.indices.length - (mesh.indices.length % 3))
  let n = 0
  for (let i = 0; i + 2 < mesh.indices.length; i += 3) {
    const a = mesh.nativeVertex[mesh.indices[i]],
      b = mesh.nativeVertex[mesh.indices[i + 1]],
      c = mesh.nativeVertex[mesh.indices[i + 2]]
    // also false for undefined
    if (!(a < vertexCount && b < vertexCount && c < vertexCount)) continue
    triangles[n++] = a
    triangles[n++] = b
    triangles[n++] = c
  }
  const size = Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2])
  return { positions, triangles: triangles.subarray(0, n), drawnOf, size: Number.isFinite(size) ? size : 0 }
}

/** Vertices that share an edge, compressed rows. */
export interface Neighbours {
  offsets: Uint32Array
  list: Uint32Array
}

/**
 * Neighbours of each vertex. Vertices at one place (split for their texture coordinates) count as one: they have the same neighbours, so
 * that smoothing opens no seam.
 */
export function neighboursOf(geometry: NativeGeometry): Neighbours {
  const { positions, triangles } = geometry
  const count = positions.length / 3
  const place = new Uint32Array(count)
  const first = new Map<string, number>()
  for (let v = 0; v < count; v++) {
    // + 0 makes one of both zeros
    const key = `${positions[3 * v] + 0} ${positions[3 * v + 1] + 0} ${positions[3 * v + 2] + 0}`
    const known = key.includes('NaN') ? v : (first.get(key) ?? v)
    if (known === v) first.set(key, v)
    place[v] = known
  }
  const sets = new Map<number, Set<number>>()
  const join = (a: number, b: number): void => {
    if (a === b) return
    let set = sets.get(a)
    if (!set) sets.set(a, (set = new Set()))
    set.add(b)
  }
  for (let i = 0; i + 2 < triangles.length; i += 3) {
    const a = place[triangles[i]],
      b = place[triangles[i + 1]],
      c = place[triangles[i + 2]]
    join(a, b)
    join(b, a)
    join(b, c)
    join(c, b)
    join(c, a)
    join(a, c)
  }
  const offsets = new Uint32Array(count + 1)
  for (let v = 0; v < count; v++) offsets[v + 1] = offsets[v] + (sets.get(place[v])?.size ?? 0)
  const list = new Uint32Array(offsets[count])
  for (let v = 0; v < count; v++) list.set([...(sets.get(place[v]) ?? [])], offsets[v])
  return { offsets, list }
}

/** A point of the surface as shares of its triangle's corners. */
export interface SurfacePoint {
  vertices: [number, number, number]
  shares: [number, number, number]
  distance: number
}

const LEAF = 8

/** Triangles in a tree of boxes, asked for the nearest point. */
export class SurfaceTree {
  private readonly positions: Float32Array
  private readonly triangles: Uint32Array
  private readonly order: Uint32Array
  /** per node: box (6), and then in `links` first and count of a leaf, or the right child and 0 */
  private readonly boxes: number[] = []
  private readonly links: number[] = []
  /** below this distance a point is its corner */
  private readonly snap: number

  constructor(geometry: NativeGeometry) {
    this.positions = geometry.positions
    this.triangles = geometry.triangles
    this.snap = geometry.size * 1e-5
    const middles = new Float32Array(geometry.triangles.length)
    const usable: number[] = []
    for (let t = 0; t < geometry.triangles.length / 3; t++) {
      let fine = true
      for (let c = 0; c < 3; c++) {
        let sum = 0
        for (let k = 0; k < 3; k++) sum += this.positions[3 * this.triangles[3 * t + k] + c]
        middles[3 * t + c] = sum
        fine &&= Number.isFinite(sum)
      }
      if (fine) usable.push(t)
    }
    this.order = Uint32Array.from(usable)
    if (usable.length) this.split(0, usable.length, middles, 0)
  }

  get empty(): boolean {
    return this.order.length === 0
  }

  private split(from: number, to: number, middles: Float32Array, depth: number): number {
    const node = this.links.length / 2
    const low = [Infinity, Infinity, Infinity],
      high = [-Infinity, -Infinity, -Infinity]
    for (let i = from; i < to; i++) {
      for (let k = 0; k < 3; k++) {
        const p = 3 * this.triangles[3 * this.order[i] + k]
        for (let c = 0; c < 3; c++) {
          const x = this.positions[p + c]
          if (x < low[c]) low[c] = x
          if (x > high[c]) high[c] = x
        }
      }
    }
    this.boxes.push(...low, ...high)
    this.links.push(from, to - from)
    // halves by number: the depth stays below that of the count's logarithm
    if (to - from > LEAF && depth < 40) {
      const spread = high.map((x, c) => x - low[c])
      const axis = spread.indexOf(Math.max(...spread))
      this.order.subarray(from, to).sort((a, b) => middles[3 * a + axis] - middles[3 * b + axis] || a - b)
      const half = (from + to) >> 1
      this.split(from, half, middles, depth + 1)
      const right = this.split(half, to, middles, depth + 1)
      this.links[2 * node] = right
      this.links[2 * node + 1] = 0
    }
    return node
  }

  /** Nearest point within a distance, or null. */
  nearest(x: number, y: number, z: number, within = Infinity): SurfacePoint | null {
    if (this.empty || !(within >= 0) || !Number.isFinite(x + y + z)) return null
    const found = { square: within * within, triangle: -1, a: 0, b: 0, c: 0 }
    const open = [0]
    while (open.length) {
      const node = open.pop()!
      if (!(this.away(node, x, y, z) <= found.square)) continue
      const count = this.links[2 * node + 1]
      if (count === 0) {
        const left = node + 1,
          right = this.links[2 * node]
        // the nearer one is taken from the end first
        if (this.away(left, x, y, z) < this.away(right, x, y, z)) open.push(right, left)
        else open.push(left, right)
        continue
      }
      for (let i = this.links[2 * node]; i < this.links[2 * node] + count; i++) this.measure(this.order[i], x, y, z, found)
    }
    if (found.triangle < 0) return null
    const t = 3 * found.triangle
    const vertices: [number, number, number] = [this.triangles[t], this.triangles[t + 1], this.triangles[t + 2]]
    let shares: [number, number, number] = [found.a, found.b, found.c]
    const corner = shares.indexOf(Math.max(...shares))
    const p = 3 * vertices[corner]
    // a point on a vertex takes that one alone, whatever rounding says of the others
    if (Math.hypot(this.positions[p] - x, this.positions[p + 1] - y, this.positions[p + 2] - z) <= this.snap)
      shares = [0, 0, 0].map((_, i) => (i === corner ? 1 : 0)) as [number, number, number]
    return { vertices, shares, distance: Math.sqrt(found.square) }
  }

  /** Square of the distance to a box. */
  private away(node: number, x: number, y: number, z: number): number {
    const b = 6 * node
    const dx = Math.max(this.boxes[b] - x, 0, x - this.boxes[b + 3])
    const dy = Math.max(this.boxes[b + 1] - y, 0, y - this.boxes[b + 4])
    const dz = Math.max(this.boxes[b + 2] - z, 0, z - this.boxes[b + 5])
    return dx * dx + dy * dy + dz * dz
  }

  /** Nearest point of a triangle, by the regions its corners and edges have (Ericson, Real-Time Collision Detection, 5.1.5). */
  private measure(
    triangle: number,
    x: number,
    y: number,
    z: number,
    found: { square: number; triangle: number; a: number; b: number; c: number },
  ): void {
    const { positions: p, triangles } = this
    const i = 3 * triangles[3 * triangle],
      j = 3 * triangles[3 * triangle + 1],
      k = 3 * triangles[3 * triangle + 2]
    const abx = p[j] - p[i],
      aby = p[j + 1] - p[i + 1],
      abz = p[j + 2] - p[i + 2]
    const acx = p[k] - p[i],
      acy = p[k + 1] - p[i + 1],
      acz = p[k + 2] - p[i + 2]
    const apx = x - p[i],
      apy = y - p[i + 1],
      apz = z - p[i + 2]
    const d1 = abx * apx + aby * apy + abz * apz,
      d2 = acx * apx + acy * apy + acz * apz
    const bpx = x - p[j],
      bpy = y - p[j + 1],
      bpz = z - p[j + 2]
    const d3 = abx * bpx + aby * bpy + abz * bpz,
      d4 = acx * bpx + acy * bpy + acz * bpz
    const cpx = x - p[k],
      cpy = y - p[k + 1],
      cpz = z - p[k + 2]
    const d5 = abx * cpx + aby * cpy + abz * cpz,
      d6 = acx * cpx + acy * cpy + acz * cpz
    const va = d3 * d6 - d5 * d4,
      vb = d5 * d2 - d1 * d6,
      vc = d1 * d4 - d3 * d2
    let v = 0,
      w = 0
    if (d1 <= 0 && d2 <= 0) v = w = 0
    else if (d3 >= 0 && d4 <= d3) v = 1
    else if (d6 >= 0 && d5 <= d6) w = 1
    else if (vc <= 0 && d1 >= 0 && d3 <= 0) v = ratio(d1, d1 - d3)
    else if (vb <= 0 && d2 >= 0 && d6 <= 0) w = ratio(d2, d2 - d6)
    else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
      w = ratio(d4 - d3, d4 - d3 + (d5 - d6))
      v = 1 - w
    } else {
      v = ratio(vb, va + vb + vc)
      w = ratio(vc, va + vb + vc)
    }
    const dx = apx - v * abx - w * acx,
      dy = apy - v * aby - w * acy,
      dz = apz - v * abz - w * acz
    const square = dx * dx + dy * dy + dz * dz
    if (!(square < found.square || (found.triangle < 0 && square <= found.square))) return
    found.square = square
    found.triangle = triangle
    found.a = 1 - v - w
    found.b = v
    found.c = w
  }
}

/** A triangle without area has no region of its own. */
function ratio(a: number, b: number): number {
  return b > 0 ? Math.min(1, Math.max(0, a / b)) : 0
}
