/** What a ray hits among the posed triangles, on the CPU: exact for skinned meshes, and only done on a click. */
import type { ScreenBox } from './front-vertices.ts'
import type { Projector } from './orbit.ts'
import type { PosedModel } from './posed-model.ts'
import type { Vec3 } from './vec.ts'

export interface SurfaceHit {
  mesh: number
  /** vertex of the hit triangle that is nearest to the point, index into Mesh.positions */
  vertex: number
  nativeVertex: number
  /** first of the triangle's three entries in Mesh.indices */
  triangle: number
  material: number
  /** index into Mesh.groups */
  group: number
  distance: number
  point: Vec3
}

/** Nearest hit among the meshes, and of these the groups, that `shown` lets through. Faces are hit from both sides. */
export function pickSurface(
  model: PosedModel,
  shown: (mesh: number, group?: number) => boolean,
  origin: Vec3,
  direction: Vec3,
): SurfaceHit | null {
  let best: SurfaceHit | null = null
  let nearest = Infinity
  const [ox, oy, oz] = origin
  const [dx, dy, dz] = direction
  for (let m = 0; m < model.meshes.length; m++) {
    if (!model.meshes[m].visible || !shown(m)) continue
    const { mesh } = model.meshes[m]
    const p = model.scenePositions(m)
    const groups = mesh.groups.length ? mesh.groups : [{ start: 0, count: mesh.indices.length, material: -1 }]
    for (let g = 0; g < groups.length; g++) {
      const group = groups[g]
      if (!shown(m, g)) continue
      const end = Math.min(group.start + group.count, mesh.indices.length)
      for (let i = group.start; i + 2 < end; i += 3) {
        const a = 3 * mesh.indices[i],
          b = 3 * mesh.indices[i + 1],
          c = 3 * mesh.indices[i + 2]
        const e1x = p[b] - p[a],
          e1y = p[b + 1] - p[a + 1],
          e1z = p[b + 2] - p[a + 2]
        const e2x = p[c] - p[a],
          e2y = p[c + 1] - p[a + 1],
          e2z = p[c + 2] - p[a + 2]
        const hx = dy * e2z - dz * e2y,
          hy = dz * e2x - dx * e2z,
          hz = dx * e2y - dy * e2x
        const det = e1x * hx + e1y * hy + e1z * hz
        // also false for NaN
        if (!(Math.abs(det) > 1e-20)) continue
        const inverse = 1 / det
        const sx = ox - p[a],
          sy = oy - p[a + 1],
          sz = oz - p[a + 2]
        const u = (sx * hx + sy * hy + sz * hz) * inverse
        if (!(u >= 0 && u <= 1)) continue
        const qx = sy * e1z - sz * e1y,
          qy = sz * e1x - sx * e1z,
          qz = sx * e1y - sy * e1x
        const v = (dx * qx + dy * qy + dz * qz) * inverse
        if (!(v >= 0 && u + v <= 1)) continue
        const t = (e2x * qx + e2y * qy + e2z * qz) * inverse
        if (!(t > 0 && t < nearest)) continue
        nearest = t
        // the corner with the largest share in the point
        const w = 1 - u - v
        const vertex = mesh.indices[w >= u && w >= v ? i : u >= v ? i + 1 : i + 2]
        best = {
          mesh: m,
          vertex,
          nativeVertex: mesh.nativeVertex[vertex] ?? vertex,
          triangle: i,
          material: group.material,
          group: g,
          distance: t,
          point: [ox + dx * t, oy + dy * t, oz + dz * t],
        }
      }
    }
  }
  return best
}

/**
 * Vertices of a mesh whose place is within a box of the screen, as the file numbers them.
 * @param front lets only these of them through, by their indices; all without it
 */
export function verticesWithin(
  model: PosedModel,
  mesh: number,
  view: Projector,
  [left, top, right, bottom]: ScreenBox,
  front: (vertices: readonly number[]) => readonly number[] = (all) => all,
): number[] {
  const { nativeVertex, nativeVertexCount } = model.meshes[mesh].mesh
  const positions = model.scenePositions(mesh)
  const within: number[] = []
  const p = [0, 0, 0]
  for (let v = 0; v < nativeVertex.length; v++) {
    if (nativeVertex[v] >= nativeVertexCount) continue
    view.project(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2], p)
    if (p[2] > 0 && p[0] >= left && p[0] <= right && p[1] >= top && p[1] <= bottom) within.push(v)
  }
  // a vertex of the file that is drawn several times is taken where one of them is
  return [...new Set(front(within).map((v) => nativeVertex[v]))]
}
