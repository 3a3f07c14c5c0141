/** Which codec reads which leaf. The parent tells a Struct's kind; plugins stand in Extensions. */
import { atomicStruct, rightToRender } from './atomic.ts'
import { animation } from './rt-anim.ts'
import { binMesh } from './bin-mesh.ts'
import { ID } from './chunk-ids.ts'
import { cameraStruct, clumpStruct, frameIndexStruct, geometryListStruct, lightStruct, uvAnimDictStruct } from './clump.ts'
import { frameListStruct } from './frame-list.ts'
import { GEOMETRY, geometryStruct } from './geometry.ts'
import { hanim } from './hanim.ts'
import { materialListStruct, materialStruct } from './material.ts'
import { matFx } from './matfx.ts'
import {
  anisotropy,
  atomicMatFx,
  breakable,
  effect2d,
  morphPlg,
  nightColours,
  particles,
  pipelineSet,
  reflection,
  skyMipmap,
  specular,
  userData,
  uvAnimPlg,
} from './plugins.ts'
import { legacySkin, nativeGeometry, nativeSkin, skinPlg } from './skin.ts'
import { nativeTextureStruct, ps2RasterStruct, texDictionaryStruct } from './texture-native.ts'
import { nodeName, stringLeaf, textureStruct } from './texture.ts'
import type { Chunk, LeafCodec, LeafScope } from './chunk.ts'

/** CodecChooser for every file of chunks. */
export function leafCodec(open: readonly Chunk[], type: number, nth: number, geometry: LeafScope['geometry']): LeafCodec<any> | null {
  if (type === ID.animAnimation) return animation
  if (open.length === 0) return null
  const parent = open[open.length - 1]
  if (parent.type === ID.extension) {
    let i = open.length - 1
    while (i >= 0 && open[i].type === ID.extension) i--
    return pluginCodec(type, i >= 0 ? open[i].type : 0, geometry !== null && (geometry.format & GEOMETRY.native) !== 0)
  }
  if (type === ID.string) return stringLeaf
  if (type !== ID.struct) return null
  switch (parent.type) {
    case ID.clump:
      return nth === 0 ? clumpStruct : frameIndexStruct
    case ID.frameList:
      return frameListStruct
    case ID.geometryList:
      return geometryListStruct
    case ID.geometry:
      return geometryStruct
    case ID.materialList:
      return materialListStruct
    case ID.material:
      return materialStruct
    case ID.texture:
      return textureStruct
    case ID.atomic:
      return atomicStruct
    case ID.light:
      return lightStruct
    case ID.camera:
      return cameraStruct
    case ID.texDictionary:
      return texDictionaryStruct
    case ID.textureNative:
      return nth === 0 ? nativeTextureStruct : ps2RasterStruct
    case ID.uvAnimDict:
      return uvAnimDictStruct
  }
  return null
}

function pluginCodec(type: number, owner: number, native: boolean): LeafCodec<any> | null {
  switch (type) {
    case ID.nodeName:
      return nodeName
    case ID.hanim:
      return hanim
    case ID.binMesh:
      return binMesh
    case ID.skin:
      return owner === ID.atomic ? legacySkin : native ? nativeSkin : skinPlg
    case ID.nativeData:
      return nativeGeometry
    case ID.matFx:
      return owner === ID.atomic ? atomicMatFx : matFx
    case ID.rightToRender:
      return rightToRender
    case ID.pipelineSet:
      return pipelineSet
    case ID.particles:
      return particles
    case ID.anisotropy:
      return anisotropy
    case ID.skyMipmap:
      return skyMipmap
    case ID.morph:
      return morphPlg
    case ID.specular:
      return specular
    case ID.reflection:
      return reflection
    case ID.nightColours:
      return nightColours
    case ID.effect2d:
      return effect2d
    case ID.breakable:
      return breakable
    case ID.userData:
      return userData
    case ID.uvAnim:
      return uvAnimPlg
  }
  return null
}
