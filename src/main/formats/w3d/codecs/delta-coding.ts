/**
 * Adaptive delta coding: each frame adds a small whole number times a step to the frame before. Blocks of 16 frames per component hold the
 * number of the step in a table and 16 deltas, of 4 bits (low nibble first, -8..7) or 8 bits (byte XOR 0x80, -128..127, steps a sixteenth as
 * large). Frame 0 is stored whole; delta k of block b leads to frame 16 b + k + 1. [4 bit: engine, 4 and 8 bit: V on 130 channels]
 */

/** 10^-8 .. 10^7, then 240 steps of 1 - sin from 1 downwards. */
export const STEP_TABLE: Float32Array = makeTable()

function makeTable(): Float32Array {
  const table = new Float32Array(256)
  for (let i = 0; i < 16; i++) table[i] = 10 ** (i - 8)
  for (let i = 0; i < 240; i++) table[16 + i] = 1 - Math.sin(((90 * i) / 240) * (Math.PI / 180))
  return table
}

export type DeltaBits = 4 | 8

export interface DeltaStream {
  bits: DeltaBits
  /** numbers per frame */
  width: number
  scale: number
  /** values of frame 0 */
  init: Float32Array
  /** for each block, for each component: 1 byte for the step, then 8 or 16 bytes of deltas */
  blocks: Uint8Array
}

/** Bytes of one component of one block. */
export function blockSize(bits: DeltaBits): number {
  return 1 + 2 * bits
}

/** Blocks that this many frames need. A file may have one less when the last would hold no delta that is used. */
export function blocksFor(frames: number): number {
  return Math.ceil(frames / 16)
}

export function stepOf(stream: Pick<DeltaStream, 'bits' | 'scale'>, filter: number): number {
  const step = STEP_TABLE[filter] * stream.scale
  return Math.fround(stream.bits === 8 ? step / 16 : step)
}

export function deltaAt(stream: Pick<DeltaStream, 'bits' | 'blocks'>, block: number, k: number): number {
  if (stream.bits === 8) return ((stream.blocks[block + 1 + k] ^ 0x80) << 24) >> 24
  const byte = stream.blocks[block + 1 + (k >> 1)]
  return ((k & 1 ? byte : byte << 4) << 24) >> 28
}

export function setDelta(stream: Pick<DeltaStream, 'bits' | 'blocks'>, block: number, k: number, delta: number): void {
  if (stream.bits === 8) {
    stream.blocks[block + 1 + k] = (delta & 0xff) ^ 0x80
    return
  }
  const at = block + 1 + (k >> 1)
  const byte = stream.blocks[at]
  stream.blocks[at] = k & 1 ? (byte & 0x0f) | ((delta & 15) << 4) : (byte & 0xf0) | (delta & 15)
}

/** Frames that the stream really has data for, of the `count` that its header claims: an allocation must not trust the header. */
export function deltaFrames(stream: DeltaStream, count: number): number {
  const size = blockSize(stream.bits) * stream.width
  return Math.min(count, size ? 16 * Math.floor(stream.blocks.length / size) + 1 : 0)
}

/** Values of `frames` frames, `width` each. Frames behind the last block keep its last value. */
export function decodeDeltas(stream: DeltaStream, frames: number): Float32Array {
  const { width, init } = stream
  const out = new Float32Array(frames * width)
  if (frames === 0 || width === 0) return out
  const size = blockSize(stream.bits)
  const blocks = Math.floor(stream.blocks.length / (size * width))
  for (let c = 0; c < width; c++) {
    let value = init[c]
    out[c] = value
    for (let f = 1; f < frames; f++) {
      const b = (f - 1) >> 4
      if (b < blocks) {
        const block = (b * width + c) * size
        value = Math.fround(value + Math.fround(deltaAt(stream, block, (f - 1) & 15) * stepOf(stream, stream.blocks[block])))
      }
      out[f * width + c] = value
    }
  }
  return out
}

/** Codes the whole stream anew. @returns the stream and the largest difference of a decoded number from what was wanted */
export function encodeDeltas(values: Float32Array, frames: number, width: number, bits: DeltaBits): { stream: DeltaStream; error: number } {
  const stream: DeltaStream = {
    bits,
    width,
    scale: scaleFor(values, frames, width, bits),
    init: values.slice(0, width),
    blocks: new Uint8Array(blocksFor(frames) * width * blockSize(bits)),
  }
  if (bits === 8) stream.blocks.fill(0x80) // deltas of 0
  for (let c = 0; c < width; c++) {
    let value = stream.init[c]
    for (let b = 0; b * 16 + 1 < frames; b++) value = codeBlock(stream, values, frames, b, c, value)
  }
  return { stream, error: errorOf(stream, values, frames) }
}

export function errorOf(stream: DeltaStream, wanted: Float32Array, frames: number): number {
  const got = decodeDeltas(stream, frames)
  let error = 0
  for (let i = 0; i < got.length; i++) error = Math.max(error, Math.abs(got[i] - wanted[i]))
  return error
}

/** A scale whose step 16 (factor 1) reaches the largest change from frame to frame, and half a step more to catch up an error with. */
export function scaleFor(values: Float32Array, frames: number, width: number, bits: DeltaBits): number {
  let most = 0
  for (let i = width; i < frames * width; i++) most = Math.max(most, Math.abs(values[i] - values[i - width]))
  if (!Number.isFinite(most)) most = 1
  return Math.fround(most / (bits === 8 ? 126.5 / 16 : 6.5)) || 1
}

/**
 * Chooses the step that follows the wanted values best, with each delta taking up the error of those before it.
 * @param start value of the frame before the block
 * @returns value of its last frame
 */
export function codeBlock(stream: DeltaStream, wanted: Float32Array, frames: number, b: number, c: number, start: number): number {
  const { width, bits } = stream
  const at = (b * width + c) * blockSize(bits)
  const count = Math.min(16, frames - 1 - 16 * b)
  const low = bits === 8 ? -128 : -8
  const high = bits === 8 ? 127 : 7
  let end = start
  const run = (filter: number, write: boolean): number => {
    const step = stepOf(stream, filter)
    let value = start
    let worst = 0
    let sum = 0
    for (let k = 0; k < 16; k++) {
      let delta = 0
      if (k < count) {
        const target = wanted[(16 * b + k + 1) * width + c]
        delta = step !== 0 ? Math.max(low, Math.min(high, Math.round((target - value) / step))) || 0 : 0
        value = Math.fround(value + Math.fround(delta * step))
        const off = Math.abs(target - value)
        worst = Math.max(worst, off)
        sum += off * off
      }
      if (write) setDelta(stream, at, k, delta)
    }
    end = value
    // the last value is what the following blocks start from
    const last = count > 0 ? Math.abs(wanted[(16 * b + count) * width + c] - value) : 0
    return worst + (last + Math.sqrt(sum / 16)) / 4
  }
  let best = 16
  let bestError = Infinity
  // only steps that reach the block's largest change and are not coarser than it are worth a try
  let most = 0
  for (let k = 0, before = start; k < count; k++) {
    const target = wanted[(16 * b + k + 1) * width + c]
    most = Math.max(most, Math.abs(target - before))
    before = target
  }
  for (let filter = 0; filter < 256; filter++) {
    const step = Math.abs(stepOf(stream, filter))
    if (step * high < 0.6 * most || step > 2 * most) continue
    const error = run(filter, false)
    if (error < bestError) {
      bestError = error
      best = filter
      if (error === 0) break
    }
  }
  stream.blocks[at] = best
  run(best, true)
  return end
}
