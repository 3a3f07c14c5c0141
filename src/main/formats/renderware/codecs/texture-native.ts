/** TextureNative Struct: one picture of a texture dictionary in the form of its platform. */
import { nameOf } from '../../../binary/reader.ts'
import { addressingText } from './texture.ts'
import type { LeafCodec } from './chunk.ts'

/** `u16 count, u16 device`; versions below 3.6 have a u32 count, which reads the same as long as it is small. */
export const texDictionaryStruct: LeafCodec<{ count: number; device: number }> = {
  id: 'texDictionary',
  label: 'TexDictionary Struct',
  fixed: 4,
  read: (r) => ({ count: r.u16('count'), device: r.u16('device') }),
  write(v, out) {
    out.u16(v.count)
    out.u16(v.device)
  },
  fields: (v, list) =>
    void list
      .add('count', 'u16', 2, v.count)
      .add('device', 'u16', 2, v.device, { note: '0 unknown, 1 D3D8, 2 D3D9, 6 PlayStation 2, 8 Xbox' }),
}

export const PLATFORM = { xbox: 5, d3d8: 8, d3d9: 9, ps2: 0x00325350 } as const

export const RASTER = {
  mask: 0xf00,
  c1555: 0x100,
  c565: 0x200,
  c4444: 0x300,
  lum8: 0x400,
  c8888: 0x500,
  c888: 0x600,
  c555: 0xa00,
  autoMip: 0x1000,
  pal8: 0x2000,
  pal4: 0x4000,
  mips: 0x8000,
} as const

export interface TextureLevel {
  data: Uint8Array
}

export interface TextureNative {
  platform: number
  filterAddressing: number
  /** 32 bytes each; PlayStation 2 has String chunks instead, and these are empty */
  name: Uint8Array
  mask: Uint8Array
  rasterFormat: number
  /** D3D8: has alpha; D3D9: D3DFORMAT or FourCC; Xbox: u16 has alpha and u16 cube map */
  alphaOrFormat: number
  width: number
  height: number
  depth: number
  numLevels: number
  rasterType: number
  /** D3D8: DXT number 0-5; D3D9: 1 alpha, 2 cube, 4 automatic mips, 8 compressed; Xbox: 0xC DXT1, 0xE DXT3, 0xF DXT5 */
  flags: number
  /** Xbox only: bytes of all levels */
  totalSize: number
  /** RGBA, 256 or 32 or 16 entries; empty without a palette */
  palette: Uint8Array
  /** each with its size in front; for Xbox one block that holds all levels */
  levels: TextureLevel[]
}

const NOTHING: Uint8Array = new Uint8Array(0)

/** Bytes of the palette: PAL4 has 32 entries in files with 8-bit indices, 16 with 4-bit ones. */
export function paletteSize(rasterFormat: number, depth: number): number {
  if (rasterFormat & RASTER.pal8) return 1024
  if (rasterFormat & RASTER.pal4) return depth === 4 ? 64 : 128
  return 0
}

