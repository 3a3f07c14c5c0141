/** How much of an offset there is when, and which turns it is. */
import { describe, expect, it } from 'vitest'
import { borderTimes, offsetWeight, turnedBy, turnFromTo } from '../../../src/shared/keys/offset.ts'
import { angleBetween, quaternionOfDegrees } from '../../../src/shared/keys/value.ts'

const span = { start: 10, end: 30, easeIn: 4, easeOut: 8 }

describe('an offset over a range', () => {
  it('comes and goes within its eases, and is none beyond the range', () => {
    const at = (time: number): number => offsetWeight(span, time)
    expect([9.9, 10, 12, 14, 20, 22, 26, 30, 30.1].map(at)).toEqual([0, 0, 0.5, 1, 1, 1, 0.5, 0, 0])
    expect([10, 30].map((time) => offsetWeight({ ...span, easeIn: 0, easeOut: 0 }, time))).toEqual([1, 1])
    // 32-bit seconds of a key at the very end
    expect(offsetWeight({ start: 0, end: 0.7, easeIn: 0, easeOut: 0 }, Math.fround(0.7))).toBe(1)
  })

  it('asks for keys where an ease begins and ends alone', () => {
    expect(borderTimes(span, null)).toEqual([10, 14, 22, 30])
    expect(borderTimes({ ...span, easeIn: 0, easeOut: 0 }, null)).toEqual([])
    expect(borderTimes({ ...span, easeIn: 0 }, null)).toEqual([22, 30])
    // eases that overlap meet at their peak
    expect(borderTimes({ start: 0, end: 10, easeIn: 10, easeOut: 10 }, null)).toEqual([0, 5, 10])
    // a track without keys has to say how the joint stands beside the range
    expect(borderTimes({ ...span, easeIn: 0, easeOut: 0 }, { start: 0, end: 40, step: 1 })).toEqual([0, 9, 10, 30, 31, 40])
    expect(borderTimes(span, { start: 10, end: 30, step: 1 })).toEqual([10, 14, 22, 30])
  })

  it('of a turn is the one that leads there, about the axes of the parent or of the joint', () => {
    const [from, to] = [new Float32Array(4), new Float32Array(4)]
    quaternionOfDegrees(from, [20, -50, 70])
    quaternionOfDegrees(to, [-30, 10, 120])
    for (const axes of ['parent', 'own'] as const) {
      const turn = turnFromTo(from, to, axes)
      const out = from.slice()
      turnedBy(out, 0, turn, axes, 1)
      expect(angleBetween(out, 0, to, 0)).toBeLessThan(1e-4)
      const half = from.slice()
      turnedBy(half, 0, turn, axes, 0.5)
      expect(angleBetween(from, 0, half, 0)).toBeCloseTo(angleBetween(from, 0, to, 0) / 2, 4)
      const none = from.slice()
      turnedBy(none, 0, turn, axes, 0)
      expect(angleBetween(from, 0, none, 0)).toBeLessThan(1e-4)
    }
  })
})
