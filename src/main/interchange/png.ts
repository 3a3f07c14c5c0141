/** PNG pictures, in as RGBA and out. What comes in can be hostile: sizes are judged before anything is unpacked. */
import { inflateSync } from 'node:zlib'
import { decode, encode } from 'fast-png'
import { FormatError } from '../binary/format-error.ts'
import { Reader } from '../binary/reader.ts'

export interface Picture {
  width: number
  height: number
  /** RGBA, rows from the top, straight alpha */
  rgba: Uint8Array
}

/** Larger than any texture of the games, small enough to be unpacked at once. */
export const MOST_SIDE = 4096
const MOST_FILE = 2 ** 27

const COLOR = { grey: 0, rgb: 2, indexed: 3, greyAlpha: 4, rgba: 6 } as const
const DEPTHS: Readonly<Record<number, readonly number[]>> = { [COLOR.grey]: [1, 2, 4, 8, 16], [COLOR.rgb]: [8, 16], [COLOR.indexed]: [1, 2, 4, 8], [COLOR.greyAlpha]: [8, 16], [COLOR.rgba]: [8, 16] }
const CHANNELS: Readonly<Record<number, number>> = { [COLOR.grey]: 1, [COLOR.rgb]: 3, [COLOR.indexed]: 1, [COLOR.greyAlpha]: 2, [COLOR.rgba]: 4 }
/** x, y, step x, step y of the seven passes of an interlaced picture */
const ADAM7 = [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]] as const

/**
 * Any PNG: grey, colour, palette, with alpha or a clear colour, 1 to 16 bits (16 become 8), interlaced or not. Colour profiles and gamma
 * are not looked at, as the games do not: numbers stay what they are.
 * @throws FormatError bad-magic, bad-value, bad-count (too large), truncated, unsupported
 */
export function readPng(bytes: Uint8Array, file: string): Picture {
  if (bytes.length > MOST_FILE) throw new FormatError('bad-count', `the file has ${bytes.length} bytes, at most ${MOST_FILE} are read`, { file })
  const r = new Reader(bytes, file)
  if (bytes.length < 8 || Buffer.from(bytes.buffer, bytes.byteOffset, 8).toString('latin1') !== '\x89PNG\r\n\x1a\n') r.fail('bad-magic', 'not a PNG file', 'magic', { offset: 0 })
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // only what pixels need goes on: other chunks may hold packed data of any size
  const kept: Uint8Array[] = [bytes.subarray(0, 8)]
  const data: Uint8Array[] = []
  let head: { width: number; height: number; depth: number; color: number; interlaced: boolean } | undefined
  let ended = false
  for (let at = 8; !ended && at < bytes.length; ) {
    if (bytes.length - at < 12) r.fail('truncated', 'the file ends within a chunk', 'chunk', { offset: at })
    const length = view.getUint32(at)
    const type = Buffer.from(bytes.buffer, bytes.byteOffset + at + 4, 4).toString('latin1')
    if (length > bytes.length - at - 12) r.fail('truncated', `chunk ${JSON.stringify(type)} of ${length} bytes ends after the file`, 'chunk', { offset: at, expected: `${length} bytes`, actual: `${bytes.length - at - 12} bytes` })
    if (!head) {
      if (type !== 'IHDR' || length !== 13) r.fail('bad-value', 'the first chunk is no IHDR', 'IHDR', { offset: at })
      head = { width: view.getUint32(at + 8), height: view.getUint32(at + 12), depth: bytes[at + 16], color: bytes[at + 17], interlaced: bytes[at + 20] === 1 }
      if (head.width === 0 || head.height === 0) r.fail('bad-value', `a picture of ${head.width} x ${head.height} has no pixel`, 'IHDR.width', { offset: at + 8 })
      if (head.width > MOST_SIDE || head.height > MOST_SIDE) r.fail('bad-count', `the picture is ${head.width} x ${head.height}, at most ${MOST_SIDE} x ${MOST_SIDE} are read`, 'IHDR.width', { offset: at + 8 })
      if (!DEPTHS[head.color]?.includes(head.depth)) r.fail('bad-value', `colour type ${head.color} with ${head.depth} bits is no PNG`, 'IHDR.depth', { offset: at + 16 })
    }
    if (type === 'IDAT') data.push(bytes.subarray(at + 8, at + 8 + length))
    if (type === 'IHDR' || type === 'PLTE' || type === 'tRNS' || type === 'IDAT' || type === 'IEND') kept.push(bytes.subarray(at, at + 12 + length))
    ended = type === 'IEND'
    at += 12 + length
  }
  if (!head || !ended) return r.fail('truncated', 'the file ends before its last chunk', 'IEND', { offset: bytes.length })
  const { width, height, depth, color, interlaced } = head
  if (interlaced && depth < 8) r.fail('unsupported', `interlaced pictures of ${depth} bits are not read: save it without interlacing`, 'IHDR.interlace', { offset: 28 })
  const size = rawSize(width, height, depth * CHANNELS[color], interlaced)
  let unpacked = 0
  try {
    unpacked = inflateSync(Buffer.concat(data), { maxOutputLength: size }).length
  } catch (error) {
    r.fail('bad-value', (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? `the packed pixels are more than ${width} x ${height}` : `the pixels cannot be unpacked: ${(error as Error).message}`, 'IDAT', { offset: 33 })
  }
  if (unpacked < size) r.fail('truncated', `the pixels end early: ${unpacked} of ${size} bytes`, 'IDAT', { offset: 33, expected: `${size} bytes`, actual: `${unpacked} bytes` })
  let png: ReturnType<typeof decode>
  try {
    png = decode(Buffer.concat(kept), { checkCrc: true })
  } catch (error) {
    return r.fail('bad-value', (error as Error).message, 'png', { offset: 8 })
  }
  return { width, height, rgba: expand(png, color, depth) }
}

/** Bytes of all rows, each with its filter in front. */
function rawSize(width: number, height: number, bits: number, interlaced: boolean): number {
  const rows = (w: number, h: number): number => (w > 0 && h > 0 ? h * (1 + Math.ceil((w * bits) / 8)) : 0)
  if (!interlaced) return rows(width, height)
  return ADAM7.reduce((sum, [x, y, dx, dy]) => sum + rows(Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)), 0)
}

