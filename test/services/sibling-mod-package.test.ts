/** An edit that reaches files of other models: what is given away of one model has all that was changed together. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterEach, describe, expect, it } from 'vitest'
import { cat, hierarchy, hlod } from '../fixtures/w3d/chunks.ts'
import { skin, twoBoneSkin } from '../fixtures/w3d/files.ts'
import { caller } from '../support/caller.ts'
import { junk } from '../support/hostile.ts'
import { serviceBenches } from '../support/service-bench.ts'

const files = {
  'art/walker_skl.w3d': hierarchy(),
  'art/walker.w3d': cat(skin(), hlod('WALKER', 'WALKER_SKL', [{ size: 1, objects: [[0, 'WALKER.SKIN']] }])),
  'art/cloak.w3d': cat(twoBoneSkin(), hlod('CLOAK', 'WALKER_SKL', [{ size: 1, objects: [[0, 'WALKER.CLOAK']] }])),
  'more/cape.w3d': cat(twoBoneSkin(), hlod('CAPE', 'WALKER_SKL', [{ size: 1, objects: [[0, 'WALKER.CLOAK']] }])),
  'art/other.w3d': cat(skin(), hlod('OTHER', 'OTHER_SKL', [{ size: 1, objects: [[0, 'WALKER.SKIN']] }])),
  'readme.txt': junk(30),
}
const MOVED = ['art/cloak.w3d', 'art/walker.w3d', 'art/walker_skl.w3d', 'more/cape.w3d']

describe('modPackage.export of a model', () => {
  const start = serviceBenches(afterEach)
  let bench = start({ files })
  const { game } = bench
  const call = caller(() => bench.services)
  const open = async (path: string): Promise<{ library: string; model: string }> => {
    const library = await call('library.open', { root: game })
    const { info } = await call('model.open', { ref: join(game, path), library: library.id })
    return { library: library.id, model: info.id }
  }
  const changedOnDisk = (): string[] =>
    Object.entries(files)
      .filter(([path, bytes]) => Buffer.compare(readFileSync(join(game, path)), bytes) !== 0)
      .map(([path]) => path)
      .sort()

  it('has the skins of siblings that moving a pivot changed, whichever of them it is asked of, after a restart too', async () => {
    const library = await call('library.open', { root: game })
    await call('library.scan', { library: library.id })
    const { model } = await open('art/walker.w3d')
    await call('skeleton.setField', { model, joint: 1, key: 'translation', value: [1, 2, 3], keepSkin: true })
    expect((await call('save.write', { model })).failed).toEqual([])
    expect(changedOnDisk()).toEqual(MOVED)
    for (const path of ['art/walker.w3d', 'art/cloak.w3d', 'more/cape.w3d']) {
      const asked = await open(path)
      const made = await call('modPackage.export', asked)
      expect(made.files.map((file) => file.path).sort(), path).toEqual(MOVED)
      // the bodies are in it, not their names alone
      const names = Object.keys(unzipSync(made.bytes))
      for (const moved of MOVED)
        expect(
          names.some((name) => name.endsWith(moved)),
          `${moved} in the zip of ${path}`,
        ).toBe(true)
    }
    const other = await open('art/other.w3d')
    await expect(call('modPackage.export', other)).rejects.toMatchObject({ code: 'refused' })
    await bench.close()
    bench = start({ after: bench })
    const again = await call('modPackage.export', await open('more/cape.w3d'))
    expect(again.files.map((file) => file.path).sort()).toEqual(MOVED)
  })
})
