/** A mod that changes files in an image of a disc, given away as what it changed: never as the image. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterEach, describe, expect, it } from 'vitest'
import { FileStore } from '../../src/main/files/store.ts'
import { buildMod } from '../../src/main/workspace/build-mod.ts'
import { changedInModFolder } from '../../src/main/workspace/changed-files.ts'
import { planImage, writeImage } from '../../src/main/workspace/image-edits.ts'
import { packageNotes, readModPackage, writeModPackage } from '../../src/main/workspace/mod-package.ts'
import { Originals } from '../../src/main/workspace/originals.ts'
import { StateFiles } from '../../src/main/workspace/state-files.ts'
import { discImage, filesOfDisc } from '../support/disc-image.ts'
import { largeImg1 } from '../support/large-archives.ts'
import { junk } from '../support/hostile.ts'
import { temporaryFolder, writeFiles } from './support.ts'
import type { ReadModPackage } from '../../src/main/workspace/mod-package.ts'

const opened: FileStore[] = []
afterEach(() => {
  for (const store of opened.splice(0)) store.close()
})
function places(files: Record<string, Uint8Array>) {
  const base = temporaryFolder()
  const [root, mod] = ['game', 'mod'].map((name) => join(base, name))
  writeFiles(root, files)
  mkdirSync(mod)
  const store = new FileStore()
  opened.push(store)
  return { base, root, mod, store, originals: new Originals(new StateFiles(join(base, 'state'))) }
}
async function packed({ store, root, mod }: ReturnType<typeof places>): Promise<{ zip: Uint8Array; read: ReadModPackage }> {
  const chunks: Uint8Array[] = []
  const pairs = await changedInModFolder(store, root, mod)
  await writeModPackage(store, pairs, { name: 'm', madeWith: '1.0.0' }, (chunk) => void chunks.push(chunk))
  const zip = new Uint8Array(Buffer.concat(chunks))
  return { zip, read: readModPackage(zip, 'z') }
}
const bytesOf = (path: string): Uint8Array => new Uint8Array(readFileSync(path))
const GROWN = junk(200_000, 8)
const made = discImage()

/** A mod folder with a copy of the image in which two files of DATA.DAT and one of the image are others; DATA.DAT grows. */
async function withCopy() {
  const at = places({ 'disc/game.iso': made.image, 'readme.txt': junk(9) })
  const image = join(at.root, 'disc/game.iso')
  const members = new Map([
    [`${image}!DATA.DAT!gedit/a.dat`, junk(3000, 5)],
    [`${image}!DATA.DAT!chara/c02a.chr`, GROWN],
    [`${image}!SYSTEM.CNF`, junk(70, 2)],
  ])
  const copy = join(at.mod, 'disc/game.iso')
  await writeImage(at.store, at.originals, planImage(at.store, image, members), copy, {})
  return { ...at, image, copy }
}
const NAMES = [
  ['disc/game.iso', 'SYSTEM.CNF', true],
  ['disc/game.iso', 'DATA.HD2!gedit/a.dat', true],
  ['disc/game.iso', 'DATA.HD2!chara/c02a.chr', true],
]

