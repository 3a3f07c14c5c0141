/**
 * DirectDraw surface (.dds): `DDS `, a header of 124 bytes, levels from large to small. Sizes need not be powers of two,
 * the level count may be 0 (= 1). Facts: Microsoft's DDS documentation; specs on the engines' use of it (docs/formats/images.md).
 */
import { FormatError } from '../../binary/format-error.ts'
import { magic, named, record, u32, u32s, type FieldType, type ValueOf } from '../../binary/layout.ts'
import { structural } from '../../binary/field-use.ts'
import { Reader, type SourceRange } from '../../binary/reader.ts'
import { Diagnostics, type Document, type FileFormat } from '../format.ts'
import { field, node, pixelsUse } from '../../binary/structure.ts'
import { decodeDxt, dxtSize, encodeDxt, type DxtKind } from './dxt.ts'
import { COMMON_FAMILY } from '../../../shared/api/types/family.ts'
import { eachLevel, fullLevels, hasTransparency, keepBlocks, levelExtent, levelsFor, samePixels } from './pixels.ts'
import { say } from '../../../shared/texts/say.ts'
import type { StructureField } from '../../../shared/api/types/structure.ts'
import type { Writer } from '../../binary/writer.ts'
import type { DecodedImage } from './image.ts'

const PF_FOURCC = 4
/** a row each in descriptions */
const RESERVED: FieldType<Uint32Array> = {
  ...u32s(11),
  rows: (words, at, name) => Array.from(words, (word, i) => field(`${name}[${i}]`, 'u32', at + 4 * i, 4, word)),
}
const HEADER = record(
  {
    magic: magic('DDS ', () => say('images.dds.notOne')),
    size: structural(u32),
    flags: u32,
    height: structural(u32),
    width: structural(u32),
    pitchOrLinearSize: structural(u32),
    depth: structural(u32),
    mipMapCount: structural(u32),
    reserved1: RESERVED,
    pfSize: named('pf.size', structural(u32)),
    pfFlags: named('pf.flags', structural(u32)),
    fourCC: named('pf.fourCC', structural(u32)),
    rgbBitCount: named('pf.rgbBitCount', structural(u32)),
    rMask: named('pf.rMask', structural(u32)),
    gMask: named('pf.gMask', structural(u32)),
    bMask: named('pf.bMask', structural(u32)),
    aMask: named('pf.aMask', structural(u32)),
    caps: u32,
    caps2: u32,
    caps3: u32,
    caps4: u32,
    reserved2: u32,
  },
  { shows: { fourCC: (word: number, { pfFlags }) => (pfFlags & PF_FOURCC ? fourccOf(word) : word) } },
)
const DX10 = record({
  dxgiFormat: named('dx10.dxgiFormat', structural(u32)),
  resourceDimension: named('dx10.resourceDimension', structural(u32)),
  miscFlag: named('dx10.miscFlag', u32),
  arraySize: named('dx10.arraySize', structural(u32)),
  miscFlags2: named('dx10.miscFlags2', u32),
})

export interface DdsDocument extends Document {
  readonly format: 'common.dds'
  header: ValueOf<typeof HEADER>
  /** extension, when the FourCC says so */
  dx10: ValueOf<typeof DX10> | null
  /** surface data of all levels and faces, as stored */
  data: Uint8Array
  range: SourceRange
}

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
    head.length >= HEADER.size && head[0] === 0x44 && head[1] === 0x44 && head[2] === 0x53 && head[3] === 0x20 && head[4] === 124 ? 1 : 0,
  decode(bytes, ref) {
    const reader = new Reader(bytes, ref)
    const header = HEADER.read(reader)
    const dx10 = (header.pfFlags & PF_FOURCC) !== 0 && fourccOf(header.fourCC) === 'DX10' ? DX10.read(reader) : null
    const data = reader.rest()
    const diagnostics = new Diagnostics(ref)
    if (header.size !== 124)
      diagnostics.add(
        'warning',
        'common.dds-header-size',
        say('images.dds.headerSize', { size: header.size }),
        'header.size',
        HEADER.at.size,
      )
    return { format: 'common.dds', ref, diagnostics: diagnostics.list, header, dx10, data, range: { start: 0, end: bytes.length } }
  },
  encode(document, out: Writer) {
    HEADER.write(out, document.header)
    if (document.dx10) DX10.write(out, document.dx10)
    const levels = surfaceBytes(document)
    out.raw(document.data.subarray(0, levels))
    out.opaque(document.data.subarray(levels))
  },
  describe(document) {
    const { header, range } = document
    const fields = HEADER.describe(header, 0)
    if (document.dx10) fields.push(...DX10.describe(document.dx10, HEADER.size))
    const at = HEADER.size + (document.dx10 ? DX10.size : 0)
    const levels = surfaceBytes(document)
    fields.push(...surfaceFields(document, at, levels))
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
      summary: say('images.dds.summary', { width: header.width, height: header.height, format: pixelFormatName(document) }),
    })
  },
  summarize: (document) => ({
    textures: [{ name: '', width: document.header.width, height: document.header.height, format: pixelFormatName(document) }],
    note: say('images.dds.summary', { width: document.header.width, height: document.header.height, format: pixelFormatName(document) }),
  }),
}

