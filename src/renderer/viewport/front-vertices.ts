/** Which vertices of a box on the screen can be seen: a small picture of depths is drawn on the CPU, which is as fast for many vertices as for one. */
import type { Projector } from './orbit.ts'
import type { PosedModel } from './posed-model.ts'

/** Cells of the picture of depths along each side, at most; otherwise a cell is a pixel. */
const MOST_CELLS = 768
/** Cells that a vertex may lie behind the surface beside it: its own triangles are drawn by the middles of cells. */
const SLACK = 2

/** left, top, right, bottom; pixels */
export type ScreenBox = readonly [number, number, number, number]

/** The nearest surface in cells of a box. */
class Depths {
  private readonly columns: number
  private readonly rows: number
  private readonly scaleX: number
  private readonly scaleY: number
  private readonly box: ScreenBox
  private readonly nearest: Float32Array

  constructor(box: ScreenBox) {
    const [left, top, right, bottom] = box
    // a rim of one cell, so that what is beside the box counts at its edge
    this.box = [left - 1, top - 1, right + 1, bottom + 1]
    const [width, height] = [right - left + 2, bottom - top + 2]
    this.columns = Math.max(1, Math.min(MOST_CELLS, Math.ceil(width)))
    this.rows = Math.max(1, Math.min(MOST_CELLS, Math.ceil(height)))
    this.scaleX = this.columns / width
    this.scaleY = this.rows / height
    this.nearest = new Float32Array(this.columns * this.rows).fill(Infinity)
  }

  /** Pixels of a cell, along its longer side. */
  get cell(): number {
    return 1 / Math.min(this.scaleX, this.scaleY)
  }

  /** Corners in pixels with their depths. Depths between them are those of straight lines in space, of the reciprocals on the screen. */
  draw(p: Float32Array, a: number, b: number, c: number): void {
    if (!(p[a + 2] > 0 && p[b + 2] > 0 && p[c + 2] > 0)) return
    const [left, top] = this.box
    const ax = (p[a] - left) * this.scaleX
    const ay = (p[a + 1] - top) * this.scaleY
    const bx = (p[b] - left) * this.scaleX
    const by = (p[b + 1] - top) * this.scaleY
    const cx = (p[c] - left) * this.scaleX
    const cy = (p[c + 1] - top) * this.scaleY
    const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    if (!(Math.abs(area) > 1e-9)) return
    const x0 = Math.max(0, Math.ceil(Math.min(ax, bx, cx) - 0.5))
    const x1 = Math.min(this.columns - 1, Math.floor(Math.max(ax, bx, cx) - 0.5))
    const y0 = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5))
    const y1 = Math.min(this.rows - 1, Math.floor(Math.max(ay, by, cy) - 0.5))
    const ia = 1 / p[a + 2]
    const ib = 1 / p[b + 2]
    const ic = 1 / p[c + 2]
    for (let y = y0; y <= y1; y++)
      for (let x = x0; x <= x1; x++) {
        const px = x + 0.5
        const py = y + 0.5
        const u = ((bx - px) * (cy - py) - (by - py) * (cx - px)) / area
        const v = ((cx - px) * (ay - py) - (cy - py) * (ax - px)) / area
        const w = 1 - u - v
        if (u < 0 || v < 0 || w < 0) continue
        const depth = 1 / (u * ia + v * ib + w * ic)
        const at = y * this.columns + x
        if (depth < this.nearest[at]) this.nearest[at] = depth
      }
  }

  /** Whether a place is not behind the surface in its cell, or in one beside it: cells on a rim have what is behind it. */
  sees(x: number, y: number, depth: number, slack: number): boolean {
    const column = Math.floor((x - this.box[0]) * this.scaleX)
    const row = Math.floor((y - this.box[1]) * this.scaleY)
    for (let r = Math.max(0, row - 1); r <= Math.min(this.rows - 1, row + 1); r++)
      for (let c = Math.max(0, column - 1); c <= Math.min(this.columns - 1, column + 1); c++)
        if (this.nearest[r * this.columns + c] >= depth - slack) return true
    return false
  }
}

/**
 * Of vertices of a mesh those with a triangle that faces the viewer (or that is drawn from both sides) and that nothing hides.
 * @param shown meshes and groups that are drawn: what is not hides nothing, and has no vertices to see
 * @param given vertices of the mesh, as indices into its positions, within the box
 */
export function frontVertices(
  model: PosedModel,
  shown: (mesh: number, group?: number) => boolean,
  view: Projector,
  box: ScreenBox,
  mesh: number,
  given: readonly number[],
): number[] {
  const depths = new Depths(box)
  const facing = new Uint8Array(model.meshes[mesh].mesh.positions.length / 3)
  let own: Float32Array | undefined
  for (let m = 0; m < model.meshes.length; m++) {
    if (!model.meshes[m].visible || !shown(m)) continue
    const at = projected(model.scenePositions(m), view)
    if (m === mesh) own = at
    const { indices, groups } = model.meshes[m].mesh
    for (const [g, { start, count, material }] of (groups.length
      ? groups
      : [{ start: 0, count: indices.length, material: -1 }]
    ).entries()) {
      if (!shown(m, g)) continue
      const both = model.scene.materials[material]?.doubleSided ?? false
      for (let i = start; i + 2 < Math.min(start + count, indices.length); i += 3) {
        const a = 3 * indices[i]
        const b = 3 * indices[i + 1]
        const c = 3 * indices[i + 2]
        // y points down on the screen: what turns the other way round there faces the viewer
        const front = (at[b] - at[a]) * (at[c + 1] - at[a + 1]) - (at[b + 1] - at[a + 1]) * (at[c] - at[a]) < 0
        // sides that are not drawn hide nothing
        if (!front && !both) continue
        depths.draw(at, a, b, c)
        if (m === mesh) facing[indices[i]] = facing[indices[i + 1]] = facing[indices[i + 2]] = 1
      }
    }
  }
  if (!own) return []
  const at = own
  return given.filter((v) => {
    if (!facing[v]) return false
    const depth = at[3 * v + 2]
    return depths.sees(at[3 * v], at[3 * v + 1], depth, (SLACK * depths.cell) / view.pixelsAt(depth))
  })
}

function projected(positions: Float32Array, view: Projector): Float32Array {
  const out = new Float32Array(positions.length)
  for (let i = 0; i + 2 < positions.length; i += 3) view.project(positions[i], positions[i + 1], positions[i + 2], out, i)
  return out
}
