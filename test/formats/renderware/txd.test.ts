import { describe, expect, it } from 'vitest'
import { encodeDocument } from '../../../src/main/formats/format.ts'
import { ID, makeStamp } from '../../../src/main/formats/renderware/codecs/chunk-ids.ts'
import { childOf, makeContainer, makeRaw } from '../../../src/main/formats/renderware/codecs/chunk.ts'
import { newTexture, newTxd } from '../../../src/main/formats/renderware/make.ts'
import { decodeLevel, rasterProblem, replacePixels } from '../../../src/main/formats/renderware/codecs/raster.ts'
import { RASTER } from '../../../src/main/formats/renderware/codecs/texture-native.ts'
import { texturesOf, txdFormat } from '../../../src/main/formats/renderware/codecs/txd.ts'
import { payload } from '../../fixtures/renderware/ped.ts'
import { expectLossless, expectTameWhenCorrupted, expectTameWhenTruncated, junk } from '../../support/hostile.ts'
import type { NewRaster } from '../../../src/main/formats/renderware/make.ts'
import type { TxdDocument } from '../../../src/main/formats/renderware/codecs/txd.ts'
import type { TextureNative } from '../../../src/main/formats/renderware/codecs/texture-native.ts'

const stamp = makeStamp(0x36003)
const RASTERS: NewRaster[] = ['8888', '888', '565', '1555', '4444', 'LUM8', 'PAL8', 'PAL4', 'DXT1', 'DXT3', 'DXT5']

/** Four flat quarters, colours that every format but LUM8 holds nearly. */
function picture(width: number, height: number): Uint8Array {
  const colors = [
    [255, 0, 0, 255],
    [0, 255, 0, 255],
    [0, 0, 255, 255],
    [255, 255, 255, 255],
  ]
  const out = new Uint8Array(4 * width * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) out.set(colors[(y >= height / 2 ? 2 : 0) + (x >= width / 2 ? 1 : 0)], 4 * (y * width + x))
  return out
}

const bytesOf = (document: TxdDocument): Uint8Array => encodeDocument(txdFormat, document).bytes.slice()

function odd(): Uint8Array {
  const document = newTxd([
    { name: 'a', width: 8, height: 4, rgba: picture(8, 4), raster: '8888', mips: true },
    { name: 'b', mask: 'bm', width: 8, height: 8, rgba: picture(8, 8), raster: 'DXT1', mips: true, platform: 8 },
    { name: 'c', width: 4, height: 4, rgba: picture(4, 4), raster: 'PAL4', platform: 8 },
  ])
  const root = document.roots[0]
  const natives = root.children!.filter((c) => c.type === ID.textureNative)
  const first = childOf(natives[0], ID.struct)!.value as TextureNative
  first.name = Uint8Array.from([0x61, 0, ...junk(30)])
  first.mask = Uint8Array.from([0, ...junk(31)])
  // counts no level and has one
  ;(childOf(natives[2], ID.struct)!.value as TextureNative).numLevels = 0
  childOf(natives[1], ID.extension)!.children!.push(makeRaw(ID.anisotropy, stamp, payload(8)), makeRaw(0x5555, 0x1003ffff, junk(3)))
  const at = root.children!.length - 1
  const name = (text: string): Uint8Array => new TextEncoder().encode(text)
  root.children!.splice(
    at,
    0,
    makeContainer(ID.textureNative, 0x310, [
      makeRaw(ID.struct, 0x310, payload(0x00325350, 0x1102)),
      makeRaw(ID.string, 0x310, name('ps2\0')),
      makeRaw(ID.string, 0x310, name('\0\0\0\0')),
      makeRaw(ID.struct, 0x310, payload(1, 64, 0x310, 16, 8, 8, junk(52), 1, 20, 0x310, junk(20))),
      makeContainer(ID.extension, 0x310, []),
    ]),
    makeContainer(ID.textureNative, stamp, [
      makeRaw(
        ID.struct,
        stamp,
        payload(5, 0x1102, junk(64), 0x200, { u16: [1, 0] }, { u16: [4, 4] }, Uint8Array.of(16, 1, 4, 0xc), 8, junk(8)),
      ),
    ]),
    makeContainer(ID.textureNative, stamp, [makeRaw(ID.struct, stamp, payload(77, junk(50)))]),
  )
  document.trailing = new Uint8Array(40)
  return bytesOf(document)
}

