/** What Changes says of pictures that have several levels or faces: a row for each that differs, and none for the others. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { encodeDocument } from '../../src/main/formats/format.ts'
import { dds, newDds, setDdsPixels } from '../../src/main/formats/image/dds.ts'
import { tim2Format } from '../../src/main/formats/level5/codecs/tim2.ts'
import { decodePicture, setPixels } from '../../src/main/formats/level5/codecs/tim2-pixels.ts'
import { fileChanges } from '../../src/main/workspace/changes.ts'
import { mergeEdits } from '../../src/main/workspace/merge.ts'
import { restorePart } from '../../src/main/workspace/restore-part.ts'
import { textures } from '../../src/main/formats/level5/edit/textures.ts'
import { marrow } from '../cli/run.ts'
import { tempFolder } from '../files/temp.ts'
import { tim2Bytes } from '../fixtures/level5/bytes.ts'
import { expectLossless, junk } from '../support/hostile.ts'
import type { Document, FileFormat } from '../../src/main/formats/format.ts'
import type { TextureDocuments } from '../../src/main/formats/editing.ts'
import type { FileChanges } from '../../src/shared/api/types/changes.ts'

const HEADER = 128
const picture = (width: number, height: number, from = 1): Uint8Array =>
  Uint8Array.from({ length: 4 * width * height }, (_, i) => (i % 4 === 3 ? 255 : (i * 7 * from) & 255))

function changesOf(format: FileFormat, before: Uint8Array, after: Uint8Array): FileChanges {
  return fileChanges('f', format, before, { bytes: after, document: format.decode(after, 'f') })
}

const rows = (format: FileFormat, before: Uint8Array, after: Uint8Array): string[] =>
  changesOf(format, before, after).changes.map(
    ({ path, before: was, after: is, whole }) => `${path}: ${was} -> ${is}${whole ? ` ${whole}` : ''}`,
  )

function edited<D extends Document>(format: FileFormat<D>, bytes: Uint8Array, change: (document: D) => void): Uint8Array {
  const document = format.decode(bytes, 'f')
  change(document)
  return encodeDocument(format, document).bytes.slice()
}

function withBits(bytes: Uint8Array, ...at: number[]): Uint8Array {
  const out = bytes.slice()
  for (const one of at) out[one] ^= 1
  return out
}

/** A DDS with junk in the words that nobody reads, and behind the picture. */
function ddsOf(kind: 1 | 3 | 5 | 'rgba', width: number, height: number, faces = 1): Uint8Array {
  const one = newDds(kind, width, height, picture(width, height), true)
  const out = new Uint8Array([
    ...one,
    ...Array.from({ length: faces - 1 }, (_, i) => [...junk(one.length - HEADER, i + 2)]).flat(),
    ...junk(9, 8),
  ])
  out.set(junk(44, 3), 32)
  out.set(junk(8, 4), 116)
  out.set(junk(4, 5), 124)
  if (faces > 1) new DataView(out.buffer).setUint32(112, 0x200 | (((1 << faces) - 1) << 10), true)
  else out.fill(0, 112, 116)
  return out
}

