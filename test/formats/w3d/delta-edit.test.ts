import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { STEP_TABLE, blockSize, decodeDeltas, encodeDeltas } from '../../../src/main/formats/w3d/codecs/delta-coding.ts'
import { recodeDeltas } from '../../../src/main/formats/w3d/codecs/delta-edit.ts'
import type { DeltaStream } from '../../../src/main/formats/w3d/codecs/delta-coding.ts'

function wave(frames: number, width: number, size = 1): Float32Array {
  return Float32Array.from({ length: frames * width }, (_, i) => size * Math.sin(Math.floor(i / width) / 5 + (i % width)))
}

/** Places of bytes of the blocks that differ. */
function changedBytes(a: DeltaStream, b: DeltaStream): number[] {
  return Array.from(a.blocks.keys()).filter((i) => a.blocks[i] !== b.blocks[i])
}

/** Byte of the delta that leads to a frame. */
function byteOf({ bits, width }: DeltaStream, frame: number, c: number): number {
  const k = (frame - 1) % 16
  return (Math.floor((frame - 1) / 16) * width + c) * blockSize(bits) + 1 + (bits === 8 ? k : k >> 1)
}

/** A stream of random steps and deltas that leave room for an edit of `room` steps; the steps of a component go up and down by little. */
const streams = (bits: 4 | 8, width: number, room: number): fc.Arbitrary<DeltaStream> => {
  const most = (bits === 8 ? 127 : 7) - room
  const bytes = 2 * bits
  return fc
    .record({
      scale: fc.float({ min: Math.fround(0.01), max: 4, noNaN: true }),
      init: fc.array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: width, maxLength: width }),
      steps: fc.array(fc.integer({ min: 16, max: 200 }), { minLength: 3 * width, maxLength: 3 * width }),
      deltas: fc.array(fc.integer({ min: -most, max: most }), { minLength: 48 * width, maxLength: 48 * width }),
    })
    .map(({ scale, init, steps, deltas }) => {
      const blocks = new Uint8Array(3 * width * (1 + bytes))
      for (let i = 0; i < 3 * width; i++) {
        blocks[i * (1 + bytes)] = steps[i]
        for (let k = 0; k < 16; k++) {
          // the last two move: a component that stands still may have any step, which is another test's matter
          const delta = k < 14 ? deltas[16 * i + k] : k === 14 ? 1 : -1
          const at = i * (1 + bytes) + 1 + (bits === 8 ? k : k >> 1)
          blocks[at] |= bits === 8 ? (delta & 0xff) ^ 0x80 : (delta & 15) << (4 * (k & 1))
        }
      }
      return { bits, width, scale, init: Float32Array.from(init), blocks }
    })
}

/** One stream of that kind. */
function built(bits: 4 | 8, width: number): DeltaStream {
  return fc.sample(streams(bits, width, 3), { seed: 7, numRuns: 1 })[0]
}

const stepAt = (stream: DeltaStream, frame: number, c: number): number =>
  (STEP_TABLE[stream.blocks[(Math.floor((frame - 1) / 16) * stream.width + c) * blockSize(stream.bits)]] * stream.scale) /
  (stream.bits === 8 ? 16 : 1)

