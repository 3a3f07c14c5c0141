/** The bench's memory: rows go into the history and come out of it, two states are measured in turn, the page shows the course. */
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { format, resolveConfig } from 'prettier'
import { compareGroup, withSourcesOf, type Answer } from '../bench/compare.ts'
import { appendHistory, commitOf, formatHistory, machine, measured, parseHistory, readHistory, runNow, type Run } from '../bench/history.ts'
import { atMost, type Row } from '../bench/measure.ts'
import { speedPage } from '../bench/speed-page.ts'

const RUN: Run = { date: '2001-02-03T04:05Z', commit: '0123abcd', machine: 'Some "fast" CPU, 2 cores, 8 GB, Node v1.2.3', load: 0.5 }
const ROW: Row = { name: 'reading, all', bytes: 12, ms: 2.000049, against: 'copying', againstMs: 1, aim: 0.25 }
const noGit = spawnSync('git', ['--version']).status !== 0

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'marrow-history-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('history', () => {
  const list = [
    measured(RUN, ROW),
    measured(RUN, { ...ROW, name: 'two\nlines, "quoted"', note: ',', againstMs: 0, against: '' }),
    measured({ ...RUN, commit: '0123abcd+' }, atMost('memory', 250, 300, { unit: 'MB' })),
  ]

  it('comes back as it was written', () => {
    expect(parseHistory(formatHistory(list))).toEqual(list)
    expect(parseHistory(formatHistory(list).replaceAll('\n', '\r\n')).map((m) => m.figure)).toEqual([2, 2, 250])
    expect(list.map((m) => m.ratio)).toEqual([0.5, undefined, 1.2])
  })

  it('is put at the end of what stands there', () => {
    const file = join(folder, 'history.csv')
    appendHistory(list.slice(0, 2), file)
    const before = readFileSync(file, 'utf8')
    appendHistory(list.slice(2), file)
    expect(readFileSync(file, 'utf8').startsWith(before)).toBe(true)
    expect(readHistory(file)).toEqual(list)
    // a line end that an editor took away
    writeFileSync(file, before.trimEnd())
    appendHistory(list.slice(2), file)
    expect(readHistory(file)).toEqual(list)
    expect(readHistory(join(folder, 'none.csv'))).toEqual([])
  })

  it.each([
    ['', 'line 1'],
    ['a,b\n', 'line 1'],
    [formatHistory(list) + 'x\n', 'line 6: 1 cells'],
    [formatHistory(list).replace(',12,', ',much,'), 'line 2: "much" is no number'],
    [formatHistory(list).replace('2001-02-03T04:05Z', 'soon'), 'line 2: "soon" is no date'],
    [formatHistory(list).replace(',MB,', ',miles,'), 'line 5: "miles" is no unit'],
    [formatHistory(list) + '"open', 'line 6: a quoted cell has no end'],
    [formatHistory(list) + '"a"b', 'line 6: text after a quoted cell'],
  ])('a line that is none of it is named, and nothing is put behind it', (text, told) => {
    expect(() => parseHistory(text)).toThrow(told)
    const file = join(folder, 'history.csv')
    writeFileSync(file, text)
    expect(() => appendHistory(list, file)).toThrow(told)
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it('says what machine it is by its parts', () => {
    expect(machine()).toMatch(/^.+, \d+ cores?, \d+ GB, Node v\d+\.\d+\.\d+$/)
    expect(runNow('c')).toMatchObject({ commit: 'c', machine: machine(), date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/) })
  })

  it.skipIf(noGit)('says which commit it is, and whether the sources are those', () => {
    expect(commitOf(folder)).toBe('unknown')
    makeRepository()
    expect(commitOf(folder)).toMatch(/^[0-9a-f]{8}$/)
    writeFileSync(join(folder, 'README.md'), 'other')
    expect(commitOf(folder)).toMatch(/^[0-9a-f]{8}$/)
    writeFileSync(join(folder, 'src', 'a.ts'), 'other')
    expect(commitOf(folder)).toMatch(/^[0-9a-f]{8}\+$/)
  })
})