export function pixelFormatName({ header, dx10 }: DdsDocument): string {
  if (dx10) return `DX10 ${dx10.dxgiFormat}`
  return header.pfFlags & 4 ? fourccOf(header.fourCC) : `${header.rgbBitCount} bit`
}

/** No volume, array or cube map. */
const isOnePicture = ({ resourceDimension, arraySize, miscFlag }: ValueOf<typeof DX10>): boolean =>
  resourceDimension === 3 && arraySize <= 1 && (miscFlag & 4) === 0

/** Whether the header tells how many bytes each level has. */
function levelsKnown(document: DdsDocument): boolean {
  const { header, dx10 } = document
  const bits = header.rgbBitCount
  const volume = (header.caps2 & 0x200000) !== 0
  if (volume || (dx10 && !isOnePicture(dx10))) return false
  return dxtKind(document) !== 0 || !(header.pfFlags & 4 || bits % 8 || bits === 0 || bits > 32)
}

/** Bytes of all levels and faces as the header tells them, or all that is there: what follows is no part of the picture. */
function surfaceBytes(document: DdsDocument): number {
  const { header, data } = document
  if (!levelsKnown(document)) return data.length
  const sum = levelStart(document, Math.max(1, Math.min(32, header.mipMapCount)))
  return Math.min(data.length, sum * facesOf(document))
}

/** Faces of a cube map, which may leave some out; 1 of any other picture. */
function facesOf({ header }: DdsDocument): number {
  let faces = 0
  for (let bit = 0x400; bit <= 0x8000; bit <<= 1) if (header.caps2 & 0x200 && header.caps2 & bit) faces++
  return Math.max(1, faces)
}

/** A field for each level of each face; one for all where the sizes of levels are not known. */
function surfaceFields(document: DdsDocument, start: number, size: number): StructureField[] {
  const { header, data } = document
  const format = pixelFormatName(document)
  const count = Math.max(1, Math.min(32, header.mipMapCount))
  const face = levelStart(document, count)
  const pixels = (name: string, from: number, to: number, width: number, height: number): StructureField =>
    field(name, `u8 x ${to - from}`, start + from, to - from, data.subarray(from, to), { use: pixelsUse(width, height, format) })
  if (!levelsKnown(document) || face === 0) return [pixels('data', 0, size, header.width, header.height)]
  const cube = facesOf(document) > 1
  const fields: StructureField[] = []
  for (let at = 0, i = 0; at < size; i++) {
    const [level, of] = [i % count, Math.floor(i / count)]
    const end = Math.min(size, of * face + levelStart(document, level + 1))
    const name = `levels[${level}].data`
    fields.push(pixels(cube ? `faces[${of}].${name}` : name, at, end, levelExtent(header.width, level), levelExtent(header.height, level)))
    at = end
  }
  return fields
}

/** Bytes of the levels in front of one. */
function levelStart(document: DdsDocument, level: number): number {
  const { header } = document
  const kind = dxtKind(document)
  let sum = 0
  for (let i = 0; i < level; i++) {
    const [w, h] = [levelExtent(header.width, i), levelExtent(header.height, i)]
    sum += kind ? dxtSize(kind, w, h) : (w * h * header.rgbBitCount) / 8
  }
  return sum
}

