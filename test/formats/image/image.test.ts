import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { identify } from '../../../src/main/formats/registry.ts'
import { dds, ddsPixels, decodeDds, newDds, setDdsPixels } from '../../../src/main/formats/image/dds.ts'
import { halve } from '../../../src/main/formats/image/pixels.ts'
import { decodeDxt, dxtSize, encodeDxt } from '../../../src/main/formats/image/dxt.ts'
import { decodeTga, newTga, tga } from '../../../src/main/formats/image/tga.ts'
import { imageTextures } from '../../../src/main/formats/image/edit-textures.ts'
import { encodeDocument } from '../../../src/main/formats/format.ts'
import { emptyScene } from '../../../src/shared/scene/types.ts'
import { describeCorpus, filesBelow, readBytes } from '../../support/corpus.ts'
import { expectLossless, expectTameWhenCorrupted, expectTameWhenTruncated, junk } from '../../support/hostile.ts'
import type { EditSession } from '../../../src/main/formats/editing.ts'
import type { Document, FileFormat } from '../../../src/main/formats/format.ts'

function gradient(width: number, height: number): Uint8Array {
  const rgba = new Uint8Array(width * height * 4)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rgba.set([(x * 255) / width, (y * 255) / height, 128, x < 2 ? 0 : 255], (y * width + x) * 4)
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
      fc.property(
        fc.integer({ min: 1, max: 13 }),
        fc.integer({ min: 1, max: 13 }),
        fc.integer({ min: 0, max: 31 }),
        fc.integer({ min: 0, max: 63 }),
        (w, h, five, six) => {
          const r = ((five * 255 + 15) / 31) | 0,
            g = ((six * 255 + 31) / 63) | 0
          const rgba = new Uint8Array(w * h * 4)
          for (let i = 0; i < w * h; i++) rgba.set([r, g, r, 255], 4 * i)
          const bytes = encodeDxt(kind, w, h, rgba)
          expect(bytes.length).toBe(dxtSize(kind, w, h))
          expect(decodeDxt(kind, w, h, bytes)).toEqual(rgba)
        },
      ),
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
  it.each([1, 3, 5, 'rgba'] as const)('%s: every level by itself, those that are cut off or not there refused', (kind) => {
    const rgba = gradient(20, 6)
    const bytes = newDds(kind, 20, 6, rgba, true)
    const levelsOf = (data: Uint8Array) => {
      const document = dds.decode(data, 'a.dds')
      const scene = emptyScene('x')
      scene.textures = [{ name: 'a', width: 20, height: 6, rgba, missing: false, hasAlpha: true, source: { ref: 'a.dds', path: '' } }]
      const model = { assembled: { scene, options: [] }, document: () => document }
      return (level: number) => imageTextures.pixels(model, 0, level)
    }
    const level = levelsOf(new Uint8Array([...bytes, ...junk(9)]))
    const sizes = [0, 1, 2, 3, 4].map((i) => [level(i).width, level(i).height, level(i).rgba.length])
    expect(sizes).toEqual([
      [20, 6, 480],
      [10, 3, 120],
      [5, 1, 20],
      [2, 1, 8],
      [1, 1, 4],
    ])
    expect(level(0).rgba).toEqual(decodeDds(bytes, 'a.dds').rgba)
    // a picture of its own that is that level alone
    const half = halve(rgba, 20, 6)
    expect(level(1).rgba).toEqual(decodeDds(newDds(kind, 10, 3, half), 'b.dds').rgba)
    expect(() => level(5)).toThrow(expect.objectContaining({ code: 'not-found', file: 'a.dds' }))
    const cut = levelsOf(bytes.subarray(0, bytes.length - 1))
    expect(cut(3).rgba).toEqual(level(3).rgba)
    expect(() => cut(4)).toThrow(expect.objectContaining({ code: 'truncated', offset: bytes.length - 1 }))
    const volume = bytes.slice()
    volume[114] = 0x20
    expect(levelsOf(volume)(0).rgba).toEqual(level(0).rgba)
    expect(() => levelsOf(volume)(1)).toThrow(expect.objectContaining({ code: 'unsupported' }))
  })
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
    Object.assign(document.header, { rgbBitCount: 16, rMask: 0xf800, gMask: 0x7e0, bMask: 0x1f, aMask: 0, pfFlags: 0x40 })
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

describe('a picture put in', () => {
  const model = <D extends Document>(format: FileFormat<D>, bytes: Uint8Array) => {
    const document = format.decode(bytes, 'x')
    const scene = {
      ...emptyScene('x'),
      textures: [
        { name: 'x', width: 0, height: 0, rgba: new Uint8Array(0), missing: false, hasAlpha: false, source: { ref: 'x', path: '' } },
      ],
    }
    const session = {
      binding: { family: 'w3d', name: 'x', primary: 'x', members: [] },
      assembled: { scene, options: [], diagnostics: [] },
      document: () => document,
      edit: () => document,
    } as unknown as EditSession
    return {
      document,
      storage: () => imageTextures.storage(session, 0),
      replace: (width: number, height: number, rgba: Uint8Array) => imageTextures.replace(session, 0, width, height, rgba),
      bytes: () => encodeDocument(format, document).bytes.slice(),
    }
  }
  const black = (n: number): Uint8Array => new Uint8Array(4 * n).map((_, i) => (i % 4 === 3 ? 255 : 0))

  it.each([1, 2, 3, 4, 5, 'rgba'] as const)('into a DDS of form %s: pixels, levels and header follow, what stands behind stays', (form) => {
    const bytes = newDds(form === 2 ? 3 : form === 4 ? 5 : form, 16, 8, black(128), true)
    if (form === 2 || form === 4) bytes[87] = 0x30 + form
    const withJunk = new Uint8Array([...bytes, ...junk(7)])
    withJunk.set(junk(44, 3), 32)
    const file = model(dds, withJunk)
    expect(file.storage()).toMatchObject({ levels: 5, alphaBits: form === 1 ? 1 : form === 2 || form === 3 ? 4 : 8, readOnly: '' })
    // the same picture again is the same file
    file.replace(16, 8, black(128))
    expect(file.bytes()).toEqual(withJunk)
    const red = new Uint8Array(4 * 32 * 32)
    for (let i = 0; i < red.length; i += 4) red.set([255, 0, 0, i < red.length / 2 ? 255 : 0], i)
    file.replace(32, 32, red)
    const out = file.bytes()
    expectLossless(dds, out)
    const image = decodeDds(out, 'x')
    for (let i = 0; i < red.length; i += 4)
      expect(image.rgba[i + 3] ? [...image.rgba.subarray(i, i + 4)] : 0).toEqual(red[i + 3] ? [255, 0, 0, 255] : 0)
    const { header } = dds.decode(out, 'x')
    expect([header.width, header.height, header.mipMapCount, header.pitchOrLinearSize]).toEqual([
      32,
      32,
      6,
      form === 'rgba' ? 128 : form === 1 ? 512 : 1024,
    ])
    expect([...out.subarray(-7)]).toEqual([...junk(7)])
    expect([...out.subarray(32, 76)]).toEqual([...junk(44, 3)])
    if (form !== 'rgba') expect(() => file.replace(30, 32, new Uint8Array(4 * 30 * 32))).toThrow(/multiple of 4/)
  })
  it.each([
    [16, [0xf800, 0x7e0, 0x1f, 0], 0x40, [0xbf, 0xff]],
    [16, [0x7c00, 0x3e0, 0x1f, 0x8000], 0x41, [0xdf, 0xff]],
    [16, [0xf00, 0xf0, 0xf, 0xf000], 0x41, [0xff, 0xff]],
    [24, [0xff0000, 0xff00, 0xff, 0], 0x40, [255, 248, 255]],
    [8, [0xff, 0, 0, 0], 0x20000, [251]],
    [32, [0xff, 0xff00, 0xff0000, 0xff000000], 0x41, [255, 248, 255, 255]],
  ])('into %i bits with masks %j', (bits, masks, flags, expected) => {
    const document = dds.decode(newDds('rgba', 1, 1, Uint8Array.of(0, 0, 0, 255)), 'x')
    const [rMask, gMask, bMask, aMask] = masks
    Object.assign(document.header, { rgbBitCount: bits, rMask, gMask, bMask, aMask, pfFlags: flags })
    document.data = new Uint8Array(bits / 8)
    setDdsPixels(document, 1, 1, Uint8Array.of(255, 248, 255, 255))
    expect([...document.data]).toEqual(expected)
  })
  it('into a cube map, a volume or an array is refused', () => {
    for (const caps2 of [0xfe00, 0x200000]) {
      const file = model(dds, newDds(1, 4, 4, black(16)))
      file.document.header.caps2 = caps2
      expect(file.storage().readOnly).toMatch(/cube map|volume/)
      expect(() => file.replace(4, 4, black(16))).toThrow(/cannot be replaced/)
    }
  })
  it('into a TGA: its depth, order of rows and what follows stay', () => {
    const rgba = gradient(5, 3)
    const file = model(tga, new Uint8Array([...newTga(5, 3, black(15)), ...junk(9)]))
    file.replace(5, 3, rgba)
    expect(file.bytes()).toEqual(new Uint8Array([...newTga(5, 3, rgba), ...junk(9)]))
    file.replace(2, 2, rgba.slice(0, 16))
    expect(decodeTga(file.bytes(), 'x')).toMatchObject({ width: 2, height: 2, rgba: rgba.slice(0, 16) })
    expect(file.storage()).toMatchObject({ format: 'TGA, 32 bit', alphaBits: 8 })
  })
  it('into a run-length coded TGA: packets, and the footer finds its areas', () => {
    const coded = codedTga()
    // the footer names an area behind the pixels
    const area = coded.length - 26
    new DataView(coded.buffer).setUint32(area, area, true)
    coded.set(new TextEncoder().encode('TRUEVISION-XFILE.\0'), coded.length - 18)
    const file = model(tga, coded)
    const before = decodeTga(coded, 'x')
    file.replace(before.width, before.height, before.rgba)
    expect(decodeTga(file.bytes(), 'x').rgba).toEqual(before.rgba)
    const long = new Uint8Array(4 * 300 * 2)
    for (let i = 0; i < 600; i++) long.set([i < 400 ? 9 : i & 255, 1, 2, 255], 4 * i)
    file.replace(300, 2, long)
    const out = file.bytes()
    const document = expectLossless(tga, out)
    expect(decodeTga(out, 'x').rgba).toEqual(decodeTga(out, 'x').rgba.map((_, i) => long[i]))
    expect(document.pixels.length).toBeLessThan(600 * 3)
    expect(new DataView(out.buffer).getUint32(out.length - 26, true)).toBe(out.length - 26)
  })
  it('into a run-length coded TGA with a map: rows that stay keep their packets, but for one that runs into the next', () => {
    // 4 x 5 pixels from the top; single pixels that could be a run, a packet over the end of a row, a literal run of equal pixels
    const head = Uint8Array.from([0, 1, 9, 0, 0, 4, 0, 24, 0, 0, 0, 0, 4, 0, 5, 0, 8, 0x20])
    const map = Uint8Array.from({ length: 12 }, (_, i) => 20 * i)
    const rows = [
      [0, 1, 0, 1, 0, 1, 0, 1],
      [0x83, 2],
      [1, 0, 1, 0x83, 0],
      [1, 1, 1],
      [0x80, 2, 0x80, 2, 1, 2, 2],
    ]
    const bytes = Uint8Array.from([...head, ...map, ...rows.flat(), 7, 7])
    const picture = model(tga, bytes)
    const rgba = decodeTga(bytes, 'x').rgba.slice()
    rgba.set([1, 2, 3, 255], 4 * 5)
    picture.replace(4, 5, rgba)
    expect(decodeTga(picture.bytes(), 'x').rgba).toEqual(rgba)
    const changed = map.slice()
    changed.set([3, 2, 1], 9)
    const packed = [rows[0], [1, 2, 3, 0x81, 2], rows[2], rows[3], rows[4]].flat()
    expect([...picture.bytes()]).toEqual([...head, ...changed, ...packed, 7, 7])
    // the third row shares a packet with the fourth
    rgba.set([1, 2, 3, 255], 4 * 8)
    picture.replace(4, 5, rgba)
    expect([...picture.bytes()]).toEqual([
      ...head,
      ...changed,
      ...[rows[0], [1, 2, 3, 0x81, 2], [1, 3, 1, 0x81, 0], [0x81, 0, 0x81, 1], rows[4]].flat(),
      7,
      7,
    ])
  })
  it('into grey and mapped TGA: brightness, and the colours of the map', () => {
    const grey = model(tga, Uint8Array.from([0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 8, 0x20, 7, 9]))
    grey.replace(2, 1, Uint8Array.of(255, 0, 0, 255, 10, 10, 10, 255))
    expect([...grey.bytes().subarray(18)]).toEqual([76, 10])
    const bytes = Uint8Array.from([0, 1, 1, 1, 0, 2, 0, 24, 0, 0, 0, 0, 2, 0, 1, 0, 8, 0x20, 1, 2, 3, 4, 5, 6, 2, 1])
    const mapped = model(tga, bytes)
    mapped.replace(2, 1, Uint8Array.of(3, 2, 1, 255, 6, 5, 4, 255))
    expect([...mapped.bytes().subarray(18)]).toEqual([1, 2, 3, 4, 5, 6, 1, 2])
    mapped.replace(2, 1, Uint8Array.of(3, 2, 1, 255, 60, 50, 40, 255))
    expect(decodeTga(mapped.bytes(), 'x').rgba).toEqual(Uint8Array.of(3, 2, 1, 255, 60, 50, 40, 255))
    expect(mapped.storage()).toMatchObject({ colors: 2 })
  })
  it.each([15, 16, 24, 32])(
    'into a TGA with a map of %i bits: 4 x 4 new pixels change their indices and a free colour, and nothing else',
    (bits) => {
      const size = Math.ceil(bits / 8)
      // the map counts from 3 and has two colours that no pixel uses; rows from the bottom
      const head = Uint8Array.from([2, 1, 1, 3, 0, 22, 0, bits, 0, 0, 0, 0, 16, 0, 16, 0, 8, bits === 16 ? 1 : bits === 32 ? 8 : 0])
      const map = Uint8Array.from({ length: 22 * size }, (_, i) => (i * 89 + 7) & 255)
      const pixels = Uint8Array.from({ length: 256 }, (_, i) => 3 + (i % 20))
      const bytes = Uint8Array.from([...head, 9, 9, ...map, ...pixels, 1, 2, 3])
      const picture = model(tga, bytes)
      const rgba = decodeTga(bytes, 'x').rgba.slice()
      picture.replace(16, 16, rgba.slice())
      expect(picture.bytes()).toEqual(bytes)
      for (const y of [4, 5, 6, 7]) for (const x of [8, 9, 10, 11]) rgba.set([255, 0, 255, 255], 4 * (16 * y + x))
      picture.replace(16, 16, rgba)
      const out = picture.bytes()
      expect(decodeTga(out, 'x').rgba).toEqual(rgba)
      const expected = bytes.slice()
      const free = 20 + 20 * size
      expected.set(out.subarray(free, free + size), free)
      for (const y of [8, 9, 10, 11]) for (const x of [8, 9, 10, 11]) expected[20 + map.length + 16 * y + x] = 23
      expect(out).toEqual(expected)
    },
  )
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
