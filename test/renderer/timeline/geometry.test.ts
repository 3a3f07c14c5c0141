import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  assignLanes,
  clampView,
  dragSlice,
  fitView,
  lowerBound,
  nearMark,
  markStep,
  uniteTimes,
  scaleLimits,
  scrollThumb,
  timeToX,
  xToTime,
  zoomView,
} from '../../../src/renderer/features/timeline/geometry.ts'

const bounds = { snap: 1, min: 0, max: 1000 }

describe('dragging a slice', () => {
  it('moves the body on whole frames and keeps its length', () => {
    expect(dragSlice({ start: 10, end: 20 }, 'body', 4.6, bounds)).toEqual({ start: 15, end: 25 })
    expect(dragSlice({ start: 10, end: 20 }, 'body', -99, bounds)).toEqual({ start: 0, end: 10 })
  })

  it('moves one edge, which stops at the other', () => {
    expect(dragSlice({ start: 10, end: 20 }, 'start', 3.4, bounds)).toEqual({ start: 13, end: 20 })
    expect(dragSlice({ start: 10, end: 20 }, 'start', 50, bounds)).toEqual({ start: 20, end: 20 })
    expect(dragSlice({ start: 10, end: 20 }, 'end', -50, bounds)).toEqual({ start: 10, end: 10 })
    expect(dragSlice({ start: 10, end: 20 }, 'end', 2000, bounds)).toEqual({ start: 10, end: 1000 })
  })

  it('keeps fractions without snapping', () => {
    expect(dragSlice({ start: 10, end: 20 }, 'end', 0.25, { ...bounds, snap: 0 })).toEqual({ start: 10, end: 20.25 })
  })

  it('never turns a window round or changes the edge that is not dragged', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 900 }),
        fc.integer({ min: 0, max: 100 }),
        fc.double({ min: -2000, max: 2000, noNaN: true }),
        (start, length, delta) => {
          const from = { start, end: start + length }
          const a = dragSlice(from, 'start', delta, bounds)
          const b = dragSlice(from, 'end', delta, bounds)
          const c = dragSlice(from, 'body', delta, bounds)
          expect(a.end).toBe(from.end)
          expect(b.start).toBe(from.start)
          for (const r of [a, b, c]) expect(r.end).toBeGreaterThanOrEqual(r.start)
          expect(c.end - c.start).toBe(length)
        },
      ),
    )
  })
})

describe('lanes', () => {
  it('puts windows that share a boundary frame into one lane, and overlaps into others', () => {
    const { lanes, count } = assignLanes([
      { start: 1, end: 10 },
      { start: 10, end: 20 },
      { start: 15, end: 30 },
      { start: 30, end: 31 },
    ])
    expect(lanes).toEqual([0, 0, 1, 0])
    expect(count).toBe(2)
  })

  it('never covers one window by another of its lane', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 20 })), { maxLength: 30 }), (list) => {
        const intervals = list.map(([start, length]) => ({ start, end: start + length }))
        const { lanes, count } = assignLanes(intervals, 0.5)
        intervals.forEach((a, i) =>
          intervals.forEach((b, j) => {
            if (i >= j || lanes[i] !== lanes[j]) return
            expect(Math.max(a.end, a.start + 0.5) <= b.start + 1e-9 || Math.max(b.end, b.start + 0.5) <= a.start + 1e-9).toBe(true)
          }),
        )
        expect(Math.max(0, ...lanes)).toBeLessThan(count)
      }),
    )
  })
})

