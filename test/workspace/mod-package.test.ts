import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { strToU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { FileStore } from '../../src/main/files/store.ts'
import { buildMod } from '../../src/main/workspace/build-mod.ts'
import { changedInModFolder, changedInPlace } from '../../src/main/workspace/changed-files.ts'
import { readModPackage, writeModPackage } from '../../src/main/workspace/mod-package.ts'
import type { ChangedPair } from '../../src/main/workspace/changed-files.ts'
import { sha256 } from '../../src/main/workspace/originals.ts'
import { junk } from '../support/hostile.ts'
import { fakeRegistry, numbersBytes, packBytes, pairBytes } from './fake-family.ts'
import type { Numbers } from './fake-family.ts'
import { bench, temporaryFolder, writeFiles } from './support.ts'

const store = () => new FileStore({ registry: fakeRegistry })
const read = (path: string): Uint8Array => new Uint8Array(readFileSync(path))

async function pack(pairs: ChangedPair[]): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  await writeModPackage(store(), pairs, { name: 'mod', madeWith: '1.2.3' }, (chunk) => void chunks.push(chunk))
  return new Uint8Array(Buffer.concat(chunks))
}

const before = {
  'a.num': numbersBytes([1, 2, 3]),
  'sub/same.num': numbersBytes([7]),
  'sub/p.fpk': packBytes({ 'b.num': numbersBytes([5]), 'c.num': numbersBytes([6]), 'x.bin': junk(9) }),
  'grown.fpk': packBytes({ 'b.num': numbersBytes([5]) }),
}
const after = {
  'a.num': numbersBytes([1, 2, 30, 4]),
  'sub/same.num': numbersBytes([7]),
  'sub/p.fpk': packBytes({ 'b.num': numbersBytes([5]), 'c.num': numbersBytes([6, 6]), 'x.bin': junk(9) }),
  'grown.fpk': packBytes({ 'b.num': numbersBytes([5]), 'more.num': numbersBytes([8]) }),
  'new/歩く.num': numbersBytes([9]),
}

async function made() {
  const base = temporaryFolder()
  const [root, mod] = [join(base, 'game'), join(base, 'mod')]
  writeFiles(root, before)
  writeFiles(mod, after)
  const zip = await pack(await changedInModFolder(store(), root, mod))
  return { base, root, mod, zip, out: join(base, 'out') }
}