describe('a DDS of several levels', () => {
  it.each([
    [1, [16, 8, 8, 8]],
    [5, [32, 16, 16, 16]],
    ['rgba', [128, 32, 8, 4]],
  ] as const)('of form %s has a row for each level in which a byte differs', (kind, sizes) => {
    const before = ddsOf(kind, 8, 4)
    expectLossless(dds, before)
    const form = kind === 'rgba' ? '32 bit' : `DXT${kind}`
    const starts = sizes.map((_, i) => HEADER + sizes.slice(0, i).reduce((sum, size) => sum + size, 0))
    expect(rows(dds, before, withBits(before, starts[0], starts[0] + 3, starts[2]))).toEqual([
      `levels[0].data: 8 x 4, ${form} -> 2 of ${sizes[0]} bytes differ`,
      `levels[2].data: 2 x 1, ${form} -> 1 of ${sizes[2]} bytes differs`,
    ])
    // what follows the last level is none
    const [tail] = changesOf(dds, before, withBits(before, before.length - 1)).changes
    expect([tail.path, tail.start, tail.end]).toEqual([expect.stringMatching(/^trailing/), before.length - 1, before.length])
    for (let i = 0; i < 4; i++) {
      const end = starts[i] + sizes[i]
      const [{ path, start }, ...others] = changesOf(dds, before, withBits(before, end - 1)).changes
      expect([path, start, others.length]).toEqual([`levels[${i}].data`, end - 1, 0])
    }
  })

  it('has a row for each level of a picture that was put in, and each goes back by itself', () => {
    const before = ddsOf('rgba', 8, 4)
    const after = edited(dds, before, (document) => setDdsPixels(document, 8, 4, picture(8, 4, 3)))
    const { changes } = changesOf(dds, before, after)
    expect(changes.map(({ path }) => path)).toEqual([0, 1, 2, 3].map((i) => `levels[${i}].data`))
    const back = restorePart(dds, 'f', before, { bytes: after, document: dds.decode(after, 'f') }, { kind: 'range', ...changes[1] })
    expect(changesOf(dds, before, back).changes.map(({ path }) => path)).toEqual(['levels[0].data', 'levels[2].data', 'levels[3].data'])
  })

  it('tells both sizes of levels of a picture of another size, and levels that came', () => {
    const before = ddsOf(1, 8, 4)
    const after = edited(dds, before, (document) => setDdsPixels(document, 16, 8, picture(16, 8, 3)))
    expect(rows(dds, before, after).filter((row) => row.startsWith('levels'))).toEqual([
      'levels[0].data: 8 x 4, DXT1, 16 bytes -> 16 x 8, DXT1, 64 bytes',
      'levels[1].data: 4 x 2, DXT1, 8 bytes -> 8 x 4, DXT1, 16 bytes',
      expect.stringMatching(/^levels\[2\]\.data: 2 x 1, DXT1 -> \d of 8 bytes differs?$/),
      expect.stringMatching(/^levels\[3\]\.data: 1 x 1, DXT1 -> \d of 8 bytes differs?$/),
      expect.stringMatching(/^levels\[4\]\.data:  -> .* added$/),
    ])
    expect(after.subarray(-9)).toEqual(before.subarray(-9))
  })

  it('of a picture that ends early has the levels that are there', () => {
    const before = ddsOf('rgba', 8, 4).slice(0, HEADER + 128 + 32 + 5)
    expectLossless(dds, before)
    expect(rows(dds, before, withBits(before, HEADER + 127, before.length - 1))).toEqual([
      'levels[0].data: 8 x 4, 32 bit -> 1 of 128 bytes differs',
      'levels[2].data: 2 x 1, 32 bit -> 1 of 5 bytes differs',
    ])
  })
})

describe('a picture that the game updated under a mod', () => {
  const base = ddsOf('rgba', 8, 4)
  const [first, second] = [HEADER, HEADER + 128]
  const merge = (game: number[], mine: number[]) => mergeEdits(dds, 'f', base, withBits(base, ...game), withBits(base, ...mine))

  it('goes together with the mod where they changed other levels, or did the same', () => {
    expect(merge([first], [second + 3])).toMatchObject({ bytes: withBits(base, first, second + 3), conflicts: [] })
    expect(merge([first, second], [first])).toMatchObject({ bytes: withBits(base, first, second), conflicts: [] })
  })

  it('conflicts as a whole level where both changed one, and says how much each did', () => {
    const { conflicts, bytes } = merge([first], [first + 64, first + 65, second])
    expect(conflicts).toEqual([
      { path: 'levels[0].data', base: '8 x 4, 32 bit', game: '1 of 128 bytes differs', mine: '2 of 128 bytes differ' },
    ])
    // the level is the game's, the other one comes along
    expect(bytes).toEqual(withBits(base, first, second))
  })

  it('is a conflict of that level in a comparison of three, too', async () => {
    const root = tempFolder({
      'o.dds': base,
      'a.dds': withBits(base, first),
      'b.dds': withBits(base, first + 64, second),
    })
    const [a, b, o] = ['a', 'b', 'o'].map((name) => join(root, `${name}.dds`))
    const told = await marrow(['compare', a, b, '--base', o], {})
    expect(told.status).toBe(1)
    expect(told.out).toMatch(/conflict/i)
    expect(told.out).toContain('levels[0].data')
    const { conflicts, threeWay } = (await marrow(['compare', a, b, '--base', o, '--json'], {})).json()
    expect([conflicts, threeWay[0].conflicts.map(({ path }: any) => path)]).toEqual([1, ['levels[0].data']])
  })
})

