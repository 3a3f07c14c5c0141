/** An archive of each kind, made of junk: bodies in another order than the table's, gaps, entries at one place, names twice. */
import { makeBig } from '../../src/main/formats/w3d/archives/big.ts'
import { nameCrc } from '../../src/main/formats/w3d/archives/mix-tables.ts'
import { makeDisc, readAgreed } from './discs.ts'
import { junk } from './hostile.ts'
import { readBig, readBigHead, readDisc, readHed, readImg1, readImg2, readMix, readPack } from './read-archives.ts'
import type { ReadMember } from './read-archives.ts'

/** An archive as a test knows it: its files, the one that is opened first, and a reading of its members by the test's own means. */
export interface ArchiveCase {
  files: Record<string, Uint8Array>
  /** data file first */
  read(...files: Uint8Array[]): ReadMember[]
  /** members come in whole units of so many bytes */
  unit?: number
  /** the table may be sorted by something of the names */
  sorted?: true
}

export const joined = (...parts: (Uint8Array | number[])[]): Uint8Array =>
  new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part))))
const u32 = (...values: number[]): Uint8Array => new Uint8Array(Uint32Array.from(values).buffer)
const named = (text: string, size: number, seed: number): Uint8Array => {
  const out = junk(size, seed)
  out.set(Buffer.from(`${text}\0`, 'latin1'))
  return out
}
const SECTOR = 2048
export const filled = (bytes: Uint8Array, unit: number): Uint8Array => joined(bytes, new Uint8Array((unit - (bytes.length % unit)) % unit))

/** Bodies in another order than the table's, a gap of junk, two entries at one place, one without bytes, one name twice. */
const places = [
  { name: 'b.dff', sector: 5, sectors: 2 },
  { name: 'a.txd', sector: 1, sectors: 1 },
  { name: 'B.DFF', sector: 3, sectors: 1 },
  { name: 'same.dff', sector: 3, sectors: 1 },
  { name: 'empty.dff', sector: 3, sectors: 0 },
]
const body = junk(7 * SECTOR, 77)

export const archiveCases: Record<string, () => ArchiveCase> = {
  'IMG v2': () => {
    const head = joined(
      Buffer.from('VER2'),
      u32(places.length),
      ...places.map(({ name, sector, sectors }, i) => joined(u32(sector, i === 2 ? (sectors << 16) | 9 : sectors), named(name, 24, i))),
    )
    return { files: { 'gta3.img': joined(head, body.subarray(head.length)) }, read: readImg2, unit: SECTOR }
  },
  'IMG v1': () => ({
    files: {
      'gta3.img': body,
      'gta3.dir': joined(...places.map(({ name, sector, sectors }, i) => joined(u32(sector, sectors), named(name, 24, i)))),
    },
    read: readImg1,
    unit: SECTOR,
  }),
  HD2: () => ({ files: disc('hd2'), read: (data, directory) => readDisc('hd2', data, directory) }),
  HD3: () => ({ files: disc('hd3'), read: (data, directory) => readDisc('hd3', data, directory) }),
  HD4: () => ({ files: disc('hd4'), read: (data, directory) => readDisc('hd4', data, directory) }),
  HED: () => ({
    files: {
      'DATA.DAT': body,
      'DATA.HED': joined(
        ...places.map(({ name, sector, sectors }, i) =>
          joined(named(name, 64, i), u32(sector * SECTOR, Math.max(0, sectors * SECTOR - 100)), junk(8, i)),
        ),
        new Uint8Array(0x50),
        junk(33, 5),
      ),
    },
    read: readHed,
  }),
  'disc of four directories': () => {
    const files = makeDisc()
    const names = Object.keys(files)
    return { files, read: (...bytes) => readAgreed((name) => bytes[names.indexOf(name)]) }
  },
  BIG: () => big('BIGF'),
  // a tail between table and bodies, as peers write it
  BIG4: () => big('BIG4', [0x4c, 0x32, 0x35, 0x33, 0, 1, 2, 3]),
  MIX: () => {
    const names = ['b.w3d', 'a.w3d', 'A.w3d', 'empty.w3d', 'z.w3d']
    const sizes = [300, 200, 100, 0, 60]
    // the tables in the middle of the bodies, and the names before the entries
    const text = joined(u32(names.length), ...names.map((name) => joined([name.length + 1], Buffer.from(`${name}\0`, 'latin1'))))
    const namesAt = 12 + 640
    const tableAt = namesAt + text.length + 5
    const end = tableAt + 4 + 12 * names.length
    const offsets = [12 + 250, 12 + 20, end + 7, 0, 12 + 560]
    const table = joined(u32(names.length), ...names.map((name, i) => u32(nameCrc(Buffer.from(name)), offsets[i], sizes[i])))
    return {
      files: { 'x.mix': joined(Buffer.from('MIX1'), u32(tableAt, namesAt), junk(640, 1), text, junk(5, 2), table, junk(150, 3)) },
      read: readMix,
      sorted: true,
    }
  },
  PAK: () => ({
    files: {
      'x.chr': joined(
        ...[
          ['b.mds', 100],
          ['a.mot', 64],
          ['B.MDS', 0],
          ['c.cfg', 33],
        ].map(([name, size], i) => {
          const stride = 0x50 + ((Number(size) + 15) & ~15)
          return joined(named(String(name), 64, i), u32(0x50, Number(size), stride, 0xabcd), junk(stride - 0x50, i))
        }),
        joined([0], junk(63, 8), u32(0x50, 0xffffffff, 0xffffffff, 0xabcd)),
        junk(19, 3),
      ),
    },
    read: readPack,
  }),
}

function big(magic: 'BIGF' | 'BIG4', tail: readonly number[] = []): ArchiveCase {
  const plain = makeBig(magic, [
    { name: 'Art\\b.w3d', bytes: junk(300, 1) },
    { name: 'Art\\a.w3d', bytes: junk(200, 2) },
    { name: 'art\\A.w3d', bytes: junk(100, 3) },
    { name: 'empty.txt', bytes: new Uint8Array(0) },
    { name: 'last.w3d', bytes: junk(50, 4) },
  ])
  const { firstBody } = readBigHead(plain)
  const bytes = joined(plain.subarray(0, firstBody), [...tail], plain.subarray(firstBody), junk(40, 9))
  const view = new DataView(bytes.buffer)
  for (let at = 16, i = 0; i < 5; i++, at += 9 + bytes.subarray(at + 8).indexOf(0)) view.setUint32(at, view.getUint32(at) + tail.length)
  if (tail.length) view.setUint32(12, firstBody + tail.length - 1)
  return { files: { 'x.big': bytes }, read: readBig }
}

function disc(kind: 'hd2' | 'hd3' | 'hd4'): Record<string, Uint8Array> {
  const words = { hd2: 8, hd3: 4, hd4: 3 }[kind]
  // a record of zeros ends the list before the names do
  const table = 4 * words * (places.length + 1)
  let at = table
  const records = places.map(({ name, sector, sectors }) => {
    const size = Math.max(0, sectors * SECTOR - 100)
    const record =
      kind === 'hd2' ? u32(at, 0, 0, 0, sector * SECTOR, size, sector, sectors) : u32(at, size, sector, sectors).slice(0, 4 * words)
    at += name.length + 1
    return record
  })
  const names = Buffer.from(places.map(({ name }) => `${name}\0`).join(''), 'latin1')
  return { 'DATA.DAT': body, [`DATA.${kind.toUpperCase()}`]: joined(...records, new Uint8Array(4 * words), names) }
}