describe('a mod package of a copy of an image', () => {
  it('has the files that changed, also where one grew into the padding, and says what building it writes', async () => {
    const at = await withCopy()
    const { zip, read } = await packed(at)
    expect(read.manifest.files.map(({ path, member, image }) => [path, member, image]).sort()).toEqual([...NAMES].sort())
    expect(zip.length).toBeLessThan(GROWN.length + 10_000)
    expect(Object.keys(unzipSync(zip))).toHaveLength(4)
    expect(packageNotes(read.manifest)).toEqual([expect.stringMatching(/^Of game\.iso only the changed files .* writes a copy /)])
  })

  it('is built into a copy of the own image, the same to the byte, stopped and gone on with; and into loose files', async () => {
    const at = await withCopy()
    const { read } = await packed(at)
    const out = join(at.base, 'out')
    const stop = new AbortController()
    const build = (folder: string, more: object = {}) =>
      buildMod(at.store, read, { root: at.root, folder, originals: at.originals, ...more })
    const stopped = build(out, { signal: stop.signal, onProgress: () => stop.abort() })
    await expect(stopped).rejects.toMatchObject({ code: 'cancelled' })
    expect(readdirSync(join(out, 'disc'))).toEqual(['game.iso.marrow-copy'])
    const passes: string[] = []
    const built = await build(out, { onProgress: (_done: number, _all: number, pass: string) => void passes.push(pass) })
    expect(built.files.map(({ state, written }) => [state, written])).toEqual(Array(3).fill(['same', true]))
    expect(built.written).toBe(1)
    expect(new Set(passes)).toEqual(new Set(['write', 'read']))
    expect(readdirSync(join(out, 'disc'))).toEqual(['game.iso'])
    expect(Buffer.compare(bytesOf(join(out, 'disc/game.iso')), bytesOf(at.copy))).toBe(0)
    expect(filesOfDisc(bytesOf(join(out, 'disc/game.iso')), made).find(({ name }) => name.includes('c02a'))!.bytes).toEqual(GROWN)
    expect(at.originals.isOwn(join(out, 'disc/game.iso'))).toBe(true)
    expect(Buffer.compare(bytesOf(at.image), made.image)).toBe(0)
    // nothing twice, and nothing over what somebody else put there
    expect((await build(out)).written).toBe(0)
    writeFileSync(join(out, 'disc/game.iso'), made.image)
    at.store.invalidate()
    expect((await build(out)).files[0]).toMatchObject({ state: 'in-the-way' })
    expect((await build(out, { force: true })).written).toBe(1)
    expect(Buffer.compare(bytesOf(join(out, 'disc/game.iso')), bytesOf(at.copy))).toBe(0)

    const loose = join(at.base, 'loose')
    const split = await build(loose, { loose: true })
    expect(split.files.map(({ state, written }) => [state, written])).toEqual(Array(3).fill(['same', true]))
    expect(bytesOf(join(loose, 'disc/chara/c02a.chr'))).toEqual(GROWN)
    expect(bytesOf(join(loose, 'disc/gedit/a.dat'))).toEqual(junk(3000, 5))
  })

  it('tells what the receiver has in another state, and what he has not', async () => {
    const at = await withCopy()
    const { read } = await packed(at)
    const other = made.image.slice()
    other[made.at.get('gedit\\a.dat')! + 3] ^= 1
    writeFiles(at.root, { 'disc/game.iso': other })
    at.store.invalidate()
    const out = join(at.base, 'out')
    const held = await buildMod(at.store, read, { root: at.root, folder: out })
    expect(held.files.map(({ member, state }) => [member, state])).toContainEqual(['DATA.HD2!gedit/a.dat', 'updated'])
    expect(existsSync(join(out, 'disc'))).toBe(false)
    const { zip } = await packed(at)
    expect(zip.length).toBeLessThan(GROWN.length + 10_000)
    for (const name of ['DATA.HD2!chara', 'DATA.HD2!chara/C02A.chr', 'DATA.HD2', '../x', 'DATA.HD2!../../x', 'no!such']) {
      const forged: ReadModPackage = {
        manifest: { ...read.manifest, files: [{ ...read.manifest.files[0], member: name }] },
        data: (entry) => read.data({ ...entry, data: read.manifest.files[0].data }),
      }
      const told = await buildMod(at.store, forged, { root: at.root, folder: out })
      expect([name, told.files[0].written], name).toEqual([name, false])
    }
    expect(readdirSync(at.base).sort()).toEqual(['game', 'mod', 'out', 'state'])
  })

  it('is given nothing where the copy is the image, and a loose file beside it is its member', async () => {
    const at = places({ 'disc/game.iso': made.image })
    writeFiles(at.mod, { 'disc/game.iso': made.image, 'disc/chara/c02a.chr': GROWN, 'disc/other.bin': junk(5) })
    const pairs = await changedInModFolder(at.store, at.root, at.mod)
    expect(pairs.map(({ path, member }) => [path, member?.archive, member?.key]).sort()).toEqual([
      ['disc/chara/c02a.chr', 'disc/game.iso', 'DATA.HD2!chara/c02a.chr'],
      ['disc/other.bin', undefined, undefined],
    ])
    const { read } = await packed(at)
    expect(read.manifest.files.map(({ path, member, image }) => [path, member, image])).toEqual([
      ['disc/other.bin', undefined, undefined],
      ['disc/game.iso', 'DATA.HD2!chara/c02a.chr', true],
    ])
    // one that is as in the image is none that the mod changed
    writeFiles(at.mod, { 'disc/chara/c02a.chr': at.store.read(`${join(at.root, 'disc/game.iso')}!DATA.HD2!chara/c02a.chr`) })
    at.store.invalidate()
    expect((await changedInModFolder(at.store, at.root, at.mod)).map(({ path }) => path)).toEqual(['disc/other.bin'])
  })
})

it('a data file whose directory stays as it was is given as its members', async () => {
  const { files } = largeImg1()
  const at = places(files)
  const now = files['gta3.img'].slice()
  now[2 * 2048 + 5] ^= 1
  writeFiles(at.mod, { ...files, 'gta3.img': now })
  expect((await changedInModFolder(at.store, at.root, at.mod)).map(({ path }) => path)).toEqual(['gta3.img'])
  const { zip, read } = await packed(at)
  expect(read.manifest.files.map(({ path, member }) => [path, member])).toEqual([['gta3.dir', 'b.dff']])
  expect(zip.length).toBeLessThan(20_000)
  const out = join(at.base, 'out')
  expect((await buildMod(at.store, read, { root: at.root, folder: out })).written).toBe(1)
  expect(Buffer.compare(bytesOf(join(out, 'gta3.img')), now)).toBe(0)
  expect(Buffer.compare(bytesOf(join(out, 'gta3.dir')), files['gta3.dir'])).toBe(0)
})
