import { expect, it } from 'vitest'
import { drawRuler, type RulerCanvas } from '../../../src/renderer/features/timeline/draw.ts'

const DIGIT = 8

/** Where which numbers are drawn, by a ruler that shows a clip with a little room beside it. */
function numbers(end: number, width: number, room: number): { text: string; from: number; to: number }[] {
  const out: { text: string; from: number; to: number }[] = []
  const none = (): void => {}
  const canvas = {
    beginPath: none,
    stroke: none,
    moveTo: none,
    lineTo: none,
    measureText: (text: string) => ({ width: DIGIT * text.length }),
    fillText: (text: string, x: number) => out.push({ text, from: x, to: x + DIGIT * text.length }),
  } as unknown as RulerCanvas
  const scale = (width - 2 * room) / end
  drawRuler(canvas, { start: -room / scale, scale }, width, 22, true, { line: '', faint: '', text: '' }, '')
  return out.filter(({ to }) => to > 0)
}

it('numbers of the ruler are whole, that of the end too, and do not touch', () => {
  for (const end of [60, 80, 160, 1000, 1333]) {
    for (const room of [4, 12, 24, 60]) {
      const drawn = numbers(end, 840, room)
      expect(drawn.length).toBeGreaterThan(5)
      for (const { to } of drawn) expect(to).toBeLessThanOrEqual(840)
      for (const [i, { from }] of drawn.entries()) if (i > 0) expect(from).toBeGreaterThan(drawn[i - 1].to)
    }
  }
  expect(numbers(1000, 840, 24).at(-1)!.text).toBe('1000')
})
