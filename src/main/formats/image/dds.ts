/**
 * DirectDraw surface (.dds): `DDS `, a header of 124 bytes, levels from large to small. Sizes need not be powers of two,
 * the level count may be 0 (= 1). Facts: Microsoft's DDS documentation; specs on the engines' use of it (docs/formats/images.md).
 */
import { FormatError } from '../../binary/format-error.ts'
import { Reader, type SourceRange } from '../../binary/reader.ts'
import { Diagnostics, type Document, type FileFormat } from '../format.ts'
import { field, node } from '../../binary/structure.ts'
import { decodeDxt, dxtSize, encodeDxt, type DxtKind } from './dxt.ts'
import { COMMON_FAMILY } from '../../../shared/api/types/family.ts'
import { eachLevel, fullLevels, hasTransparency, keepBlocks, levelsFor, samePixels } from './pixels.ts'
import { say } from '../../../shared/texts/say.ts'
import type { Writer } from '../../binary/writer.ts'
import type { DecodedImage } from './image.ts'

export interface DdsDocument extends Document {
  readonly format: 'common.dds'
  /** 31 words: size, flags, height, width, pitch, depth, mipCount, reserved[11], pixel format[8], caps[4], reserved2 */
  header: Uint32Array
  /** DX10 extension of 5 words, when the FourCC says so */
  dx10: Uint32Array | null
  /** surface data of all levels and faces, as stored */
  data: Uint8Array
  range: SourceRange
}

const HEADER_NAMES = [
  'size',
  'flags',
  'height',
  'width',
  'pitchOrLinearSize',
  'depth',
  'mipMapCount',
  ...Array.from({ length: 11 }, (_, i) => `reserved1[${i}]`),
  'pf.size',
  'pf.flags',
  'pf.fourCC',
  'pf.rgbBitCount',
  'pf.rMask',
  'pf.gMask',
  'pf.bMask',
  'pf.aMask',
  'caps',
  'caps2',
  'caps3',
  'caps4',
  'reserved2',
]
const fourccOf = (word: number): string => String.fromCharCode(word & 255, (word >> 8) & 255, (word >> 16) & 255, word >>> 24)

export const dds: FileFormat<DdsDocument> = {
  id: 'common.dds',
  get label() {
    return say('images.dds.label')
  },
  family: COMMON_FAMILY,
  kind: 'texture',
  extensions: ['dds'],
  identify: (head) =>
    head.length >= 128 && head[0] === 0x44 && head[1] === 0x44 && head[2] === 0x53 && head[3] === 0x20 && head[4] === 124 ? 1 : 0,
  decode(bytes, ref) {
    const reader = new Reader(bytes, ref)
    if (reader.fourcc('magic') !== 'DDS ') reader.fail('bad-magic', say('images.dds.notOne'), 'magic', { offset: 0 })
    const header = reader.u32s(31, 'header')
    const dx10 = (header[19] & 4) !== 0 && fourccOf(header[20]) === 'DX10' ? reader.u32s(5, 'dx10') : null
    const data = reader.rest()
    const diagnostics = new Diagnostics(ref)
    if (header[0] !== 124)
      diagnostics.add('warning', 'common.dds-header-size', say('images.dds.headerSize', { size: header[0] }), 'header.size', 4)
    return { format: 'common.dds', ref, diagnostics: diagnostics.list, header, dx10, data, range: { start: 0, end: bytes.length } }
  },
  encode(document, out: Writer) {
    out.fourcc('DDS ')
    out.raw(document.header)
    if (document.dx10) out.raw(document.dx10)
    const levels = surfaceBytes(document)
    out.raw(document.data.subarray(0, levels))
    out.opaque(document.data.subarray(levels))
  },
  describe(document) {
    const { header, range } = document
    const fields = [field('magic', 'char[4]', 0, 4, 'DDS ')]
    header.forEach((word, i) =>
      fields.push(field(HEADER_NAMES[i], 'u32', 4 + 4 * i, 4, i === 20 && header[19] & 4 ? fourccOf(word) : word)),
    )
    const at = 128 + (document.dx10 ? 20 : 0)
    if (document.dx10) fields.push(field('dx10', 'u32[5]', 128, 20, document.dx10))
    const levels = surfaceBytes(document)
    fields.push(field('data', `u8 x ${levels}`, at, levels, document.data.subarray(0, levels)))
    if (levels < document.data.length)
      fields.push(
        field(
          'trailing',
          `u8 x ${document.data.length - levels}`,
          at + levels,
          document.data.length - levels,
          document.data.subarray(levels),
          { unknown: true },
        ),
      )
    return node('dds', say('images.dds.label'), range, fields, [], {
      summary: say('images.dds.summary', { width: header[3], height: header[2], format: pixelFormatName(document) }),
    })
  },
  summarize: (document) => ({
    textures: [{ name: '', width: document.header[3], height: document.header[2], format: pixelFormatName(document) }],
    note: say('images.dds.summary', { width: document.header[3], height: document.header[2], format: pixelFormatName(document) }),
  }),
}

