import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, it } from 'vitest'
import { useModels } from '../../../src/renderer/core/models.ts'
import { useSelection } from '../../../src/renderer/core/selection.ts'

describe('several bones', () => {
  beforeEach(() => {
    setActivePinia(createPinia())
    useModels().activeId = 'one'
  })

  it('are chosen one by one, the last one being what panels show', () => {
    const selection = useSelection()
    selection.joint(3)
    selection.toggleJoint(5)
    expect(selection.joints).toEqual([5, 3])
    expect(selection.current).toMatchObject({ kind: 'joint', joint: 5 })
    selection.toggleJoint(5)
    expect(selection.joints).toEqual([3])
    expect(selection.current.joint).toBe(3)
    selection.toggleJoint(3)
    expect(selection.joints).toEqual([])
    expect(selection.current.kind).toBe('none')
  })

  it('in a box come to those that are chosen, and one that is chosen alone ends them', () => {
    const selection = useSelection()
    selection.joint(1)
    selection.addJoints([2, 4, 1])
    expect([...selection.joints].sort()).toEqual([1, 2, 4])
    selection.addJoints([])
    expect(selection.joints).toHaveLength(3)
    // what is chosen beside bones leaves them
    selection.slice(2)
    expect(selection.joints).toHaveLength(3)
    selection.joint(7)
    expect(selection.joints).toEqual([7])
  })

  it('are those of their model', () => {
    const selection = useSelection()
    const models = useModels()
    selection.chooseJoints([1, 2])
    models.activeId = 'two'
    expect(selection.joints).toEqual([])
    selection.joint(9)
    models.activeId = 'one'
    expect(selection.joints).toEqual([1, 2])
    selection.clear()
    expect(selection.joints).toEqual([])
  })
})

describe('several vertices', () => {
  beforeEach(() => {
    setActivePinia(createPinia())
    useModels().activeId = 'one'
  })

  it('are those of one mesh, the current one first', () => {
    const selection = useSelection()
    selection.toggleVertex(0, 3)
    selection.toggleVertex(0, 5)
    expect(selection.vertices).toEqual([5, 3])
    expect(selection.current).toMatchObject({ kind: 'vertex', mesh: 0, nativeVertex: 5 })
    // a box adds, and the current one stays
    selection.addVertices(0, [9, 3, 7])
    expect(selection.vertices).toEqual([5, 3, 9, 7])
    selection.addVertices(0, [])
    expect(selection.verticesOf(0)).toHaveLength(4)
    expect(selection.verticesOf(1)).toEqual([])
    selection.toggleVertex(0, 5)
    expect(selection.vertices).toEqual([3, 9, 7])
    expect(selection.current.nativeVertex).toBe(3)
    // those of another mesh begin anew
    selection.toggleVertex(1, 2)
    expect(selection.vertices).toEqual([2])
    expect(selection.verticesOf(0)).toEqual([])
  })

  it('end with one that is chosen alone, with another thing, with the last one', () => {
    const selection = useSelection()
    selection.chooseVertices(0, [1, 2, 3])
    selection.vertex(0, 4, 4)
    expect(selection.vertices).toEqual([4])
    selection.chooseVertices(0, [1, 2, 3])
    selection.joint(2)
    expect(selection.vertices).toEqual([])
    selection.toggleVertex(0, 6)
    selection.toggleVertex(0, 6)
    expect(selection.current.kind).toBe('none')
    selection.chooseVertices(0, [1, 2])
    selection.clear()
    expect(selection.vertices).toEqual([])
  })
})
