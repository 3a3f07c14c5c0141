import { describe, expect, it } from 'vitest'
import {
  changesOf,
  fieldsOf,
  labelOf,
  notesOf,
  taskOf,
  type ToolGround,
  type ToolSettings,
} from '../../../src/renderer/features/weights/tool-tasks.ts'
import { LIMITS, weightsOf } from '../../shared/weights/fixtures.ts'

const settings: ToolSettings = { threshold: 2, most: 3, strength: 40, mode: 'add', amount: 10, from: 'negative', tolerance: 1, within: 5 }
const weights = weightsOf([[{ bone: 0, weight: 100 }]], LIMITS.level5, ['root', 'arm'])
const geometry = { positions: new Float32Array(3), triangles: new Uint32Array(0), drawnOf: Int32Array.of(0), size: 50 }
const ground: ToolGround = {
  weights,
  geometry,
  bone: 1,
  heirs: Int32Array.of(-1, 0),
  pairs: Int32Array.of(0, 1),
  plane: { axis: 0, plane: 0.5 },
  source: { weights, geometry },
}

describe('the weight tools', () => {
  it('turn percent into the scale of the file and of the mesh', () => {
    expect(taskOf('prune', settings, ground)).toEqual({ tool: 'prune', threshold: 2 })
    expect(taskOf('prune', settings, { ...ground, weights: weightsOf([], LIMITS.renderware, []) })).toEqual({
      tool: 'prune',
      threshold: 0.02,
    })
    expect(taskOf('change', settings, ground)).toEqual({
      tool: 'change',
      bone: 1,
      mode: 'add',
      strength: 0.1,
      amount: 10,
      heirs: ground.heirs,
    })
    expect(taskOf('change', { ...settings, mode: 'replace' }, ground)).toMatchObject({ strength: 1, amount: 10 })
    expect(taskOf('change', { ...settings, mode: 'smooth' }, ground)).toMatchObject({ strength: 0.4 })
    expect(taskOf('mirror', settings, ground)).toEqual({
      tool: 'mirror',
      axis: 0,
      plane: 0.5,
      from: 'negative',
      pairs: ground.pairs,
      tolerance: 0.5,
    })
    expect(taskOf('copy', settings, ground)).toMatchObject({ within: 2.5 })
  })

  it('say why they cannot', () => {
    expect([
      taskOf('smooth', settings, { ...ground, geometry: null }),
      taskOf('change', settings, { ...ground, bone: -1 }),
      taskOf('copy', settings, { ...ground, source: null }),
    ]).toEqual(['This mesh is not drawn.', 'Choose a bone above.', 'No other skinned mesh is open.'])
  })

  it('can be done again with each of their settings, in their own units', () => {
    const sides = { positive: 'left to right', negative: 'right to left' }
    for (const tool of ['prune', 'limit', 'smooth', 'change', 'mirror', 'copy'] as const) {
      const { fields, values } = fieldsOf(tool, settings, weights, sides)
      expect(Object.keys(values)).toEqual(fields.map((f) => f.key))
      // another value is another task
      for (const { key, kind } of fields)
        if (kind === 'number')
          expect(taskOf(tool, { ...settings, [key]: 7 }, ground), `${tool} ${key}`).not.toEqual(taskOf(tool, settings, ground))
      expect(labelOf(tool, settings, ground)).not.toBe('')
    }
    expect(fieldsOf('normalise', settings, weights, sides).fields).toEqual([])
    expect(fieldsOf('change', { ...settings, mode: 'smooth' }, weights, sides).values).toEqual({ strength: 40 })
  })

  it('tell what they lose', () => {
    const outcome = { edit: null, count: 3, cut: 1, rounded: 0.4, unmatched: 2, missing: ['tail'] }
    expect(notesOf('copy', outcome, { weights: weightsOf([], LIMITS.w3dTwo, []), pairs: ground.pairs })).toEqual([
      '1 vertex keeps only its 2 largest weights',
      'rounded to whole percents, by 0.4 at most',
      '2 vertices are too far away and stay',
      'not here: tail',
    ])
    expect(notesOf('mirror', { ...outcome, cut: 0, rounded: 0, missing: [] }, { weights, pairs: ground.pairs })).toEqual([
      '2 vertices have no counterpart and stay',
      'no bone has another side by its name',
    ])
    expect([changesOf(0), changesOf(1), changesOf(2)]).toEqual(['nothing changes', '1 vertex changes', '2 vertices change'])
  })
})
