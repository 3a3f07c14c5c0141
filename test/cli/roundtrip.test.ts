import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fake, fakePack, fakeSplit } from '../files/fake-family.ts'
import { put, tempFolder } from '../files/temp.ts'
import { corpusRoot } from '../support/corpus.ts'
import { marrow } from './run.ts'

describe('marrow roundtrip', () => {
  it('counts files, members, archives, typed and raw bytes', async () => {
    const root = tempFolder({
      'a.fake': fake('abc', 'tail'),
      'note.txt': 'unknown',
      'p.fpak': fakePack([
        ['m.fake', fake('member')],
        ['blob.bin', new Uint8Array(100)],
        ['inner.fpak', fakePack([['x.fake', fake('x')]])],
      ]),
    })
    const { status, json } = await marrow(['roundtrip', root, '--json'])
    const header = (names: string[]): number => 8 + names.reduce((sum, n) => sum + n.length + 9, 0)
    expect(status).toBe(0)
    expect(json()).toEqual({
      files: 5,
      identical: 5,
      skipped: 2,
      typedBytes:
        fake('abc').length + fake('member').length + fake('x').length + header(['m.fake', 'blob.bin', 'inner.fpak']) + header(['x.fake']),
      // the tail, the unknown member, and two bytes before every body
      opaqueBytes: 4 + 100 + 3 * 2 + 2,
      failures: [],
      notes: [],
    })
  })

  it('names what fails, and goes on', async () => {
    const root = tempFolder({
      'cut.fake': fake('truncated').slice(0, 12),
      'crash.fake': fake('crash'),
      'fine.fake': fake('fine'),
      'lossy.fake': fake('lossy'),
      'p.fpak': fakePack([
        ['lossy.fake', fake('lossy')],
        ['ok.fake', fake('ok')],
      ]),
      'refused.fake': fake('refused'),
      'cut.fpak': fakePack([
        ['whole.fake', fake('whole')],
        ['gone.fake', fake('gone')],
      ]).slice(0, -2),
    })
    const { status, json } = await marrow(['roundtrip', root, join(root, 'none'), '--json'])
    const report = json()
    expect(status).toBe(1)
    expect(report).toMatchObject({ files: 9, identical: 4, skipped: 1 })
    expect(report.notes).toEqual([{ path: join(root, 'refused.fake'), code: 'refused', message: 'this cousin is refused', offset: 0 }])
    expect(report.failures.map((f: any) => [f.path.slice(root.length + 1), f.code, f.offset])).toEqual([
      ['crash.fake', 'internal', -1],
      ['cut.fake', 'truncated', 8],
      ['cut.fpak!gone.fake', 'truncated', 10],
      ['cut.fpak', 'truncated', 62],
      ['lossy.fake', 'not-lossless', 8],
      ['p.fpak!lossy.fake', 'not-lossless', 8],
      ['none', 'not-found', -1],
    ])
    for (const failure of report.failures) expect(failure.message).not.toMatch(/\n\s+at /)
  })

  it('notices an archive whose gaps are not what its codec would write', async () => {
    const body = fakePack([
      ['a.fake', fake('a')],
      ['b.fake', fake('b')],
    ])
    const at = body.lastIndexOf(0xee)
    body[at] = 0x77
    const path = join(tempFolder({ 'p.fpak': body }), 'p.fpak')
    const { json } = await marrow(['roundtrip', path, '--json'])
    expect(json()).toMatchObject({ files: 3, identical: 2, failures: [{ path, code: 'not-lossless', offset: at }] })
    writeFileSync(path, fakePack([['a.fake', fake('a')]]).slice())
    expect((await marrow(['roundtrip', path, '--json'])).status).toBe(0)
  })

  it('takes archives in two parts as one, and members and their folders as paths', async () => {
    const { directory, data } = fakeSplit([
      ['x.fake', fake('x')],
      ['sub/y.fake', fake('y')],
    ])
    const root = tempFolder({ 'set.fdir': directory })
    expect((await marrow(['roundtrip', root, '--json'])).json()).toMatchObject({
      files: 1,
      identical: 0,
      failures: [{ path: `${root}/set.fdir`, code: 'not-found' }],
    })
    put(root, 'SET.FDAT', data)
    expect((await marrow(['roundtrip', root, '--json'])).json()).toMatchObject({
      files: 3,
      identical: 3,
      skipped: 0,
      failures: [],
      opaqueBytes: 4,
    })
    expect((await marrow(['roundtrip', `${root}/set.fdir!x.fake`, '--json'])).json()).toMatchObject({ files: 1, identical: 1 })
    expect((await marrow(['roundtrip', `${root}/set.fdir!sub`, '--json'])).json()).toMatchObject({ files: 1, identical: 1 })
  })

  it('checks the path of a save too', async () => {
    const root = tempFolder({
      'p.fpak': fakePack(
        [
          ['a.fake', fake('a')],
          ['lossy.fake', fake('lossy')],
        ],
        0,
      ),
    })
    expect((await marrow(['roundtrip', root, '--copy', '--json'])).json()).toMatchObject({
      files: 3,
      identical: 2,
      failures: [{ path: `${root}/p.fpak!lossy.fake` }],
    })
    // a save of the fake archive drops gaps: that must show
    const gaps = tempFolder({ 'p.fpak': fakePack([['a.fake', fake('a')]], 4) })
    expect((await marrow(['roundtrip', gaps, '--json'])).status).toBe(0)
    expect((await marrow(['roundtrip', gaps, '--copy', '--json'])).json()).toMatchObject({
      failures: [{ path: `${gaps}/p.fpak`, code: 'not-lossless' }],
    })
  })

  it('prints text without --json, failures on standard error', async () => {
    const root = tempFolder({ 'a.fake': fake('a'), 'cut.fake': fake('cut').slice(0, 9) })
    const { out, err, status } = await marrow(['roundtrip', root])
    expect(status).toBe(1)
    expect(out).toContain('1 of 2 files identical, 0 skipped')
    expect(err).toContain(`${root}/cut.fake: truncated at byte 8`)
  })
})

describe('the real families', () => {
  it.skipIf(!existsSync(corpusRoot))('have no failure on the corpus', async () => {
    const { json } = await marrow(['roundtrip', corpusRoot, '--json'], {})
    const report = json()
    expect(report.failures).toEqual([])
    expect(report.files).toBe(report.identical)
    expect(report.files).toBeGreaterThan(0)
  })
})

it('marrow --version is the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  expect((await marrow(['--version'])).out).toBe(`${version}\n`)
})
