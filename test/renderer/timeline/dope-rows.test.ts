import { describe, expect, it } from 'vitest'
import { dopeRows, groupTracks, nestGroups } from '../../../src/renderer/features/timeline/dope-rows.ts'

const tracks = [
  { target: 'glow', joint: -1, property: 'unknown', label: 'alpha', times: [4] },
  { target: 'hand', joint: 5, property: 'rotation', label: 'type 0 rotation', times: [1, 3] },
  { target: 'root', joint: 0, property: 'rotation', label: 'type 0 rotation', times: [1, 2] },
  { target: 'hand', joint: 5, property: 'translation', label: 'ch 0 X', times: [3, 8] },
] as const

describe('rows of the dope sheet', () => {
  it('say what a track moves, and how the file has it where several move the same', () => {
    const x = { target: 'hand', joint: 5, property: 'translation', label: 'ch 0 X', times: [1] } as const
    const rows = dopeRows(groupTracks([x, { ...x, label: 'ch 1 Y' }, { ...x, property: 'unknown', label: 'type 77' }]), new Set(['j5']))
    expect(rows.slice(2).map(({ name }) => name)).toEqual(['Position · ch 0 X', 'Position · ch 1 Y', 'type 77'])
  })

  it('stand in the order of the skeleton, what moves no joint last', () => {
    expect(groupTracks(tracks).map((g) => g.name)).toEqual(['root', 'hand', 'glow'])
  })

  it('show the keys of all tracks of a joint once', () => {
    const rows = dopeRows(groupTracks(tracks), new Set())
    expect(rows.map((r) => r.name)).toEqual(['All keys', 'root', 'hand', 'glow'])
    expect([...(rows[2].times as Float64Array)]).toEqual([1, 3, 8])
    expect([...(rows[0].times as Float64Array)]).toEqual([1, 2, 3, 4, 8])
  })

  it('open into one row per track', () => {
    const rows = dopeRows(groupTracks(tracks), new Set(['j5']))
    expect(rows.map((r) => [r.name, r.depth])).toEqual([
      ['All keys', 0],
      ['root', 0],
      ['hand', 0],
      ['Rotation', 1],
      ['Position', 1],
      ['glow', 0],
    ])
  })

  it('hang below each other as the bones do, over bones that have no row', () => {
    //         0
    //       1   4
    //     2      5    (2 has no tracks)
    //   3
    const parents = [-1, 0, 1, 2, 0, 4]
    const of = (joint: number) => ({ target: `b${joint}`, joint, property: 'rotation' as const, label: 'rotation', times: [joint] })
    const groups = groupTracks([of(5), of(3), of(1), of(0), of(4), tracks[0]])
    const nested = nestGroups(groups, parents)
    expect(nested.map((g) => [g.name, g.depth])).toEqual([
      ['b0', 0],
      ['b1', 1],
      ['b3', 2],
      ['b4', 1],
      ['b5', 2],
      ['glow', undefined],
    ])
    const rows = dopeRows(nested, new Set(['j3']))
    expect(rows.find((row) => row.track)).toMatchObject({ name: 'Rotation', depth: 3, joint: 3 })
    // a child that stands before its parent, and a loop, lose no row
    expect(nestGroups(groups, [1, 0, 1, 2, 0, 4])).toHaveLength(groups.length)
    expect(nestGroups(groupTracks([of(0), of(1)]), [1, -1]).map((g) => g.name)).toEqual(['b1', 'b0'])
  })

  it('are none without tracks', () => {
    expect(dopeRows([], new Set())).toEqual([])
  })
})
