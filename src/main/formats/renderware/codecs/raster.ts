/** Pixels of D3D8 and D3D9 textures, decoded to RGBA and encoded again in the texture's own format; those of the Xbox are decoded. */
import { FormatError } from '../../../binary/format-error.ts'
import { decodeDxt, encodeDxt } from '../../image/dxt.ts'
import { nearestIndices, reindex } from '../../image/palette.ts'
import { eachLevel, fullLevels, hasTransparency, keepBlocks, levelExtent, levelsFor, samePixel, samePixels } from '../../image/pixels.ts'
import { PLATFORM, RASTER, dxtKind } from './texture-native.ts'
import { say } from '../texts/index.ts'
import type { DxtKind } from '../../image/dxt.ts'
import type { TextureNative } from './texture-native.ts'

/** Levels of a texture: those of the Xbox stand in one block, and its header counts them. */
export function levelCount(texture: TextureNative): number {
  if (texture.platform !== PLATFORM.xbox || texture.levels.length === 0) return texture.levels.length
  return Math.max(1, Math.min(texture.numLevels, fullLevels(texture.width, texture.height)))
}

/** Bytes that a level needs. */
export function levelSize(texture: TextureNative, level: number): number {
  const w = levelExtent(texture.width, level)
  const h = levelExtent(texture.height, level)
  const dxt = dxtKind(texture)
  if (dxt) return Math.ceil(w / 4) * Math.ceil(h / 4) * (dxt === 1 ? 8 : 16)
  return Math.ceil((w * h * bitsPerPixel(texture)) / 8)
}

/** Depth field of uncompressed textures; where it is 0 the format's own. */
function bitsPerPixel(texture: TextureNative): number {
  if (texture.depth) return texture.depth
  const format = texture.rasterFormat & RASTER.mask
  return format === RASTER.c8888 || format === RASTER.c888 ? 32 : format === RASTER.lum8 ? 8 : 16
}

/** How pixels of 16 bits divide: shift and width of r, g, b, a (alpha of 0 bits is opaque). */
const PACKED: Readonly<Record<number, readonly number[]>> = {
  [RASTER.c1555]: [10, 5, 5, 5, 0, 5, 15, 1],
  [RASTER.c565]: [11, 5, 5, 6, 0, 5, 0, 0],
  [RASTER.c4444]: [8, 4, 4, 4, 0, 4, 12, 4],
  [RASTER.c555]: [10, 5, 5, 5, 0, 5, 0, 0],
}

/** Why the pixels cannot be read or written here, '' when they can. */
export function rasterProblem(texture: TextureNative): string {
  if (texture.platform !== PLATFORM.d3d8 && texture.platform !== PLATFORM.d3d9 && texture.platform !== PLATFORM.xbox)
    return say('codecs.raster.ofConsole')
  if (texture.width === 0 || texture.height === 0) return say('codecs.raster.noSize')
  if (texture.levels.length === 0) return say('codecs.raster.noLevel')
  if (texture.levels[0].data.length < levelSize(texture, 0))
    return say('codecs.raster.levelNeeds', {
      count: texture.levels[0].data.length,
      width: texture.width,
      height: texture.height,
      needed: levelSize(texture, 0),
    })
  // the order in which the Xbox stores pixels is one for sides of powers of two
  if (texture.platform === PLATFORM.xbox && !dxtKind(texture) && !(powerOfTwo(texture.width) && powerOfTwo(texture.height)))
    return say('codecs.raster.xboxOrder', { width: texture.width, height: texture.height })
  if (dxtKind(texture) || texture.palette.length) return ''
  const format = texture.rasterFormat & RASTER.mask
  const bits = bitsPerPixel(texture)
  if (PACKED[format] && bits === 16) return ''
  if ((format === RASTER.c8888 || format === RASTER.c888) && (bits === 32 || bits === 24)) return ''
  if (format === RASTER.lum8 && bits === 8) return ''
  return say('codecs.raster.unknownFormat', { hex: texture.rasterFormat.toString(16), bits })
}

function powerOfTwo(n: number): boolean {
  return n > 0 && (n & (n - 1)) === 0
}

