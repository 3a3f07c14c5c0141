import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { identify } from '../../../src/main/formats/registry.ts'
import { dds, ddsPixels, decodeDds, newDds } from '../../../src/main/formats/image/dds.ts'
import { halve } from '../../../src/main/formats/image/pixels.ts'
import { decodeDxt, dxtSize, encodeDxt } from '../../../src/main/formats/image/dxt.ts'
import { decodeTga, newTga, tga } from '../../../src/main/formats/image/tga.ts'
import { describeCorpus, filesBelow, readBytes } from '../../support/corpus.ts'
import { expectLossless, expectTameWhenCorrupted, expectTameWhenTruncated, junk } from '../../support/hostile.ts'

function gradient(width: number, height: number): Uint8Array {
  const rgba = new Uint8Array(width * height * 4)
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) rgba.set([(x * 255) / width, (y * 255) / height, 128, x < 2 ? 0 : 255], (y * width + x) * 4)
  return rgba
}

/** A run-length coded TGA with an id, a footer and both packet kinds. */
function codedTga(): Uint8Array {
  const header = [3, 0, 10, 0x11, 0x22, 0x33, 0x44, 0x55, 1, 2, 3, 4, 5, 0, 2, 0, 24, 0x20, 9, 8, 7]
  return Uint8Array.from([...header, 0x83, 10, 20, 30, 0x01, 1, 2, 3, 4, 5, 6, 0x83, 7, 8, 9, ...junk(26, 5)])
}

describe('DXT', () => {
  it('decodes hand-made blocks', () => {
    // DXT1: red and blue ends, indices 0 1 2 3 in the first row
    const block = Uint8Array.from([0x00, 0xf8, 0x1f, 0x00, 0b11100100, 0, 0, 0])
    const four = decodeDxt(1, 4, 4, block)
    expect([...four.subarray(0, 16)]).toEqual([255, 0, 0, 255, 0, 0, 255, 255, 170, 0, 85, 255, 85, 0, 170, 255])
    const swapped = decodeDxt(1, 4, 4, Uint8Array.from([0x1f, 0x00, 0x00, 0xf8, 0b11100100, 0, 0, 0]))
    expect([...swapped.subarray(8, 16)]).toEqual([127, 0, 127, 255, 0, 0, 0, 0])
    // DXT3: alpha 0, 1/15, ... ; DXT5: eight-step ramp
    const three = decodeDxt(3, 4, 1, Uint8Array.from([0x10, 0xf8, 0, 0, 0, 0, 0, 0, ...block]))
    expect([three[3], three[7], three[11], three[15]]).toEqual([0, 17, 136, 255])
    const five = decodeDxt(5, 4, 1, Uint8Array.from([255, 0, 0b10001000, 0b00000110, 0, 0, 0, 0, ...block]))
    expect([five[3], five[7], five[11], five[15]]).toEqual([255, 0, 218, 182])
  })
  it.each([1, 3, 5] as const)('DXT%i: flat colours come back, gradients stay near, any size', (kind) => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 13 }), fc.integer({ min: 1, max: 13 }), fc.integer({ min: 0, max: 31 }), fc.integer({ min: 0, max: 63 }), (w, h, five, six) => {
        const r = ((five * 255 + 15) / 31) | 0, g = ((six * 255 + 31) / 63) | 0
        const rgba = new Uint8Array(w * h * 4)
        for (let i = 0; i < w * h; i++) rgba.set([r, g, r, 255], 4 * i)
        const bytes = encodeDxt(kind, w, h, rgba)
        expect(bytes.length).toBe(dxtSize(kind, w, h))
        expect(decodeDxt(kind, w, h, bytes)).toEqual(rgba)
      }),
      { numRuns: 30 },
    )
    const source = gradient(16, 16)
    const back = decodeDxt(kind, 16, 16, encodeDxt(kind, 16, 16, source))
    let worst = 0
    for (let i = 0; i < source.length; i++) if (source[(i & ~3) + 3] && i % 4 < 3) worst = Math.max(worst, Math.abs(source[i] - back[i]))
    expect(worst).toBeLessThan(48)
    expect(back[3]).toBe(0)
  })
  it('refuses too few bytes', () => {
    expect(() => decodeDxt(5, 8, 8, new Uint8Array(63))).toThrow(/needs 64 bytes/)
  })
})

