/** What the viewer shows of a texture: its channels, and the edges of meshes that lie on it. */
import type { Mesh, Scene } from '../../../shared/scene/types.ts'

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

/** Groups of a mesh that show a texture, and by which coordinates. */
function groupsWith(scene: Scene, mesh: Mesh, texture: number): { start: number; count: number; uvSet: number }[] {
  return mesh.groups.flatMap(({ start, count, material }) => {
    const look = scene.materials[material]
    if (!look) return []
    const own = look.texture === texture ? look : look.layers.find((layer) => layer.texture === texture)
    // coordinates of an environment map come from the view
    return own && !look.environment ? [{ start, count, uvSet: own.uvSet }] : []
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
    const sets = new Map<number, { start: number; count: number }[]>()
    for (const group of mesh ? groupsWith(scene, mesh, texture) : []) sets.set(group.uvSet, [...(sets.get(group.uvSet) ?? []), group])
    for (const [set, groups] of sets) {
      const uv = mesh.uvs[set] ?? mesh.uvs[0]
      if (!uv) continue
      for (const { count } of groups) triangles += Math.floor(count / 3)
      parts.push(edgesOf(mesh.indices, groups, uv))
    }
  }
  const lines = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    lines.set(part, at)
    at += part.length
  }
  return { lines, triangles }
}

function edgesOf(indices: Uint32Array, groups: readonly { start: number; count: number }[], uv: Float32Array): Float32Array {
  const vertices = uv.length / 2
  const keys = new Float64Array(groups.reduce((sum, { count }) => sum + 3 * Math.floor(count / 3), 0))
  let found = 0
  for (const { start, count } of groups)
    for (let i = start; i + 2 < start + count; i += 3)
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
    const b = sorted[i] - a * vertices
    out[at++] = uv[2 * a]
    out[at++] = uv[2 * a + 1]
    out[at++] = uv[2 * b]
    out[at++] = uv[2 * b + 1]
  }
  return out.subarray(0, at)
}