describe('TXD', () => {
  it('writes every kind of texture as it was', () => {
    const document = expectLossless(txdFormat, odd())
    expect(document.diagnostics.map((d) => [d.code, d.path])).toEqual([
      ['renderware.raw-chunk', 'texDictionary.textureNative[5].struct.platform'],
    ])
    expect(texturesOf(document).map((t) => [t.name, t.width, t.height, t.format])).toEqual([
      ['a', 8, 4, '8888'],
      ['b', 8, 8, 'DXT1'],
      ['c', 4, 4, '8888 PAL4'],
      ['ps2', 16, 8, 'PlayStation 2'],
      [expect.any(String), 4, 4, 'DXT1'],
      ['', 0, 0, 'unknown'],
    ])
    expect(txdFormat.identify(odd(), 'x', odd().length)).toBeGreaterThan(0.9)
    expect(txdFormat.summarize(document).provides).toContain('renderware.texture:b')
  })
  it('is tame when cut or wrong', () => {
    expectTameWhenTruncated(txdFormat, odd())
    expectTameWhenCorrupted(txdFormat, odd(), 3)
  })
})

describe('pixels', () => {
  it.each(RASTERS)('of %s are read as they were put in', (raster) => {
    for (const platform of [8, 9] as const) {
      const rgba = picture(16, 8)
      const texture = newTexture({ name: 't', width: 16, height: 8, rgba, raster, mips: true, platform })
      expect(rasterProblem(texture)).toBe('')
      expect(texture.numLevels).toBe(5)
      const out = decodeLevel(texture)
      const expected =
        raster === 'LUM8'
          ? rgba.map((_, i) =>
              i % 4 === 3 ? 255 : Math.round(0.299 * rgba[i - (i % 4)] + 0.587 * rgba[i - (i % 4) + 1] + 0.114 * rgba[i - (i % 4) + 2]),
            )
          : rgba
      expect(out).toEqual(expected)
      // the smallest level is the mean of all
      const mean = decodeLevel(texture, 4)
      if (raster === '8888') expect(Array.from(mean)).toEqual([128, 128, 128, 255])
      expect(mean.length).toBe(4)
      expectLossless(txdFormat, bytesOf(newTxd([{ name: 't', width: 16, height: 8, rgba, raster, mips: true, platform }])))
    }
  })
  it('keep transparency where the format has it', () => {
    const rgba = picture(4, 4)
    for (let i = 3; i < 32; i += 4) rgba[i] = 0
    for (const raster of ['8888', '1555', '4444', 'PAL8', 'DXT3', 'DXT5'] as const)
      expect(decodeLevel(newTexture({ name: 't', width: 4, height: 4, rgba, raster })).filter((_, i) => i % 4 === 3)).toEqual(
        rgba.filter((_, i) => i % 4 === 3),
      )
    for (const raster of ['888', '565'] as const)
      expect(decodeLevel(newTexture({ name: 't', width: 4, height: 4, rgba, raster })).every((v, i) => i % 4 !== 3 || v === 255)).toBe(true)
  })
  it('are BGRA in the file, palettes RGBA', () => {
    const red = Uint8Array.of(255, 1, 2, 200)
    expect(Array.from(newTexture({ name: 't', width: 1, height: 1, rgba: red, raster: '8888' }).levels[0].data)).toEqual([2, 1, 255, 200])
    const paletted = newTexture({ name: 't', width: 1, height: 1, rgba: red, raster: 'PAL8' })
    expect(Array.from(paletted.palette.subarray(0, 4))).toEqual([255, 1, 2, 200])
    expect(paletted.palette.length).toBe(1024)
    expect(newTexture({ name: 't', width: 1, height: 1, rgba: red, raster: 'PAL4' }).palette.length).toBe(128)
  })
  it('replaced in another size get levels for that size', () => {
    const texture = newTexture({ name: 't', width: 8, height: 8, rgba: picture(8, 8), raster: 'DXT1', mips: true })
    replacePixels(texture, 32, 16, picture(32, 16))
    expect([texture.width, texture.height, texture.numLevels, texture.levels.length]).toEqual([32, 16, 6, 6])
    expect(decodeLevel(texture)).toEqual(picture(32, 16))
    expect(() => replacePixels(texture, 0, 16, new Uint8Array(0))).toThrow(/cannot be stored/)
  })
  it.each([
    ['PAL8', 8, 100],
    ['PAL4', 8, 20],
    ['PAL4', 4, 10],
  ] as const)('%s of %i bits: 4 x 4 new pixels change their indices and a free entry, and nothing else', (raster, depth, used) => {
    const texture = newTexture({ name: 't', width: 16, height: 16, rgba: picture(16, 16), raster, mips: true })
    texture.depth = depth
    texture.palette = junk(depth === 4 ? 64 : texture.palette.length, 5)
    // smaller levels have pixels of their own, one of an entry that the first has not, and bytes stand behind them
    const sizes = [256, 64, 16, 4, 1]
    texture.levels = sizes.map((n, level) => {
      const data = junk((depth === 4 ? Math.ceil(n / 2) : n) + 3, level + 1)
      for (let i = 0; i < data.length - 3; i++) data[i] = depth === 4 ? (i % used) | (((i * 3) % used) << 4) : i % used
      if (level === 1) data[0] = used
      return { data }
    })
    const before = structuredClone(texture)
    const rgba = decodeLevel(texture)
    replacePixels(texture, 16, 16, rgba.slice())
    expect(texture).toEqual(before)
    const block = [4, 5, 6, 7].flatMap((y) => [8, 9, 10, 11].map((x) => 16 * y + x))
    for (const i of block) rgba.set([255, 0, 254, 255], 4 * i)
    replacePixels(texture, 16, 16, rgba)
    expect(decodeLevel(texture)).toEqual(rgba)
    const nibbles = (data: Uint8Array): Uint8Array =>
      Uint8Array.from({ length: 2 * data.length }, (_, i) => (data[i >> 1] >> (4 * (i & 1))) & 15)
    const changed = (level: number): number[] => {
      const [was, is] = [before.levels[level].data, texture.levels[level].data].map(depth === 4 ? nibbles : (data) => data)
      expect(is.length).toBe(was.length)
      return [...was.keys()].filter((k) => was[k] !== is[k])
    }
    expect(changed(0)).toEqual(block)
    for (const k of changed(1)) expect([20, 21, 28, 29]).toContain(k)
    for (const k of changed(2)) expect(k).toBe(6)
    for (const k of changed(3)) expect(k).toBe(1)
    for (const k of changed(4)) expect(k).toBe(0)
    // the entry of the smaller level is not free
    expect(new Set([...before.palette.keys()].filter((k) => texture.palette[k] !== before.palette[k]).map((k) => k >> 2))).toEqual(
      new Set([used + 1]),
    )
  })
  it('of many colours get a palette of their own', () => {
    const rgba = new Uint8Array(4 * 32 * 32)
    for (let i = 0; i < 1024; i++) rgba.set([i & 255, (i >> 2) & 255, 255 - (i & 255), 255], 4 * i)
    const texture = newTexture({ name: 't', width: 32, height: 32, rgba, raster: 'PAL8' })
    const out = decodeLevel(texture)
    let worst = 0
    for (let i = 0; i < out.length; i++) worst = Math.max(worst, Math.abs(out[i] - rgba[i]))
    expect(worst).toBeLessThan(16)
  })
  describe('of the Xbox', () => {
    const xbox = (raster: NewRaster, width: number, height: number): TextureNative => {
      const texture = newTexture({ name: 't', width, height, rgba: picture(width, height), raster, platform: 8 })
      const dxt = { DXT1: 0xc, DXT3: 0xe, DXT5: 0xf }[raster as string] ?? 0
      return { ...texture, platform: 5, flags: dxt, totalSize: texture.levels[0].data.length }
    }
    it.each(['DXT1', 'DXT3', 'DXT5'] as const)('%s stand as elsewhere', (raster) => {
      expect(decodeLevel(xbox(raster, 8, 8))).toEqual(picture(8, 8))
    })
    it.each([
      ['8888', 4, 4],
      ['8888', 8, 2],
      ['565', 2, 8],
      ['PAL8', 4, 8],
    ] as const)('%s of %i x %i are taken out of their order', (raster, width, height) => {
      const texture = xbox(raster, width, height)
      const bytes = texture.depth / 8
      const rows = texture.levels[0].data
      const swizzled = new Uint8Array(rows.length)
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          // bits of x and y by turns; what one side has more stands above
          let at = 0
          for (let bit = 0, place = 0; bit < 4; bit++) {
            if (1 << bit < width) at |= ((x >> bit) & 1) << place++
            if (1 << bit < height) at |= ((y >> bit) & 1) << place++
          }
          swizzled.set(rows.subarray(bytes * (y * width + x), bytes * (y * width + x + 1)), bytes * at)
        }
      }
      expect(decodeLevel({ ...texture, levels: [{ data: swizzled }] })).toEqual(picture(width, height))
    })
    it('are not written, and odd sizes have no known order', () => {
      expect(() => replacePixels(xbox('8888', 4, 4), 4, 4, picture(4, 4))).toThrow(/shown, not written/)
      expect(rasterProblem(xbox('8888', 6, 4))).toMatch(/no known order/)
    })
  })
  it('of an unknown format are refused with the reason', () => {
    const texture = newTexture({ name: 't', width: 4, height: 4, rgba: picture(4, 4), raster: '565' })
    texture.rasterFormat = 0xe00
    expect(rasterProblem(texture)).toMatch(/0xe00/)
    expect(() => decodeLevel(texture)).toThrow(/0xe00/)
    texture.rasterFormat = RASTER.c565
    texture.levels[0].data = texture.levels[0].data.slice(1)
    expect(rasterProblem(texture)).toMatch(/31 bytes/)
  })
})
