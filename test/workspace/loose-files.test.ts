import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { FileStore } from '../../src/main/files/store.ts'
import { MemoryNeighbourhood } from '../../src/main/files/memory-neighbourhood.ts'
import { encodeDocument } from '../../src/main/formats/format.ts'
import { dffFormat } from '../../src/main/formats/renderware/codecs/dff.ts'
import { texturesOf, txdFormat } from '../../src/main/formats/renderware/codecs/txd.ts'
import type { TxdDocument } from '../../src/main/formats/renderware/codecs/txd.ts'
import { renderware } from '../../src/main/formats/renderware/family.ts'
import { newDff, newTxd } from '../../src/main/formats/renderware/make.ts'
import { w3d } from '../../src/main/formats/w3d/family.ts'
import { discImage } from '../support/disc-image.ts'
import { makeBig } from '../../src/main/formats/w3d/archives/big.ts'
import { buildMod } from '../../src/main/workspace/build-mod.ts'
import { changedInModFolder } from '../../src/main/workspace/changed-files.ts'
import { looseCopyOf, modCopyFor, modCopyOf } from '../../src/main/workspace/mod-copies.ts'
import type { SavePlace } from '../../src/main/workspace/mod-copies.ts'
import { readModPackage, writeModPackage } from '../../src/main/workspace/mod-package.ts'
import type { OpenModel } from '../../src/main/workspace/open-model.ts'
import { Workspace } from '../../src/main/workspace/workspace.ts'
import { pedModel } from '../fixtures/renderware/ped.ts'
import { archiveCases } from '../support/archive-cases.ts'
import { describeCorpus, filesBelow, readBytes } from '../support/corpus.ts'
import { junk } from '../support/hostile.ts'
import { img2Bytes } from '../support/img.ts'
import { temporaryFolder, writeFiles } from './support.ts'

const DFF = encodeDocument(dffFormat, newDff(pedModel())).bytes.slice()
const white = new Uint8Array(4 * 64).fill(255)
const TXD = encodeDocument(txdFormat, newTxd([{ name: 'skin', width: 8, height: 8, rgba: white, raster: '565' }])).bytes.slice()
const IMG = img2Bytes({ 'other.dff': junk(3000, 4), 'ped.dff': DFF, 'ped.txd': TXD, 'ped.dat': junk(40, 8) })

const running: { workspace: Workspace; store: FileStore }[] = []
afterEach(async () => {
  for (const { workspace, store } of running.splice(0)) {
    await workspace.closeAll()
    store.close()
  }
})

interface Game {
  root: string
  mod: string
  store: FileStore
  workspace: Workspace
  place: SavePlace
  img: string
  open(): OpenModel
  edit(model: OpenModel, which?: 'both' | 'dff' | 'txd', height?: number): Promise<void>
}

function game(base: string, options: { loose?: boolean; img?: string } = {}): Game {
  const [root, mod] = [join(base, 'game'), join(base, 'my mod')]
  const place: SavePlace = { mode: 'mod-folder', root, folder: mod, loose: options.loose ?? true }
  const store = new FileStore()
  const workspace = new Workspace({ files: store, stateFolder: join(base, 'state'), place: () => place })
  running.push({ workspace, store })
  const img = join(root, options.img ?? 'models/gta3.img')
  return {
    root,
    mod,
    store,
    workspace,
    place,
    img,
    open() {
      const around = MemoryNeighbourhood.of(store, root)
      const binding = renderware.bind(img, around).find(({ primary }) => primary.endsWith('ped.dff'))!
      return workspace.open({ family: renderware, binding, around, library: root })
    },
    async edit(model, which = 'both', height = 5) {
      await workspace.edit(model.id, 'Move', (session) => {
        if (which !== 'txd') renderware.editor.skeleton!.setField!(session, 1, 'position', [1, 2, height], { keepSkin: false })
        const txd = model.refs().find((ref) => ref.endsWith('ped.txd'))!
        if (which !== 'dff') texturesOf(session.edit<TxdDocument>(txd))[0].native!.filterAddressing = 0x1100 + height
      })
    },
  }
}

function start(options: { loose?: boolean; files?: Record<string, Uint8Array> } = {}): Game & { base: string } {
  const base = temporaryFolder()
  writeFiles(join(base, 'game'), options.files ?? { 'models/gta3.img': IMG })
  return { base, ...game(base, options) }
}

