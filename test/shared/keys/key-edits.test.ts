import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { copyKeys, pasteKeys } from '../../../src/shared/keys/clipboard.ts'
import {
  insertKeys,
  offsetTranslation,
  offsetValues,
  removeKeys,
  setValue,
  shiftAndOffset,
  takeOutTravel,
} from '../../../src/shared/keys/keys.ts'
import { degreesOf } from '../../../src/shared/keys/degrees.ts'
import { chosenSpan, storable } from '../../../src/shared/keys/plan.ts'
import { beyondLimits, retimeKeys, reversed, roomFor, runsInto, scaled, shifted, snapped } from '../../../src/shared/keys/retime.ts'
import { planTask } from '../../../src/shared/keys/tasks.ts'
import { quaternionOfDegrees, valueAt } from '../../../src/shared/keys/value.ts'
import { applied, edited, pick, track } from '../../support/keys.ts'

const stored = (component: number) => ({ component, degrees: false })

describe('moving keys', () => {
  it('keeps values and the choice, and leaves other keys and tracks out of the edit', () => {
    const a = track('a', [1, 5, 9])
    const plan = retimeKeys([a, track('b', [1])], pick(['a', [5]]), shifted(2))
    expect(plan.edits).toHaveLength(1)
    expect(applied(a, plan.edits[0])).toEqual([
      [1, 10],
      [7, 50],
      [9, 90],
    ])
    expect([...plan.selection.get('a')!]).toEqual([7])
  })

  it('replaces a key that stands where a chosen one lands', () => {
    const a = track('a', [1, 5, 9])
    const plan = retimeKeys([a], pick(['a', [5]]), shifted(4))
    expect(applied(a, plan.edits[0])).toEqual([
      [1, 10],
      [9, 50],
    ])
    expect(plan).toMatchObject({ count: 1, gaveWay: 1 })
  })

  it('leaves of keys that fall together the last one, and counts those that are gone', () => {
    const [a, b] = [track('a', [0, 1, 2, 3, 10]), track('b', [0, 10, 20])]
    const change = { kind: 'scale', pivot: 0, factor: 0.2 } as const
    const plan = planTask({ tool: 'retime', change }, [a, b], pick(['a', [0, 1, 2, 3, 10]], ['b', [10, 20]]))
    expect(applied(a, plan.edits[0])).toEqual([
      [0, 20],
      [1, 30],
      [2, 100],
    ])
    expect(plan).toMatchObject({ count: 7, gaveWay: 2 })
    // none of them where they have room
    expect(planTask({ tool: 'retime', change: { ...change, factor: 2 } }, [a], pick(['a', [1, 2, 3]])).gaveWay).toBe(0)
  })

  it('snaps to the steps and stays in the range of the format', () => {
    expect(storable(track('a', []), 4.6)).toBe(5)
    expect(storable(track('a', []), -3)).toBe(0)
    expect(storable(track('a', [], { limits: { timeStep: 0, maxTime: 2 } }), 1.25)).toBe(1.25)
  })

  it('tells which tracks cannot, and leaves them chosen', () => {
    const fixed = track('d', [1, 2], { limits: { readOnly: 'nobody knows what it moves' } })
    const plan = retimeKeys([fixed], pick(['d', [1]]), shifted(1))
    expect(plan.edits).toEqual([])
    expect(plan.skipped).toEqual(['nobody knows what it moves'])
    expect([...plan.selection.get('d')!]).toEqual([1])
  })

  it('scale, reverse and snap', () => {
    const a = track('a', [0, 4, 10])
    const all = pick(['a', [0, 4, 10]])
    expect(applied(a, retimeKeys([a], all, scaled(0, 2)).edits[0])).toEqual([
      [0, 0],
      [8, 40],
      [20, 100],
    ])
    expect(applied(a, retimeKeys([a], all, scaled(10, 0.5)).edits[0])).toEqual([
      [5, 0],
      [7, 40],
      [10, 100],
    ])
    expect(applied(a, retimeKeys([a], all, reversed(0, 10)).edits[0])).toEqual([
      [0, 100],
      [6, 40],
      [10, 0],
    ])
    const free = track('f', [0.2, 1.6], { limits: { timeStep: 0 } })
    expect(applied(free, retimeKeys([free], pick(['f', [0.2, 1.6]]), snapped(1)).edits[0]).map(([t]) => t)).toEqual([0, 2])
  })

  it('know how far they can go before a clip ends', () => {
    const a = track('a', [2, 5, 8], { limits: { maxTime: 10 } })
    const all = pick(['a', [2, 5, 8]])
    expect([roomFor([a], all, 1), roomFor([a], all, 5), roomFor([a], all, -5), roomFor([a], pick(['a', [2]]), 5)]).toEqual([1, 2, -2, 5])
    expect(roomFor([track('d', [0, 1], { limits: { dense: true, maxTime: 1 } })], pick(['d', [1]]), 5)).toBe(5)
    expect(beyondLimits([a], all, scaled(2, 2))).toBe(10)
    expect(beyondLimits([a], all, scaled(8, 2))).toBe(0)
    expect(beyondLimits([a], all, scaled(2, 1.25))).toBeNull()
    expect(beyondLimits([a], pick(['a', [2]]), scaled(0, 5.2))).toBeNull()
  })

  it('see keys in their way', () => {
    const a = track('a', [0, 5, 9])
    expect(runsInto(a, new Set([0, 5]), 5, 10)).toBe(true)
    expect(runsInto(a, new Set([0, 5]), 5, 8)).toBe(false)
    expect(runsInto(a, new Set([0, 5, 9]), 5, 20)).toBe(false)
    expect(runsInto(a, undefined, 0, 20)).toBe(false)
  })

  it('give a track with a key on every frame new values at the same frames', () => {
    const dense = track('d', [0, 1, 2, 3, 4, 5, 6], { limits: { dense: true } })
    const bump = track('d', [0, 1, 2, 3, 4, 5, 6], { limits: { dense: true }, values: Float32Array.of(0, 100, 200, 30, 40, 50, 60) })
    const moved = retimeKeys([bump], pick(['d', [1, 2]]), shifted(3))
    // the frames it left are filled from both sides
    expect(applied(bump, moved.edits[0])).toEqual([
      [0, 0],
      [1, 10],
      [2, 20],
      [3, 30],
      [4, 100],
      [5, 200],
      [6, 60],
    ])
    expect([...moved.selection.get('d')!]).toEqual([4, 5])
    expect(applied(dense, retimeKeys([dense], pick(['d', [1, 2, 3]]), reversed(1, 3)).edits[0]).map(([, v]) => v)).toEqual([
      0, 30, 20, 10, 40, 50, 60,
    ])
    expect(applied(dense, retimeKeys([dense], pick(['d', [0, 1, 2]]), scaled(0, 2)).edits[0]).map(([, v]) => v)).toEqual([
      0, 5, 10, 15, 20, 50, 60,
    ])
    const out = retimeKeys([dense], pick(['d', [5, 6]]), shifted(1))
    expect(out.skipped[0]).toContain('is lost')
    expect(retimeKeys([dense], pick(['d', [5, 6]]), shifted(20)).edits).toEqual([])
    expect(retimeKeys([dense], pick(['d', [1]]), snapped(1)).edits).toEqual([])
  })

  it('never leaves two keys at one time, whatever is moved where', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 20 }),
        fc.func(fc.boolean()),
        fc.integer({ min: -30, max: 30 }),
        fc.double({ min: -2, max: 2, noNaN: true }),
        (times, chosen, delta, factor) => {
          times.sort((x, y) => x - y)
          const a = track('a', times)
          const plan = retimeKeys([a], pick(['a', times.filter((t) => chosen(t))]), { to: (t) => t * factor + delta })
          const after = applied(a, plan.edits[0]).map(([t]) => t)
          expect(new Set(after).size).toBe(after.length)
          // a key number is named once
          const named = [...(plan.edits[0]?.remove ?? []), ...(plan.edits[0]?.set?.keys ?? [])]
          expect(new Set(named).size).toBe(named.length)
        },
      ),
    )
  })
})