/** Stored bytes of a level in rows. The Xbox has all levels in one block, and pixels that are not packed in the order of their interleaved bits. */
function levelBytes(texture: TextureNative, level: number): Uint8Array {
  if (texture.platform !== PLATFORM.xbox) return texture.levels[level].data
  let at = 0
  for (let i = 0; i < level; i++) at += levelSize(texture, i)
  const stored = texture.levels[0].data.subarray(at, at + levelSize(texture, level))
  if (dxtKind(texture) || texture.depth === 4 || stored.length < levelSize(texture, level)) return stored
  return unswizzled(stored, levelExtent(texture.width, level), levelExtent(texture.height, level), bitsPerPixel(texture) >> 3)
}

/**
 * Pixels in rows from the order of Direct3D on the Xbox: bits of x and y take turns from the lowest on, and the longer side's bits that are left stand
 * above [public descriptions of swizzled textures; no sample].
 */
function unswizzled(stored: Uint8Array, width: number, height: number, bytes: number): Uint8Array {
  let maskX = 0
  let maskY = 0
  for (let bit = 1, place = 1; bit < width || bit < height; bit <<= 1) {
    if (bit < width) {
      maskX |= place
      place <<= 1
    }
    if (bit < height) {
      maskY |= place
      place <<= 1
    }
  }
  const out = new Uint8Array(stored.length)
  // the next number among the bits of a mask: carry runs over the bits that are not in it
  for (let y = 0, atY = 0; y < height; y++, atY = (atY - maskY) & maskY) {
    for (let x = 0, atX = 0; x < width; x++, atX = (atX - maskX) & maskX) {
      const from = bytes * (atX | atY)
      const to = bytes * (y * width + x)
      for (let k = 0; k < bytes; k++) out[to + k] = stored[from + k]
    }
  }
  return out
}

/** RGBA rows from the top, straight alpha. Throws `unsupported` where rasterProblem has a word to say. */
export function decodeLevel(texture: TextureNative, level = 0): Uint8Array {
  const problem = rasterProblem(texture)
  if (problem) throw new FormatError('unsupported', problem)
  const w = levelExtent(texture.width, level)
  const h = levelExtent(texture.height, level)
  const data = levelBytes(texture, level)
  if (data.length < levelSize(texture, level))
    throw new FormatError('truncated', `level ${level} has ${data.length} of ${levelSize(texture, level)} bytes`)
  const dxt = dxtKind(texture)
  if (dxt) return decodeDxt(dxt as DxtKind, w, h, data)
  const n = w * h
  const out = new Uint8Array(4 * n)
  if (texture.palette.length) {
    const { palette } = texture
    const entries = palette.length / 4
    const nibbles = texture.depth === 4
    for (let i = 0; i < n; i++) {
      const index = nibbles ? nibbleAt(data, i) : data[i]
      if (index < entries) for (let c = 0; c < 4; c++) out[4 * i + c] = palette[4 * index + c]
    }
    return out
  }
  const format = texture.rasterFormat & RASTER.mask
  const opaque = format === RASTER.c888
  const bytes = bitsPerPixel(texture) / 8
  if (bytes >= 3) {
    for (let i = 0; i < n; i++) {
      const p = bytes * i
      out[4 * i] = data[p + 2]
      out[4 * i + 1] = data[p + 1]
      out[4 * i + 2] = data[p]
      out[4 * i + 3] = opaque || bytes === 3 ? 255 : data[p + 3]
    }
  } else if (format === RASTER.lum8) {
    for (let i = 0; i < n; i++) {
      out[4 * i] = out[4 * i + 1] = out[4 * i + 2] = data[i]
      out[4 * i + 3] = 255
    }
  } else {
    const bits = PACKED[format]
    for (let i = 0; i < n; i++) {
      const pixel = data[2 * i] | (data[2 * i + 1] << 8)
      for (let c = 0; c < 4; c++) {
        const most = (1 << bits[2 * c + 1]) - 1
        out[4 * i + c] = most === 0 ? 255 : Math.round((((pixel >> bits[2 * c]) & most) * 255) / most)
      }
    }
  }
  return out
}

/** The low nibble is the left pixel. */
const nibbleAt = (data: Uint8Array, i: number): number => (data[i >> 1] >> (4 * (i & 1))) & 15

/** Palette entries of the first `n` pixels of a level. */
function indicesOf(texture: TextureNative, level: number, n: number): Uint8Array {
  const { data } = texture.levels[level]
  return texture.depth === 4 ? Uint8Array.from({ length: n }, (_, i) => nibbleAt(data, i)) : data.slice(0, n)
}

