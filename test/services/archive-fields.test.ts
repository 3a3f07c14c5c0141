/** Fields of the directories of archives: set as steps, written as their bytes alone, and refused with a way where they follow from the members. */
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { archiveCases, joined } from '../support/archive-cases.ts'
import { readBytes } from '../support/corpus.ts'
import { makeDisc } from '../support/discs.ts'
import { junk } from '../support/hostile.ts'
import { makeIso } from '../support/iso.ts'
import { serviceBenches } from '../support/service-bench.ts'
import { zipOf } from '../fixtures/zip.ts'
import type { ServiceBench } from '../support/service-bench.ts'
import type { StructureNode } from '../../src/shared/api/types/structure.ts'

const bench = serviceBenches(afterEach)
const WHOLE = -1

async function opened(files: Record<string, Uint8Array>, name: string, more: Parameters<typeof bench>[0] = {}) {
  const at = bench({ files, ...more })
  await at.call('library.open', { root: at.game })
  const ref = join(at.game, name)
  return { ...at, at, ref, state: await at.call('archive.open', { ref }) }
}

type At = Pick<ServiceBench, 'call' | 'ask'> & { ref: string }
const set = ({ ask, ref }: At, id: number, path: string, value: string) =>
  ask('archive.change', { ref, step: { kind: 'field', id, path, value } })
const refusal = async (at: At, id: number, path: string, value: string): Promise<string> => {
  const got = await set(at, id, path, value)
  return got.ok ? 'ok' : `${got.error.code}: ${got.error.message}`
}
const valueOf = async ({ call, ref }: At, id: number, path: string): Promise<string> =>
  (await call('archive.field', { ref, id, path })).value

const u16 = (value: number): number[] => [value & 0xff, value >> 8]
const u32 = (value: number): number[] => [...u16(value & 0xffff), ...u16(value >>> 16)]
const be = (value: number): number[] => u32(value).reverse()

/** Names behind a record of zeros, and behind that a record that no game reads. */
function hiddenHd2(): Record<string, Uint8Array> {
  const records = [u32(96), u32(1), u32(2), u32(3), u32(2048), u32(100), u32(1), u32(1)].flat()
  return {
    'DATA.DAT': junk(3 * 2048, 5),
    'DATA.HD2': joined(records, new Uint8Array(32), junk(32, 6), Buffer.from('a.chr\0'), junk(5, 7)),
  }
}

/** A writer's own bytes between table and body. */
function tailed(): Record<string, Uint8Array> {
  const table = joined(Buffer.from('BIGF'), u32(0x1234), be(1), be(0x77), be(50), be(30), Buffer.from('a.w3d\0'))
  return { 'x.big': joined(table, junk(50 - table.length, 3), junk(33, 4)) }
}

interface Edit {
  id: number
  path: string
  value: string
  /** where its bytes stand, by the table of the format's description */
  file: string
  at: number
  bytes: number[]
}

const PAK_STRIDES = [0x50 + 112, 0x50 + 64, 0x50, 0x50 + 48]
const pakRecord = (i: number): number => PAK_STRIDES.slice(0, i).reduce((sum, stride) => sum + stride, 0)

const edits: [kind: string, files: () => Record<string, Uint8Array>, name: string, edits: Edit[]][] = [
  [
    'IMG v2',
    () => archiveCases['IMG v2']().files,
    'gta3.img',
    [
      { id: 2, path: 'streamingSize', value: '300', file: 'gta3.img', at: 8 + 32 * 2 + 4, bytes: u16(300) },
      { id: WHOLE, path: 'padding[5]', value: '0xc8', file: 'gta3.img', at: 8 + 32 * 5 + 5, bytes: [200] },
    ],
  ],
  [
    'BIG',
    () => archiveCases.BIG().files,
    'x.big',
    [
      { id: WHOLE, path: 'magic', value: 'BIG4', file: 'x.big', at: 0, bytes: [...Buffer.from('BIG4')] },
      { id: WHOLE, path: 'archiveSize', value: '77', file: 'x.big', at: 4, bytes: u32(77) },
      { id: WHOLE, path: 'headerSize', value: '0x01020304', file: 'x.big', at: 12, bytes: [1, 2, 3, 4] },
    ],
  ],
  ['BIG with a tail', tailed, 'x.big', [{ id: WHOLE, path: 'tail[3]', value: '9', file: 'x.big', at: 16 + 8 + 6 + 3, bytes: [9] }]],
  [
    'PAK',
    () => archiveCases.PAK().files,
    'x.chr',
    [
      { id: 1, path: 'junk', value: '0x12345678', file: 'x.chr', at: pakRecord(1) + 0x4c, bytes: u32(0x12345678) },
      { id: 0, path: 'padding[2]', value: '5', file: 'x.chr', at: 0x50 + 100 + 2, bytes: [5] },
      { id: WHOLE, path: 'end.size', value: '1', file: 'x.chr', at: pakRecord(4) + 0x44, bytes: u32(1) },
      { id: WHOLE, path: 'end.junk', value: '2', file: 'x.chr', at: pakRecord(4) + 0x4c, bytes: u32(2) },
      { id: WHOLE, path: 'trailing[3]', value: '3', file: 'x.chr', at: pakRecord(4) + 0x50 + 3, bytes: [3] },
    ],
  ],
  [
    'HD2',
    () => archiveCases.HD2().files,
    'DATA.HD2',
    [
      { id: 1, path: 'zero8', value: '7', file: 'DATA.HD2', at: 32 + 8, bytes: u32(7) },
      { id: 4, path: 'zeroC', value: '4294967295', file: 'DATA.HD2', at: 4 * 32 + 12, bytes: u32(0xffffffff) },
    ],
  ],
  [
    'HD2 with a hidden record',
    hiddenHd2,
    'DATA.HD2',
    [{ id: WHOLE, path: 'hidden[0][5]', value: '8', file: 'DATA.HD2', at: 64 + 20, bytes: u32(8) }],
  ],
  [
    'HED',
    () => archiveCases.HED().files,
    'DATA.HED',
    [
      { id: 0, path: 'unknown48', value: '1', file: 'DATA.HED', at: 0x48, bytes: u32(1) },
      { id: 3, path: 'unknown4C', value: '2', file: 'DATA.HED', at: 3 * 0x50 + 0x4c, bytes: u32(2) },
      { id: WHOLE, path: 'trailing[83]', value: '3', file: 'DATA.HED', at: 5 * 0x50 + 83, bytes: [3] },
    ],
  ],
  [
    'a disc of four directories',
    () => makeDisc(),
    'DATA.HD2',
    [{ id: 0, path: 'zero4', value: '9', file: 'DATA.HD2', at: 4, bytes: u32(9) }],
  ],
]

