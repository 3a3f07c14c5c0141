/** What tools make of the values of keys: reduced within an error, smoothed, looped. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compose } from '../../../src/shared/scene/matrix.ts'
import { errorWithout, reduceKeys } from '../../../src/shared/keys/reduce.ts'
import { cycled, cycleKeys } from '../../../src/shared/keys/cycle.ts'
import { fitLoop, smoothKeys } from '../../../src/shared/keys/smooth.ts'
import {
  angleBetween,
  difference,
  eulerDegrees,
  quaternionOfDegrees,
  quaternionOrder,
  readQuaternion,
  valueAt,
  writeQuaternion,
} from '../../../src/shared/keys/value.ts'
import { after, applied, edited, pick, track } from '../../support/keys.ts'
import type { NativeTrack } from '../../../src/shared/api/types/clips.ts'

const unit = fc
  .tuple(
    fc.double({ min: -1, max: 1, noNaN: true }),
    fc.double({ min: -1, max: 1, noNaN: true }),
    fc.double({ min: -1, max: 1, noNaN: true }),
    fc.double({ min: 0.05, max: 1, noNaN: true }),
  )
  .map((q) => q.map((v) => v / Math.hypot(...q)))
const times = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 2, maxLength: 30 }).map((list) => list.sort((a, b) => a - b))
const rotations = (order: string[]) =>
  times.chain((list) =>
    fc.array(unit, { minLength: list.length, maxLength: list.length }).map((rows) =>
      track('r', list, {
        property: 'rotation',
        components: order,
        values: Float32Array.from(rows.flatMap((q) => order.map((name) => q['xyzw'.indexOf(name)]))),
      }),
    ),
  )
const positions = times.chain((list) =>
  fc
    .array(fc.array(fc.float({ min: -50, max: 50, noNaN: true }), { minLength: 3, maxLength: 3 }), {
      minLength: list.length,
      maxLength: list.length,
    })
    .map((rows) => track('p', list, { components: ['x', 'y', 'z'], values: Float32Array.from(rows.flat()) })),
)
const all = (t: NativeTrack) => pick([t.id, [...t.times]])
const tolerance = { degrees: 2, distance: 3, factor: 0.01 }

/** Largest difference between two tracks on a fine grid. */
function furthest(a: NativeTrack, b: NativeTrack): number {
  let most = 0
  for (let t = a.times[0]; t <= a.times[a.times.length - 1]; t += 0.125)
    most = Math.max(most, difference(a, valueAt(a, t), 0, valueAt(b, t), 0))
  return most
}

describe('rotations', () => {
  it('are found by the names of their components', () => {
    expect(quaternionOrder(['w', 'x', 'y', 'z'])).toEqual([1, 2, 3, 0])
    const t = { components: ['w', 'x', 'y', 'z'] }
    const q = [0, 0, 0, 0]
    readQuaternion(q, t, [9, 1, 2, 3], 0)
    expect(q).toEqual([1, 2, 3, 9])
    const back = [0, 0, 0, 0]
    writeQuaternion(back, 0, t, q)
    expect(back).toEqual([9, 1, 2, 3])
  })

  it('differ by their turn, whatever sign and length they have; small turns count', () => {
    const turned = (degrees: number): number[] => [Math.sin((degrees * Math.PI) / 360), 0, 0, Math.cos((degrees * Math.PI) / 360)]
    expect(angleBetween(turned(10), 0, turned(55), 0)).toBeCloseTo(45, 9)
    expect(
      angleBetween(
        turned(10),
        0,
        turned(55).map((v) => -3 * v),
        0,
      ),
    ).toBeCloseTo(45, 9)
    expect(angleBetween(turned(0), 0, turned(0.0001), 0)).toBeCloseTo(0.0001, 9)
    expect(angleBetween([0, 0, 0, 0], 0, turned(4), 0)).toBe(0)
  })

  it('read as Euler degrees', () => {
    const out = [0, 0, 0]
    eulerDegrees(out, [0, 0, Math.SQRT1_2, Math.SQRT1_2])
    expect(out.map((v) => Math.round(v))).toEqual([0, 0, 90])
    eulerDegrees(out, [0, Math.SQRT1_2, 0, Math.SQRT1_2])
    expect(out[1]).toBeCloseTo(90, 3)
    expect(out.every(Number.isFinite)).toBe(true)
  })

  it('are made of the Euler degrees that they are read as', () => {
    const [q, out] = [
      [0, 0, 0, 0],
      [0, 0, 0],
    ]
    for (const degrees of [
      [0, 0, 0],
      [30, 0, 0],
      [0, -45, 0],
      [10, 20, 30],
      [-170, 80, 95],
    ]) {
      quaternionOfDegrees(q, degrees)
      expect(Math.hypot(...q)).toBeCloseTo(1, 12)
      eulerDegrees(out, q)
      out.forEach((value, i) => expect(value).toBeCloseTo(degrees[i], 9))
    }
    // about x first: a quarter about x brings y to z, one about z then leaves it there
    quaternionOfDegrees(q, [90, 0, 90])
    const matrix = new Float64Array(16)
    compose(matrix, 0, [0, 0, 0], 0, q, 0, [1, 1, 1], 0)
    ;[0, 0, 1].forEach((value, i) => expect(matrix[4 + i]).toBeCloseTo(value, 12))
  })
})