/** All files below a folder, by their paths. */
function tree(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
}

const LOOSE = ['modloader/my mod/ped.dff', 'modloader/my mod/ped.txd']

async function packed(g: Game): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  const pairs = await changedInModFolder(g.store, g.root, g.mod)
  await writeModPackage(g.store, pairs, { name: 'm', madeWith: '1.0.0' }, (chunk) => void chunks.push(chunk))
  return new Uint8Array(Buffer.concat(chunks))
}

describe('a mod of a ped in gta3.img that holds loose files', () => {
  it('holds two loose files and nothing else, and the game is as it was', async () => {
    const g = start()
    const model = g.open()
    await g.edit(model)
    const plan = await g.workspace.plan(model.id)
    expect(plan.files.map(({ target, loose, problem }) => [relative(g.mod, target), loose, problem])).toEqual(
      LOOSE.map((path) => [join(path), true, undefined]),
    )
    const { saved, failed } = await g.workspace.save(model.id)
    expect([saved.length, failed]).toEqual([2, []])
    expect(tree(g.mod)).toEqual(LOOSE)
    expect(readBytes(g.img)).toEqual(IMG)
    for (const path of LOOSE) {
      const bytes = readBytes(join(g.mod, path))
      const ref = model.refs().find((r) => path.endsWith(r.slice(r.indexOf('!') + 1)))!
      expect(bytes).toEqual(model.file(ref).bytes)
      // what was not edited is as in the archive, the rest of its last sector with it
      expect(bytes.length).toBe(g.store.stat(ref).size)
    }
  })

  it('is found again by another run, however the mod is held then, and what is loose stays so', async () => {
    const g = start()
    const model = g.open()
    await g.edit(model)
    await g.workspace.save(model.id)
    for (const loose of [true, false]) {
      const again = game(g.base, { loose })
      const later = again.open()
      expect(later.refs().map((ref) => relative(again.mod, later.file(ref).source))).toEqual(
        expect.arrayContaining(LOOSE.map((p) => join(p))),
      )
      await again.edit(later, 'dff', loose ? 6 : 7)
      expect((await again.workspace.save(later.id)).failed).toEqual([])
      expect(tree(g.mod)).toEqual(LOOSE)
    }
  })

  it('is found when its folder is called otherwise, or the mod loader has it below another name', async () => {
    const g = start()
    const model = g.open()
    await g.edit(model)
    await g.workspace.save(model.id)
    renameSync(join(g.mod, 'modloader/my mod'), join(g.mod, 'modloader/Other'))
    const again = game(g.base)
    const later = again.open()
    expect(later.file(later.binding.primary).source).toBe(join(again.mod, 'modloader/Other/ped.dff'))
    expect((await changedInModFolder(again.store, again.root, again.mod)).map(({ path, member }) => [path, member?.key])).toEqual([
      ['modloader/Other/ped.dff', 'ped.dff'],
      ['modloader/Other/ped.txd', 'ped.txd'],
    ])
  })

  it('wins over a copy of the archive that the mod held before', async () => {
    const g = start({ loose: false })
    const model = g.open()
    await g.edit(model, 'both', 3)
    await g.workspace.save(model.id)
    expect(tree(g.mod)).toEqual(['models/gta3.img'])
    await g.workspace.close(model.id)
    g.place.loose = true
    const again = g.open()
    expect(again.file(again.binding.primary).source.startsWith(g.mod)).toBe(true)
    await g.edit(again, 'dff', 8)
    expect((await g.workspace.save(again.id)).failed).toEqual([])
    expect(tree(g.mod)).toEqual(['models/gta3.img', LOOSE[0]])
    const later = game(g.base).open()
    expect(later.refs().map((ref) => relative(g.mod, later.file(ref).source))).toEqual(
      expect.arrayContaining([join(LOOSE[0]), join('models/gta3.img!ped.txd')]),
    )
    // a package of it has each member once, as the game reads it
    const zip = readModPackage(await packed(g), 'm.zip')
    expect(zip.manifest.files.map(({ path, member }) => [path, member])).toEqual(
      expect.arrayContaining([
        ['models/gta3.img', 'ped.dff'],
        ['models/gta3.img', 'ped.txd'],
      ]),
    )
    expect(zip.data(zip.manifest.files.find(({ member }) => member === 'ped.dff')!)).toEqual(readBytes(join(g.mod, LOOSE[0])))
  })

  it('comes back to its originals, undoes and tells of an update of the game', async () => {
    const g = start()
    const model = g.open()
    await g.edit(model)
    await g.workspace.save(model.id)
    await g.workspace.undo(model.id)
    expect((await g.workspace.save(model.id)).failed).toEqual([])
    const ped = model.binding.primary
    expect(readBytes(join(g.mod, LOOSE[0]))).toEqual(g.store.read(ped))
    // a file as the game has it is none that the mod changed
    expect(await changedInModFolder(g.store, g.root, g.mod)).toEqual([])
    await g.edit(model)
    await g.workspace.save(model.id)
    await g.workspace.restore(model.id, ped)
    expect(tree(g.mod)).toEqual([LOOSE[1]])
    expect(model.file(ped).bytes).toEqual(g.store.read(ped))
    await g.workspace.undo(model.id)
    expect((await g.workspace.save(model.id)).failed).toEqual([])
    expect(tree(g.mod)).toEqual(LOOSE)
    const updated = DFF.slice()
    updated[updated.length - 1] ^= 1
    writeFileSync(g.img, img2Bytes({ 'other.dff': junk(3000, 4), 'ped.dff': updated, 'ped.txd': TXD, 'ped.dat': junk(40, 8) }))
    g.store.invalidate()
    expect(g.workspace.gameUpdates(g.root).map(({ base }) => base.ref)).toEqual([ped])
  })

  it('is a mod package of the members, and a package is built as loose files or into the archive', async () => {
    const g = start()
    const model = g.open()
    await g.edit(model)
    await g.workspace.save(model.id)
    const zip = readModPackage(await packed(g), 'm.zip')
    expect(zip.manifest.files.map(({ path, member }) => [path, member])).toEqual([
      ['models/gta3.img', 'ped.dff'],
      ['models/gta3.img', 'ped.txd'],
    ])
    const [loose, whole] = ['loose', 'whole'].map((name) => join(g.base, name))
    const built = await buildMod(g.store, zip, { root: g.root, folder: loose, loose: true })
    expect([built.written, tree(loose)]).toEqual([2, ['modloader/loose/ped.dff', 'modloader/loose/ped.txd']])
    expect(readBytes(join(loose, 'modloader/loose/ped.dff'))).toEqual(readBytes(join(g.mod, LOOSE[0])))
    // a second time there is nothing to do, and what somebody else put there stays
    expect((await buildMod(g.store, zip, { root: g.root, folder: loose, loose: true })).written).toBe(0)
    writeFileSync(join(loose, 'modloader/loose/ped.dff'), 'mine')
    const held = await buildMod(g.store, zip, { root: g.root, folder: loose, loose: true })
    expect(held.files.map(({ state }) => state)).toEqual(['in-the-way', 'same'])
    expect((await buildMod(g.store, zip, { root: g.root, folder: whole })).written).toBe(1)
    expect(tree(whole)).toEqual(['models/gta3.img'])
    expect(g.store.read(`${join(whole, 'models/gta3.img')}!ped.dff`)).toEqual(readBytes(join(g.mod, LOOSE[0])))
  })

  it('is not written where the loose file is another one by now', async () => {
    const g = start()
    const model = g.open()
    await g.edit(model, 'dff')
    mkdirSync(join(g.mod, 'modloader/my mod'), { recursive: true })
    writeFileSync(join(g.mod, LOOSE[0]), 'somebody else was here')
    const { failed } = await g.workspace.save(model.id)
    expect(failed.map(({ code }) => code)).toEqual(['changed-on-disk'])
    expect(readFileSync(join(g.mod, LOOSE[0]), 'latin1')).toBe('somebody else was here')
  })

  it('goes into a loose file that came meanwhile, also where the mod holds archives: that one is what the game reads', async () => {
    const g = start({ loose: false })
    const model = g.open()
    await g.edit(model, 'dff')
    const target = async (): Promise<string[]> => (await g.workspace.plan(model.id)).files.map(({ target }) => relative(g.mod, target))
    expect(await target()).toEqual([join('models/gta3.img')])
    mkdirSync(join(g.mod, 'modloader/my mod'), { recursive: true })
    writeFileSync(join(g.mod, LOOSE[0]), DFF)
    expect(await target()).toEqual([join(LOOSE[0])])
  })

  it('keeps its loose file when the archive of the game is gone', async () => {
    const g = start()
    const model = g.open()
    await g.edit(model, 'dff')
    await g.workspace.save(model.id)
    rmSync(g.img)
    g.store.invalidate()
    await g.edit(model, 'dff', 9)
    expect((await g.workspace.save(model.id)).saved.map(({ target }) => relative(g.mod, target))).toEqual([join(LOOSE[0])])
    expect(tree(g.mod)).toEqual([LOOSE[0]])
  })
})

