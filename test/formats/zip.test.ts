/** Zips as read-only folders. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { FormatError } from '../../src/main/binary/format-error.ts'
import { FileStore } from '../../src/main/files/store.ts'
import { makeBig } from '../../src/main/formats/w3d/archives/big.ts'
import { zip } from '../../src/main/formats/zip/zip.ts'
import { w3dSample } from '../../src/main/sample/w3d.ts'
import { marrow } from '../cli/run.ts'
import { put, tempFolder } from '../files/temp.ts'
import { cat, u16, u32 } from '../fixtures/w3d/chunks.ts'
import { zipOf } from '../fixtures/zip.ts'
import { junk } from '../support/hostile.ts'
import { libraryCounts } from '../support/library-counts.ts'

const call = (...args: string[]) => marrow(args, { stateFolder: tempFolder() })

/** Every member's bytes, or the code that it fails with. */
function read(bytes: Uint8Array): { members: Record<string, string | Uint8Array>; problems: string[] } {
  const path = put(tempFolder(), 'x.zip', bytes)
  const store = new FileStore()
  try {
    const members: Record<string, string | Uint8Array> = {}
    for (const { ref, key } of store.members(path)) {
      try {
        members[key] = store.read(ref)
        const source = store.source(ref)
        const n = Math.min(100, source.size)
        expect(store.source(ref).read(0, n)).toEqual((members[key] as Uint8Array).slice(0, n))
      } catch (error) {
        if (!(error instanceof FormatError)) throw error
        expect(error.file).toBe(ref)
        members[key] = error.code
      }
    }
    return { members, problems: store.openArchive(path)!.index.diagnostics.map(({ code }) => code) }
  } finally {
    store.close()
  }
}

const long = cat(junk(9000, 3), new Uint8Array(50_000), junk(9000, 3))

