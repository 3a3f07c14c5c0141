import { expect, it } from 'vitest'
import { asTheyStand, countsOf, fixesOf, foundRows, groupsOf } from '../../../src/renderer/features/problems/lint-rows.ts'
import type { Problem } from '../../../src/shared/api/types/model.ts'

const fix = { id: 'kite.sort', label: 'Sort' }
const problem = (ref: string, code: string, severity: Problem['severity'] = 'warning', more: Partial<Problem> = {}): Problem => ({
  ref,
  code,
  severity,
  message: `${code} in ${ref}`,
  path: '',
  offset: -1,
  file: ref,
  ...more,
})

it('groups findings, the worst first, then the most', () => {
  const found = [
    problem('b', 'small', 'info'),
    problem('a', 'many'),
    problem('b', 'many'),
    problem('a', 'bad', 'error'),
    problem('a', 'few'),
  ]
  expect(groupsOf(found, 'rule').map(({ key, severity, problems }) => [key, severity, problems.length])).toEqual([
    ['bad', 'error', 1],
    ['many', 'warning', 2],
    ['few', 'warning', 1],
    ['small', 'info', 1],
  ])
  const files = groupsOf(found, 'file')
  expect(files.map(({ key, severity }) => [key, severity])).toEqual([
    ['a', 'error'],
    ['b', 'warning'],
  ])
  expect(files[0].problems.map(({ code }) => code)).toEqual(['bad', 'many', 'few'])
  expect(countsOf(found)).toEqual({ error: 1, warning: 3, info: 1 })
})

it('shows the findings of groups that are opened', () => {
  const groups = groupsOf([problem('a', 'x'), problem('b', 'x'), problem('a', 'y')], 'rule')
  expect(foundRows(groups, new Set(['x'])).map((row) => (row.kind === 'group' ? row.key : row.problem.ref))).toEqual(['x', 'a', 'b', 'y'])
})

it('takes findings of open models in the place of those of their files', () => {
  const saved = [problem('a', 'x'), problem('b', 'x')]
  expect(asTheyStand(saved, new Map())).toEqual(saved)
  expect(asTheyStand(saved, new Map([['a', []]]))).toEqual([saved[1]])
  expect(asTheyStand(saved, new Map([['b', [problem('b', 'new')]]])).map(({ code }) => code)).toEqual(['x', 'new'])
})

it('counts what a repair would be done to', () => {
  const other = { id: 'kite.other', label: 'Other' }
  const found = [
    problem('a', 'x', 'error', { fixes: [fix] }),
    problem('a', 'x', 'error', { fixes: [fix, other] }),
    problem('b', 'x', 'error', { fixes: [fix] }),
    problem('c', 'y', 'error', { fixes: [fix] }),
    problem('d', 'x'),
  ]
  expect(fixesOf(found, 'x')).toEqual([
    { ...fix, count: 3, refs: ['a', 'b'] },
    { ...other, count: 1, refs: ['a'] },
  ])
})

it('has rows of ten thousand findings at once', () => {
  const found = Array.from({ length: 10_000 }, (_, i) => problem(`f${i % 500}`, `r${i % 40}`, 'warning', { fixes: [fix] }))
  const groups = groupsOf(found, 'rule')
  expect(groups).toHaveLength(40)
  expect(foundRows(groups, new Set(groups.map(({ key }) => key)))).toHaveLength(10_040)
  expect(fixesOf(found, 'r0')[0]).toMatchObject({ count: 250, refs: { length: 25 } })
})
