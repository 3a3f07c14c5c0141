/**
 * Truevision TGA: a header of 18 bytes, an id, a colour map, pixels (plain or run-length coded), and whatever follows
 * (developer and extension areas, the TRUEVISION footer). Facts: the TGA 2.0 specification.
 */
import { FormatError } from '../../binary/format-error.ts'
import { chars, record, u16, u32, u8, type ValueOf } from '../../binary/layout.ts'
import { structural } from '../../binary/field-use.ts'
import { Reader, nameOf, type SourceRange } from '../../binary/reader.ts'
import { Diagnostics, type Document, type FileFormat } from '../format.ts'
import { field, node, paletteUse, pixelsUse } from '../../binary/structure.ts'
import { COMMON_FAMILY } from '../../../shared/api/types/family.ts'
import { reindex } from './palette.ts'
import { hasTransparency, samePixels } from './pixels.ts'
import { say } from '../../../shared/texts/say.ts'
import type { FieldUse } from '../../../shared/api/types/structure.ts'
import type { Writer } from '../../binary/writer.ts'
import type { DecodedImage } from './image.ts'

const HEADER = record({
  idLength: structural(u8),
  colorMapType: structural(u8),
  /** 1 mapped, 2 true colour, 3 grey; 9, 10, 11 the same run-length coded */
  imageType: structural(u8),
  colorMapStart: structural(u16),
  colorMapLength: structural(u16),
  colorMapBits: structural(u8),
  xOrigin: u16,
  yOrigin: u16,
  width: structural(u16),
  height: structural(u16),
  bits: structural(u8),
  /** bits 0-3 alpha bits, 0x10 right to left, 0x20 top to bottom */
  descriptor: u8,
})

export interface TgaDocument extends Document, ValueOf<typeof HEADER> {
  readonly format: 'common.tga'
  id: Uint8Array
  colorMap: Uint8Array
  /** pixels as stored; plain pictures end where their size says, coded ones where their packets do */
  pixels: Uint8Array
  /** after the pixels: areas and footer */
  trailing: Uint8Array
  range: SourceRange
}

export const tga: FileFormat<TgaDocument> = {
  id: 'common.tga',
  get label() {
    return say('images.tga.label')
  },
  family: COMMON_FAMILY,
  kind: 'texture',
  extensions: ['tga'],
  identify(head, name, size) {
    if (head.length < HEADER.size) return 0
    const { idLength, colorMapType, imageType: type, width, height, bits, descriptor } = HEADER.read(new Reader(head, ''))
    if (colorMapType > 1 || ![1, 2, 3, 9, 10, 11].includes(type)) return 0
    if (width === 0 || height === 0 || ![8, 15, 16, 24, 32].includes(bits) || descriptor & 0xc0) return 0
    if (colorMapType === 0 && (type === 1 || type === 9)) return 0
    const plain = HEADER.size + idLength + width * height * (bits >> 3)
    if (type < 8 && size < plain) return /\.tga$/i.test(name) ? 0.6 : 0
    return /\.tga$/i.test(name) ? 0.95 : 0
  },
  decode(bytes, ref) {
    const reader = new Reader(bytes, ref)
    const head = HEADER.read(reader)
    const { imageType, width, height } = head
    const id = reader.take(head.idLength, 'id')
    const colorMap = reader.take(head.colorMapType === 1 ? head.colorMapLength * Math.ceil(head.colorMapBits / 8) : 0, 'colorMap')
    const size = Math.ceil(head.bits / 8)
    const diagnostics = new Diagnostics(ref)
    let pixels: Uint8Array = new Uint8Array(0)
    if ([1, 2, 3].includes(imageType)) pixels = reader.take(width * height * size, 'pixels')
    else if ([9, 10, 11].includes(imageType)) pixels = reader.take(codedLength(reader, width * height, size), 'pixels')
    else
      reader.fail('unsupported', say('images.tga.unknownType', { type: imageType }), 'imageType', {
        offset: HEADER.at.imageType,
        expected: '1, 2, 3, 9, 10 or 11',
        actual: String(imageType),
      })
    const trailing = reader.rest()
    return {
      format: 'common.tga',
      ref,
      diagnostics: diagnostics.list,
      ...head,
      id,
      colorMap,
      pixels,
      trailing,
      range: { start: 0, end: bytes.length },
    }
  },
  encode(document, out: Writer) {
    HEADER.write(out, { ...document, idLength: document.id.length })
    out.raw(document.id)
    out.raw(document.colorMap)
    out.raw(document.pixels)
    out.opaque(document.trailing)
  },
  describe(document) {
    let at = HEADER.size
    const bulk = (name: string, data: Uint8Array, use?: FieldUse): ReturnType<typeof field> => {
      const out = field(name, `u8 x ${data.length}`, at, data.length, data, { ...(use && { use }) })
      at += data.length
      return out
    }
    return node(
      'tga',
      say('images.tga.label'),
      document.range,
      [
        ...HEADER.describe(document, 0),
        bulk('id', document.id),
        bulk('colorMap', document.colorMap, paletteUse(document.colorMapLength)),
        bulk('pixels', document.pixels, pixelsUse(document.width, document.height, say('formats.pixels.bits', { bits: document.bits }))),
        bulk('trailing', document.trailing),
      ],
      [],
      { summary: say('images.tga.summary', { width: document.width, height: document.height, bits: document.bits }) },
    )
  },
  summarize: (document) => ({
    textures: [{ name: '', width: document.width, height: document.height, format: say('formats.pixels.bits', { bits: document.bits }) }],
    note: say('images.tga.summary', { width: document.width, height: document.height, bits: document.bits }),
  }),
}