describe('reducing keys', () => {
  it('takes out what lies on the line and keeps the corners', () => {
    const line = track('a', [0, 1, 2, 3, 4], { values: Float32Array.of(0, 10, 20, 30, 0) })
    const plan = reduceKeys([line], all(line), tolerance)
    expect(applied(line, plan.edits[0])).toEqual([
      [0, 0],
      [3, 30],
      [4, 0],
    ])
    expect(plan.reached).toEqual({ degrees: 0, distance: 0, factor: 0 })
    expect(plan.count).toBe(2)
    expect([...plan.selection.get('a')!]).toEqual([0, 3, 4])
  })

  it('stays within the error at every moment and tells the error that it reached', () => {
    fc.assert(
      fc.property(fc.oneof(rotations(['x', 'y', 'z', 'w']), rotations(['w', 'x', 'y', 'z']), positions), (t) => {
        const plan = reduceKeys([t], all(t), { degrees: 20, distance: 15, factor: 1 })
        const rest = after(t, plan.edits[0])
        const reached = Math.max(plan.reached.degrees, plan.reached.distance)
        const allowed = t.property === 'rotation' ? 20 : 15
        expect(reached).toBeLessThanOrEqual(allowed * (1 + 1e-6))
        // between the places that were measured a turn may be off a little more
        expect(furthest(t, rest)).toBeLessThanOrEqual(reached + allowed * 0.15)
        expect(rest.times[0]).toBe(t.times[0])
        expect(rest.times.at(-1)).toBe(t.times.at(-1))
      }),
      { numRuns: 60 },
    )
  })

  it('leaves keys that were not chosen, that are jumped to, and a step where the value changes', () => {
    const flat = track('a', [0, 1, 2, 3, 4], { values: new Float32Array(5) })
    expect(applied(flat, reduceKeys([flat], pick(['a', [1, 3]]), tolerance).edits[0]).map(([t]) => t)).toEqual([0, 2, 4])
    const jumps = { ...flat, stepInto: Uint8Array.of(0, 0, 1, 0, 0) }
    expect(applied(jumps, reduceKeys([jumps], all(flat), tolerance).edits[0]).map(([t]) => t)).toEqual([0, 1, 2, 4])
    const steps = track('v', [0, 1, 2, 3, 4], {
      property: 'visibility',
      components: ['visible'],
      values: Float32Array.of(1, 1, 0, 0, 1),
      limits: { stepped: true },
    })
    expect(applied(steps, reduceKeys([steps], all(steps), tolerance).edits[0])).toEqual([
      [0, 1],
      [2, 0],
      [4, 1],
    ])
    const twice = track('t', [0, 1, 1, 2], { values: new Float32Array(4) })
    expect(reduceKeys([twice], all(twice), tolerance).edits).toEqual([])
  })

  it('takes a shared key only where rotation and position can both do without it', () => {
    const turn = track('r', [0, 1, 2, 3], {
      sharedKeys: 'bone',
      property: 'rotation',
      components: ['x', 'y', 'z', 'w'],
      values: Float32Array.from([0, 1, 2, 3].flatMap(() => [0, 0, 0, 1])),
    })
    const place = track('p', [0, 1, 2, 3], { sharedKeys: 'bone', values: Float32Array.of(0, 90, 0, 0) })
    const plan = reduceKeys([turn, place], all(turn), tolerance)
    expect(plan.edits.map((e) => [...e.remove!])).toEqual([])
    const still = { ...place, values: new Float32Array(4) }
    expect(reduceKeys([turn, still], all(turn), tolerance).edits.map((e) => [...e.remove!])).toEqual([
      [1, 2],
      [1, 2],
    ])
  })

  it('measures what a track loses without some keys', () => {
    const t = track('a', [0, 1, 2], { values: Float32Array.of(0, 7, 0) })
    expect(errorWithout(t, new Set([1]))).toBe(7)
    expect(errorWithout(t, new Set())).toBe(0)
  })

  it('is quick on a track of a quarter of a million keys', () => {
    const n = 250_000
    const t = track('a', [], {
      times: Float64Array.from({ length: n }, (_, k) => k),
      values: Float32Array.from({ length: n }, (_, k) => Math.sin(k / 900) * 40),
    })
    const plan = reduceKeys([t], new Map([['a', new Set(t.times)]]), { ...tolerance, distance: 0.01 })
    expect(plan.count).toBeGreaterThan(200_000)
    expect(plan.reached.distance).toBeLessThanOrEqual(0.01)
  })
})

