import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editOf, filterVertices, influencesOf, normalise, sumIsFull, sumOf } from '../../../src/renderer/weights/rows.ts'
import type { NativeWeights } from '../../../src/shared/api/types.ts'

const weights: NativeWeights = {
  id: 'w',
  mesh: 'm',
  sceneMesh: 0,
  vertexCount: 4,
  bones: [{ name: 'a', joint: 0 }, { name: 'b', joint: 1 }],
  offsets: Uint32Array.of(0, 1, 3, 3, 4),
  bone: Uint16Array.of(0, 0, 1, 1),
  weight: Float32Array.of(100, 60, 30, 100),
  limits: { fullWeight: 100, maxInfluences: 0, step: 0, packedFront: false, readOnly: '' },
}

describe('weights', () => {
  it('are listed per vertex in file order', () => {
    expect(influencesOf(weights, 1)).toEqual([{ bone: 0, weight: 60 }, { bone: 1, weight: 30 }])
    expect(influencesOf(weights, 2)).toEqual([])
    expect(sumOf(weights, 1)).toBe(90)
  })

  it('are filtered by bone and by a sum that is off; no weight at all is no fault', () => {
    expect([...filterVertices(weights, -1, false)]).toEqual([0, 1, 2, 3])
    expect([...filterVertices(weights, 1, false)]).toEqual([1, 3])
    expect([...filterVertices(weights, -1, true)]).toEqual([1])
    expect(sumIsFull(0, 0, 100)).toBe(true)
    expect(sumIsFull(0, 1, 100)).toBe(false)
  })

  it('are normalised to the full weight on the steps of the file', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0.01, max: 100, noNaN: true }), { minLength: 1, maxLength: 6 }), fc.constantFrom(0, 1), (list, step) => {
        const out = normalise(list.map((weight, bone) => ({ bone, weight })), { fullWeight: 100, step })
        expect(out.reduce((n, i) => n + i.weight, 0)).toBeCloseTo(100, 6)
        if (step) for (const i of out) expect(i.weight).toBe(Math.round(i.weight))
      }),
    )
    expect(normalise([{ bone: 0, weight: 0 }], { fullWeight: 100, step: 0 })).toEqual([{ bone: 0, weight: 0 }])
  })

  it('go to the services as rows', () => {
    const edit = editOf('w', 7, [{ bone: 1, weight: 25.5 }])
    expect([...edit.vertices, ...edit.offsets, ...edit.bone, ...edit.weight]).toEqual([7, 0, 1, 1, 25.5])
  })
})
