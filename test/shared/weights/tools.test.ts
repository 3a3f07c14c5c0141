import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { NativeWeights, WeightEdit, WeightLimits } from '../../../src/shared/api/types/weights.ts'
import { mirrorNames } from '../../../src/shared/scene/sides.ts'
import { changeBone, columnOf, falloffAt, heirsOf, withBone } from '../../../src/shared/weights/change.ts'
import { SurfaceTree, nativeGeometry, neighboursOf } from '../../../src/shared/weights/geometry.ts'
import { describeLimits, fit, totalOf } from '../../../src/shared/weights/limits.ts'
import { applied, influencesOf, sumOf, weightOf } from '../../../src/shared/weights/rows.ts'
import {
  boneStatistics,
  copyFrom,
  findPlane,
  findTrouble,
  limit,
  mirror,
  normalise,
  prune,
  smooth,
} from '../../../src/shared/weights/tools.ts'
import { BONES, LIMITS, anyLimits, anyWeights, rowsOf, weightsOf } from './fixtures.ts'

const anyRow = fc.array(
  fc.record({
    bone: fc.nat(7),
    weight: fc.oneof(fc.double({ min: 0, max: 300, noNaN: true }), fc.constantFrom(0, -5, NaN, Infinity, 1e-30)),
  }),
  { maxLength: 9 },
)

/** A row is one that the file can hold, and comes to its full weight. */
function expectStorable(row: { bone: number; weight: number }[], limits: WeightLimits, sum: number | null = limits.fullWeight): void {
  if (limits.maxInfluences) expect(row.length).toBeLessThanOrEqual(limits.maxInfluences)
  expect(new Set(row.map((i) => i.bone)).size).toBe(row.length)
  for (const { weight } of row) {
    expect(weight).toBeGreaterThan(0)
    expect(weight).toBeLessThanOrEqual(limits.fullWeight)
    if (limits.step) expect(weight % limits.step).toBe(0)
  }
  if (!row.length || sum === null) return
  if (limits.step) expect(totalOf(row)).toBe(sum)
  else expect(Math.abs(totalOf(row) - sum)).toBeLessThan(sum * 1e-5)
}

const all = (w: NativeWeights): Uint32Array => Uint32Array.from({ length: w.vertexCount }, (_, i) => i)
const NO_HEIRS = new Int32Array(BONES.length).fill(-1)

/** A grid of squares over x -2..2, y 0..2: symmetric about x = 0, with one vertex that is split in two. */
function sheet(): { geometry: ReturnType<typeof nativeGeometry>; count: number } {
  const positions: number[] = []
  for (let y = 0; y < 3; y++) for (let x = 0; x < 5; x++) positions.push(x - 2, y, 0.1 * (x - 2) ** 2)
  const indices: number[] = []
  for (let y = 0; y < 2; y++) {
    for (let x = 0; x < 4; x++) {
      const a = 5 * y + x
      indices.push(a, a + 1, a + 5, a + 1, a + 6, a + 5)
    }
  }
  // vertex 15 stands where 7 does, used by the last triangle that touches it
  positions.push(...positions.slice(21, 24))
  indices[indices.lastIndexOf(7)] = 15
  const count = 16
  return {
    geometry: nativeGeometry(
      {
        positions: Float32Array.from(positions),
        indices: Uint32Array.from(indices),
        nativeVertex: Uint32Array.from({ length: count }, (_, i) => i),
      },
      count,
    ),
    count,
  }
}

describe('a row that fits the file', () => {
  it('keeps the limits whatever it is made of', () => {
    fc.assert(
      fc.property(anyRow, anyLimits, (row, limits) => {
        const out = fit(row, limits)
        expectStorable(out, limits)
        expect(out.length === 0).toBe(!row.some((i) => i.weight > 0 && Number.isFinite(i.weight)))
        // and fits already: given back number for number
        expect(fit(out, limits)).toEqual(out)
      }),
    )
  })

  it('comes to exactly 100 percent, the largest remainder first', () => {
    expect(
      fit(
        [
          { bone: 3, weight: 1 },
          { bone: 1, weight: 2 },
        ],
        LIMITS.w3dTwo,
      ),
    ).toEqual([
      { bone: 3, weight: 33 },
      { bone: 1, weight: 67 },
    ])
    expect(
      fit(
        [
          { bone: 0, weight: 1 },
          { bone: 1, weight: 1 },
        ],
        LIMITS.w3dTwo,
      ),
    ).toEqual([
      { bone: 0, weight: 50 },
      { bone: 1, weight: 50 },
    ])
    expect(
      fit(
        [
          { bone: 0, weight: 199 },
          { bone: 1, weight: 1 },
          { bone: 2, weight: 100 },
        ],
        LIMITS.w3dTwo,
      ),
    ).toEqual([
      { bone: 0, weight: 67 },
      { bone: 2, weight: 33 },
    ])
    expect(
      fit(
        [
          { bone: 0, weight: 0.4 },
          { bone: 1, weight: 0.6 },
        ],
        LIMITS.w3dOne,
      ),
    ).toEqual([{ bone: 1, weight: 1 }])
  })

  it('is said in words', () => {
    expect(Object.values(LIMITS).map(describeLimits)).toEqual([
      '0 to 100, any number of bones',
      'one whole bone a vertex',
      'percent, two bones',
      '0 to 1, four bones',
      '0 to 1, four bones, largest first',
    ])
  })
})

