import { describe, expect, it } from 'vitest'
import { ancestorsOf, countOf, outlined, outlinerRows } from '../../../src/renderer/features/outliner/tree.ts'
import { emptyScene, type Clip, type Scene } from '../../../src/shared/scene/types.ts'

function scene(names: string[], parents: number[]): Scene {
  const s = emptyScene('t')
  s.skeleton = { ...s.skeleton, count: names.length, names, parents: Int32Array.from(parents) }
  return s
}
const tree = scene(['root', 'arm', 'hand', 'leg'], [-1, 0, 1, 0])
const names = (closed: string[], search = '', s = tree): string[] =>
  outlinerRows({ scene: s, files: [] }, new Set(closed), search).map((r) => `${' '.repeat(r.depth)}${r.name}`)

describe('outliner', () => {
  it('lists bones below their parents in file order', () => {
    expect(names([])).toEqual(['Bones', ' root', '  arm', '   hand', '  leg'])
  })

  it('hides what is closed', () => {
    expect(names(['joint:1'])).toEqual(['Bones', ' root', '  arm', '  leg'])
    expect(names(['bones'])).toEqual(['Bones'])
  })

  it('finds names with the way to them, whatever is closed', () => {
    expect(names(['bones', 'joint:0'], 'HAND')).toEqual(['Bones', ' root', '  arm', '   hand'])
    const rows = outlinerRows({ scene: tree, files: [] }, new Set(), 'hand')
    expect(rows.filter((r) => r.dim).map((r) => r.name)).toEqual(['root', 'arm'])
    expect(names([], 'nothing')).toEqual([])
    // the way to what was found is not counted
    expect([countOf(rows[0]), countOf(outlinerRows({ scene: tree, files: [] }, new Set(), '')[0])]).toEqual(['1 of 4', '4'])
  })

  it('stands a chain of many thousand bones', () => {
    const n = 20_000
    const chain = scene(
      Array.from({ length: n }, (_, i) => `b${i}`),
      Array.from({ length: n }, (_, i) => i - 1),
    )
    expect(outlinerRows({ scene: chain, files: [] }, new Set(), '')).toHaveLength(n + 1)
    expect(outlinerRows({ scene: chain, files: [] }, new Set(), `b${n - 1}`)).toHaveLength(n + 1)
  })

  it('shows nothing else where only keys changed', () => {
    const clip = (name: string, end: number): Clip => ({
      ...{ name, tracks: [], start: 0, end, rate: 30, unit: 'frame', loop: 'none' },
      ...{ fit: { matched: 1, total: 2 }, events: [], source: { ref: 'a', path: '' } },
    })
    const before = outlined({ ...tree, clips: [clip('walk', 1)] })
    expect(outlined({ ...tree, name: 'other', clips: [clip('walk', 2)] }, before)).toBe(before)
    const renamed = outlined({ ...tree, clips: [clip('run', 1)] }, before)
    expect(renamed.clips.map(({ name }) => name)).toEqual(['run'])
    expect(outlined({ ...tree, clips: [clip('walk', 1)], skeleton: { ...tree.skeleton } }, before)).not.toBe(before)
  })

  it('knows what must be open for a bone to be seen', () => {
    expect(ancestorsOf(tree, 2)).toEqual(['bones', 'joint:1', 'joint:0'])
  })
})