/** Bytes of a level from palette entries; what stands behind its pixels in `old` stays. */
function packIndices(texture: TextureNative, indices: Uint8Array, old: Uint8Array): Uint8Array {
  const nibbles = texture.depth === 4
  const out = new Uint8Array(Math.max(nibbles ? Math.ceil(indices.length / 2) : indices.length, old.length))
  out.set(old)
  if (!nibbles) out.set(indices)
  else for (let i = 0; i < indices.length; i++) out[i >> 1] = (out[i >> 1] & (i & 1 ? 15 : 0xf0)) | (indices[i] << (4 * (i & 1)))
  return out
}

/**
 * Levels and palette of a picture for a texture with a palette (`reindex`). Pixels of smaller levels that come from pixels which
 * show what they showed keep their index too, and the entries that they go by are not written over.
 * @param before the picture of before where it has the same size
 */
function palettedLevels(
  texture: TextureNative,
  width: number,
  height: number,
  rgba: Uint8Array,
  before: Uint8Array | undefined,
  count: number,
): { palette: Uint8Array; levels: { data: Uint8Array }[] } {
  const old: { rgba: Uint8Array; indices: Uint8Array }[] = []
  if (before)
    eachLevel(before, width, height, count, (pixels, w, h, level) => old.push({ rgba: pixels, indices: indicesOf(texture, level, w * h) }))
  // a level that is shorter than its pixels has nothing to keep
  const whole = (level: number): boolean => old.length > level && texture.levels[level].data.length >= levelSize(texture, level)
  const elsewhere = new Uint8Array(256)
  eachLevel(rgba, width, height, before ? count : 1, (pixels, w, h, level) => {
    if (level === 0 || !whole(level)) return
    for (let i = 0; i < w * h; i++) if (samePixel(pixels, old[level].rgba, i)) elsewhere[old[level].indices[i]] = 1
  })
  const first = reindex(rgba, texture.palette, old[0], elsewhere)
  const levels: { data: Uint8Array }[] = []
  eachLevel(rgba, width, height, count, (pixels, w, h, level) => {
    const indices = level === 0 ? first.indices : nearestIndices(pixels, first.palette)
    if (level > 0 && !first.renewed && whole(level))
      for (let i = 0; i < w * h; i++) if (samePixel(pixels, old[level].rgba, i)) indices[i] = old[level].indices[i]
    levels.push({ data: packIndices(texture, indices, before ? texture.levels[level].data : NOTHING) })
  })
  return { palette: first.palette, levels }
}

/** Bytes of a level from RGBA, of a texture without a palette. `old` are the bytes there now: what RGBA does not tell (the fourth byte of 888) stays. */
function encodeLevel(texture: TextureNative, width: number, height: number, rgba: Uint8Array, old: Uint8Array): Uint8Array {
  const dxt = dxtKind(texture)
  if (dxt) return encodeDxt(dxt as DxtKind, width, height, rgba)
  const n = width * height
  const format = texture.rasterFormat & RASTER.mask
  const bytes = bitsPerPixel(texture) / 8
  const out = new Uint8Array(bytes * n)
  for (let i = 0; i < n; i++) {
    const p = bytes * i
    if (bytes >= 3) {
      out[p] = rgba[4 * i + 2]
      out[p + 1] = rgba[4 * i + 1]
      out[p + 2] = rgba[4 * i]
      if (bytes === 4) out[p + 3] = format === RASTER.c888 ? (old.length === out.length ? old[p + 3] : 255) : rgba[4 * i + 3]
    } else if (format === RASTER.lum8) {
      out[i] = Math.round(0.299 * rgba[4 * i] + 0.587 * rgba[4 * i + 1] + 0.114 * rgba[4 * i + 2])
    } else {
      const bits = PACKED[format]
      let pixel = format === RASTER.c555 && old.length === out.length ? (old[p] | (old[p + 1] << 8)) & 0x8000 : 0
      for (let c = 0; c < 4; c++) {
        const most = (1 << bits[2 * c + 1]) - 1
        pixel |= Math.round((rgba[4 * i + c] * most) / 255) << bits[2 * c]
      }
      out[p] = pixel & 0xff
      out[p + 1] = pixel >> 8
    }
  }
  return out
}

/** The largest side of a picture that is put in: what hardware of these games' time could hold. */
const MOST_EXTENT = 4096

