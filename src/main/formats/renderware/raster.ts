/** Pixels of D3D8 and D3D9 textures, decoded to RGBA and encoded again in the texture's own format. */
import { FormatError } from '../../binary/format-error.ts'
import { decodeDxt, encodeDxt } from '../image/dxt.ts'
import { PLATFORM, RASTER, dxtKind } from './texture-native.ts'
import type { DxtKind } from '../image/dxt.ts'
import type { TextureNative } from './texture-native.ts'

/** Width or height of mip level `level`. */
export function levelExtent(full: number, level: number): number {
  return Math.max(1, full >> level)
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
  if (texture.platform !== PLATFORM.d3d8 && texture.platform !== PLATFORM.d3d9) return 'the pixels are in the form of a console'
  if (texture.width === 0 || texture.height === 0) return 'the texture has no size'
  if (texture.levels.length === 0) return 'the texture has no level'
  if (texture.levels[0].data.length < levelSize(texture, 0)) return `level 0 has ${texture.levels[0].data.length} bytes, ${texture.width} x ${texture.height} pixels need ${levelSize(texture, 0)}`
  if (dxtKind(texture) || texture.palette.length) return ''
  const format = texture.rasterFormat & RASTER.mask
  const bits = bitsPerPixel(texture)
  if (PACKED[format] && bits === 16) return ''
  if ((format === RASTER.c8888 || format === RASTER.c888) && (bits === 32 || bits === 24)) return ''
  if (format === RASTER.lum8 && bits === 8) return ''
  return `pixels of raster format 0x${texture.rasterFormat.toString(16)} with ${bits} bits are not known`
}

