/** The command line beside the window: the same models, the same choices, the same way of saving. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodeDocument } from '../../src/main/formats/format.ts'
import { dffFormat } from '../../src/main/formats/renderware/codecs/dff.ts'
import { newDff, newTxd } from '../../src/main/formats/renderware/make.ts'
import { txdFormat } from '../../src/main/formats/renderware/codecs/txd.ts'
import { sampleFiles } from '../support/sample.ts'
import { createServices } from '../../src/main/services/create-services.ts'
import { realPath } from '../../src/main/files/store.ts'
import { pedModel } from '../fixtures/renderware/ped.ts'
import { caller } from '../support/caller.ts'
import { marrow } from './run.ts'
import type { CallName, CallArgs, CallResult } from '../../src/shared/api/contract.ts'
import type { Called } from './run.ts'
import type { SlicesReport } from '../../src/main/cli/slices.ts'

/** `marrow ARGS` as a process of its own, as a user makes it. */
async function ownProcess(home: string, args: readonly string[]): Promise<Omit<Called, 'json'>> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../src/main/cli/main.ts'), ...args], {
    env: { ...process.env, MARROW_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const status = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  return { status: status ?? -1, out, err }
}

/** The same call in this process. */
const call = (home: string, ...args: string[]): Promise<Called> => marrow(args, { stateFolder: join(home, 'state') })

type Call = <K extends CallName>(name: K, args: CallArgs<K>) => Promise<CallResult<K>>

/** What a window does, before or after the command line. */
async function window<T>(home: string, body: (call: Call) => Promise<T>): Promise<T> {
  const services = createServices({ stateFolder: join(home, 'state'), host: 'web', watchEvery: 0, home: dirname(home) })
  try {
    return await body(caller(() => services))
  } finally {
    await services.close()
  }
}