/** Bytes of the run-length packets of `count` pixels. */
function codedLength(reader: Reader, count: number, size: number): number {
  let at = reader.position
  let left = count
  while (left > 0) {
    if (at >= reader.end)
      reader.fail('truncated', say('images.tga.packetsEnd', { count: left }), 'pixels', {
        offset: at,
        expected: say('images.tga.pixels', { count: count }),
        actual: say('images.tga.pixels', { count: count - left }),
      })
    const packet = reader.bytes[at]
    const n = (packet & 127) + 1
    at += 1 + (packet & 128 ? size : n * size)
    left -= n
  }
  return at - reader.position
}

/** The picture as RGBA. Throws FormatError for sizes and depths that are not read. */
export function tgaPixels(document: TgaDocument): DecodedImage {
  const { width, height, bits, imageType, colorMap, colorMapBits, colorMapStart, ref } = document
  const mapped = isMapped(document)
  const grey = isGrey(document)
  const unsupported = (message: string, offset: number): never => {
    throw new FormatError('unsupported', message, { file: ref, offset, path: 'bits' })
  }
  if (width === 0 || height === 0)
    throw new FormatError('bad-count', say('images.notShown', { width, height }), { file: ref, offset: 12, path: 'width' })
  if (mapped ? bits !== 8 && bits !== 16 : grey ? bits !== 8 && bits !== 16 : ![15, 16, 24, 32].includes(bits))
    unsupported(say('images.tga.bitsNotRead', { bits, type: imageType }), 16)
  if (mapped && ![15, 16, 24, 32].includes(colorMapBits)) unsupported(say('images.tga.colourMapNotRead', { bits: colorMapBits }), 7)
  const size = Math.ceil(bits / 8)
  const mapSize = Math.ceil(colorMapBits / 8)
  const alphaBits = document.descriptor & 15
  const rgba = new Uint8Array(width * height * 4)
  const pixels = plainPixels(document)
  const place = placeOf(document)
  const put = (i: number, p: number): void => {
    const o = 4 * place(i % width, (i / width) | 0)
    if (mapped) {
      const entry = (size === 1 ? pixels[p] : pixels[p] | (pixels[p + 1] << 8)) - colorMapStart
      if (entry >= 0 && (entry + 1) * mapSize <= colorMap.length) readColor(colorMap, entry * mapSize, colorMapBits, alphaBits, rgba, o)
      else rgba[o + 3] = 255
    } else if (grey) {
      rgba[o] = rgba[o + 1] = rgba[o + 2] = pixels[p]
      rgba[o + 3] = size === 2 ? pixels[p + 1] : 255
    } else readColor(pixels, p, bits, alphaBits, rgba, o)
  }
  for (let i = 0; i < width * height; i++) put(i, i * size)
  return { width, height, rgba, hasAlpha: hasTransparency(rgba) }
}