/** RGBA rows from the top, straight alpha. Throws `unsupported` where rasterProblem has a word to say. */
export function decodeLevel(texture: TextureNative, level = 0): Uint8Array {
  const problem = rasterProblem(texture)
  if (problem) throw new FormatError('unsupported', problem)
  const w = levelExtent(texture.width, level)
  const h = levelExtent(texture.height, level)
  const data = texture.levels[level].data
  if (data.length < levelSize(texture, level)) throw new FormatError('truncated', `level ${level} has ${data.length} of ${levelSize(texture, level)} bytes`)
  const dxt = dxtKind(texture)
  if (dxt) return decodeDxt(dxt as DxtKind, w, h, data)
  const n = w * h
  const out = new Uint8Array(4 * n)
  if (texture.palette.length) {
    const { palette } = texture
    const entries = palette.length / 4
    const nibbles = texture.depth === 4
    for (let i = 0; i < n; i++) {
      const index = nibbles ? (data[i >> 1] >> (4 * (i & 1))) & 15 : data[i]
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

/** Bytes of a level from RGBA. `old` are the bytes there now: what RGBA does not tell (the fourth byte of 888) stays. */
function encodeLevel(texture: TextureNative, width: number, height: number, rgba: Uint8Array, palette: Uint8Array, old: Uint8Array): Uint8Array {
  const dxt = dxtKind(texture)
  if (dxt) return encodeDxt(dxt as DxtKind, width, height, rgba)
  const n = width * height
  if (palette.length) {
    const indices = nearestIndices(rgba, palette)
    if (texture.depth !== 4) return indices
    const out = new Uint8Array(Math.ceil(n / 2))
    for (let i = 0; i < n; i++) out[i >> 1] |= indices[i] << (4 * (i & 1))
    return out
  }
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

/**
 * New pixels for a texture in its own format; its mip levels are made anew by averaging, as many as it had. Any size that
 * the format can hold is taken. Throws `invalid-edit`.
 */
export function replacePixels(texture: TextureNative, width: number, height: number, rgba: Uint8Array): void {
  if (!(width >= 1 && height >= 1 && width <= 4096 && height <= 4096) || rgba.length !== 4 * width * height) {
    throw new FormatError('invalid-edit', `a texture of ${width} x ${height} with ${rgba.length} bytes cannot be stored`)
  }
  const problem = rasterProblem(texture)
  if (problem) throw new FormatError('invalid-edit', `this texture cannot be replaced: ${problem}`)
  const same = width === texture.width && height === texture.height
  const most = Math.floor(Math.log2(Math.max(width, height))) + 1
  const had = texture.levels.length
  const full = had >= Math.floor(Math.log2(Math.max(texture.width, texture.height))) + 1
  const levels = same ? had : full ? most : Math.min(had, most)
  const palette = texture.palette.length ? paletteFor(rgba, texture.palette) : texture.palette
  let picture = rgba
  let w = width
  let h = height
  const counted = texture.numLevels === had
  const out: { data: Uint8Array }[] = []
  for (let i = 0; i < levels; i++) {
    out.push({ data: encodeLevel(texture, w, h, picture, palette, same ? texture.levels[i].data : NOTHING) })
    const half = halve(picture, w, h)
    picture = half.rgba
    w = half.width
    h = half.height
  }
  texture.width = width
  texture.height = height
  texture.palette = palette
  texture.levels = out
  if (counted) texture.numLevels = levels
}

const NOTHING: Uint8Array = new Uint8Array(0)

/** Half the picture, pixels averaged; colours count by their alpha so that clear pixels do not bleed. */
function halve(rgba: Uint8Array, width: number, height: number): { rgba: Uint8Array; width: number; height: number } {
  const w = Math.max(1, width >> 1)
  const h = Math.max(1, height >> 1)
  const out = new Uint8Array(4 * w * h)
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      let r = 0, g = 0, b = 0, a = 0, pr = 0, pg = 0, pb = 0
      for (let k = 0; k < 4; k++) {
        const p = 4 * (Math.min(height - 1, 2 * y + (k >> 1)) * width + Math.min(width - 1, 2 * x + (k & 1)))
        const alpha = rgba[p + 3]
        r += rgba[p] * alpha
        g += rgba[p + 1] * alpha
        b += rgba[p + 2] * alpha
        pr += rgba[p]
        pg += rgba[p + 1]
        pb += rgba[p + 2]
        a += alpha
      }
      const o = 4 * (y * w + x)
      out[o] = Math.round(a ? r / a : pr / 4)
      out[o + 1] = Math.round(a ? g / a : pg / 4)
      out[o + 2] = Math.round(a ? b / a : pb / 4)
      out[o + 3] = Math.round(a / 4)
    }
  }
  return { rgba: out, width: w, height: h }
}

/** The old palette where it holds every colour; else a new one of as many entries by median cut. */
function paletteFor(rgba: Uint8Array, old: Uint8Array): Uint8Array {
  const words = new Uint32Array(rgba.slice().buffer)
  const counts = new Map<number, number>()
  for (const w of words) counts.set(w, (counts.get(w) ?? 0) + 1)
  const has = new Set(new Uint32Array(old.slice().buffer))
  let all = true
  for (const w of counts.keys()) {
    if (has.has(w)) continue
    all = false
    break
  }
  if (all) return old
  const entries = old.length / 4
  const out = new Uint8Array(old.length)
  const colors = [...counts.keys()]
  if (colors.length <= entries) {
    out.set(new Uint8Array(Uint32Array.from(colors).buffer))
    return out
  }
  let boxes = [colors]
  const channel = (color: number, c: number): number => (color >>> (8 * c)) & 0xff
  while (boxes.length < entries) {
    let widest = -1
    let at = -1
    let along = 0
    boxes.forEach((box, i) => {
      if (box.length < 2) return
      for (let c = 0; c < 4; c++) {
        let low = 255, high = 0
        for (const color of box) {
          low = Math.min(low, channel(color, c))
          high = Math.max(high, channel(color, c))
        }
        if (high - low > widest) {
          widest = high - low
          at = i
          along = c
        }
      }
    })
    if (at < 0) break
    const box = boxes[at].sort((a, b) => channel(a, along) - channel(b, along))
    boxes = [...boxes.slice(0, at), box.slice(0, box.length >> 1), box.slice(box.length >> 1), ...boxes.slice(at + 1)]
  }
  boxes.forEach((box, i) => {
    let total = 0
    const sum = [0, 0, 0, 0]
    for (const color of box) {
      const count = counts.get(color)!
      total += count
      for (let c = 0; c < 4; c++) sum[c] += count * channel(color, c)
    }
    for (let c = 0; c < 4; c++) out[4 * i + c] = Math.round(sum[c] / total)
  })
  return out
}

function nearestIndices(rgba: Uint8Array, palette: Uint8Array): Uint8Array {
  const n = rgba.length / 4
  const out = new Uint8Array(n)
  const words = new Uint32Array(rgba.slice().buffer)
  const known = new Map<number, number>()
  for (let i = 0; i < n; i++) {
    let best = known.get(words[i])
    if (best === undefined) {
      let least = Infinity
      best = 0
      for (let k = 0; k < palette.length / 4; k++) {
        let distance = 0
        for (let c = 0; c < 4; c++) distance += (rgba[4 * i + c] - palette[4 * k + c]) ** 2
        if (distance < least) {
          least = distance
          best = k
        }
      }
      known.set(words[i], best)
    }
    out[i] = best
  }
  return out
}

/** Whether any pixel of an RGBA picture is not opaque. */
export function hasTransparency(rgba: Uint8Array): boolean {
  for (let i = 3; i < rgba.length; i += 4) if (rgba[i] !== 255) return true
  return false
}

