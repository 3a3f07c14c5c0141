import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AppState } from '../../src/main/services/state.ts'
import { StateFiles } from '../../src/main/workspace/state-files.ts'
import { fake, fakePack, fakeRegistry } from '../files/fake-family.ts'
import { tempFolder } from '../files/temp.ts'
import { marrow } from './run.ts'

const options = { registry: fakeRegistry, registryModule: new URL('../files/fake-family.ts', import.meta.url).href }

describe('marrow scan', () => {
  const root = tempFolder({
    'a.fake': fake('mesh=a\nbone=b'),
    'p.fpak': fakePack([['x.fake', fake('slice=s')]]),
    'cut.fake': fake('cut').slice(0, 9),
  })
  const db = join(tempFolder(), 'index.sqlite')

  it('prints the report; broken files are rows, not a failure of the scan', async () => {
    const { status, json } = await marrow(['scan', root, '--db', db, '--json'], options)
    expect(status).toBe(0)
    expect(Object.keys(json())).toEqual([
      'files',
      'recognised',
      'models',
      'bones',
      'meshes',
      'slices',
      'weights',
      'textures',
      'errors',
      'seconds',
    ])
    expect(json()).toMatchObject({
      files: 4,
      recognised: 4,
      models: 1,
      bones: 1,
      meshes: 1,
      slices: 1,
      errors: [{ path: join(root, 'cut.fake'), code: 'truncated', offset: 8 }],
    })
    expect(existsSync(db)).toBe(true)
  })
  it('prints text', async () => {
    expect((await marrow(['scan', root, '--db', db], options)).out).toMatch(
      /cut\.fake: truncated at byte 8: .*\n4 files, 4 recognised: 1 model,/,
    )
  })
  it('fails for a missing folder and when it is stopped', async () => {
    const missing = await marrow(['scan', join(root, 'none'), '--db', db, '--json'], options)
    expect(missing.status).toBe(1)
    expect(missing.json()).toMatchObject({ error: { code: 'not-found' } })
    const stopped = await marrow(['scan', root, '--db', db, '--json'], { ...options, signal: () => AbortSignal.abort() })
    expect(stopped.status).toBe(1)
    expect(stopped.json()).toMatchObject({ error: { code: 'cancelled' } })
  })

  it('leaves out what it is told to for one run, and what the user left out in the application', async () => {
    const game = tempFolder({
      'a.fake': fake('bone=a'),
      'old/b.fake': fake('bone=b'),
      'mods/big/c.fake': fake('bone=c'),
      'mods/d.fake': fake('bone=d'),
    })
    const stateFolder = tempFolder()
    const run = (...args: string[]) => marrow(['scan', game, ...args, '--json'], { ...options, stateFolder })
    expect((await run()).json()).toMatchObject({ files: 4, bones: 4 })
    const without = await run('--leave-out', 'old', '--leave-out', join(game, 'mods/big'))
    expect(without.json()).toMatchObject({ files: 2, bones: 2, leftOut: ['old', 'mods/big'] })
    const again = await run()
    expect(again.json()).toMatchObject({ files: 4 })
    expect(again.json()).not.toHaveProperty('leftOut')

    new AppState(new StateFiles(stateFolder)).setLeftOut(game, ['mods'])
    expect((await run()).json()).toMatchObject({ files: 2 })
    const link = join(tempFolder(), 'link')
    symlinkSync(game, link)
    expect((await marrow(['scan', link, '--leave-out', 'old', '--json'], { ...options, stateFolder })).json()).toMatchObject({ files: 1 })
    const text = await marrow(['scan', game, '--leave-out', 'old'], { ...options, stateFolder })
    expect([text.out, text.err]).toEqual([expect.stringMatching(/^1 file, 1 recognised/), 'left out: mods\nleft out: old\n'])
  })
  it('takes no folder that is not below the root', async () => {
    const game = tempFolder({ 'a.fake': fake('bone=a'), 'old/b.fake': fake('bone=b') })
    const outside = tempFolder()
    const codes = {
      none: 'not-found',
      '.': 'invalid-argument',
      'a.fake': 'invalid-argument',
      '..': 'refused',
      [outside]: 'refused',
      'old/../..': 'refused',
    }
    for (const [folder, code] of Object.entries(codes)) {
      const { status, json } = await marrow(['scan', game, '--leave-out', folder, '--json'], { ...options, stateFolder: outside })
      expect([status > 0, json()], folder).toEqual([true, expect.objectContaining({ error: expect.objectContaining({ code }) })])
    }
  })
})
