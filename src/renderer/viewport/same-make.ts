/** Whether two scenes can share what is on the graphics card: an edit of bones, keys, weights or vertices makes a new scene whose pictures, materials and triangles are the old ones. */
import type { Material, Mesh, Scene, Texture } from '../../shared/scene/types.ts'

export function sameMake(a: Scene, b: Scene): boolean {
  return (
    a.meshes.length === b.meshes.length &&
    a.materials.length === b.materials.length &&
    a.textures.length === b.textures.length &&
    a.lods.join('\n') === b.lods.join('\n') &&
    a.meshes.every((m, i) => sameMesh(m, b.meshes[i], a, b)) &&
    a.materials.every((m, i) => m === b.materials[i] || sameMaterial(m, b.materials[i])) &&
    a.textures.every((t, i) => t === b.textures[i] || sameTexture(t, b.textures[i]))
  )
}

function sameMesh(a: Mesh, b: Mesh, from: Scene, to: Scene): boolean {
  return (
    a.positions.length === b.positions.length &&
    a.normals.length === b.normals.length &&
    a.skin in from.skins === b.skin in to.skins &&
    a.uvs.length === b.uvs.length &&
    a.groups.length === b.groups.length &&
    a.groups.every((g, i) => g.start === b.groups[i].start && g.count === b.groups[i].count && g.material === b.groups[i].material) &&
    sameBytes(a.indices, b.indices) &&
    sameBytes(a.colors, b.colors) &&
    a.uvs.every((uv, i) => sameBytes(uv, b.uvs[i]))
  )
}

function sameMaterial(a: Material, b: Material): boolean {
  return JSON.stringify({ ...a, source: 0 }) === JSON.stringify({ ...b, source: 0 })
}

function sameTexture(a: Texture, b: Texture): boolean {
  return a.width === b.width && a.height === b.height && a.missing === b.missing && a.hasAlpha === b.hasAlpha && sameBytes(a.rgba, b.rgba)
}

export function sameBytes(a: Float32Array | Uint32Array | Uint8Array, b: Float32Array | Uint32Array | Uint8Array): boolean {
  if (a === b) return true
  if (a.byteLength !== b.byteLength) return false
  const whole = a.byteLength >> 2
  if (a.byteOffset % 4 === 0 && b.byteOffset % 4 === 0) {
    const x = new Uint32Array(a.buffer, a.byteOffset, whole),
      y = new Uint32Array(b.buffer, b.byteOffset, whole)
    for (let i = 0; i < whole; i++) if (x[i] !== y[i]) return false
    if (a.byteLength === 4 * whole) return true
  }
  const x = new Uint8Array(a.buffer, a.byteOffset, a.byteLength),
    y = new Uint8Array(b.buffer, b.byteOffset, b.byteLength)
  for (let i = 0; i < x.length; i++) if (x[i] !== y[i]) return false
  return true
}
