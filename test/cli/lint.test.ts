/** `marrow lint` judges a file with its model as every other command has it: with what the user gave to it, and as it was saved last. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRegistry } from '../../src/main/formats/registry.ts'
import { createServices } from '../../src/main/services/create-services.ts'
import { baseName } from '../../src/shared/ref.ts'
import { tempFolder } from '../files/temp.ts'
import { families, flightBytes, kiteBytes } from '../fixtures/kite/family.ts'
import { caller } from '../support/caller.ts'
import { Originals } from '../../src/main/workspace/originals.ts'
import { StateFiles } from '../../src/main/workspace/state-files.ts'
import { marrow } from './run.ts'
import { encodeDocument } from '../../src/main/formats/format.ts'
import type { Family } from '../../src/main/formats/family.ts'
import type { FileFormat } from '../../src/main/formats/format.ts'

/** says which model it was given beside what the family finds */
const telling: Family = {
  ...families[0],
  lint(document, model) {
    const message = model.binding?.members.map(({ ref }) => baseName(ref)).join(' ') ?? 'none'
    return [
      ...families[0].lint(document, model),
      { severity: 'info', code: 'kite.model', message, ref: document.ref, path: '', offset: -1 },
    ]
  },
}
const registry = createRegistry([telling])

const unsound = flightBytes([
  [9, 0],
  [4, 0.5],
])
const sound = flightBytes([[4, 0.5]])

it('with the files that the user gave to a model, and as they were saved into the mod folder', async () => {
  const game = tempFolder({ 'a/red.kite': kiteBytes(), 'a/red.flight': unsound, 'b/storm.flight': sound })
  const stateFolder = tempFolder()
  const mod = tempFolder()
  const linted = async () => {
    const { problems } = (await marrow(['lint', game, '--json'], { registry, stateFolder })).json()
    return (problems as { path: string; code: string; message: string }[]).map(
      ({ path, code, message }) => `${baseName(path)} ${code === 'kite.model' ? message : code}`,
    )
  }
  expect(await linted()).toEqual([
    'red.flight kite.key-order',
    'red.flight red.kite red.flight',
    'red.kite red.kite red.flight',
    'storm.flight none',
  ])

  const services = createServices({ stateFolder, host: 'web', registry, watchEvery: 0 })
  const call = caller(() => services)
  const library = (await call('library.open', { root: game })).id
  await call('library.scan', { library })
  const { info } = await call('model.open', { ref: join(game, 'a/red.kite'), library })
  await call('model.bind', { model: info.id, role: 'animation', ref: join(game, 'b/storm.flight') })
  await call('settings.set', { saveMode: 'mod-folder', modFolder: mod })
  await services.close()
  mkdirSync(join(mod, 'a'))
  writeFileSync(join(mod, 'a/red.flight'), sound)

  // what the user gave comes behind what the model has by itself
  expect(await linted()).toEqual([
    'red.flight red.kite red.flight storm.flight',
    'red.kite red.kite red.flight storm.flight',
    'storm.flight red.kite red.flight storm.flight',
  ])
})

it('by the rules that count: those alone that are named, or all but those; what the window switched off is off here too', async () => {
  const game = tempFolder({ 'a/red.kite': kiteBytes(), 'a/red.flight': unsound })
  const stateFolder = tempFolder()
  const run = async (...args: string[]) => marrow(['lint', game, ...args, '--json'], { registry, stateFolder })
  const codes = async (...args: string[]) => ((await run(...args)).json().problems as { code: string }[]).map(({ code }) => code)
  expect(await codes('--rule', 'kite.key-order')).toEqual(['kite.key-order'])
  expect(await codes('--no-rule', 'kite.key-order')).toEqual(['kite.model', 'kite.model'])
  expect((await run('--no-rule', 'kite.key-order')).status).toBe(0)
  expect(await codes('--rule', 'kite.key-order', '--no-rule', 'kite.key-order')).toEqual([])
  for (const wrong of ['kite.nothing', '', 'kite.key-order,x']) {
    const { status, json } = await run('--rule', wrong)
    expect([status, json()]).toMatchObject([2, { error: { code: 'invalid-argument' } }])
  }
  const services = createServices({ stateFolder, host: 'web', registry, watchEvery: 0 })
  await caller(() => services)('settings.set', { rulesOff: ['kite.key-order'] })
  await services.close()
  expect(await codes()).toEqual(['kite.model', 'kite.model'])
  expect(await codes('--rule', 'kite.key-order')).toEqual(['kite.key-order'])
})