describe('smoothing', () => {
  it('draws a spike towards its neighbours, by time; ends, others and steps stay', () => {
    const t = track('a', [0, 1, 4, 5], { values: Float32Array.of(0, 40, 0, 0) })
    expect(applied(t, smoothKeys([t], all(t), 0.5).edits[0])).toEqual([
      [0, 0],
      [1, 20],
      [4, 5],
      [5, 0],
    ])
    expect(applied(t, smoothKeys([t], pick(['a', [1]]), 1).edits[0])).toEqual([
      [0, 0],
      [1, 0],
      [4, 0],
      [5, 0],
    ])
    expect(smoothKeys([{ ...t, limits: { ...t.limits, stepped: true } }], all(t), 1).edits).toEqual([])
    expect(smoothKeys([t], all(t), 0).edits).toEqual([])
  })

  it('never goes beyond what the keys were', () => {
    fc.assert(
      fc.property(positions, fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 5 }), (t, strength, rounds) => {
        const rows = edited(t, smoothKeys([t], all(t), strength, rounds).edits[0]).rows
        for (let c = 0; c < 3; c++) {
          const before = [...t.times].map((_, k) => t.values[3 * k + c])
          for (const row of rows) {
            expect(row[c]).toBeGreaterThanOrEqual(Math.min(...before) - 1e-4)
            expect(row[c]).toBeLessThanOrEqual(Math.max(...before) + 1e-4)
          }
        }
      }),
      { numRuns: 50 },
    )
  })
})

describe('fitting a loop', () => {
  it('ends where it began, and spreads the rest', () => {
    const t = track('a', [0, 5, 10, 12], { values: Float32Array.of(0, 20, 10, 99) })
    const plan = fitLoop([t], { start: 0, end: 10 })
    expect(applied(t, plan.edits[0])).toEqual([
      [0, 0],
      [5, 15],
      [10, 0],
      [12, 99],
    ])
    expect(applied(t, fitLoop([t], { start: 0, end: 10 }, 4).edits[0])).toEqual([
      [0, 0],
      [5, 20],
      [10, 0],
      [12, 99],
    ])
  })

  it('lets the root of a walk go on: the axis that leads somewhere keeps its way, the others meet', () => {
    const root = track('r', [0, 2, 4, 6, 8], {
      components: ['x', 'y', 'z'],
      values: Float32Array.of(0, 0, 10, 1, 2, 11, 0, 5, 10, -1, 7, 9, 0.25, 10, 10.5),
    })
    const hand = track('h', [0, 8], { values: Float32Array.of(0, 8) })
    const { edits } = fitLoop([root, hand], { start: 0, end: 8 }, 8, new Set(['r']))
    expect(edited(root, edits[0]).rows.map((row) => row[1])).toEqual([0, 2, 5, 7, 10])
    expect(edited(root, edits[0]).rows.at(-1)).toEqual([0, 10, 10])
    expect(applied(hand, edits[1])).toEqual([
      [0, 0],
      [8, 0],
    ])
    // nobody asked for it: all meet
    expect(edited(root, fitLoop([root], { start: 0, end: 8 }).edits[0]).rows.at(-1)).toEqual([0, 0, 10])
  })

  it('puts a key at the end where there is none, and leaves a loop that fits', () => {
    const t = track('a', [0, 20], { values: Float32Array.of(0, 20) })
    expect(applied(t, fitLoop([t], { start: 0, end: 10 }).edits[0])).toEqual([
      [0, 0],
      [10, 0],
      [20, 20],
    ])
    const fits = track('b', [0, 5, 10], { values: Float32Array.of(1, 2, 1) })
    expect(fitLoop([fits], { start: 0, end: 10 }).edits).toEqual([])
    expect(fitLoop([fits], { start: 5, end: 5 }).edits).toEqual([])
  })

  it('holds for any movement, turns included, and changes nothing outside', () => {
    fc.assert(
      fc.property(
        fc.oneof(rotations(['w', 'x', 'y', 'z']), positions),
        fc.integer({ min: 0, max: 30 }),
        fc.integer({ min: 1, max: 30 }),
        (t, start, length) => {
          const range = { start, end: start + length }
          const out = after(t, fitLoop([t], range).edits[0])
          expect(difference(t, valueAt(out, range.end), 0, valueAt(t, range.start), 0)).toBeLessThan(
            t.property === 'rotation' ? 0.01 : 1e-4,
          )
          for (let k = 0; k < t.times.length; k++) {
            if (t.times[k] > start && t.times[k] <= range.end) continue
            expect([...valueAt(out, t.times[k])]).toEqual([...valueAt(t, t.times[k])])
          }
        },
      ),
      { numRuns: 80 },
    )
  })
  it('gives way at its start, or half of it at both ends', () => {
    const t = track('a', [-2, 0, 4, 5, 6, 10, 12], { values: Float32Array.of(50, 0, 20, 20, 20, 10, 99) })
    expect(applied(t, fitLoop([t], { start: 0, end: 10 }, 5, new Set(), 'start').edits[0])).toEqual([
      [-2, 50],
      [0, 10],
      [4, 22],
      [5, 20],
      [6, 20],
      [10, 10],
      [12, 99],
    ])
    // never over more than its own half
    expect(applied(t, fitLoop([t], { start: 0, end: 10 }, 10, new Set(), 'both').edits[0])).toEqual([
      [-2, 50],
      [0, 5],
      [4, 21],
      [5, 20],
      [6, 19],
      [10, 5],
      [12, 99],
    ])
    const bare = track('b', [-10, 30], { values: Float32Array.of(0, 40) })
    expect(applied(bare, fitLoop([bare], { start: 0, end: 10 }, 2, new Set(), 'both').edits[0])).toEqual([
      [-10, 0],
      [0, 15],
      [10, 15],
      [30, 40],
    ])
  })

  it('meets wherever it gives way, for any turn', () => {
    fc.assert(
      fc.property(rotations(['w', 'x', 'y', 'z']), fc.constantFrom('start' as const, 'both' as const), (t, meeting) => {
        const [start, end] = [t.times[0], t.times[t.times.length - 1]]
        fc.pre(end > start)
        const out = after(t, fitLoop([t], { start, end }, end - start, new Set(), meeting).edits[0])
        expect(difference(t, valueAt(out, start), 0, valueAt(out, end), 0)).toBeLessThan(0.02)
      }),
      { numRuns: 60 },
    )
  })
})