function dxtKind(document: DdsDocument): DxtKind | 0 {
  const { header, dx10 } = document
  if (dx10)
    return dx10.dxgiFormat >= 70 && dx10.dxgiFormat <= 72
      ? 1
      : dx10.dxgiFormat >= 73 && dx10.dxgiFormat <= 75
        ? 3
        : dx10.dxgiFormat >= 76 && dx10.dxgiFormat <= 78
          ? 5
          : 0
  if (!(header.pfFlags & 4)) return 0
  const match = /^DXT([1-5])$/.exec(fourccOf(header.fourCC))
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

/** A level as RGBA, of a cube map its first face. Throws FormatError for sizes and pixel formats that are not read. */
export function ddsPixels(document: DdsDocument, level = 0): DecodedImage {
  const { header, ref } = document
  const fail = (code: 'unsupported' | 'truncated' | 'bad-count', message: string, offset: number): never => {
    throw new FormatError(code, message, { file: ref, offset, path: 'header' })
  }
  if (header.width === 0 || header.height === 0 || header.width * header.height > MAX_PIXELS)
    fail('bad-count', say('images.notShown', { width: header.width, height: header.height }), HEADER.at.height)
  // a level of a volume has slices
  if (level > 0 && header.caps2 & 0x200000) fail('unsupported', say('images.dds.volume'), HEADER.at.caps2)
  const width = levelExtent(header.width, level),
    height = levelExtent(header.height, level)
  const data = document.data.subarray(levelStart(document, level))
  const tooShort = (need: number): string => say('images.dds.tooShort', { level, need, left: data.length })
  const kind = dxtKind(document)
  if (kind) {
    const need = dxtSize(kind, width, height)
    if (data.length < need) fail('truncated', tooShort(need), HEADER.size + document.data.length)
    const rgba = decodeDxt(kind, width, height, data)
    if (kind === 2 || kind === 4) unmultiply(rgba)
    return { width, height, rgba, hasAlpha: hasTransparency(rgba) }
  }
  if (header.pfFlags & 4) fail('unsupported', say('images.dds.formatNotRead', { format: pixelFormatName(document) }), HEADER.at.fourCC)
  const bits = header.rgbBitCount
  if (bits !== 8 && bits !== 16 && bits !== 24 && bits !== 32)
    fail('unsupported', say('images.dds.bitsNotRead', { bits }), HEADER.at.rgbBitCount)
  const size = bits / 8
  if (data.length < width * height * size) fail('truncated', tooShort(width * height * size), HEADER.size + document.data.length)
  const luminance = (header.pfFlags & 0x20000) !== 0
  const r = channel(header.rMask),
    g = luminance ? r : channel(header.gMask),
    b = luminance ? r : channel(header.bMask)
  const a = header.pfFlags & 1 || (header.pfFlags & 2 && header.aMask) ? channel(header.aMask) : () => 255
  const alphaOnly = (header.pfFlags & 2) !== 0 && !(header.pfFlags & 0x40)
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
  return document.header.pfFlags & 3 ? bitsOf(document.header.aMask) : 0
}

/** Why no picture can be put in, '' when one can. */
export function ddsReplaceProblem(document: DdsDocument): string {
  const { header, dx10 } = document
  if (header.caps2 & 0x200) return say('images.dds.cubeMap')
  if (header.caps2 & 0x200000) return say('images.dds.volume')
  if (dx10 && !isOnePicture(dx10)) return say('images.dds.array')
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
  if (width === document.header.width && height === document.header.height) return ''
  if (dxtKind(document) && (width % 4 || height % 4)) return say('images.notInBlocks', { width, height })
  return ''
}

const MOST_EXTENT = 4096

/** Levels that the header counts and the size allows. */
export function ddsLevels(document: DdsDocument): number {
  return Math.max(1, Math.min(fullLevels(document.header.width, document.header.height), document.header.mipMapCount))
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
        kind ? { side: 4, bytes: kind === 1 ? 8 : 16 } : { side: 1, bytes: header.rgbBitCount / 8 },
      )
    levels.push(data)
    at += data.length
  })
  header.width = width
  header.height = height
  // a pitch is that of a row of pixels, a linear size that of the first level; files with 0 or nonsense keep it
  if (header.pitchOrLinearSize === (before.width * header.rgbBitCount) / 8 && !kind)
    header.pitchOrLinearSize = (width * header.rgbBitCount) / 8
  else if (kind && header.flags & 0x80000) header.pitchOrLinearSize = levels[0].length
  if (header.mipMapCount > 0) header.mipMapCount = levels.length
  document.data = new Uint8Array(Buffer.concat([...levels, trailing]))
}

/** Rows of uncompressed pixels by the masks of the header. Bits that no mask names are 0. */
function packed({ header }: DdsDocument, rgba: Uint8Array): Uint8Array {
  const bytes = header.rgbBitCount / 8
  const luminance = (header.pfFlags & 0x20000) !== 0
  const alphaOnly = (header.pfFlags & 2) !== 0 && !(header.pfFlags & 0x40)
  const alpha = header.pfFlags & 1 || (header.pfFlags & 2 && header.aMask) ? header.aMask : 0
  const colors = alphaOnly ? [] : luminance ? [header.rMask] : [header.rMask, header.gMask, header.bMask]
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
  const plain = kind === 'rgba'
  const header = HEADER.encode({
    size: HEADER.size - HEADER.at.size,
    flags: 0x1007 | (mips ? 0x20000 : 0) | (plain ? 8 : 0x80000),
    height,
    width,
    pitchOrLinearSize: plain ? width * 4 : levels[0].length,
    depth: 0,
    mipMapCount: mips ? levels.length : 0,
    reserved1: new Uint32Array(11),
    pfSize: HEADER.at.caps - HEADER.at.pfSize,
    pfFlags: plain ? 0x41 : PF_FOURCC,
    fourCC: plain ? 0 : 0x30545844 + (kind << 24),
    rgbBitCount: plain ? 32 : 0,
    rMask: plain ? 0xff0000 : 0,
    gMask: plain ? 0xff00 : 0,
    bMask: plain ? 0xff : 0,
    aMask: plain ? 0xff000000 : 0,
    caps: 0x1000 | (mips ? 0x400008 : 0),
    caps2: 0,
    caps3: 0,
    caps4: 0,
    reserved2: 0,
  })
  return new Uint8Array(Buffer.concat([header, ...levels]))
}

function bgra(rgba: Uint8Array): Uint8Array {
  const out = rgba.slice()
  for (let i = 0; i < out.length; i += 4) {
    out[i] = rgba[i + 2]
    out[i + 2] = rgba[i]
  }
  return out
}