describe('a zip', () => {
  it('has stored and deflated entries, of zip64 too, behind a comment or none', () => {
    const entries = [
      { name: 'a/long.bin', body: long },
      { name: 'a/', body: new Uint8Array(0), method: 0 },
      { name: 'stored.bin', body: junk(300, 1), method: 0 },
      { name: 'empty.bin', body: new Uint8Array(0) },
      { name: 'none.bin', body: new Uint8Array(0), method: 0 },
    ]
    const members = { 'a/long.bin': long, 'stored.bin': junk(300, 1), 'empty.bin': new Uint8Array(0), 'none.bin': new Uint8Array(0) }
    const comments = [undefined, junk(65535, 2), cat(u32(0x06054b50), junk(40, 1))]
    for (const comment of comments)
      for (const wide of [false, true])
        expect(
          read(
            zipOf(
              entries.map((entry) => ({ ...entry, wide })),
              { wide, comment },
            ),
          ),
        ).toEqual({ members, problems: [] })
    expect(read(zipSync({ 'x/y.bin': long, 'z.bin': [junk(20, 4), { level: 0 }] })).members).toEqual({
      'x/y.bin': long,
      'z.bin': junk(20, 4),
    })
    expect(read(zipOf([])).members).toEqual({})
  })

  it('has names in UTF-8, in code page 437, and in the field for them', () => {
    const raw = Uint8Array.of(0x81, 0x9a, 0xe1, 0xfe, 0x2e, 0x61)
    const field = (crc: number): Uint8Array => {
      const name = new TextEncoder().encode('腰.a')
      return cat(u16(0x7075, 5 + name.length), [1], u32(crc), name)
    }
    const names = (list: { name: string | Uint8Array; extra?: Uint8Array; flags?: number }[]): string[] =>
      Object.keys(read(zipOf(list.map((entry) => ({ ...entry, body: junk(3, 1) })))).members)
    expect(names([{ name: '走り.mot' }, { name: raw }])).toEqual(['走り.mot', 'üÜß■.a'])
    expect(names([{ name: raw, extra: field(crc32(raw)) }])).toEqual(['腰.a'])
    // of another name, and no UTF-8 after all
    expect(names([{ name: raw, extra: field(1) }])).toEqual(['üÜß■.a'])
    expect(names([{ name: raw, flags: 0x800 }])).toEqual(['üÜß■.a'])
    expect(names([{ name: 'A.bin' }, { name: 'a.BIN' }])).toEqual(['A.bin~2', 'a.BIN'])
  })

  it('leaves out names that lead out of it', async () => {
    const bad = ['../up', 'a/../../up', '/root', '\\root', '..\\up', 'C:/x', 'c:x', 'a//b', './a', 'a\0b', 'a\nb', '', '..', 'a/..\\..\\b']
    const { members, problems } = read(zipOf([...bad, 'good'].map((name) => ({ name, body: junk(4, 1) }))))
    expect(Object.keys(members)).toEqual(['good'])
    expect(problems).toEqual(bad.map(() => 'zip.name-outside'))
    const root = tempFolder({ 'x.zip': zipOf(bad.map((name) => ({ name, body: junk(4, 1) }))) })
    await call('archive', 'extract', join(root, 'x.zip'), '--out', join(root, 'in', 'out'))
    expect(existsSync(join(root, 'up')) || existsSync(join(root, 'in', 'up'))).toBe(false)
  })

  it('lists what it cannot read, with why', () => {
    const body = junk(500, 1)
    const packed = new Uint8Array(deflateRawSync(new Uint8Array(5000)))
    const { members, problems } = read(
      zipOf([
        { name: 'encrypted', body, flags: 1 },
        { name: 'lzma', body, method: 14, packed: body },
        { name: 'stored', body, method: 0, size: 499 },
        { name: 'crc', body, crc: 1 },
        { name: 'stored crc', body, method: 0, crc: 1 },
        { name: 'more', body: new Uint8Array(5000), size: 4999 },
        { name: 'less', body: new Uint8Array(5000), size: 5001 },
        { name: 'cut', body: new Uint8Array(5000), packed: packed.slice(0, -3) },
        { name: 'no deflate', body, packed: junk(400, 7) },
        { name: 'huge', body, size: 2 ** 29 + 1 },
        { name: 'impossible', body: new Uint8Array(0), size: 100_000 },
        { name: 'good', body },
      ]),
    )
    expect(members).toEqual({
      encrypted: 'unsupported',
      lzma: 'unsupported',
      stored: 'bad-value',
      crc: 'bad-value',
      'stored crc': 'bad-value',
      more: 'bad-value',
      less: 'bad-value',
      cut: 'bad-value',
      'no deflate': 'bad-value',
      huge: 'refused',
      impossible: 'bad-count',
      good: body,
    })
    expect(problems).toEqual(['zip.unreadable', 'zip.unreadable', 'zip.unreadable'])
  })

  it('unpacks no bomb: not one that says less, nor one that says it all, nor one in another', () => {
    const zeros = new Uint8Array(deflateRawSync(new Uint8Array(2 ** 26)))
    const liar = { name: 'liar', body: new Uint8Array(0), packed: zeros, size: 10 }
    const { members } = read(zipOf([liar, { name: 'true', body: new Uint8Array(0), packed: zeros, size: 2 ** 30 }]))
    expect(members).toEqual({ liar: 'bad-value', true: 'refused' })
    const inner = zipOf([liar])
    const path = put(tempFolder(), 'x.zip', zipOf([{ name: 'in.zip', body: inner }]))
    const store = new FileStore()
    try {
      expect(() => store.read(`${path}!in.zip!liar`)).toThrow(FormatError)
    } finally {
      store.close()
    }
  })

  it('is a typed error or a shorter one when it is cut, or damaged, anywhere', () => {
    const whole = zipOf(
      [
        { name: 'a', body: new Uint8Array(99), wide: true },
        { name: 'b', body: junk(20, 1), method: 0 },
      ],
      { wide: true },
    )
    const tame = (bytes: Uint8Array, what: string): boolean => {
      const source = {
        ref: 'x',
        size: bytes.length,
        read(offset: number, length: number) {
          if (offset < 0 || length < 0 || offset + length > bytes.length) throw new Error(`${what}: read ${offset} ${length}`)
          return bytes.slice(offset, offset + length)
        },
      }
      try {
        const index = zip.open(source, source)
        zip.describe(index)
        let i = 0
        for (const { offset, size } of index.members) {
          const stored = { ref: 'x', size, read: (at: number, n: number) => source.read(offset + at, n) }
          const body = zip.unpack!(index, i++, stored)!
          body.bytes(Math.min(5, body.size))
          body.bytes(body.size)
        }
        return true
      } catch (error) {
        if (!(error instanceof FormatError)) throw error
        expect(error.message, what).not.toBe('')
        return false
      }
    }
    expect(tame(whole, 'whole')).toBe(true)
    for (let n = 0; n < whole.length; n++) expect(tame(whole.slice(0, n), `cut at ${n}`)).toBe(false)
    for (let i = 0; i < whole.length; i++)
      for (const value of [0, 1, 0x7f, 0x80, 0xff]) {
        const copy = whole.slice()
        copy[i] = value
        tame(copy, `byte ${i} set to ${value}`)
      }
  })
})