describe('a mod as a zip', () => {
  it('unpacks to the bytes that went in, zeros at the start of a file and all', async () => {
    const base = temporaryFolder()
    const words = (n: number): Uint8Array => new Uint8Array(Uint32Array.from({ length: n }, (_, i) => (i % 7 === 1 ? 1 : 0)).buffer)
    const files = Object.fromEntries([0, 3, 20, 300, 9000, 80_000].map((n) => [`${n}.bin`, words(n)]))
    writeFiles(join(base, 'mod'), files)
    writeFiles(join(base, 'game'), {})
    const zip = unzipSync(await pack(await changedInModFolder(store(), join(base, 'game'), join(base, 'mod'))))
    for (const [name, bytes] of Object.entries(files)) expect(Buffer.compare(zip[`files/${name}`], bytes), name).toBe(0)
  })

  it('holds what changed, of archives the members, with paths, sizes and hashes', async () => {
    const { zip } = await made()
    const files = unzipSync(zip)
    const manifest = JSON.parse(new TextDecoder().decode(files['marrow-patch.json']))
    const now = (bytes: Uint8Array) => ({ size: bytes.length, sha256: sha256(bytes) })
    expect(manifest).toEqual({
      marrow: 'patch',
      version: 1,
      madeWith: '1.2.3',
      name: 'mod',
      files: [
        { path: 'a.num', original: now(before['a.num']), now: now(after['a.num']), data: 'files/a.num' },
        { path: 'grown.fpk', original: now(before['grown.fpk']), now: now(after['grown.fpk']), data: 'files/grown.fpk' },
        { path: 'new/歩く.num', original: null, now: now(after['new/歩く.num']), data: 'files/new/歩く.num' },
        {
          path: 'sub/p.fpk',
          member: 'c.num',
          original: now(numbersBytes([6])),
          now: now(numbersBytes([6, 6])),
          data: 'members/0004-c.num',
        },
      ],
    })
    expect(Object.keys(files)).toHaveLength(5)
    expect(files['members/0004-c.num']).toEqual(numbersBytes([6, 6]))
    expect((await made()).zip).toEqual(zip)
  })

  it('builds the mod folder again, and nothing twice', async () => {
    const { root, out, zip } = await made()
    const built = await buildMod(store(), readModPackage(zip, 'z'), { root, folder: out })
    expect(built.files.map((f) => [f.path, f.member, f.state, f.written])).toEqual([
      ['a.num', '', 'same', true],
      ['grown.fpk', '', 'same', true],
      ['new/歩く.num', '', 'same', true],
      ['sub/p.fpk', 'c.num', 'same', true],
    ])
    expect(built.written).toBe(4)
    for (const name of ['a.num', 'grown.fpk', 'new/歩く.num', 'sub/p.fpk'] as const)
      expect(read(join(out, name)), name).toEqual(after[name])
    expect(existsSync(join(out, 'sub/same.num'))).toBe(false)
    expect((await buildMod(store(), readModPackage(zip, 'z'), { root, folder: out })).written).toBe(0)
    writeFileSync(join(out, 'a.num'), 'mine')
    const again = await buildMod(store(), readModPackage(zip, 'z'), { root, folder: out })
    expect(again.files[0]).toMatchObject({ state: 'in-the-way', written: false })
    expect(readFileSync(join(out, 'a.num'), 'utf8')).toBe('mine')
    expect((await buildMod(store(), readModPackage(zip, 'z'), { root, folder: out, force: true })).written).toBe(4)
  })

  it('tells what the game updated under the mod, with what differs, and writes it only when told to', async () => {
    const { root, out, zip } = await made()
    writeFiles(root, {
      'a.num': numbersBytes([1, 2, 50, 4]),
      'sub/p.fpk': packBytes({ 'b.num': numbersBytes([55]), 'c.num': numbersBytes([6]), 'x.bin': junk(9) }),
    })
    const built = await buildMod(store(), readModPackage(zip, 'z'), { root, folder: out })
    expect(built.files[0]).toMatchObject({
      path: 'a.num',
      state: 'updated',
      written: false,
      changes: { changes: [{ path: 'values[2]', before: '50', after: '30' }] },
    })
    expect(existsSync(join(out, 'a.num'))).toBe(false)
    // another member of the pack was updated: it stays as the game has it now
    expect(read(join(out, 'sub/p.fpk'))).toEqual(
      packBytes({ 'b.num': numbersBytes([55]), 'c.num': numbersBytes([6, 6]), 'x.bin': junk(9) }),
    )
    await buildMod(store(), readModPackage(zip, 'z'), { root, folder: out, force: true })
    expect(read(join(out, 'a.num'))).toEqual(after['a.num'])
    writeFiles(root, { 'sub/p.fpk': packBytes({ 'b.num': numbersBytes([5]) }) })
    const gone = await buildMod(store(), readModPackage(zip, 'z'), { root, folder: join(out, '../other') })
    expect(gone.files[3]).toMatchObject({ state: 'missing', written: false })
  })

  it('takes files that were saved in place against their kept originals', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2]), 'sub/p.fpk': before['sub/p.fpk'] })
    for (const ref of ['a.num', 'sub/p.fpk!c.num']) {
      const model = b.open(ref)
      await b.workspace.edit(model.id, 'x', (session) => (session.edit<Numbers>(model.binding.primary).values[0] = 99))
      await b.workspace.save(model.id)
    }
    const pairs = await changedInPlace(b.root, b.workspace.originals)
    expect(pairs.map((p) => p.path)).toEqual(['a.num', 'sub/p.fpk'])
    const modPackage = readModPackage(await pack(pairs), 'z')
    expect(modPackage.manifest.files.map((f) => [f.path, f.member])).toEqual([
      ['a.num', undefined],
      ['sub/p.fpk', 'c.num'],
    ])
    for (const ref of ['a.num', 'sub/p.fpk!c.num']) {
      const model = b.open(ref)
      await b.workspace.undo(model.id)
      await b.workspace.save(model.id)
    }
    expect(await changedInPlace(b.root, b.workspace.originals)).toEqual([])
    await expect(pack([])).rejects.toMatchObject({ code: 'refused' })
    const folder = join(b.root, '../mod')
    expect((await buildMod(b.files, modPackage, { root: b.root, folder })).written).toBe(2)
    expect(read(join(folder, 'a.num'))).toEqual(numbersBytes([99, 2]))
  })

  it('keeps archives of two files together', async () => {
    const base = temporaryFolder()
    const [root, mod, out] = ['game', 'mod', 'out'].map((name) => join(base, name))
    const [old, now] = [
      pairBytes({ 'b.num': numbersBytes([5]), 'c.num': numbersBytes([6]) }),
      pairBytes({ 'b.num': numbersBytes([5, 5]), 'c.num': numbersBytes([6]) }),
    ]
    writeFiles(root, { 'x/p.fdr': old.directory, 'x/p.fdt': old.data })
    writeFiles(mod, { 'x/p.fdr': now.directory, 'x/p.fdt': now.data })
    const modPackage = readModPackage(await pack(await changedInModFolder(store(), root, mod)), 'z')
    expect(modPackage.manifest.files.map((f) => [f.path, f.member])).toEqual([['x/p.fdr', 'b.num']])
    await buildMod(store(), modPackage, { root, folder: out })
    expect(read(join(out, 'x/p.fdr'))).toEqual(now.directory)
    expect(read(join(out, 'x/p.fdt'))).toEqual(now.data)
  })
})