describe('a field of the directory', () => {
  it.each(edits)('of %s is planned, taken back, and written as its bytes alone', async (_kind, made, name, list) => {
    const files = made()
    const at = await opened(files, name)
    const { call, ref, game } = at
    const before = await Promise.all(list.map(({ id, path }) => valueOf(at, id, path)))
    for (const { id, path, value } of list) {
      expect(await refusal(at, id, path, value)).toBe('ok')
      const field = await call('archive.field', { ref, id, path })
      expect([Number(field.value) || field.value, field.refused]).toEqual([Number(value) || value, ''])
      // what has the wrong form, or is out of its limits, is no step
      for (const wrong of ['', 'abcde', '-1', '4294967296', '1.5', '1, 2'])
        expect(await refusal(at, id, path, wrong), `${path} ${wrong}`).toMatch(/^invalid-edit: /)
    }
    expect(await call('archive.open', { ref })).toMatchObject({ steps: list.length, undo: `Set ${list.at(-1)!.path}` })
    for (const file of Object.keys(files)) expect(readBytes(join(game, file))).toEqual(files[file])
    for (let i = 0; i < list.length; i++) await call('archive.undo', { ref })
    expect(await Promise.all(list.map(({ id, path }) => valueOf(at, id, path)))).toEqual(before)
    for (let i = 0; i < list.length; i++) await call('archive.redo', { ref })
    const plan = await call('archive.plan', { ref })
    expect(plan.tables).toBe(list.reduce((sum, { bytes }) => sum + bytes.length, 0))
    // of several files each is named
    const own = Object.keys(files).map((file) => join(game, file))
    expect((plan.each ?? [{ file: ref }]).map(({ file }) => file).sort()).toEqual(own.sort())
    await call('archive.save', { ref })
    for (const { file, at: offset, bytes } of list) files[file].set(bytes, offset)
    for (const file of Object.keys(files)) expect(readBytes(join(game, file)), file).toEqual(files[file])
  })

  it('follows its member through what else is planned, and goes with it', async () => {
    const files = archiveCases.PAK().files
    const at = await opened(files, 'x.chr')
    const { call, ref } = at
    const { body } = await call('archive.hold', { ref, bytes: junk(20, 9) })
    await call('archive.change', { ref, step: { kind: 'add', files: [{ name: 'new.cfg', body }] } })
    expect(await refusal(at, 1, 'junk', '1')).toBe('ok')
    expect(await refusal(at, 4, 'junk', '2')).toBe('ok')
    expect(await refusal(at, 3, 'junk', '3')).toBe('ok')
    await call('archive.change', { ref, step: { kind: 'move', ids: [4], before: 0 } })
    await call('archive.change', { ref, step: { kind: 'rename', id: 1, name: 'z.mot' } })
    await call('archive.change', { ref, step: { kind: 'remove', ids: [0, 3] } })
    const { rows } = await call('archive.members', { ref, text: '', offset: 0, limit: 9 })
    expect(rows.map(({ id, state }) => [id, state])).toEqual([
      [4, 'new'],
      [1, 'renamed'],
      [2, 'same'],
    ])
    expect([await valueOf(at, 4, 'junk'), await valueOf(at, 1, 'junk'), await valueOf(at, 2, 'junk')]).toEqual(['2', '1', '43981'])
    await call('archive.save', { ref })
    const now = readBytes(ref)
    const word = (offset: number): number => new DataView(now.buffer, now.byteOffset).getUint32(offset, true)
    const second = word(0x48)
    expect([word(0x4c), word(second + 0x4c), word(second + word(second + 0x48) + 0x4c)]).toEqual([2, 1, 43981])
  })

  it('is planned still after a crash', async () => {
    const at = await opened(archiveCases.BIG().files, 'x.big')
    expect(await refusal(at, WHOLE, 'archiveSize', '5')).toBe('ok')
    const again = await opened({}, 'x.big', { after: at.at })
    expect(again.state).toMatchObject({ steps: 1, undo: 'Set archiveSize' })
    expect(await valueOf(again, WHOLE, 'archiveSize')).toBe('5')
    expect(await refusal(again, 2, 'name', 'x')).toMatch(/rename the member$/)
    expect(
      (await again.call('archive.structure', { ref: again.ref, id: WHOLE })).fields.find(({ name }) => name === 'archiveSize')?.value,
    ).toBe('5')
  })
})

