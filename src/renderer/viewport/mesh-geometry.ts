/** The buffers of one mesh, which its surfaces and its edges are drawn from: what moves is uploaded again, the rest stays as it is. */
import { VertexBuffer } from '@babylonjs/core/Buffers/buffer'
import type { Matrix } from '@babylonjs/core/Maths/math.vector'
import { Geometry } from '@babylonjs/core/Meshes/geometry'
import { Mesh as DrawnMesh } from '@babylonjs/core/Meshes/mesh'
import { SubMesh } from '@babylonjs/core/Meshes/subMesh'
import type { Scene as Stage } from '@babylonjs/core/scene'
import type { PosedMesh } from './posed-model.ts'
import { UV_KINDS } from './surface.ts'
import type { Vec3 } from './vec.ts'

const UV_BUFFERS = [VertexBuffer.UVKind, VertexBuffer.UV2Kind, VertexBuffer.UV3Kind, VertexBuffer.UV4Kind]

export interface MeshGeometry {
  geometry: Geometry
  positions: VertexBuffer
  normals: VertexBuffer | null
}

export function meshGeometry(stage: Stage, name: string, posed: PosedMesh): MeshGeometry {
  const { mesh } = posed
  const count = mesh.positions.length / 3
  const engine = stage.getEngine()
  const geometry = new Geometry(name, stage)
  const updatable = (data: Float32Array, kind: string, size: number): VertexBuffer => {
    const buffer = new VertexBuffer(engine, data, kind, true, false, size)
    geometry.setVerticesBuffer(buffer, null, true)
    return buffer
  }
  const positions = updatable(posed.positions, VertexBuffer.PositionKind, 3)
  const normals = posed.normals.length === posed.positions.length ? updatable(posed.normals, VertexBuffer.NormalKind, 3) : null
  mesh.uvs.slice(0, UV_KINDS.length).forEach((uv, set) => {
    if (uv.length === 2 * count) geometry.setVerticesBuffer(new VertexBuffer(engine, uv, UV_BUFFERS[set], false, false, 2), null, true)
  })
  if (mesh.colors.length === 4 * count)
    geometry.setVerticesBuffer(new VertexBuffer(engine, mesh.colors, VertexBuffer.ColorKind, false, false, 4), null, true)
  geometry.setIndices(usableIndices(mesh.indices, count), count)
  return { geometry, positions, normals }
}

/** All of a geometry as one mesh of the engine, hidden, at a place that is told to it. */
export function drawnFrom(geometry: Geometry, name: string, stage: Stage, matrix: Matrix): DrawnMesh {
  const drawn = new DrawnMesh(name, stage)
  geometry.applyToMesh(drawn)
  drawn.alwaysSelectAsActiveMesh = true
  drawn.doNotSyncBoundingInfo = true
  drawn.isPickable = false
  drawn.freezeWorldMatrix(matrix)
  drawn.setEnabled(false)
  return drawn
}

/** Draws a range of the indices alone. @param vertices of the whole geometry */
export function drawRange(drawn: DrawnMesh, vertices: number, start: number, count: number): void {
  drawn.releaseSubMeshes()
  new SubMesh(0, 0, vertices, start, count, drawn, undefined, false)
  drawn.subMeshes[0].setBoundingInfo(drawn.getBoundingInfo())
}

/** The file's own list, or a copy without what points past the vertices. */
function usableIndices(indices: Uint32Array, count: number): Uint32Array {
  for (const i of indices) if (i >= count) return indices.map((x) => (x < count ? x : 0))
  return indices
}

/** Middle of a range of triangles, from a few of them. */
export function middle(positions: Float32Array, indices: Uint32Array, start: number, count: number): Vec3 {
  const step = Math.max(1, Math.floor(count / 300))
  const sum: Vec3 = [0, 0, 0]
  let n = 0
  for (let i = start; i < start + count; i += step) {
    const p = 3 * indices[i]
    if (!Number.isFinite(positions[p] + positions[p + 1] + positions[p + 2])) continue
    for (let c = 0; c < 3; c++) sum[c] += positions[p + c]
    n++
  }
  return n ? [sum[0] / n, sum[1] / n, sum[2] / n] : sum
}
