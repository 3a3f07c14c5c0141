/** Materials of the scene from the blocks of a material script. */
import { stemOf } from '../../../../shared/ref.ts'
import { plainMaterial } from '../../../../shared/scene/types.ts'
import type { ModelBinding } from '../../binding.ts'
import type { Diagnostics } from '../../format.ts'
import type { Material, Scene } from '../../../../shared/scene/types.ts'
import type { MaterialBlock, MaterialDocument } from '../codecs/material.ts'
import type { MshDocument } from '../codecs/msh.ts'
import type { Textures } from './textures.ts'

/** Mesh type whose first texture coordinates are the light map's. */
const LIGHTMAP = 2

/** The material script of a mesh: the one of its name, else any of the model. */
export function scriptOf(binding: ModelBinding, mesh: string): string | undefined {
  const stem = stemOf(mesh)
  const scripts = binding.members.filter((m) => m.role === 'material')
  return (scripts.find((m) => stemOf(m.ref) === stem) ?? scripts[0])?.ref
}

/** The material of one submesh. @returns index into Scene.materials */
export function addMaterial(
  scene: Scene,
  textures: Textures,
  script: MaterialDocument,
  i: number,
  mesh: MshDocument,
  report: Diagnostics,
): number {
  const block = script.materials[i]
  const material = materialOf(block, { ref: script.ref, path: `materials[${i}]` }, `Sub(${i + 1})`)
  const file = block.textures[0]?.file
  if (file) material.texture = textures.find(file, report, `materials[${i}].texture`)
  const address = block.textures[0]?.addressMode.toLowerCase() ?? ''
  if (address.includes('clamp')) material.wrapU = material.wrapV = 'clamp'
  else if (address.includes('mirror')) material.wrapU = material.wrapV = 'mirror'
  if (block.textures[0]?.filtering === 'none') material.filter = 'nearest'
  if ((mesh.meshType === LIGHTMAP || /lightmap/i.test(block.shaderGroup)) && mesh.uv1.length) material.uvSet = 1
  material.vertexColors = mesh.colors.length > 0
  scene.materials.push(material)
  return scene.materials.length - 1
}

function materialOf(block: MaterialBlock, source: Material['source'], name: string): Material {
  const material = plainMaterial(name, source)
  const colour = (values: number[] | null): [number, number, number, number] | null => {
    if (!values || values.length < 3) return null
    const k = values.some((v) => v > 1) ? 1 / 255 : 1
    return [values[0] * k, values[1] * k, values[2] * k, values.length > 3 ? values[3] * k : 1]
  }
  material.diffuse = colour(block.diffuse) ?? material.diffuse
  material.emissive = (colour(block.emissive)?.slice(0, 3) as [number, number, number]) ?? material.emissive
  const blend = block.sceneBlend.toLowerCase()
  if (/add|one one/.test(blend)) material.blend = 'additive'
  else if (/modulate|multiply|colour_blend/.test(blend)) material.blend = 'multiply'
  else if (/alpha/.test(blend)) material.blend = 'alpha'
  material.depthWrite = material.blend === 'opaque'
  const limit = Number(block.alphaTest[block.alphaTest.length - 1])
  if (block.alphaTest.length) material.alphaTest = Number.isFinite(limit) ? (limit > 1 ? limit / 255 : limit) : 0.5
  material.doubleSided = /none/i.test(block.cull)
  return material
}
