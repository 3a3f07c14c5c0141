/** TextureNative Struct: one picture of a texture dictionary in the form of its platform. */
import { bytes, chars, constant32, flags32, halves, i16, i32, named, record, shownAs, u16, u32, u8 } from '../../../binary/layout.ts'
import { structural } from '../../../binary/field-use.ts'
import { Reader } from '../../../binary/reader.ts'
import { paletteUse, pixelsUse } from '../../../binary/structure.ts'
import { levelExtent } from '../../image/pixels.ts'
import { struct } from './struct.ts'
import { addressingText } from './texture.ts'
import { say } from '../texts/index.ts'
import type { FieldType, RecordLayout } from '../../../binary/layout.ts'
import type { Words } from '../../../../shared/texts/texts.ts'
import type { LeafCodec } from './chunk.ts'

/** `u16 count, u16 device`; versions below 3.6 have a u32 count, which reads the same as long as it is small. */
export const texDictionaryStruct = struct(
  'texDictionary',
  { count: structural(u16), device: u16 },
  { notes: { device: () => say('codecs.devices') } },
)

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

/** What every platform begins with, and the PlayStation 2 has nothing else. */
const HEAD = {
  platform: structural(u32),
  filterAddressing: flags32,
}
const PS2_HEAD = record(HEAD, {
  notes: { platform: () => say('codecs.ps2ReadOnly'), filterAddressing: (word: number) => addressingText(word) },
})

const FULL_HEAD = {
  ...HEAD,
  name: chars(32),
  mask: chars(32),
  rasterFormat: flags32,
  alphaOrFormat: u32,
  width: structural(u16),
  height: structural(u16),
  depth: structural(u8),
  numLevels: structural(u8),
  rasterType: structural(u8),
  flags: u8,
}
/** @param alphaOrFormat what stands behind the raster's format @param flags what its last byte is called */
const headOf = (alphaOrFormat: FieldType<number>, flags: string, platform: (v: number) => string): RecordLayout<typeof FULL_HEAD> =>
  record(
    { ...FULL_HEAD, alphaOrFormat, flags: named(flags, u8) },
    {
      notes: {
        platform,
        filterAddressing: (word: number) => addressingText(word),
        rasterFormat: (_: number, v) => rasterText(v),
      },
    },
  )
const D3D8_HEAD = headOf(named('hasAlpha', structural(u32)), 'compression', () => 'Direct3D 8')
const D3D9_HEAD = headOf(named('d3dFormat', structural(shownAs(u32, (format) => formatName(format)))), 'flags', () => 'Direct3D 9')
const XBOX_HEAD = headOf(halves('hasAlpha', 'isCube'), 'compression', () => say('codecs.xboxReadOnly'))

/** Undefined for platforms whose textures are kept as they are. */
function fullHead(platform: number): RecordLayout<typeof FULL_HEAD> | undefined {
  if (platform === PLATFORM.d3d8) return D3D8_HEAD
  if (platform === PLATFORM.d3d9) return D3D9_HEAD
  return platform === PLATFORM.xbox ? XBOX_HEAD : undefined
}

const NO_HEAD = {
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
}

/** Bytes of the palette: PAL4 has 32 entries in files with 8-bit indices, 16 with 4-bit ones. */
export function paletteSize(rasterFormat: number, depth: number): number {
  if (rasterFormat & RASTER.pal8) return 1024
  if (rasterFormat & RASTER.pal4) return depth === 4 ? 64 : 128
  return 0
}

export const nativeTextureStruct: LeafCodec<TextureNative> = {
  id: 'textureNative',
  fixed: -1,
  read(r) {
    const platform = r.peekU32(r.position, 'platform')
    if (platform === PLATFORM.ps2) return { ...NO_HEAD, ...PS2_HEAD.read(r), totalSize: 0, palette: NOTHING, levels: [] }
    const layout = fullHead(platform)
    if (!layout)
      return r.fail('unsupported', say('codecs.platformKept', { platform }), 'platform', {
        offset: r.start,
        expected: say('codecs.platforms'),
        actual: String(platform),
      })
    const head: TextureNative = { ...layout.read(r), totalSize: 0, palette: NOTHING, levels: [] }
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
    const layout = fullHead(v.platform)
    if (!layout) return PS2_HEAD.write(out, v)
    layout.write(out, v)
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
    const layout = fullHead(v.platform)
    if (!layout) return void list.record(PS2_HEAD, v)
    list.record(layout, v)
    if (v.platform === PLATFORM.xbox) list.add('totalSize', 'u32', 4, v.totalSize)
    if (v.palette.length)
      list.add('palette', `u8[4] x ${v.palette.length / 4}`, v.palette.length, v.palette, { use: paletteUse(v.palette.length / 4) })
    v.levels.forEach((level, i) => {
      if (v.platform !== PLATFORM.xbox) list.add(`levels[${i}].size`, 'u32', 4, level.data.length)
      const [width, height] = [levelExtent(v.width, i), levelExtent(v.height, i)]
      const use = pixelsUse(width, height, rasterText(v))
      if (level.data.length) list.add(`levels[${i}].data`, `u8[${level.data.length}]`, level.data.length, level.data, { use })
    })
  },
}

