/** New texture dictionaries. */
import { ID } from '../codecs/chunk-ids.ts'
import { makeContainer, makeLeaf } from '../codecs/chunk.ts'
import { nativeTextureStruct, paletteSize, texDictionaryStruct, PLATFORM, RASTER } from '../codecs/texture-native.ts'
import { replacePixels, levelSize } from '../codecs/raster.ts'
import { fixed, STAMP_SA } from './text.ts'
import type { TxdDocument } from '../codecs/txd.ts'
import type { TextureNative } from '../codecs/texture-native.ts'

export type NewRaster = '8888' | '888' | '565' | '1555' | '4444' | 'LUM8' | 'PAL8' | 'PAL4' | 'DXT1' | 'DXT3' | 'DXT5'

export interface NewTexture {
  name: string
  mask?: string
  width: number
  height: number
  /** rows from the top */
  rgba: Uint8Array
  raster: NewRaster
  mips?: boolean
  platform?: 8 | 9
}

const RASTERS: Readonly<Record<NewRaster, { format: number; depth: number; d3d: number; dxt?: number; alpha: boolean }>> = {
  '8888': { format: RASTER.c8888, depth: 32, d3d: 21, alpha: true },
  '888': { format: RASTER.c888, depth: 32, d3d: 22, alpha: false },
  '565': { format: RASTER.c565, depth: 16, d3d: 23, alpha: false },
  '1555': { format: RASTER.c1555, depth: 16, d3d: 25, alpha: true },
  '4444': { format: RASTER.c4444, depth: 16, d3d: 26, alpha: true },
  LUM8: { format: RASTER.lum8, depth: 8, d3d: 50, alpha: false },
  PAL8: { format: RASTER.c8888 | RASTER.pal8, depth: 8, d3d: 41, alpha: true },
  PAL4: { format: RASTER.c8888 | RASTER.pal4, depth: 8, d3d: 41, alpha: true },
  DXT1: { format: RASTER.c565, depth: 16, d3d: 0x31545844, dxt: 1, alpha: false },
  DXT3: { format: RASTER.c4444, depth: 16, d3d: 0x33545844, dxt: 3, alpha: true },
  DXT5: { format: RASTER.c4444, depth: 16, d3d: 0x35545844, dxt: 5, alpha: true },
}

export function newTexture(t: NewTexture): TextureNative {
  const raster = RASTERS[t.raster]
  const d3d9 = (t.platform ?? 9) === 9
  const levels = t.mips ? Math.floor(Math.log2(Math.max(t.width, t.height))) + 1 : 1
  const texture: TextureNative = {
    platform: d3d9 ? PLATFORM.d3d9 : PLATFORM.d3d8,
    filterAddressing: t.mips ? 0x1106 : 0x1102,
    name: fixed(t.name, 32),
    mask: fixed(t.mask ?? '', 32),
    rasterFormat: raster.format | (t.mips ? RASTER.mips : 0),
    alphaOrFormat: d3d9 ? raster.d3d : raster.alpha ? 1 : 0,
    width: t.width,
    height: t.height,
    depth: raster.depth,
    numLevels: levels,
    rasterType: 4,
    flags: d3d9 ? (raster.alpha ? 1 : 0) | (raster.dxt ? 8 : 0) : (raster.dxt ?? 0),
    totalSize: 0,
    palette: new Uint8Array(paletteSize(raster.format, raster.depth)),
    levels: [],
  }
  for (let i = 0; i < levels; i++) texture.levels.push({ data: new Uint8Array(levelSize(texture, i)) })
  replacePixels(texture, t.width, t.height, t.rgba)
  return texture
}

export function newTxd(textures: readonly NewTexture[], ref = 'new.txd', stamp = STAMP_SA): TxdDocument {
  const d3d9 = (textures[0]?.platform ?? 9) === 9
  const root = makeContainer(ID.texDictionary, stamp, [
    makeLeaf(ID.struct, stamp, texDictionaryStruct, { count: textures.length, device: d3d9 ? 2 : 1 }),
    ...textures.map((t) =>
      makeContainer(ID.textureNative, stamp, [
        makeLeaf(ID.struct, stamp, nativeTextureStruct, newTexture(t)),
        makeContainer(ID.extension, stamp, []),
      ]),
    ),
    makeContainer(ID.extension, stamp, []),
  ])
  return { format: 'renderware.txd', ref, diagnostics: [], roots: [root], trailing: new Uint8Array(0) }
}
