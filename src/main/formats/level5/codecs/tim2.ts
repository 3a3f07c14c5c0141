/**
 * TIM2 (.tm2): the PS2's picture. File header 0x10 (picture header at 0x80 when `format` is 1), then per picture a header of
 * 0x30 or more, the image, the CLUT. The header's total size is wrong in all samples (65584 for 17456 [V]): sizes come from
 * the parts. Pixels of 8-bit pictures may be swizzled for the PS2's memory without any flag saying so [V].
 */
import { extensionOf } from '../../../../shared/ref.ts'
import { Reader } from '../../../binary/reader.ts'
import { FormatError } from '../../../binary/format-error.ts'
import { choosePalette, nearestIndices } from '../../image/palette.ts'
import { bytes, magic, record, u16, u32, u32s, u8 } from '../../../binary/layout.ts'
import { Diagnostics } from '../../format.ts'
import { field, leftover, node } from '../../../binary/structure.ts'
import type { Writer } from '../../../binary/writer.ts'
import type { Document, FileFormat, StructureNode } from '../../format.ts'

const HEADER = record(
  { magic: magic('TIM2', 'no TIM2 magic'), version: u8, format: u8, pictureCount: u16, reserved: bytes(8) },
  { unknown: ['reserved'] },
)
const PICTURE = record(
  {
    totalSize: u32,
    clutSize: u32,
    imageSize: u32,
    headerSize: u16,
    clutColors: u16,
    pictureFormat: u8,
    mipMaps: u8,
    clutType: u8,
    imageType: u8,
    width: u16,
    height: u16,
    gs: { ...u32s(6), type: 'u64, u64, u32, u32' },
  },
  {
    notes: {
      totalSize: (total: number, p) => (total === partsOf(p) ? undefined : `the parts are ${partsOf(p)}: not used`),
      clutType: (type: number) => (type & 0x80 ? 'colours in order' : 'colours crosswise (CSM1)'),
      imageType: (type: number) => pixelLabel(type),
    },
  },
)
export const PICTURE_HEADER = PICTURE.size
const partsOf = (p: { headerSize: number; imageSize: number; clutSize: number }): number => p.headerSize + p.imageSize + p.clutSize
/** imageType / clutType */
export const PIXEL = { none: 0, rgb16: 1, rgb24: 2, rgb32: 3, index4: 4, index8: 5 } as const

export interface Tim2Picture {
  /** as stored: wrong in the samples, never used to find anything but a gap */
  totalSize: number
  clutSize: number
  imageSize: number
  headerSize: number
  clutColors: number
  pictureFormat: number
  mipMaps: number
  /** low 6 bits pixel type; bit 7 set: colours stand in order (CSM2) */
  clutType: number
  imageType: number
  width: number
  height: number
  /** u64 GsTex0, u64 GsTex1, u32 GsTexaFbaPabe, u32 GsTexClut: bits */
  gs: Uint32Array
  /** header bytes beyond 0x30: the mip-map header of a picture with several levels, user space */
  headerExtra: Uint8Array
  image: Uint8Array
  clut: Uint8Array
  /** bytes up to the next picture */
  gap: Uint8Array
}

export interface Tim2Node {
  version: number
  /** 1: the first picture header stands at 0x80 */
  format: number
  /** as stored; pictures that are not there are reported */
  pictureCount: number
  reserved: Uint8Array
  headerPad: Uint8Array
  pictures: Tim2Picture[]
  trailing: Uint8Array
}

export interface Tim2Document extends Document {
  readonly format: 'level5.tim2'
  tim2: Tim2Node
}

