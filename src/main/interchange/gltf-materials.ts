/** Materials of a scene with their pictures, as glTF has them. */
import type { Document, Material as GltfMaterial, Texture as GltfTexture } from '@gltf-transform/core'
import { fileNames } from '../files/file-names.ts'
import { materialExtras } from './gltf-extras.ts'
import { writePng } from './png.ts'
import type { ExportParts } from '../../shared/api/export-options.ts'
import type { Material, Scene, Texture } from '../../shared/scene/types.ts'
import { say } from '../../shared/texts/say.ts'

const WRAP = { repeat: 10497, clamp: 33071, mirror: 33648 } as const

export interface MaterialsWriter {
  document: Document
  scene: Scene
  parts: ExportParts
  /** takes what glTF has no place for, in words */
  left: Set<string>
  /** takes the materials that light does nothing to */
  unlit: Set<GltfMaterial>
}

export function writeMaterials(writer: MaterialsWriter): GltfMaterial[] {
  const images = writeImages(writer)
  const { clips } = writer.scene
  // what fades has to be drawn as what can be seen through
  const fading = new Set(
    clips.flatMap(({ tracks }) =>
      tracks.flatMap(({ property, target }) => (property === 'opacity' && target.kind === 'material' ? [target.index] : [])),
    ),
  )
  return writer.scene.materials.map((material, i) => writeMaterial(writer, material, images, fading.has(i)))
}

/** File names of textures, without the endings that they have in the game, no two alike. */
export function pictureNames(textures: readonly Texture[]): string[] {
  return fileNames(
    textures.map((texture) => texture.name.replace(/\.[a-z0-9]{2,4}$/i, '')),
    'png',
  )
}

export function hasPixels(texture: Texture): boolean {
  return !texture.missing && texture.width > 0 && texture.height > 0 && texture.rgba.length === 4 * texture.width * texture.height
}

function writeImages({ document, scene, parts, left }: MaterialsWriter): (GltfTexture | undefined)[] {
  const used = new Set(scene.materials.map((material) => material.texture))
  const names = pictureNames(scene.textures)
  return scene.textures.map((texture, i) => {
    if (!used.has(i)) return undefined
    if (!hasPixels(texture)) return void left.add(say('exportedModel.texturesMissing'))
    if (parts.textures === false) return void left.add(say('exportedModel.textures'))
    return document.createTexture(texture.name).setImage(writePng(texture)).setMimeType('image/png').setURI(names[i])
  })
}

function writeMaterial(
  { document, parts, left, unlit }: MaterialsWriter,
  material: Material,
  images: (GltfTexture | undefined)[],
  fades: boolean,
): GltfMaterial {
  const [r, g, b, a] = material.diffuse
  const out = document
    .createMaterial(material.name)
    .setBaseColorFactor([linear(r), linear(g), linear(b), clamp01(a)])
    .setEmissiveFactor([linear(material.emissive[0]), linear(material.emissive[1]), linear(material.emissive[2])])
    .setMetallicFactor(0)
    .setRoughnessFactor(1)
    .setDoubleSided(material.doubleSided)
  const blended = material.blend !== 'opaque'
  if (blended || (fades && parts.opacity)) out.setAlphaMode('BLEND')
  else if (material.alphaTest >= 0) out.setAlphaMode('MASK').setAlphaCutoff(material.alphaTest)
  const image = images[material.texture]
  if (image) {
    out.setBaseColorTexture(image)
    const info = out.getBaseColorTextureInfo()!
    info.setTexCoord(material.uvSet)
    info.setWrapS(WRAP[material.wrapU]).setWrapT(WRAP[material.wrapV])
    if (material.filter === 'nearest') info.setMagFilter(9728).setMinFilter(9728)
    else info.setMagFilter(9729).setMinFilter(9987)
  }
  if (!material.lit) {
    if (parts.unlit) unlit.add(out)
    else left.add(say('exportedModel.unlit'))
  }
  if (parts.extras) out.setExtras(materialExtras(material))
  if (blended && material.blend !== 'alpha') left.add(say('exportedModel.blend'))
  if (material.layers.length > 0) left.add(say('exportedModel.layers'))
  return out
}

export function clamp01(value: number): number {
  return value >= 0 ? Math.min(1, value) : 0
}

/** Display (sRGB) value as glTF's factors have it. */
export function linear(value: number): number {
  const v = clamp01(value)
  return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4
}

export function linearColors(colors: Float32Array): Float32Array {
  return colors.map((value, i) => (i % 4 === 3 ? clamp01(value) : linear(value)))
}
