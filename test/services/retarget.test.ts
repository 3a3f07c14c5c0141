import { afterAll, beforeAll, expect, it } from 'vitest'
import { modelRows, openPosable, scannedSample, serviceBenches } from '../support/service-bench.ts'
import type { OpenedModel } from '../../src/shared/api/types/model.ts'
import type { Call } from '../support/caller.ts'

const start = serviceBenches(afterAll)
let call: Call
let figure: OpenedModel
let other: OpenedModel

beforeAll(async () => {
  const bench = start()
  call = bench.call
  const library = await scannedSample(bench)
  const rows = await modelRows(call, library)
  figure = await openPosable(call, library, rows, 'renderware')
  other = await openPosable(call, library, rows, 'level5')
})

const wishes = () => ({ model: figure.info.id, source: other.info.id, clip: '攻撃', into: 'attack' })
const steps = async (): Promise<string[]> => (await call('history.list', { model: figure.info.id })).undo

it('shows what would be, and changes nothing', async () => {
  const { scene } = await call('model.scene', { model: figure.info.id })
  const shown = await call('retarget.preview', wishes())
  expect(shown.report.changed.length).toBeGreaterThan(10)
  expect(shown.scene.clips?.some((clip) => clip !== null)).toBe(true)
  expect((await call('model.scene', { model: figure.info.id })).scene).toEqual(scene)
  expect(await steps()).toEqual([])
})

it('applies it as one step, which is taken back whole', async () => {
  const before = (await call('model.scene', { model: figure.info.id })).scene
  const { report } = await call('retarget.apply', wishes())
  expect(report.keysWritten).toBeGreaterThan(100)
  expect(await steps()).toEqual(['Motion 攻撃 on attack'])
  expect((await call('retarget.preview', { ...wishes() })).report.into).toBe('attack')
  await call('history.undo', { model: figure.info.id })
  expect(await steps()).toEqual([])
  const after = (await call('model.scene', { model: figure.info.id })).scene
  expect(after.clips).toEqual(before.clips)
})

it('takes nothing else along: the other clips are what they were', async () => {
  const before = (await call('model.scene', { model: figure.info.id })).scene
  await call('retarget.apply', wishes())
  const after = (await call('model.scene', { model: figure.info.id })).scene
  before.clips.forEach((clip, i) => {
    if (clip.name === 'attack') expect(after.clips[i]).not.toEqual(clip)
    else expect(after.clips[i]).toEqual(clip)
  })
  await call('history.undo', { model: figure.info.id })
})

it.each([
  [{ clip: 'nothing' }, 'not-found'],
  [{ into: 'a name that is longer than a name' }, 'invalid-edit'],
  [{ source: 'nobody' }, 'not-found'],
  [{ map: { nobody: 'pelvis' } }, 'invalid-argument'],
  [{ map: { pelvis: 'nobody' } }, 'invalid-argument'],
  [{ bound: 5 }, 'invalid-argument'],
  [{ travel: 'sideways' as 'drop' }, 'invalid-argument'],
])('refuses %o', async (wrong, code) => {
  await expect(call('retarget.preview', { ...wishes(), ...wrong })).rejects.toMatchObject({ code })
  await expect(call('retarget.apply', { ...wishes(), ...wrong })).rejects.toMatchObject({ code })
  expect(await steps()).toEqual([])
})

it('keeps every byte where nothing would be another', async () => {
  const { report } = await call('retarget.apply', { ...wishes(), source: figure.info.id, clip: 'attack' })
  expect(report).toMatchObject({ changed: [], keysWritten: 0 })
  expect(await steps()).toEqual([])
})
