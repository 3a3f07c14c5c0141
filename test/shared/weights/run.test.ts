import { describe, expect, it } from 'vitest'
import { changeBone } from '../../../src/shared/weights/change.ts'
import { nativeGeometry, neighboursOf } from '../../../src/shared/weights/geometry.ts'
import { runTool, toolOutcome, type ToolInput, type ToolTask } from '../../../src/shared/weights/run.ts'
import { copyFrom, limit, mirror, normalise, prune, smooth } from '../../../src/shared/weights/tools.ts'
import { BONES, LIMITS, weightsOf } from './fixtures.ts'

/** A sheet of 100 by 100: more vertices than are done in one part. */
const SIDE = 100
const COUNT = SIDE * SIDE
const positions = Float32Array.from({ length: 3 * COUNT }, (_, i) => {
  const v = Math.floor(i / 3)
  return [(v % SIDE) - (SIDE - 1) / 2, Math.floor(v / SIDE), 0.01 * ((v % SIDE) - 50) ** 2][i % 3]
})
const indices = Uint32Array.from(
  Array.from({ length: COUNT }, (_, v) => v)
    .filter((v) => v % SIDE < SIDE - 1 && v < COUNT - SIDE)
    .flatMap((a) => [a, a + 1, a + SIDE, a + 1, a + SIDE + 1, a + SIDE]),
)
const geometry = nativeGeometry({ positions, indices, nativeVertex: Uint32Array.from({ length: COUNT }, (_, v) => v) }, COUNT)
const rows = (full: number, most: number) =>
  Array.from({ length: COUNT }, (_, v) =>
    Array.from({ length: Math.min(most, 1 + (v % 5)) }, (__, i) => ({
      bone: (v + i) % BONES.length,
      weight: (full * (1 + ((v * 7 + i * 3) % 11))) / 20,
    })),
  )
const w = weightsOf(rows(1, 4), LIMITS.renderware, BONES)
const percents = weightsOf(rows(100, 5), LIMITS.w3dTwo, BONES)
const all = Uint32Array.from({ length: COUNT }, (_, v) => v)
const pairs = Int32Array.of(0, 1, 3, 2, 5, 4)
const heirs = Int32Array.of(-1, 0, 1, 1, 2, 3)

describe('a tool done in parts', () => {
  const whole: [ToolTask, () => ReturnType<typeof normalise>][] = [
    [{ tool: 'normalise' }, () => normalise(w, all)],
    [{ tool: 'prune', threshold: 0.2 }, () => prune(w, all, 0.2)],
    [{ tool: 'limit', most: 2 }, () => limit(w, all, 2)],
    [{ tool: 'smooth', strength: 0.7 }, () => smooth(w, all, neighboursOf(geometry), 0.7)],
    [
      { tool: 'change', bone: 2, mode: 'add', strength: 0.3, amount: 0, heirs },
      () => changeBone(w, all, { bone: 2, mode: 'add', strength: 0.3, amount: 0, heirs }),
    ],
    [
      { tool: 'change', bone: 2, mode: 'smooth', strength: 0.3, amount: 0, heirs },
      () => changeBone(w, all, { bone: 2, mode: 'smooth', strength: 0.3, amount: 0, heirs, neighbours: neighboursOf(geometry) }),
    ],
    [
      { tool: 'mirror', axis: 0, plane: 0, from: 'positive', pairs, tolerance: 0.5 },
      () => mirror(w, all, geometry, { axis: 0, plane: 0, from: 'positive', pairs, tolerance: 0.5 }).rows,
    ],
    [
      { tool: 'copy', source: { weights: percents, geometry }, within: 1 },
      () => copyFrom({ weights: percents, geometry }, w, all, geometry, 1).rows,
    ],
  ]
  for (const [task, plain] of whole) {
    it(`gives what ${task.tool} gives at once${'mode' in task ? ` (${task.mode})` : ''}`, () => {
      const input: ToolInput = { weights: w, vertices: all, geometry, task }
      const done = toolOutcome(input)
      const expected = plain()
      expect(done.count).toBe(expected.count)
      expect(done.count).toBeGreaterThan(2000)
      expect(done.edit).toEqual(expected.edit())
      expect([done.cut, done.rounded]).toEqual([expected.cut, expected.rounded])
    })
  }

  it('says how far it is, and can be left between parts', () => {
    const steps = runTool({ weights: w, vertices: all, geometry: null, task: { tool: 'normalise' } })
    expect([steps.next(), steps.next(), steps.next()]).toEqual([0, 0.4096, 0.8192].map((value) => ({ done: false, value })))
    expect(steps.next().done).toBe(true)
    expect(() => toolOutcome({ weights: w, vertices: all, geometry: null, task: { tool: 'smooth', strength: 1 } })).toThrow('no places')
  })

  it('counts what the file has no room for, and by how much it rounds', () => {
    const few = weightsOf(
      [
        [
          { bone: 0, weight: 50 },
          { bone: 1, weight: 30 },
          { bone: 2, weight: 20 },
        ],
        [
          { bone: 0, weight: 1 },
          { bone: 1, weight: 2 },
        ],
        [{ bone: 3, weight: 100 }],
      ],
      LIMITS.w3dTwo,
      BONES,
    )
    const done = toolOutcome({
      weights: few,
      vertices: Uint32Array.of(0, 1, 2),
      geometry: null,
      task: { tool: 'change', bone: 4, mode: 'replace', strength: 1, amount: 33.4, heirs },
    })
    // vertex 0 keeps its largest beside the new bone, vertex 1 too; vertex 2 has room
    expect([done.count, done.cut]).toEqual([3, 2])
    expect(done.rounded).toBeCloseTo(0.4)
    expect(toolOutcome({ weights: few, vertices: Uint32Array.of(1), geometry: null, task: { tool: 'normalise' } })).toMatchObject({
      count: 1,
      cut: 0,
      rounded: expect.closeTo(1 / 3),
    })
  })
})
