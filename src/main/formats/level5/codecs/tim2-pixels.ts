/** Pixels of a TIM2 picture as RGBA and back: palettes in the PS2's order, swizzled rows, alpha that is full at 0x80. */
import { FormatError } from '../../../binary/format-error.ts'
import { reindex } from '../../image/palette.ts'
import { samePixel } from '../../image/pixels.ts'
import { say } from '../texts/index.ts'
import type { Tim2Picture } from './tim2.ts'

/** imageType / clutType */
export const PIXEL = { none: 0, rgb16: 1, rgb24: 2, rgb32: 3, index4: 4, index8: 5 } as const

/** Order of the pixels of a picture of 8 bits; `auto` takes the smoother one. */
export type Swizzle = 'auto' | 'linear' | 'swizzled'

/** What a user chooses: `auto` is what the file says, and the smoother one where it says nothing. */
export type SwizzleChoice = Swizzle | 'smooth'

/** @param said by the file that has the picture */
export function swizzleBy(chosen: SwizzleChoice, said: Swizzle): Swizzle {
  return chosen === 'auto' ? said : chosen === 'smooth' ? 'auto' : chosen
}

export interface DecodedPicture {
  width: number
  height: number
  /** rows from the top, straight alpha 0..255 */
  rgba: Uint8Array
  hasAlpha: boolean
  /** how the pixels were read, and why */
  swizzled: boolean
  reason: string
}

const MAX_PIXELS = 4096 * 4096

/** PS2 alpha: 0x80 is opaque. */
function alphaOf(a: number): number {
  return a >= 0x80 ? 255 : a * 2
}

/** Colours of a CLUT as RGBA, in the order of pixel values. */
export function clutColors(p: Tim2Picture): Uint8Array {
  const type = p.clutType & 0x3f
  const size = type === PIXEL.rgb16 ? 2 : type === PIXEL.rgb24 ? 3 : 4
  const count = Math.min(p.clutColors || Infinity, Math.floor(p.clut.length / size), p.imageType === PIXEL.index4 ? 16 : 256)
  const out = new Uint8Array(4 * count)
  const alpha16 = size === 2 && hasAlphaBit(p.clut, count)
  for (let i = 0; i < count; i++) readColor(p.clut, clutPlace(p, i), size, alpha16, out, 4 * i)
  return out
}

function hasAlphaBit(data: Uint8Array, count: number): boolean {
  for (let i = 0; i < count; i++) if (data[2 * i + 1] & 0x80) return true
  return false
}

function readColor(data: Uint8Array, i: number, size: number, alpha16: boolean, out: Uint8Array, o: number): void {
  if ((i + 1) * size > data.length) {
    out[o + 3] = 255
    return
  }
  if (size === 2) {
    const v = data[2 * i] | (data[2 * i + 1] << 8)
    for (let c = 0; c < 3; c++) {
      const five = (v >> (5 * c)) & 31
      out[o + c] = (five << 3) | (five >> 2)
    }
    // a picture that never sets the bit does not use it
    out[o + 3] = !alpha16 || v & 0x8000 ? 255 : 0
    return
  }
  out[o] = data[size * i]
  out[o + 1] = data[size * i + 1]
  out[o + 2] = data[size * i + 2]
  out[o + 3] = size === 4 ? alphaOf(data[4 * i + 3]) : 255
}

/** Can an 8-bit picture of this size be swizzled? */
function canSwizzle(width: number, height: number): boolean {
  return width % 16 === 0 && height % 4 === 0 && width > 0 && height > 0
}

/** Position in swizzled 8-bit data of pixel (x, y) of a picture `width` wide. */
function swizzledIndex(x: number, y: number, width: number): number {
  const block = (y & ~15) * width + (x & ~15) * 2
  const swap = (((y + 2) >> 2) & 1) * 4
  const row = (((y & ~3) >> 1) + (y & 1)) & 7
  return block + row * width * 2 + ((x + swap) & 7) * 4 + ((y >> 1) & 1) + ((x >> 2) & 2)
}

export function unswizzle8(data: Uint8Array, width: number, height: number): Uint8Array {
  const out = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) out[y * width + x] = data[swizzledIndex(x, y, width)] ?? 0
  return out
}

export function swizzle8(data: Uint8Array, width: number, height: number): Uint8Array {
  const out = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) out[swizzledIndex(x, y, width)] = data[y * width + x]
  return out
}

/** Mean difference between neighbours of an indexed picture, over the colours' RGBA. */
function roughness(indices: Uint8Array, width: number, height: number, colors: Uint8Array): number {
  let sum = 0
  const distance = (a: number, b: number): number => {
    let d = 0
    for (let c = 0; c < 4; c++) d += Math.abs((colors[4 * a + c] ?? 0) - (colors[4 * b + c] ?? 0))
    return d
  }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      if (x + 1 < width) sum += distance(indices[at], indices[at + 1])
      if (y + 1 < height) sum += distance(indices[at], indices[at + width])
    }
  }
  return sum / (4 * Math.max(1, 2 * width * height - width - height))
}

