import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  STEP_TABLE,
  blockSize,
  blocksFor,
  decodeDeltas,
  deltaFrames,
  encodeDeltas,
} from '../../../src/main/formats/w3d/codecs/delta-coding.ts'
import type { DeltaStream } from '../../../src/main/formats/w3d/codecs/delta-coding.ts'

function wave(frames: number, width: number, size = 1): Float32Array {
  return Float32Array.from({ length: frames * width }, (_, i) => size * Math.sin(Math.floor(i / width) / 5 + (i % width)))
}

describe('adaptive deltas', () => {
  it('have the steps of the engine', () => {
    expect(STEP_TABLE[0]).toBeCloseTo(1e-8, 15)
    expect(STEP_TABLE[8]).toBe(1)
    expect(STEP_TABLE[15]).toBe(1e7)
    expect(STEP_TABLE[16]).toBe(1)
    expect(STEP_TABLE[16 + 120]).toBeCloseTo(1 - Math.SQRT1_2, 6)
    expect(STEP_TABLE[255]).toBeGreaterThan(0)
  })

  it('add small whole numbers times a step, low nibble first', () => {
    const stream: DeltaStream = { bits: 4, width: 2, scale: 0.5, init: Float32Array.of(1, -1), blocks: new Uint8Array(18) }
    stream.blocks.set([16, 0x21, 0x8f], 0)
    stream.blocks.set([9, 0x01], 9)
    // step 0.5: +1 +2 -1 -8; step 5: +1
    expect(Array.from(decodeDeltas(stream, 5))).toEqual([1, -1, 1.5, 4, 2.5, 4, 2, 4, -2, 4])
  })

  it('of 8 bits are turned about 128 and sixteen times as fine', () => {
    const stream: DeltaStream = { bits: 8, width: 1, scale: 16, init: Float32Array.of(0), blocks: new Uint8Array(17).fill(0x80) }
    stream.blocks.set([16, 0x81, 0x7f, 0xff, 0x00])
    expect(Array.from(decodeDeltas(stream, 6))).toEqual([0, 1, 0, 127, -1, -1])
  })

  it('hold the last value where a file has no further block, and ask for no more memory than the blocks justify', () => {
    const { stream } = encodeDeltas(wave(40, 1), 40, 1, 4)
    const short = { ...stream, blocks: stream.blocks.slice(0, 9) }
    const values = decodeDeltas(short, 40)
    expect(values[39]).toBe(values[16])
    expect(deltaFrames(short, 4_000_000_000)).toBe(17)
    expect(deltaFrames({ ...stream, width: 0 }, 9)).toBe(0)
  })

  it('come back within the error that the encoder states, at most half a step of the largest change or so', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom(4 as const, 8 as const),
        fc.array(fc.float({ min: -100, max: 100, noNaN: true }), { minLength: 200, maxLength: 200 }),
        (frames, width, bits, pool) => {
          const values = Float32Array.from(pool.slice(0, frames * width))
          const { stream, error } = encodeDeltas(values, frames, width, bits)
          expect(stream.blocks.length).toBe(blocksFor(frames) * width * blockSize(bits))
          const back = decodeDeltas(stream, frames)
          let largest = 0
          for (let i = width; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i] - values[i - width]))
          back.forEach((v, i) => expect(Math.abs(v - values[i])).toBeLessThanOrEqual(error))
          expect(error).toBeLessThanOrEqual((1.5 * largest) / (bits === 4 ? 13 : 253) + 1e-3)
          expect(Array.from(back.slice(0, width))).toEqual(Array.from(values.slice(0, width)))
        },
      ),
      { numRuns: 60 },
    )
  })

  it('of a channel without movement are exact', () => {
    for (const bits of [4, 8] as const) expect(encodeDeltas(new Float32Array(100).fill(0.7), 25, 4, bits).error).toBe(0)
  })
})