describe('one bone changed', () => {
  it('keeps every row storable, changes only the vertices it was given', () => {
    fc.assert(
      fc.property(
        anyLimits.chain((limits) => anyWeights(12, limits)),
        fc.uniqueArray(fc.nat(11), { maxLength: 12 }),
        fc.nat(5),
        fc.constantFrom('add', 'subtract', 'replace', 'smooth' as const),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (w, list, bone, mode, strength, amount) => {
          const neighbours = {
            offsets: Uint32Array.from({ length: 13 }, (_, i) => i),
            list: Uint32Array.from({ length: 12 }, (_, i) => (i + 1) % 12),
          }
          const edit = changeBone(w, Uint32Array.from(list), {
            bone,
            mode: mode as 'add',
            strength,
            amount: amount * w.limits.fullWeight,
            heirs: NO_HEIRS,
            neighbours,
          }).edit()
          for (const { vertex, row } of rowsOf(edit)) {
            expect(list).toContain(vertex)
            expectStorable(row, w.limits)
            expect(row).not.toEqual(influencesOf(w, vertex))
          }
          const after = applied(w, edit)
          for (let v = 0; v < 12; v++) if (!list.includes(v)) expect(influencesOf(after, v)).toEqual(influencesOf(w, v))
        },
      ),
    )
  })

  it('leaves the rest to the others in their proportions, in the order they stood in', () => {
    expect(
      withBone(
        [
          { bone: 0, weight: 60 },
          { bone: 1, weight: 20 },
          { bone: 2, weight: 20 },
        ],
        1,
        50,
        LIMITS.level5,
        -1,
      ),
    ).toEqual([
      { bone: 0, weight: 37.5 },
      { bone: 1, weight: 50 },
      { bone: 2, weight: 12.5 },
    ])
    expect(
      withBone(
        [
          { bone: 0, weight: 60 },
          { bone: 1, weight: 40 },
        ],
        2,
        10,
        LIMITS.w3dTwo,
        -1,
      ),
    ).toEqual([
      { bone: 0, weight: 90 },
      { bone: 2, weight: 10 },
    ])
    expect(
      withBone(
        [
          { bone: 0, weight: 60 },
          { bone: 1, weight: 40 },
        ],
        1,
        0,
        LIMITS.w3dTwo,
        -1,
      ),
    ).toEqual([{ bone: 0, weight: 100 }])
  })

  it('hands a vertex that is left without a bone to the parent, or keeps it', () => {
    expect(withBone([{ bone: 4, weight: 1 }], 4, 0.25, LIMITS.renderware, 2)).toEqual([
      { bone: 4, weight: 0.25 },
      { bone: 2, weight: 0.75 },
    ])
    expect(withBone([{ bone: 4, weight: 1 }], 4, 0.25, LIMITS.renderware, -1)).toEqual([{ bone: 4, weight: 1 }])
    expect(withBone([{ bone: 4, weight: 1 }], 4, 0.4, LIMITS.w3dOne, 2)).toEqual([{ bone: 2, weight: 1 }])
    expect(withBone([{ bone: 4, weight: 1 }], 3, 0.6, LIMITS.w3dOne, 2)).toEqual([{ bone: 3, weight: 1 }])
    // joint 0 is no bone of the skin: its child's heir is none
    expect([
      ...heirsOf(
        {
          bones: [
            { name: 'a', joint: 1 },
            { name: 'b', joint: 3 },
            { name: 'lost', joint: -1 },
          ],
        },
        Int32Array.of(-1, 0, 1, 2),
      ),
    ]).toEqual([-1, 0, -1])
  })

  it('fades from the middle to the rim', () => {
    for (const kind of ['smooth', 'linear', 'sharp', 'constant'] as const) {
      expect([falloffAt(kind, 0), falloffAt(kind, 1), falloffAt(kind, NaN)]).toEqual([1, 0, 0])
      for (let d = 0; d < 1; d += 0.1) expect(falloffAt(kind, d)).toBeGreaterThanOrEqual(falloffAt(kind, d + 0.1))
    }
  })
})

