/** A disc with all four directories over one DATA.DAT, made of junk, and a reading of it that is the test's own. */
import { junk } from './hostile.ts'
import { readDisc, readHed } from './read-archives.ts'
import type { ReadMember } from './read-archives.ts'

const SECTOR = 0x800
const joined = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts))
const u32 = (...values: number[]): Uint8Array => new Uint8Array(Uint32Array.from(values).buffer)

export interface DiscFile {
  /** bytes of the name, one a character */
  name: string
  sector: number
  size: number
}

/** Bodies in another order than the table's, one without bytes, two names for one place, one name twice. */
export const discFiles: readonly DiscFile[] = [
  { name: 'chara\\c01a.chr', sector: 5, size: 3000 },
  { name: 'chara\\\x95\x5c.chr', sector: 1, size: 2048 },
  { name: 'tmp.txt', sector: 3, size: 0 },
  { name: 'gedit\\a.cfg', sector: 3, size: 100 },
  { name: 'gedit\\same.cfg', sector: 3, size: 100 },
  { name: 'wep_t\\ws050_item.chr', sector: 8, size: 4000 },
  { name: 'wep_t\\ws050_item.chr', sector: 8, size: 4000 },
]

export const DISC_ENDINGS = ['HED', 'HD2', 'HD3', 'HD4'] as const
export type DiscEnding = (typeof DISC_ENDINGS)[number]

/** A record of zeros behind the last file, then one more that names nothing any more: the names begin behind it. */
export function discDirectory(
  ending: DiscEnding,
  files: readonly DiscFile[] = discFiles,
  behind: Pick<DiscFile, 'sector' | 'size'> = { sector: 0, size: 500 },
): Uint8Array {
  if (ending === 'HED')
    return joined(
      ...files.map(({ name, sector, size }, i) => {
        const field = junk(64, 40 + i)
        field.set(Buffer.from(`${name}\0`, 'latin1'))
        return joined(field, u32(sector * SECTOR, size), junk(8, 60 + i))
      }),
      new Uint8Array(0x50),
      junk(33, 5),
    )
  const words = { HD2: 8, HD3: 4, HD4: 3 }[ending]
  const record = (at: number, { sector, size }: DiscFile): Uint8Array => {
    const sectors = Math.ceil(size / SECTOR)
    return ending === 'HD2' ? u32(at, 0, 0, 0, sector * SECTOR, size, sector, sectors) : u32(at, size, sector, sectors).slice(0, 4 * words)
  }
  let at = 4 * words * (files.length + 2)
  const table = files.map((file) => {
    const made = record(at, file)
    at += file.name.length + 1
    return made
  })
  const names = Buffer.from(files.map(({ name }) => `${name}\0`).join(''), 'latin1')
  return joined(...table, new Uint8Array(4 * words), record(at, { name: '', ...behind }), names, junk(7, 9))
}

/** Eleven sectors of junk and a part of a twelfth. */
export function makeDisc(endings: readonly DiscEnding[] = DISC_ENDINGS): Record<string, Uint8Array> {
  const files: Record<string, Uint8Array> = { 'DATA.DAT': junk(11 * SECTOR + 77, 77) }
  for (const ending of endings) files[`DATA.${ending}`] = discDirectory(ending)
  return files
}

/** The files as each directory has them. @throws Error where a place is outside, or numbers of a record contradict each other */
export function readDirectories(read: (name: string) => Uint8Array, endings: readonly DiscEnding[] = DISC_ENDINGS): ReadMember[][] {
  const data = read('DATA.DAT')
  return endings.map((ending) => {
    const directory = read(`DATA.${ending}`)
    return ending === 'HED' ? readHed(data, directory) : readDisc(ending.toLowerCase() as 'hd2', data, directory)
  })
}

/** The files as all directories have them. @throws Error where two of them disagree */
export function readAgreed(read: (name: string) => Uint8Array): ReadMember[] {
  const [first, ...others] = readDirectories(read).map((list) => list.map(({ name, bytes }) => ({ name, bytes, rest: '' })))
  for (const [i, other] of others.entries())
    if (
      other.length !== first.length ||
      other.some(({ name, bytes }, k) => name !== first[k].name || Buffer.compare(bytes, first[k].bytes) !== 0)
    )
      throw new Error(`${DISC_ENDINGS[i + 1]} is not what ${DISC_ENDINGS[0]} says`)
  return first
}
