/** TGA and DDS as the games have them, built byte by byte. */
import { describe, expect, it } from 'vitest'
import { imageOf } from '../../src/main/formats/image/image.ts'
import { FileStore } from '../../src/main/files/store.ts'
import { openDocument } from '../../src/main/files/open-document.ts'
import { ascii, bytes, cleanUp, fill, folder, u16, u32, u8 } from './support.ts'

cleanUp()

function pixels(name: string, file: Uint8Array, opaque: number): { width: number; height: number; rgba: number[] } {
  const f = folder({ [name]: file })
  f.lossless(opaque)
  const { width, height, rgba } = imageOf(openDocument(new FileStore(), f.path(name)).document)!
  return { width, height, rgba: [...rgba] }
}

describe('TGA', () => {
  const tga = (
    type: number,
    bits: number,
    descriptor: number,
    data: Uint8Array,
    { map = bytes(), id = bytes(), mapBits = 24, width = 2, height = 2 } = {},
  ): Uint8Array =>
    bytes(
      id.length,
      map.length ? 1 : 0,
      type,
      u16(0, map.length / (mapBits / 8)),
      map.length ? mapBits : 0,
      u16(0, 0, width, height),
      bits,
      descriptor,
      id,
      map,
      data,
    )
  const bgr = (...list: number[]): Uint8Array => u8(...list.flatMap((v) => [v + 2, v + 1, v]))
  const rgb = (...list: number[]): number[] => list.flatMap((v) => [v, v + 1, v + 2, 255])
  it('rows from the bottom or the top, 24 and 32 bits', () => {
    expect(pixels('a.tga', tga(2, 24, 0, bgr(10, 20, 30, 40)), 0)).toEqual({ width: 2, height: 2, rgba: rgb(30, 40, 10, 20) })
    expect(pixels('a.tga', tga(2, 24, 0x20, bgr(10, 20, 30, 40)), 0).rgba).toEqual(rgb(10, 20, 30, 40))
    expect(
      pixels('a.tga', tga(2, 32, 8, u8(3, 2, 1, 4, 7, 6, 5, 8, 3, 2, 1, 0, 7, 6, 5, 255), { id: ascii('id') }), 0).rgba.slice(0, 8),
    ).toEqual([1, 2, 3, 0, 5, 6, 7, 255])
  })
  it('runs, grey and palettes', () => {
    expect(pixels('a.tga', tga(10, 24, 0x20, bytes(0x81, bgr(10), 0x01, bgr(30, 40))), 0).rgba).toEqual(rgb(10, 10, 30, 40))
    expect(pixels('a.tga', tga(3, 8, 0x20, u8(1, 2, 3, 4)), 0).rgba).toEqual([1, 2, 3, 4].flatMap((v) => [v, v, v, 255]))
    expect(pixels('a.tga', tga(1, 8, 0x20, u8(1, 0, 1, 1), { map: bgr(10, 20) }), 0).rgba).toEqual(rgb(20, 10, 20, 20))
  })
  it('a footer stays', () => {
    expect(pixels('a.tga', bytes(tga(2, 24, 0x20, bgr(10, 20, 30, 40)), fill(8, 0), ascii('TRUEVISION-XFILE.\0')), 26).rgba).toEqual(
      rgb(10, 20, 30, 40),
    )
  })
})

describe('DDS', () => {
  const dds = (
    fourCc: string,
    width: number,
    height: number,
    data: Uint8Array,
    { mips = 0, bits = 0, masks = [0, 0, 0, 0], flags = 4 } = {},
  ): Uint8Array =>
    bytes(
      ascii('DDS '),
      u32(124, 0x1007, height, width, 0, 0, mips),
      fill(44, 0x5a),
      u32(32, flags),
      fourCc ? ascii(fourCc) : u32(0),
      u32(bits, ...masks),
      u32(0x1000, 0, 0, 0, 0x77),
      data,
    )
  const color = bytes(u16(31 << 11, 31), u32(0))
  it('DXT1 to 5, no mip count, sizes that are no multiple of four', () => {
    for (const [code, block] of [
      ['DXT1', color],
      ['DXT2', bytes(fill(8, 255), color)],
      ['DXT3', bytes(fill(8, 255), color)],
      ['DXT4', bytes(u8(255, 255, 0, 0, 0, 0, 0, 0), color)],
      ['DXT5', bytes(u8(255, 255, 0, 0, 0, 0, 0, 0), color)],
    ] as const) {
      const got = pixels('a.dds', dds(code, 6, 5, bytes(block, block, block, block)), 0)
      expect([got.width, got.height, got.rgba.length], code).toEqual([6, 5, 120])
      expect(got.rgba.slice(0, 4), code).toEqual([255, 0, 0, 255])
      expect(got.rgba.slice(-4), code).toEqual([255, 0, 0, 255])
    }
    // with mips, and bytes behind them
    expect(pixels('a.dds', bytes(dds('DXT1', 4, 4, bytes(color, color, color), { mips: 3 }), 1, 2), 2).rgba.slice(0, 4)).toEqual([
      255, 0, 0, 255,
    ])
  })
  it('plain pixels by their masks', () => {
    expect(
      pixels('a.dds', dds('', 1, 1, u8(3, 2, 1, 4), { bits: 32, flags: 0x41, masks: [0xff0000, 0xff00, 0xff, 0xff000000] }), 0).rgba,
    ).toEqual([1, 2, 3, 4])
    expect(pixels('a.dds', dds('', 1, 1, u8(3, 2, 1), { bits: 24, flags: 0x40, masks: [0xff0000, 0xff00, 0xff, 0] }), 0).rgba).toEqual([
      1, 2, 3, 255,
    ])
  })
})