describe('a DDS with the later header', () => {
  /** BC1 by its number, an array of `count` */
  const later = (count: number, miscFlag = 0): Uint8Array => {
    const plain = ddsOf(1, 8, 4)
    plain.set(new TextEncoder().encode('DX10'), 84)
    return new Uint8Array([
      ...plain.subarray(0, HEADER),
      ...new Uint8Array(new Uint32Array([71, 3, miscFlag, count, 7]).buffer),
      ...plain.subarray(HEADER),
    ])
  }

  it('has a row for each level, and keeps what stands behind a picture that is put in', () => {
    const before = later(1)
    expectLossless(dds, before)
    expect(rows(dds, before, withBits(before, HEADER + 20 + 16, HEADER + 20 + 17))).toEqual([
      'levels[1].data: 4 x 2, DX10 71 -> 2 of 8 bytes differ',
    ])
    const after = edited(dds, before, (document) => setDdsPixels(document, 8, 4, picture(8, 4, 3)))
    expect(after.length).toBe(before.length)
    expect(after.subarray(-9)).toEqual(before.subarray(-9))
  })

  it.each([
    ['an array', 2, 0],
    ['a cube map', 1, 4],
  ])('of %s has one row of all pixels, and takes no picture', (_, count, miscFlag) => {
    const before = later(count, miscFlag)
    expectLossless(dds, before)
    expect(rows(dds, before, withBits(before, HEADER + 20))).toEqual([
      `data: 8 x 4, DX10 71 -> 1 of ${before.length - HEADER - 20} bytes differs`,
    ])
    expect(() => edited(dds, before, (document) => setDdsPixels(document, 8, 4, picture(8, 4, 3)))).toThrow(
      expect.objectContaining({ code: 'invalid-edit' }),
    )
  })
})

describe('a cube map', () => {
  it.each([6, 2])('of %i faces has a row for each level of each face', (faces) => {
    const before = ddsOf('rgba', 4, 4, faces)
    expectLossless(dds, before)
    const face = 64 + 16 + 4
    const last = HEADER + face * (faces - 1)
    expect(rows(dds, before, withBits(before, HEADER + 1, last + 64, last + 65, last + 80))).toEqual([
      'faces[0].levels[0].data: 4 x 4, 32 bit -> 1 of 64 bytes differs',
      `faces[${faces - 1}].levels[1].data: 2 x 2, 32 bit -> 2 of 16 bytes differ`,
      `faces[${faces - 1}].levels[2].data: 1 x 1, 32 bit -> 1 of 4 bytes differs`,
    ])
    expect(changesOf(dds, before, withBits(before, last + face)).changes[0].path).toMatch(/^trailing/)
  })

  it('that ends in its first face calls its levels as a whole one does', () => {
    const whole = ddsOf('rgba', 4, 4, 6)
    const cut = whole.slice(0, HEADER + 70)
    expectLossless(dds, cut)
    expect(rows(dds, cut, withBits(cut, HEADER))).toEqual(['faces[0].levels[0].data: 4 x 4, 32 bit -> 1 of 64 bytes differs'])
  })
})

/** A TIM2 of 8 x 8, 4 x 4 and 2 x 2 pixels, with a mip-map header, padding of junk behind it, and junk behind the file. */
function tim2Of(imageType: number, sizes: number[], options: { clut?: Uint8Array; colors?: number; told?: number[] } = {}): Uint8Array {
  const all = sizes.reduce((sum, size) => sum + size, 0)
  const bytes = tim2Bytes({ width: 8, height: 8, imageType, clutType: 3, extra: 0x20, image: junk(all, 21), ...options })
  bytes[0x10 + 0x11] = sizes.length
  const view = new DataView(bytes.buffer)
  ;(options.told ?? sizes).forEach((size, i) => view.setUint32(0x40 + 16 + 4 * i, size, true))
  return new Uint8Array([...bytes, ...junk(6, 9)])
}

