/**
 * Which vertex of a mesh is which of a mesh that came back. Programs number vertices anew, split and join them; they keep
 * triangles in their order, and vertices where they stand.
 */
import { determinant, transformPoint } from '../../shared/scene/matrix.ts'
import type { GltfMesh } from './gltf-meshes.ts'

/** A mesh as an export writes it. */
export interface WrittenMesh {
  /** 3 per vertex */
  positions: Float32Array
  /** 3 and 2 per vertex, or empty */
  normals: Float32Array
  uvs: Float32Array
  /** three per triangle, in the order of the groups */
  corners: Uint32Array
  /** the game's number of each vertex */
  native: Uint32Array
}

/** By what vertices were found: the numbers that an export gives them, the order of triangles, or where they stand. */
export type MatchedBy = 'number' | 'order' | 'place'

export interface VertexMatch {
  by: MatchedBy
  /** per vertex of the file one of the mesh, -1 for none */
  vertex: Int32Array
  /** vertices of the file that were not found */
  missing: number
}

/** @param toModel 16: the file's bind space in the model's. @param near how far a vertex may stand from its place, model's unit */
export function matchVertices(mesh: WrittenMesh, file: GltfMesh, toModel: Float64Array, near: number): VertexMatch {
  const places = new Float64Array(file.positions.length)
  for (let i = 0; i < places.length; i += 3)
    transformPoint(places, i, toModel, 0, file.positions[i], file.positions[i + 1], file.positions[i + 2])
  const found = byNumber(mesh, file, places, near) ?? byOrder(mesh, file, places, near)
  if (found) return found
  return byPlace(mesh, file, places, toModel, near)
}

function apart(a: ArrayLike<number>, i: number, b: ArrayLike<number>, k: number): number {
  return Math.hypot(a[3 * i] - b[3 * k], a[3 * i + 1] - b[3 * k + 1], a[3 * i + 2] - b[3 * k + 2])
}

/** Numbers may have been mixed on the way: they count where nearly all stand where they say. */
function byNumber(mesh: WrittenMesh, file: GltfMesh, places: Float64Array, near: number): VertexMatch | undefined {
  const count = places.length / 3
  if (file.numbers.length !== count) return undefined
  const first = new Map<number, number>()
  mesh.native.forEach((number, v) => {
    if (!first.has(number)) first.set(number, v)
  })
  const vertex = Int32Array.from(file.numbers, (number) => first.get(number) ?? -1)
  let there = 0
  vertex.forEach((v, i) => {
    if (v >= 0 && apart(places, i, mesh.positions, v) <= near) there++
  })
  return there >= 0.9 * count ? { by: 'number', vertex, missing: vertex.reduce((n, v) => n + (v < 0 ? 1 : 0), 0) } : undefined
}

/** Triangles that a program throws away (without area, twice the same) may be missing. */
function byOrder(mesh: WrittenMesh, file: GltfMesh, places: Float64Array, near: number): VertexMatch | undefined {
  const vertex = new Int32Array(places.length / 3).fill(-1)
  const here = (at: number, own: number): boolean => {
    for (let c = 0; c < 3; c++) if (!(apart(places, file.corners[at + c], mesh.positions, mesh.corners[own + c]) <= near)) return false
    return true
  }
  let own = 0
  for (let at = 0; at + 2 < file.corners.length; at += 3) {
    while (own + 2 < mesh.corners.length && !here(at, own)) own += 3
    if (own + 2 >= mesh.corners.length) return undefined
    for (let c = 0; c < 3; c++) vertex[file.corners[at + c]] = mesh.corners[own + c]
    own += 3
  }
  return file.corners.length > 0 ? { by: 'order', vertex, missing: vertex.reduce((n, v) => n + (v < 0 ? 1 : 0), 0) } : undefined
}

/** Of several vertices in one place the one whose normal and texture coordinates are the nearest. */
function byPlace(mesh: WrittenMesh, file: GltfMesh, places: Float64Array, toModel: Float64Array, near: number): VertexMatch {
  const size = Math.max(near, 1e-12) * 2
  const cell = (x: number, y: number, z: number): string => `${Math.floor(x / size)} ${Math.floor(y / size)} ${Math.floor(z / size)}`
  const cells = new Map<string, number[]>()
  for (let v = 0; v < mesh.positions.length / 3; v++) {
    const key = cell(mesh.positions[3 * v], mesh.positions[3 * v + 1], mesh.positions[3 * v + 2])
    const list = cells.get(key)
    if (list) list.push(v)
    else cells.set(key, [v])
  }
  const scale = Math.cbrt(Math.abs(determinant(toModel))) || 1
  const normal = [0, 0, 0]
  const missed = { count: 0 }
  const vertex = Int32Array.from({ length: places.length / 3 }, (_, i) => {
    const [x, y, z] = places.subarray(3 * i, 3 * i + 3)
    const around = new Set<number>()
    for (const dx of [-near, near])
      for (const dy of [-near, near])
        for (const dz of [-near, near]) for (const v of cells.get(cell(x + dx, y + dy, z + dz)) ?? []) around.add(v)
    if (file.normals.length > 0)
      for (let r = 0; r < 3; r++)
        normal[r] =
          (toModel[r] * file.normals[3 * i] + toModel[r + 4] * file.normals[3 * i + 1] + toModel[r + 8] * file.normals[3 * i + 2]) / scale
    let best = -1
    let least = Infinity
    for (const v of around) {
      if (!(apart(places, i, mesh.positions, v) <= near)) continue
      let cost = 0
      if (file.normals.length > 0 && mesh.normals.length > 0)
        cost += Math.hypot(normal[0] - mesh.normals[3 * v], normal[1] - mesh.normals[3 * v + 1], normal[2] - mesh.normals[3 * v + 2])
      if (file.uvs.length > 0 && mesh.uvs.length > 0)
        cost += Math.hypot(file.uvs[2 * i] - mesh.uvs[2 * v], file.uvs[2 * i + 1] - mesh.uvs[2 * v + 1])
      if (cost < least) [best, least] = [v, cost]
    }
    if (best < 0) missed.count++
    return best
  })
  return { by: 'place', vertex, missing: missed.count }
}
