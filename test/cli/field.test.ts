import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { archiveCases } from '../support/archive-cases.ts'
import { changedRanges } from '../support/edit-session.ts'
import { readBig } from '../support/read-archives.ts'
import { sampleFiles } from '../support/sample.ts'
import { tempFolder } from '../files/temp.ts'
import { registry } from '../../src/main/formats/registry.ts'
import { marrow } from './run.ts'

const state = tempFolder()
const call = (...args: string[]) => marrow(args, { registry, stateFolder: state })
const sample = (ending: string): Uint8Array => sampleFiles().find(({ path }) => path.endsWith(ending))!.bytes
const PATH = 'mesh[0].header.sortLevel'

describe('marrow field', () => {
  it('lists, tells and sets: its bytes alone change', async () => {
    const before = sample('WALKER_SKN.W3D')
    const file = join(tempFolder({ 'a.w3d': before }), 'a.w3d')
    const list = await call('field', 'list', file, '--filter', 'header sort', '--json')
    expect(list.json().fields[0]).toEqual({ path: PATH, type: 'i32', value: '0', form: 'number', refused: '' })
    expect((await call('field', 'list', file)).out).toContain(`${PATH} = 0  (i32)\n`)
    expect(await call('field', 'get', file, PATH)).toMatchObject({ status: 0, out: '0\n' })
    expect((await call('field', 'get', file, PATH, '--json')).json()).toMatchObject({
      path: file,
      field: { path: PATH, form: 'number', least: -(2 ** 31), most: 2 ** 31 - 1, whole: true },
    })
    const set = await call('field', 'set', file, PATH, '7', '--json')
    expect(set.json()).toMatchObject({ before: '0', field: { value: '7' }, saved: [{ path: file, changedBytes: 1 }] })
    expect(changedRanges(before, readFileSync(file))).toHaveLength(1)
    expect((await call('field', 'set', file, PATH, '--', '-1')).status).toBe(0)
    expect((await call('field', 'get', file, PATH)).out).toBe('-1\n')
    expect((await call('field', 'set', file, PATH, '0')).status).toBe(0)
    expect(Buffer.compare(readFileSync(file), before)).toBe(0)
    expect((await call('field', 'set', file, PATH, '0')).out).toContain('nothing changed')
  })
  it('lists the first of many numbers, and tells them all where they are asked for', async () => {
    const file = join(tempFolder({ 'a.txd': new Uint8Array([...sample('adventurer.txd'), ...new Uint8Array(1880).fill(7)]) }), 'a.txd')
    const sevens = (n: number): string => Array.from({ length: n }, () => '7').join(', ')
    expect((await call('field', 'list', file, '--filter', 'trailing')).out).toContain(`trailing = ${sevens(16)}, … (1880)  (u8[1880])\n`)
    expect((await call('field', 'get', file, 'trailing')).out).toBe(`${sevens(1880)}\n`)
    const [told] = (await call('field', 'list', file, '--filter', 'trailing', '--json')).json().fields
    expect(told.value).toBe(sevens(1880))
  })
  it('sets a field of a member of an archive, and leaves the other members', async () => {
    const big = join(tempFolder({ 'parts.big': sample('WalkerParts.big') }), 'parts.big')
    const before = readBig(readFileSync(big))
    const i = before.findIndex(({ name }) => /\.w3d$/i.test(name))
    const member = `${big}!${before[i].name.replaceAll('\\', '/')}`
    const [first] = (await call('field', 'list', member, '--filter', 'name', '--json')).json().fields.filter((f: any) => f.form === 'text')
    expect(await call('field', 'set', member, first.path, 'AB')).toMatchObject({ status: 0 })
    expect((await call('field', 'get', member, first.path)).out).toBe('AB\n')
    const after = readBig(readFileSync(big))
    expect(after.map(({ name }) => name)).toEqual(before.map(({ name }) => name))
    expect(after.filter(({ bytes }, k) => Buffer.compare(bytes, before[k].bytes) !== 0).map(({ name }) => name)).toEqual([before[i].name])
  })
  it('sets a field of the directory of an archive, which is named by any of its files', async () => {
    const { files } = archiveCases.PAK()
    const pack = join(tempFolder(files), 'x.chr')
    const list = (await call('field', 'list', pack, '--filter', 'records[1]', '--json')).json()
    expect(list.path).toBe(pack)
    expect(list.fields.map(({ path, form }: any) => [path, form])).toEqual([
      ['records[1].name', 'none'],
      ['records[1].dataOffset', 'none'],
      ['records[1].size', 'none'],
      ['records[1].stride', 'none'],
      ['records[1].junk', 'number'],
    ])
    expect((await call('field', 'get', pack, 'records[1].junk')).out).toBe('43981\n')
    const at = 0x50 + 112 + 0x4c
    const junk = await call('field', 'set', pack, 'records[1].junk', '43980', '--json')
    expect(junk.json()).toMatchObject({ before: '43981', field: { value: '43980' }, saved: [{ path: pack, changedBytes: 1 }] })
    files['x.chr'][at]--
    expect((await call('field', 'set', pack, 'end.size', '9')).status).toBe(0)
    files['x.chr'].set([9, 0, 0, 0], 0x50 * 4 + 112 + 64 + 48 + 0x44)
    expect(new Uint8Array(readFileSync(pack))).toEqual(files['x.chr'])
    expect((await call('field', 'set', pack, 'end.size', '9')).out).toContain('nothing changed')
    expect(await call('field', 'set', pack, 'records[1].stride', '9')).toMatchObject({
      status: 1,
      err: expect.stringContaining('replace the member'),
    })
    expect((await call('field', 'get', pack, 'records[9].junk')).err).toContain('there is no field records[9].junk')
    const disc = archiveCases.HED().files
    const folder = tempFolder(disc)
    expect((await call('field', 'set', join(folder, 'DATA.DAT'), 'records[2].unknown48', '5')).status).toBe(0)
    disc['DATA.HED'].set([5, 0, 0, 0], 2 * 0x50 + 0x48)
    for (const [name, bytes] of Object.entries(disc)) expect(new Uint8Array(readFileSync(join(folder, name))), name).toEqual(bytes)
  })
  it('refuses what is no field, what follows from the file, what is outside of its limits, and what is only read', async () => {
    const before = sample('WALKER_SKN.W3D')
    const folder = tempFolder({ 'a.w3d': before })
    const file = join(folder, 'a.w3d')
    expect(await call('field', 'get', file, 'nobody')).toMatchObject({
      status: 1,
      err: expect.stringContaining('there is no field nobody'),
    })
    expect(await call('field', 'set', file, 'mesh[0].header.numTris', '3')).toMatchObject({
      status: 1,
      err: expect.stringContaining('it follows from what the file holds'),
    })
    expect((await call('field', 'set', file, PATH, '2147483648', '--json')).json()).toMatchObject({
      error: { code: 'invalid-edit', message: `sortLevel goes from -2147483648 to 2147483647: 2147483648 is outside (${PATH})` },
    })
    expect((await call('field', 'get', join(folder, 'none.w3d'), PATH)).status).toBe(1)
    expect(Buffer.compare(readFileSync(file), before)).toBe(0)
    // a compiled script is only looked at
    const script = join(folder, 'info.cfg')
    writeFileSync(script, Uint8Array.of(0x42, 0x49, 0x4e, 0, 1, 2, 3))
    expect((await call('field', 'get', script, 'magic', '--json')).json().field).toMatchObject({
      form: 'none',
      refused: expect.stringContaining('ompiled'),
    })
    expect((await call('field', 'set', script, 'magic', 'AB', '--json')).json()).toMatchObject({ error: { code: 'read-only' } })
    chmodSync(file, 0o444)
    expect((await call('field', 'set', file, PATH, '3', '--json')).json()).toMatchObject({ error: { code: 'write-protected' } })
    expect((await call('field', 'set', file, PATH, '3', '--replace-read-only')).status).toBe(0)
  })
})
