import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { encodeDocument } from '../../src/main/formats/format.ts'
import { newDff, newTxd } from '../../src/main/formats/renderware/make.ts'
import { dffFormat } from '../../src/main/formats/renderware/codecs/dff.ts'
import { txdFormat } from '../../src/main/formats/renderware/codecs/txd.ts'
import { registry } from '../../src/main/formats/registry.ts'
import { readPng, writePng } from '../../src/main/interchange/png.ts'
import { pedModel } from '../fixtures/renderware/ped.ts'
import { tempFolder } from '../files/temp.ts'
import { marrow } from './run.ts'

const state = tempFolder()
const call = (...args: string[]) => marrow(args, { registry, stateFolder: state })
const white = new Uint8Array(4 * 64).fill(255)
const red = white.map((_, i) => (i % 4 === 0 || i % 4 === 3 ? 255 : 0))

function game(): { root: string; txd: string; bytes: Uint8Array } {
  const bytes = encodeDocument(
    txdFormat,
    newTxd([
      { name: 'skin', width: 8, height: 8, rgba: white, raster: '565' },
      { name: 'Other', width: 8, height: 8, rgba: white, raster: 'DXT3', mips: true },
    ]),
  ).bytes.slice()
  const root = tempFolder({ 'ped.dff': encodeDocument(dffFormat, newDff(pedModel())).bytes.slice(), 'ped.txd': bytes })
  return { root, txd: join(root, 'ped.txd'), bytes }
}

describe('marrow texture', () => {
  it('lists what a model uses, and all that is in a dictionary', async () => {
    const { root, txd } = game()
    expect((await call('texture', 'list', txd, '--json')).json()).toEqual({
      model: txd,
      textures: [
        { name: 'skin', width: 8, height: 8, format: '565, Direct3D 9', levels: 1, readOnly: '', ref: txd },
        { name: 'Other', width: 8, height: 8, format: 'DXT3, Direct3D 9', levels: 4, readOnly: '', ref: txd },
      ],
    })
    const model = (await call('texture', 'list', join(root, 'ped.dff'), '--json')).json()
    expect(model.textures.find((t: any) => t.name === 'skin')).toMatchObject({ format: '565, Direct3D 9', ref: txd })
    expect((await call('texture', 'list', txd)).out).toContain('8 x 8  DXT3, Direct3D 9, 4 levels')
  })
  it('gets a PNG, and does not write over another one', async () => {
    const { root, txd } = game()
    const file = join(root, 'skin.png')
    expect((await call('texture', 'get', txd, 'SKIN', file, '--json')).json()).toMatchObject({ texture: 'skin', width: 8, height: 8, file })
    expect(await readPng(new Uint8Array(readFileSync(file)), file)).toEqual({ width: 8, height: 8, rgba: white })
    expect(await call('texture', 'get', txd, 'skin', file)).toMatchObject({ status: 2, err: expect.stringContaining('--force') })
    expect((await call('texture', 'get', txd, 'skin', file, '--force')).status).toBe(0)
    expect(await call('texture', 'get', txd, 'nobody', file, '--force')).toMatchObject({
      status: 1,
      err: expect.stringContaining('there is no texture "nobody" here (skin, Other)'),
    })
  })
  it('sets one: its bytes alone change, and the report says what storing did', async () => {
    const { root, txd, bytes } = game()
    const png = join(root, 'red.png')
    writeFileSync(png, writePng({ width: 8, height: 8, rgba: red.map((v, i) => (i % 4 === 1 ? 3 : v)) }))
    const report = (await call('texture', 'set', join(root, 'ped.dff'), 'skin', png, '--json')).json()
    expect(report).toMatchObject({
      texture: 'skin',
      width: 8,
      height: 8,
      worstColor: 1,
      worstAlpha: 0,
      storage: { format: '565, Direct3D 9' },
      saved: [{ path: txd, changedBytes: 128 }],
    })
    expect(report.colorError).toBeCloseTo(1 / Math.sqrt(3), 6)
    const now = new Uint8Array(readFileSync(txd))
    const differing = [...now.keys()].filter((i) => now[i] !== bytes[i])
    expect(differing).toHaveLength(128)
    expect(differing[127] - differing[0]).toBe(127)
    expect([...now.subarray(differing[0], differing[0] + 2)]).toEqual([0x20, 0xf8])
  })
  it('refuses what is no PNG, and sizes that cannot be, and writes nothing', async () => {
    const { root, txd, bytes } = game()
    mkdirSync(join(root, 'png'))
    const bad = join(root, 'png/bad.png')
    writeFileSync(bad, 'no picture')
    expect(await call('texture', 'set', txd, 'skin', bad)).toMatchObject({ status: 1, err: expect.stringContaining('not a PNG') })
    writeFileSync(bad, writePng({ width: 2, height: 3, rgba: new Uint8Array(24) }))
    const refused = await call('texture', 'set', txd, 'other', bad, '--json')
    expect(refused.json()).toMatchObject({
      error: { code: 'invalid-edit', message: expect.stringContaining('multiples of 4, up to 4096') },
    })
    expect(new Uint8Array(readFileSync(txd))).toEqual(bytes)
  })
})
