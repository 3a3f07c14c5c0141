import { expect, it } from 'vitest'
import { compareRows } from '../../../src/renderer/features/compare/compare-rows.ts'
import type { ComparedChange, ComparedFile, Comparison } from '../../../src/shared/api/types/compare.ts'

const change = (path: string, before: string, after: string, more: Partial<ComparedChange> = {}): ComparedChange => ({
  path,
  before,
  after,
  offset: 16,
  bytes: 1,
  newOffset: 16,
  newBytes: 1,
  ...more,
})
const file = (path: string, changes: ComparedChange[], more: Partial<ComparedFile> = {}): ComparedFile => ({
  path,
  state: 'changed',
  format: 'x',
  sizes: [1, 2],
  changedBytes: 1,
  changes,
  omitted: 0,
  differsFrom: -1,
  ...more,
})
const comparison = (more: Partial<Comparison>): Comparison => ({
  equal: false,
  a: 'a',
  b: 'b',
  files: 1,
  same: 0,
  changed: 1,
  added: 0,
  removed: 0,
  differences: [],
  omitted: 0,
  failures: [],
  lines: [],
  folders: false,
  ...more,
})
const told = (rows: ReturnType<typeof compareRows>) =>
  rows.map((row) =>
    row.kind === 'change' ? [row.whose ?? '', row.at, row.before, row.after].join(' ').trim() : row.kind === 'file' ? row.path : row.what,
  )

it('shows the changes of the only file at once, of several on demand', () => {
  const one = comparison({ differences: [file('', [change('x', '1', '2', { key: 'frame 3' }), change('', '', '9')], { omitted: 4 })] })
  expect(told(compareRows(one, new Set()))).toEqual(['', 'x (frame 3) 1 2', '0x10  9', 'omitted'])
  expect(told(compareRows(one, new Set([''])))).toEqual([''])
  const two = comparison({ differences: [file('a', [change('x', '1', '2')]), file('b', [], { state: 'added' })] })
  expect(told(compareRows(two, new Set()))).toEqual(['a', 'b'])
  expect(told(compareRows(two, new Set(['a'])))).toEqual(['a', 'x 1 2', 'b'])
  const broken = comparison({ failures: [{ path: 'c', code: 'io', message: 'no', offset: -1 }], omitted: 3 })
  expect(told(compareRows(broken, new Set()))).toEqual(['failed', 'more'])
  // what came whole has nothing below it
  expect(compareRows(two, new Set())[1]).toMatchObject({ open: undefined })
})

it('says who changed a place, and tells what both did once', () => {
  const both = comparison({
    threeWay: [
      {
        path: 'a',
        a: 'changed',
        b: 'changed',
        changedByA: file('a', [change('x', '1', '2'), change('y', '1', '5')]),
        changedByB: file('a', [change('x', '1', '3')]),
        conflicts: [{ path: 'x', base: '1', a: '2', b: '3' }],
        apart: '',
      },
    ],
  })
  expect(told(compareRows(both, new Set()))).toEqual(['a', 'both x 2 3', 'mine y 1 5'])
})

it('tells once what both changed alike', () => {
  const changes = [change('x', '1', '2'), change('keys[3]', '', 'frame 9', { whole: 'added' })]
  const both = comparison({
    threeWay: [
      {
        path: 'a',
        a: 'changed',
        b: 'changed',
        changedByA: file('a', changes),
        changedByB: file('a', [...structuredClone(changes), change('y', '1', '5')]),
        conflicts: [],
        apart: '',
      },
    ],
  })
  const rows = compareRows(both, new Set())
  expect(told(rows)).toEqual(['a', 'alike x 1 2', 'alike keys[3]  frame 9', 'theirs y 1 5'])
  expect(rows[0]).toMatchObject({ count: 3 })
})