it('--new: what the original had already is left out, in place and under a mod folder', async () => {
  const game = tempFolder({ 'a/red.kite': kiteBytes(), 'a/red.flight': unsound, 'b/old.flight': unsound })
  const stateFolder = tempFolder()
  const mod = tempFolder()
  const found = async (...args: string[]) =>
    (
      (await marrow(['lint', game, ...args, '--rule', 'kite.key-order', '--json'], { registry, stateFolder })).json().problems as {
        path: string
        field: string
      }[]
    ).map(({ path, field }) => `${baseName(path)} ${field}`)
  expect(await found()).toEqual(['red.flight list[1]', 'old.flight list[1]'])
  // nothing was ever changed
  expect(await found('--new')).toEqual([])
  const worse = flightBytes([
    [9, 0],
    [4, 0.5],
    [2, 0.5],
  ])
  const services = createServices({ stateFolder, host: 'web', registry, watchEvery: 0 })
  const call = caller(() => services)
  await call('library.scan', { library: (await call('library.open', { root: game })).id })
  await call('settings.set', { saveMode: 'mod-folder', modFolder: mod })
  await services.close()
  mkdirSync(join(mod, 'a'))
  writeFileSync(join(mod, 'a/red.flight'), worse)
  expect(await found('--new')).toEqual(['red.flight list[2]'])
  // a file that was saved in place has its original in the state folder
  const again = createServices({ stateFolder, host: 'web', registry, watchEvery: 0 })
  await caller(() => again)('settings.set', { saveMode: 'in-place' })
  await again.close()
  await new Originals(new StateFiles(stateFolder)).keep(join(game, 'b/old.flight'))
  writeFileSync(join(game, 'b/old.flight'), worse)
  expect(await found('--new')).toEqual(['old.flight list[2]'])
})

it('gives rules the file as the game had it, in place, in archives and under a mod folder; an original that is damaged is none', async () => {
  const looking = createRegistry([
    {
      ...families[0],
      judgedByOriginal: ['kite.flight'],
      lint(document, { original }) {
        const message = original
          ? `was ${Buffer.from(encodeDocument(families[0].formats[1] as FileFormat, original).bytes).length}`
          : 'as it was'
        return document.format === 'kite.flight'
          ? [{ severity: 'info', code: 'kite.was', message, ref: document.ref, path: '', offset: -1 }]
          : []
      },
    },
  ])
  const game = tempFolder({ 'a/red.kite': kiteBytes(), 'a/red.flight': unsound, 'b/old.flight': unsound })
  const stateFolder = tempFolder()
  const told = async (...args: string[]): Promise<string[]> => {
    const { problems } = (await marrow(['lint', game, ...args, '--json'], { registry: looking, stateFolder })).json()
    return (problems as { path: string; message: string }[]).map(({ path, message }) => `${baseName(path)} ${message}`)
  }
  expect(await told()).toEqual(['red.flight as it was', 'old.flight as it was'])
  const originals = new Originals(new StateFiles(stateFolder))
  await originals.keep(join(game, 'b/old.flight'))
  expect(await told()).toEqual(['red.flight as it was', 'old.flight as it was'])
  writeFileSync(join(game, 'b/old.flight'), sound)
  expect(await told()).toEqual(['red.flight as it was', `old.flight was ${unsound.length}`])
  expect(await told('--new')).toEqual([`old.flight was ${unsound.length}`])
  const kept = (await originals.pathOf(join(game, 'b/old.flight')))!
  chmodSync(kept, 0o600)
  writeFileSync(kept, 'damaged')
  expect(await told()).toEqual(['red.flight as it was', 'old.flight as it was'])
  expect((await marrow(['lint', game, '--new', '--json'], { registry: looking, stateFolder })).json()).toMatchObject({
    error: { code: 'io' },
  })
})

