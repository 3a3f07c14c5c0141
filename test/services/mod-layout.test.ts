/** The choice of how a mod holds members of archives: kept with the mod, and what saving does by it. */
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { encodeDocument } from '../../src/main/formats/format.ts'
import { dffFormat } from '../../src/main/formats/renderware/codecs/dff.ts'
import { newDff } from '../../src/main/formats/renderware/make.ts'
import { pedModel } from '../fixtures/renderware/ped.ts'
import { readBytes } from '../support/corpus.ts'
import { img2Bytes } from '../support/img.ts'
import { serviceBenches } from '../support/service-bench.ts'

const IMG = img2Bytes({ 'ped.dff': encodeDocument(dffFormat, newDff(pedModel())).bytes.slice() })
const begin = serviceBenches(afterEach)

describe('how a mod holds members', () => {
  it('is chosen for the mod folder, kept over a restart, and told with what the games of the library need', async () => {
    const b = begin({ files: { 'models/gta3.img': IMG } })
    const mod = join(b.base, 'mod')
    mkdirSync(mod)
    const library = (await b.call('library.open', { root: b.game })).id
    await b.call('library.scan', { library })
    // nothing is chosen for a mod that is in no folder
    await expect(b.call('mod.layout', { library, loose: true })).rejects.toMatchObject({ code: 'not-found' })
    await b.call('settings.set', { saveMode: 'mod-folder', modFolder: mod })
    expect(await b.call('mod.layout', { library })).toMatchObject({ loose: false, needs: [{ family: 'RenderWare' }] })
    expect((await b.call('mod.layout', { library, loose: true })).loose).toBe(true)
    await b.call('settings.set', { modFolder: join(b.base, 'other') })
    expect((await b.call('mod.layout', { library })).loose).toBe(false)
    await b.call('settings.set', { modFolder: mod })
    await b.close()

    const again = begin({ after: b })
    const id = (await again.call('library.open', { root: again.game })).id
    expect((await again.call('mod.layout', { library: id })).loose).toBe(true)
    const ref = join(again.game, 'models/gta3.img!ped.dff')
    const { info } = await again.call('model.open', { ref, library: id })
    await again.call('skeleton.setField', { model: info.id, joint: 1, key: 'position', value: [1, 2, 3] })
    const { files } = await again.call('save.plan', { model: info.id })
    expect(files).toMatchObject([{ loose: true, target: join(mod, 'modloader/mod/ped.dff') }])
    expect((await again.call('save.write', { model: info.id })).failed).toEqual([])
    expect(readdirSync(mod)).toEqual(['modloader'])
    expect(readBytes(join(again.game, 'models/gta3.img'))).toEqual(IMG)
    // the page of the mod names the member that the file is in the place of
    const size = readBytes(join(mod, 'modloader/mod/ped.dff')).length
    expect(await again.call('mod.files', { library: id })).toEqual([{ ref, path: 'modloader/mod/ped.dff', size, originalSize: size }])
    expect(await again.call('mod.check', { library: id })).toMatchObject([{ ref, changes: expect.any(Number), unread: '' }])
    expect((await again.call('modPackage.export', { library: id, model: info.id })).files).toMatchObject([
      { path: 'models/gta3.img', member: 'ped.dff' },
    ])
  })
})
