/** Folders left out of a library by the window: kept per library, told in the tree, taken in again; what is open or edited in them stays as it is. */
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createRegistry } from '../../src/main/formats/registry.ts'
import { families, flightBytes, kiteBytes } from '../fixtures/kite/family.ts'
import { flipOnDisk } from '../support/state-damage.ts'
import { fakeRegistry, numbersBytes } from '../workspace/fake-family.ts'
import { openGame, scanned, serviceBenches } from '../support/service-bench.ts'
import type { BenchOptions, ServiceBench } from '../support/service-bench.ts'

const begin = serviceBenches(afterEach)
const start = (files: Record<string, Uint8Array> = {}, options: BenchOptions = {}): ServiceBench =>
  begin({ files, registry: fakeRegistry, ...options })

const files = () => ({
  'a.num': numbersBytes([1, 2, 3]),
  'old/b.num': numbersBytes([4]),
  'old/b.extra.num': numbersBytes([5]),
  'old/deep/c.num': numbersBytes([6]),
  'older/d.num': numbersBytes([7]),
})

const listed = async ({ call, game }: ServiceBench, library: string): Promise<string[]> => {
  const { rows } = await call('library.query', { library, show: 'files', sort: 'name', offset: 0, limit: 100 })
  return rows.map(({ ref }) => ref.slice(game.length + 1)).sort()
}
/** The one file that keeps the list. */
const keptIn = ({ state }: ServiceBench): string =>
  join(
    state,
    'left-out',
    readdirSync(join(state, 'left-out')).find((name) => name.endsWith('.json'))!,
  )

describe('a folder that is left out', () => {
  it('is gone with the next scan, stands in the tree, comes back when it is taken in, and is remembered', async () => {
    const b = start(files())
    const library = await scanned(b.call, b.game)
    expect(await b.call('library.leftOut', { library })).toEqual([])
    const told = b.events['library.changed']!.length
    expect(await b.call('library.leaveOut', { library, folder: join(b.game, 'old') })).toEqual(['old'])
    expect(b.events['library.changed']).toHaveLength(told + 1)
    // at once in the tree, with what is still known of it
    const tree = (of: ServiceBench) => of.call('library.folders', { library, show: 'files', sort: 'name', place: '' })
    expect(await tree(b)).toMatchObject([{ name: 'old', leftOut: true, folders: 0 }, { name: 'older' }])
    expect(await b.call('library.scan', { library })).toMatchObject({ files: 2 })
    expect(await listed(b, library)).toEqual(['a.num', 'older/d.num'])
    expect(await tree(b)).toMatchObject([
      { name: 'old', leftOut: true, count: 0, folders: 0 },
      { name: 'older', count: 1 },
    ])
    expect((await tree(b))[1]).not.toHaveProperty('leftOut')
    await b.close()

    const again = start({}, { after: b })
    await again.call('library.open', { root: b.game })
    expect(await again.call('library.scan', { library })).toMatchObject({ files: 2 })
    expect(await again.call('library.takeIn', { library, place: 'old' })).toEqual([])
    expect(await again.call('library.scan', { library })).toMatchObject({ files: 5 })
    expect(await tree(again)).toMatchObject([{ name: 'old', count: 3, folders: 1 }, { name: 'older' }])
  })

  it('is one of this library, by where it really is: no root, file, member, folder elsewhere or link to one', async () => {
    const b = start(files(), { guarded: true })
    const library = await scanned(b.call, b.game)
    const other = join(b.base, 'other')
    mkdirSync(join(other, 'x'), { recursive: true })
    await b.call('library.open', { root: other })
    symlinkSync(join(other, 'x'), join(b.game, 'link'))
    symlinkSync(join(b.game, 'old'), join(b.game, 'way'))
    const codeOf = async (folder: string): Promise<string> => {
      const got = await b.ask('library.leaveOut', { library, folder })
      return got.ok ? 'ok' : got.error.code
    }
    const refusals = {
      '': 'invalid-argument',
      'a.num': 'invalid-argument',
      none: 'not-found',
      link: 'refused',
      '../other/x': 'refused',
      '..': 'refused',
      '../none': 'refused',
    }
    for (const [path, code] of Object.entries(refusals)) expect(await codeOf(`${b.game}/${path}`), path).toBe(code)
    for (const path of ['old', './old', '', '\0', `${b.game}/old\0`])
      expect(await codeOf(path), JSON.stringify(path)).toBe('invalid-argument')
    for (const name of ['library.leftOut', 'library.leaveOut', 'library.takeIn'])
      expect(await b.ask(name, { library: 'none', folder: b.game, place: '' })).toMatchObject({ ok: false, error: { code: 'not-found' } })
    expect(await b.call('library.leftOut', { library })).toEqual([])
    // a link leads to the folder itself; another word for it is the same one
    expect(await b.call('library.leaveOut', { library, folder: join(b.game, 'way') })).toEqual(['old'])
    expect(await b.call('library.leaveOut', { library, folder: `${b.game}/older/../old/` })).toEqual(['old'])
    expect(await b.call('library.takeIn', { library, place: '../other' })).toEqual(['old'])
  })

  it('is taken in when it is gone from the disk', async () => {
    const b = start(files())
    const library = await scanned(b.call, b.game)
    await b.call('library.leaveOut', { library, folder: join(b.game, 'old/deep') })
    await b.call('library.leaveOut', { library, folder: join(b.game, 'old') })
    rmSync(join(b.game, 'old'), { recursive: true })
    expect(await b.call('library.scan', { library })).toMatchObject({ files: 2, errors: [] })
    expect(await b.call('library.takeIn', { library, place: 'old' })).toEqual(['old/deep'])
    // what was left out in it before still is, and leads to its place
    expect(await b.call('library.folders', { library, show: 'files', sort: 'name', place: '' })).toMatchObject([
      { name: 'old', count: 0, folders: 1 },
      { name: 'older' },
    ])
    expect(await b.call('library.folders', { library, show: 'files', sort: 'name', place: 'old' })).toMatchObject([
      { name: 'deep', leftOut: true },
    ])
    expect(await b.call('library.takeIn', { library, place: 'old/deep' })).toEqual([])
  })

  it('takes nothing from a model that is open in it: edits, undo, save and recovery go on', async () => {
    const b = start(files())
    const { library, info: model } = await openGame(b, 'old/b.num')
    const set = (value: number) => b.call('skeleton.setField', { model: model.id, joint: 0, key: 'first', value: [value] })
    await set(9)
    await b.call('library.leaveOut', { library, folder: join(b.game, 'old') })
    await b.call('library.scan', { library })
    expect(await listed(b, library)).toEqual(['a.num', 'older/d.num'])
    await set(10)
    await b.call('history.undo', { model: model.id })
    await b.call('save.write', { model: model.id })
    expect(new Uint8Array(readFileSync(join(b.game, 'old/b.num')))).toEqual(numbersBytes([9]))
    await set(11)
    await b.close()

    const again = start({}, { after: b })
    await again.call('library.open', { root: b.game })
    const [offer] = await again.call('recovery.list', {})
    expect((await again.call('recovery.restore', { id: offer.id })).info).toMatchObject({ dirty: true, primary: join(b.game, 'old/b.num') })
  })

  it('has files that are opened by themselves, with what stands around them', async () => {
    const b = start(files())
    const library = await scanned(b.call, b.game)
    await b.call('library.leaveOut', { library, folder: join(b.game, 'old') })
    await b.call('library.scan', { library })
    const { info } = await b.call('model.open', { ref: join(b.game, 'old/b.num'), library })
    expect(info.files.map(({ ref }) => ref.slice(b.game.length + 1)).sort()).toEqual(['old/b.extra.num', 'old/b.num'])
  })

  it('has no problems in a look through the whole library', async () => {
    const unsound = flightBytes([
      [9, 0],
      [4, 0.5],
    ])
    const b = begin({
      files: { 'a/red.kite': kiteBytes(), 'a/red.flight': unsound, 'b/storm.flight': unsound },
      registry: createRegistry(families),
    })
    const library = await scanned(b.call, b.game)
    expect(await b.call('lint.library', { library })).toMatchObject({ files: 3, problems: 2 })
    await b.call('library.leaveOut', { library, folder: join(b.game, 'b') })
    expect(await b.call('lint.library', { library })).toMatchObject({ files: 2, problems: 1 })
  })
})