describe('where members stand as files of their own', () => {
  const place = (files: Record<string, Uint8Array>, ref: string): string => {
    const base = temporaryFolder()
    const root = join(base, 'game')
    writeFiles(root, files)
    const store = new FileStore()
    try {
      const found = looseCopyOf(store, join(root, ref), { root, folder: join(base, 'mod') })
      return found === undefined ? 'none' : (found.why ?? relative(base, found.target.ref).split(sep).join('/'))
    } finally {
      store.close()
    }
  }

  it('is what Mod Loader takes, for each kind of member', () => {
    const files = { 'SA/models/gta3.img': IMG, 'SA/models/player.img': img2Bytes({ 'torso.dff': DFF }) }
    expect(place(files, 'SA/models/gta3.img!ped.dff')).toBe('mod/SA/modloader/mod/ped.dff')
    expect(place(files, 'SA/models/player.img!torso.dff')).toBe('mod/SA/modloader/mod/player.img/torso.dff')
    expect(place(files, 'SA/models/gta3.img!ped.dat')).toContain('does not put in the place of a member')
    const nodes = { 'gta3.img': img2Bytes({ 'NODES12.DAT': junk(50, 2) }) }
    expect(place(nodes, 'gta3.img!NODES12.DAT')).toBe('mod/modloader/mod/gta3.img/NODES12.DAT')
    expect(place({ 'a.dff': DFF }, 'a.dff')).toBe('none')
  })

  it('is for the directory of an archive in two files as for the archive', () => {
    const { files } = archiveCases['IMG v1']()
    expect(place({ ...prefixed('models', files) }, 'models/gta3.dir!a.txd')).toBe('mod/modloader/mod/a.txd')
    // of two members of one name the game reads one
    expect(place({ ...prefixed('models', files) }, 'models/gta3.dir!B.DFF~2')).toContain('reads another member of this name')
  })

  it('is the path of the member in a BIG, and its bare name beside a MIX', () => {
    const big = makeBig('BIGF', [
      { name: 'Art\\W3D\\x.w3d', bytes: junk(20, 1) },
      { name: '..\\out.w3d', bytes: junk(20, 2) },
    ])
    expect(place({ 'Zero Hour/W3DZH.big': big }, 'Zero Hour/W3DZH.big!Art/W3D/x.w3d')).toBe('mod/Zero Hour/Art/W3D/x.w3d')
    expect(place({ 'lang/EnglishPatch.big': big }, 'lang/EnglishPatch.big!Art/W3D/x.w3d')).toBe('mod/Art/W3D/x.w3d')
    // no name of a member leads out of the mod's folder
    expect(place({ 'W3D.big': big }, 'W3D.big!../out.w3d')).toContain('is no name that a file can have')
    // the game's own loose file is what it reads
    expect(place({ 'W3D.big': big, 'Art/W3D/x.w3d': junk(3, 1) }, 'W3D.big!Art/W3D/x.w3d')).toContain('as a file of its own')
    const { files } = archiveCases.MIX()
    const [name] = Object.keys(files)
    const store = new FileStore()
    const folder = temporaryFolder()
    writeFiles(folder, files)
    const keys = [...store.members(join(folder, name))].map(({ key }) => key)
    store.close()
    const named = keys.find((key) => !key.startsWith('0x') && !key.includes('~'))!
    expect(place(prefixed('Data', files), `Data/${name}!${named}`)).toBe(`mod/Data/${named.slice(named.lastIndexOf('/') + 1)}`)
  })

  it('knows clothes by either file of their archive, and what Mod Loader does not stream by no place', () => {
    const { place, reading } = renderware.loose!
    const turn = (name: string, archive?: string) =>
      reading!.turn({ name, ...(archive ? { packed: { archive, format: 'renderware.img1' } } : {}) })
    expect(place!({ format: 'renderware.img1', archive: 'SA/models/player.dir', name: 'torso.dff', mod: 'm' })).toMatchObject({
      path: 'SA/modloader/m/player.img/torso.dff',
    })
    const loose = turn('SA/modloader/m/player.img/torso.dff')
    for (const archive of ['SA/models/player.dir', 'SA/models/PLAYER.IMG']) expect(turn('torso.dff', archive)?.key).toBe(loose?.key)
    expect(turn('torso.dff', 'SA/models/gta3.dir')?.key).not.toBe(loose?.key)
    expect([turn('SA/modloader/m/readme.txt'), turn('SA/modloader/ped.dff')]).toEqual([undefined, undefined])
  })

  it('looks into the archives of Renegade in their order, those that nobody lists last, and has no place for a member without a name', () => {
    const { place, reading } = w3d.loose!
    const turn = (archive?: string): number =>
      reading!.turn(archive ? { name: 'a.w3d', packed: { archive, format: 'w3d.mix' } } : { name: 'Data/a.w3d' })!.turn
    const turns = [undefined, 'Data/Always2.dat', 'Data/always.dbs', 'Data/always.dat', 'Data/M01.mix'].map(turn)
    expect(turns).toEqual([...turns].sort((a, b) => a - b))
    expect(new Set(turns).size).toBe(turns.length)
    const named = (name: string) => place!({ format: 'w3d.mix', archive: 'Data/M01.mix', name, mod: 'm' })
    expect(named('0x0123abcd')).toMatchObject({ why: expect.stringContaining('0x0123abcd') })
    expect(named('0x0123abcd.w3d')).toMatchObject({ path: 'Data/0x0123abcd.w3d' })
  })

  it('are none where files are saved into a copy of their image, and nothing is where the mod folder is refused', () => {
    const base = temporaryFolder()
    const [root, folder, copy] = ['game', 'mod', 'copy.iso'].map((name) => join(base, name))
    const { image } = discImage()
    writeFiles(base, { 'game/game.iso': image, 'copy.iso': image, 'mod/chara/c01a.chr': junk(9) })
    const store = new FileStore()
    const ref = join(root, 'game.iso!DATA.HD2!chara/c01a.chr')
    const place: SavePlace = { mode: 'mod-folder', root, folder, loose: true }
    expect(modCopyFor(store, ref, place)).toBe(join(folder, 'chara/c01a.chr'))
    expect(modCopyFor(store, ref, { ...place, copy })).toBe(`${copy}!DATA.HD2!chara/c01a.chr`)
    expect(() => modCopyOf(store, ref, { ...place, refused: 'beside the game' })).toThrow(
      expect.objectContaining({ code: 'refused', message: 'beside the game' }),
    )
    store.close()
  })

  it('is the tree beside the directory of a disc; what is in a pack is read in it alone', () => {
    const { files } = archiveCases.HED()
    const [pack] = Object.values(archiveCases.PAK().files)
    const hed = Object.keys(files).find((name) => name.endsWith('HED') || name.endsWith('hed'))!
    const store = new FileStore()
    const folder = temporaryFolder()
    writeFiles(folder, { ...files, 'c01a.chr': pack })
    const [packed] = store.members(join(folder, 'c01a.chr'))
    expect(place({ 'chara/c01a.chr': pack }, `chara/c01a.chr!${packed.key}`)).toContain('inside of c01a.chr alone')
    const [member] = store.members(join(folder, hed))
    store.close()
    expect(place(prefixed('disc', files), `disc/${hed}!${member.key}`)).toBe(`mod/disc/${member.key}`)
  })
})

const prefixed = (folder: string, files: Record<string, Uint8Array>): Record<string, Uint8Array> =>
  Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`${folder}/${name}`, bytes]))

describeCorpus('renderware/sa-peds', (root) => {
  it('a mod of a real ped in an archive is its two files', async () => {
    const names = filesBelow(root).filter(
      (path) => path.endsWith('.dff') && statSync(path.replace(/dff$/, 'txd'), { throwIfNoEntry: false }),
    )
    const [dff] = names
    const img = img2Bytes({ 'ped.dff': readBytes(dff), 'ped.txd': readBytes(dff.replace(/dff$/, 'txd')), 'x.dff': DFF })
    const g = start({ files: { 'models/gta3.img': img } })
    const model = g.open()
    await g.edit(model)
    expect((await g.workspace.save(model.id)).failed).toEqual([])
    expect(tree(g.mod)).toEqual(LOOSE)
    expect(readBytes(g.img)).toEqual(img)
  })
})