describe('a loop that begins later', () => {
  const range = { start: 0, end: 10 }

  it('is the same movement from another moment on: keys go around, what stands beside it stays', () => {
    const t = track('a', [-5, 0, 3, 7, 10, 12], { values: Float32Array.of(9, 1, 4, 6, 1, 99) })
    expect(applied(t, cycleKeys([t], range, 3).edits[0])).toEqual([
      [-5, 9],
      [0, 4],
      [4, 6],
      [7, 1],
      [10, 4],
      [12, 99],
    ])
    // backwards is the rest of the round
    expect(cycleKeys([t], range, -7).edits).toEqual(cycleKeys([t], range, 3).edits)
    expect(cycleKeys([t], range, 10).edits).toEqual([])
    // where no key comes to stand at an end or where it began, one is put in
    expect(applied(t, cycleKeys([t], range, 5).edits[0])).toEqual([
      [-5, 9],
      [0, 5],
      [2, 6],
      [5, 1],
      [8, 4],
      [10, 5],
      [12, 99],
    ])
    expect([0, 3, 7, 10, 11].map(cycled(0, 10, 3))).toEqual([7, 0, 4, 7, 11])
  })

  it('goes on where it travels, from where it began', () => {
    const root = track('r', [0, 4, 10], { values: Float32Array.of(100, 104, 110) })
    expect(applied(root, cycleKeys([root], range, 4, new Set(['r'])).edits[0])).toEqual([
      [0, 100],
      [6, 106],
      [10, 110],
    ])
    const { edits, skipped } = cycleKeys([root], range, 4)
    expect(skipped).toEqual([expect.stringMatching('do not meet')])
    expect(applied(root, edits[0])).toEqual([
      [0, 104],
      [6, 100],
      [10, 104],
    ])
  })

  it('comes back by the rest of the round, whatever turns and however often keys stand', () => {
    fc.assert(
      fc.property(rotations(['w', 'x', 'y', 'z']), fc.integer({ min: 1, max: 9 }), (t, by) => {
        const closed = after(t, fitLoop([t], range).edits[0])
        fc.pre([...closed.times].filter((time) => time >= 0 && time <= 10).length > 1)
        // a track that begins within the range is held before: its first key is part of the fit
        fc.pre(difference(t, valueAt(closed, 0), 0, valueAt(closed, 10), 0) < 0.02)
        const out = after(closed, cycleKeys([closed], range, by).edits[0])
        expect(difference(t, valueAt(out, 0), 0, valueAt(out, 10), 0)).toBeLessThan(0.02)
        for (let time = 0; time <= 10; time++)
          expect(difference(t, valueAt(out, cycled(0, 10, by)(time)), 0, valueAt(closed, time), 0), `${time}`).toBeLessThan(0.1)
        for (const time of closed.times) if (time < 0 || time > 10) expect(valueAt(out, time)).toEqual(valueAt(closed, time))
      }),
      { numRuns: 80 },
    )
  })
})