describe('DDS', () => {
  it.each([1, 3, 5, 'rgba'] as const)('%s: written, read, lossless with junk behind', (kind) => {
    const rgba = gradient(10, 6)
    const bytes = newDds(kind, 10, 6, rgba, true)
    const withJunk = new Uint8Array([...bytes, ...junk(7)])
    withJunk.set(junk(44, 3), 32) // reserved words
    expectLossless(dds, withJunk)
    const image = decodeDds(withJunk, 'x.dds')
    expect([image.width, image.height, image.hasAlpha]).toEqual([10, 6, true])
    if (kind === 'rgba') expect(image.rgba).toEqual(rgba)
    expect(identify(withJunk.subarray(0, 4096), 'x', withJunk.length)?.format?.id).toBe('common.dds')
    expectTameWhenTruncated(dds, withJunk.slice(0, 400))
    expectTameWhenCorrupted(dds, withJunk.slice(0, 160))
  })
  it('takes channels from the masks', () => {
    const bytes = newDds('rgba', 1, 1, Uint8Array.from([1, 2, 3, 4]))
    const document = dds.decode(bytes, 'x')
    document.header[21] = 16
    document.header.set([0xf800, 0x7e0, 0x1f, 0], 22)
    document.header[19] = 0x40
    document.data = Uint8Array.from([0xff, 0xff])
    expect([...ddsPixels(document).rgba]).toEqual([255, 255, 255, 255])
    document.data = Uint8Array.from([0x1f, 0])
    expect([...ddsPixels(document).rgba]).toEqual([0, 0, 255, 255])
  })
  it('halves pictures by means, clear pixels without a say in the colour', () => {
    expect([...halve(Uint8Array.from([0, 0, 0, 255, 4, 4, 4, 255, 8, 8, 8, 255, 12, 12, 12, 255]), 2, 2)]).toEqual([6, 6, 6, 255])
    expect([...halve(Uint8Array.from([200, 0, 0, 0, 4, 4, 4, 255, 200, 0, 0, 0, 12, 12, 12, 255]), 2, 2)]).toEqual([8, 8, 8, 128])
  })
})

describe('TGA', () => {
  it('is written bottom-up and read top-down', () => {
    const rgba = gradient(5, 3)
    const bytes = newTga(5, 3, rgba)
    expectLossless(tga, bytes)
    expect(decodeTga(bytes, 'x.tga').rgba).toEqual(rgba)
    expectTameWhenTruncated(tga, bytes)
    expectTameWhenCorrupted(tga, bytes)
    expect(identify(bytes, 'x.tga', bytes.length)?.format?.id).toBe('common.tga')
    expect(identify(bytes, 'x.bin', bytes.length)).toBeUndefined()
  })
  it('reads run-length packets and keeps what follows', () => {
    const bytes = codedTga()
    const document = expectLossless(tga, bytes)
    expect(document.trailing.length).toBe(26)
    const { rgba } = decodeTga(bytes, 'x.tga')
    const blues = Array.from({ length: 10 }, (_, i) => rgba[4 * i + 2])
    expect(blues).toEqual([10, 10, 10, 10, 1, 4, 7, 7, 7, 7])
    expectTameWhenTruncated(tga, bytes)
    expectTameWhenCorrupted(tga, bytes)
  })
  it('reads grey and mapped pictures, 16 bit', () => {
    const grey = Uint8Array.from([0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 8, 0x20, 7, 9])
    expect([...decodeTga(grey, 'g').rgba]).toEqual([7, 7, 7, 255, 9, 9, 9, 255])
    const mapped = Uint8Array.from([0, 1, 1, 1, 0, 2, 0, 24, 0, 0, 0, 0, 2, 0, 1, 0, 8, 0x20, 1, 2, 3, 4, 5, 6, 2, 1])
    expect([...decodeTga(mapped, 'm').rgba]).toEqual([6, 5, 4, 255, 3, 2, 1, 255])
    const high = Uint8Array.from([0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 16, 0x21, 0xff, 0x7f])
    expect([...decodeTga(high, 'h').rgba]).toEqual([255, 255, 255, 0])
  })
})

describeCorpus('w3d', (root) => {
  it('every DDS and TGA is lossless and has a picture', () => {
    const files = filesBelow(root).filter((f) => /\.(dds|tga)$/i.test(f))
    expect(files.length).toBeGreaterThan(8)
    for (const file of files) {
      const bytes = readBytes(file)
      const isDds = /\.dds$/i.test(file)
      expectLossless<any>(isDds ? dds : tga, bytes, file)
      const image = isDds ? decodeDds(bytes, file) : decodeTga(bytes, file)
      expect(image.rgba.length).toBe(image.width * image.height * 4)
      expect(new Set(image.rgba).size).toBeGreaterThan(8)
    }
  })
})