export const nativeTextureStruct: LeafCodec<TextureNative> = {
  id: 'textureNative',
  label: 'TextureNative Struct',
  fixed: -1,
  read(r) {
    const platform = r.u32('platform')
    const filterAddressing = r.u32('filterAddressing')
    const head: TextureNative = {
      platform,
      filterAddressing,
      name: NOTHING,
      mask: NOTHING,
      rasterFormat: 0,
      alphaOrFormat: 0,
      width: 0,
      height: 0,
      depth: 0,
      numLevels: 0,
      rasterType: 0,
      flags: 0,
      totalSize: 0,
      palette: NOTHING,
      levels: [],
    }
    if (platform === PLATFORM.ps2) return head
    if (platform !== PLATFORM.d3d8 && platform !== PLATFORM.d3d9 && platform !== PLATFORM.xbox) {
      r.fail('unsupported', `textures of platform ${platform} are kept as they are`, 'platform', {
        offset: r.start,
        expected: '5, 8, 9 or PS2',
        actual: String(platform),
      })
    }
    head.name = r.take(32, 'name')
    head.mask = r.take(32, 'mask')
    head.rasterFormat = r.u32('rasterFormat')
    head.alphaOrFormat = r.u32('alphaOrFormat')
    head.width = r.u16('width')
    head.height = r.u16('height')
    head.depth = r.u8('depth')
    head.numLevels = r.u8('numLevels')
    head.rasterType = r.u8('rasterType')
    head.flags = r.u8('flags')
    if (platform === PLATFORM.xbox) head.totalSize = r.u32('totalSize')
    head.palette = r.take(paletteSize(head.rasterFormat, head.depth), 'palette')
    if (platform === PLATFORM.xbox) head.levels.push({ data: r.take(head.totalSize, 'levels') })
    else {
      for (let i = 0; i < head.numLevels; i++) {
        const size = r.u32(`levels[${i}].size`)
        head.levels.push({ data: r.take(size, `levels[${i}].data`) })
      }
      // some files count no level and have one
      if (r.remaining >= 4 && r.peekU32() === r.remaining - 4) {
        const size = r.u32('levels.size')
        head.levels.push({ data: r.take(size, 'levels.data') })
      }
    }
    return head
  },
  write(v, out) {
    out.u32(v.platform)
    out.u32(v.filterAddressing)
    if (v.platform === PLATFORM.ps2) return
    out.raw(v.name)
    out.raw(v.mask)
    out.u32(v.rasterFormat)
    out.u32(v.alphaOrFormat)
    out.u16(v.width)
    out.u16(v.height)
    out.u8(v.depth)
    out.u8(v.numLevels)
    out.u8(v.rasterType)
    out.u8(v.flags)
    if (v.platform === PLATFORM.xbox) out.u32(v.totalSize)
    out.raw(v.palette)
    for (const level of v.levels) {
      if (v.platform !== PLATFORM.xbox) {
        out.u32(level.data.length)
        out.raw(level.data)
      } else out.opaque(level.data)
    }
  },
  fields(v, list) {
    list.add('platform', 'u32', 4, v.platform, {
      note:
        v.platform === PLATFORM.ps2
          ? 'PlayStation 2: read only'
          : v.platform === PLATFORM.xbox
            ? 'Xbox: read only'
            : `Direct3D ${v.platform}`,
    })
    list.add('filterAddressing', 'u32', 4, `0x${v.filterAddressing.toString(16)}`, { note: addressingText(v.filterAddressing) })
    if (v.platform === PLATFORM.ps2) return
    list
      .add('name', 'char[32]', 32, nameOf(v.name))
      .add('mask', 'char[32]', 32, nameOf(v.mask))
      .add('rasterFormat', 'u32', 4, `0x${v.rasterFormat.toString(16)}`, { note: rasterText(v) })
    if (v.platform === PLATFORM.xbox)
      list.add('hasAlpha', 'u16', 2, v.alphaOrFormat & 0xffff).add('isCube', 'u16', 2, v.alphaOrFormat >>> 16)
    else
      list.add(
        v.platform === PLATFORM.d3d9 ? 'd3dFormat' : 'hasAlpha',
        'u32',
        4,
        v.platform === PLATFORM.d3d9 ? formatName(v.alphaOrFormat) : v.alphaOrFormat,
      )
    list
      .add('width', 'u16', 2, v.width)
      .add('height', 'u16', 2, v.height)
      .add('depth', 'u8', 1, v.depth)
      .add('numLevels', 'u8', 1, v.numLevels)
      .add('rasterType', 'u8', 1, v.rasterType)
    list.add(v.platform === PLATFORM.d3d9 ? 'flags' : 'compression', 'u8', 1, v.flags)
    if (v.platform === PLATFORM.xbox) list.add('totalSize', 'u32', 4, v.totalSize)
    if (v.palette.length) list.add('palette', `u8[4] x ${v.palette.length / 4}`, v.palette.length, v.palette)
    v.levels.forEach((level, i) => {
      if (v.platform !== PLATFORM.xbox) list.add(`levels[${i}].size`, 'u32', 4, level.data.length)
      if (level.data.length) list.add(`levels[${i}].data`, `u8[${level.data.length}]`, level.data.length, level.data)
    })
  },
}

/** FourCC as text, a D3DFORMAT as its number. */
function formatName(format: number): string {
  if (format < 256)
    return (
      (
        {
          20: '20 (R8G8B8)',
          21: '21 (A8R8G8B8)',
          22: '22 (X8R8G8B8)',
          23: '23 (R5G6B5)',
          24: '24 (X1R5G5B5)',
          25: '25 (A1R5G5B5)',
          26: '26 (A4R4G4B4)',
          41: '41 (P8)',
          50: '50 (L8)',
        } as Record<number, string>
      )[format] ?? String(format)
    )
  return String.fromCharCode(format & 0xff, (format >>> 8) & 0xff, (format >>> 16) & 0xff, format >>> 24)
}