export function pixelFormatName({ header, dx10 }: DdsDocument): string {
  if (dx10) return `DX10 ${dx10[0]}`
  return header[19] & 4 ? fourccOf(header[20]) : `${header[21]} bit`
}

/** Bytes of all levels and faces as the header tells them, or all that is there: what follows is no part of the picture. */
function surfaceBytes(document: DdsDocument): number {
  const { header, data } = document
  const kind = dxtKind(document)
  const bits = header[21]
  const volume = (header[27] & 0x200000) !== 0
  if (document.dx10 || volume || (!kind && (header[19] & 4 || bits % 8 || bits === 0 || bits > 32))) return data.length
  let faces = 0
  for (let bit = 0x400; bit <= 0x8000; bit <<= 1) if (header[27] & 0x200 && header[27] & bit) faces++
  let sum = 0
  let w = header[3]
  let h = header[2]
  for (let level = 0; level < Math.max(1, Math.min(32, header[6])); level++) {
    sum += kind ? dxtSize(kind, w, h) : (w * h * bits) / 8
    w = Math.max(1, w >>> 1)
    h = Math.max(1, h >>> 1)
  }
  return Math.min(data.length, sum * Math.max(1, faces))
}

function dxtKind(document: DdsDocument): DxtKind | 0 {
  const { header, dx10 } = document
  if (dx10) return dx10[0] >= 70 && dx10[0] <= 72 ? 1 : dx10[0] >= 73 && dx10[0] <= 75 ? 3 : dx10[0] >= 76 && dx10[0] <= 78 ? 5 : 0
  if (!(header[19] & 4)) return 0
  const match = /^DXT([1-5])$/.exec(fourccOf(header[20]))
  return match ? (Number(match[1]) as DxtKind) : 0
}

/** A mask's shift and size; any run of bits is widened to 8. */
function channel(mask: number): (pixel: number) => number {
  if (mask === 0) return () => 0
  let shift = 0
  while (((mask >>> shift) & 1) === 0) shift++
  const max = mask >>> shift
  return (pixel) => Math.round((((pixel & mask) >>> shift) * 255) / max)
}

const MAX_PIXELS = 16384 * 16384

/** The largest level as RGBA. Throws FormatError for sizes and pixel formats that are not read. */
export function ddsPixels(document: DdsDocument): DecodedImage {
  const { header, data, ref } = document
  const height = header[2],
    width = header[3]
  const fail = (code: 'unsupported' | 'truncated' | 'bad-count', message: string, offset: number): never => {
    throw new FormatError(code, message, { file: ref, offset, path: 'header' })
  }
  if (width === 0 || height === 0 || width * height > MAX_PIXELS) fail('bad-count', say('images.notShown', { width, height }), 12)
  const kind = dxtKind(document)
  if (kind) {
    const need = dxtSize(kind, width, height)
    if (data.length < need) fail('truncated', say('images.dds.tooShort', { need, left: data.length }), 128 + data.length)
    const rgba = decodeDxt(kind, width, height, data)
    if (kind === 2 || kind === 4) unmultiply(rgba)
    return { width, height, rgba, hasAlpha: hasTransparency(rgba) }
  }
  if (header[19] & 4) fail('unsupported', say('images.dds.formatNotRead', { format: pixelFormatName(document) }), 84)
  const bits = header[21]
  if (bits !== 8 && bits !== 16 && bits !== 24 && bits !== 32) fail('unsupported', say('images.dds.bitsNotRead', { bits }), 88)
  const size = bits / 8
  if (data.length < width * height * size)
    fail('truncated', say('images.dds.tooShort', { need: width * height * size, left: data.length }), 128 + data.length)
  const luminance = (header[19] & 0x20000) !== 0
  const r = channel(header[22]),
    g = luminance ? r : channel(header[23]),
    b = luminance ? r : channel(header[24])
  const a = header[19] & 1 || (header[19] & 2 && header[25]) ? channel(header[25]) : () => 255
  const alphaOnly = (header[19] & 2) !== 0 && !(header[19] & 0x40)
  const rgba = new Uint8Array(width * height * 4)
  for (let i = 0, p = 0; i < width * height; i++, p += size) {
    let pixel = data[p]
    for (let k = 1; k < size; k++) pixel |= data[p + k] << (8 * k)
    pixel >>>= 0
    rgba[4 * i] = alphaOnly ? 255 : r(pixel)
    rgba[4 * i + 1] = alphaOnly ? 255 : g(pixel)
    rgba[4 * i + 2] = alphaOnly ? 255 : b(pixel)
    rgba[4 * i + 3] = a(pixel)
  }
  return { width, height, rgba, hasAlpha: hasTransparency(rgba) }
}

