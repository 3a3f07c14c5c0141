import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FormatError } from '../../src/main/binary/format-error.ts'
import { FileStore } from '../../src/main/files/store.ts'
import { findModels } from '../../src/main/files/find-models.ts'
import { iso } from '../../src/main/formats/iso/iso.ts'
import { newPack } from '../../src/main/formats/level5/archives/pack.ts'
import { replaceFiles } from '../../src/main/formats/iso/replace.ts'
import { makeDisc } from '../support/discs.ts'
import { junk } from '../support/hostile.ts'
import { makeIso, SECTOR } from '../support/iso.ts'
import { temporaryFolder } from '../workspace/support.ts'
import { mdsBytes, nodes } from '../fixtures/level5/bytes.ts'
import type { ByteSource, Segment } from '../../src/main/formats/archive.ts'
import { readVolume } from '../../src/main/formats/iso/volume.ts'
import type { IsoFile, Volume } from '../../src/main/formats/iso/volume.ts'

const source = (bytes: Uint8Array): ByteSource => ({
  size: bytes.length,
  ref: 'game.iso',
  read(offset, length) {
    if (offset < 0 || offset + length > bytes.length) throw new FormatError('truncated', 'outside', { file: 'game.iso', offset })
    return bytes.slice(offset, offset + length)
  },
})
const open = (bytes: Uint8Array) => iso.open(source(bytes), source(bytes))

const bodies = {
  'SYSTEM.CNF': junk(70, 1),
  'DATA.DAT': junk(5000, 2),
  'EMPTY.': new Uint8Array(0),
  'IOP/A.IRX': junk(2048, 3),
  'IOP/DEEP/B.IRX': junk(1, 4),
}
const made = () =>
  makeIso({
    'SYSTEM.CNF': bodies['SYSTEM.CNF'],
    IOP: { 'A.IRX': bodies['IOP/A.IRX'], DEEP: { 'B.IRX': bodies['IOP/DEEP/B.IRX'] } },
    'EMPTY.': bodies['EMPTY.'],
    'DATA.DAT': bodies['DATA.DAT'],
  })

