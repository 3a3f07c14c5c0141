/** Rows of the table of a mesh's submeshes, from the scene alone: every family has them. */
import type { Mesh, Scene } from '../../../shared/scene/types.ts'

export interface SubmeshRow {
  faces: number
  /** different vertices that its faces use */
  vertices: number
  /** index into Scene.materials, -1 for none */
  material: number
  materialName: string
  /** index into Scene.textures, -1 for none */
  texture: number
  textureName: string
}

export function submeshRows(scene: Scene, mesh: Mesh): SubmeshRow[] {
  // the number of the last group that used a vertex: one pass, no sets
  const used = new Int32Array(mesh.positions.length / 3).fill(-1)
  return mesh.groups.map((group, g) => {
    let vertices = 0
    const end = Math.min(group.start + group.count, mesh.indices.length)
    for (let i = group.start; i < end; i++) {
      const v = mesh.indices[i]
      if (v >= used.length || used[v] === g) continue
      used[v] = g
      vertices++
    }
    const material = scene.materials[group.material]
    const texture = material ? material.texture : -1
    return {
      faces: Math.floor(group.count / 3),
      vertices,
      material: material ? group.material : -1,
      materialName: material?.name ?? '',
      texture: scene.textures[texture] ? texture : -1,
      textureName: scene.textures[texture]?.name ?? '',
    }
  })
}
