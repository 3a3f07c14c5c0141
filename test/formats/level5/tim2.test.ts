import { describe, expect, it } from 'vitest'
import { Reader } from '../../../src/main/binary/reader.ts'
import { Diagnostics, encodeDocument } from '../../../src/main/formats/format.ts'
import { imgFormat } from '../../../src/main/formats/level5/codecs/img.ts'
import { PIXEL, decodePicture, setPixels, swizzle8, unswizzle8 } from '../../../src/main/formats/level5/codecs/tim2-pixels.ts'
import { decodeTim2, tim2Format } from '../../../src/main/formats/level5/codecs/tim2.ts'
import { tim2Bytes } from '../../fixtures/level5/bytes.ts'
import { expectLossless, expectTameWhenCorrupted, expectTameWhenTruncated, junk } from '../../support/hostile.ts'
import { newImg, newTim2FromRgba } from '../../../src/main/formats/level5/make.ts'
import type { Tim2Picture } from '../../../src/main/formats/level5/codecs/tim2.ts'

const first = (bytes: Uint8Array): Tim2Picture => decodeTim2(new Reader(bytes, 'x'), new Diagnostics('x')).pictures[0]

/** Grey ramp palette of 256 in plain order, alpha opaque. */
function ramp(crosswise: boolean): Uint8Array {
  const out = new Uint8Array(1024)
  for (let i = 0; i < 256; i++) {
    const at = crosswise ? (i & ~0x18) | ((i & 8) << 1) | ((i & 16) >> 1) : i
    out.set([i, i, i, 0x80], 4 * at)
  }
  return out
}

/** A smooth picture: value grows with x + y. */
const smooth = Uint8Array.from({ length: 32 * 32 }, (_, i) => ((i % 32) + Math.floor(i / 32)) * 4)

describe('TIM2 pixels', () => {
  it('are allocated only for as many bytes as are there', () => {
    // 64 MiB of pixels are promised, by every type, with some bytes to show for it
    const sizes: number[] = []
    const Original = globalThis.Uint8Array
    try {
      for (const imageType of [1, 2, 3, 4, 5, 9]) {
        const p = {
          ...first(tim2Bytes({ imageType: 5, colors: 256, image: junk(256), clut: ramp(true) })),
          imageType,
          width: 4096,
          height: 4096,
        }
        globalThis.Uint8Array = new Proxy(Original, {
          construct(target, args: [number]) {
            if (typeof args[0] === 'number') sizes.push(args[0])
            return new target(...args)
          },
        })
        expect(decodePicture(p)).toBeUndefined()
        globalThis.Uint8Array = Original
      }
    } finally {
      globalThis.Uint8Array = Original
    }
    expect(sizes.filter((size) => size > 1 << 20)).toEqual([])
  })
  it('un-crosses the palette of 8-bit pictures only where CSM1 says so', () => {
    const at = (clutType: number, clut: Uint8Array): number[] => {
      const p = first(tim2Bytes({ imageType: 5, clutType, colors: 256, image: Uint8Array.from({ length: 256 }, (_, i) => i), clut }))
      return Array.from(decodePicture(p, 'linear')!.rgba).filter((_, i) => i % 4 === 0)
    }
    const all = Array.from({ length: 256 }, (_, i) => i)
    expect(at(3, ramp(true))).toEqual(all)
    expect(at(0x83, ramp(false))).toEqual(all)
    expect(at(3, ramp(false)).slice(8, 24)).toEqual([16, 17, 18, 19, 20, 21, 22, 23, 8, 9, 10, 11, 12, 13, 14, 15])
  })

  it('takes the smoother reading, and the chosen one over it', () => {
    const linear = first(tim2Bytes({ width: 32, height: 32, imageType: 5, clutType: 3, colors: 256, image: smooth, clut: ramp(true) }))
    const turned = first(
      tim2Bytes({ width: 32, height: 32, imageType: 5, clutType: 3, colors: 256, image: swizzle8(smooth, 32, 32), clut: ramp(true) }),
    )
    expect(decodePicture(linear)).toMatchObject({ swizzled: false })
    expect(decodePicture(turned)).toMatchObject({ swizzled: true })
    expect(decodePicture(turned)!.rgba).toEqual(decodePicture(linear)!.rgba)
    expect(decodePicture(turned, 'linear')!.rgba).not.toEqual(decodePicture(turned)!.rgba)
    expect(decodePicture(linear, 'swizzled')!.swizzled).toBe(true)
    expect(unswizzle8(swizzle8(junk(64 * 20, 3), 64, 20), 64, 20)).toEqual(junk(64 * 20, 3))
  })

  it('reads 4, 16, 24 and 32 bit', () => {
    const four = decodePicture(
      first(
        tim2Bytes({
          width: 2,
          height: 1,
          imageType: 4,
          clutType: 3,
          colors: 16,
          image: Uint8Array.of(0x21),
          clut: Uint8Array.from({ length: 64 }, (_, i) => (i % 4 === 3 ? 0x80 : i >> 2)),
        }),
      ),
    )!
    expect(Array.from(four.rgba)).toEqual([1, 1, 1, 255, 2, 2, 2, 255])
    const sixteen = decodePicture(first(tim2Bytes({ width: 2, height: 1, imageType: 1, image: Uint8Array.of(0x1f, 0x80, 0xe0, 0x03) })))!
    expect(Array.from(sixteen.rgba)).toEqual([255, 0, 0, 255, 0, 255, 0, 0])
    expect(sixteen.hasAlpha).toBe(true)
    const unused = decodePicture(first(tim2Bytes({ width: 1, height: 1, imageType: 1, image: Uint8Array.of(0x1f, 0) })))!
    expect(Array.from(unused.rgba)).toEqual([255, 0, 0, 255])
    const rgb = decodePicture(first(tim2Bytes({ width: 1, height: 1, imageType: 2, image: Uint8Array.of(1, 2, 3) })))!
    expect(Array.from(rgb.rgba)).toEqual([1, 2, 3, 255])
    const rgba = decodePicture(
      first(tim2Bytes({ width: 1, height: 3, imageType: 3, image: Uint8Array.of(1, 2, 3, 0x80, 1, 2, 3, 0x40, 1, 2, 3, 0xff) })),
    )!
    expect(Array.from(rgba.rgba).filter((_, i) => i % 4 === 3)).toEqual([255, 128, 255])
  })

  it('has nothing to show where type, size and bytes do not agree', () => {
    expect(
      decodePicture(first(tim2Bytes({ width: 64, height: 64, imageType: 5, clutType: 3, image: junk(10), clut: ramp(true) }))),
    ).toBeUndefined()
    expect(decodePicture(first(tim2Bytes({ imageType: 9, image: junk(256) })))).toBeUndefined()
    expect(decodePicture(first(tim2Bytes({ width: 0xffff, height: 0xffff, imageType: 3, image: junk(10) })))).toBeUndefined()
    expect(decodePicture(first(tim2Bytes({ imageType: 5, image: junk(256) })))).toBeUndefined()
  })
})

