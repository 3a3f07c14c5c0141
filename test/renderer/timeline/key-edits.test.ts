import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { curvesOf, pointAt, shownTracks, valueRange, valueToY, yToValue } from '../../../src/renderer/timeline/curves.ts'
import { chosenSpan, copyKeys, insertKeys, moveKeys, offsetValues, pasteKeys, removeKeys, setValues, storable, valueAt } from '../../../src/renderer/timeline/key-edits.ts'
import type { KeyEdit, NativeTrack } from '../../../src/shared/api/types.ts'

function track(id: string, times: number[], more: Partial<NativeTrack> = {}): NativeTrack {
  const components = more.components ?? ['x']
  return {
    id,
    ref: 'a.mot',
    clip: 'a',
    target: id,
    joint: 0,
    property: 'translation',
    label: 'T',
    components,
    times: Float64Array.from(times),
    values: Float32Array.from(times.flatMap((t) => components.map((_, c) => t * 10 + c))),
    ...more,
    limits: { timeStep: 1, minTime: 0, maxTime: 1000, dense: false, stepped: false, packed: '', readOnly: '', ...more.limits },
  }
}

/** What the services do with an edit, in plain code. */
function applied(t: NativeTrack, edit: KeyEdit | undefined): [number, number][] {
  const width = t.components.length
  const rows = new Map<number, [number, number]>([...t.times].map((time, k) => [k, [time, t.values[k * width]]]))
  edit?.remove?.forEach((k) => rows.delete(k))
  edit?.set?.keys.forEach((k, i) => rows.set(k, [edit.set!.times[i], edit.set!.values[i * width]]))
  edit?.insert?.times.forEach((time, i) => rows.set(10_000 + i, [time, edit.insert!.values[i * width]]))
  return [...rows.values()].sort((a, b) => a[0] - b[0])
}
const pick = (...pairs: [string, number[]][]): Map<string, Set<number>> => new Map(pairs.map(([id, times]) => [id, new Set(times)]))

describe('moving keys', () => {
  it('keeps values and the choice, and leaves other keys and tracks out of the edit', () => {
    const a = track('a', [1, 5, 9])
    const plan = moveKeys([a, track('b', [1])], pick(['a', [5]]), (t) => t + 2)
    expect(plan.edits).toHaveLength(1)
    expect(applied(a, plan.edits[0])).toEqual([[1, 10], [7, 50], [9, 90]])
    expect([...plan.selection.get('a')!]).toEqual([7])
  })

  it('replaces a key that stands where a chosen one lands', () => {
    const a = track('a', [1, 5, 9])
    expect(applied(a, moveKeys([a], pick(['a', [5]]), (t) => t + 4).edits[0])).toEqual([[1, 10], [9, 50]])
  })

  it('snaps to the steps and stays in the range of the format', () => {
    expect(storable(track('a', []), 4.6)).toBe(5)
    expect(storable(track('a', []), -3)).toBe(0)
    expect(storable(track('a', [], { limits: { timeStep: 0, maxTime: 2 } as never }), 1.25)).toBe(1.25)
  })

  it('tells which tracks cannot, and leaves them chosen', () => {
    const dense = track('d', [1, 2], { limits: { dense: true } as never })
    const plan = moveKeys([dense], pick(['d', [1]]), (t) => t + 1)
    expect(plan.edits).toEqual([])
    expect(plan.skipped[0]).toContain('every frame')
    expect([...plan.selection.get('d')!]).toEqual([1])
  })

  it('never leaves two keys at one time, whatever is moved where', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 20 }), fc.func(fc.boolean()), fc.integer({ min: -30, max: 30 }), fc.double({ min: -2, max: 2, noNaN: true }), (times, chosen, delta, factor) => {
        times.sort((x, y) => x - y)
        const a = track('a', times)
        const plan = moveKeys([a], pick(['a', times.filter((t) => chosen(t))]), (t) => t * factor + delta)
        const after = applied(a, plan.edits[0]).map(([t]) => t)
        expect(new Set(after).size).toBe(after.length)
        // a key number is named once
        const named = [...(plan.edits[0]?.remove ?? []), ...(plan.edits[0]?.set?.keys ?? [])]
        expect(new Set(named).size).toBe(named.length)
      }),
    )
  })
})

describe('other edits of keys', () => {
  it('delete and set only what is chosen', () => {
    const a = track('a', [1, 5], { components: ['x', 'y'] })
    expect([...removeKeys([a], pick(['a', [5]])).edits[0].remove!]).toEqual([1])
    expect([...setValues(a, new Set([5]), [7, NaN]).edits[0].set!.values]).toEqual([7, 51])
  })

  it('insert the value that the track has there', () => {
    const a = track('a', [0, 10])
    expect(applied(a, insertKeys([a], 4).edits[0])).toEqual([[0, 0], [4, 40], [10, 100]])
    expect(insertKeys([a], 10).edits).toEqual([])
    expect([...valueAt(track('s', [0, 10], { limits: { stepped: true } as never }), 9)]).toEqual([0])
    expect([...valueAt(a, -5)]).toEqual([0])
    expect([...valueAt(a, 50)]).toEqual([100])
    expect([...valueAt(track('e', []), 1)]).toEqual([0])
  })

  it('turn rotations along the shorter way', () => {
    const half = Math.SQRT1_2
    const r = track('r', [0, 10], { property: 'rotation', components: ['w', 'x', 'y', 'z'], values: Float32Array.of(1, 0, 0, 0, -half, -half, 0, 0) })
    const middle = valueAt(r, 5)
    expect(middle[0]).toBeCloseTo(Math.cos(Math.PI / 8))
    expect(middle[1]).toBeCloseTo(Math.sin(Math.PI / 8))
  })

  it('paste into the same bones of another clip, over keys that stand there', () => {
    const from = track('from', [3, 5], { target: 'arm' })
    const copied = copyKeys([from], pick(['from', [3, 5]]))!
    const to = track('to', [10, 12, 20], { target: 'arm' })
    const plan = pasteKeys([to], copied, 10)
    expect(applied(to, plan.edits[0])).toEqual([[10, 30], [12, 50], [20, 200]])
    expect(applied(to, pasteKeys([to], copied, 13).edits[0])).toEqual([[10, 100], [12, 120], [13, 30], [15, 50], [20, 200]])
    expect(pasteKeys([track('x', [], { target: 'leg' })], copied, 1).skipped).toEqual(['no translation track for arm'])
    expect(copyKeys([from], new Map())).toBeNull()
  })

  it('know the span of a choice', () => {
    expect(chosenSpan(pick(['a', [4, 9]], ['b', [2]]))).toEqual({ start: 2, end: 9 })
    expect(chosenSpan(new Map())).toBeNull()
  })
})

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

  it('move on one component alone', () => {
    const a = track('a', [1, 5], { components: ['x', 'y'] })
    expect([...offsetValues(a, new Set([5]), 1, 2).edits[0].set!.values]).toEqual([50, 53])
  })
})
