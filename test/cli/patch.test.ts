import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fake, fakePack, fakeRegistry } from '../files/fake-family.ts'
import { tempFolder } from '../files/temp.ts'
import { marrow } from './run.ts'

const TEXT = 'mesh=hero\nslice=a,1,10,1'
const read = (path: string): Uint8Array => new Uint8Array(readFileSync(path))

describe('marrow patch', () => {
  it('writes what was edited in place, and builds it beside the game', async () => {
    const state = tempFolder()
    const call = (...args: string[]) => marrow(args, { registry: fakeRegistry, stateFolder: state })
    const files = {
      'hero.fake': fake(TEXT),
      'packs/p.fpak': fakePack([
        ['orc.fake', fake(TEXT)],
        ['elf.fake', fake('mesh=elf')],
      ]),
    }
    const root = tempFolder(files)
    const out = tempFolder()
    const zip = join(out, 'mod.zip')
    const none = await call('patch', 'export', root, '--out', zip, '--json')
    expect([none.status, none.json().error.code]).toEqual([1, 'refused'])
    for (const path of [join(root, 'hero.fake'), `${root}/packs/p.fpak!orc.fake`])
      expect((await call('slice', 'set', path, '0', '--end', '12')).status).toBe(0)
    const made = await call('patch', 'export', root, '--out', zip, '--json')
    expect(made.status, made.err).toBe(0)
    expect(made.json()).toMatchObject({
      file: zip,
      bytes: read(zip).length,
      files: [
        { path: 'hero.fake', member: '' },
        { path: 'packs/p.fpak', member: 'orc.fake' },
      ],
    })
    expect((await call('patch', 'export', root, '--out', zip)).status).toBe(1)
    expect((await call('patch', 'export', root, '--out', zip, '--force')).out).toContain('packs/p.fpak!orc.fake')

    const game = tempFolder(files)
    const mod = join(out, 'mod')
    const built = await call('patch', 'build', zip, '--game', game, '--out', mod, '--json')
    expect(built.status, built.err).toBe(0)
    expect(built.json()).toMatchObject({ written: 2, folder: mod })
    for (const name of ['hero.fake', 'packs/p.fpak']) expect(read(join(mod, name))).toEqual(read(join(root, name)))
    const again = await call('patch', 'build', zip, '--game', game, '--out', mod)
    expect([again.status, again.out]).toEqual([0, expect.stringMatching(/hero\.fake {2}same: the mod folder has it as it is here\n/)])
    expect(again.out).toContain(`nothing to write: ${mod} has all of it as it is in the package`)
    const fromMod = await call('patch', 'export', game, '--mod', mod, '--out', join(out, 'again.zip'), '--json')
    expect(fromMod.json().files).toEqual(made.json().files)

    const updated = tempFolder({ ...files, 'hero.fake': fake('mesh=hero\nslice=a,1,11,1') })
    const held = await call('patch', 'build', zip, '--game', updated, '--out', join(out, 'mod2'))
    expect(held.status).toBe(1)
    expect(held.out).toContain('updated')
    expect(held.out).toContain('1 file written')
    expect((await call('patch', 'build', zip, '--game', updated, '--out', join(out, 'mod2'), '--force')).status).toBe(0)
    expect((await call('patch', 'build', join(root, 'hero.fake'), '--game', game, '--out', mod, '--json')).json().error.code).toBe(
      'bad-magic',
    )
  })
})