type RasterKind = Pick<TextureNative, 'platform' | 'rasterFormat' | 'alphaOrFormat' | 'flags'>

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
export function rasterText(v: RasterKind): string {
  const dxt = dxtKind(v)
  if (dxt) return `DXT${dxt}`
  const base =
    ({ 0x100: '1555', 0x200: '565', 0x300: '4444', 0x400: 'LUM8', 0x500: '8888', 0x600: '888', 0xa00: '555' } as Record<number, string>)[
      v.rasterFormat & RASTER.mask
    ] ?? `0x${(v.rasterFormat & RASTER.mask).toString(16)}`
  return base + (v.rasterFormat & RASTER.pal8 ? ' PAL8' : v.rasterFormat & RASTER.pal4 ? ' PAL4' : '')
}

/** 1 to 5 for block-compressed pictures, 0 for others. */
export function dxtKind(v: RasterKind): number {
  if (v.platform === PLATFORM.d3d8) return v.flags <= 5 ? v.flags : 0
  if (v.platform === PLATFORM.xbox) return v.flags === 0xc ? 1 : v.flags === 0xe ? 3 : v.flags === 0xf ? 5 : 0
  const name = v.alphaOrFormat > 255 ? formatName(v.alphaOrFormat) : ''
  return /^DXT[1-5]$/.test(name) ? Number(name[3]) : 0
}

/** Raster of a PlayStation 2 texture: a Struct with two Structs in it. Its pixels are swizzled for the console and kept. */
export interface Ps2Raster {
  headerSize: number
  headerStamp: number
  /** 64 bytes, whole: sizes, registers of the console's graphics, offsets */
  header: Uint8Array
  dataSize: number
  dataStamp: number
  data: Uint8Array
}

const inner = (name: string, problem: Words): { type: FieldType<undefined>; size: FieldType<number>; stamp: FieldType<number> } => ({
  type: named(`${name}.type`, constant32(1, problem)),
  size: named(`${name}.size`, u32),
  stamp: named(`${name}.stamp`, flags32),
})
const HEADER_CHUNK = inner('header', () => say('codecs.noRasterHeader'))
const PS2_HEADER_CHUNK = record({ headerType: HEADER_CHUNK.type, headerSize: HEADER_CHUNK.size, headerStamp: HEADER_CHUNK.stamp })
const DATA_CHUNK = inner('data', () => say('codecs.noRasterData'))
const PS2_DATA_CHUNK = record({ dataType: DATA_CHUNK.type, dataSize: DATA_CHUNK.size, dataStamp: DATA_CHUNK.stamp })
const u64: FieldType<Uint8Array> = { ...bytes(8), type: 'u64' }
const PS2_RASTER = record({
  width: structural(i32),
  height: structural(i32),
  depth: structural(i32),
  format: shownAs(u16, (v) => `0x${v.toString(16)}`),
  version: i16,
  TEX0: u64,
  paletteOffset: structural(u32),
  TEX1: u32,
  MIPTBP1: u64,
  MIPTBP2: u64,
  pixelSize: structural(u32),
  paletteSize: structural(u32),
  totalSize: structural(u32),
  mipmapValue: u32,
})

/** Width and height of a raster. */
export function ps2Size({ header }: Ps2Raster): { width: number; height: number } {
  return PS2_RASTER.read(new Reader(header, ''))
}

export const ps2RasterStruct: LeafCodec<Ps2Raster> = {
  id: 'ps2Raster',
  fixed: -1,
  read(r) {
    const head = PS2_HEADER_CHUNK.read(r)
    const { headerSize } = head
    if (headerSize !== PS2_RASTER.size)
      r.fail('bad-value', say('codecs.rasterHeader', { count: headerSize }), 'header.size', {
        expected: String(PS2_RASTER.size),
        actual: String(headerSize),
      })
    const header = r.take(PS2_RASTER.size, 'header')
    return { ...head, header, ...PS2_DATA_CHUNK.read(r), data: r.rest() }
  },
  write(v, out) {
    PS2_HEADER_CHUNK.write(out, v)
    out.raw(v.header)
    PS2_DATA_CHUNK.write(out, v)
    out.opaque(v.data)
  },
  fields(v, list) {
    list
      .record(PS2_HEADER_CHUNK, v)
      .record(PS2_RASTER, PS2_RASTER.read(new Reader(v.header, '')))
      .record(PS2_DATA_CHUNK, v)
    const { width, height, depth } = PS2_RASTER.read(new Reader(v.header, ''))
    const use = pixelsUse(width, height, say('formats.pixels.bits', { bits: depth }))
    if (v.data.length) list.add('data', `u8[${v.data.length}]`, v.data.length, v.data, { unknown: true, note: say('codecs.swizzled'), use })
  },
}