describe('TIM2 files', () => {
  it('round-trips and stays tame', () => {
    const bytes = tim2Bytes({
      width: 16,
      height: 16,
      imageType: 5,
      clutType: 3,
      colors: 256,
      image: junk(256),
      clut: ramp(true),
      extra: 0x10,
      pictures: 3,
    })
    const document = expectLossless(tim2Format, bytes)
    expect(document.diagnostics.map((d) => d.code)).toEqual(['level5.tim2-total', 'level5.tim2-pictures'])
    expectTameWhenTruncated(tim2Format, bytes)
    expectTameWhenCorrupted(tim2Format, bytes.slice(0, 90))
  })
})

describe('making and replacing pictures', () => {
  const rgba = Uint8Array.from({ length: 32 * 32 * 4 }, (_, i) =>
    i % 4 === 3 ? (i % 8 === 3 ? 255 : 0) : (smooth[i >> 2] + 40 * (i % 4)) & 255,
  )

  it('keeps up to 256 colours exactly', () => {
    for (const swizzled of [false, true]) {
      const tim2 = newTim2FromRgba(32, 32, rgba, { swizzled })
      const image = newImg([{ name: 'skin', tim2 }])
      const bytes = encodeDocument(imgFormat, image).bytes
      const again = expectLossless(imgFormat, bytes)
      expect(again.diagnostics).toEqual([])
      const body = again.bodies[0]
      expect(body.kind).toBe('tim2')
      if (body.kind === 'tim2') expect(decodePicture(body.tim2.pictures[0], swizzled ? 'swizzled' : 'linear')!.rgba).toEqual(rgba)
    }
    expect(
      encodeDocument(imgFormat, newImg([{ name: 'a', tim2: newTim2FromRgba(16, 16, new Uint8Array(1024)) }], 'IM3')).bytes.length % 16,
    ).toBe(0)
  })

  it('reduces more colours to the nearest of 256', () => {
    const many = Uint8Array.from({ length: 64 * 64 * 4 }, (_, i) =>
      i % 4 === 3 ? 255 : i % 4 === 0 ? ((i >> 2) % 64) * 4 : i % 4 === 1 ? (i >> 8) * 4 : 90,
    )
    const out = decodePicture(newTim2FromRgba(64, 64, many).pictures[0], 'linear')!.rgba
    let worst = 0
    for (let i = 0; i < out.length; i++) worst = Math.max(worst, Math.abs(many[i] - out[i]))
    expect(worst).toBeLessThan(20)
  })

  it('writes pixels in the format that the picture has', () => {
    for (const imageType of [PIXEL.rgb16, PIXEL.rgb24, PIXEL.rgb32, PIXEL.index4, PIXEL.index8]) {
      const size = { 1: 2, 2: 3, 3: 4, 4: 0.5, 5: 1 }[imageType]
      const paletted = imageType > 3
      const p = first(
        tim2Bytes({
          width: 16,
          height: 16,
          imageType,
          clutType: 3,
          colors: imageType === 4 ? 16 : 256,
          image: junk(256 * size),
          clut: paletted ? junk(imageType === 4 ? 64 : 1024, 3) : undefined,
        }),
      )
      const two = Uint8Array.from({ length: 1024 }, (_, i) => (i % 4 === 3 ? 255 : (i >> 2) % 3 ? 248 : 0))
      setPixels(p, 16, 16, two, false)
      const out = decodePicture(p, 'linear')!.rgba
      for (let i = 0; i < out.length; i++) expect(Math.abs(out[i] - two[i])).toBeLessThan(8)
      expect(() => setPixels(p, 8, 16, two, false)).toThrowError(expect.objectContaining({ code: 'invalid-edit' }))
    }
  })

  /** Only the first 100 colours are used; the second smaller level behind the pixels uses two more. */
  const indexed = (clutType: number, imageType = 5): Tim2Picture =>
    first(
      tim2Bytes({
        width: 16,
        height: 16,
        imageType,
        clutType,
        colors: imageType === 4 ? 16 : 256,
        image:
          imageType === 4
            ? Uint8Array.from({ length: 128 }, (_, i) => (i % 12) | (((i * 5) % 12) << 4))
            : Uint8Array.from({ length: 320 }, (_, i) => (i < 256 ? i % 100 : i & 1 ? 100 : 102)),
        clut: junk((imageType === 4 ? 16 : 256) * { 1: 2, 2: 3, 3: 4 }[clutType & 3]!, 3),
      }),
    )

  it.each([
    ['swizzled, crosswise', 3, 5, true],
    ['in rows, plain order', 0x83, 5, false],
    ['16 bit colours', 1, 5, false],
    ['24 bit colours', 2, 5, false],
    ['four bits', 3, 4, false],
  ])('%s: 4 x 4 new pixels change their indices and a free colour, and nothing else', (_, clutType, imageType, swizzled) => {
    const p = indexed(clutType, imageType)
    const { image, clut } = p
    const reading = swizzled ? 'swizzled' : 'linear'
    const rgba = decodePicture(p, reading)!.rgba
    setPixels(p, 16, 16, rgba.slice(), swizzled)
    expect([p.image, p.clut]).toEqual([image, clut])
    const put = rgba.slice()
    const block = [4, 5, 6, 7].flatMap((y) => [8, 9, 10, 11].map((x) => 16 * y + x))
    for (const i of block) put.set([255, 0, 255, 255], 4 * i)
    setPixels(p, 16, 16, put, swizzled)
    expect(decodePicture(p, reading)!.rgba).toEqual(put)
    const four = imageType === 4
    const at = (bytes: Uint8Array): Uint8Array =>
      four
        ? Uint8Array.from({ length: 256 }, (_, i) => (bytes[i >> 1] >> (4 * (i & 1))) & 15)
        : swizzled
          ? unswizzle8(bytes, 16, 16)
          : bytes
    const free = four ? 12 : 101
    const expected = at(image).slice()
    for (const i of block) expected[i] = free
    expect(at(p.image)).toEqual(expected)
    expect(p.image.subarray(256)).toEqual(image.subarray(256))
    const size = clut.length / (four ? 16 : 256)
    const place = !four && !(clutType & 0x80) ? (free & ~0x18) | ((free & 8) << 1) | ((free & 16) >> 1) : free
    expect([...clut.keys()].filter((k) => p.clut[k] !== clut[k]).every((k) => Math.floor(k / size) === place)).toBe(true)
    expect(p.clut).not.toEqual(clut)
  })

  it('of 16 bit colours without the bit stay opaque, and all get it where a clear one comes in', () => {
    const p = indexed(1)
    for (let i = 1; i < p.clut.length; i += 2) p.clut[i] &= 0x7f
    const { clut } = p
    const rgba = decodePicture(p, 'linear')!.rgba.slice()
    rgba.set([255, 0, 255, 255], 0)
    setPixels(p, 16, 16, rgba, false)
    expect(decodePicture(p, 'linear')!.rgba).toEqual(rgba)
    expect([...clut.keys()].filter((k) => p.clut[k] !== clut[k]).every((k) => k >> 1 === 101)).toBe(true)
    rgba.set([0, 0, 0, 0], 40)
    setPixels(p, 16, 16, rgba, false)
    expect(decodePicture(p, 'linear')!.rgba).toEqual(rgba)
  })
})