/** Pixels as stored, one behind the other: run-length packets unpacked. */
function plainPixels({ imageType, pixels, width, height, bits }: TgaDocument): Uint8Array {
  if (imageType <= 8) return pixels
  const size = Math.ceil(bits / 8)
  const out = new Uint8Array(width * height * size)
  for (let at = 0, p = 0; at < out.length;) {
    const packet = pixels[p++]
    const length = Math.min(((packet & 127) + 1) * size, out.length - at)
    if (packet & 128) for (let k = 0; k < length; k++) out[at + k] = pixels[p + (k % size)]
    else out.set(pixels.subarray(p, p + length), at)
    at += length
    p += packet & 128 ? size : ((packet & 127) + 1) * size
  }
  return out
}

/** Which pixel, in rows from the top, a stored one is. */
function placeOf({ descriptor, width, height }: TgaDocument): (x: number, y: number) => number {
  const flipX = (descriptor & 0x10) !== 0
  const topDown = (descriptor & 0x20) !== 0
  return (x, y) => (topDown ? y : height - 1 - y) * width + (flipX ? width - 1 - x : x)
}

/** How alpha is stored, in bits. */
export function tgaAlphaBits(document: TgaDocument): number {
  const depth = isMapped(document) ? document.colorMapBits : document.bits
  if (isGrey(document)) return depth === 16 ? 8 : 0
  return depth === 32 ? 8 : depth === 16 && (document.descriptor & 15) === 1 ? 1 : 0
}

const isMapped = ({ imageType }: TgaDocument): boolean => imageType === 1 || imageType === 9
const isGrey = ({ imageType }: TgaDocument): boolean => imageType === 3 || imageType === 11