const names = ({ fields }: StructureNode, open: boolean): string[] =>
  fields.filter(({ use }) => (use?.is !== 'structure') === open).map(({ name }) => name)

describe('a field that follows from the members', () => {
  it.each([
    ['IMG v2', 'gta3.img', ['padding'], [], ['offset', 'streamingSize', 'archiveSize', 'name']],
    ['IMG v1', 'gta3.dir', [], [], ['offset', 'size', 'name']],
    ['HD2', 'DATA.HD2', [], ['zero4', 'zero8', 'zeroC'], ['nameOffset', 'offset', 'size', 'sector', 'sectors']],
    ['HD3', 'DATA.HD3', [], [], ['nameOffset', 'size', 'sector', 'sectors']],
    ['HD4', 'DATA.HD4', [], [], ['nameOffset', 'size', 'sector']],
    ['HED', 'DATA.HED', ['trailing'], ['unknown48', 'unknown4C'], ['name', 'offset', 'size']],
    ['BIG', 'x.big', ['magic', 'archiveSize', 'headerSize'], [], ['offset', 'size', 'name']],
    ['MIX', 'x.mix', [], [], ['crc', 'offset', 'size']],
    ['PAK', 'x.chr', ['trailing'], ['junk', 'padding'], ['name', 'dataOffset', 'size', 'stride']],
  ])('of %s says what is done instead', async (kind, name, whole, open, closed) => {
    const files = archiveCases[kind]().files
    const at = await opened(files, name)
    const { call, ref } = at
    const [root, entry] = [await call('archive.structure', { ref, id: WHOLE }), await call('archive.structure', { ref, id: 0 })]
    expect([names(root, true), names(entry, true), names(entry, false)]).toEqual([whole, open, closed])
    expect(root.children.filter(({ name: child }) => child !== 'end')).toEqual([])
    for (const [id, paths] of [
      [WHOLE, names(root, false)],
      [0, closed],
    ] as const)
      for (const path of paths) {
        expect(await call('archive.field', { ref, id, path })).toMatchObject({ form: 'none' })
        const why = await refusal(at, id, path, '1')
        if (path !== 'magic') expect(why, path).toMatch(/follows from .*: (rename|replace|add, remove)/)
      }
    expect(await call('archive.open', { ref })).toMatchObject({ steps: 0 })
    expect(readBytes(ref)).toEqual(files[name])
  })

  it('is seen by what it would do, whatever it is called', async () => {
    const hed = await opened(archiveCases.HED().files, 'DATA.HED')
    // one more record than before
    expect(await refusal(hed, WHOLE, 'trailing[0]', '65')).toMatch(/^invalid-edit: .*decides how the file is read/)
    const img = await opened(archiveCases['IMG v2']().files, 'gta3.img')
    expect(await refusal(img, 2, 'nobody', '1')).toMatch(/^not-found: /)
    expect(await refusal(img, 99, 'name', '1')).toMatch(/^not-found: /)
    expect(await refusal(img, -2, 'name', '1')).toMatch(/^invalid-argument: /)
  })

  it('is refused in what is only read, and in an image of a disc', async () => {
    const zip = await opened({ 'm.zip': zipOf([{ name: 'a.txt', body: junk(9, 1) }]) }, 'm.zip')
    expect(await zip.call('archive.field', { ref: zip.ref, id: 0, path: 'crc' })).toMatchObject({
      form: 'none',
      refused: expect.stringMatching(/zip/i),
    })
    expect(await refusal(zip, 0, 'crc', '1')).toMatch(/^read-only: /)
    const iso = await opened({ 'g.iso': makeIso(archiveCases.HD3().files).image }, 'g.iso')
    expect(await iso.call('archive.field', { ref: iso.ref, id: 0, path: 'size' })).toMatchObject({ form: 'none' })
    expect(await refusal(iso, 0, 'size', '1')).toMatch(/^unsupported: /)
    await expect(iso.call('archive.structure', { ref: 'new:', id: WHOLE })).rejects.toMatchObject({ code: 'not-found' })
  })
})
