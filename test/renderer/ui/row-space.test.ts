import { describe, expect, it } from 'vitest'
import { revealed, rowAt, rowsInSight, rowTop, type RowSpace } from '../../../src/renderer/ui/row-space.ts'

const space = (top: number, height = 90, count = 20): RowSpace => ({ rowHeight: 18, top, height, count })

describe('rows that scroll', () => {
  it('are found where they are drawn', () => {
    for (const top of [0, 1, 17, 18, 100.5, 270])
      for (let y = 0; y < 90; y++) {
        const s = space(top)
        const row = rowAt(s, y)
        const drawnAt = rowTop(s, row) - top
        expect(drawnAt).toBeLessThanOrEqual(y)
        expect(drawnAt + s.rowHeight).toBeGreaterThan(y)
        const { first, end } = rowsInSight(s)
        if (row < s.count) expect(row >= first && row < end, `row ${row} at ${y}, scrolled by ${top}`).toBe(true)
      }
  })

  it('are no more than there are', () => {
    expect(rowsInSight(space(0, 90, 3))).toEqual({ first: 0, end: 3 })
    expect(rowsInSight(space(0, 0, 0), 2)).toEqual({ first: 0, end: 0 })
    expect(rowsInSight(space(36), 2)).toEqual({ first: 0, end: 10 })
    // fewer rows than before, and not yet scrolled back
    expect(rowsInSight(space(900, 90, 3))).toEqual({ first: 50, end: 50 })
  })

  it('come into sight by the least scrolling', () => {
    expect(revealed(space(36), 1)).toBe(18)
    expect(revealed(space(36), 4)).toBe(36)
    expect(revealed(space(36), 7)).toBe(54)
  })
})