describe('--fix', () => {
  /** its two records of 24 bytes, which stand before a tail of 3, the other way round */
  const sorted = Buffer.concat([unsound.slice(0, -51), unsound.slice(-27, -3), unsound.slice(-51, -27), unsound.slice(-3)])
  const bytesOf = (...parts: string[]): Buffer => readFileSync(join(...parts))

  it('writes what --dry-run told, keeps originals, and is done after one run', async () => {
    const game = tempFolder({ 'a/red.kite': kiteBytes(), 'a/red.flight': unsound, 'b/storm.flight': unsound, 'b/calm.flight': sound })
    const stateFolder = tempFolder()
    const run = async (...args: string[]) => marrow(['lint', game, '--fix', ...args, '--json'], { registry, stateFolder })
    const short = ({ path, ...rest }: { path: string }) => ({ ...rest, path: baseName(path) })
    const dry = (await run('--dry-run')).json()
    expect(dry).toMatchObject({ dryRun: true, failures: [] })
    expect(dry.problems).toHaveLength(6)
    expect(dry.fixed.map(short)).toEqual([
      { path: 'red.flight', code: 'kite.key-order', fix: 'Put the keys in order', count: 1 },
      { path: 'storm.flight', code: 'kite.key-order', fix: 'Put the keys in order', count: 1 },
    ])
    expect(bytesOf(game, 'a/red.flight').equals(unsound)).toBe(true)

    const done = (await run()).json()
    expect(done.fixed).toEqual(dry.fixed)
    expect(done.saved).toEqual(dry.saved)
    expect(done.problems.map(({ code }: { code: string }) => code)).toEqual(Array.from({ length: 4 }, () => 'kite.model'))
    for (const path of ['a/red.flight', 'b/storm.flight']) expect(bytesOf(game, path).equals(sorted)).toBe(true)
    expect(bytesOf(game, 'b/calm.flight').equals(sound)).toBe(true)
    const kept = await new Originals(new StateFiles(stateFolder)).list()
    expect(kept.map(({ target }) => baseName(target)).sort()).toEqual(['red.flight', 'storm.flight'])
    expect((await run()).json()).toMatchObject({ dryRun: false, fixed: [], saved: [], failures: [] })
  })

  it('into a mod folder, with the game as it is; of what is new alone; and tells of files that it may not write', async () => {
    const game = tempFolder({ 'a/red.kite': kiteBytes(), 'a/red.flight': unsound })
    const stateFolder = tempFolder()
    const mod = tempFolder()
    const run = async (...args: string[]) => marrow(['lint', game, ...args, '--json'], { registry, stateFolder })
    // what the game itself has is nothing new
    expect((await run('--fix', '--new', '--mod', mod, '--game', game)).json()).toMatchObject({ fixed: [], saved: [] })
    const { json, status } = await run('--fix', '--mod', mod, '--game', game)
    expect([status, json().fixed.length]).toEqual([0, 1])
    expect(bytesOf(mod, 'a/red.flight').equals(sorted)).toBe(true)
    expect(bytesOf(game, 'a/red.flight').equals(unsound)).toBe(true)
    chmodSync(join(game, 'a/red.flight'), 0o444)
    const refused = await run('--fix')
    expect(refused.status).toBe(1)
    expect(refused.json()).toMatchObject({ fixed: [], saved: [], failures: [{ code: 'write-protected' }] })
    const alone = await run('--dry-run')
    expect([alone.status, alone.json()]).toMatchObject([2, { error: { code: 'invalid-argument' } }])
  })

  it('of two repairs takes none, and follows a hint where its rule is named', async () => {
    const choosy: Family = {
      ...families[0],
      lint: (document, model) =>
        families[0].lint(document, model).flatMap((found) => [
          { ...found, code: 'kite.either', fixes: [...found.fixes!, { id: 'kite.other', label: 'Or so' }] },
          { ...found, severity: 'info' as const },
        ]),
    }
    const game = tempFolder({ 'red.flight': unsound })
    const options = { registry: createRegistry([choosy]), stateFolder: tempFolder() }
    const fixed = async (...args: string[]) => (await marrow(['lint', game, '--fix', ...args, '--json'], options)).json().fixed.length
    expect(await fixed()).toBe(0)
    expect(await fixed('--rule', 'kite.key-order')).toBe(1)
  })
})