describe('the command line beside the window', () => {
  let base = ''
  beforeAll(() => {
    base = realPath(mkdtempSync(join(tmpdir(), 'marrow-test-')))
  })
  afterAll(() => rmSync(base, { recursive: true, force: true }))

  const place = (name: string, files: Record<string, Uint8Array>): { game: string; home: string; mod: string } => {
    for (const [path, bytes] of Object.entries(files)) {
      const file = join(base, name, 'game', path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, bytes)
    }
    return { game: join(base, name, 'game'), home: join(base, name, 'home'), mod: join(base, name, 'mod') }
  }
  const sample = sampleFiles()
  const pack = sample.find((file) => file.path.endsWith('adventurer.chr'))!.bytes

  it('saves to the mod folder of the settings, reads from it, and leaves the game as it was', async () => {
    const { game, home, mod } = place('mod', { 'chara/a.chr': pack })
    const path = join(game, 'chara/a.chr')
    mkdirSync(mod)
    await window(home, async (services) => {
      await services('library.open', { root: game })
      await services('settings.set', { saveMode: 'mod-folder', modFolder: mod })
    })
    const set = await ownProcess(home, ['slice', 'set', path, '0', '--speed', '0.75', '--json'])
    expect(set.status, set.err).toBe(0)
    const { saved } = JSON.parse(set.out) as { saved: { target: string }[] }
    expect(saved.map(({ target }) => target)).toEqual([join(mod, 'chara/a.chr')])
    expect(new Uint8Array(readFileSync(path))).toEqual(pack)
    const listed = (await call(home, 'slices', path, '--json')).json<SlicesReport>()
    expect(listed.slices[0]).toMatchObject({ speed: 0.75, model: `${path}!adventurer.mds` })
    await window(home, async (services) => {
      const library = (await services('library.open', { root: game })).id
      const { scene, info } = await services('model.open', { ref: path, library })
      expect(scene.slices[0].speed).toBe(0.75)
      expect(info.primary).toBe(listed.model)
    })
  })

  it('refuses to save where a mod folder is wanted and nobody knows which game the file is of', async () => {
    const { game, home, mod } = place('nowhere', { 'a.chr': pack })
    mkdirSync(mod)
    await window(home, (services) => services('settings.set', { saveMode: 'mod-folder', modFolder: mod }))
    const { status, err } = await call(home, 'slice', 'set', join(game, 'a.chr'), '0', '--speed', '0.75')
    expect(status).toBe(1)
    expect(err).toMatch(/not in the library.*Open the game's folder in Marrow/)
    expect(existsSync(join(mod, 'a.chr'))).toBe(false)
  })

  it('takes the files that the user gave a model before those of the binder', async () => {
    const white = new Uint8Array(4 * 64).fill(255)
    const txd = encodeDocument(txdFormat, newTxd([{ name: 'skin', width: 8, height: 8, rgba: white, raster: '565' }])).bytes.slice()
    const { game, home } = place('bound', {
      'ped.dff': encodeDocument(dffFormat, newDff(pedModel())).bytes.slice(),
      'ped.txd': txd,
      'far/own.txd': txd,
    })
    const path = join(game, 'ped.dff')
    const skin = async (): Promise<string> =>
      (await call(home, 'texture', 'list', path, '--json')).json().textures.find((t: { name: string }) => t.name === 'skin').ref
    expect(await skin()).toBe(join(game, 'ped.txd'))
    await window(home, async (services) => {
      const library = (await services('library.open', { root: game })).id
      const { info } = await services('model.open', { ref: path, library })
      await services('model.bind', { model: info.id, role: 'textures', ref: join(game, 'far/own.txd') })
    })
    expect(await skin()).toBe(join(game, 'far/own.txd'))
  })

  it('counts ticks as the settings say, as the user chose for a model, and as an option says, each before the other', async () => {
    const { game, home } = place('ticks', { 'a.chr': pack })
    const path = join(game, 'a.chr')
    const seconds = async (...more: string[]): Promise<number> => {
      const out = join(base, 'ticks', 'out')
      const done = await call(home, 'export', path, '--to', 'gltf', '--out', out, '--force', '--json', ...more)
      expect(done.status, done.err).toBe(0)
      const file = done.json<{ files: string[] }>().files.find((name) => name.endsWith('.gltf'))!
      const { animations, accessors } = JSON.parse(readFileSync(file, 'utf8')) as Gltf
      return accessors[animations[0].samplers[0].input].max[0]
    }
    const usual = await seconds()
    expect(await seconds('--tick-rate', '120')).toBeCloseTo(usual / 2, 5)
    await window(home, (services) => services('settings.set', { tickRate: 15 }))
    expect(await seconds()).toBeCloseTo(usual * 4, 5)
    await window(home, async (services) => {
      const library = (await services('library.open', { root: game })).id
      const { info } = await services('model.open', { ref: path, library })
      await services('model.choose', { model: info.id, key: 'level5.tickRate', value: 30 })
    })
    expect(await seconds()).toBeCloseTo(usual * 2, 5)
    expect(await seconds('--tick-rate', '60')).toBeCloseTo(usual, 5)
  })

  const others: [family: string, folder: string][] = [
    ['w3d', 'Zero Hour/Art/'],
    ['renderware', 'San Andreas/models/'],
    ['lostsaga', 'Lost Saga/resource/'],
  ]
  it.each(others)('keeps slices of %s models in the list that the window has', async (family, folder) => {
    const files = sample.filter(({ path }) => path.startsWith(folder) && !/old layout|split skin/.test(path))
    // a command line looks around a file, a window in the whole library
    const { game, home } = place(family, Object.fromEntries(files.map((f) => [f.path.slice(folder.length).replace('peds/', ''), f.bytes])))
    const { model } = (await call(home, 'slices', game, '--json')).json<SlicesReport>()
    const { status, err, json } = await call(home, 'slice', 'add', model, '--start', '1', '--end', '4', '--name', 'step', '--json')
    expect(status, err).toBe(0)
    const added = json<SlicesReport & { saved: { target: string }[] }>()
    expect(added.slices).toMatchObject([{ index: 0, name: 'step', start: 1, end: 4, speed: 1, model }])
    expect(added.slices[0].clip).not.toBe('')
    expect(added.saved.map(({ target }) => dirname(target))).toEqual([join(home, 'state', 'slices')])
    expect((await call(home, 'slice', 'set', model, 'step', '--end', '3')).status).toBe(0)
    const wrong = await call(home, 'slice', 'set', model, 'step', '--end', '0', '--json')
    expect([wrong.status, wrong.json().error.code]).toEqual([1, 'invalid-edit'])
    await window(home, async (services) => {
      const library = (await services('library.open', { root: game })).id
      await services('library.scan', { library })
      const { info, scene } = await services('model.open', { ref: model, library })
      expect(info).toMatchObject({ family, primary: model })
      expect(scene.slices).toMatchObject([{ name: 'step', start: 1, end: 3 }])
    })
    const extracted = await call(home, 'slice', 'extract', model, 'step', '--out', join(base, 'x'), '--json')
    expect([extracted.status, extracted.json().error.code]).toEqual([2, 'unsupported'])
    expect((await call(home, 'slice', 'remove', model, '0')).out).toContain('0 slices')
    expect((await call(home, 'slices', model, '--json')).json()).toMatchObject({ slices: [] })
  })
})

interface Gltf {
  animations: { samplers: { input: number }[] }[]
  accessors: { max: number[] }[]
}
