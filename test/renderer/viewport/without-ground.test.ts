import { describe, expect, it } from 'vitest'
import { withoutGround } from '../../../src/renderer/viewport/without-ground.ts'

/** One pixel of a colour with an alpha, drawn over a ground. */
function over(color: number[], alpha: number, ground: number): number[] {
  return [...color.map((value) => Math.round(value * alpha + ground * (1 - alpha))), 255]
}

describe('a picture without its ground', () => {
  it('has of each pixel the colour and how much shows through, rows from the top', () => {
    const pixels: [color: number[], alpha: number][] = [
      [[200, 10, 30], 1],
      [[0, 0, 0], 1],
      [[120, 240, 60], 0.5],
      [[0, 0, 0], 0],
    ]
    // two rows from the bottom
    const drawn = (ground: number): Uint8Array => Uint8Array.from(pixels.flatMap(([color, alpha]) => over(color, alpha, ground)))
    const rows = [...withoutGround(drawn(0), drawn(255), 2, 2)]
    expect(rows.slice(8)).toEqual([200, 10, 30, 255, 0, 0, 0, 255])
    const [r, g, b, a] = rows
    expect([r, g, b].map((value, c) => Math.abs(value - [120, 240, 60][c]) <= 2)).toEqual([true, true, true])
    expect(Math.abs(a - 128)).toBeLessThanOrEqual(1)
    expect(rows.slice(4, 8)).toEqual([0, 0, 0, 0])
  })
})
