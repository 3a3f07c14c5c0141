import { describe, expect, it } from 'vitest'
import { cfgFormat } from '../../src/main/formats/level5/codecs/cfg.ts'
import { motFormat } from '../../src/main/formats/level5/codecs/mot.ts'
import { sampleFiles } from '../support/sample.ts'
import { fileChanges } from '../../src/main/workspace/changes.ts'
import { changeRows, moreKey, restoreLevels } from '../../src/renderer/features/changes/change-rows.ts'
import { motTracks, trackListBytes } from '../fixtures/level5/bytes.ts'
import type { FileChanges } from '../../src/shared/api/types/changes.ts'

function changed(edit: (tracks: typeof motTracks) => void, from = motTracks): FileChanges {
  const tracks = structuredClone(from)
  edit(tracks)
  const bytes = trackListBytes(tracks)
  const found = fileChanges('a.mot', motFormat, trackListBytes(from), { bytes, document: motFormat.decode(bytes, 'a.mot') })
  // as the services say it of a track
  for (const node of found.nodes) if (node.path === 'tracks[1]') node.bone = 'pelvis'
  return found
}
const lines = (file: FileChanges, turned: string[] = []): string[] =>
  changeRows([file], new Set(turned)).map(
    (r) => `${'  '.repeat(r.depth)}${r.name}${r.detail ? ` (${r.detail})` : ''}${r.before || r.after ? `: ${r.before} > ${r.after}` : ''}`,
  )

describe('rows of changes', () => {
  const file = changed((t) => {
    t[1].keys[1] = [20, 1, 0, 0.5, 0]
    t[6].keys[2] = [30, 0]
    t.push({ node: 0, type: 1, keys: [] })
  })
  it('are file, track, key; the fields of a key behind it', () => {
    expect(lines(file)).toEqual([
      'a.mot',
      '  tracks[1] (pelvis · node 1, rotation, 3 keys)',
      '    frame 20 (keys[1]): w 0.70710677, y 0.70710677 > w 1, y 0.5',
      '  tracks[6] (node 0, visibility, 3 keys)',
      '    frame 30 (keys[2]): x 1 > x 0',
      '  tracks[11] (node 2, rotation, 1 key)',
      '    next: 0 > 64',
      '  tracks[12] (node 0, scale, 0 keys):  > node 0, scale, 0 keys',
    ])
    expect(lines(file, ['a.mot|tracks[1].keys[1]', 'a.mot|tracks[6]']).slice(2, 6)).toEqual([
      '    frame 20 (keys[1]): w 0.70710677, y 0.70710677 > w 1, y 0.5',
      '      w: 0.70710677 > 1',
      '      y: 0.70710677 > 0.5',
      '  tracks[6] (node 0, visibility, 3 keys)',
    ])
    expect(lines(file, ['a.mot'])).toEqual(['a.mot'])
  })
  it('tell what can be put back: the field, its key, its track', () => {
    const rows = changeRows([file], new Set(['a.mot|tracks[1].keys[1]']))
    const field = rows.find((r) => r.name === 'y')!
    expect(restoreLevels(field).map((l) => [l.label, l.range.newEnd - l.range.newStart])).toEqual([
      ['y', 3],
      ['frame 20', 32],
    ])
    expect(restoreLevels(rows[1]).map((l) => l.label)).toEqual(['tracks[1]: all 2'])
  })
  it('close long tracks of several, and offer what a cut list left out', () => {
    const many = [0, 1].map((node) => ({ node, type: 2, keys: Array.from({ length: 900 }, (_, k): [number, ...number[]] => [k, k, 0, 0]) }))
    const long = changed((t) => t.forEach((track) => track.keys.forEach((key) => key[1]++)), many)
    expect(lines(long)).toEqual([
      'a.mot',
      '  tracks[0] (node 0, translation, 900 keys)',
      '  tracks[1] (pelvis · node 1, translation, 900 keys)',
    ])
    const open = changeRows([long], new Set([moreKey('a.mot', 'tracks[1]')]))
    expect([open.length, open.at(-1)!.kind, open.at(-1)!.count]).toEqual([104, 'more', 800])
  })
})

describe('slices in another order', () => {
  const { bytes: before } = sampleFiles().find(({ path }) => path === 'Dark Cloud 2/adventurer/info.cfg')!
  /** numbers of the lines of the script that are slices, in the order that they come to have */
  const reordered = (order: readonly number[], edit: (line: string) => string = (line) => line): FileChanges => {
    const lines = Buffer.from(before).toString('latin1').split('\n')
    const first = lines.findIndex((line) => line.startsWith('KEY "'))
    const slices = lines.slice(first, first + order.length)
    lines.splice(first, order.length, ...order.map((i) => edit(slices[i])))
    const bytes = new Uint8Array(Buffer.from(lines.join('\n'), 'latin1'))
    return fileChanges('info.cfg', cfgFormat, before, { bytes, document: cfgFormat.decode(bytes, 'info.cfg') })
  }

  it('are one change for each that moved, which says from where and to where', () => {
    const one = reordered([2, 0, 1, 3, 4])
    expect(one.changes.map(({ path, moved }) => [path, moved])).toEqual([['motions[0].keys[0]', { from: 2, to: 0 }]])
    const row = changeRows([one], new Set()).at(-1)!
    expect([row.name, row.before, row.after]).toEqual(['motions[0].keys[0]', 'KEY "攻撃", 90, 120, 0.50;', 'moved from 2 to 0'])
    // an order comes back as a whole: a part of it would be a slice twice, or none
    expect(row.range).toBeUndefined()
    expect(restoreLevels(row)).toEqual([])
    expect(reordered([1, 0, 2, 3, 4]).changes.map(({ moved }) => moved)).toHaveLength(1)
    expect(reordered([4, 3, 2, 1, 0]).changes.every(({ moved }) => moved)).toBe(true)
  })

  it('are fields where one of them is another one now', () => {
    const both = reordered([2, 0, 1, 3, 4], (line) => line.replace('90, 120', '90, 121'))
    expect(both.changes.some(({ moved }) => moved)).toBe(false)
    expect(reordered([0, 1, 2, 3, 4]).changes).toEqual([])
  })
})