describe('a zip from anywhere', () => {
  const bytes = numbersBytes([1])
  const entry = { path: 'a.num', original: null, now: { size: bytes.length, sha256: sha256(bytes) }, data: 'files/a.num' }
  const zipped = (
    change: Record<string, unknown> = {},
    files: Record<string, Uint8Array> = { 'files/a.num': bytes },
    manifest: Record<string, unknown> = {},
  ) =>
    zipSync({
      'marrow-patch.json': strToU8(
        JSON.stringify({ marrow: 'patch', version: 1, madeWith: '', name: 'm', files: [{ ...entry, ...change }], ...manifest }),
      ),
      ...files,
    })

  it('is refused when its paths lead anywhere else', () => {
    for (const path of [
      '../a.num',
      'a/../../b',
      '/etc/passwd',
      'C:/x',
      'C:\\x',
      'a\\..\\b',
      '',
      'a//b',
      './a',
      'a/.',
      'nul',
      'sub/CON.txt',
      'a\0b',
      'x. ',
      'a:stream',
      'photo\u202efdh.num',
      'a\u200b.num',
      '\u009b31m.num',
    ]) {
      expect(() => readModPackage(zipped({ path }), 'z'), JSON.stringify(path)).toThrow(expect.objectContaining({ code: 'refused' }))
    }
    expect(readModPackage(zipped(), 'z').manifest.files).toHaveLength(1)
  })

  it('is refused when it is no mod package, damaged, or says what is not so', () => {
    expect(() => readModPackage(junk(100), 'z')).toThrow(expect.objectContaining({ code: 'bad-magic' }))
    expect(() => readModPackage(zipSync({ 'x.txt': bytes }), 'z')).toThrow(expect.objectContaining({ code: 'bad-magic' }))
    expect(() => readModPackage(zipSync({ 'marrow-patch.json': strToU8('{"marrow":') }), 'z')).toThrow(
      expect.objectContaining({ code: 'bad-value' }),
    )
    expect(() => readModPackage(zipped({ now: { size: -1, sha256: 'x' } }), 'z')).toThrow(expect.objectContaining({ code: 'bad-value' }))
    expect(() => readModPackage(zipped({}, {}), 'z')).toThrow(expect.objectContaining({ code: 'truncated' }))
    expect(() => readModPackage(zipped({}, { 'files/a.num': numbersBytes([2]) }), 'z')).toThrow(
      expect.objectContaining({ code: 'bad-value' }),
    )
    expect(() => readModPackage(zipped({}, {}, { files: [entry, { ...entry, path: 'A.num' }] }), 'z')).toThrow(
      expect.objectContaining({ code: 'bad-value' }),
    )
    const whole = zipped()
    for (let n = 0; n < whole.length; n += 7)
      expect(() => readModPackage(whole.subarray(0, n), 'z'), String(n)).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^(bad-|truncated|refused)/) }),
      )
  })

  it('is refused before it swells: more than it says, twice in the zip, more than can be packed so small', () => {
    const bomb = new Uint8Array(8 << 20)
    expect(() => readModPackage(zipped({}, { 'files/a.num': bomb }), 'z')).toThrow(expect.objectContaining({ code: 'refused' }))
    const lying = zipped({ now: { size: 250 << 20, sha256: sha256(bytes) } })
    // the size in the central directory
    const view = new DataView(lying.buffer, lying.byteOffset)
    for (let at = 0; at + 46 < lying.length; at++) if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 250 << 20, true)
    expect(() => readModPackage(lying, 'z')).toThrow(expect.objectContaining({ code: 'refused' }))
    expect(() => readModPackage(zipped({ now: { size: 2 ** 40, sha256: sha256(bytes) } }), 'z')).toThrow(
      expect.objectContaining({ code: 'refused' }),
    )
  })

  it('writes nothing through links, into the game or around it', async () => {
    const base = temporaryFolder()
    const [root, out, outside] = ['game', 'out', 'outside'].map((name) => join(base, name))
    for (const folder of [root, out, outside]) mkdirSync(folder)
    symlinkSync(outside, join(out, 'sub'))
    const built = await buildMod(store(), readModPackage(zipped({ path: 'sub/a.num' }), 'z'), { root, folder: out })
    expect(built.files[0]).toMatchObject({ state: 'failed', written: false })
    expect(existsSync(join(outside, 'a.num'))).toBe(false)
    expect(
      (await buildMod(store(), readModPackage(zipped({ path: 'sub/deep/a.num' }), 'z'), { root, folder: out })).files[0],
    ).toMatchObject({
      state: 'failed',
    })
    expect(existsSync(join(outside, 'deep'))).toBe(false)
    writeFiles(outside, { 'own.num': numbersBytes([7]) })
    symlinkSync(join(outside, 'own.num'), join(out, 'b.num'))
    expect(
      (await buildMod(store(), readModPackage(zipped({ path: 'b.num' }), 'z'), { root, folder: out, force: true })).files[0],
    ).toMatchObject({ state: 'failed' })
    expect(read(join(outside, 'own.num'))).toEqual(numbersBytes([7]))
    symlinkSync(outside, join(root, 'link'))
    writeFiles(outside, { 'a.num': bytes })
    expect((await buildMod(store(), readModPackage(zipped({ path: 'link/a.num' }), 'z'), { root, folder: out })).files[0]).toMatchObject({
      state: 'failed',
    })
    for (const folder of [root, join(root, 'mod'), base])
      await expect(buildMod(store(), readModPackage(zipped(), 'z'), { root, folder })).rejects.toMatchObject({ code: 'refused' })
  })
})
