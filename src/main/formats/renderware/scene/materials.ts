/** Materials of the scene from those of a geometry. */
import { plainMaterial } from '../../../../shared/scene/types.ts'
import { GEOMETRY } from '../codecs/geometry.ts'
import { readTexture } from '../codecs/model.ts'
import { wrapModes } from '../codecs/texture.ts'
import { CAR_COLORS } from './vehicle.ts'
import type { Scene, SourceRef } from '../../../../shared/scene/types.ts'
import type { GeometryView, MaterialView } from '../codecs/model.ts'
import type { Textures } from './textures.ts'

/** Material `index` of a geometry. @param source of it in the file */
export function addMaterial(scene: Scene, textures: Textures, geometry: GeometryView, index: number, source: SourceRef): void {
  const view: MaterialView = geometry.materials[index]
  const format = geometry.struct?.format ?? 0
  const material = plainMaterial(view.texture?.name || `material ${index}`, source)
  const color = view.struct?.color
  // without this flag the colour of the material is not used
  if (color && format & GEOMETRY.modulate) material.diffuse = [color[0] / 255, color[1] / 255, color[2] / 255, color[3] / 255]
  const sign = color && CAR_COLORS.get((color[0] << 16) | (color[1] << 8) | color[2])
  if (sign) {
    if (sign === 'paint') material.teamColor = true
    material.diffuse = [1, 1, 1, material.diffuse[3]]
  }
  material.lit = (format & GEOMETRY.light) !== 0
  material.vertexColors = (format & GEOMETRY.prelit) !== 0
  // the engine adds its lamps to the colours of the vertices; one without the other is all the light there is
  if (material.lit && material.vertexColors) material.prelit = true
  if (view.texture?.name) {
    const wrap = wrapModes(view.texture.filterAddressing)
    material.wrapU = wrap.u
    material.wrapV = wrap.v
    material.filter = (view.texture.filterAddressing & 0xff) === 1 ? 'nearest' : 'linear'
    material.texture = textures.find(view.texture.name, source)
    const texture = scene.textures[material.texture]
    // the dirt on the paint is in a dictionary that all cars share: without it the paint itself is what is to be seen
    if (texture.missing && sign === 'paint') material.texture = -1
    if (texture.hasAlpha) {
      material.blend = 'alpha'
      material.alphaTest = 0.1
      if (cutOut(texture.rgba)) {
        material.blend = 'opaque'
        material.alphaTest = 0.5
      }
    }
  }
  if (material.diffuse[3] < 1) {
    material.blend = 'alpha'
    material.alphaTest = -1
  }
  for (const effect of view.matFx?.effects ?? []) {
    const chunk = effect.kind === 4 ? effect.texture.chunk : null
    const name = chunk ? readTexture(chunk).name : ''
    if (effect.kind === 4 && name)
      material.layers.push({
        texture: textures.find(name, source),
        uvSet: 1,
        blend: effect.dstBlend === 2 ? 'additive' : 'alpha',
      })
  }
  scene.materials.push(material)
}

/** Nearly every pixel is either clear or solid: an alpha test draws it better than blending. */
function cutOut(rgba: Uint8Array): boolean {
  let between = 0
  for (let i = 3; i < rgba.length; i += 4) if (rgba[i] > 16 && rgba[i] < 239) between++
  return between < rgba.length / 4 / 20
}