/** Reads [r.start, r.end). Throws FormatError. */
export function decodeTim2(r: Reader, diagnostics: Diagnostics): Tim2Node {
  const start = r.start
  const head = HEADER.read(r)
  const { format, pictureCount } = head
  const headerPad = format === 1 ? r.take(0x70, 'headerPad') : new Uint8Array(0)
  const tim2: Tim2Node = { ...head, headerPad, pictures: [], trailing: new Uint8Array(0) }
  for (let i = 0; i < pictureCount; i++) {
    const at = r.position
    if (i > 0 && r.remaining < PICTURE_HEADER) {
      diagnostics.add(
        'warning',
        'level5.tim2-pictures',
        `${pictureCount} pictures are announced, ${i} are there`,
        r.path('pictureCount'),
        start + HEADER.at.pictureCount,
      )
      break
    }
    const picture = r.within(`pictures[${i}]`, () => {
      const own = PICTURE.read(r)
      const { totalSize, clutSize, imageSize, headerSize } = own
      if (headerSize < PICTURE_HEADER)
        r.fail('bad-value', `picture header size is ${headerSize}`, 'headerSize', {
          offset: at + PICTURE.at.headerSize,
          expected: '48',
          actual: String(headerSize),
        })
      const headerExtra = r.take(headerSize - PICTURE_HEADER, 'headerExtra')
      const image = r.take(imageSize, 'image')
      const clut = r.take(clutSize, 'clut')
      const real = partsOf(own)
      // a total that is larger than the parts means padding, but only if a picture really follows it
      const pad =
        i + 1 < pictureCount &&
        totalSize > real &&
        totalSize - real <= r.remaining &&
        looksLikePicture(r, at + totalSize) &&
        !looksLikePicture(r, r.position)
          ? totalSize - real
          : 0
      const gap = r.take(pad, 'gap')
      if (totalSize !== real && pad === 0)
        diagnostics.add('info', 'level5.tim2-total', `total size is ${totalSize}, the parts are ${real}`, r.path('totalSize'), at)
      return { ...own, headerExtra, image, clut, gap }
    })
    tim2.pictures.push(picture)
  }
  tim2.trailing = r.rest()
  return tim2
}

function looksLikePicture(r: Reader, at: number): boolean {
  if (at + PICTURE_HEADER > r.end) return false
  const view = new DataView(r.bytes.buffer, r.bytes.byteOffset, r.bytes.byteLength)
  const headerSize = view.getUint16(at + 12, true)
  const type = r.bytes[at + 19]
  return (
    headerSize >= PICTURE_HEADER &&
    headerSize % 16 === 0 &&
    type >= 1 &&
    type <= 5 &&
    headerSize + view.getUint32(at + 4, true) + view.getUint32(at + 8, true) <= r.end - at
  )
}

export function encodeTim2(tim2: Tim2Node, out: Writer): void {
  HEADER.write(out, tim2)
  if (tim2.headerPad.length) out.opaque(tim2.headerPad)
  for (const p of tim2.pictures) {
    PICTURE.write(out, p)
    const mips = mipHeaderSize(p)
    out.raw(p.headerExtra.subarray(0, mips))
    if (p.headerExtra.length > mips) out.opaque(p.headerExtra.subarray(mips))
    out.raw(p.image)
    out.raw(p.clut)
    if (p.gap.length) out.opaque(p.gap)
  }
  if (tim2.trailing.length) out.opaque(tim2.trailing)
}

/**
 * Bytes of the mip-map header behind the picture header: two u64 registers, then a u32 size for each level, the full one first. The whole
 * header is rounded up to 16, so fewer bytes than that mean that there is none.
 */
function mipHeaderSize(p: Tim2Picture): number {
  const size = 16 + 4 * p.mipMaps
  return p.mipMaps > 1 && p.headerExtra.length >= size ? size : 0
}

export function tim2Size(tim2: Tim2Node): number {
  return (
    HEADER.size +
    tim2.headerPad.length +
    tim2.pictures.reduce((n, p) => n + PICTURE_HEADER + p.headerExtra.length + p.image.length + p.clut.length + p.gap.length, 0) +
    tim2.trailing.length
  )
}

// --- pixels ------------------------------------------------------------------------------------------------------

