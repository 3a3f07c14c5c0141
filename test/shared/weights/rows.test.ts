import { describe, expect, it } from 'vitest'
import { EditRows, applied, editOf, filterVertices, influencesOf, sumIsFull, sumOf, weightOf } from '../../../src/shared/weights/rows.ts'
import { LIMITS, weightsOf } from './fixtures.ts'

const weights = weightsOf(
  [
    [{ bone: 0, weight: 100 }],
    [
      { bone: 0, weight: 60 },
      { bone: 1, weight: 30 },
    ],
    [],
    [{ bone: 1, weight: 100 }],
  ],
  LIMITS.level5,
  ['a', 'b'],
)

describe('weights', () => {
  it('are listed per vertex in file order', () => {
    expect(influencesOf(weights, 1)).toEqual([
      { bone: 0, weight: 60 },
      { bone: 1, weight: 30 },
    ])
    expect(influencesOf(weights, 2)).toEqual([])
    expect(sumOf(weights, 1)).toBe(90)
    expect([weightOf(weights, 1, 1), weightOf(weights, 0, 1)]).toEqual([30, 0])
  })

  it('are filtered by bone and by state; no weight at all is a state of its own', () => {
    expect([...filterVertices(weights, -1, 'all')]).toEqual([0, 1, 2, 3])
    expect([...filterVertices(weights, 1, 'all')]).toEqual([1, 3])
    expect([...filterVertices(weights, -1, 'off')]).toEqual([1])
    expect([...filterVertices(weights, 0, 'none')]).toEqual([2])
    expect(sumIsFull(0, 0, 100)).toBe(true)
    expect(sumIsFull(0, 1, 100)).toBe(false)
  })

  it('go to the services as rows', () => {
    const edit = editOf('w', 7, [{ bone: 1, weight: 25.5 }])
    expect([...edit.vertices, ...edit.offsets, ...edit.bone, ...edit.weight]).toEqual([7, 0, 1, 1, 25.5])
  })

  it('are collected into one edit, in order, without what stays the same', () => {
    const rows = new EditRows(weights)
    rows.set(3, [
      { bone: 0, weight: 50 },
      { bone: 1, weight: 50 },
    ])
    rows.set(0, [{ bone: 0, weight: 100 }])
    rows.set(1, [])
    expect(rows.count).toBe(2)
    const edit = rows.edit()!
    expect([...edit.vertices]).toEqual([1, 3])
    expect([...edit.offsets]).toEqual([0, 0, 2])
    const after = applied(weights, edit)
    expect([0, 1, 2, 3].map((v) => influencesOf(after, v).length)).toEqual([1, 0, 0, 2])
    // taken back
    rows.set(3, influencesOf(weights, 3))
    rows.set(1, influencesOf(weights, 1))
    expect(rows.edit()).toBeNull()
    expect(applied(weights, null)).toBe(weights)
  })
})
