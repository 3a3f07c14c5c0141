import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FormatError } from '../../../src/main/binary/format-error.ts'
import { canBeRefPack, refPackHeader, unpackRefPack } from '../../../src/main/formats/w3d/archives/refpack.ts'
import { cat } from '../../fixtures/w3d/chunks.ts'
import { everything } from '../../fixtures/w3d/files.ts'
import { long, medium, refPack, REFPACK_KINDS, refPackLiterals, refPackOf, short, stop } from '../../fixtures/w3d/refpack.ts'
import { junk } from '../../support/hostile.ts'

const unpack = (bytes: Uint8Array, most?: number): Uint8Array => unpackRefPack(bytes, 'packed', most)

function failure(bytes: Uint8Array): FormatError {
  try {
    unpack(bytes)
  } catch (error) {
    if (error instanceof FormatError) return error
    throw error
  }
  throw new Error('this was unpacked')
}

describe('RefPack', () => {
  it('gives back what was packed, with each of its headers', () => {
    const body = cat(everything(), junk(5000, 3), everything(), new Uint8Array(3000).fill(7), junk(5000, 3))
    for (const kind of REFPACK_KINDS) {
      const packed = refPack(body, kind)
      expect(packed.length).toBeLessThan(body.length * 0.8)
      expect(unpack(packed)).toEqual(body)
      expect(refPackHeader(packed)).toEqual({
        size: body.length,
        start: { 0x10fb: 5, 0x11fb: 8, 0x90fb: 6, 0x91fb: 10 }[kind],
        sizeAt: { 0x10fb: 2, 0x11fb: 5, 0x90fb: 2, 0x91fb: 6 }[kind],
      })
    }
  })

  it('reads literals alone, of every length that the end can have', () => {
    for (const n of [0, 1, 2, 3, 4, 5, 6, 7, 111, 112, 113, 115, 116, 1000]) expect(unpack(refPackLiterals(junk(n, 9)))).toEqual(junk(n, 9))
  })

  it('copies with commands of two, three and four bytes, at their least and their most', () => {
    const far = junk(131072, 5)
    const { out } = { out: refPackLiterals(far, 0x90fb) }
    const literals = out.subarray(6, out.length - 1)
    for (const [command, copied, back] of [
      [short, 3, 1],
      [short, 10, 1024],
      [medium, 4, 1],
      [medium, 67, 16384],
      [long, 5, 1],
      [long, 1028, 131072],
      [long, 1028, 1],
    ] as const) {
      for (const before of [0, 1, 2, 3]) {
        // a literal in front takes one from the reach
        const extra = junk(before, 21)
        const whole = cat(far, extra, new Uint8Array(copied), junk(2, 4))
        for (let i = 0; i < copied; i++) whole[far.length + before + i] = whole[far.length + before + i - back]
        expect(unpack(refPackOf(0x90fb, whole.length, cat(literals, command(extra, copied, back), stop(junk(2, 4)))))).toEqual(whole)
      }
    }
  })

  it('gives what any bytes were', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 400 }), fc.constantFrom(...REFPACK_KINDS), (list, kind) => {
        const bytes = Uint8Array.from(list)
        expect(unpack(refPack(bytes, kind))).toEqual(bytes)
      }),
    )
  })

  it('stops at a beginning, and ignores what stands behind the end', () => {
    const body = cat(junk(300, 1), junk(300, 1))
    const packed = refPack(body)
    const some = unpack(packed, 40)
    expect(some.length).toBeGreaterThanOrEqual(40)
    expect(some).toEqual(body.subarray(0, some.length))
    expect(unpack(cat(packed, junk(50, 8)))).toEqual(body)
  })

  it('says where a cut body ends, at every offset', () => {
    const body = cat(junk(150, 2), junk(150, 2), new Uint8Array(2000), junk(3, 6))
    for (const kind of REFPACK_KINDS) {
      const packed = refPack(body, kind)
      for (let n = 0; n < packed.length; n++) {
        const error = failure(packed.slice(0, n))
        expect(error.file).toBe('packed')
        expect(error.code, `cut at ${n}`).toBe(n < 2 ? 'bad-magic' : error.code === 'bad-count' ? 'bad-count' : 'truncated')
        expect(error.offset).toBeLessThanOrEqual(n)
        expect(error.path).not.toBe('')
      }
    }
    // an end that says nothing may be missing
    expect(unpack(refPackLiterals(junk(8, 1)).slice(0, -1))).toEqual(junk(8, 1))
  })

  it('survives any damage of a byte', () => {
    const packed = refPack(cat(junk(60, 2), junk(60, 2), new Uint8Array(300)), 0x11fb)
    for (let i = 0; i < packed.length; i++)
      for (const value of [0, 0x7f, 0x80, 0xc0, 0xdf, 0xfb, 0xff]) {
        const copy = packed.slice()
        copy[i] = value
        try {
          unpack(copy)
        } catch (error) {
          expect(error).toBeInstanceOf(FormatError)
        }
      }
  })

  it('refuses sizes that cannot be, and copies of what is not there', () => {
    const none = new Uint8Array(0)
    const place = ({ code, path, offset }: FormatError): unknown[] => [code, path, offset]
    expect(place(failure(refPackOf(0x90fb, 0xffffffff, stop(none))))).toEqual(['refused', 'size', 2])
    expect(place(failure(refPackOf(0x91fb, 100_000, stop(none))))).toEqual(['bad-count', 'size', 6])
    // before the first byte, and before the beginning
    expect(place(failure(refPackOf(0x10fb, 3, short(none, 3, 1))))).toEqual(['bad-value', 'command', 5])
    expect(place(failure(refPackOf(0x10fb, 6, short(junk(3, 1), 3, 4))))).toEqual(['bad-value', 'command', 5])
    // more, and less, than the header says
    expect(place(failure(refPackOf(0x10fb, 5, cat(short(junk(3, 1), 3, 1), stop(none)))))).toEqual(['bad-value', 'command', 5])
    expect(place(failure(refPackOf(0x10fb, 7, cat(short(junk(3, 1), 3, 1), stop(none)))))).toEqual(['bad-value', 'command', 10])
    expect(place(failure(junk(20, 1)))).toEqual(['bad-magic', 'magic', 0])
    expect(canBeRefPack({ size: 1028, start: 5, sizeAt: 2 }, 9)).toBe(true)
    expect(canBeRefPack({ size: 1029, start: 5, sizeAt: 2 }, 9)).toBe(false)
  })
})