describe('an edit of adaptive deltas', () => {
  for (const bits of [4, 8] as const)
    for (const width of [1, 4])
      it(`writes the delta to a frame and the one behind it alone: ${bits} bits, ${width} wide`, () => {
        let exact = 0
        let runs = 0
        fc.assert(
          fc.property(
            streams(bits, width, 5),
            fc.integer({ min: 1, max: 47 }).filter((frame) => frame % 16 > 0 && frame % 16 < 14),
            fc.array(fc.float({ min: -3, max: 3, noNaN: true }), { minLength: width, maxLength: width }),
            (stream, frame, ways) => {
              const before = decodeDeltas(stream, 49)
              const wanted = before.slice()
              // off the grid by up to half a step, and not so little that it would be lost
              for (let c = 0; c < width; c++)
                wanted[frame * width + c] += (ways[c] + Math.sign(ways[c] || 1)) * stepAt(stream, frame, c) * 0.75
              const { stream: next } = recodeDeltas(stream, 49, wanted, [frame])
              const allowed = Array.from({ length: width }, (_, c) => [byteOf(stream, frame, c), byteOf(stream, frame + 1, c)]).flat()
              for (const at of changedBytes(stream, next)) expect(allowed).toContain(at)
              expect([next.scale, ...next.init]).toEqual([stream.scale, ...stream.init])
              const after = decodeDeltas(next, 49)
              runs++
              let same = true
              for (let f = 0; f < 49; f++)
                for (let c = 0; c < width; c++) {
                  const i = f * width + c
                  if (f !== frame) {
                    if (!Object.is(after[i], before[i])) same = false
                    // the last bits of a float at the most, of the largest that the sums go through
                    expect(Math.abs(after[i] - before[i])).toBeLessThanOrEqual(2 ** -20 * Math.max(1, ...before.map(Math.abs)))
                  } else expect(Math.abs(after[i] - wanted[i])).toBeLessThanOrEqual(2.6 * stepAt(stream, f, c))
                }
              if (same) exact++
            },
          ),
          { numRuns: 150, seed: 15 },
        )
        expect(exact / runs).toBeGreaterThan(0.6)
      })

  it('of a range writes its deltas and the one behind it, with the frames between as they are wanted', () => {
    const frames = 49
    const stream = built(8, 4)
    const before = decodeDeltas(stream, frames)
    const wanted = before.slice()
    const changed = [19, 20, 21, 23, 24]
    for (const f of changed) for (let c = 0; c < 4; c++) wanted[4 * f + c] += (c - 1.6) * stepAt(stream, f, c)
    const { stream: next, error } = recodeDeltas(stream, frames, wanted, changed)
    const allowed = [19, 20, 21, 22, 23, 24, 25].flatMap((f) => [0, 1, 2, 3].map((c) => byteOf(stream, f, c)))
    for (const at of changedBytes(stream, next)) expect(allowed).toContain(at)
    expect(error).toBeLessThan(2.6 * Math.max(...[0, 1, 2, 3].map((c) => stepAt(stream, 20, c))))
    const after = decodeDeltas(next, frames)
    for (let f = 0; f < frames; f++)
      if (!changed.includes(f)) for (let c = 0; c < 4; c++) expect(Math.abs(after[4 * f + c] - before[4 * f + c])).toBeLessThan(1e-6)
  })

  it('of the last frame has nothing to come back to, and leaves deltas that no frame uses', () => {
    const stream: DeltaStream = { bits: 4, width: 1, scale: 1, init: Float32Array.of(0), blocks: new Uint8Array(9) }
    stream.blocks.set([96, 0x21, 0x13, 0xd5, 0xee])
    const wanted = decodeDeltas(stream, 6)
    wanted[5] += 0.5
    const { stream: next, error } = recodeDeltas(stream, 6, wanted, [5])
    expect(error).toBe(0)
    expect(Array.from(next.blocks)).toEqual([96, 0x21, 0x13, 0xd6, 0xee, 0, 0, 0, 0])
  })

  it('takes any step where nothing else moves in a block, and comes back to the bit', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(4 as const, 8 as const),
        fc.float({ min: Math.fround(0.001), max: Math.fround(0.4), noNaN: true }),
        fc.integer({ min: 17, max: 31 }),
        (bits, way, frame) => {
          const { stream } = encodeDeltas(wave(16, 1, 4), 16, 1, bits)
          const size = blockSize(bits)
          const still = new Uint8Array(size).fill(bits === 8 ? 0x80 : 0)
          still[0] = 255
          const longer = { ...stream, blocks: new Uint8Array([...stream.blocks, ...still, ...still]) }
          const before = decodeDeltas(longer, 49)
          const wanted = before.slice()
          wanted[frame] += way
          const { stream: next, error } = recodeDeltas(longer, 49, wanted, [frame])
          expect(error).toBeLessThan(0.02 * way + 0.001)
          const after = decodeDeltas(next, 49)
          for (let f = 0; f < 49; f++) if (f !== frame) expect(after[f]).toBe(before[f])
          for (const at of changedBytes(longer, next)) expect([size, byteOf(longer, frame, 0), byteOf(longer, frame + 1, 0)]).toContain(at)
        },
      ),
      { numRuns: 60, seed: 15 },
    )
  })

  it('of more components than any channel of a game has is made at once', () => {
    const stream = built(4, 200)
    const before = decodeDeltas(stream, 49)
    const wanted = before.slice()
    for (let c = 0; c < 200; c++) wanted[200 * 20 + c] += stepAt(stream, 20, c)
    const { stream: next } = recodeDeltas(stream, 49, wanted, [20])
    const allowed = [20, 21].flatMap((f) => Array.from({ length: 200 }, (_, c) => byteOf(stream, f, c)))
    for (const at of changedBytes(stream, next)) expect(allowed).toContain(at)
  })

  it('at the end of a block is led back from in the next one, whose other deltas stay', () => {
    const frames = 49
    const stream = built(8, 1)
    const before = decodeDeltas(stream, frames)
    const wanted = before.slice()
    wanted[16] += 2.3 * stepAt(stream, 16, 0)
    const { stream: next } = recodeDeltas(stream, frames, wanted, [16])
    const bytes = changedBytes(stream, next)
    expect(bytes.slice(0, 2)).toEqual([byteOf(stream, 16, 0), byteOf(stream, 17, 0)])
    // a later block with finer steps may take some more of it back
    for (const at of bytes.slice(2)) expect(at % blockSize(8)).toBe(1)
    const after = decodeDeltas(next, frames)
    for (let f = 0; f < frames; f++)
      expect(Math.abs(after[f] - wanted[f])).toBeLessThanOrEqual(stepAt(stream, Math.max(1, Math.min(f, 17)), 0) * 0.6)
  })

  it('codes a component anew that does not reach, and no other', () => {
    const frames = 33
    const { stream } = encodeDeltas(wave(frames, 4, 0.1), frames, 4, 4)
    const before = decodeDeltas(stream, frames)
    const wanted = before.slice()
    wanted[4 * 24 + 2] += 0.9
    const { stream: next } = recodeDeltas(stream, frames, wanted, [24])
    const size = blockSize(4)
    expect(next.blocks[6 * size]).not.toBe(stream.blocks[6 * size])
    for (const at of changedBytes(stream, next).filter((at) => Math.floor(at / size) !== 6)) {
      expect(Math.floor(at / size)).toBeGreaterThanOrEqual(4)
      expect(Math.floor(at / size)).toBeLessThan(8)
      expect([
        byteOf(stream, 24, 0),
        byteOf(stream, 24, 1),
        byteOf(stream, 24, 3),
        byteOf(stream, 25, 0),
        byteOf(stream, 25, 1),
        byteOf(stream, 25, 3),
      ]).toContain(at)
    }
    const after = decodeDeltas(next, frames)
    expect(Math.abs(after[4 * 24 + 2] - wanted[4 * 24 + 2])).toBeLessThan(0.15)
  })

  it('is not lost in a step that is coarser than it', () => {
    const frames = 17
    const { stream } = encodeDeltas(wave(frames, 1), frames, 1, 4)
    const before = decodeDeltas(stream, frames)
    const wanted = before.slice()
    wanted[8] += 0.3 * Math.abs(stepAt(stream, 8, 0))
    const { stream: next } = recodeDeltas(stream, frames, wanted, [8])
    expect(Math.abs(decodeDeltas(next, frames)[8] - wanted[8])).toBeLessThan(Math.abs(before[8] - wanted[8]))
  })

  it('change in the block of an edit alone', () => {
    const frames = 120
    const { stream } = encodeDeltas(wave(frames, 2), frames, 2, 8)
    const before = decodeDeltas(stream, frames)
    const wanted = before.slice()
    wanted[2 * 40] += 0.05
    const { stream: next, error } = recodeDeltas(stream, frames, wanted, [40])
    const size = blockSize(8)
    const touched = Array.from({ length: stream.blocks.length / size }, (_, i) => i).filter((i) =>
      stream.blocks.subarray(i * size, (i + 1) * size).some((b, k) => b !== next.blocks[i * size + k]),
    )
    // frame 40 is delta 39: block 2, component 0
    expect(touched).toEqual([4])
    expect([next.scale, ...next.init]).toEqual([stream.scale, ...stream.init])
    const after = decodeDeltas(next, frames)
    expect(Math.abs(after[80] - wanted[80])).toBeLessThanOrEqual(error)
    expect(error).toBeLessThan(0.002)
    for (let f = 0; f < frames; f++) expect(after[2 * f + 1]).toBe(before[2 * f + 1])
  })

  it('are coded again behind an edit as long as it would show there', () => {
    const frames = 150
    const { stream } = encodeDeltas(wave(frames, 1, 0.01), frames, 1, 4)
    const before = decodeDeltas(stream, frames)
    const wanted = before.slice()
    // a jump that makes the steps of its block a hundred times coarser
    wanted[40] += 0.3
    const { stream: next } = recodeDeltas(stream, frames, wanted, [40])
    const after = decodeDeltas(next, frames)
    for (let f = 81; f < frames; f++) expect(Math.abs(after[f] - before[f])).toBeLessThan(0.0005)
    const size = blockSize(4)
    expect(next.blocks.subarray(0, 2 * size)).toEqual(stream.blocks.subarray(0, 2 * size))
    expect(next.blocks.subarray(-3 * size)).toEqual(stream.blocks.subarray(-3 * size))
  })

  it('take a change of the first frame up in the next', () => {
    const { stream } = encodeDeltas(wave(40, 1), 40, 1, 8)
    const wanted = decodeDeltas(stream, 40)
    wanted[0] += 0.25
    const { stream: next, error } = recodeDeltas(stream, 40, wanted, [0])
    expect(Math.abs(next.init[0] - wanted[0])).toBeLessThanOrEqual(Math.fround(stream.scale * STEP_TABLE[stream.blocks[0]]) / 32)
    expect(error).toBeLessThan(0.02)
    expect(decodeDeltas(next, 40).subarray(1)).toEqual(decodeDeltas(stream, 40).subarray(1))
    expect(changedBytes(stream, next)).toEqual([1])
  })

  it('of a channel that stood still are coded whole when it is made to move', () => {
    const still: DeltaStream = { bits: 4, width: 1, scale: 0, init: Float32Array.of(1), blocks: new Uint8Array(18) }
    const wanted = new Float32Array(20).fill(1)
    wanted[7] = 3
    const { stream, error } = recodeDeltas(still, 20, wanted, [7])
    expect(Math.abs(decodeDeltas(stream, 20)[7] - 3)).toBeLessThanOrEqual(error)
    expect(error).toBeLessThan(0.2)
  })
})