/** Bytes that the pixels of a picture need; Infinity for types that are not read. */
function leastBytes(imageType: number, pixels: number): number {
  switch (imageType) {
    case PIXEL.index4:
      return Math.ceil(pixels / 2)
    case PIXEL.index8:
      return pixels
    case PIXEL.rgb16:
      return 2 * pixels
    case PIXEL.rgb24:
      return 3 * pixels
    case PIXEL.rgb32:
      return 4 * pixels
    default:
      return Infinity
  }
}

/**
 * Pixels of a picture. Undefined, with nothing thrown, where type, size and bytes do not go together.
 * @param swizzle `auto` takes the reading with the lower difference between neighbours
 */
export function decodePicture(p: Tim2Picture, swizzle: Swizzle = 'auto'): DecodedPicture | undefined {
  const { width, height } = p
  const pixels = width * height
  if (pixels === 0 || pixels > MAX_PIXELS || p.image.length < leastBytes(p.imageType, pixels)) return undefined
  const indexed = p.imageType === PIXEL.index8 || p.imageType === PIXEL.index4
  if (indexed && !p.clut.length) return undefined
  const rgba = new Uint8Array(4 * pixels)
  let swizzled = false
  let reason = say('codecs.tim2.rowsNot8')
  if (indexed) {
    const colors = clutColors(p)
    let indices: Uint8Array
    if (p.imageType === PIXEL.index4) {
      indices = new Uint8Array(pixels)
      // the low nibble is the left pixel
      for (let i = 0; i < pixels; i++) indices[i] = i & 1 ? p.image[i >> 1] >> 4 : p.image[i >> 1] & 15
      reason = say('codecs.tim2.rows4')
    } else {
      indices = p.image.subarray(0, pixels)
      if (!canSwizzle(width, height)) reason = say('codecs.tim2.sizeNotSwizzled')
      else {
        const turned = unswizzle8(indices, width, height)
        if (swizzle === 'auto') {
          const linear = roughness(indices, width, height, colors)
          const other = roughness(turned, width, height, colors)
          swizzled = other < linear
          reason = say('codecs.tim2.roughness', { linear: linear.toFixed(1), turned: other.toFixed(1) })
        } else {
          swizzled = swizzle === 'swizzled'
          reason = say('codecs.tim2.chosen')
        }
        if (swizzled) indices = turned
      }
    }
    for (let i = 0; i < pixels; i++) {
      const c = 4 * indices[i]
      rgba[4 * i] = colors[c] ?? 0
      rgba[4 * i + 1] = colors[c + 1] ?? 0
      rgba[4 * i + 2] = colors[c + 2] ?? 0
      rgba[4 * i + 3] = colors[c + 3] ?? 255
    }
  } else {
    const size = p.imageType === PIXEL.rgb16 ? 2 : p.imageType === PIXEL.rgb24 ? 3 : 4
    const alpha16 = size === 2 && hasAlphaBit(p.image, pixels)
    for (let i = 0; i < pixels; i++) readColor(p.image, i, size, alpha16, rgba, 4 * i)
  }
  let hasAlpha = false
  for (let i = 3; i < rgba.length && !hasAlpha; i += 4) hasAlpha = rgba[i] < 255
  return { width, height, rgba, hasAlpha, swizzled, reason }
}

export function pixelLabel(imageType: number): string {
  const name = (['none', 'rgb16', 'rgb24', 'rgb32', 'index4', 'index8'] as const)[imageType]
  return name ? say(`codecs.tim2.pixels.${name}`) : say('codecs.tim2.pixelType', { type: imageType })
}

/** PS2 alpha of 0..255. */
function ps2Alpha(a: number): number {
  return a >= 255 ? 0x80 : (a + 1) >> 1
}

/** Pixels in front of what a picture of 4 or 8 bits has for its smaller levels, as palette entries in rows. */
function indicesOf(p: Tim2Picture, swizzled: boolean): Uint8Array {
  const n = p.width * p.height
  // the low nibble is the left pixel
  if (p.imageType === PIXEL.index4) return Uint8Array.from({ length: n }, (_, i) => (i & 1 ? p.image[i >> 1] >> 4 : p.image[i >> 1] & 15))
  return swizzled ? unswizzle8(p.image, p.width, p.height) : p.image.slice(0, n)
}

/** Palette entries that the smaller levels behind the pixels go by: their bytes stay as they are. */
function entriesBehind(p: Tim2Picture): Uint8Array {
  const out = new Uint8Array(256)
  for (const byte of p.image.subarray(leastBytes(p.imageType, p.width * p.height))) {
    if (p.imageType === PIXEL.index8) out[byte] = 1
    else out[byte & 15] = out[byte >> 4] = 1
  }
  return out
}

