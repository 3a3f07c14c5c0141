import { describe, expect, it } from 'vitest'
import { choosePalette, nearestIndices, reindex } from '../../../src/main/formats/image/palette.ts'

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

  describe('of a picture that is put in the place of another', () => {
    const palette = noise(256)
    /** 64 x 64 pixels of entries from 0 on, as many as are told. */
    const old = (used: number): { rgba: Uint8Array; indices: Uint8Array } => {
      const indices = Uint8Array.from({ length: 4096 }, (_, i) => (i * 7) % used)
      return { indices, rgba: Uint8Array.from({ length: 4 * 4096 }, (_, i) => palette[4 * indices[i >> 2] + (i & 3)]) }
    }
    const shownOf = (picture: { palette: Uint8Array; indices: Uint8Array }): Uint8Array =>
      Uint8Array.from({ length: 4 * picture.indices.length }, (_, i) => picture.palette[4 * picture.indices[i >> 2] + (i & 3)])

    it('stay where they hold every colour, doubles of a colour where they were', () => {
      const doubled = palette.slice()
      doubled.copyWithin(4 * 9, 4 * 2, 4 * 3)
      const before = old(100)
      before.rgba.set(doubled.subarray(36, 40), 36)
      before.indices[9] = 9
      const next = reindex(before.rgba, doubled, before)
      expect(next).toEqual({ palette: doubled, indices: before.indices, renewed: false })
      expect(next.palette).toBe(doubled)
      expect(reindex(palette.slice(40, 400), palette).palette).toBe(palette)
    })

    it('take new colours into entries that nothing goes by', () => {
      const before = old(100)
      const rgba = before.rgba.slice()
      for (let i = 0; i < 16; i++) rgba.set([250, i < 8 ? 3 : 5, 9, 255], 4 * (64 * (8 + (i >> 2)) + 20 + (i & 3)))
      const next = reindex(
        rgba,
        palette,
        before,
        Uint8Array.from({ length: 256 }, (_, k) => (k === 100 || k === 102 ? 1 : 0)),
      )
      expect(shownOf(next)).toEqual(rgba)
      expect(next.indices.filter((k, i) => k !== before.indices[i])).toEqual(Uint8Array.from({ length: 16 }, (_, i) => (i < 8 ? 101 : 103)))
      expect([...palette.keys()].filter((k) => next.palette[k] !== palette[k]).every((k) => k >> 2 === 101 || k >> 2 === 103)).toBe(true)
    })

    it('give the entries that there are to the colours that differ most, and the rest the nearest', () => {
      const grey = Uint8Array.from({ length: 1024 }, (_, i) => (i % 4 === 3 ? 255 : i >> 2))
      const indices = Uint8Array.from({ length: 4096 }, (_, i) => i % 255)
      const before = { indices, rgba: Uint8Array.from({ length: 4 * 4096 }, (_, i) => (i % 4 === 3 ? 255 : indices[i >> 2])) }
      const rgba = before.rgba.slice()
      for (let i = 0; i < 12; i++) rgba.set([90, 0, 0, 255], 4 * (i + 500))
      for (let i = 0; i < 3; i++) rgba.set([99, 100, 101, 255], 4 * (i + 600))
      const next = reindex(rgba, grey, before)
      expect(next.renewed).toBe(false)
      expect([...next.palette.subarray(4 * 255)]).toEqual([90, 0, 0, 255])
      expect(next.palette.subarray(0, 1020)).toEqual(grey.subarray(0, 1020))
      expect([...next.indices.subarray(500, 512), ...next.indices.subarray(600, 603)]).toEqual([
        ...Array<number>(12).fill(255),
        100,
        100,
        100,
      ])
      expect(next.indices.filter((k, i) => k !== indices[i])).toHaveLength(15)
    })

    it('are made anew only where the whole would differ by more than the limit, and differs less then', () => {
      const before = old(256)
      // the palette is full; a few pixels of another colour are not worth a new one, a quarter of the picture is
      const part = (pixels: number): Uint8Array => {
        const rgba = before.rgba.slice()
        for (let i = 0; i < pixels; i++) rgba.set([(i * 3) & 255, 255, (i >> 4) & 255, 255], 4 * i)
        return rgba
      }
      const few = reindex(part(8), palette, before)
      expect(few.palette).toBe(palette)
      expect(few.indices.subarray(8)).toEqual(before.indices.subarray(8))
      const rgba = part(1024)
      const many = reindex(rgba, palette, before)
      expect(many).toEqual({ palette: choosePalette(rgba, 256), indices: nearestIndices(rgba, many.palette), renewed: true })
      expect(reindex(noise(1000, 9), palette).palette).toHaveLength(1024)
    })
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
