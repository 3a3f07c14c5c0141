/**
 * Materials of the scene from W3D's passes, shaders and vertex materials. The first stage of the first pass is the material; further stages
 * and passes are layers drawn over it.
 */
import { plainMaterial } from '../../../../shared/scene/types.ts'
import { CLAMP_U, CLAMP_V, PRELIT, SHADERS, mapperArgs, materialsIn } from '../codecs/material.ts'
import { ATTRIBUTE } from '../codecs/mesh.ts'
import { containersOf } from '../codecs/chunk.ts'
import { say } from '../texts/index.ts'
import type { Diagnostics } from '../../format.ts'
import type { BlendMode, MaterialLayer, Scene, SourceRef } from '../../../../shared/scene/types.ts'
import type { ContainerChunk } from '../codecs/chunk.ts'
import type { MaterialSet, Pass, VertexMaterial } from '../codecs/material.ts'
import type { MeshView } from '../codecs/mesh.ts'
import type { Textures } from './textures.ts'

/** GEQUAL 0x60 [engine] */
const ALPHA_REFERENCE = 0x60 / 255
const NO_TEXTURE = 0xffffffff

export interface MaterialContext {
  scene: Scene
  textures: Textures
  ref: string
  pathOf(chunk: ContainerChunk): string
  diagnostics: Diagnostics
}

/** A prelit mesh keeps whole sets of materials in wrappers; the engine picks one, a viewer takes the best that is there. */
export function materialSetOf(mesh: ContainerChunk): MaterialSet {
  const own = materialsIn(mesh)
  if (own.passes.length) return own
  for (const id of PRELIT) {
    for (const wrapper of containersOf(mesh, id)) {
      const set = materialsIn(wrapper)
      if (set.passes.length) return set
    }
  }
  return own
}

/** An entry of a list with one for all, or one each. */
function pick(ids: Uint32Array, i: number): number {
  return ids.length === 1 ? ids[0] : i < ids.length ? ids[i] : NO_TEXTURE
}

/** What tells materials of triangles apart. Numbers that lead nowhere are all the same, or a damaged file would have a material per triangle. */
export function passKey(set: MaterialSet, pass: Pass, triangle: number, vertex: number): string {
  const within = (id: number, count: number): number => (id < count ? id : -1)
  const parts = [
    within(pick(pass.vertexMaterialIds, vertex), set.vertexMaterials.length),
    within(pick(pass.shaderIds, triangle), set.shaders?.count ?? 0),
    within(pick(pass.shaderMaterialIds, triangle), set.shaderMaterials.length),
  ]
  for (const stage of pass.stages) parts.push(within(pick(stage.textureIds, triangle), set.textures.length))
  return parts.join(',')
}