describe('tools', () => {
  it('normalise, prune and limit keep to the limits; only vertices that need it are in the edit', () => {
    fc.assert(
      fc.property(
        fc.array(
          anyRow.map((r) => r.filter((i) => i.weight > 1e-3 && i.weight < 300 && i.bone < 6)),
          { minLength: 6, maxLength: 6 },
        ),
        anyLimits,
        fc.double({ min: 0, max: 0.5, noNaN: true }),
        fc.integer({ min: 1, max: 5 }),
        (rows, limits, threshold, most) => {
          const w = weightsOf(rows, limits, BONES)
          const full = rowsOf(normalise(w, all(w)).edit())
          for (const { vertex, row } of full) {
            expectStorable(row, limits)
            expect(sumOf(w, vertex)).not.toBe(limits.fullWeight)
          }
          expect(findTrouble(applied(w, normalise(w, all(w)).edit())).off).toBe(0)
          for (const { vertex, row } of rowsOf(prune(w, all(w), threshold * limits.fullWeight).edit())) {
            expect(row.length).toBeGreaterThan(0)
            expect(influencesOf(w, vertex).some((i) => i.weight < threshold * limits.fullWeight)).toBe(true)
            expectStorable(row, limits, null)
          }
          for (const { vertex, row } of rowsOf(limit(w, all(w), most).edit())) {
            expect(row.length).toBeLessThanOrEqual(most)
            expect(influencesOf(w, vertex).length).toBeGreaterThan(limits.maxInfluences ? Math.min(most, limits.maxInfluences) : most)
            expectStorable(row, limits, null)
          }
        },
      ),
    )
  })

  it('prune hands small weights to the others and keeps a sum that is not full', () => {
    const w = weightsOf(
      [
        [
          { bone: 0, weight: 57 },
          { bone: 1, weight: 3 },
        ],
        [{ bone: 0, weight: 1 }],
        [{ bone: 0, weight: 100 }],
      ],
      LIMITS.level5,
      BONES,
    )
    expect(rowsOf(prune(w, all(w), 5).edit())).toEqual([{ vertex: 0, row: [{ bone: 0, weight: 60 }] }])
  })

  it('smooth evens out, and opens no seam where a vertex is split', () => {
    const { geometry, count } = sheet()
    const neighbours = neighboursOf(geometry)
    expect([...neighbours.list.subarray(neighbours.offsets[7], neighbours.offsets[8])].sort()).toEqual(
      [...neighbours.list.subarray(neighbours.offsets[15], neighbours.offsets[16])].sort(),
    )
    const w = weightsOf(
      Array.from({ length: count }, (_, v) => [{ bone: v === 7 || v === 15 ? 1 : 0, weight: 1 }]),
      LIMITS.renderware,
      BONES,
    )
    const after = applied(w, smooth(w, all(w), neighbours, 0.5).edit())
    expect(weightOf(after, 7, 1)).toBeCloseTo(0.5)
    expect(influencesOf(after, 15)).toEqual(influencesOf(after, 7))
    expect(weightOf(after, 6, 1)).toBeGreaterThan(0)
    // far from it nothing changes
    expect(rowsOf(smooth(w, all(w), neighbours, 0.5).edit()).map((r) => r.vertex)).not.toContain(0)
    const column = columnOf(after, 1)
    expect(Math.max(...column)).toBeLessThan(1)
  })

  it('count bones and troubles', () => {
    const w = weightsOf(
      [
        [
          { bone: 0, weight: 0.5 },
          { bone: 1, weight: 0.5 },
        ],
        [{ bone: 1, weight: 0.25 }],
        [],
      ],
      LIMITS.renderware,
      ['a', 'b', 'c'],
    )
    const s = boneStatistics(w)
    expect([[...s.vertices], [...s.mean], [...s.largest]]).toEqual([
      [1, 2, 0],
      [0.5, 0.375, 0],
      [0.5, 0.5, 0],
    ])
    expect(findTrouble(w)).toEqual({ none: 1, off: 1, many: 0, most: 2 })
  })
})