/** Short name of the pixel format, e.g. `DXT1`, `8888 PAL8`. */
export function rasterText(v: TextureNative): string {
  const dxt = dxtKind(v)
  if (dxt) return `DXT${dxt}`
  const base =
    ({ 0x100: '1555', 0x200: '565', 0x300: '4444', 0x400: 'LUM8', 0x500: '8888', 0x600: '888', 0xa00: '555' } as Record<number, string>)[
      v.rasterFormat & RASTER.mask
    ] ?? `0x${(v.rasterFormat & RASTER.mask).toString(16)}`
  return base + (v.rasterFormat & RASTER.pal8 ? ' PAL8' : v.rasterFormat & RASTER.pal4 ? ' PAL4' : '')
}

/** 1 to 5 for block-compressed pictures, 0 for others. */
export function dxtKind(v: TextureNative): number {
  if (v.platform === PLATFORM.d3d8) return v.flags <= 5 ? v.flags : 0
  if (v.platform === PLATFORM.xbox) return v.flags === 0xc ? 1 : v.flags === 0xe ? 3 : v.flags === 0xf ? 5 : 0
  const name = v.alphaOrFormat > 255 ? formatName(v.alphaOrFormat) : ''
  return /^DXT[1-5]$/.test(name) ? Number(name[3]) : 0
}

/** Raster of a PlayStation 2 texture: a Struct with two Structs in it. Its pixels are swizzled for the console and kept. */
export interface Ps2Raster {
  headerSize: number
  headerStamp: number
  /** 64 bytes: i32 width, height, depth; u16 format, i16 version; u64 TEX0; u32 palette offset, TEX1; u64 MIPTBP1, MIPTBP2; u32 pixel, palette, total size, mipmap value */
  header: Uint8Array
  dataSize: number
  dataStamp: number
  data: Uint8Array
}

export const ps2RasterStruct: LeafCodec<Ps2Raster> = {
  id: 'ps2Raster',
  label: 'PlayStation 2 raster',
  fixed: -1,
  read(r) {
    if (r.u32('header.type') !== 1) r.fail('bad-value', 'no Struct where the raster header should be', 'header.type', { offset: r.start })
    const headerSize = r.u32('header.size')
    const headerStamp = r.u32('header.stamp')
    if (headerSize !== 64)
      r.fail('bad-value', `raster header of ${headerSize} bytes`, 'header.size', { expected: '64', actual: String(headerSize) })
    const header = r.take(64, 'header')
    if (r.u32('data.type') !== 1) r.fail('bad-value', 'no Struct where the raster data should be', 'data.type')
    const dataSize = r.u32('data.size')
    return { headerSize, headerStamp, header, dataSize, dataStamp: r.u32('data.stamp'), data: r.rest() }
  },
  write(v, out) {
    out.u32(1)
    out.u32(v.headerSize)
    out.u32(v.headerStamp)
    out.raw(v.header)
    out.u32(1)
    out.u32(v.dataSize)
    out.u32(v.dataStamp)
    out.opaque(v.data)
  },
  fields(v, list) {
    const view = new DataView(v.header.buffer, v.header.byteOffset, 64)
    list
      .add('header.type', 'u32', 4, 1)
      .add('header.size', 'u32', 4, v.headerSize)
      .add('header.stamp', 'u32', 4, `0x${v.headerStamp.toString(16)}`)
    list
      .add('width', 'i32', 4, view.getInt32(0, true))
      .add('height', 'i32', 4, view.getInt32(4, true))
      .add('depth', 'i32', 4, view.getInt32(8, true))
    list.add('format', 'u16', 2, `0x${view.getUint16(12, true).toString(16)}`).add('version', 'i16', 2, view.getInt16(14, true))
    list
      .add('TEX0', 'u64', 8, v.header.subarray(16, 24))
      .add('paletteOffset', 'u32', 4, view.getUint32(24, true))
      .add('TEX1', 'u32', 4, view.getUint32(28, true))
    list.add('MIPTBP1', 'u64', 8, v.header.subarray(32, 40)).add('MIPTBP2', 'u64', 8, v.header.subarray(40, 48))
    list
      .add('pixelSize', 'u32', 4, view.getUint32(48, true))
      .add('paletteSize', 'u32', 4, view.getUint32(52, true))
      .add('totalSize', 'u32', 4, view.getUint32(56, true))
      .add('mipmapValue', 'u32', 4, view.getUint32(60, true))
    list
      .add('data.type', 'u32', 4, 1)
      .add('data.size', 'u32', 4, v.dataSize)
      .add('data.stamp', 'u32', 4, `0x${v.dataStamp.toString(16)}`)
    if (v.data.length)
      list.add('data', `u8[${v.data.length}]`, v.data.length, v.data, { unknown: true, note: 'swizzled pixels and palette of the console' })
  },
}
