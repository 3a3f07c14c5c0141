/** Rules in the window: what a family looks for, what is switched off, one repair at every finding of its kind. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createRegistry } from '../../src/main/formats/registry.ts'
import { createServices } from '../../src/main/services/create-services.ts'
import { tempFolder } from '../files/temp.ts'
import { families, flightBytes, kiteBytes } from '../fixtures/kite/family.ts'
import { caller } from '../support/caller.ts'

const unsound = (last: number): Uint8Array =>
  flightBytes([
    [9, 0],
    [4, 0.5],
    [last, 0.25],
  ])

it('are listed, switched off and on, and repaired all at once, as one step', async () => {
  const game = tempFolder({ 'red.kite': kiteBytes(), 'red.flight': unsound(2), 'red.second.flight': unsound(1) })
  const services = createServices({ stateFolder: tempFolder(), host: 'web', registry: createRegistry(families), watchEvery: 0 })
  const call = caller(() => services)
  const library = (await call('library.open', { root: game })).id
  await call('library.scan', { library })
  const { info } = await call('model.open', { ref: join(game, 'red.kite'), library })
  const model = info.id
  const codes = async (): Promise<string[]> => (await call('model.problems', { model })).map(({ code }) => code)

  expect(await call('model.rules', { model })).toEqual([
    {
      id: 'kite.key-order',
      severity: 'error',
      known: 'layout',
      happens: 'the kite falls',
      fixes: [{ id: 'kite.sort-keys', label: 'Put the keys in order' }],
    },
  ])
  expect(await codes()).toEqual(Array.from({ length: 4 }, () => 'kite.key-order'))
  await call('settings.set', { rulesOff: ['kite.key-order'] })
  expect(await codes()).toEqual([])
  await call('settings.set', { rulesOff: [] })

  const { info: now } = await call('model.fixAll', { model, code: 'kite.key-order', fix: 'kite.sort-keys' })
  expect(await codes()).toEqual([])
  expect(now.history.undo).toEqual(['Put the keys in order'])
  for (const wrong of [
    { code: 'kite.key-order', fix: 'kite.other' },
    { code: 'other', fix: 'kite.sort-keys' },
  ])
    await expect(call('model.fixAll', { model, ...wrong })).rejects.toMatchObject({ code: 'not-found' })
  await call('save.write', { model })
  // three records of 24 bytes stand before a tail of 3: they are turned round, and nothing else
  const sorted = (bytes: Uint8Array): Uint8Array => {
    const out = bytes.slice()
    const first = bytes.length - 3 - 3 * 24
    for (let k = 0; k < 3; k++) out.set(bytes.subarray(first + 24 * k, first + 24 * (k + 1)), first + 24 * (2 - k))
    return out
  }
  expect(Buffer.from(sorted(unsound(2))).equals(readFileSync(join(game, 'red.flight')))).toBe(true)
  expect(Buffer.from(sorted(unsound(1))).equals(readFileSync(join(game, 'red.second.flight')))).toBe(true)
  await services.close()
})