describe('the nearest point of a surface', () => {
  it('is the one that a search of every triangle finds', () => {
    const coordinate = fc.double({ min: -3, max: 3, noNaN: true })
    const point = fc.tuple(coordinate, coordinate, coordinate)
    fc.assert(
      fc.property(fc.array(point, { minLength: 3, maxLength: 60 }), point, (points, [x, y, z]) => {
        const n = points.length - (points.length % 3)
        const geometry = nativeGeometry(
          {
            positions: Float32Array.from(points.slice(0, n).flat()),
            indices: Uint32Array.from({ length: n }, (_, i) => i),
            nativeVertex: Uint32Array.from({ length: n }, (_, i) => i),
          },
          n,
        )
        const found = new SurfaceTree(geometry).nearest(x, y, z)!
        let least = Infinity
        for (let t = 0; t < n; t += 3) {
          const one = new SurfaceTree({ ...geometry, triangles: geometry.triangles.subarray(t, t + 3) }).nearest(x, y, z)!
          least = Math.min(least, one.distance)
        }
        expect(found.distance).toBeCloseTo(least, 4)
        expect(found.shares.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 4)
        const at = [0, 1, 2].map((c) => found.vertices.reduce((sum, v, k) => sum + found.shares[k] * geometry.positions[3 * v + c], 0))
        expect(Math.hypot(at[0] - x, at[1] - y, at[2] - z)).toBeCloseTo(found.distance, 3)
        expect(new SurfaceTree(geometry).nearest(x, y, z, least * 0.5 - 0.01)).toBeNull()
      }),
      { numRuns: 60 },
    )
  })

  it('holds on holes: vertices that are not drawn, numbers that are none, no triangle at all', () => {
    const geometry = nativeGeometry(
      {
        positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, NaN, 0),
        indices: Uint32Array.of(0, 1, 2, 0, 1, 9),
        nativeVertex: Uint32Array.of(0, 2, 4),
      },
      5,
    )
    expect([...geometry.drawnOf]).toEqual([0, -1, 1, -1, 2])
    expect(geometry.triangles.length).toBe(3)
    expect(new SurfaceTree(geometry).empty).toBe(true)
    expect(new SurfaceTree(geometry).nearest(0, 0, 0)).toBeNull()
    expect(neighboursOf(geometry).offsets.length).toBe(6)
  })
})

describe('the other side', () => {
  const pairs = mirrorNames(BONES)
  const { geometry, count } = sheet()
  const options = { axis: 0, plane: 0, pairs, tolerance: 0.01 }

  it('gets the weights of this one with the bones swapped; doing it again changes nothing', () => {
    fc.assert(
      fc.property(
        anyLimits.chain((limits) => anyWeights(count, limits)),
        fc.constantFrom('positive', 'negative' as const),
        (w, from) => {
          const { rows, unmatched } = mirror(w, all(w), geometry, { ...options, from: from as 'positive' })
          expect(unmatched).toBe(0)
          const after = applied(w, rows.edit())
          const sign = from === 'positive' ? 1 : -1
          for (const { vertex, row } of rowsOf(rows.edit())) {
            expect(geometry.positions[3 * vertex] * sign).toBeLessThanOrEqual(0)
            expectStorable(row, w.limits)
          }
          // column by column, rows of five
          for (let y = 0; y < 3; y++) {
            for (let x = 0; x < 2; x++) {
              const [to, source] = from === 'positive' ? [5 * y + x, 5 * y + 4 - x] : [5 * y + 4 - x, 5 * y + x]
              for (let b = 0; b < BONES.length; b++) expect(weightOf(after, to, pairs[b])).toBeCloseTo(weightOf(w, source, b), 4)
            }
            if (w.limits.step) continue
            const middle = 5 * y + 2
            for (let b = 0; b < BONES.length; b++) expect(weightOf(after, middle, b)).toBeCloseTo(weightOf(after, middle, pairs[b]), 4)
          }
          if (!w.limits.step)
            expect(
              rowsOf(mirror(after, all(after), geometry, { ...options, from: from as 'positive' }).rows.edit()).filter(({ vertex, row }) =>
                row.some((i) => Math.abs(i.weight - weightOf(after, vertex, i.bone)) > 1e-4 * w.limits.fullWeight),
              ),
            ).toEqual([])
        },
      ),
      { numRuns: 40 },
    )
  })

  it('is found: the plane about which the mesh is symmetric', () => {
    expect(findPlane(geometry)).toMatchObject({ axis: 0, plane: 0, share: 1 })
    const turned = {
      ...geometry,
      positions: geometry.positions.map((_, i, p) => (i % 3 === 0 ? p[i + 2] : i % 3 === 2 ? p[i - 2] + 7 : p[i])),
    }
    expect(findPlane(turned)).toMatchObject({ axis: 2, plane: 7 })
  })

  it('leaves alone what has no counterpart', () => {
    const w = weightsOf(
      Array.from({ length: count }, (_, v) => [{ bone: v % 6, weight: 1 }]),
      LIMITS.renderware,
      BONES,
    )
    const lone = { ...geometry, positions: geometry.positions.map((x, i) => (i === 0 ? -9 : x)) }
    const { rows, unmatched } = mirror(w, all(w), lone, { ...options, from: 'positive' })
    expect(unmatched).toBe(1)
    expect(rowsOf(rows.edit()).map((r) => r.vertex)).not.toContain(0)
  })
})

