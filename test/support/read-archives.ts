/**
 * Members of archives by a reading of the bytes of the tests' own, straight from the tables of the formats' descriptions:
 * no codec says here where a member is.
 */
import { crc32 } from 'node:zlib'

export interface ReadMember {
  name: string
  bytes: Uint8Array
  /** what the directory says of the member, all but place and size */
  rest: string
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
const untilNul = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, bytes.indexOf(0) < 0 ? bytes.length : bytes.indexOf(0))
const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** What lies outside of the file is an error of the test; what has no bytes lies nowhere. */
function cut(bytes: Uint8Array, offset: number, size: number): Uint8Array {
  if (size > 0 && offset + size > bytes.length) throw new Error(`${offset} + ${size} is outside of ${bytes.length}`)
  return bytes.slice(offset, offset + size)
}

/** What no archive of the kind is without. */
function begins(file: Uint8Array, ...magics: string[]): void {
  const magic = text(file.subarray(0, 4))
  if (!magics.includes(magic)) throw new Error(`begins with ${JSON.stringify(magic)}`)
}

/** The numbers in front of a BIG's table, the first little-endian, and where its first body is: there the table ends, or a tail behind it. */
export function readBigHead(file: Uint8Array): { magic: string; size: number; tableSize: number; firstBody: number } {
  const view = viewOf(file)
  let firstBody = Infinity
  let at = 16
  for (let i = 0; i < view.getUint32(8, false); i++, at += 9 + untilNul(file.subarray(at + 8)).length)
    if (view.getUint32(at + 4, false) > 0) firstBody = Math.min(firstBody, view.getUint32(at, false))
  return { magic: text(file.subarray(0, 4)), size: view.getUint32(4, true), tableSize: view.getUint32(12, false), firstBody }
}

export function readBig(file: Uint8Array): ReadMember[] {
  begins(file, 'BIGF', 'BIG4')
  const view = viewOf(file)
  let at = 16
  return Array.from({ length: view.getUint32(8, false) }, () => {
    const name = untilNul(file.subarray(at + 8))
    const bytes = cut(file, view.getUint32(at, false), view.getUint32(at + 4, false))
    at += 9 + name.length
    return { name: text(name), bytes, rest: '' }
  })
}

/** Members in the order of the table. The number of each is the CRC-32 of its name in upper case, by which the game finds it: names stand in any order. */
export function readMix(file: Uint8Array): ReadMember[] {
  begins(file, 'MIX1')
  const view = viewOf(file)
  const [table, names] = [view.getUint32(4, true), view.getUint32(8, true)]
  const count = view.getUint32(table, true)
  const texts = new Map<number, Uint8Array[]>()
  for (let i = 0, at = names + 4; i < view.getUint32(names, true); i++, at += 1 + file[at]) {
    const name = file.subarray(at + 1, at + 1 + file[at])
    const id = crc32(text(untilNul(name)).toUpperCase())
    texts.set(id, [...(texts.get(id) ?? []), name])
  }
  const found = Array.from({ length: count }, (_, i) => {
    const entry = table + 4 + 12 * i
    const id = view.getUint32(entry, true)
    const name = texts.get(id)?.shift()
    if (!name) throw new Error(`entry ${i} is not found by any name`)
    return {
      name: text(untilNul(name)),
      bytes: cut(file, view.getUint32(entry + 4, true), view.getUint32(entry + 8, true)),
      rest: `${id} ${text(name)}`,
    }
  })
  if ([...texts.values()].some((left) => left.length > 0)) throw new Error('names of no entry are left')
  return found
}

export function readPack(file: Uint8Array): ReadMember[] {
  const view = viewOf(file)
  const found: ReadMember[] = []
  for (let at = 0; file[at] !== 0; at += view.getUint32(at + 0x48, true)) {
    const name = file.subarray(at, at + 64)
    found.push({
      name: text(untilNul(name)),
      bytes: cut(file, at + view.getUint32(at + 0x40, true), view.getUint32(at + 0x44, true)),
      rest: `${text(name)} ${view.getUint32(at + 0x4c, true)}`,
    })
  }
  return found
}

export function readImg2(file: Uint8Array): ReadMember[] {
  begins(file, 'VER2')
  const view = viewOf(file)
  return Array.from({ length: view.getUint32(4, true) }, (_, i) => {
    const at = 8 + 32 * i
    const sectors = view.getUint16(at + 6, true) || view.getUint16(at + 4, true)
    const name = file.subarray(at + 8, at + 32)
    return { name: text(untilNul(name)), bytes: cut(file, 2048 * view.getUint32(at, true), 2048 * sectors), rest: text(name) }
  })
}

export function readImg1(data: Uint8Array, directory: Uint8Array): ReadMember[] {
  const view = viewOf(directory)
  return Array.from({ length: directory.length >> 5 }, (_, i) => {
    const name = directory.subarray(32 * i + 8, 32 * i + 32)
    const bytes = cut(data, 2048 * view.getUint32(32 * i, true), 2048 * view.getUint32(32 * i + 4, true))
    return { name: text(untilNul(name)), bytes, rest: text(name) }
  })
}

/** HD2, HD3 and HD4: the table ends at the first name, or at a record of zeros. */
export function readDisc(kind: 'hd2' | 'hd3' | 'hd4', data: Uint8Array, directory: Uint8Array): ReadMember[] {
  const view = viewOf(directory)
  const size = { hd2: 32, hd3: 16, hd4: 12 }[kind]
  const found: ReadMember[] = []
  for (let at = 0; at < view.getUint32(0, true); at += size) {
    const word = (i: number): number => view.getUint32(at + 4 * i, true)
    // one that has a name and nothing else ends the list, too
    if (directory.subarray(at + 4, at + size).every((byte) => byte === 0)) break
    const [length, sector, sectors] = kind === 'hd2' ? [word(5), word(6), word(7)] : [word(1), word(2), word(3)]
    if (kind !== 'hd4' && sectors !== Math.ceil(length / 2048))
      throw new Error(`record at ${at} has ${sectors} sectors for ${length} bytes`)
    if (kind === 'hd2' && word(4) !== 2048 * sector) throw new Error(`record at ${at}: offset and sector differ`)
    found.push({ name: text(untilNul(directory.subarray(word(0)))), bytes: cut(data, 2048 * sector, length), rest: '' })
  }
  return found
}

export function readHed(data: Uint8Array, directory: Uint8Array): ReadMember[] {
  const view = viewOf(directory)
  const found: ReadMember[] = []
  for (let at = 0; at + 0x50 <= directory.length && directory[at] !== 0; at += 0x50) {
    const offset = view.getUint32(at + 0x40, true)
    if (offset % 2048 !== 0) throw new Error(`the file at ${offset} does not begin on a sector`)
    const name = directory.subarray(at, at + 64)
    found.push({
      name: text(untilNul(name)),
      bytes: cut(data, offset, view.getUint32(at + 0x44, true)),
      rest: `${text(name)} ${text(directory.subarray(at + 0x48, at + 0x50))}`,
    })
  }
  return found
}
