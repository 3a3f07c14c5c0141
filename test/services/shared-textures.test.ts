/** A vehicle of the game draws from vehicle.txd: where the library does not have that, the window says so as lint does, by index and without. */
import { afterEach, expect, it } from 'vitest'
import { newDff, newTxd } from '../../src/main/formats/renderware/make.ts'
import { encodeDocument } from '../../src/main/formats/format.ts'
import { dffFormat } from '../../src/main/formats/renderware/codecs/dff.ts'
import { txdFormat } from '../../src/main/formats/renderware/codecs/txd.ts'
import { pedModel } from '../fixtures/renderware/ped.ts'
import { openGame, serviceBenches } from '../support/service-bench.ts'

const begin = serviceBenches(afterEach)

const txd = (name: string): Uint8Array =>
  encodeDocument(txdFormat, newTxd([{ name, width: 1, height: 1, rgba: new Uint8Array(4), raster: '8888' }])).bytes

it.each([
  ['is not here', {}, 'info', 'vehicle.txd'],
  ['is here and lacks them', { 'generic/vehicle.txd': txd('grunge') }, 'warning', undefined],
] as const)('textures of a vehicle where vehicle.txd %s', async (_what, more, severity, shared) => {
  const car = pedModel()
  car.frames[0].name = 'chassis_dummy'
  const bench = begin({ files: { 'car.dff': encodeDocument(dffFormat, newDff(car)).bytes, 'car.txd': txd('skin'), ...more } })
  const { info } = await openGame(bench, 'car.dff')
  expect(info.missing).toEqual([{ role: 'textures', names: expect.arrayContaining(['cloth']), ...(shared && { shared }) }])
  const problems = await bench.call('model.problems', { model: info.id })
  const missing = problems.filter(({ code }) => code === 'renderware.texture-missing')
  // once each: the rule and the scene both know
  expect(missing.map(({ message }) => message)).toHaveLength(new Set(missing.map(({ message }) => message)).size)
  expect(missing.length).toBeGreaterThan(0)
  expect(new Set(missing.map((one) => one.severity))).toEqual(new Set([severity]))
})
