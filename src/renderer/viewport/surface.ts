/** How a scene's material is drawn: render state as plain numbers, and what the shader needs to be compiled with. */
import { Constants } from '@babylonjs/core/Engines/constants'
import type { BlendMode, Material, Mesh } from '../../shared/scene/types.ts'

export interface Surface {
  /** what the shader writes and how it meets the picture behind */
  alphaMode: number
  /** destination minus source: no mode of the engine, set around the draw call */
  reverseSubtract: boolean
  transparent: boolean
  depthWrite: boolean
  /** GL comparison */
  depthFunction: number
  cull: boolean
  defines: string[]
  attributes: string[]
}

/** Number of each blend mode in the shader. */
const BLEND: Record<BlendMode, number> = { opaque: 0, alpha: 1, additive: 2, subtractive: 3, multiply: 4, screen: 5 }

/** Layers over the first that one pass draws: the most that a game has are two passes of two stages. */
export const MAX_LAYERS = 3

export const UV_KINDS = ['uv', 'uv2', 'uv3', 'uv4'] as const

export function surfaceOf(
  material: Material,
  mesh: Pick<Mesh, 'positions' | 'normals' | 'uvs' | 'colors'>,
  textured: (texture: number) => boolean,
): Surface {
  const vertices = mesh.positions.length
  const uvs = (set: number): string | null =>
    mesh.uvs[set] && mesh.uvs[set].length * 3 === vertices * 2 && set < UV_KINDS.length ? UV_KINDS[set] : null
  const defines = [`BLEND ${BLEND[material.blend]}`]
  const attributes = ['position']
  if (mesh.normals.length === vertices && vertices > 0) {
    defines.push('NORMAL')
    attributes.push('normal')
  }
  if (material.vertexColors && mesh.colors.length * 3 === vertices * 4 && vertices > 0) {
    defines.push('COLOR')
    if (material.prelit && material.lit) defines.push('PRELIT')
    attributes.push('color')
  }
  const use = (set: number): string => {
    // a file may name a set that it lacks: the first one serves
    const kind = uvs(set) ?? uvs(0)
    if (kind && !attributes.includes(kind)) {
      attributes.push(kind)
      defines.push(`HAS_${kind.toUpperCase()}`)
    }
    return kind ?? 'vec2(0.0)'
  }
  if (textured(material.texture)) {
    defines.push('TEXTURE', `BASE_UV ${material.environment ? 'vec2(0.0)' : use(material.uvSet)}`)
    if (material.environment) defines.push('ENVIRONMENT')
  }
  let layers = 0
  for (const layer of material.layers) {
    if (layers === MAX_LAYERS || !textured(layer.texture)) continue
    defines.push(`LAYER${layers} ${BLEND[layer.blend]}`, `LAYER${layers}_UV ${use(layer.uvSet)}`)
    layers++
  }
  return {
    alphaMode: alphaModeOf(material.blend),
    reverseSubtract: material.blend === 'subtractive',
    transparent: material.blend !== 'opaque',
    depthWrite: material.depthWrite,
    depthFunction: material.depthTest ? Constants.LEQUAL : Constants.ALWAYS,
    cull: !material.doubleSided,
    defines,
    attributes,
  }
}

/** The shader's output is premultiplied, so that alpha and additive share one mode and layers compose exactly. */
function alphaModeOf(blend: BlendMode): number {
  switch (blend) {
    case 'multiply':
      return Constants.ALPHA_MULTIPLY
    case 'screen':
      return Constants.ALPHA_SCREENMODE
    case 'subtractive':
      return Constants.ALPHA_ONEONE
    default:
      return Constants.ALPHA_PREMULTIPLIED_PORTERDUFF
  }
}

/** Transparent parts go back to front within a level: plain alpha first, then what only adds light. Static sort levels come first, the highest number before all. */
export function drawLevel(sortLevel: number | undefined, material: Pick<Material, 'blend' | 'depthTest'>): number {
  const light = material.blend === 'additive' || material.blend === 'screen' || material.blend === 'subtractive' ? 1 : 0
  return -(sortLevel ?? 0) * 4 + light + (material.depthTest ? 0 : 2)
}

/** Light or shade upon the picture: without its texture it would be a bare card. */
export function isEffect(material: Pick<Material, 'blend'>): boolean {
  return material.blend !== 'opaque' && material.blend !== 'alpha'
}

export const WRAP = {
  repeat: Constants.TEXTURE_WRAP_ADDRESSMODE,
  clamp: Constants.TEXTURE_CLAMP_ADDRESSMODE,
  mirror: Constants.TEXTURE_MIRROR_ADDRESSMODE,
} as const

/** Nearest keeps the texels of the file when seen close; both shrink through mipmaps so that distance does not shimmer. */
export const FILTER = { nearest: Constants.TEXTURE_NEAREST_LINEAR_MIPLINEAR, linear: Constants.TEXTURE_LINEAR_LINEAR_MIPLINEAR } as const