/** Why no picture can be put in, '' when one can. */
export function tgaReplaceProblem(document: TgaDocument): string {
  if (isMapped(document) && document.bits === 16) return say('images.tga.indicesNotWritten')
  try {
    tgaPixels(document)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

/** Why a picture of this size cannot be stored, '' when it can. */
function tgaSizeProblem(width: number, height: number): string {
  return width >= 1 && height >= 1 && width <= MOST_EXTENT && height <= MOST_EXTENT
    ? ''
    : say('images.sizeOutside', { width, height, most: MOST_EXTENT })
}

const MOST_EXTENT = 4096

/**
 * New pixels in the file's own depth, order of rows and coding; id, areas and footer stay. What shows the same as before keeps its
 * entry of a colour map (`reindex`). Throws `invalid-edit`.
 */
export function setTgaPixels(document: TgaDocument, width: number, height: number, rgba: Uint8Array): void {
  const problem = tgaReplaceProblem(document) || tgaSizeProblem(width, height)
  if (problem || rgba.length !== 4 * width * height)
    throw new FormatError('invalid-edit', say('images.notReplaced', { why: problem || say('images.otherSize') }), {
      file: document.ref,
    })
  const shown = width === document.width && height === document.height ? tgaPixels(document).rgba : undefined
  if (shown && samePixels(shown, rgba)) return
  const { descriptor, imageType, colorMapStart } = document
  const size = Math.ceil(document.bits / 8)
  const indices = isMapped(document) ? mapColors(document, rgba, shown) : undefined
  const before = document.pixels.length
  const old = shown && imageType > 8 ? { plain: plainPixels(document), packets: document.pixels } : undefined
  document.width = width
  document.height = height
  const place = placeOf(document)
  const plain = new Uint8Array(width * height * size)
  for (let y = 0, p = 0; y < height; y++) {
    for (let x = 0; x < width; x++, p += size) {
      const i = place(x, y)
      if (indices) plain[p] = indices[i] + colorMapStart
      else if (isGrey(document)) {
        plain[p] = Math.round(0.299 * rgba[4 * i] + 0.587 * rgba[4 * i + 1] + 0.114 * rgba[4 * i + 2])
        if (size === 2) plain[p + 1] = rgba[4 * i + 3]
      } else writeColor(rgba, 4 * i, document.bits, descriptor & 15, plain, p)
    }
  }
  document.pixels = imageType > 8 ? packedRows(plain, width, size, old) : plain
  movedAreas(document, document.pixels.length - before)
}

/** Entries of the colour map for a picture, counted from the map's first; the map gets what it lacks. @param shown the picture of before in the same size */
function mapColors(document: TgaDocument, rgba: Uint8Array, shown: Uint8Array | undefined): Uint8Array {
  const { colorMap, colorMapBits, colorMapStart, width } = document
  const alphaBits = document.descriptor & 15
  const mapSize = Math.ceil(colorMapBits / 8)
  // indices count from the map's first colour, and a pixel has 8 bits of them
  const entries = Math.max(0, Math.min(Math.floor(colorMap.length / mapSize), 256 - colorMapStart))
  const old = new Uint8Array(4 * entries)
  for (let i = 0; i < entries; i++) readColor(colorMap, i * mapSize, colorMapBits, alphaBits, old, 4 * i)
  // colours as an entry can hold them
  const held = new Uint8Array(rgba.length)
  const entry = new Uint8Array(4)
  for (let i = 0; i < rgba.length; i += 4) {
    writeColor(rgba, i, colorMapBits, alphaBits, entry, 0)
    readColor(entry, 0, colorMapBits, alphaBits, held, i)
  }
  let before: { rgba: Uint8Array; indices: Uint8Array } | undefined
  if (shown) {
    const plain = plainPixels(document)
    const place = placeOf(document)
    before = { rgba: shown, indices: new Uint8Array(plain.length) }
    for (let i = 0; i < plain.length; i++) before.indices[place(i % width, (i / width) | 0)] = plain[i] - colorMapStart
  }
  const { palette, indices } = reindex(held, old, before)
  if (palette !== old) {
    document.colorMap = colorMap.slice()
    for (let i = 0; i < entries; i++)
      if (palette.subarray(4 * i, 4 * i + 4).some((v, c) => v !== old[4 * i + c]))
        writeColor(palette, 4 * i, colorMapBits, alphaBits, document.colorMap, i * mapSize)
  }
  return indices
}

/** One colour of 15 to 32 bits, B, G, R first, as RGBA. */
function readColor(data: Uint8Array, p: number, depth: number, alphaBits: number, out: Uint8Array, o: number): void {
  if (depth <= 16) {
    const word = data[p] | (data[p + 1] << 8)
    out[o] = (((word >> 10) & 31) * 255 + 15) / 31
    out[o + 1] = (((word >> 5) & 31) * 255 + 15) / 31
    out[o + 2] = ((word & 31) * 255 + 15) / 31
    out[o + 3] = depth === 16 && alphaBits === 1 ? (word & 0x8000 ? 255 : 0) : 255
  } else {
    out[o] = data[p + 2]
    out[o + 1] = data[p + 1]
    out[o + 2] = data[p]
    out[o + 3] = depth === 32 ? data[p + 3] : 255
  }
}

function writeColor(rgba: Uint8Array, i: number, depth: number, alphaBits: number, out: Uint8Array, p: number): void {
  if (depth <= 16) {
    const five = (value: number): number => Math.round((value * 31) / 255)
    const word =
      (five(rgba[i]) << 10) |
      (five(rgba[i + 1]) << 5) |
      five(rgba[i + 2]) |
      (depth === 16 && alphaBits === 1 && rgba[i + 3] >= 128 ? 0x8000 : 0)
    out[p] = word
    out[p + 1] = word >> 8
  } else {
    out[p] = rgba[i + 2]
    out[p + 1] = rgba[i + 1]
    out[p + 2] = rgba[i]
    if (depth === 32) out[p + 3] = rgba[i + 3]
  }
}

/** Run-length packets. Rows that stay keep theirs, but where one runs into a row that changes. @param old of a picture of the same size */
function packedRows(plain: Uint8Array, width: number, size: number, old?: { plain: Uint8Array; packets: Uint8Array }): Uint8Array {
  if (!old) return runLengths(plain, width, size)
  const stride = width * size
  const rows = plain.length / stride
  // where the packets of each row begin, -1 in the middle of a packet
  const starts = new Int32Array(rows + 1).fill(-1)
  for (let pixel = 0, p = 0; ;) {
    if (pixel % width === 0 && pixel / width <= rows) starts[pixel / width] = p
    if (pixel >= rows * width) break
    const length = (old.packets[p] & 127) + 1
    p += 1 + (old.packets[p] & 128 ? size : length * size)
    pixel += length
  }
  const parts: Uint8Array[] = []
  for (let y = 0; y < rows;) {
    let end = y + 1
    while (end < rows && starts[end] < 0) end++
    const part = plain.subarray(y * stride, end * stride)
    const stays = starts[end] >= 0 && samePixels(part, old.plain.subarray(y * stride, end * stride))
    parts.push(stays ? old.packets.subarray(starts[y], starts[end]) : runLengths(part, width, size))
    y = end
  }
  return Uint8Array.from(Buffer.concat(parts))
}

/** Packets of 1 to 128 pixels that do not cross rows, as TGA 2.0 wants them. */
function runLengths(plain: Uint8Array, width: number, size: number): Uint8Array {
  const out = new Uint8Array(plain.length + Math.ceil(plain.length / size))
  const pixels = plain.length / size
  const equal = (a: number, b: number): boolean => {
    for (let k = 0; k < size; k++) if (plain[a * size + k] !== plain[b * size + k]) return false
    return true
  }
  let at = 0
  for (let i = 0; i < pixels;) {
    const end = Math.min(i + 128, i - (i % width) + width)
    let run = 1
    while (i + run < end && equal(i, i + run)) run++
    if (run > 1) {
      out[at++] = 127 + run
      out.set(plain.subarray(i * size, (i + 1) * size), at)
      at += size
      i += run
      continue
    }
    let raw = 1
    while (i + raw < end && !(i + raw + 1 < end && equal(i + raw, i + raw + 1))) raw++
    out[at++] = raw - 1
    out.set(plain.subarray(i * size, (i + raw) * size), at)
    at += raw * size
    i += raw
  }
  return out.slice(0, at)
}

const FOOTER = record({ extensionAt: u32, developerAt: u32, signature: chars(18) })
const SIGNATURE = 'TRUEVISION-XFILE.'

/** The footer says where the areas begin: they follow the pixels. */
function movedAreas(document: TgaDocument, by: number): void {
  const { trailing } = document
  const at = trailing.length - FOOTER.size
  if (by === 0 || at < 0) return
  const footer = FOOTER.read(new Reader(trailing, '', { start: at }))
  if (nameOf(footer.signature) !== SIGNATURE || footer.signature[SIGNATURE.length] !== 0) return
  const moved = (offset: number): number => offset && offset + by
  document.trailing = trailing.slice()
  document.trailing.set(FOOTER.encode({ ...footer, extensionAt: moved(footer.extensionAt), developerAt: moved(footer.developerAt) }), at)
}

/** Decodes a whole file to its picture. */
export function decodeTga(bytes: Uint8Array, ref: string): DecodedImage {
  return tgaPixels(tga.decode(bytes, ref))
}

/** A new plain TGA of 32 bits, rows from the bottom as the games' own files have them. */
export function newTga(width: number, height: number, rgba: Uint8Array): Uint8Array {
  const out = new Uint8Array(18 + width * height * 4)
  out[2] = 2
  out[12] = width & 255
  out[13] = width >> 8
  out[14] = height & 255
  out[15] = height >> 8
  out[16] = 32
  out[17] = 8
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = (y * width + x) * 4,
        to = 18 + ((height - 1 - y) * width + x) * 4
      out[to] = rgba[from + 2]
      out[to + 1] = rgba[from + 1]
      out[to + 2] = rgba[from]
      out[to + 3] = rgba[from + 3]
    }
  }
  return out
}