/** DXT2 and DXT4 store colours times alpha. */
function unmultiply(rgba: Uint8Array): void {
  for (let i = 0; i < rgba.length; i += 4) {
    const a = rgba[i + 3]
    if (a > 0 && a < 255) for (let c = 0; c < 3; c++) rgba[i + c] = Math.min(255, Math.round((rgba[i + c] * 255) / a))
  }
}

/** How pixels are stored, in bits of alpha. */
export function ddsAlphaBits(document: DdsDocument): number {
  const kind = dxtKind(document)
  if (kind) return kind === 1 ? 1 : kind <= 3 ? 4 : 8
  return document.header[19] & 3 ? bitsOf(document.header[25]) : 0
}

/** Why no picture can be put in, '' when one can. */
export function ddsReplaceProblem(document: DdsDocument): string {
  const { header, dx10 } = document
  if (header[27] & 0x200) return say('images.dds.cubeMap')
  if (header[27] & 0x200000) return say('images.dds.volume')
  if (dx10 && (dx10[1] !== 3 || dx10[3] > 1)) return say('images.dds.array')
  try {
    ddsPixels(document)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

/** Why a picture of this size cannot be stored, '' when it can. */
function ddsSizeProblem(document: DdsDocument, width: number, height: number): string {
  if (!(width >= 1 && height >= 1 && width <= MOST_EXTENT && height <= MOST_EXTENT))
    return say('images.sizeOutside', { width, height, most: MOST_EXTENT })
  if (width === document.header[3] && height === document.header[2]) return ''
  if (dxtKind(document) && (width % 4 || height % 4)) return say('images.notInBlocks', { width, height })
  return ''
}

const MOST_EXTENT = 4096

/** Levels that the header counts and the bytes hold. */
export function ddsLevels(document: DdsDocument): number {
  return Math.max(1, Math.min(fullLevels(document.header[3], document.header[2]), document.header[6]))
}

/**
 * New pixels in the file's own pixel format, as many levels as it had (made anew by averaging); what shows the same as before, and what follows the picture, stays.
 * Throws `invalid-edit`.
 */
export function setDdsPixels(document: DdsDocument, width: number, height: number, rgba: Uint8Array): void {
  const { header } = document
  const problem = ddsReplaceProblem(document) || ddsSizeProblem(document, width, height)
  if (problem || rgba.length !== 4 * width * height)
    throw new FormatError('invalid-edit', say('images.notReplaced', { why: problem || say('images.otherSize') }), {
      file: document.ref,
    })
  const kind = dxtKind(document)
  const before = ddsPixels(document)
  const same = width === before.width && height === before.height
  if (same && samePixels(before.rgba, rgba)) return
  const trailing = document.data.subarray(surfaceBytes(document))
  const kept: Uint8Array[] = []
  if (same) eachLevel(before.rgba, width, height, ddsLevels(document), (pixels) => kept.push(pixels))
  const levels: Uint8Array[] = []
  let at = 0
  eachLevel(rgba, width, height, levelsFor(ddsLevels(document), before, width, height), (pixels, w, h, level) => {
    const data = kind ? encodeDxt(kind, w, h, kind === 2 || kind === 4 ? multiplied(pixels) : pixels) : packed(document, pixels)
    if (same)
      keepBlocks(
        data,
        document.data.subarray(at, at + data.length),
        pixels,
        kept[level],
        w,
        h,
        kind ? { side: 4, bytes: kind === 1 ? 8 : 16 } : { side: 1, bytes: header[21] / 8 },
      )
    levels.push(data)
    at += data.length
  })
  header[3] = width
  header[2] = height
  // a pitch is that of a row of pixels, a linear size that of the first level; files with 0 or nonsense keep it
  if (header[4] === (before.width * header[21]) / 8 && !kind) header[4] = (width * header[21]) / 8
  else if (kind && header[1] & 0x80000) header[4] = levels[0].length
  if (header[6] > 0) header[6] = levels.length
  document.data = new Uint8Array(Buffer.concat([...levels, trailing]))
}

/** Rows of uncompressed pixels by the masks of the header. Bits that no mask names are 0. */
function packed({ header }: DdsDocument, rgba: Uint8Array): Uint8Array {
  const bytes = header[21] / 8
  const luminance = (header[19] & 0x20000) !== 0
  const alphaOnly = (header[19] & 2) !== 0 && !(header[19] & 0x40)
  const alpha = header[19] & 1 || (header[19] & 2 && header[25]) ? header[25] : 0
  const colors = alphaOnly ? [] : luminance ? [header[22]] : [header[22], header[23], header[24]]
  const places = [...colors, alpha].map((mask) => {
    // the lowest bit of the mask, as its number
    const shift = mask ? 31 - Math.clz32(mask & -mask) : 0
    return { shift, max: mask >>> shift }
  })
  const out = new Uint8Array((rgba.length / 4) * bytes)
  for (let i = 0, p = 0; i < rgba.length; i += 4, p += bytes) {
    let pixel = 0
    for (let c = 0; c < places.length; c++) {
      const { shift, max } = places[c]
      const value =
        c === places.length - 1 ? rgba[i + 3] : luminance ? 0.299 * rgba[i] + 0.587 * rgba[i + 1] + 0.114 * rgba[i + 2] : rgba[i + c]
      pixel |= Math.round((value * max) / 255) << shift
    }
    for (let k = 0; k < bytes; k++) out[p + k] = pixel >>> (8 * k)
  }
  return out
}

function bitsOf(mask: number): number {
  let n = 0
  for (let rest = mask >>> 0; rest; rest &= rest - 1) n++
  return n
}

/** Colours times alpha, as DXT2 and DXT4 store them. */
function multiplied(rgba: Uint8Array): Uint8Array {
  const out = rgba.slice()
  for (let i = 0; i < out.length; i++) if (i % 4 < 3) out[i] = Math.round((out[i] * out[i | 3]) / 255)
  return out
}

/** Decodes a whole file to its picture. */
export function decodeDds(bytes: Uint8Array, ref: string): DecodedImage {
  return ddsPixels(dds.decode(bytes, ref))
}

/** A new DDS with one level or a full mip chain from RGBA. */
export function newDds(kind: 1 | 3 | 5 | 'rgba', width: number, height: number, rgba: Uint8Array, mips = false): Uint8Array {
  const levels: Uint8Array[] = []
  eachLevel(rgba, width, height, mips ? fullLevels(width, height) : 1, (pixels, w, h) =>
    levels.push(kind === 'rgba' ? bgra(pixels) : encodeDxt(kind, w, h, pixels)),
  )
  const header = new Uint32Array(31)
  header[0] = 124
  header[1] = 0x1007 | (mips ? 0x20000 : 0) | (kind === 'rgba' ? 8 : 0x80000)
  header[2] = height
  header[3] = width
  header[4] = kind === 'rgba' ? width * 4 : levels[0].length
  header[6] = mips ? levels.length : 0
  header[18] = 32
  if (kind === 'rgba') {
    header[19] = 0x41
    header[21] = 32
    header[22] = 0xff0000
    header[23] = 0xff00
    header[24] = 0xff
    header[25] = 0xff000000
  } else {
    header[19] = 4
    header[20] = 0x30545844 + ((kind as number) << 24)
  }
  header[26] = 0x1000 | (mips ? 0x400008 : 0)
  const out = new Uint8Array(128 + levels.reduce((n, l) => n + l.length, 0))
  out.set([0x44, 0x44, 0x53, 0x20])
  out.set(new Uint8Array(header.buffer), 4)
  let at = 128
  for (const level of levels) {
    out.set(level, at)
    at += level.length
  }
  return out
}

function bgra(rgba: Uint8Array): Uint8Array {
  const out = rgba.slice()
  for (let i = 0; i < out.length; i += 4) {
    out[i] = rgba[i + 2]
    out[i + 2] = rgba[i]
  }
  return out
}