/** Why a picture of this size cannot be stored in the texture, '' when it can. */
function sizeProblem(texture: TextureNative, width: number, height: number): string {
  if (!(width >= 1 && height >= 1 && width <= MOST_EXTENT && height <= MOST_EXTENT))
    return say('images.sizeOutside', { width, height, most: MOST_EXTENT })
  if (width === texture.width && height === texture.height) return ''
  // Direct3D makes no such texture: a first level in blocks has whole blocks
  if (dxtKind(texture) && (width % 4 || height % 4)) return say('images.notInBlocks', { width, height })
  return ''
}

/** What the format can hold of a picture's alpha, in bits. */
export function alphaBits(texture: TextureNative): 0 | 1 | 4 | 8 {
  const dxt = dxtKind(texture)
  if (dxt) return dxt === 1 ? 1 : dxt <= 3 ? 4 : 8
  if (texture.palette.length) return 8
  const format = texture.rasterFormat & RASTER.mask
  return format === RASTER.c1555 ? 1 : format === RASTER.c4444 ? 4 : format === RASTER.c8888 && bitsPerPixel(texture) === 32 ? 8 : 0
}

/** Bits of red, green and blue where they are fewer than 8, for reading: `5, 6, 5`. */
export function colorBits(texture: TextureNative): string {
  const bits = dxtKind(texture) || texture.palette.length ? undefined : PACKED[texture.rasterFormat & RASTER.mask]
  return bits ? say('codecs.raster.colorBits', { r: bits[1], g: bits[3], b: bits[5] }) : ''
}

/** Cube maps have six pictures, of which one alone cannot be put in. */
function isCube(texture: TextureNative): boolean {
  return texture.platform === PLATFORM.d3d9 && (texture.flags & 2) !== 0
}

/** Why no picture can be put in, '' when one can. */
export function replaceProblem(texture: TextureNative): string {
  if (texture.platform === PLATFORM.xbox) return say('codecs.raster.xboxNotWritten')
  return isCube(texture) ? say('images.dds.cubeMap') : rasterProblem(texture)
}

/**
 * New pixels for a texture in its own format; its mip levels are made anew by averaging, as many as it had. Any size that
 * the format can hold is taken; what shows the same as before keeps its bytes, and a palette its entries (`reindex`). The flag that
 * tells the game of alpha follows where alpha comes or goes. Throws `invalid-edit`.
 */
export function replacePixels(texture: TextureNative, width: number, height: number, rgba: Uint8Array): void {
  const size = sizeProblem(texture, width, height)
  if (size || rgba.length !== 4 * width * height)
    throw new FormatError(
      'invalid-edit',
      size ? say('codecs.raster.sizeNotStored', { why: size }) : say('codecs.raster.noPicture', { count: rgba.length, width, height }),
    )
  const problem = replaceProblem(texture)
  if (problem) throw new FormatError('invalid-edit', say('images.textureNotReplaced', { why: problem }))
  const before = decodeLevel(texture)
  const same = width === texture.width && height === texture.height
  if (same && samePixels(before, rgba)) return
  const old = texture.levels
  const counted = texture.numLevels === old.length
  const count = levelsFor(old.length, texture, width, height)
  let out: { data: Uint8Array }[] = []
  if (texture.palette.length && !dxtKind(texture)) {
    const next = palettedLevels(texture, width, height, rgba, same ? before : undefined, count)
    texture.palette = next.palette
    out = next.levels
  } else {
    const kept: Uint8Array[] = []
    if (same) eachLevel(before, width, height, old.length, (pixels) => kept.push(pixels))
    eachLevel(rgba, width, height, count, (pixels, w, h, level) => {
      const data = encodeLevel(texture, w, h, pixels, same ? old[level].data : NOTHING)
      const form = dxtKind(texture) ? { side: 4, bytes: dxtKind(texture) === 1 ? 8 : 16 } : { side: 1, bytes: bitsPerPixel(texture) / 8 }
      if (kept.length) keepBlocks(data, old[level].data, pixels, kept[level], w, h, form)
      out.push({ data })
    })
  }
  texture.width = width
  texture.height = height
  texture.levels = out
  if (counted) texture.numLevels = out.length
  const after = hasTransparency(decodeLevel(texture))
  if (after === hasTransparency(before)) return
  if (texture.platform === PLATFORM.d3d9) texture.flags = after ? texture.flags | 1 : texture.flags & ~1
  else texture.alphaOrFormat = after ? 1 : 0
}

const NOTHING: Uint8Array = new Uint8Array(0)