/** The material of the triangles that are like `triangle`. @param sets sets of texture coordinates of each pass' stages @returns index into Scene.materials */
export function addMaterial(
  mesh: MeshView,
  set: MaterialSet,
  triangle: number,
  vertex: number,
  sets: number[][],
  context: MaterialContext,
  path: string,
): number {
  const { scene, ref } = context
  const pass = set.passes[0]
  const vertexMaterial: VertexMaterial | undefined = pass && set.vertexMaterials[pick(pass.vertexMaterialIds, vertex)]
  const source: SourceRef = { ref, path: vertexMaterial ? context.pathOf(vertexMaterial.chunk) : path }
  const material = plainMaterial(vertexMaterial?.name || mesh.fullName, source)
  material.doubleSided = mesh.header !== undefined && (mesh.header.attributes & ATTRIBUTE.TWO_SIDED) !== 0
  const texture = (name: string, chunk: ContainerChunk): number => {
    if (/^zhc/i.test(name)) material.teamColor = true
    return context.textures.find(name, { ref, path: context.pathOf(chunk) })
  }
  /** texture of a stage for this triangle, and its clamping */
  const stageTexture = (stage: Pass['stages'][number], first: boolean): number => {
    const id = pick(stage.textureIds, triangle)
    const use = set.textures[id]
    if (!use) {
      if (id !== NO_TEXTURE)
        context.diagnostics.add(
          'warning',
          'w3d.texture-index',
          say('scene.textureOutside', { mesh: mesh.fullName, id, count: set.textures.length }),
          path,
        )
      return -1
    }
    if (first) {
      if (use.attributes & CLAMP_U) material.wrapU = 'clamp'
      if (use.attributes & CLAMP_V) material.wrapV = 'clamp'
    }
    return use.name ? texture(use.name, use.chunk) : -1
  }
  const houseColor = (mesh.fullName.split('.').pop() ?? '').toUpperCase().startsWith('HOUSECOLOR')

  const shaderMaterial = pass && set.shaderMaterials[pick(pass.shaderMaterialIds, triangle)]
  if (shaderMaterial) {
    material.name = mesh.fullName
    material.source = { ref, path: context.pathOf(shaderMaterial.chunk) }
    const diffuse =
      shaderMaterial.textures.get('diffusetexture') ?? shaderMaterial.textures.get('texture_0') ?? [...shaderMaterial.textures.values()][0]
    if (diffuse) material.texture = texture(diffuse, shaderMaterial.chunk)
    const color = shaderMaterial.numbers.get('diffusecolor')
    if (color && color.length >= 3) material.diffuse = [color[0], color[1], color[2], color[3] ?? 1]
    const specular = shaderMaterial.numbers.get('specularcolor')
    if (specular && specular.length >= 3) material.specular = [specular[0], specular[1], specular[2]]
    material.shininess = shaderMaterial.numbers.get('specularexponent')?.[0] ?? 1
    if (shaderMaterial.numbers.get('alphatestenable')?.[0]) material.alphaTest = ALPHA_REFERENCE
    if (shaderMaterial.numbers.get('cullingenable')?.[0] === 0) material.doubleSided = true
  } else {
    if (vertexMaterial?.info) {
      const { info } = vertexMaterial
      material.diffuse = [...rgb(info.diffuse), shareOf(info.opacity[0])]
      material.emissive = rgb(info.emissive)
      material.specular = rgb(info.specular)
      material.shininess = Number.isFinite(info.shininess[0]) ? info.shininess[0] : 1
      const mapper = (info.attributes >>> 16) & 0xff
      if (mapper === 1 || mapper === 2 || (mapper >= 0xc && mapper <= 0xf) || mapper === 0x13 || mapper === 0x14)
        material.environment = true
      if (mapper === 4) {
        // the engine moves the coordinates, already turned over, against the given speed
        const args = mapperArgs(vertexMaterial.args[0])
        material.uvScroll = [-(args.get('upersec') ?? 0), -(args.get('vpersec') ?? 0)]
      }
    }
    const shader = pass && set.shaders && shaderBytes(set, pick(pass.shaderIds, triangle))
    let textured = true
    if (shader) {
      material.blend = blendOf(shader.srcBlend, shader.destBlend)
      material.depthWrite = shader.depthMask !== 0
      material.depthTest = shader.depthCompare !== 7
      material.lit = shader.priGradient !== 0
      if (shader.secGradient === 0) material.specular = [0, 0, 0]
      if (shader.alphaTest) material.alphaTest = ALPHA_REFERENCE
      textured = shader.texturing !== 0
    }
    if (textured && pass?.stages[0]) material.texture = stageTexture(pass.stages[0], true)
    if (material.blend === 'opaque') material.diffuse[3] = 1
    const layers: MaterialLayer[] = []
    const second = shader && textured && pass?.stages[1] ? detailBlend(shader.detailColorFunc) : undefined
    if (second && pass) layers.push({ texture: stageTexture(pass.stages[1], false), uvSet: sets[0][1] ?? 0, blend: second })
    set.passes.slice(1).forEach((further, i) => {
      const over = set.shaders && shaderBytes(set, pick(further.shaderIds, triangle))
      if (!further.stages[0] || over?.texturing === 0) return
      layers.push({
        texture: stageTexture(further.stages[0], false),
        uvSet: sets[i + 1][0] ?? 0,
        blend: over ? blendOf(over.srcBlend, over.destBlend) : 'alpha',
      })
    })
    material.layers = layers.filter((layer) => layer.texture >= 0)
  }
  material.uvSet = sets[0]?.[0] ?? 0
  if (pass && pass.colors.length >= 4 * Math.floor(mesh.vertices.length / 3) && pass.colors.length > 0) {
    material.vertexColors = true
    material.diffuse = [1, 1, 1, material.diffuse[3]]
  }
  if (houseColor) material.teamColor = true
  scene.materials.push(material)
  return scene.materials.length - 1
}

function blendOf(src: number, dst: number): BlendMode {
  if (src === 0 && dst === 2) return 'multiply'
  if (src === 0 && dst === 3) return 'subtractive'
  if (src === 1 && dst === 3) return 'screen'
  if (dst === 1) return 'additive'
  if (dst === 5 || dst === 4) return 'alpha'
  if (dst === 2) return 'multiply'
  return 'opaque'
}

/** How a second stage is laid over the first, by its detail function. */
function detailBlend(func: number): BlendMode | undefined {
  switch (func) {
    case 0:
      return undefined
    case 1:
      return 'opaque'
    case 2:
    case 3:
    case 11:
      return 'multiply'
    case 4:
    case 9:
    case 10:
      return 'additive'
    case 5:
    case 6:
      return 'subtractive'
    default:
      return 'alpha'
  }
}

function rgb(bytes: Uint8Array): [number, number, number] {
  return [bytes[0] / 255, bytes[1] / 255, bytes[2] / 255]
}

/** An opacity; a value outside of 0 to 1 counts as opaque. */
function shareOf(v: number): number {
  return v >= 0 && v <= 1 ? v : 1
}

function shaderBytes(
  set: MaterialSet,
  i: number,
):
  | Record<
      | 'srcBlend'
      | 'destBlend'
      | 'depthMask'
      | 'depthCompare'
      | 'priGradient'
      | 'secGradient'
      | 'alphaTest'
      | 'texturing'
      | 'detailColorFunc',
      number
    >
  | undefined {
  const { shaders } = set
  if (!shaders || i >= shaders.count) return undefined
  const at = (name: keyof typeof SHADERS.at): number => shaders.bytes[i * SHADERS.stride + SHADERS.at[name]]
  return {
    srcBlend: at('srcBlend'),
    destBlend: at('destBlend'),
    depthMask: at('depthMask'),
    depthCompare: at('depthCompare'),
    priGradient: at('priGradient'),
    secGradient: at('secGradient'),
    alphaTest: at('alphaTest'),
    texturing: at('texturing'),
    detailColorFunc: at('detailColorFunc'),
  }
}