describe('the list on disk', () => {
  it('counts as far as it is one: what is no place is passed over', async () => {
    const b = start(files())
    const library = await scanned(b.call, b.game)
    await b.call('library.leaveOut', { library, folder: join(b.game, 'old') })
    const file = keptIn(b)
    await b.close()
    const hostile = [
      '..',
      '../old',
      '/',
      b.game,
      join(b.game, 'older'),
      '',
      '.',
      './older',
      'older/',
      'older/.',
      'a//b',
      'x\0',
      5,
      null,
      {},
      ['older'],
      true,
    ]
    for (const [places, files, kept] of [
      [[...hostile, 'old', 'none/at/all'], 2, ['old', 'none/at/all']],
      [hostile, 5, []],
      ['old', 5, []],
      [{ 0: 'old' }, 5, []],
      [null, 5, []],
    ] as const) {
      // as an earlier version would have written it, without a checksum
      writeFileSync(file, JSON.stringify({ root: b.game, places }))
      const again = start({}, { after: b })
      await again.call('library.open', { root: b.game })
      expect(await again.call('library.leftOut', { library }), JSON.stringify(places)).toEqual(kept)
      expect(await again.call('library.scan', { library })).toMatchObject({ files, errors: [] })
      expect(readdirSync(dirname(file)).filter((name) => name.includes('damaged'))).toEqual([])
      await again.close()
    }
  })

  it('is restored from its copy where it is damaged, and that is said; without a copy nothing is left out', async () => {
    const b = start(files())
    const library = await scanned(b.call, b.game)
    await b.call('library.leaveOut', { library, folder: join(b.game, 'old') })
    const file = keptIn(b)
    flipOnDisk(file, 8 * (readFileSync(file).length - 6))
    expect(await b.call('library.leftOut', { library })).toEqual(['old'])
    await b.call('app.info', {})
    await expect
      .poll(() => b.events.notice)
      .toMatchObject([
        { severity: 'info', message: expect.stringContaining('left out of a library was damaged and was restored from its copy') },
      ])
    for (const path of [file, `${file}.copy`]) flipOnDisk(path, 8 * (readFileSync(path).length - 6))
    expect(await b.call('library.leftOut', { library })).toEqual([])
    await expect.poll(() => b.events.notice?.[1]).toMatchObject({ severity: 'warning' })
    expect(await b.call('library.scan', { library })).toMatchObject({ files: 5 })
  })

  it('is one of each library', async () => {
    const b = start(files())
    const other = join(b.base, 'other')
    mkdirSync(join(other, 'old'), { recursive: true })
    writeFileSync(join(other, 'old/x.num'), numbersBytes([1]))
    const library = await scanned(b.call, b.game)
    const second = await scanned(b.call, other)
    await b.call('library.leaveOut', { library, folder: join(b.game, 'old') })
    expect(await b.call('library.leftOut', { library: second })).toEqual([])
    expect(await b.call('library.scan', { library: second })).toMatchObject({ files: 1 })
  })
})
