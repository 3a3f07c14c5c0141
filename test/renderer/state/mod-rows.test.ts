import { expect, it } from 'vitest'
import { changedRows, problemGroups, problemRows } from '../../../src/renderer/features/mod/mod-rows.ts'
import type { ChangedPlace, ModFile, ModFileReport } from '../../../src/shared/api/types/mod.ts'
import type { ModelFile, Problem } from '../../../src/shared/api/types/model.ts'

const file = (path: string): ModFile => ({ ref: `/game/${path}`, path, size: 3, originalSize: 3 })
const problem = (ref: string, code: string, severity: Problem['severity'] = 'warning'): Problem => ({
  ref,
  code,
  severity,
  message: code,
  path: '',
  offset: -1,
  file: ref,
})
const place: ChangedPlace = { ref: '/game/a', member: '', path: 'x', offset: 1, what: '', before: '1', after: '2', count: 1 }
const report = (path: string, values: Partial<ModFileReport> = {}): [string, ModFileReport] => [
  `/game/${path}`,
  { ref: `/game/${path}`, path, changes: 0, changedBytes: 0, places: [], omitted: 0, problems: [], unread: '', ...values },
]
const model = (problems: Problem[] | null, ...files: [ref: string, dirty?: boolean][]) => ({
  info: { files: files.map(([ref, dirty = false]) => ({ ref, dirty }) as ModelFile) },
  problems,
})

it('shows the places of files that are opened, and that there are more', () => {
  const reports = new Map([report('a', { places: [place], omitted: 4 }), report('b')])
  const files = [file('a'), file('b'), file('c')]
  const told = (opened: string[]) => changedRows(files, reports, new Set(opened)).map((row) => [row.kind, row.file.path])
  expect(told([])).toEqual([
    ['file', 'a'],
    ['file', 'b'],
    ['file', 'c'],
  ])
  // one without a summary cannot be opened
  expect(changedRows(files, reports, new Set()).map((row) => row.kind === 'file' && row.open)).toEqual([false, undefined, undefined])
  expect(told(['/game/a', '/game/b']).slice(0, 3)).toEqual([
    ['file', 'a'],
    ['place', 'a'],
    ['more', 'a'],
  ])
})

it('takes problems of open models as they stand, of all other files as they were saved', () => {
  const reports = new Map([
    report('a', { problems: [problem('/game/a', 'old')] }),
    report('!p.big', { problems: [problem('/game/!p.big!one', 'saved'), problem('/game/!p.big!two', 'outdated')] }),
    report('c', { problems: [problem('/game/c', 'info', 'info'), problem('/game/c', 'bad', 'error'), problem('/game/c', 'off')] }),
  ])
  const open = [
    model([problem('/game/a', 'new'), problem('/game/of the game', 'not changed')], ['/game/a'], ['/game/of the game']),
    model([], ['/game/!p.big!two']),
    model([problem('/game/dirty', 'x'), problem('/game/dirty', 'x')], ['/game/dirty', true]),
    // not known yet
    model(null, ['/game/c']),
  ]
  const groups = problemGroups([file('a'), file('!p.big'), file('c')], reports, open, (ref) => ref.slice(6), new Set(['off']))
  expect(groups.map(({ path, problems }) => [path, problems.map(({ code }) => code)])).toEqual([
    ['a', ['new']],
    ['!p.big', ['saved']],
    ['c', ['bad', 'info']],
    ['dirty', ['x']],
  ])
  expect(problemRows(groups, new Set(['/game/c'])).map(({ kind, key }) => [kind, key])).toEqual([
    ['file', '/game/a'],
    ['problem', '/game/a|0'],
    ['file', '/game/!p.big'],
    ['problem', '/game/!p.big|0'],
    ['file', '/game/c'],
    ['file', '/game/dirty'],
    ['problem', '/game/dirty|0'],
  ])
})
