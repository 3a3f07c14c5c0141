import { describe, expect, it } from 'vitest'
import { choosePalette, nearestIndices, paletteFor } from '../../../src/main/formats/image/palette.ts'

/** Pixels of all sorts, alpha too, the same at every run. */
function noise(pixels: number, seed = 1): Uint8Array {
  let state = seed
  return Uint8Array.from({ length: 4 * pixels }, () => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) >>> 24)
}

function plainNearest(rgba: Uint8Array, palette: Uint8Array): Uint8Array {
  return Uint8Array.from({ length: rgba.length / 4 }, (_, i) => {
    const distances = Array.from({ length: palette.length / 4 }, (_, k) =>
      [0, 1, 2, 3].reduce((sum, c) => sum + (rgba[4 * i + c] - palette[4 * k + c]) ** 2, 0),
    )
    return distances.indexOf(Math.min(...distances))
  })
}

function error(rgba: Uint8Array, palette: Uint8Array): number {
  const indices = nearestIndices(rgba, palette)
  return Math.sqrt(rgba.reduce((sum, value, i) => sum + (value - palette[4 * indices[i >> 2] + (i & 3)]) ** 2, 0) / rgba.length)
}

describe('palettes', () => {
  it('give each pixel the nearest entry, the first of equals, as trying all of them does', () => {
    for (const entries of [1, 2, 16, 256]) {
      const palette = noise(entries, 7)
      // doubles, and pixels that are just between two
      palette.copyWithin(palette.length / 2, 0, 4)
      const rgba = noise(3000, 3)
      rgba.set(palette.subarray(0, Math.min(palette.length, 400)), 0)
      expect(nearestIndices(rgba, palette)).toEqual(plainNearest(rgba, palette))
    }
  })

  it('are the colours themselves, in their order, where there are few enough', () => {
    const colors = noise(16)
    const rgba = new Uint8Array([...colors, ...colors.slice(8, 24), ...colors])
    expect(choosePalette(rgba, 16)).toEqual(colors)
    expect(choosePalette(rgba, 200)).toEqual(colors)
    expect(choosePalette(rgba, 15)).not.toEqual(colors.slice(0, 60))
  })

  it('stay where they hold every colour, and keep their size where they do not', () => {
    const old = noise(256)
    expect(paletteFor(old.slice(40, 400), old)).toBe(old)
    const few = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)
    expect(paletteFor(few, old)).toEqual(Uint8Array.from({ length: 1024 }, (_, i) => few[i] ?? 0))
    expect(paletteFor(noise(1000, 9), old)).toHaveLength(1024)
  })

  it('are cut where colours differ: clusters get their means', () => {
    const rgba = new Uint8Array(4 * 4000)
    for (let i = 0; i < 4000; i++)
      rgba.set(i % 4 === 0 ? [10 + (i % 3), 0, 0, 255] : i % 4 === 1 ? [200, 100 + (i % 5), 0, 255] : [200, 0, 250 - (i % 7), 0], 4 * i)
    const palette = choosePalette(rgba, 3)
    const entries = [0, 1, 2].map((k) => [...palette.subarray(4 * k, 4 * k + 4)]).sort((a, b) => a[0] - b[0] || a[1] - b[1])
    expect(entries).toEqual([
      [11, 0, 0, 255],
      [200, 0, 247, 0],
      [200, 102, 0, 255],
    ])
  })

  it('tell colours apart that lie close together, and take any number of them', () => {
    // all within 16 of each other: 4096 colours that coarse cells would take for few
    const close = Uint8Array.from({ length: 4 * 4096 }, (_, i) => (i % 4 === 3 ? 255 : 100 + (((i >> 2) >> (4 * (i % 4))) & 15)))
    expect(error(close, choosePalette(close, 256))).toBeLessThan(1.6)
    // more colours than there are cells at first
    const many = noise(80_000)
    for (let i = 3; i < many.length; i += 4) many[i] = 255
    expect(choosePalette(many, 256)).toHaveLength(1024)
    expect(error(many, choosePalette(many, 256))).toBeLessThan(16)
  })
})
