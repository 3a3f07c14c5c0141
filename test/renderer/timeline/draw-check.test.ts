/** Bars of a value a frame: small ones are seen, and nothing where there is none. */
import { describe, expect, it } from 'vitest'
import { barHeight, drawBars, drawRanges } from '../../../src/renderer/features/timeline/draw-check.ts'

/** What is filled, in place of a canvas. */
function paper(): { g: CanvasRenderingContext2D; rects: number[][] } {
  const rects: number[][] = []
  const g = { globalAlpha: 1, fillStyle: '', fillRect: (...rect: number[]) => rects.push(rect) } as unknown as CanvasRenderingContext2D
  return { g, rects }
}

describe('bars above the keys', () => {
  it('stand only where something differs, and never higher than their row', () => {
    expect([0, -1, NaN].map((value) => barHeight(value, 0.1))).toEqual([0, 0, 0])
    expect(barHeight(1e-4, 0.1)).toBeGreaterThan(0.15)
    expect(barHeight(0.1, 0.1)).toBe(1)
    expect(barHeight(5, 0.1)).toBe(1)
    const { g, rects } = paper()
    drawBars(g, { start: 0, scale: 10 }, 100, 20, [0, 1, 2, 3], [0, 0.1, 0, 0.025], 0.1, 'red')
    expect(rects.map(([x]) => x)).toEqual([5, 25])
    expect(rects[0].slice(1)).toEqual([0, 10, 20])
  })

  it('of frames that share a pixel show the greatest', () => {
    const { g, rects } = paper()
    const times = Array.from({ length: 1000 }, (_, k) => k)
    drawBars(
      g,
      { start: 0, scale: 0.01 },
      10,
      20,
      times,
      times.map((k) => (k === 777 ? 0.1 : 0.001)),
      0.1,
      'red',
    )
    expect(rects.length).toBeLessThanOrEqual(11)
    expect(rects.filter(([, top]) => top === 0)).toHaveLength(1)
  })

  it('are ranges where a foot stands', () => {
    const { g, rects } = paper()
    drawRanges(g, { start: 0, scale: 10 }, 4, 2, [0, 1, 2, 3, 4], [1, 1, 0, 0, 1], 'grey')
    expect(rects).toEqual([
      [0, 4, 10, 2],
      [40, 4, 2, 2],
    ])
  })
})
