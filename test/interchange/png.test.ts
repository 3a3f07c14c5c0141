import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readPng, writePng } from '../../src/main/interchange/png.ts'
import { pngChunk, pngFile } from '../fixtures/png.ts'
import { junk } from '../support/hostile.ts'
import type { PngRecipe } from '../fixtures/png.ts'

const noise =
  (most: number) =>
  (x: number, y: number, c: number): number =>
    (x * 7919 + y * 104_729 + c * 31 + x * y * 13) % (most + 1)
const KINDS: [PngRecipe['color'], PngRecipe['depth']][] = [
  [0, 1],
  [0, 2],
  [0, 4],
  [0, 8],
  [0, 16],
  [2, 8],
  [2, 16],
  [3, 1],
  [3, 2],
  [3, 4],
  [3, 8],
  [4, 8],
  [4, 16],
  [6, 8],
  [6, 16],
]
const palette = Array.from({ length: 3 * 200 }, (_, i) => (i * 37) & 255)

function expected(p: PngRecipe): number[] {
  const most = 2 ** p.depth - 1
  const eight = (value: number): number => Math.round((value * 255) / most)
  const out: number[] = []
  for (let y = 0; y < p.height; y++) {
    for (let x = 0; x < p.width; x++) {
      const s = [0, 1, 2, 3].map((c) => p.sample(x, y, c))
      if (p.color === 3) out.push(...[0, 1, 2].map((c) => p.palette![3 * s[0] + c] ?? 0), p.clear?.[s[0]] ?? 255)
      else if (p.color === 0) out.push(eight(s[0]), eight(s[0]), eight(s[0]), 255)
      else if (p.color === 4) out.push(eight(s[0]), eight(s[0]), eight(s[0]), eight(s[1]))
      else out.push(eight(s[0]), eight(s[1]), eight(s[2]), p.color === 6 ? eight(s[3]) : 255)
    }
  }
  return out
}

describe('PNG', () => {
  describe.each([false, true])('interlaced %s', (interlaced) => {
    it.each(KINDS)('colour type %i with %i bits is read', async (color, depth) => {
      for (const [width, height] of [
        [1, 1],
        [3, 2],
        [13, 11],
        [17, 9],
      ]) {
        const recipe: PngRecipe = {
          width,
          height,
          color,
          depth,
          interlaced,
          sample: noise(2 ** depth - 1),
          palette: color === 3 ? palette : undefined,
        }
        const picture = await readPng(pngFile(recipe), 'a.png')
        expect([picture.width, picture.height]).toEqual([width, height])
        expect([...picture.rgba]).toEqual(expected(recipe))
      }
    })
  })
  it.each([0, 1, 2, 3, 4])('filter %i is taken off', async (filter) => {
    const recipe: PngRecipe = { width: 9, height: 5, color: 6, depth: 8, filter, sample: noise(255) }
    expect([...(await readPng(pngFile(recipe), 'a.png')).rgba]).toEqual(expected(recipe))
  })
  it('clear colours are alpha', async () => {
    const at = (x: number): number => x * 1000
    const grey = await readPng(pngFile({ width: 3, height: 1, color: 0, depth: 16, sample: at, clear: [1000 >> 8, 1000 & 255] }), 'a.png')
    expect([...grey.rgba].filter((_, i) => i % 4 === 3)).toEqual([255, 0, 255])
    const bits = await readPng(pngFile({ width: 4, height: 1, color: 0, depth: 2, sample: (x) => x, clear: [0, 3] }), 'a.png')
    expect([...bits.rgba].filter((_, i) => i % 4 === 3)).toEqual([255, 255, 255, 0])
    const rgb = await readPng(
      pngFile({ width: 2, height: 1, color: 2, depth: 8, sample: (x, _, c) => 10 * x + c, clear: [0, 10, 0, 11, 0, 12] }),
      'a.png',
    )
    expect([...rgb.rgba]).toEqual([0, 1, 2, 255, 10, 11, 12, 0])
    const mapped = await readPng(
      pngFile({ width: 3, height: 1, color: 3, depth: 8, sample: (x) => x, palette: [1, 2, 3, 4, 5, 6], clear: [7] }),
      'a.png',
    )
    // an entry that the palette has not is black
    expect([...mapped.rgba]).toEqual([1, 2, 3, 7, 4, 5, 6, 255, 0, 0, 0, 255])
  })
  it('what is written is read', async () => {
    const rgba = junk(4 * 7 * 5)
    expect(await readPng(writePng({ width: 7, height: 5, rgba }), 'a.png')).toEqual({ width: 7, height: 5, rgba })
  })
  it('chunks that pixels do not need are not looked at; unknown ones that they need are refused', async () => {
    const plain: PngRecipe = { width: 2, height: 2, color: 6, depth: 8, sample: noise(255) }
    // a profile that unpacks to 100 MB
    const bomb = pngChunk('iCCP', Uint8Array.from([...Buffer.from('x\0\0'), ...deflateSync(new Uint8Array(100_000_000))]))
    expect([...(await readPng(pngFile({ ...plain, extra: [bomb] }), 'a.png')).rgba]).toEqual(expected(plain))
    await expect(readPng(pngFile({ ...plain, extra: [pngChunk('QQQQ', new Uint8Array(4))] }), 'a.png')).rejects.toMatchObject({
      code: 'unsupported',
      offset: 33,
    })
  })
  it('sizes are judged before anything is unpacked', async () => {
    const one: PngRecipe = { width: 1, height: 1, color: 6, depth: 8, sample: () => 0 }
    const large = pngFile(one)
    new DataView(large.buffer).setUint32(16, 4_000_000_000)
    large.set(pngChunk('IHDR', large.subarray(16, 29)), 8)
    await expect(readPng(large, 'a.png')).rejects.toMatchObject({ code: 'bad-count', file: 'a.png', offset: 16 })
    await expect(readPng(pngFile({ ...one, packed: deflateSync(new Uint8Array(50_000_000)) }), 'a.png')).rejects.toThrow(
      /packed pixels are more than 1 x 1/,
    )
    await expect(readPng(pngFile({ ...one, packed: deflateSync(new Uint8Array(4)) }), 'a.png')).rejects.toMatchObject({
      code: 'truncated',
      message: expect.stringContaining('4 of 5 bytes'),
    })
  })
  it('is tame when cut or wrong', async () => {
    const whole = pngFile({ width: 5, height: 4, color: 3, depth: 4, sample: noise(15), palette })
    for (let n = 0; n < whole.length; n++)
      await expect(readPng(whole.slice(0, n), 'a.png')).rejects.toMatchObject({ code: expect.stringMatching(/truncated|bad-magic/) })
    for (let i = 0; i < whole.length; i++) {
      const wrong = whole.slice()
      wrong[i] ^= 1 << (i % 8)
      // every chunk that a picture needs has a check sum
      await expect(readPng(wrong, 'a.png'), `byte ${i}`).rejects.toMatchObject({ name: 'FormatError' })
    }
  })
  it('rows with a filter that there is not are refused', async () => {
    await expect(
      readPng(pngFile({ width: 2, height: 1, color: 0, depth: 8, sample: () => 0, packed: deflateSync(Uint8Array.of(9, 0, 0)) }), 'a.png'),
    ).rejects.toThrow(/filter 9/)
  })
})
