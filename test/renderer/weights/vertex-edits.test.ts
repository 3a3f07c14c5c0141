/** Edits of a vertex act on all that are chosen with it, as one step. */
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { useModels } from '../../../src/renderer/core/models.ts'
import { useSelection } from '../../../src/renderer/core/selection.ts'
import { useWeights } from '../../../src/renderer/features/weights/store.ts'
import { useVertexEdits } from '../../../src/renderer/features/weights/vertex-edits.ts'
import { applied, influencesOf, type Influence } from '../../../src/shared/weights/rows.ts'
import type { WeightEdit } from '../../../src/shared/api/types/weights.ts'
import type { WeightLimits } from '../../../src/shared/api/types/weights.ts'
import { LIMITS, weightsOf } from '../../shared/weights/fixtures.ts'

const at = (...pairs: [bone: number, weight: number][]): Influence[] => pairs.map(([bone, weight]) => ({ bone, weight }))
/** Whole percents, as many bones as there are. */
const STEPS = { ...LIMITS.w3dTwo, maxInfluences: 0 }
const BONES = ['root', 'arm', 'hand', 'head']

describe('edits of a vertex', () => {
  let steps: string[]
  /** Rows after an edit. */
  let rows: () => Influence[][]

  function start(list: Influence[][], limits: WeightLimits = STEPS): ReturnType<typeof useVertexEdits> {
    setActivePinia(createPinia())
    useModels().activeId = 'one'
    const store = useWeights()
    store.data = weightsOf(list, limits, BONES)
    steps = []
    vi.spyOn(store, 'write').mockImplementation((edit: WeightEdit | null, label: string) => {
      steps.push(label)
      store.data = applied(store.data!, edit)
      return Promise.resolve(true)
    })
    rows = () => list.map((_, v) => influencesOf(store.data!, v))
    return useVertexEdits()
  }
  const choose = (...vertices: number[]): void => useSelection().chooseVertices(useWeights().data!.sceneMesh, vertices)

  it('are about it alone where it is chosen alone, or is none of those that are chosen', () => {
    const list = [at([0, 100]), at([0, 60], [1, 40]), at([1, 50], [2, 50])]
    const edits = start(list)
    choose(0, 1)
    edits.setWeight(2, 0, 70)
    expect(steps).toEqual(['Weight of vertex 2'])
    expect(rows().slice(0, 2)).toEqual(list.slice(0, 2))
    choose(1)
    edits.remove(1, 1)
    expect(rows()[1]).toEqual(at([0, 100]))
    expect(steps).toEqual(['Weight of vertex 2', 'Remove a weight of vertex 1'])
  })

  it('give all of them the weight of a bone, those that lacked it too', () => {
    const edits = start([at([0, 100]), at([0, 60], [1, 40]), at([2, 100]), at([3, 100])])
    choose(1, 0, 2)
    edits.setWeight(1, 1, 25)
    expect(rows()).toEqual([at([0, 75], [1, 25]), at([0, 75], [1, 25]), at([2, 75], [1, 25]), at([3, 100])])
    expect(steps).toEqual(['Weights of 3 vertices'])
  })

  it('say what the file holds in place of a number, and are no step where that is there already', async () => {
    const store = (): ReturnType<typeof useWeights> => useWeights()
    const whole = start([at([1, 1]), at([2, 1])], LIMITS.w3dOne)
    for (const typed of [0.3, 0]) {
      whole.setWeight(0, 0, typed)
      expect(store().said).toBe(`${typed} stays 1: a vertex has one whole bone in this file, and another one comes in its place`)
      expect(whole.refusedAt(0, 0)).not.toBeNull()
      expect(whole.refusedAt(1, 0)).toBeNull()
    }
    expect(steps).toEqual([])
    expect(rows()).toEqual([at([1, 1]), at([2, 1])])
    // the others of those that are chosen take the bone that has the larger half
    choose(0, 1)
    whole.setWeight(0, 0, 0.7)
    await vi.waitFor(() => expect(store().said).toContain('0.7 stays 1'))
    expect(rows()).toEqual([at([1, 1]), at([1, 1])])

    const percents = start([at([0, 60], [1, 40])])
    percents.setWeight(0, 1, 40.3)
    expect(store().said).toBe('40.3 became 40: the weights of a vertex make up the whole, in steps of this file')
    expect(percents.refusedAt(0, 1)).not.toBeNull()
    expect(steps).toEqual([])
    percents.setWeight(0, 1, 25)
    expect(percents.refusedAt(0, 1)).toBeNull()
    expect(steps).toEqual(['Weight of vertex 0'])
  })

  it('leave what the others lack: another bone, no bone, a sum', () => {
    const edits = start([at([0, 50], [1, 50]), at([0, 60], [2, 40]), at([1, 30], [2, 70])])
    choose(0, 1, 2)
    // of bone 1 to bone 2: vertex 1 has no bone 1, vertex 2 has bone 2 already
    edits.setBone(0, 1, 2)
    expect(rows()).toEqual([at([0, 50], [2, 50]), at([0, 60], [2, 40]), at([2, 100])])
    edits.remove(0, 0)
    expect(rows()).toEqual([at([2, 100]), at([2, 100]), at([2, 100])])
    expect(steps).toEqual(['Bone of 2 vertices', 'Remove a weight of 2 vertices'])
  })

  it('add one bone to those that have room and lack it, and normalise those that are off', () => {
    const limits = { ...LIMITS.renderware, maxInfluences: 2 }
    const edits = start([at([0, 0.5]), at([1, 1]), at([0, 0.5], [2, 0.5]), at([0, 0.25], [3, 0.25])], limits)
    choose(0, 1, 2, 3)
    expect(edits.canNormalise(1)).toBe(true)
    edits.normalise(1)
    expect(rows()).toEqual([at([0, 1]), at([1, 1]), at([0, 0.5], [2, 0.5]), at([0, 0.5], [3, 0.5])])
    expect(edits.canNormalise(1)).toBe(false)
    expect(edits.canAdd(2)).toBe(true)
    edits.add(0)
    const added = rows()[0][1].bone
    expect(rows().map((row) => row.length)).toEqual([2, added === 1 ? 1 : 2, 2, 2])
    expect(rows().slice(2)).toEqual([at([0, 0.5], [2, 0.5]), at([0, 0.5], [3, 0.5])])
    choose(2, 3)
    expect(edits.canAdd(2)).toBe(false)
  })

  it('never give a vertex more bones than the file has room for', () => {
    const edits = start([at([0, 1]), at([1, 0.5], [2, 0.5])], { ...LIMITS.renderware, maxInfluences: 2 })
    choose(0, 1)
    edits.setWeight(0, 0, 0.75)
    for (const row of rows()) expect(row.length).toBeLessThanOrEqual(2)
    expect(rows()[0]).toEqual(at([0, 0.75]))
    expect(rows()[1].map(({ bone }) => bone)).toContain(0)
  })
})

beforeEach(() => {
  vi.stubGlobal('Worker', class {})
  return () => vi.unstubAllGlobals()
})