export type Swizzle = 'auto' | 'linear' | 'swizzled'

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
  // CSM1 keeps blocks of 8 colours crosswise; a palette of 16 has no such blocks
  const crosswise = (p.clutType & 0x80) === 0 && p.imageType === PIXEL.index8
  for (let i = 0; i < count; i++) {
    const from = crosswise ? (i & ~0x18) | ((i & 8) << 1) | ((i & 16) >> 1) : i
    readColor(p.clut, from, size, alpha16, out, 4 * i)
  }
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
  let reason = 'not an 8-bit picture: read row by row'
  if (indexed) {
    const colors = clutColors(p)
    let indices: Uint8Array
    if (p.imageType === PIXEL.index4) {
      indices = new Uint8Array(pixels)
      // the low nibble is the left pixel
      for (let i = 0; i < pixels; i++) indices[i] = i & 1 ? p.image[i >> 1] >> 4 : p.image[i >> 1] & 15
      reason = '4-bit picture: read row by row'
    } else {
      indices = p.image.subarray(0, pixels)
      if (!canSwizzle(width, height)) reason = 'its size cannot be swizzled'
      else {
        const turned = unswizzle8(indices, width, height)
        if (swizzle === 'auto') {
          const linear = roughness(indices, width, height, colors)
          const other = roughness(turned, width, height, colors)
          swizzled = other < linear
          reason = `mean difference between neighbours: ${linear.toFixed(1)} as it stands, ${other.toFixed(1)} un-swizzled`
        } else {
          swizzled = swizzle === 'swizzled'
          reason = 'chosen'
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
  return ['none', '16-bit', '24-bit', '32-bit', '4-bit palette', '8-bit palette'][imageType] ?? `type ${imageType}`
}

// --- making ------------------------------------------------------------------------------------------------------

/** PS2 alpha of 0..255. */
function ps2Alpha(a: number): number {
  return a >= 255 ? 0x80 : (a + 1) >> 1
}

/**
 * At most `most` colours for a picture, and each pixel's nearest. A picture with few enough colours keeps them exactly, in
 * the order in which they appear. Alpha is counted in the PS2's 129 steps.
 */
export function quantize(rgba: Uint8Array, most = 256): { colors: Uint8Array; indices: Uint8Array } {
  const stepped = rgba.slice()
  for (let i = 3; i < stepped.length; i += 4) stepped[i] = alphaOf(ps2Alpha(rgba[i]))
  const colors = choosePalette(stepped, most)
  const indices = nearestIndices(stepped, colors)
  for (let i = 3; i < colors.length; i += 4) colors[i] = ps2Alpha(colors[i])
  return { colors, indices }
}

/**
 * Puts pixels into a picture of its own raster format and size: 4 and 8 bit get a new palette in the picture's order,
 * swizzled as it was. Throws `invalid-edit` when the size differs or the kind cannot be written.
 */
export function setPixels(p: Tim2Picture, width: number, height: number, rgba: Uint8Array, swizzled: boolean): void {
  if (width !== p.width || height !== p.height || rgba.length !== 4 * width * height)
    throw new FormatError('invalid-edit', `the picture is ${p.width} x ${p.height}, the new one ${width} x ${height}: sizes must agree`)
  const n = width * height
  const write = (out: Uint8Array, i: number, size: number, r: number, g: number, b: number, a: number, ps2a: number): void => {
    if (size === 2) {
      const v = (r >> 3) | ((g >> 3) << 5) | ((b >> 3) << 10) | (a >= 128 ? 0x8000 : 0)
      out[2 * i] = v & 255
      out[2 * i + 1] = v >> 8
    } else {
      out[size * i] = r
      out[size * i + 1] = g
      out[size * i + 2] = b
      if (size === 4) out[4 * i + 3] = ps2a
    }
  }
  const sizeOf = (type: number): number => (type === PIXEL.rgb16 ? 2 : type === PIXEL.rgb24 ? 3 : 4)
  if (p.imageType === PIXEL.index8 || p.imageType === PIXEL.index4) {
    const four = p.imageType === PIXEL.index4
    const size = sizeOf(p.clutType & 0x3f)
    const most = Math.min(four ? 16 : 256, p.clutColors || 256, Math.floor(p.clut.length / size))
    if (most < 2) throw new FormatError('invalid-edit', 'the picture has no palette to write to')
    const { colors, indices } = quantize(rgba, most)
    const clut = p.clut.slice()
    const crosswise = (p.clutType & 0x80) === 0 && !four
    for (let i = 0; i < colors.length / 4; i++) {
      const to = crosswise ? (i & ~0x18) | ((i & 8) << 1) | ((i & 16) >> 1) : i
      if ((to + 1) * size > clut.length) throw new FormatError('invalid-edit', 'the palette is shorter than its order needs')
      const a = colors[4 * i + 3]
      write(clut, to, size, colors[4 * i], colors[4 * i + 1], colors[4 * i + 2], alphaOf(a), a)
    }
    const image = p.image.slice()
    if (four)
      for (let i = 0; i < n; i++) image[i >> 1] = i & 1 ? (image[i >> 1] & 15) | (indices[i] << 4) : (image[i >> 1] & 0xf0) | indices[i]
    else image.set(swizzled && canSwizzle(width, height) ? swizzle8(indices, width, height) : indices)
    p.clut = clut
    p.image = image
  } else {
    const size = sizeOf(p.imageType)
    const image = p.image.slice()
    if (image.length < size * n) throw new FormatError('invalid-edit', 'the picture has fewer bytes than its size needs')
    for (let i = 0; i < n; i++)
      write(image, i, size, rgba[4 * i], rgba[4 * i + 1], rgba[4 * i + 2], rgba[4 * i + 3], ps2Alpha(rgba[4 * i + 3]))
    p.image = image
  }
}

// --- the format --------------------------------------------------------------------------------------------------

export function describeTim2(tim2: Tim2Node, name: string, start: number): StructureNode {
  let at = start + HEADER.size
  const fields = [...HEADER.describe(tim2, start), ...leftover('headerPad', at, tim2.headerPad)]
  at += tim2.headerPad.length
  const children = tim2.pictures.map((p, i) => {
    const from = at
    const list = PICTURE.describe(p, from)
    at += PICTURE_HEADER
    const bulk = (label: string, data: Uint8Array, unknown = false): void => {
      if (unknown) list.push(...leftover(label, at, data))
      else if (data.length) list.push(field(label, `u8[${data.length}]`, at, data.length, data))
      at += data.length
    }
    const mips = mipHeaderSize(p)
    if (mips) {
      list.push(field('mipTbp', 'u64[2]', at, 16, p.headerExtra.subarray(0, 16)))
      list.push(field('mipSizes', `u32[${p.mipMaps}]`, at + 16, mips - 16, new Uint32Array(p.headerExtra.slice(16, mips).buffer)))
      at += mips
    }
    bulk('headerExtra', p.headerExtra.subarray(mips), true)
    bulk('image', p.image)
    bulk('clut', p.clut)
    bulk('gap', p.gap, true)
    return node(`pictures[${i}]`, 'picture', { start: from, end: at }, list, [], {
      summary: `${p.width} x ${p.height}, ${pixelLabel(p.imageType)}`,
    })
  })
  fields.push(...leftover('trailing', at, tim2.trailing))
  return node(name, 'TIM2', { start, end: at + tim2.trailing.length }, fields, children, { summary: children[0]?.summary })
}

export const tim2Format: FileFormat<Tim2Document> = {
  id: 'level5.tim2',
  label: 'PS2 picture (TIM2)',
  family: 'level5',
  kind: 'texture',
  extensions: ['tm2', 'tim2'],
  identify(head, name) {
    if (head.length < 0x10 || head[0] !== 0x54 || head[1] !== 0x49 || head[2] !== 0x4d || head[3] !== 0x32) return 0
    return ['tm2', 'tim2'].includes(extensionOf(name)) || head[4] <= 4 ? 0.95 : 0.7
  },
  decode(bytes, ref) {
    const diagnostics = new Diagnostics(ref)
    return { format: 'level5.tim2', ref, diagnostics: diagnostics.list, tim2: decodeTim2(new Reader(bytes, ref), diagnostics) }
  },
  encode: (document, out) => encodeTim2(document.tim2, out),
  describe: (document) => describeTim2(document.tim2, '', 0),
  summarize(document) {
    const stem = document.ref
      .slice(Math.max(document.ref.lastIndexOf('/'), document.ref.lastIndexOf('\\'), document.ref.lastIndexOf('!')) + 1)
      .replace(/\.[^.]*$/, '')
    return {
      textures: document.tim2.pictures.map((p) => ({ name: stem, width: p.width, height: p.height, format: pixelLabel(p.imageType) })),
      provides: stem ? [`level5.texture:${stem}`] : [],
      note: document.tim2.pictures.map((p) => `${p.width} x ${p.height} ${pixelLabel(p.imageType)}`).join(', '),
    }
  },
}