describe('an image of a disc', () => {
  it('lists its files below their folders, without versions, and gives their bytes', () => {
    const { image, places } = made()
    const index = open(image)
    expect(index.diagnostics).toEqual([])
    expect(index.members.map(({ name, offset, size }) => [name, offset, size])).toEqual(
      (['SYSTEM.CNF', 'EMPTY.', 'DATA.DAT', 'IOP/A.IRX', 'IOP/DEEP/B.IRX'] as const).map((name) => [
        name.replace(/\.$/, ''),
        places.get(name),
        bodies[name].length,
      ]),
    )
    for (const { name, offset, size } of index.members)
      expect(image.slice(offset, offset + size)).toEqual(bodies[(name === 'EMPTY' ? 'EMPTY.' : name) as 'DATA.DAT'])
    expect(iso.encode(index)).toEqual([{ kind: 'copy', offset: 0, length: image.length }])
    expect(iso.describe(index)).toMatchObject({ start: 0, end: image.length })
    expect(() => iso.replace(index, new Map())).toThrow(expect.objectContaining({ code: 'read-only' }))
  })

  it('has the body of a file behind the blocks of its extended attributes', () => {
    const { image, records, places } = made()
    const at = records.get('DATA.DAT')!
    image[at + 1] = 2
    const find = (): { offset: number } => open(image).members.find(({ name }) => name === 'DATA.DAT')!
    expect(find().offset).toBe(places.get('DATA.DAT')! + 2 * SECTOR)
    image[at + 1] = 0
    expect(find().offset).toBe(places.get('DATA.DAT'))
  })

  it('is found by its descriptor, which need not be the first', () => {
    expect(open(makeIso({ A: junk(5) }, { descriptor: 19 }).image).members.map(({ name }) => name)).toEqual(['A'])
    const none = made().image
    none[16 * SECTOR + 1] = 0
    expect(() => open(none)).toThrow(expect.objectContaining({ code: 'bad-magic' }))
    const raw = made().image
    raw.set([0, ...new Array<number>(10).fill(255), 0])
    expect(() => open(raw)).toThrow(expect.objectContaining({ code: 'unsupported' }))
  })

  it('cut anywhere is a typed error, or says which file is cut', () => {
    const { image } = made()
    const all = [...image.keys()].filter((n) => n >= 16 * SECTOR - 2 || n % 509 === 0)
    for (const n of all) {
      try {
        const index = open(image.subarray(0, n))
        expect(
          index.diagnostics.some(({ code }) => code === 'iso.range') || index.members.every(({ offset, size }) => offset + size <= n),
        ).toBe(true)
        for (const { offset, size } of index.members) expect(offset + size).toBeLessThanOrEqual(n)
      } catch (error) {
        expect(error, `cut at ${n}`).toBeInstanceOf(FormatError)
      }
    }
  })

  it('is never misled by damaged records', () => {
    const { image } = made()
    for (let at = 16 * SECTOR; at < 22 * SECTOR; at += image[at] === 0 && image[at + 1] === 0 ? 7 : 1)
      for (const value of [0, 0x7f, 0xff]) {
        const copy = image.slice()
        copy[at] = value
        try {
          iso.describe(open(copy))
        } catch (error) {
          expect(error, `byte ${at}`).toBeInstanceOf(FormatError)
        }
      }
  })

  it('checks numbers that stand twice, and says which', () => {
    const { image, records } = made()
    const at = records.get('DATA.DAT')!
    image[at + 17] ^= 1
    const index = open(image)
    expect(index.diagnostics).toMatchObject([{ code: 'iso.twice', offset: at, path: 'root.size' }])
    expect(index.members[2].size).toBe(5000)
    image[16 * SECTOR + 87] ^= 1
    expect(() => open(image)).toThrow(expect.objectContaining({ code: 'bad-value', path: 'volume.blocks' }))
  })

  it('leaves out what leads round in circles, out of the image, or is no name', () => {
    const { image, records } = made()
    // IOP/DEEP is the root
    image.set(image.subarray(16 * SECTOR + 158, 16 * SECTOR + 166), records.get('IOP/DEEP')! + 2)
    image[records.get('SYSTEM.CNF')! + 33 + 6] = '/'.charCodeAt(0)
    new DataView(image.buffer).setUint32(records.get('DATA.DAT')! + 2, 999, true)
    new DataView(image.buffer).setUint32(records.get('DATA.DAT')! + 6, 999, false)
    const index = open(image)
    expect(index.diagnostics.map(({ code }) => code)).toEqual(['iso.name', 'iso.range', 'iso.cycle'])
    expect(index.members.map(({ name, size }) => [name, size])).toEqual([
      ['EMPTY', 0],
      ['DATA.DAT', 0],
      ['IOP/A.IRX', 2048],
    ])
  })

  it('joins the parts of a large file where they stand one behind the other', () => {
    const { image, records, places } = makeIso({ 'A.DAT': junk(SECTOR, 1), 'B.DAT': junk(10, 2), 'C.DAT': junk(5, 3) })
    image[records.get('A.DAT')! + 25] = 0x80
    image[records.get('B.DAT')! + 33] = 'A'.charCodeAt(0)
    expect(open(image).members.map(({ name, offset, size }) => [name, offset, size])).toEqual([
      ['A.DAT', places.get('A.DAT'), SECTOR + 10],
      ['C.DAT', places.get('C.DAT'), 5],
    ])
    image.set([99, 0, 0, 0, 0, 0, 0, 99], records.get('B.DAT')! + 2)
    const index = open(image)
    expect(index.members.map(({ name }) => name)).toEqual(['C.DAT'])
    expect(index.diagnostics.map(({ code }) => code)).toEqual(['iso.parts'])
  })
})

it('the files of a game are reached through the image down to the members of a pack, and its models are found', () => {
  const root = temporaryFolder()
  mkdirSync(root, { recursive: true })
  const pack = newPack([{ name: 'c01a.mds', data: mdsBytes(nodes) }])
  const disc = makeDisc()
  // the first file of the disc has three sectors at the fifth
  disc['DATA.DAT'].set(pack.subarray(0, 3000), 5 * SECTOR)
  expect(pack.length).toBeLessThan(3000)
  writeFileSync(join(root, 'game.iso'), makeIso({ 'SYSTEM.CNF': junk(70, 1), ...disc }).image)
  const store = new FileStore()
  try {
    const image = join(root, 'game.iso')
    const member = 'chara/c01a.chr!c01a.mds'
    expect(store.read(`${image}!DATA.DAT!${member}`)).toEqual(mdsBytes(nodes))
    expect(store.canonical(`${image}!data.dat!chara/c01a.chr`)).toBe(`${image}!DATA.HD2!chara/c01a.chr`)
    // what is in it is edited, and saved into a copy
    expect(store.readOnly(`${image}!DATA.HD2!${member}`)).toBe('')
    expect(store.imageOf(`${image}!DATA.HD2!${member}`)).toBe(image)
    expect(store.imageOf(image)).toBeUndefined()
    expect(store.onDisk(`${image}!SYSTEM.CNF`)).toEqual({ file: image, offset: 19 * SECTOR })
    expect(findModels(store, image).map(({ binding }) => binding.primary)).toEqual([`${image}!DATA.HD2!${member}`])
  } finally {
    store.close()
  }
})

