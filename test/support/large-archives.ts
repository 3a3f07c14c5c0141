/** Archives of tests with so much in them that they are written where they stand: those of others, with a large member behind. */
import { IN_PLACE_FROM } from '../../src/main/files/undo-record.ts'
import type { ArchiveCase } from './archive-cases.ts'
import { discDirectory, discFiles, DISC_ENDINGS, makeDisc, readAgreed } from './discs.ts'
import { junk } from './hostile.ts'
import { readImg1, readImg2 } from './read-archives.ts'

const SECTOR = 2048
/** Bodies of all of them. */
const bulk = junk(IN_PLACE_FROM + 64 * SECTOR, 3)
const LARGE = Math.ceil(IN_PLACE_FROM / SECTOR)
const members = [
  { name: 'a.txd', sectors: 2 },
  { name: 'b.dff', sectors: 3 },
  { name: 'large.txd', sectors: LARGE },
]

/** A table and the bodies from `first` on. */
function img(first: number, entry: (sector: number, sectors: number) => Uint8Array): { table: Uint8Array; bodies: Uint8Array } {
  let at = first
  const entries = members.map(({ name, sectors }, i) => {
    const field = junk(24, i + 1)
    field.set(Buffer.from(`${name}\0`))
    const made = Buffer.concat([entry(at, sectors), field])
    at += sectors
    return made
  })
  return { table: Buffer.concat(entries), bodies: bulk.slice(0, (at - first) * SECTOR) }
}

const u32 = (...values: number[]): Uint8Array => new Uint8Array(Uint32Array.from(values).buffer)

export function largeImg2(): ArchiveCase {
  const { table, bodies } = img(1, (sector, sectors) => u32(sector, sectors))
  const head = Buffer.concat([Buffer.from('VER2'), u32(members.length), table])
  return {
    files: { 'gta3.img': new Uint8Array(Buffer.concat([head, junk(SECTOR - head.length, 4), bodies])) },
    read: readImg2,
    unit: SECTOR,
  }
}

export function largeImg1(): ArchiveCase {
  const { table, bodies } = img(0, (sector, sectors) => u32(sector, sectors))
  return { files: { 'gta3.img': bodies, 'gta3.dir': new Uint8Array(table) }, read: readImg1, unit: SECTOR }
}

/** The disc with a large file behind the others, in all four directories. */
export function largeDisc(): ArchiveCase {
  const files = makeDisc()
  const start = Math.ceil(files['DATA.DAT'].length / SECTOR)
  const all = [...discFiles, { name: 'large.bin', sector: start, size: IN_PLACE_FROM }]
  const data = Buffer.concat([files['DATA.DAT'], junk(start * SECTOR - files['DATA.DAT'].length, 6), bulk.subarray(0, IN_PLACE_FROM)])
  files['DATA.DAT'] = new Uint8Array(data)
  for (const ending of DISC_ENDINGS) files[`DATA.${ending}`] = discDirectory(ending, all)
  const names = Object.keys(files)
  return { files, read: (...bytes) => readAgreed((name) => bytes[names.indexOf(name)]) }
}