describe('a mod that is a zip', () => {
  const sample = w3dSample()
  const files = sample.map(({ path, bytes }) => ({ name: path, body: bytes }))
  const model = 'Zero Hour/Art/W3D/WALKER_SKN.W3D'

  it('stands in the library as the folder that it was made of, archives in it and all', () => {
    const plain = libraryCounts(tempFolder(Object.fromEntries(sample.map(({ path, bytes }) => [path, bytes]))))
    expect(libraryCounts(tempFolder({ 'mod.zip': zipOf(files) }))).toEqual(plain)
    expect(libraryCounts(tempFolder({ 'all.zip': zipOf([{ name: 'mod.zip', body: zipOf(files) }]) }))).toEqual(plain)
  })

  it('is told, compared, listed and taken out', async () => {
    const path = put(tempFolder(), 'mod.zip', zipOf(files))
    expect((await call('archive', 'list', path, '--json')).json()).toMatchObject({ format: 'common.zip' })
    expect((await call('info', `${path}!${model}`, '--json')).json()).toMatchObject({
      format: 'w3d.file',
      size: sample[0].bytes.length,
      readOnly: expect.stringContaining('zip'),
    })
    const out = tempFolder()
    expect((await call('archive', 'extract', path, '--out', out, '--json')).json().failures).toEqual([])
    for (const { path: name, bytes } of sample) expect(Buffer.compare(readFileSync(join(out, name)), bytes), name).toBe(0)
    expect((await call('compare', path, out, '--json')).status).toBe(0)
    expect((await call('roundtrip', path, '--copy', '--json')).json().failures).toEqual([])
  })

  it('refuses every edit with read-only and why, and keeps its bytes', async () => {
    const big = makeBig('BIGF', [{ name: 'a.dat', bytes: junk(50, 1) }])
    const whole = zipOf([...files, { name: 'x.big', body: big }])
    const path = put(tempFolder(), 'mod.zip', whole)
    const file = put(tempFolder(), 'new.dat', junk(9, 1))
    const { clips } = (await call('clip', 'list', `${path}!${model}`, '--json')).json()
    const calls = [
      ['clip', 'rename', `${path}!${model}`, clips[0].name, 'OTHER'],
      ['archive', 'add', path, file],
      ['archive', 'replace', path, model, file],
      ['archive', 'rename', path, model, 'other'],
      ['archive', 'remove', path, model],
      ['archive', 'remove', `${path}!x.big`, 'a.dat'],
      ['archive', 'replace', `${path}!x.big`, 'a.dat', file],
    ]
    for (const args of calls) {
      const { error } = (await call(...args, '--json')).json()
      expect(error, args.join(' ')).toMatchObject({ code: 'read-only', message: expect.stringContaining('unpack it') })
    }
    expect(Buffer.compare(readFileSync(path), whole)).toBe(0)
  })
})
