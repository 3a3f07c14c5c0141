import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, it } from 'vitest'
import { follow } from '../../../src/renderer/core/follow.ts'
import { useModels } from '../../../src/renderer/core/models.ts'
import { usePlayback } from '../../../src/renderer/core/playback.ts'
import { useSelection } from '../../../src/renderer/core/selection.ts'
import { fakeScene } from '../../../src/renderer/dev/fake-model.ts'
import type { Scene } from '../../../src/shared/scene/types.ts'

describe('the place of a thing after a change', () => {
  const all = (before: string, after: string): number[] => {
    const place = follow([...before], [...after])
    return [...before].map((_, i) => place(i))
  }
  it('is where its name stands', () => {
    expect(all('abcd', 'acd')).toEqual([0, -1, 1, 2])
    expect(all('acd', 'abcd')).toEqual([0, 2, 3])
    expect(all('abcd', 'dabc')).toEqual([1, 2, 3, 0])
    expect(all('abc', '')).toEqual([-1, -1, -1])
  })
  it('is the old one where things were renamed, or nothing changed', () => {
    expect(all('abc', 'abc')).toEqual([0, 1, 2])
    expect(all('abc', 'axc')).toEqual([0, 1, 2])
  })
  it('keeps the order of those with one name', () => {
    expect(all('aab', 'xaab')).toEqual([1, 2, 3])
    expect(all('aab', 'ab')).toEqual([0, -1, 1])
  })
})

describe('what is chosen and what plays', () => {
  const clips = (names: string, from: Scene): Scene => ({
    ...from,
    clips: [...names].map((name) => ({ ...from.clips[0], name })),
  })
  let base: Scene
  let put: (scene: Scene) => void

  beforeEach(() => {
    setActivePinia(createPinia())
    const models = useModels()
    base = fakeScene([])
    // stores watch what is shown from when they are there
    useSelection()
    usePlayback()
    put = (scene) => {
      const info = { id: 'm', name: 'm', files: [], abilities: {}, history: { undo: [], redo: [], top: '' } }
      models.open = [{ id: 'm', info, scene, viewScene: scene } as never]
      models.activeId = 'm'
    }
  })

  it('stays when a clip before it is taken away and comes back', () => {
    put(clips('abcd', base))
    usePlayback().chooseClip(2)
    useSelection().clip(2)
    put(clips('acd', base))
    expect([usePlayback().state.clip, usePlayback().clip?.name, useSelection().current.clip]).toEqual([1, 'c', 1])
    put(clips('abcd', base))
    expect([usePlayback().state.clip, usePlayback().clip?.name, useSelection().current.clip]).toEqual([2, 'c', 2])
    put(clips('dcba', base))
    expect([usePlayback().clip?.name, useSelection().current.clip]).toEqual(['c', 1])
    put(clips('abd', base))
    expect(useSelection().current).toMatchObject({ kind: 'none', clip: -1 })
    expect(usePlayback().clip).not.toBeNull()
  })

  it('is the bone itself, though joints stand in another order', () => {
    const joints = (names: string): Scene => ({ ...base, skeleton: { ...base.skeleton, names: [...names] } })
    put(joints('abcd'))
    useSelection().chooseJoints([3, 1])
    put(joints('badc'))
    expect(useSelection().joints).toEqual([2, 0])
    put(joints('bac'))
    expect(useSelection().joints).toEqual([])
    expect(useSelection().current.kind).toBe('none')
  })
})