describe('weights of another mesh', () => {
  const { geometry, count } = sheet()

  it('come over by the nearest point and by names, on the scale of this file', () => {
    const source = weightsOf(
      Array.from({ length: count }, (_, v) => [{ bone: v % 5 < 2 ? 0 : 1, weight: 1 }]),
      LIMITS.renderware,
      ['Arm_L', 'spine'],
    )
    const target = weightsOf(
      Array.from({ length: count }, () => [{ bone: 0, weight: 100 }]),
      LIMITS.level5,
      BONES,
    )
    const { rows, unmatched, missing } = copyFrom({ weights: source, geometry }, target, all(target), geometry, 1)
    expect([unmatched, missing]).toEqual([0, []])
    const after = applied(target, rows.edit())
    for (let v = 0; v < 15; v++) expect(influencesOf(after, v)).toEqual([{ bone: v % 5 < 2 ? 2 : 1, weight: 100 }])
    // the same again: nothing
    expect(copyFrom({ weights: after, geometry }, after, all(after), geometry, 1).rows.edit()).toBeNull()
  })

  it('are mixed within a triangle, and say what has no place here', () => {
    const source = weightsOf(
      Array.from({ length: count }, (_, v) => [{ bone: v % 5 < 2 ? 0 : 1, weight: 1 }]),
      LIMITS.renderware,
      ['tail', 'spine'],
    )
    const target = weightsOf([[{ bone: 0, weight: 100 }], [{ bone: 0, weight: 100 }]], LIMITS.w3dTwo, BONES)
    const two = nativeGeometry(
      { positions: Float32Array.of(-0.5, 0.5, 0.05, 50, 0, 0), indices: new Uint32Array(0), nativeVertex: Uint32Array.of(0, 1) },
      2,
    )
    const { rows, unmatched, missing } = copyFrom({ weights: source, geometry }, target, all(target), two, 1)
    expect([unmatched, missing]).toEqual([1, ['tail']])
    expect(rowsOf(rows.edit())).toEqual([{ vertex: 0, row: [{ bone: 1, weight: 100 }] }])
  })

  it('keep every row storable', () => {
    fc.assert(
      fc.property(
        anyLimits.chain((a) => anyWeights(count, a)),
        anyLimits.chain((b) => anyWeights(count, b)),
        fc.double({ min: 0, max: 0.9, noNaN: true }),
        (source, target, shift) => {
          const moved = { ...geometry, positions: geometry.positions.map((x, i) => (i % 3 === 2 ? x : x + shift)) }
          for (const { row } of rowsOf(copyFrom({ weights: source, geometry }, target, all(target), moved, 2).rows.edit()))
            expectStorable(row, target.limits, null)
        },
      ),
      { numRuns: 40 },
    )
  })
})

it('edits are what the services take', () => {
  const w = weightsOf([[{ bone: 0, weight: 50 }], [{ bone: 0, weight: 100 }], [{ bone: 1, weight: 20 }]], LIMITS.level5, BONES)
  const edit = normalise(w, all(w)).edit() as WeightEdit
  expect(edit).toEqual({
    id: w.id,
    vertices: Uint32Array.of(0, 2),
    offsets: Uint32Array.of(0, 1, 2),
    bone: Uint16Array.of(0, 1),
    weight: Float32Array.of(100, 100),
  })
})
