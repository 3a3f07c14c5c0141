/** What the viewer shows of a texture: its channels, and the edges of meshes that lie on it. */
import type { Material, Mesh, Scene } from '../../../shared/scene/types.ts'

export const CHANNELS = ['rgba', 'rgb', 'r', 'g', 'b', 'a'] as const
export type Channel = (typeof CHANNELS)[number]

/** Pixels of one channel as greys; `rgb` is the colours without their alpha. */
export function channelOf(rgba: Uint8Array, channel: Channel): Uint8Array {
  if (channel === 'rgba') return rgba
  const out = new Uint8Array(rgba.length)
  const at = 'rgba'.indexOf(channel)
  for (let i = 0; i < rgba.length; i += 4) {
    if (channel === 'rgb') {
      out[i] = rgba[i]
      out[i + 1] = rgba[i + 1]
      out[i + 2] = rgba[i + 2]
    } else out[i] = out[i + 1] = out[i + 2] = rgba[i + at]
    out[i + 3] = 255
  }
  return out
}

type Wrap = Material['wrapU']

/** Triangles of a mesh that show a texture, by which coordinates, and how the picture goes on beside its edges. */
interface Shown {
  start: number
  count: number
  uvSet: number
  wrap: readonly [Wrap, Wrap]
}

function groupsWith(scene: Scene, mesh: Mesh, texture: number): Shown[] {
  return mesh.groups.flatMap(({ start, count, material }) => {
    const look = scene.materials[material]
    if (!look) return []
    const own = look.texture === texture ? look : look.layers.find((layer) => layer.texture === texture)
    // coordinates of an environment map come from the view
    return own && !look.environment ? [{ start, count, uvSet: own.uvSet, wrap: [look.wrapU, look.wrapV] as const }] : []
  })
}

/** Meshes of which some triangle shows the texture. */
export function meshesWith(scene: Scene, texture: number): number[] {
  return scene.meshes.flatMap((mesh, i) => (groupsWith(scene, mesh, texture).length > 0 ? [i] : []))
}

export interface UvLines {
  /** u, v of both ends of each edge, every edge once */
  lines: Float32Array
  triangles: number
}

/** Edges of the triangles that show a texture, where they lie on it. */
export function uvLines(scene: Scene, meshes: readonly number[], texture: number): UvLines {
  const parts: Float32Array[] = []
  let triangles = 0
  for (const index of meshes) {
    const mesh = scene.meshes[index]
    const sets = new Map<Float32Array, Shown[]>()
    for (const group of mesh ? groupsWith(scene, mesh, texture) : []) {
      const uv = mesh.uvs[group.uvSet] ?? mesh.uvs[0]
      if (!uv) continue
      triangles += Math.floor(group.count / 3)
      sets.set(uv, [...(sets.get(uv) ?? []), group])
    }
    for (const [uv, groups] of sets) for (const tile of tilesOf(mesh.indices, groups, uv)) parts.push(edgesOf(mesh.indices, tile, uv))
  }
  const lines = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    lines.set(part, at)
    at += part.length
  }
  return { lines, triangles }
}

/** Triangles over one repeat of the picture: factor and summand of their coordinates lay them on the picture itself. */
interface Tile {
  /** index of the first index of each */
  triangles: number[]
  u: readonly [number, number]
  v: readonly [number, number]
}

/** Games put whole figures beside the picture, where it repeats: their triangles are taken by the repeat that they lie on. */
function tilesOf(indices: Uint32Array, groups: readonly Shown[], uv: Float32Array): Tile[] {
  const tiles = new Map<string, Tile>()
  const vertices = uv.length / 2
  for (const { start, count, wrap } of groups)
    for (let i = start; i + 2 < start + count; i += 3) {
      const corners = [indices[i], indices[i + 1], indices[i + 2]]
      const inside = corners.every((corner) => corner < vertices)
      const [u, v] = [0, 1].map((axis) =>
        inside
          ? repeatOf(
              corners.map((corner) => uv[2 * corner + axis]),
              wrap[axis],
            )
          : 0,
      )
      const key = `${u} ${wrap[0]} ${v} ${wrap[1]}`
      let tile = tiles.get(key)
      if (!tile) tiles.set(key, (tile = { triangles: [], u: onto(u, wrap[0]), v: onto(v, wrap[1]) }))
      tile.triangles.push(i)
    }
  return [...tiles.values()]
}

/** Which repeat of the picture a triangle lies on, along one axis; where it lies on several, the one under its middle. */
function repeatOf(at: readonly number[], wrap: Wrap): number {
  const [least, most] = [Math.min(...at), Math.max(...at)]
  // its last row of pixels is its own; and what lies beside a picture that does not repeat stays there
  if ((least >= 0 && most <= 1) || wrap === 'clamp') return 0
  const first = Math.floor(least)
  const repeat = most <= first + 1 ? first : Math.floor((least + most) / 2)
  return Number.isFinite(repeat) ? repeat : 0
}

/** Every other repeat of a mirrored picture is the other way round. */
function onto(repeat: number, wrap: Wrap): readonly [number, number] {
  return wrap === 'mirror' && repeat % 2 !== 0 ? [-1, repeat + 1] : [1, -repeat]
}

function edgesOf(indices: Uint32Array, { triangles, u, v }: Tile, uv: Float32Array): Float32Array {
  const vertices = uv.length / 2
  const keys = new Float64Array(3 * triangles.length)
  let found = 0
  for (const i of triangles)
    for (let k = 0; k < 3; k++) {
      const a = indices[i + k]
      const b = indices[i + ((k + 1) % 3)]
      // an edge is one number, the same from both of its sides
      if (a < vertices && b < vertices) keys[found++] = Math.min(a, b) * vertices + Math.max(a, b)
    }
  const sorted = keys.subarray(0, found).sort()
  const out = new Float32Array(4 * found)
  let at = 0
  for (let i = 0; i < found; i++) {
    if (i > 0 && sorted[i] === sorted[i - 1]) continue
    const a = Math.floor(sorted[i] / vertices)
    for (const end of [a, sorted[i] - a * vertices]) {
      out[at++] = u[0] * uv[2 * end] + u[1]
      out[at++] = v[0] * uv[2 * end + 1] + v[1]
    }
  }
  return out.subarray(0, at)
}
