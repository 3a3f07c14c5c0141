import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  advance,
  clampTime,
  clipSpan,
  nearestStep,
  sliceSpan,
  spanSeconds,
  stepTime,
  storedTime,
} from '../../../src/renderer/core/clock.ts'
import type { Clip, Slice } from '../../../src/shared/scene/types.ts'

const source = { ref: '', path: '' }
const clip: Clip = {
  name: 'c',
  tracks: [],
  start: 1,
  end: 100,
  rate: 30,
  unit: 'frame',
  loop: 'wrap',
  fit: { matched: 0, total: 0 },
  events: [],
  source,
}
const slice = (start: number, end: number, speed: number): Slice => ({ clip: 0, name: 's', start, end, speed, loop: true, source })

describe('playback clock', () => {
  it('moves a slice by its speed each tick of its clip', () => {
    const span = sliceSpan(slice(10, 40, 0.5), { ...clip, rate: 60 }, true)
    expect(span.rate).toBe(30)
    expect(advance(span, 10, 0.5).time).toBeCloseTo(25)
    expect(spanSeconds(span)).toBeCloseTo((40 - 10) / (0.5 * 60))
  })

  it('returns to the pose of the start after one period', () => {
    const span = sliceSpan(slice(10, 40, 1), clip, true)
    expect(advance(span, 10, 1).time).toBeCloseTo(10)
    expect(advance(span, 25, 1).time).toBeCloseTo(25)
  })

  it('reaches the end frame as a pose when it does not loop, and stops', () => {
    const span = sliceSpan(slice(10, 40, 1), clip, false)
    expect(advance(span, 39, 10)).toEqual({ time: 40, ended: true })
    expect(advance(span, 12, 0.1).ended).toBe(false)
  })

  it('starts at the beginning from a time outside of the window', () => {
    const span = clipSpan(clip, true)
    expect(advance(span, 500, 0.1).time).toBeCloseTo(4)
    expect(advance(span, -3, 0).time).toBe(1)
  })

  it('holds placeholders, windows the wrong way round and speed 0 still', () => {
    for (const s of [slice(0, 0, 0), slice(5, 5, 1), slice(9, 3, 1), slice(1, 9, 0), slice(1, 9, -2)]) {
      const span = sliceSpan(s, clip, true)
      const next = advance(span, s.start, 3)
      expect(next.time).toBe(s.start)
      expect(next.ended).toBe(false)
    }
    expect(spanSeconds(sliceSpan(slice(1, 9, 0), clip, true))).toBe(Infinity)
  })

  it('never leaves its window, whatever time has passed', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -50, max: 50, noNaN: true }),
        fc.double({ min: 0, max: 80, noNaN: true }),
        fc.double({ min: 0, max: 4, noNaN: true }),
        fc.double({ min: 0, max: 100, noNaN: true }),
        fc.boolean(),
        (start, length, speed, seconds, loop) => {
          const span = sliceSpan(slice(start, start + length, speed), clip, loop)
          const { time } = advance(span, start + length / 3, seconds)
          expect(time).toBeGreaterThanOrEqual(span.start - 1e-9)
          expect(time).toBeLessThanOrEqual(span.end + 1e-9)
        },
      ),
    )
  })

  it('steps to whole frames and wraps at the ends of a loop only', () => {
    const span = { start: 1, end: 5, rate: 30, loop: true }
    expect(stepTime(span, 2, 1, 1)).toBe(3)
    expect(stepTime(span, 2.4, 1, 1)).toBe(3)
    expect(stepTime(span, 2.4, -1, 1)).toBe(2)
    expect(stepTime(span, 5, 1, 1)).toBe(1)
    expect(stepTime(span, 1, -1, 1)).toBe(5)
    expect(stepTime({ ...span, loop: false }, 5, 1, 1)).toBe(5)
    expect(stepTime({ ...span, loop: false }, 1, -1, 1)).toBe(1)
  })

  it('clamps times that are none', () => {
    expect(clampTime({ start: 2, end: 4 }, NaN)).toBe(2)
    expect(clampTime({ start: 2, end: 4 }, 9)).toBe(4)
  })
})

it('has milliseconds whole where a file counts in them, and all else as it is', () => {
  expect(storedTime({ unit: 'ms' }, 133.4)).toBe(133)
  for (const unit of ['frame', 's'] as const) expect(storedTime({ unit }, 4.25)).toBe(4.25)
})

describe('the nearest frame', () => {
  it('lies inside the span where one does', () => {
    const span = { start: 1, end: 74 }
    expect(nearestStep(span, 73.99404, 1)).toBe(74)
    expect(nearestStep(span, 12.4, 1)).toBe(12)
    expect(nearestStep({ start: 1.2, end: 74.4 }, 74.4, 1)).toBe(74)
    expect(nearestStep({ start: 1.6, end: 74.6 }, 74.6, 1)).toBe(74)
    expect(nearestStep({ start: 1.4, end: 74 }, 1.4, 1)).toBe(2)
    expect(nearestStep({ start: 1.2, end: 1.8 }, 1.5, 1)).toBe(1.5)
    expect(nearestStep(span, 900, 1)).toBe(74)
    expect(nearestStep({ start: 0, end: 2 }, 1.01, 1 / 30)).toBeCloseTo(1)
  })
})