describe('view', () => {
  it('fits a range with a margin', () => {
    const view = fitView({ start: 10, end: 110 }, 448, 24)
    expect(timeToX(view, 10)).toBeCloseTo(24)
    expect(timeToX(view, 110)).toBeCloseTo(424)
  })

  it('keeps the time under the pointer while zooming, within limits', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -100, max: 100, noNaN: true }),
        fc.double({ min: 0.1, max: 50, noNaN: true }),
        fc.double({ min: 0.2, max: 5, noNaN: true }),
        fc.double({ min: 0, max: 800, noNaN: true }),
        (start, scale, factor, x) => {
          const view = { start, scale }
          const next = zoomView(view, factor, x, { min: 0.05, max: 60 })
          expect(xToTime(next, x)).toBeCloseTo(xToTime(view, x), 6)
          expect(next.scale).toBeGreaterThanOrEqual(0.05)
          expect(next.scale).toBeLessThanOrEqual(60)
        },
      ),
    )
  })

  it('does not lose the content', () => {
    expect(clampView({ start: 1e6, scale: 2 }, { start: 0, end: 100 }, 400).start).toBe(0)
    expect(clampView({ start: -1e6, scale: 2 }, { start: 0, end: 100 }, 400).start).toBe(-100)
    const limits = scaleLimits({ start: 0, end: 0 }, 400, 1)
    expect(limits.max).toBeGreaterThan(limits.min)
  })

  it('labels the ruler in round steps that do not touch', () => {
    expect(markStep(10, 60, true)).toBe(10)
    expect(markStep(100, 60, true)).toBe(1)
    expect(markStep(1, 60, true)).toBe(100)
    expect(markStep(100, 60, false)).toBeCloseTo(1)
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 1000, noNaN: true }), (scale) => {
        expect(markStep(scale, 60, false) * scale).toBeGreaterThanOrEqual(60 - 1e-6)
      }),
    )
  })
})

describe('key times', () => {
  it('merges sorted lists without repetition', () => {
    expect([...uniteTimes([[1, 5, 9], [1, 2, 9], []])]).toEqual([1, 2, 5, 9])
  })

  it('finds the first key at or after a time', () => {
    expect(lowerBound([1, 3, 3, 7], 3)).toBe(1)
    expect(lowerBound([1, 3, 3, 7], 4)).toBe(3)
    expect(lowerBound([1, 3], 9)).toBe(2)
  })
})

describe('times of many tracks', () => {
  it('joins any lists, ordered or not, into each time once', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.integer({ min: -9, max: 9 }))), (lists) => {
        expect([...uniteTimes(lists)]).toEqual([...new Set(lists.flat())].sort((a, b) => a - b))
      }),
    )
    expect(uniteTimes([]).length).toBe(0)
  })

  it('joins again only what another list has a part in', () => {
    const lists = [0, 1, 2, 3].map((i) => Float64Array.of(i, i + 4, i + 8))
    const [first, , , last] = lists
    expect(uniteTimes(lists)).toBe(uniteTimes([...lists]))
    expect(uniteTimes([lists[0], lists[1]])).toBe(uniteTimes([first, lists[1]]))
    const moved = Float64Array.of(3, 7, 12)
    expect([...uniteTimes([...lists.slice(0, 3), moved])]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12])
    expect([...uniteTimes(lists)].at(-1)).toBe(last[2])
  })
})

describe('a time near to a mark', () => {
  it('is the nearest mark within a few pixels, at whatever zoom', () => {
    expect(nearMark([10, 12.5, 30], 12, 4)).toBe(12.5)
    expect(nearMark([10, 12.5, 30], 11, 4)).toBe(10)
    expect(nearMark([10, 30], 12, 4)).toBeUndefined()
    expect(nearMark([10, 30], 12, 2)).toBe(10)
    expect(nearMark([], 12, 2)).toBeUndefined()
  })
})

describe('the bar below the timeline', () => {
  it('is full where everything is in sight, and stands at the ends of what there is', () => {
    expect(scrollThumb({ start: -10, scale: 4 }, { start: 0, end: 80 }, 400)).toEqual({ x: 0, width: 400, perPixel: 0 })
    // 100 of 400 frames are in sight
    const at = (start: number) => scrollThumb({ start, scale: 4 }, { start: 0, end: 400 }, 400)
    expect(at(0)).toMatchObject({ x: 0, width: 100 })
    expect(at(300)).toMatchObject({ x: 300, width: 100 })
    expect(at(150).x).toBe(150)
    expect(at(0).perPixel).toBe(1)
  })

  it('keeps a width that can be taken hold of, and a drag of it goes from end to end', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0.5, max: 50, noNaN: true }), (place, scale) => {
        const content = { start: -20, end: 250_000 }
        const sight = 600 / scale
        const start = content.start + place * (content.end - content.start - sight)
        const { x, width, perPixel } = scrollThumb({ start, scale }, content, 600)
        expect(width).toBeGreaterThanOrEqual(24)
        expect(x).toBeGreaterThanOrEqual(-1e-6)
        expect(x + width).toBeLessThanOrEqual(600 + 1e-6)
        expect(content.start + x * perPixel).toBeCloseTo(start, 3)
      }),
    )
  })
})