function expand({ width, height, data, palette, transparency }: ReturnType<typeof decode>, color: number, depth: number): Uint8Array {
  const n = width * height
  const out = new Uint8Array(4 * n)
  const channels = CHANNELS[color]
  const perRow = Math.ceil((width * channels * depth) / 8)
  const most = 2 ** depth - 1
  // the clear colour of grey and RGB pictures, in the picture's own depth
  const clear = transparency && transparency.length >= channels && (color === COLOR.grey || color === COLOR.rgb) ? transparency : undefined
  const pixel = new Uint16Array(4)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (depth < 8) pixel[0] = (data[y * perRow + ((x * depth) >> 3)] >> (8 - depth - ((x * depth) & 7))) & most
      else for (let c = 0; c < channels; c++) pixel[c] = data[i * channels + c]
      const o = 4 * i
      if (color === COLOR.indexed) {
        const entry = palette?.[pixel[0]]
        for (let c = 0; c < 3; c++) out[o + c] = entry?.[c] ?? 0
        out[o + 3] = entry?.[3] ?? 255
        continue
      }
      const grey = channels < 3
      for (let c = 0; c < 3; c++) {
        const value = pixel[grey ? 0 : c]
        out[o + c] = depth === 8 ? value : Math.round((value * 255) / most)
      }
      const alpha = channels === 2 || channels === 4 ? pixel[channels - 1] : clear && same(pixel, clear, channels) ? 0 : most
      out[o + 3] = depth === 8 ? alpha : Math.round((alpha * 255) / most)
    }
  }
  return out
}

function same(pixel: Uint16Array, clear: Uint16Array, channels: number): boolean {
  for (let c = 0; c < channels; c++) if (pixel[c] !== clear[c]) return false
  return true
}

/** A PNG of 8 bits with alpha. */
export function writePng({ width, height, rgba }: Picture): Uint8Array {
  return encode({ width, height, data: rgba, channels: 4, depth: 8 })
}
