import { describe, expect, it } from 'vitest'
import { Stroke, partnersOf, type StrokeOptions } from '../../../src/renderer/features/weights/stroke.ts'
import { nativeGeometry, neighboursOf } from '../../../src/shared/weights/geometry.ts'
import { applied, influencesOf, weightOf } from '../../../src/shared/weights/rows.ts'
import { LIMITS, rowsOf, weightsOf } from '../../shared/weights/fixtures.ts'

const BONES = ['root', 'arm_l', 'arm_r']
// a strip along x, -3..3 at z = 0 and 1
const positions = Float32Array.from(Array.from({ length: 14 }, (_, i) => [(i % 7) - 3, 0, Math.floor(i / 7)]).flat())
const indices = Uint32Array.from(Array.from({ length: 6 }, (_, x) => [x, x + 1, x + 7, x + 1, x + 8, x + 7]).flat())
const geometry = nativeGeometry({ positions, indices, nativeVertex: Uint32Array.from({ length: 14 }, (_, i) => i) }, 14)
const whole = (limits = LIMITS.renderware) =>
  weightsOf(
    Array.from({ length: 14 }, () => [{ bone: 0, weight: limits.fullWeight }]),
    limits,
    BONES,
  )
const options = (more: Partial<StrokeOptions> = {}): StrokeOptions => ({
  bone: 1,
  mode: 'add',
  strength: 0.5,
  amount: 1,
  falloff: 'linear',
  heirs: Int32Array.of(-1, 0, 0),
  neighbours: neighboursOf(geometry),
  geometry,
  ...more,
})

describe('a stroke of the brush', () => {
  it('changes what it reaches, most in the middle, and nothing else', () => {
    const w = whole()
    const stroke = new Stroke(w, options())
    expect(stroke.dab([-3, 0, 0], 2, positions).sort((a, b) => a - b)).toEqual([0, 1, 7, 8])
    const rows = rowsOf(stroke.rows().edit())
    expect(rows.map((r) => r.vertex)).toEqual([0, 1, 7, 8])
    expect(rows[0].row).toEqual([
      { bone: 0, weight: 0.5 },
      { bone: 1, weight: 0.5 },
    ])
    expect(stroke.stored(1)).toBeCloseTo(0.25)
    expect(stroke.stored(6)).toBe(0)
  })

  it('gives the same for a place that it goes over twice; smoothing goes on', () => {
    const w = whole()
    const once = new Stroke(w, options())
    once.dab([0, 0, 0], 2, positions)
    const twice = new Stroke(w, options())
    for (let i = 0; i < 2; i++) twice.dab([0, 0, 0], 2, positions)
    expect(twice.rows().edit()).toEqual(once.rows().edit())
    const peak = applied(w, once.rows().edit())
    const smooth = new Stroke(peak, options({ mode: 'smooth', strength: 1 }))
    smooth.dab([0, 0, 0], 1.5, positions)
    const first = smooth.stored(3)
    smooth.dab([0, 0, 0], 1.5, positions)
    expect(smooth.stored(3)).toBeLessThan(first)
    expect(first).toBeLessThan(weightOf(peak, 3, 1))
  })

  it('paints the other side with the bone of the other side', () => {
    const partners = partnersOf(geometry, { axis: 0, plane: 0 })
    expect([...partners.subarray(0, 7)]).toEqual([6, 5, 4, 3, 2, 1, 0])
    const w = whole()
    const stroke = new Stroke(w, options({ mirror: { partners, bone: 2 } }))
    stroke.dab([-3, 0, 0], 1.5, positions)
    const after = applied(w, stroke.rows().edit())
    for (let v = 0; v < 14; v++) expect(weightOf(after, v, 1)).toBe(weightOf(after, partners[v], 2))
    expect(weightOf(after, 0, 1)).toBe(0.5)
    // a bone of the middle
    const middle = new Stroke(w, options({ mode: 'subtract', bone: 0, mirror: { partners, bone: 0 } }))
    middle.dab([-3, 0, 0], 1.5, positions)
    expect(middle.stored(6)).toBe(middle.stored(0))
  })

  it('shows what the file will store: whole bones, percent', () => {
    const one = new Stroke(whole(LIMITS.w3dOne), options({ strength: 0.8, falloff: 'linear' }))
    one.dab([0, 0, 0], 2, positions)
    // 0.8 in the middle takes the vertex, 0.4 beside it does not
    expect([one.stored(3), one.stored(2)]).toEqual([1, 0])
    expect(rowsOf(one.rows().edit())).toEqual([{ vertex: 3, row: [{ bone: 1, weight: 1 }] }])
    const percent = new Stroke(whole(LIMITS.w3dTwo), options({ strength: 0.333 }))
    percent.dab([0, 0, 0], 2, positions)
    expect(rowsOf(percent.rows().edit()).map((r) => r.row)).toContainEqual([
      { bone: 0, weight: 67 },
      { bone: 1, weight: 33 },
    ])
  })

  it('leaves no edit where nothing changes', () => {
    const w = whole()
    const stroke = new Stroke(w, options({ mode: 'subtract' }))
    stroke.dab([0, 0, 0], 2, positions)
    expect(stroke.touchedCount).toBeGreaterThan(0)
    expect(stroke.rows().edit()).toBeNull()
    expect(influencesOf(applied(w, stroke.rows().edit()), 3)).toEqual([{ bone: 0, weight: 1 }])
  })
})
