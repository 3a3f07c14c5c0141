import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { encodeDocument } from '../../src/main/formats/format.ts'
import { dffFormat } from '../../src/main/formats/renderware/codecs/dff.ts'
import { txdFormat } from '../../src/main/formats/renderware/codecs/txd.ts'
import { newDff, newTxd } from '../../src/main/formats/renderware/make.ts'
import { pedModel } from '../fixtures/renderware/ped.ts'
import { readBytes } from '../support/corpus.ts'
import { img2Bytes } from '../support/img.ts'
import { tempFolder } from '../files/temp.ts'
import { marrow } from './run.ts'

const white = new Uint8Array(4 * 64).fill(255)
const IMG = img2Bytes({
  'ped.dff': encodeDocument(dffFormat, newDff(pedModel())).bytes.slice(),
  'ped.txd': encodeDocument(txdFormat, newTxd([{ name: 'skin', width: 8, height: 8, rgba: white, raster: '8888' }])).bytes.slice(),
})

function start() {
  const state = tempFolder()
  const root = tempFolder({ 'game/models/gta3.img': IMG })
  const mod = join(root, 'mod')
  mkdirSync(mod)
  const call = (...args: string[]) => marrow(args, { stateFolder: state })
  const files = (): string[] =>
    readdirSync(mod, { recursive: true, withFileTypes: true })
      .flatMap((e) => (e.isFile() ? e.name : []))
      .sort()
  return { root, mod, call, files, game: join(root, 'game'), txd: join(root, 'game/models/gta3.img!ped.txd') }
}

describe('marrow mod', () => {
  it('tells how a mod is held, and keeps the choice', async () => {
    const { mod, call } = start()
    expect((await call('mod', 'layout', mod, '--json')).json()).toMatchObject({ folder: mod, layout: 'archives' })
    const chosen = await call('mod', 'layout', mod, '--as', 'loose')
    expect([chosen.status, chosen.out]).toEqual([0, expect.stringContaining('Mod Loader')])
    expect((await call('mod', 'layout', mod, '--json')).json()).toMatchObject({
      layout: 'loose',
      needs: expect.arrayContaining([{ family: 'RenderWare', needs: expect.stringContaining('modloader') }]),
    })
  })

  it.each(['by its option', 'as chosen for the mod'])('has members saved as files of their own, %s', async (how) => {
    const { mod, call, files, game, txd } = start()
    if (how !== 'by its option') await call('mod', 'layout', mod, '--as', 'loose')
    const other = tempFolder({
      'a.txd': encodeDocument(
        txdFormat,
        newTxd([{ name: 'skin', width: 8, height: 8, rgba: white.map(() => 90), raster: '8888' }]),
      ).bytes.slice(),
    })
    await call('texture', 'get', join(other, 'a.txd'), 'skin', join(other, 'grey.png'))
    const args = ['--mod', mod, '--game', game, ...(how === 'by its option' ? ['--loose'] : [])]
    const set = await call('texture', 'set', txd, 'skin', join(other, 'grey.png'), ...args, '--json')
    expect(set.status, set.out).toBe(0)
    expect(set.json().saved).toMatchObject([{ target: join(mod, 'modloader/mod/ped.txd') }])
    expect(files()).toEqual(['ped.txd'])
    expect(readBytes(join(game, 'models/gta3.img'))).toEqual(IMG)
  })

  it('refuses loose files where nothing is saved into a mod folder', async () => {
    const { call, txd, root } = start()
    await call('texture', 'get', txd, 'skin', join(root, 'skin.png'))
    const refused = await call('texture', 'set', txd, 'skin', join(root, 'skin.png'), '--loose')
    expect([refused.status, refused.err]).toEqual([2, expect.stringContaining('--mod FOLDER')])
  })

  it('writes a folder to try the mod in', async () => {
    const { root, mod, call, game } = start()
    mkdirSync(join(mod, 'models'), { recursive: true })
    writeFileSync(join(mod, 'models/gta3.img'), IMG.subarray(0, IMG.length - 1))
    const out = join(root, 'tried')
    const args = ['mod', 'test', game, '--out', out, '--mod', mod]
    const told = (await call(...args, '--dry-run', '--json')).json()
    expect(told).toMatchObject({ folder: out, files: [{ path: 'models/gta3.img', state: 'new' }], written: 0 })
    expect(existsSync(out)).toBe(false)
    const done = await call(...args)
    expect([done.status, done.out]).toEqual([0, expect.stringContaining('1 file written, 0 taken away')])
    expect(readBytes(join(out, 'models/gta3.img'))).toEqual(IMG.subarray(0, IMG.length - 1))
    for (const dry of [[], ['--dry-run']]) expect((await call(...args, ...dry)).out).toBe(`nothing to write: ${out} is up to date\n`)
    expect((await call('mod', 'test', game, '--out', join(game, 'x'), '--mod', mod, '--json')).json()).toMatchObject({
      error: { code: 'refused' },
    })
  })
})