describe('files of an image that get other bytes', () => {
  const ALL = 100 * SECTOR
  /** a file whose record stands in the sector of its number, behind the bodies */
  const file = (number: number, name: string, sector: number, size: number, more: Partial<IsoFile> = {}): IsoFile => ({
    ...{ name, rawName: new Uint8Array(0), offset: sector * SECTOR, size, duplicate: 0 },
    ...{ at: (80 + number) * SECTOR, extent: sector, parts: 1, ...more },
  })
  const data = (more: Partial<IsoFile> = {}): IsoFile => file(0, 'DATA.DAT', 1, SECTOR, more)
  const padding = (size = 4 * SECTOR, more: Partial<IsoFile> = {}): IsoFile => file(1, 'DMMY', 2, size, more)
  const put = (files: IsoFile[], size: number, beside: Volume['beside'] = []): ReturnType<typeof replaceFiles> => {
    const segments: Segment[] = [{ kind: 'bytes', bytes: junk(size, 3), as: 'member' }]
    return replaceFiles({ at: 0, name: '', blockSize: SECTOR, blocks: 100, beside, files }, new Map([[0, segments]]), ALL, 'game.iso')
  }
  /** the numbers of a record that is written anew, by the field's place in it */
  const numberAt = ({ data: segments }: { data: Segment[] }, place: number): number | undefined => {
    let at = 0
    for (const segment of segments) {
      const length = segment.kind === 'bytes' ? segment.bytes.length : segment.length
      if (segment.kind === 'bytes' && at === place) return new DataView(segment.bytes.buffer).getUint32(0, true)
      at += length
    }
    expect(at).toBe(ALL)
    return undefined
  }
  const refused = (why: RegExp): unknown => expect.objectContaining({ code: 'invalid-edit', message: expect.stringMatching(why) })

  it('take what they need of the padding, to its last sector, and leave it empty then', () => {
    const grown = put([data(), padding()], SECTOR + 1)
    expect([2, 10].map((field) => numberAt(grown, padding().at + field))).toEqual([3, 3 * SECTOR])
    const all = put([data(), padding(4 * SECTOR - 100)], 5 * SECTOR)
    expect([2, 10].map((field) => numberAt(all, padding().at + field))).toEqual([6, 0])
    expect(numberAt(all, data().at + 10)).toBe(5 * SECTOR)
    expect(() => put([data(), padding()], 5 * SECTOR + 1)).toThrow(refused(/no padding file/))
  })

  it('take nothing of padding that is in parts, begins with attributes, or has something of another file', () => {
    for (const other of [padding(4 * SECTOR, { parts: 2 }), padding(4 * SECTOR, { extent: 1 })])
      expect(() => put([data(), other], 2 * SECTOR)).toThrow(refused(/no padding file/))
    const beside = (sector: number): IsoFile[] => [data(), padding(), file(2, 'X', sector, 10)]
    expect(() => put(beside(2), 2 * SECTOR)).toThrow(refused(/no padding file/))
    expect(put(beside(3), 2 * SECTOR).notes).toHaveLength(1)
  })

  it('are refused where another file has bytes of theirs, or their record stands in what is written', () => {
    expect(() => put([data(), padding(), file(2, 'X', 1, 10)], SECTOR)).toThrow(refused(/X/))
    expect(put([data(), padding(), file(2, 'X', 1, 0)], SECTOR).notes).toEqual([])
    expect(() => put([data({ at: SECTOR + 40 }), padding()], SECTOR - 1)).toThrow(refused(/./))
  })

  it('tell that directories of UDF and Joliet keep the size, where it is another one', () => {
    const notes = [SECTOR, SECTOR - 1].map((size) => put([data()], size, ['udf', 'joliet']).notes)
    expect(notes).toEqual([[], [expect.stringMatching(/UDF/), expect.stringMatching(/Joliet/)]])
    expect(put([data()], SECTOR - 1).notes).toEqual([])
  })

  it('are known by their descriptors, Joliet by what it says of its letters', () => {
    const { image } = makeIso({ 'A.TXT': junk(10) })
    const beside = (change: (bytes: Uint8Array) => void): string[] => {
      const bytes = new Uint8Array([...image, ...new Uint8Array(4 * SECTOR)])
      change(bytes)
      return readVolume(source(bytes), () => {}).beside
    }
    const text = (bytes: Uint8Array, at: number, words: string): void => bytes.set(Buffer.from(words, 'latin1'), at)
    expect(beside(() => {})).toEqual([])
    const joliet = (escape: string) => (bytes: Uint8Array) => {
      text(bytes, 17 * SECTOR, '\x02CD001\x01')
      text(bytes, 17 * SECTOR + 88, escape)
    }
    for (const level of ['%/@', '%/C', '%/E']) expect(beside(joliet(level))).toEqual(['joliet'])
    // another set of letters
    expect(beside(joliet('%/G'))).toEqual([])
    expect(beside((bytes) => text(bytes, 19 * SECTOR, '\0NSR03\x01'))).toEqual(['udf'])
  })
})