describe('a TIM2 of several levels', () => {
  const clut = Uint8Array.from({ length: 1024 }, (_, i) => (i % 4 === 3 ? 0x80 : (i >> 2) * 5))
  const image = 0x10 + 0x30 + 0x20

  it('has a row for each level in which a byte differs, and one for the palette', () => {
    const before = tim2Of(5, [64, 16, 4], { clut, colors: 256 })
    expectLossless(tim2Format, before)
    const after = withBits(before, image, image + 63, image + 80, image + 84 + 5)
    expect(rows(tim2Format, before, after)).toEqual([
      'pictures[0].levels[0].image: 8 x 8, 8-bit palette -> 2 of 64 bytes differ',
      'pictures[0].levels[2].image: 2 x 2, 8-bit palette -> 1 of 4 bytes differs',
      'pictures[0].clut: 256 colours -> 1 of 1,024 bytes differs',
    ])
    // the header of the levels and the junk behind it are no pixels
    expect(changesOf(tim2Format, before, withBits(before, 0x40 + 3)).changes[0].path).toMatch(/^pictures\[0\]\.mipTbp/)
    expect(changesOf(tim2Format, before, withBits(before, image - 1)).changes[0].path).toMatch(/^pictures\[0\]\.headerExtra/)
  })

  it('of which the sizes do not add up has one row of all pixels', () => {
    const before = tim2Of(5, [64, 16, 4], { clut, colors: 256, told: [64, 16, 5] })
    expectLossless(tim2Format, before)
    expect(rows(tim2Format, before, withBits(before, image, image + 83))).toEqual([
      'pictures[0].image: 8 x 8, 8-bit palette -> 2 of 84 bytes differ',
    ])
  })

  it.each([
    ['without the bit', 1, 2, 0x7fff],
    ['with the bit', 1, 2, 0xffff],
    ['of 24 bits', 2, 3, 0],
    ['of 32 bits, alpha above 0x80', 3, 4, 0],
  ])('of plain colours %s changes the pixels that are other than before, and no more', (_, imageType, size, mask) => {
    const before = tim2Of(imageType, [64 * size, 16 * size, 4 * size])
    if (mask) for (let i = 0; i < 64; i++) before[image + 2 * i + 1] = (before[image + 2 * i + 1] | 0x80) & (mask >> 8)
    expectLossless(tim2Format, before)
    const put = (at: number[]): Uint8Array =>
      edited(tim2Format, before, ({ tim2: { pictures } }) => {
        const { rgba } = decodePicture(pictures[0])!
        for (const i of at) for (let c = 0; c < 3; c++) rgba[4 * i + c] ^= 0xff
        setPixels(pictures[0], 8, 8, rgba, false)
      })
    expect(put([])).toEqual(before)
    const after = put([9, 10])
    const changed = [...after.keys()].filter((i) => after[i] !== before[i])
    expect(new Set(changed.map((i) => Math.floor((i - image) / size)))).toEqual(new Set([9, 10]))
    expect(rows(tim2Format, before, after)).toEqual([expect.stringMatching(/^pictures\[0\]\.levels\[0\]\.image: 8 x 8, .* bytes differ$/)])
  })

  it('is told to keep its smaller levels where a picture is put in', () => {
    const notes = (bytes: Uint8Array): string[] =>
      textures.storage(
        {
          assembled: { scene: { textures: [{ source: { ref: 'x', path: '' } }] }, options: [] },
          document: () => tim2Format.decode(bytes, 'x'),
        } as unknown as TextureDocuments,
        0,
      ).notes
    const stay = 'The 2 smaller levels behind it stay as they are.'
    expect(notes(tim2Of(3, [256, 64, 16]))).toContain(stay)
    expect(notes(tim2Of(3, [256])).join()).not.toMatch(/smaller level/)
  })

  it('of 16 bits has the bit at all opaque pixels where a clear one comes in', () => {
    const before = tim2Of(1, [128, 32, 8])
    for (let i = 0; i < 64; i++) before[image + 2 * i + 1] &= 0x7f
    const after = edited(tim2Format, before, ({ tim2: { pictures } }) => {
      const { rgba } = decodePicture(pictures[0])!
      rgba.fill(0, 40, 44)
      setPixels(pictures[0], 8, 8, rgba, false)
      const shown = decodePicture(pictures[0])!.rgba
      expect([...shown.keys()].filter((i) => i % 4 === 3 && shown[i] === 0)).toEqual([43])
    })
    expect(after.subarray(image + 128)).toEqual(before.subarray(image + 128))
  })
})
