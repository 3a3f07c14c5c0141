/** Members of BIG archives that are packed: found, shown and read as what is in them, edited as plain ones. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FileStore } from '../../src/main/files/store.ts'
import { makeBig } from '../../src/main/formats/w3d/archives/big.ts'
import { buildMod } from '../../src/main/workspace/build-mod.ts'
import { changedInModFolder } from '../../src/main/workspace/changed-files.ts'
import { readModPackage, writeModPackage } from '../../src/main/workspace/mod-package.ts'
import { w3dSample } from '../../src/main/sample/w3d.ts'
import { marrow } from '../cli/run.ts'
import { put, tempFolder } from '../files/temp.ts'
import { refPack, REFPACK_KINDS, refPackLiterals, refPackOf } from '../fixtures/w3d/refpack.ts'
import { junk } from '../support/hostile.ts'
import { libraryCounts } from '../support/library-counts.ts'
import { readBig } from '../support/read-archives.ts'

const sample = w3dSample().filter(({ path }) => /\.(w3d|tga|dds)$/i.test(path))
const nameOf = (path: string): string => `art\\${path.slice(path.lastIndexOf('/') + 1)}`
const packedSample = (): { name: string; bytes: Uint8Array }[] =>
  sample.map(({ path, bytes }, i) => ({ name: nameOf(path), bytes: refPack(bytes, REFPACK_KINDS[i % 4]) }))

const call = (...args: string[]) => marrow(args, { stateFolder: tempFolder() })
const onDisk = (path: string) => readBig(new Uint8Array(readFileSync(path)))

describe('packed members of a BIG', () => {
  it('are found, told and taken out as what is in them', async () => {
    const root = tempFolder({ 'game.big': makeBig('BIG4', packedSample()) })
    const path = join(root, 'game.big')
    const store = new FileStore()
    try {
      const members = store.members(path)
      for (const [i, { bytes }] of sample.entries()) {
        const { ref } = members.at(i)!
        expect(Buffer.compare(store.read(ref), bytes), ref).toBe(0)
        expect(store.stat(ref).size).toBe(bytes.length)
        expect(Buffer.compare(store.source(ref).read(3, 20), bytes.subarray(3, 23))).toBe(0)
        expect(store.identify(ref)?.format?.id, ref).toMatch(/^(w3d|common)\./)
      }
      expect(
        store
          .list(`${path}!art`)
          .map(({ size }) => size)
          .sort(),
      ).toEqual(sample.map(({ bytes }) => bytes.length).sort())
    } finally {
      store.close()
    }
    const out = tempFolder()
    expect((await call('archive', 'extract', path, '--out', out, '--json')).json().failures).toEqual([])
    for (const { path: from, bytes } of sample)
      expect(Buffer.compare(readFileSync(join(out, nameOf(from).replace('\\', '/'))), bytes), from).toBe(0)
    const { bytes } = sample[0]
    expect((await call('info', `${path}!${nameOf(sample[0].path).replace('\\', '/')}`, '--json')).json()).toMatchObject({
      format: 'w3d.file',
      size: bytes.length,
      readOnly: '',
    })
    expect((await call('roundtrip', path, '--copy', '--json')).json()).toMatchObject({ failures: [] })
  })

  it('stand in the library with their bones, meshes and textures', () => {
    const root = tempFolder({ 'game.big': makeBig('BIG4', packedSample()) })
    const plain = tempFolder(Object.fromEntries(sample.map(({ path, bytes }) => [path, bytes])))
    expect(libraryCounts(root)).toEqual(libraryCounts(plain))
  })

  it('say where they are damaged, and one that is none is read as it is', async () => {
    const body = new Uint8Array(4000).fill(5)
    const good = refPackLiterals(body)
    const none = refPackOf(0x90fb, 0x7fffffff, junk(40, 1))
    const path = put(
      tempFolder(),
      'x.big',
      makeBig('BIGF', [
        { name: 'cut.dat', bytes: good.slice(0, 3000) },
        { name: 'none.dat', bytes: none },
        { name: 'magic.dat', bytes: Uint8Array.of(0x10, 0xfb) },
        { name: 'good.dat', bytes: good },
      ]),
    )
    const out = tempFolder()
    const report = (await call('archive', 'extract', path, '--out', out, '--json')).json()
    expect(report.failures).toMatchObject([{ code: 'truncated', path: `${path}!cut.dat` }])
    expect(new Uint8Array(readFileSync(join(out, 'none.dat')))).toEqual(none)
    expect(readFileSync(join(out, 'magic.dat'))).toHaveLength(2)
    expect(new Uint8Array(readFileSync(join(out, 'good.dat')))).toEqual(body)
  })

  it('are written plain when they are edited, and no other one changes; a mod package of it builds', async () => {
    const root = tempFolder({ 'game.big': makeBig('BIG4', packedSample()) })
    const path = join(root, 'game.big')
    const before = onDisk(path)
    const model = `${path}!art/WALKER_SKN.W3D`
    const { clips } = (await call('clip', 'list', model, '--json')).json()
    expect(clips).toHaveLength(3)
    // the game finds the clip by its member's name, so the list of clips keeps it
    expect((await call('clip', 'rename', model, clips[0].name, 'OTHER', '--json')).json()).toMatchObject({
      error: { code: 'invalid-edit' },
    })
    const field = `${clips[0].path}.header.name`
    const renamed = (await call('field', 'set', clips[0].ref, field, 'OTHER', '--json')).json()
    expect(renamed.saved).toHaveLength(1)
    const changed = renamed.saved[0].path.split('!').at(-1)!.replace('/', '\\')
    const after = onDisk(path)
    expect(after.map(({ name }) => name)).toEqual(before.map(({ name }) => name))
    for (const [i, { name, bytes }] of after.entries()) {
      if (name !== changed) expect(Buffer.compare(bytes, before[i].bytes), name).toBe(0)
      else {
        expect(bytes[1]).not.toBe(0xfb)
        expect(bytes.length).toBe(sample[i].bytes.length)
        expect(Buffer.from(bytes).includes('OTHER')).toBe(true)
      }
    }
    expect(after.filter(({ name }) => name === changed)).toHaveLength(1)

    const game = tempFolder({ 'game.big': makeBig('BIG4', packedSample()) })
    const store = new FileStore()
    try {
      const chunks: Uint8Array[] = []
      await writeModPackage(
        store,
        await changedInModFolder(store, game, root),
        { name: 'm', madeWith: '1.0.0' },
        (chunk) => void chunks.push(chunk),
      )
      const zip = readModPackage(new Uint8Array(Buffer.concat(chunks)), 'm.zip')
      const [entry] = zip.manifest.files
      expect(zip.manifest.files).toHaveLength(1)
      expect(entry.original!.size).toBe(sample[after.findIndex(({ name }) => name === changed)].bytes.length)
      const built = tempFolder()
      const report = await buildMod(store, zip, { root: game, folder: built })
      expect(report.files).toMatchObject([{ state: 'same', written: true }])
      expect(onDisk(join(built, 'game.big'))).toEqual(after)
    } finally {
      store.close()
    }
  })
})
