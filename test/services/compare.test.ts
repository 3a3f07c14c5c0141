/** Any two for the window: files, folders and archives, versions of one file, models; three-way where an original is known. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { createRegistry } from '../../src/main/formats/registry.ts'
import { families, flightBytes, kiteBytes } from '../fixtures/kite/family.ts'
import { scanned, serviceBenches } from '../support/service-bench.ts'
import type { CompareVersion } from '../../src/shared/api/types/compare.ts'

const start = serviceBenches(afterEach)
const registry = createRegistry(families)
const flight = (a: number, b: number, c = 20): Uint8Array =>
  flightBytes([
    [a, 0.1],
    [b, 0.2],
    [c, 0.3],
  ])

async function bench(files: Record<string, Uint8Array>) {
  const b = start({ files, registry })
  const library = await scanned(b.call, b.game)
  const run = (a: string, other: string, versions: readonly [CompareVersion, CompareVersion] = ['saved', 'saved'], models?: boolean) =>
    b.call('compare.run', {
      library,
      a: { ref: join(b.game, a), version: versions[0] },
      b: { ref: join(b.game, other), version: versions[1] },
      models,
    })
  return { ...b, library, run }
}

it('lists just what differs between two files, folders, and nothing where they are the same', async () => {
  const { run, events } = await bench({
    'one/red.flight': flight(1, 2),
    'two/red.flight': flight(1, 3),
    'two/more.flight': flight(1, 2),
    'three/red.flight': flight(1, 2),
  })
  const files = await run('one/red.flight', 'two/red.flight')
  expect(files).toMatchObject({ equal: false, files: 1, changed: 1, differences: [{ state: 'changed', format: 'kite.flight' }] })
  expect(files.differences[0].changes.map(({ before, after }) => [before, after])).toEqual([['2', '3']])
  expect(files.lines.join('\n')).toContain('2 -> 3')
  const folders = await run('one', 'two')
  expect(folders.differences.map(({ path, state }) => [path, state])).toEqual([
    ['more.flight', 'added'],
    ['red.flight', 'changed'],
  ])
  expect(events['compare.progress']!.length).toBeGreaterThan(0)
  expect(await run('one', 'three')).toMatchObject({ equal: true, differences: [] })
  await expect(run('one', 'two/red.flight')).rejects.toMatchObject({ code: 'invalid-argument' })
  await expect(run('one', 'none')).rejects.toMatchObject({ code: 'invalid-argument' })
})

it('the game against the mod, and two mods with the game as what both were made from', async () => {
  const { call, base, run } = await bench({ 'red.kite': kiteBytes(), 'red.flight': flight(1, 2), 'theirs/red.flight': flight(5, 2, 30) })
  const mod = join(base, 'mod')
  mkdirSync(mod)
  writeFileSync(join(mod, 'red.flight'), flight(1, 4, 25))
  await call('settings.set', { saveMode: 'mod-folder', modFolder: mod })
  const own = await run('red.flight', 'red.flight', ['game', 'saved'])
  expect(own.threeWay).toBeUndefined()
  expect(own.differences[0].changes.map(({ before, after }) => [before, after])).toEqual([
    ['2', '4'],
    ['20', '25'],
  ])
  expect(await run('red.flight', 'red.flight', ['original', 'saved'])).toMatchObject({ changed: 1 })
  const both = await run('red.flight', 'theirs/red.flight')
  const [{ a, b, changedByA, changedByB, conflicts }] = both.threeWay!
  expect([a, b]).toEqual(['changed', 'changed'])
  expect(changedByA!.changes.map(({ after }) => after)).toEqual(['4', '25'])
  expect(changedByB!.changes.map(({ after }) => after)).toEqual(['5', '30'])
  expect(conflicts.map(({ base: was, a: mine, b: their }) => [was, mine, their])).toEqual([['20', '25', '30']])
  // models as a whole, by what their files are to them
  expect((await run('red.kite', 'red.kite', ['saved', 'saved'], true)).equal).toBe(true)
})

it('the original that was kept by the first save; one that there is not is said', async () => {
  const { call, game, library, run } = await bench({
    'red.flight': flightBytes([
      [9, 0],
      [4, 0.5],
    ]),
  })
  await expect(run('red.flight', 'red.flight', ['original', 'saved'])).rejects.toMatchObject({ code: 'not-found' })
  const { id: model } = (await call('model.open', { ref: join(game, 'red.flight'), library })).info
  await call('model.fixAll', { model, code: 'kite.key-order', fix: 'kite.sort-keys' })
  await call('save.write', { model })
  expect(await run('red.flight', 'red.flight', ['original', 'saved'])).toMatchObject({ equal: false, changed: 1 })
})

it('is stopped, and names nothing that the window may not', async () => {
  const { services, library, game, base } = await bench({ 'red.flight': flight(1, 2) })
  const side = { ref: join(game, 'red.flight'), version: 'saved' as const }
  const stop = new AbortController()
  stop.abort()
  const other = services.handlers['compare.run']({ library: 'none', a: side, b: side }, { signal: stop.signal })
  await expect(other).rejects.toMatchObject({ code: 'not-found' })
  const guarded = start({ after: undefined, guarded: true })
  for (const ref of ['/etc/passwd', join(base, '..'), join(game, 'red.flight')]) {
    const found = await guarded.ask('compare.run', { library, a: { ref, version: 'saved' }, b: side })
    expect([ref, found.ok ? 'ok' : found.error.code]).toEqual([ref, 'refused'])
  }
})