/** Where the colour of pixel value `i` stands: CSM1 keeps blocks of 8 colours crosswise; a palette of 16 has no such blocks. */
const clutPlace = (p: Tim2Picture, i: number): number =>
  (p.clutType & 0x80) === 0 && p.imageType === PIXEL.index8 ? (i & ~0x18) | ((i & 8) << 1) | ((i & 16) >> 1) : i

const colorSize = (type: number): number => (type === PIXEL.rgb16 ? 2 : type === PIXEL.rgb24 ? 3 : 4)

/** @param bit whether a colour of 16 bits that is opaque says so */
function writeColor(out: Uint8Array, i: number, size: number, rgba: Uint8Array, k: number, bit = true): void {
  const [r, g, b, a] = rgba.subarray(k, k + 4)
  if (size === 2) {
    const v = (r >> 3) | ((g >> 3) << 5) | ((b >> 3) << 10) | (bit && a >= 128 ? 0x8000 : 0)
    out[2 * i] = v & 255
    out[2 * i + 1] = v >> 8
    return
  }
  out[size * i] = r
  out[size * i + 1] = g
  out[size * i + 2] = b
  if (size === 4) out[4 * i + 3] = ps2Alpha(a)
}

/** A picture's colours as an entry of `size` bytes can hold them. */
function held(rgba: Uint8Array, size: number): Uint8Array {
  const out = new Uint8Array(rgba.length)
  const entry = new Uint8Array(4)
  for (let i = 0; i < rgba.length; i += 4) {
    writeColor(entry, 0, size, rgba, i)
    readColor(entry, 0, size, true, out, i)
  }
  return out
}

/** Pixels of 4 and 8 bits: image and palette. */
function setIndexed(p: Tim2Picture, rgba: Uint8Array, swizzled: boolean): void {
  const size = colorSize(p.clutType & 0x3f)
  const old = clutColors(p)
  if (old.length < 8) throw new FormatError('invalid-edit', say('codecs.tim2.noPalette'))
  const shown = decodePicture(p, swizzled ? 'swizzled' : 'linear')
  if (!shown) throw new FormatError('invalid-edit', say('codecs.tim2.pixelsShort'))
  const before = { rgba: shown.rgba, indices: indicesOf(p, shown.swizzled) }
  const { palette, indices } = reindex(held(rgba, size), old, before, entriesBehind(p))
  if (palette !== old) {
    const clut = p.clut.slice()
    const count = palette.length / 4
    const hadBit = size !== 2 || hasAlphaBit(p.clut, count)
    // a palette of 16 bits without the bit is opaque: where a clear colour comes in, the others have to say that they are
    const bit = hadBit || palette.some((v, i) => i % 4 === 3 && v < 128)
    for (let i = 0; i < count; i++) {
      const to = clutPlace(p, i)
      if (bit === hadBit && samePixel(palette, old, i)) continue
      if ((to + 1) * size > clut.length) throw new FormatError('invalid-edit', say('codecs.tim2.paletteShort'))
      writeColor(clut, to, size, palette, 4 * i, bit)
    }
    p.clut = clut
  }
  const image = p.image.slice()
  if (p.imageType === PIXEL.index8) image.set(shown.swizzled ? swizzle8(indices, p.width, p.height) : indices)
  else
    for (let i = 0; i < indices.length; i++)
      image[i >> 1] = i & 1 ? (image[i >> 1] & 15) | (indices[i] << 4) : (image[i >> 1] & 0xf0) | indices[i]
  p.image = image
}

/** Pixels of 16, 24 and 32 bits: those that show what they did keep their bytes, of which alpha and the bit of 16 have several that show alike. */
function setColours(p: Tim2Picture, rgba: Uint8Array): void {
  const shown = decodePicture(p)
  if (!shown) throw new FormatError('invalid-edit', say('codecs.tim2.pixelsShort'))
  const size = colorSize(p.imageType)
  const image = p.image.slice()
  const hadBit = size !== 2 || hasAlphaBit(image, p.width * p.height)
  const bit = hadBit || rgba.some((v, i) => i % 4 === 3 && v < 128)
  for (let i = 0; i < p.width * p.height; i++) {
    if (bit === hadBit && samePixel(rgba, shown.rgba, i)) continue
    writeColor(image, i, size, rgba, 4 * i, bit)
  }
  p.image = image
}

/**
 * Puts pixels into a picture of its own raster format and size. Those of 4 and 8 bits keep the palette as far as they can (`reindex`)
 * and their order, swizzled or not; smaller levels behind them stay. Throws `invalid-edit` when the size differs or the kind cannot be written.
 */
export function setPixels(p: Tim2Picture, width: number, height: number, rgba: Uint8Array, swizzled: boolean): void {
  if (width !== p.width || height !== p.height || rgba.length !== 4 * width * height)
    throw new FormatError(
      'invalid-edit',
      say('codecs.tim2.sizesAgree', { width: p.width, height: p.height, newWidth: width, newHeight: height }),
    )
  if (p.imageType === PIXEL.index8 || p.imageType === PIXEL.index4) {
    setIndexed(p, rgba, swizzled)
    return
  }
  setColours(p, rgba)
}
