/**
 * PNG pictures, in as RGBA and out. What comes in can be hostile: sizes are judged before anything is unpacked. The reader is
 * the project's own because those of the libraries do not keep what a texture needs: fast-png (8.0) unpacks any amount and reads
 * interlaced pictures of less than 8 bits wrong; pngjs (7.0) unpacks any amount of interlaced ones, turns the colour of clear
 * pixels to black, and takes pictures that end early. Facts are of the PNG specification (W3C, third edition).
 */
import { promisify } from 'node:util'
import { crc32, inflate } from 'node:zlib'
import { encode } from 'fast-png'
import { FormatError } from '../binary/format-error.ts'
import { Reader } from '../binary/reader.ts'
import { say } from '../../shared/texts/say.ts'

const unpack = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate)

export interface Picture {
  width: number
  height: number
  /** RGBA, rows from the top, straight alpha */
  rgba: Uint8Array
}

/** Larger than any texture of the games, small enough to be unpacked at once (128 MiB at 16 bits). */
const MOST_SIDE = 4096
const MOST_FILE = 2 ** 27

const COLOR = { grey: 0, rgb: 2, indexed: 3, greyAlpha: 4, rgba: 6 } as const
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  [COLOR.grey]: [1, 2, 4, 8, 16],
  [COLOR.rgb]: [8, 16],
  [COLOR.indexed]: [1, 2, 4, 8],
  [COLOR.greyAlpha]: [8, 16],
  [COLOR.rgba]: [8, 16],
}
const CHANNELS: Readonly<Record<number, number>> = {
  [COLOR.grey]: 1,
  [COLOR.rgb]: 3,
  [COLOR.indexed]: 1,
  [COLOR.greyAlpha]: 2,
  [COLOR.rgba]: 4,
}
/** x, y, step x, step y of the passes: one, or the seven of an interlaced picture */
const PLAIN = [[0, 0, 1, 1]] as const
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

interface Head {
  width: number
  height: number
  depth: number
  color: number
  interlaced: boolean
}

/**
 * Any PNG: grey, colour, palette, with alpha or a clear colour, 1 to 16 bits (16 become 8), interlaced or not. Colour profiles
 * and gamma are not looked at, as the games do not: numbers stay what they are.
 * @throws FormatError bad-magic, bad-value, bad-count (too large), truncated
 */