describe('comparison', () => {
  const rows = (...list: [string, number][]): Answer => ({ rows: list.map(([name, ms]) => ({ ...ROW, name, ms })) })

  it('lets both sides begin in turn, and takes medians', () => {
    const asked: string[] = []
    // a machine that grows slower by a half with each measurement
    let slow = 1
    const side = (name: string, ms: number) => (group: string) => {
      asked.push(`${name} ${group}`)
      slow *= 1.5
      return rows(['a', ms * slow])
    }
    const { rows: compared, failed } = compareGroup('library', side('then', 30), side('now', 10), 4)
    expect(failed).toEqual([])
    expect(asked.map((line) => line.split(' ')[0])).toEqual(['then', 'now', 'now', 'then', 'then', 'now', 'now', 'then'])
    expect(asked.every((line) => line.endsWith('library'))).toBe(true)
    const [{ ratio, spread }] = compared
    expect(spread).toEqual([expect.closeTo(2), expect.closeTo(4.5)])
    expect(ratio).toBeGreaterThan(2)
    expect(ratio).toBeLessThan(4.5)
  })

  it('shows what one side alone has', () => {
    const { rows: compared } = compareGroup(
      'x',
      () => rows(['a', 4], ['old', 1]),
      () => rows(['a', 2], ['new', 1]),
      1,
    )
    expect(compared).toEqual([
      { name: 'a', then: 4, now: 2, ratio: 2, spread: [2, 2] },
      { name: 'old', then: 1, now: undefined },
      { name: 'new', then: undefined, now: 1 },
    ])
  })

  it('says which side cannot be measured, and asks it once', () => {
    let asked = 0
    const { rows: compared, failed } = compareGroup(
      'x',
      () => (asked++, { failed: 'no such export' }),
      () => rows(['a', 1]),
      3,
    )
    expect(asked).toBe(1)
    expect(failed).toEqual(['then: no such export'])
    expect(compared).toEqual([{ name: 'a', then: undefined, now: 1 }])
  })

  it.skipIf(noGit)('has the sources of the commit, the measures and packages of now, and leaves nothing', () => {
    makeRepository()
    mkdirSync(join(folder, 'node_modules'))
    writeFileSync(join(folder, 'node_modules', 'kept.js'), '')
    for (const name of ['src/a.ts', 'test/bench.ts']) appendFileSync(join(folder, name), '// now')
    let place = ''
    const found = withSourcesOf(
      'HEAD',
      (there) => {
        place = there
        expect(lstatSync(join(there, 'node_modules')).isSymbolicLink()).toBe(true)
        return ['src/a.ts', 'test/bench.ts', 'node_modules/kept.js'].map((name) => readFileSync(join(there, name), 'utf8'))
      },
      folder,
    )
    expect(found).toEqual(['src', 'test// now', ''])
    expect(() =>
      withSourcesOf(
        'HEAD',
        () => {
          throw new Error('stopped')
        },
        folder,
      ),
    ).toThrow('stopped')
    expect(() => withSourcesOf('--all', () => 0, folder)).toThrow()
    expect(existsSync(place)).toBe(false)
    expect(existsSync(join(folder, 'node_modules', 'kept.js'))).toBe(true)
    expect(spawnSync('git', ['worktree', 'list'], { cwd: folder, encoding: 'utf8' }).stdout.trim().split('\n')).toHaveLength(1)
  })
})

function makeRepository(): void {
  for (const name of ['src/a.ts', 'test/bench.ts', 'README.md']) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), name.split('/')[0])
  }
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n')
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'commit.gpgsign=false']
  for (const args of [
    ['init', '--quiet'],
    ['add', '.'],
    [...who, 'commit', '--quiet', '-m', 'first'],
  ]) {
    const { status, stderr } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
  }
}

describe('page', () => {
  it('is made from the history: docs/speed.md', async () => {
    const file = join(import.meta.dirname, '../../docs/speed.md')
    const text = await format(speedPage(readHistory()), { ...(await resolveConfig(file)), parser: 'markdown' })
    // vitest -u writes it anew
    await expect(text).toMatchFileSnapshot(file)
  })

  it('has a table a machine, the newest runs in it, and marks what misses its aim', () => {
    const history = Array.from({ length: 8 }, (_, i) => measured({ ...RUN, commit: `c${i}`, load: i }, { ...ROW, ms: 1 + i }))
    const page = speedPage([...history, measured({ ...RUN, machine: 'another' }, atMost('a | b', 4, 2))])
    expect(page).toContain('| reading, all | copying, at least ×0.25 | 3.00 ms ×0.33 | 4.00 ms ×0.25 | 5.00 ms **×0.20** |')
    expect(page).not.toContain('`c1`')
    expect(page).toContain('## another')
    expect(page).toContain('| a \\| b | at most 2 ms | 4.00 ms **×0.50** |')
  })
})
