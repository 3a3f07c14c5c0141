import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FormatError } from '../../src/main/binary/format-error.ts'
import { logFolder, openLog } from '../../src/main/services/log.ts'
import { FailingFiles, withLog } from '../../src/main/services/logged.ts'
import { fakeServices } from '../support/fake-services.ts'

let state = ''
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'marrow-log-'))
})
afterEach(() => {
  chmodSync(state, 0o700)
  rmSync(state, { recursive: true, force: true })
})
const now = () => new Date('2026-01-02T03:04:05.678Z')
const text = () => readFileSync(join(logFolder(state), 'marrow.log'), 'utf8')

describe('the log', () => {
  it('is one line for each thing, with when and how bad, and makes nothing on disk before the first', () => {
    const log = openLog(state, { now })
    expect(existsSync(logFolder(state))).toBe(false)
    log.write('info', 'started')
    log.failure(
      'model.open',
      new FormatError('truncated', 'needs 64 bytes\nand a line', { file: '/g/a.mds', path: 'nodes[1]', offset: 16 }),
    )
    log.failure('model.open', new TypeError('x is not a function'))
    const [first, second, third] = text().trimEnd().split('\n')
    expect(first).toBe('2026-01-02T03:04:05.678Z info started')
    expect(second).toBe(
      '2026-01-02T03:04:05.678Z warning model.open: truncated needs 64 bytes and a line · file /g/a.mds · at nodes[1] · offset 16',
    )
    // one that nobody foresaw has its stack
    expect(third).toMatch(/ error model\.open: TypeError: x is not a function \| at .*log\.test\.ts/)
    expect(log.lines()).toEqual([first, second, third])
  })

  it('takes no more room than it may, and keeps what is newest', () => {
    const log = openLog(state, { most: 1000, older: 2, now })
    for (let i = 0; i < 200; i++) log.write('info', `line ${i} ${'x'.repeat(50)}`)
    const files = readdirSync(logFolder(state)).sort()
    expect(files).toEqual(['marrow.1.log', 'marrow.2.log', 'marrow.log'])
    for (const file of files) expect(statSync(join(logFolder(state), file)).size).toBeLessThanOrEqual(1000)
    const numbers = log.lines(10_000).map((line) => Number(/line (\d+)/.exec(line)![1]))
    expect(numbers.at(-1)).toBe(199)
    expect(numbers).toEqual(numbers.map((_, i) => numbers[0] + i))
    expect(log.lines(200).length).toBe(2)
    log.write('info', 'y'.repeat(1_000_000))
    expect(log.lines(100_000).at(-1)!.length).toBeLessThan(2100)
  })

  it('tells what comes again and again once', () => {
    const log = openLog(state, { now })
    for (let i = 0; i < 50; i++) log.write('error', 'the disk does not answer')
    log.write('info', 'it does')
    expect(log.lines().map((line) => line.slice(25))).toEqual([
      'error the disk does not answer',
      'info the line before came 49 more times',
      'info it does',
    ])
  })

  it.skipIf(process.platform === 'win32')(
    'is for the user alone, turned over files included, and follows no link (skipped on Windows: no modes)',
    () => {
      const log = openLog(state, { most: 100, older: 1, now })
      for (let i = 0; i < 5; i++) log.write('info', `${i} ${'x'.repeat(60)}`)
      for (const file of ['marrow.log', 'marrow.1.log']) expect(statSync(join(logFolder(state), file)).mode & 0o777).toBe(0o600)
      const elsewhere = join(state, 'elsewhere')
      writeFileSync(elsewhere, '')
      rmSync(join(logFolder(state), 'marrow.log'))
      symlinkSync(elsewhere, join(logFolder(state), 'marrow.log'))
      log.write('info', 'led away')
      expect(readFileSync(elsewhere, 'utf8')).toBe('')
    },
  )

  it('never fails the work', () => {
    // a file where the folder should be
    writeFileSync(join(state, 'log'), '')
    const log = openLog(state)
    log.write('error', 'x')
    log.failure('y', undefined)
    expect(log.lines()).toEqual([])
    mkdirSync(join(state, 'other'))
  })

  it('is shared by several runs', () => {
    const [a, b] = [openLog(state, { most: 500, now }), openLog(state, { most: 500, now })]
    for (let i = 0; i < 40; i++) (i % 2 ? a : b).write('info', `line ${i} of them`)
    expect(a.lines(100_000)).toEqual(b.lines(100_000))
    expect(a.lines().at(-1)).toContain('line 39')
  })
})

describe('logged handlers', () => {
  const context = { signal: new AbortController().signal }

  it('leave failures and long jobs in the log, and nothing of what was cancelled or of the bytes', async () => {
    const log = openLog(state, { now })
    const failing = new FailingFiles()
    const cancelled = new AbortController()
    const { handlers } = fakeServices({
      'model.open': () => {
        throw new FormatError('bad-count', 'there are 4 bytes', { file: '/g/x.dff', expected: 'SECRET', actual: 'BYTES' })
      },
      'modPackage.build': () => Promise.resolve({ name: '', madeWith: '', folder: '', files: [], written: 3 }),
      'library.query': () => Promise.reject(new FormatError('cancelled', 'stopped')),
      'library.pictureScene': () => Promise.reject(new Error('late')),
      'library.scan': () =>
        ({ files: 9, models: 2, seconds: 1, errors: [{ path: '/g/y.dff', code: 'truncated', message: 'short', offset: 3 }] }) as never,
      'app.info': () => ({ version: '1' }) as never,
    })
    const logged = withLog(handlers, log, failing)
    expect(() => logged['model.open']({ ref: 'x' }, context)).toThrow(FormatError)
    await logged['modPackage.build']({ library: '', modPackage: '', folder: '' }, context)
    await expect(logged['library.query']({} as never, context)).rejects.toThrow('stopped')
    cancelled.abort()
    await expect(logged['library.pictureScene']({} as never, { signal: cancelled.signal })).rejects.toThrow('late')
    expect(logged['app.info']({}, context)).toEqual({ version: '1' })
    void logged['library.scan']({ library: '' }, context)
    // of bytes that came from the window
    failing.add('mod-package', 'this is no zip')
    expect(log.lines().map((line) => line.slice(25))).toEqual([
      'warning model.open: bad-count there are 4 bytes · file /g/x.dff',
      'info modPackage.build: 3 of 0 files written',
      'info library.scan: 9 files, 2 models, 1 broken, 1.0 s',
      'warning library.scan: truncated short · file /g/y.dff · offset 3',
    ])
    expect(failing.all()).toEqual([
      { ref: '/g/y.dff', name: 'y.dff', message: 'short' },
      { ref: '/g/x.dff', name: 'x.dff', message: 'there are 4 bytes' },
    ])
  })
})