export async function readPng(bytes: Uint8Array, file: string): Promise<Picture> {
  if (bytes.length > MOST_FILE) throw new FormatError('bad-count', say('files.tooLarge', { size: bytes.length, most: MOST_FILE }), { file })
  const r = new Reader(bytes, file)
  const text = (at: number, length: number): string => Buffer.from(bytes.buffer, bytes.byteOffset + at, length).toString('latin1')
  if (bytes.length < 8 || text(0, 8) !== '\x89PNG\r\n\x1a\n') r.fail('bad-magic', say('pictures.noPng'), 'magic', { offset: 0 })
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const packed: Uint8Array[] = []
  let head: Head | undefined
  let palette: Uint8Array = new Uint8Array(0)
  let clear: Uint8Array = new Uint8Array(0)
  let ended = false
  for (let at = 8; !ended && at < bytes.length;) {
    if (bytes.length - at < 12) r.fail('truncated', say('pictures.endsInChunk'), 'chunk', { offset: at })
    const length = view.getUint32(at)
    const type = text(at + 4, 4)
    if (length > bytes.length - at - 12)
      r.fail('truncated', say('pictures.chunkEnds', { chunk: JSON.stringify(type), length }), 'chunk', {
        offset: at,
        expected: say('files.byteCount', { count: length }),
        actual: say('files.byteCount', { count: bytes.length - at - 12 }),
      })
    const body = bytes.subarray(at + 8, at + 8 + length)
    const needed = type === 'IHDR' || type === 'PLTE' || type === 'tRNS' || type === 'IDAT' || type === 'IEND'
    // a capital letter in front: no picture without it
    if (!needed && !(bytes[at + 4] & 0x20))
      r.fail('unsupported', say('pictures.chunkUnknown', { chunk: JSON.stringify(type) }), type, { offset: at })
    if (needed && crc32(bytes.subarray(at + 4, at + 8 + length)) !== view.getUint32(at + 8 + length))
      r.fail('bad-value', say('pictures.chunkDamaged', { chunk: type }), type, { offset: at })
    if (!head) {
      if (type !== 'IHDR' || length !== 13) return r.fail('bad-value', say('pictures.noHeader'), 'IHDR', { offset: at })
      head = {
        width: view.getUint32(at + 8),
        height: view.getUint32(at + 12),
        depth: bytes[at + 16],
        color: bytes[at + 17],
        interlaced: bytes[at + 20] === 1,
      }
      if (head.width === 0 || head.height === 0)
        r.fail('bad-value', say('pictures.noPixel', { width: head.width, height: head.height }), 'IHDR.width', { offset: at + 8 })
      if (head.width > MOST_SIDE || head.height > MOST_SIDE)
        r.fail('bad-count', say('pictures.tooLarge', { width: head.width, height: head.height, most: MOST_SIDE }), 'IHDR.width', {
          offset: at + 8,
        })
      if (!DEPTHS[head.color]?.includes(head.depth))
        r.fail('bad-value', say('pictures.colourType', { type: head.color, bits: head.depth }), 'IHDR.depth', { offset: at + 16 })
      if (bytes[at + 18] !== 0 || bytes[at + 19] !== 0 || bytes[at + 20] > 1)
        r.fail('unsupported', say('pictures.packing'), 'IHDR.compression', { offset: at + 18 })
    } else if (type === 'PLTE') palette = body
    else if (type === 'tRNS') clear = body
    else if (type === 'IDAT') packed.push(body)
    ended = type === 'IEND'
    at += 12 + length
  }
  if (!head || !ended) return r.fail('truncated', say('pictures.noEnd'), 'IEND', { offset: bytes.length })
  if (head.color === COLOR.indexed && palette.length < 3) r.fail('bad-value', say('pictures.noPalette'), 'PLTE', { offset: 33 })
  const size = passesOf(head).reduce((sum, pass) => sum + pass.height * (1 + pass.rowBytes), 0)
  let rows: Uint8Array
  try {
    rows = await unpack(Buffer.concat(packed), { maxOutputLength: size })
  } catch (error) {
    return r.fail(
      'bad-value',
      (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
        ? say('pictures.morePixels', { width: head.width, height: head.height })
        : say('pictures.notUnpacked', { why: (error as Error).message }),
      'IDAT',
      { offset: 33 },
    )
  }
  if (rows.length < size)
    r.fail('truncated', say('pictures.pixelsEnd', { got: rows.length, wanted: size }), 'IDAT', {
      offset: 33,
      expected: say('files.byteCount', { count: size }),
      actual: say('files.byteCount', { count: rows.length }),
    })
  const rgba = new Uint8Array(4 * head.width * head.height)
  const paint = painter(head, palette, clear)
  const step = Math.max(1, (head.depth * CHANNELS[head.color]) >> 3)
  let at = 0
  for (const pass of passesOf(head)) {
    let above: Uint8Array = new Uint8Array(pass.rowBytes)
    for (let y = 0; y < pass.height; y++) {
      const filter = rows[at]
      const row = rows.subarray(at + 1, at + 1 + pass.rowBytes)
      if (filter > 4) r.fail('bad-value', say('pictures.filter', { row: y, filter }), 'IDAT', { offset: 33 })
      unfilter(filter, row, above, step)
      const first = (pass.y + y * pass.stepY) * head.width + pass.x
      paint(row, pass.width, rgba, 4 * first, 4 * pass.stepX)
      above = row
      at += 1 + pass.rowBytes
    }
  }
  return { width: head.width, height: head.height, rgba }
}

interface Pass {
  x: number
  y: number
  stepX: number
  stepY: number
  width: number
  height: number
  rowBytes: number
}

function passesOf({ width, height, depth, color, interlaced }: Head): Pass[] {
  return (interlaced ? ADAM7 : PLAIN).flatMap(([x, y, stepX, stepY]) => {
    const w = Math.ceil((width - x) / stepX)
    const h = Math.ceil((height - y) / stepY)
    return w > 0 && h > 0 ? [{ x, y, stepX, stepY, width: w, height: h, rowBytes: Math.ceil((w * depth * CHANNELS[color]) / 8) }] : []
  })
}

/** Takes the filter off a row in its place. `step`: bytes from a pixel to the next, at least 1. */
function unfilter(filter: number, row: Uint8Array, above: Uint8Array, step: number): void {
  const n = row.length
  if (filter === 1) for (let i = step; i < n; i++) row[i] += row[i - step]
  else if (filter === 2) for (let i = 0; i < n; i++) row[i] += above[i]
  else if (filter === 3) for (let i = 0; i < n; i++) row[i] += ((i < step ? 0 : row[i - step]) + above[i]) >> 1
  else if (filter === 4) {
    for (let i = 0; i < n; i++) {
      const left = i < step ? 0 : row[i - step]
      const corner = i < step ? 0 : above[i - step]
      const up = above[i]
      const toLeft = Math.abs(up - corner)
      const toUp = Math.abs(left - corner)
      const toCorner = Math.abs(left + up - 2 * corner)
      row[i] += toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner
    }
  }
}

/** Turns the `count` pixels of a row into RGBA from byte `to` on, `step` bytes apart. */
function painter(
  { depth, color }: Head,
  palette: Uint8Array,
  clear: Uint8Array,
): (row: Uint8Array, count: number, rgba: Uint8Array, to: number, step: number) => void {
  const most = 2 ** depth - 1
  const wide = depth === 16
  const sample = (row: Uint8Array, i: number): number =>
    depth === 8 ? row[i] : wide ? (row[2 * i] << 8) | row[2 * i + 1] : (row[(i * depth) >> 3] >> (8 - depth - ((i * depth) & 7))) & most
  const eight = (value: number): number => (depth === 8 ? value : Math.round((value * 255) / most))
  if (color === COLOR.indexed) {
    return (row, count, rgba, to, step) => {
      for (let i = 0, o = to; i < count; i++, o += step) {
        const entry = sample(row, i)
        // entries that are not there are black, as in other readers
        for (let c = 0; c < 3; c++) rgba[o + c] = palette[3 * entry + c] ?? 0
        rgba[o + 3] = clear[entry] ?? 255
      }
    }
  }
  const channels = CHANNELS[color]
  const grey = channels < 3
  const alpha = channels === 2 || channels === 4
  // the clear colour of pictures without alpha, two bytes for each channel
  const key =
    !alpha && clear.length >= 2 * channels
      ? Array.from({ length: channels }, (_, c) => ((clear[2 * c] << 8) | clear[2 * c + 1]) & most)
      : undefined
  return (row, count, rgba, to, step) => {
    for (let i = 0, s = 0, o = to; i < count; i++, s += channels, o += step) {
      for (let c = 0; c < 3; c++) rgba[o + c] = eight(sample(row, grey ? s : s + c))
      rgba[o + 3] = alpha ? eight(sample(row, s + channels - 1)) : key?.every((value, c) => sample(row, s + c) === value) ? 0 : 255
    }
  }
}

/** A PNG of 8 bits with alpha. */
export function writePng({ width, height, rgba }: Picture): Uint8Array {
  return encode({ width, height, data: rgba, channels: 4, depth: 8 })
}