describe('other edits of keys', () => {
  it('delete and set only what is chosen', () => {
    const a = track('a', [1, 5], { components: ['x', 'y'] })
    expect([...removeKeys([a], pick(['a', [5]])).edits[0].remove!]).toEqual([1])
    expect([...setValue(a, new Set([5]), 0, 7).edits[0].set!.values]).toEqual([7, 51])
  })

  it('insert the value that the track has there', () => {
    const a = track('a', [0, 10])
    expect(applied(a, insertKeys([a], 4).edits[0])).toEqual([
      [0, 0],
      [4, 40],
      [10, 100],
    ])
    expect(insertKeys([a], 10).edits).toEqual([])
    expect([...valueAt(track('s', [0, 10], { limits: { stepped: true } }), 9)]).toEqual([0])
    expect([...valueAt(a, -5)]).toEqual([0])
    expect([...valueAt(a, 50)]).toEqual([100])
    expect([...valueAt(track('e', []), 1)]).toEqual([0])
  })

  it('turn rotations along the shorter way', () => {
    const half = Math.SQRT1_2
    const r = track('r', [0, 10], {
      property: 'rotation',
      components: ['w', 'x', 'y', 'z'],
      values: Float32Array.of(1, 0, 0, 0, -half, -half, 0, 0),
    })
    const middle = valueAt(r, 5)
    expect(middle[0]).toBeCloseTo(Math.cos(Math.PI / 8))
    expect(middle[1]).toBeCloseTo(Math.sin(Math.PI / 8))
  })

  it('paste into the same bones of another clip, over keys that stand there', () => {
    const from = track('from', [3, 5], { target: 'arm' })
    const copied = copyKeys([from], pick(['from', [3, 5]]))!
    const to = track('to', [10, 12, 20], { target: 'arm' })
    const plan = pasteKeys([to], copied, 10)
    expect(applied(to, plan.edits[0])).toEqual([
      [10, 30],
      [12, 50],
      [20, 200],
    ])
    expect(applied(to, pasteKeys([to], copied, 13).edits[0])).toEqual([
      [10, 100],
      [12, 120],
      [13, 30],
      [15, 50],
      [20, 200],
    ])
    expect(pasteKeys([track('x', [], { target: 'leg' })], copied, 1).skipped).toEqual(['no translation track for arm'])
    expect(copyKeys([from], new Map())).toBeNull()
  })

  it('paste over what is there leaves no key of the old movement between', () => {
    const copied = copyKeys([track('from', [3, 9], { target: 'arm' })], pick(['from', [3, 9]]))!
    const to = track('to', [9, 10, 12, 14, 16, 20], { target: 'arm' })
    expect(applied(to, pasteKeys([to], copied, 10, true).edits[0])).toEqual([
      [9, 90],
      [10, 30],
      [16, 90],
      [20, 200],
    ])
    expect(applied(to, pasteKeys([to], copied, 11, true).edits[0])).toEqual([
      [9, 90],
      [10, 100],
      [11, 30],
      [17, 90],
      [20, 200],
    ])
  })

  it('paste nothing beyond the end of a clip, and say so', () => {
    const copied = copyKeys([track('from', [0, 1, 2], { target: 'arm' })], pick(['from', [0, 1, 2]]))!
    const to = track('to', [0, 9], { target: 'arm', limits: { maxTime: 9 } })
    const plan = pasteKeys([to], copied, 8)
    expect(applied(to, plan.edits[0])).toEqual([
      [0, 0],
      [8, 0],
      [9, 10],
    ])
    expect(plan.skipped).toEqual(['what lies beyond the end of the clip was left out'])
  })

  it('know the span of a choice', () => {
    expect(chosenSpan(pick(['a', [4, 9]], ['b', [2]]))).toEqual({ start: 2, end: 9 })
    expect(chosenSpan(new Map())).toBeNull()
  })

  it('move on one component alone', () => {
    const a = track('a', [1, 5], { components: ['x', 'y'] })
    expect([...offsetValues(a, new Set([5]), stored(1), 2).edits[0].set!.values]).toEqual([50, 53])
  })

  it('turn about one axis by degrees: the other degrees, the length and the other keys stay', () => {
    const half = Math.PI / 360
    // about z by 0, 80, 160, 240 degrees, w first; the second key is of another length, the third of the other half of the sphere
    const values = [0, 80, 160, 240].flatMap((z, k) => {
      const length = k === 1 ? 1.5 : k === 2 ? -1 : 1
      return [length * Math.cos(z * half), 0, 0, length * Math.sin(z * half)]
    })
    const turn = track('q', [0, 1, 2, 3], {
      property: 'rotation',
      components: ['w', 'x', 'y', 'z'],
      values: Float32Array.from(values),
    })
    const z = (of: typeof turn): number[] => [...degreesOf(of)].filter((_, i) => i % 3 === 2).map((v) => Math.round(v * 100) / 100)
    expect(z(turn)).toEqual([0, 80, 160, 240])
    const plan = offsetValues(turn, new Set([1, 2, 3]), { component: 2, degrees: true }, 10)
    const after = { ...turn, values: turn.values.slice() }
    const { keys, values: made } = plan.edits[0].set!
    expect([...keys]).toEqual([1, 2, 3])
    keys.forEach((k, i) => after.values.set(made.subarray(4 * i, 4 * i + 4), 4 * k))
    expect(z(after)).toEqual([0, 90, 170, 250])
    expect(Math.hypot(...after.values.subarray(4, 8))).toBeCloseTo(1.5, 5)
    for (const k of [1, 2, 3])
      expect(after.values.subarray(4 * k, 4 * k + 4).reduce((dot, v, c) => dot + v * turn.values[4 * k + c], 0)).toBeGreaterThan(0.9)
  })

  it('go on beyond 90 degrees about y, where one triple of angles ends', () => {
    const turn = track('q', [0, 1, 2, 3], {
      property: 'rotation',
      components: ['x', 'y', 'z', 'w'],
      values: Float32Array.from([40, 80, 120, 160].flatMap((y) => [0, Math.sin((y * Math.PI) / 360), 0, Math.cos((y * Math.PI) / 360)])),
    })
    const shown = (of: typeof turn): number[][] =>
      of.times.reduce<number[][]>(
        (rows, _t, k) => [...rows, [...degreesOf(of).subarray(3 * k, 3 * k + 3)].map((v) => Math.round(v) + 0)],
        [],
      )
    expect(shown(turn)).toEqual([40, 80, 120, 160].map((y) => [0, y, 0]))
    const { set } = offsetValues(turn, new Set([2]), { component: 1, degrees: true }, 20).edits[0]
    const after = { ...turn, values: turn.values.slice() }
    after.values.set(set!.values, 8)
    expect(shown(after)[2]).toEqual([0, 140, 0])
  })

  it('go through 90 degrees about y, where x and z turn the same, without a leap of those', () => {
    for (const sign of [1, -1]) {
      const turn = track('q', [0, 1, 2, 3], {
        property: 'rotation',
        components: ['x', 'y', 'z', 'w'],
        values: Float32Array.from(
          [60, 90, 90, 120].flatMap((y) => {
            const q = [0, 0, 0, 1]
            quaternionOfDegrees(q, [20, sign * y, 30])
            return q
          }),
        ),
      })
      const degrees = [...degreesOf(turn)].map((v) => Math.round(v * 10) / 10)
      expect(degrees).toEqual([60, 90, 90, 120].flatMap((y) => [20, sign * y, 30]))
    }
  })

  it('keep a rotation a turn: the other components follow, as they stand to each other', () => {
    const turn = (values: number[]) =>
      track('q', [0], { property: 'rotation', components: ['w', 'x', 'y', 'z'], values: Float32Array.from(values) })
    const set = (values: number[], component: number, value: number): number[] =>
      [...setValue(turn(values), new Set([0]), component, value).edits[0].set!.values].map((v) => Math.round(v * 1e4) / 1e4)
    expect(set([0.8, 0.6, 0, 0], 1, 0.8)).toEqual([0.6, 0.8, 0, 0])
    expect(set([0.5, 0.5, -0.5, 0.5], 0, 0)).toEqual([0, 0.5774, -0.5774, 0.5774])
    expect(set([1, 0, 0, 0], 0, 0.6)).toEqual([0.6, 0.8, 0, 0])
    expect(set([0, 0, 1, 0], 2, 0)).toEqual([1, 0, 0, 0])
    expect(set([1, 0, 0, 0], 3, -4)).toEqual([0, 0, 0, -1])
    // what was no turn in the file is not made one
    expect(set([2, 0, 0, 0], 1, 3)).toEqual([2, 3, 0, 0])
  })

  it('move in time and value at once, other chosen keys in time alone', () => {
    const [a, b] = [track('a', [1, 5, 9], { components: ['x', 'y'] }), track('b', [5])]
    const plan = shiftAndOffset([a, b], pick(['a', [5]], ['b', [5]]), 2, 'a', stored(1), 0.5)
    expect(
      edited(
        a,
        plan.edits.find((e) => e.track === 'a'),
      ),
    ).toEqual({
      times: [1, 7, 9],
      rows: [
        [10, 11],
        [50, 51.5],
        [90, 91],
      ],
    })
    expect(
      applied(
        b,
        plan.edits.find((e) => e.track === 'b')!,
      ),
    ).toEqual([[7, 50]])
    // a time that rounds to where it was leaves the value
    const still = shiftAndOffset([a, b], pick(['a', [5]], ['b', [5]]), 0.2, 'a', stored(1), 0.5)
    expect(still.edits.map((e) => e.track)).toEqual(['a'])
    expect(edited(a, still.edits[0]).rows[1]).toEqual([50, 51.5])
  })

  it('move positions by a vector, by the names of the axes, and nothing else', () => {
    const xyz = track('p', [0, 1], { components: ['x', 'y', 'z'] })
    const z = track('z', [0, 1], { components: ['z'] })
    const turn = track('r', [0], { components: ['x', 'y', 'z', 'w'], property: 'rotation' })
    const plan = offsetTranslation([xyz, z, turn], pick(['p', [1]], ['z', [0]], ['r', [0]]), { x: 1, y: 0, z: 5 })
    expect([...plan.edits[0].set!.values]).toEqual([11, 11, 17])
    expect([...plan.edits[1].set!.values]).toEqual([5])
    expect(plan.edits).toHaveLength(2)
    expect(offsetTranslation([turn], pick(['r', [0]]), { x: 1, y: 0, z: 0 }).skipped).toHaveLength(1)
  })

  it('keep a walk in place', () => {
    const root = track('p', [0, 5, 10], { components: ['x', 'y'], values: Float32Array.of(0, 1, 6, 3, 10, 1) })
    expect(applied(root, takeOutTravel([root], pick(['p', [0, 5, 10]])).edits[0])).toEqual([
      [0, 0],
      [5, 1],
      [10, 0],
    ])
    expect(takeOutTravel([root], pick(['p', [0, 5, 10]]), ['y']).edits).toEqual([])
  })
})
