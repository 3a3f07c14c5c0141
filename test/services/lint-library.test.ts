/** The rules over a whole library: told while they are found, only what is new on demand, stopped at once, put right model by model. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { createRegistry } from '../../src/main/formats/registry.ts'
import { families, flightBytes, kiteBytes } from '../fixtures/kite/family.ts'
import { scanned, serviceBenches } from '../support/service-bench.ts'
import type { ServiceBench } from '../support/service-bench.ts'

const start = serviceBenches(afterEach)
const registry = createRegistry(families)
const unsound = flightBytes([
  [9, 0],
  [4, 0.5],
])
const worse = flightBytes([
  [9, 0],
  [4, 0.5],
  [2, 0.5],
])
/** its two records of 24 bytes, which stand before a tail of 3, the other way round */
const sorted = Buffer.concat([unsound.slice(0, -51), unsound.slice(-27, -3), unsound.slice(-51, -27), unsound.slice(-3)])

const found = ({ events, game }: ServiceBench) =>
  (events['lint.progress'] ?? [])
    .flatMap(({ problems }) => problems)
    .map(({ ref, code, path }) => `${ref.slice(game.length + 1)} ${code} ${path}`)

it('tells findings with the progress, with their repairs, whatever is switched off', async () => {
  const b = start({
    files: { 'a/red.kite': kiteBytes(), 'a/red.flight': unsound, 'b/storm.flight': unsound, 'note.txt': unsound.slice(0, 3) },
    registry,
  })
  const library = await scanned(b.call, b.game)
  await b.call('settings.set', { rulesOff: ['kite.key-order'] })
  expect(await b.call('lint.library', { library })).toEqual({ files: 3, problems: 2, omitted: 0 })
  expect(found(b)).toEqual(['a/red.flight kite.key-order list[1]', 'b/storm.flight kite.key-order list[1]'])
  const told = b.events['lint.progress']!
  expect(told[0]).toMatchObject({ library, done: 0, total: 4 })
  expect(told.at(-1)).toMatchObject({ done: 4, total: 4, problems: [] })
  expect(told.flatMap(({ problems }) => problems)[0]).toMatchObject({
    severity: 'error',
    file: 'red.flight',
    fixes: [{ id: 'kite.sort-keys', label: 'Put the keys in order' }],
  })
  expect(await b.call('lint.rules', {})).toMatchObject([{ id: 'kite.key-order', happens: 'the kite falls' }])
  expect(await b.call('model.list', {})).toEqual([])
})

it('a file that cannot be read is a finding, and stops nothing', async () => {
  const b = start({ files: { 'broken.kite': kiteBytes().slice(0, 20), 'red.flight': unsound }, registry })
  expect(await b.call('lint.library', { library: await scanned(b.call, b.game) })).toMatchObject({ files: 2, problems: 2 })
  expect(found(b)).toEqual([expect.stringMatching(/^broken\.kite marrow\.(truncated|bad-count) /), 'red.flight kite.key-order list[1]'])
})

it('only what is new since the game under the mod folder, in files and in open models, and repairs that alone', async () => {
  const b = start({ files: { 'a/red.kite': kiteBytes(), 'a/red.flight': unsound, 'b/storm.flight': unsound }, registry })
  const mod = join(b.base, 'mod')
  const library = await scanned(b.call, b.game)
  await b.call('settings.set', { saveMode: 'mod-folder', modFolder: mod })
  mkdirSync(join(mod, 'a'), { recursive: true })
  writeFileSync(join(mod, 'a/red.flight'), worse)
  expect(await b.call('lint.library', { library, onlyNew: true })).toMatchObject({ problems: 1 })
  expect(found(b)).toEqual(['a/red.flight kite.key-order list[2]'])

  const { id: model } = (await b.call('model.open', { ref: join(b.game, 'a/red.kite'), library })).info
  const paths = async (onlyNew: boolean): Promise<string[]> => (await b.call('model.problems', { model, onlyNew })).map(({ path }) => path)
  expect(await paths(false)).toEqual(['list[1]', 'list[2]'])
  expect(await paths(true)).toEqual(['list[2]'])
  const fix = { model, code: 'kite.key-order', fix: 'kite.sort-keys', onlyNew: true }
  expect((await b.call('model.fixAll', fix)).info.history.undo).toEqual(['Put the keys in order'])
  expect(await paths(true)).toEqual([])
  await expect(b.call('model.fixAll', fix)).rejects.toMatchObject({ code: 'not-found' })
  await b.call('history.undo', { model })
  expect(await paths(true)).toEqual(['list[2]'])
})

it('rules of an open model are given the file as the game had it, once it is another', async () => {
  const looking = createRegistry([
    {
      ...families[0],
      judgedByOriginal: ['kite.flight'],
      lint: (document, model) => [
        ...families[0].lint(document, model),
        ...(model.original
          ? [{ severity: 'info', code: 'kite.was', message: 'was', ref: document.ref, path: '', offset: -1 } as const]
          : []),
      ],
    },
  ])
  const b = start({ files: { 'red.flight': unsound }, registry: looking })
  const library = await scanned(b.call, b.game)
  const { id: model } = (await b.call('model.open', { ref: join(b.game, 'red.flight'), library })).info
  const codes = async (onlyNew = false): Promise<string[]> => (await b.call('model.problems', { model, onlyNew })).map(({ code }) => code)
  expect(await codes()).toEqual(['kite.key-order'])
  await b.call('model.fixAll', { model, code: 'kite.key-order', fix: 'kite.sort-keys' })
  expect(await codes()).toEqual(['kite.was'])
  expect(await codes(true)).toEqual(['kite.was'])
  await b.call('save.write', { model })
  expect(await codes()).toEqual(['kite.was'])
  await b.call('lint.library', { library })
  expect(found(b)).toEqual([expect.stringMatching(/^red\.flight kite\.was/)])
  await b.call('history.undo', { model })
  expect(await codes()).toEqual(['kite.key-order'])
})

it('what is repaired is written with the next save, and not before', async () => {
  const b = start({ files: { 'red.flight': unsound }, registry })
  const library = await scanned(b.call, b.game)
  const { id: model } = (await b.call('model.open', { ref: join(b.game, 'red.flight'), library })).info
  await b.call('model.fixAll', { model, code: 'kite.key-order', fix: 'kite.sort-keys' })
  expect(readFileSync(join(b.game, 'red.flight')).equals(unsound)).toBe(true)
  await b.call('save.write', { model })
  expect(readFileSync(join(b.game, 'red.flight')).equals(sorted)).toBe(true)
  await b.call('lint.library', { library })
  expect(found(b)).toEqual([])
})

it('is stopped in the middle, and refuses a library that is not open', async () => {
  // a worker of its own, as in the product
  const b = start({ files: Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`f${i}/red.flight`, worse])), registry: undefined })
  const library = (await b.call('library.open', { root: b.game })).id
  const stop = new AbortController()
  const unsubscribe = b.services.subscribe((event) => event === 'lint.progress' && stop.abort())
  await expect(b.services.handlers['lint.library']({ library }, { signal: stop.signal })).rejects.toMatchObject({ code: 'cancelled' })
  unsubscribe()
  await expect(b.call('lint.library', { library: 'none' })).rejects.toMatchObject({ code: 'not-found' })
})
