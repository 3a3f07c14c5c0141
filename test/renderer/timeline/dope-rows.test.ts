import { describe, expect, it } from 'vitest'
import { dopeRows, groupTracks } from '../../../src/renderer/features/timeline/dope-rows.ts'

const tracks = [
  { target: 'glow', joint: -1, label: 'alpha', times: [4] },
  { target: 'hand', joint: 5, label: 'rotation', times: [1, 3] },
  { target: 'root', joint: 0, label: 'rotation', times: [1, 2] },
  { target: 'hand', joint: 5, label: 'translation', times: [3, 8] },
]

describe('rows of the dope sheet', () => {
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
      ['rotation', 1],
      ['translation', 1],
      ['glow', 0],
    ])
  })

  it('are none without tracks', () => {
    expect(dopeRows([], new Set())).toEqual([])
  })
})
