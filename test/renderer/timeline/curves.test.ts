import { describe, expect, it } from 'vitest'
import { curvesOf, pointAt, shownTracks, valueRange, valueToY, yToValue } from '../../../src/renderer/features/timeline/curves.ts'
import { track } from '../../support/keys.ts'

describe('curves', () => {
  it('are of the chosen keys, else of the chosen bone, else of something', () => {
    const all = [track('a', [1], { joint: 1 }), track('b', [1], { joint: 2 }), track('c', [1], { joint: 2 })]
    expect(shownTracks(all, new Set(['a']), 2).map((t) => t.id)).toEqual(['a'])
    expect(shownTracks(all, new Set(), 2).map((t) => t.id)).toEqual(['b', 'c'])
    expect(shownTracks(all, new Set(), 9).map((t) => t.id)).toEqual(['a'])
  })

  it('have room around them, flat and broken ones too', () => {
    const range = valueRange(curvesOf([track('a', [0, 10])]))
    expect(range.min).toBeLessThan(0)
    expect(range.max).toBeGreaterThan(100)
    const flat = valueRange(curvesOf([track('a', [5])]))
    expect(flat.min).toBeLessThan(50)
    expect(flat.max).toBeGreaterThan(50)
    expect(valueRange(curvesOf([track('n', [0, 1], { values: Float32Array.of(NaN, Infinity) })]))).toEqual({ min: -1, max: 1 })
  })

  it('give the point under the pointer', () => {
    const curves = curvesOf([track('a', [0, 10])])
    const range = { min: 0, max: 100 }
    expect(pointAt(curves, { start: 0, scale: 10 }, range, 200, 98, 4)?.key).toBe(1)
    expect(pointAt(curves, { start: 0, scale: 10 }, range, 200, 60, 100)).toBeNull()
    expect(yToValue(range, 200, valueToY(range, 200, 30))).toBeCloseTo(30)
  })
})
