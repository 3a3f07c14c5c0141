/**
 * Volumes of ISO 9660 (ECMA-119 [P]): the primary volume descriptor in sector 16 or behind it names the root directory, directories are lists of
 * records that name files and further directories. Numbers stand twice, with the lowest and with the highest byte first.
 */
import { FormatError } from '../../binary/format-error.ts'
import { say } from '../../../shared/texts/say.ts'
import type { ArchiveMember, ByteSource } from '../archive.ts'

export const SECTOR = 0x800
const FIRST_DESCRIPTOR = 16
const MOST_DESCRIPTORS = 64
const ROOT_RECORD = 156
const SHORTEST_RECORD = 34
const FLAG = { folder: 0x02, associated: 0x04, more: 0x80 }

/** The standard has eight levels; images that go deeper are made by programs that know the fact. */
const MOST_LEVELS = 32
/** Bytes of all directories together. */
const MOST_DIRECTORIES = 2 ** 26
/** Sectors of images that keep what is around their bytes: synchronisation, addresses, checksums. */
const RAW_SYNC = [0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0]

export interface IsoFile extends ArchiveMember {
  /** of its record */
  at: number
  /** the block that its record names, which extended attributes may stand in before it begins */
  extent: number
  /** of a large file; each has a record of its own */
  parts: number
}

export interface Volume {
  /** of its descriptor */
  at: number
  name: string
  blockSize: number
  /** of the volume, in blocks */
  blocks: number
  /** directories that stand beside those that are read, with sizes of their own */
  beside: ('joliet' | 'udf')[]
  files: IsoFile[]
}

/** What is wrong with a record, and nothing that the rest cannot be read without. */
export type Tell = (code: string, message: string, path: string, at: number) => void

interface Twice {
  value: number
  agrees: boolean
}

interface Entry {
  at: number
  name: string
  rawName: Uint8Array
  flags: number
  /** in bytes */
  start: number
  size: number
  extent: number
  parts: number
  interleaved: boolean
}

/** @throws FormatError truncated, bad-magic, unsupported, bad-value, bad-count */
export function readVolume(source: ByteSource, tell: Tell): Volume {
  const fail = (code: 'bad-value' | 'unsupported' | 'bad-magic' | 'truncated', message: string, offset: number, path = 'volume'): never => {
    throw new FormatError(code, message, { file: source.ref, offset, path })
  }
  const at = descriptorOf(source, fail)
  const bytes = source.read(at, SECTOR)
  const view = viewOf(bytes)
  const number = (from: number, read: Twice, path: string): number =>
    read.agrees ? read.value : fail('bad-value', say('formats.iso.twice', { field: path, value: read.value }), at + from, path)
  const blockSize = number(128, twice16(view, 128), 'volume.blockSize')
  if (![512, 1024, 2048].includes(blockSize))
    fail('unsupported', say('formats.iso.blockSize', { size: blockSize }), at + 128, 'volume.blockSize')
  const blocks = number(80, twice32(view, 80), 'volume.blocks')
  number(ROOT_RECORD + 2, twice32(view, ROOT_RECORD + 2), 'volume.root.extent')
  number(ROOT_RECORD + 10, twice32(view, ROOT_RECORD + 10), 'volume.root.size')
  if (bytes[ROOT_RECORD] < SHORTEST_RECORD)
    fail('bad-value', say('formats.iso.recordLength', { count: bytes[ROOT_RECORD] }), at + ROOT_RECORD, 'volume.root')
  const root = entryAt(view, ROOT_RECORD, at, blockSize, () => {})
  const name = latin(bytes.subarray(40, 72)).trimEnd()
  return { at, name, blockSize, blocks, beside: directoriesBeside(source), files: filesBelow(source, root, blockSize, tell) }
}

function descriptorOf(
  source: ByteSource,
  fail: (code: 'unsupported' | 'bad-magic' | 'truncated', message: string, offset: number) => never,
): number {
  const head = source.read(0, Math.min(source.size, RAW_SYNC.length))
  if (head.length === RAW_SYNC.length && RAW_SYNC.every((byte, i) => head[i] === byte)) fail('unsupported', say('formats.iso.raw'), 0)
  for (let i = 0; i < MOST_DESCRIPTORS; i++) {
    const at = (FIRST_DESCRIPTOR + i) * SECTOR
    if (at + SECTOR > source.size)
      fail('truncated', say('formats.iso.cut', { needed: at + SECTOR, size: source.size }), Math.min(at, source.size))
    const start = source.read(at, 7)
    if (latin(start.subarray(1, 6)) !== 'CD001') fail('bad-magic', say('formats.iso.none'), at)
    if (start[0] === 1) return at
    if (start[0] === 255) break
  }
  return fail('bad-magic', say('formats.iso.noPrimary'), FIRST_DESCRIPTOR * SECTOR)
}

/** Joliet has a descriptor of its own with those of ISO 9660, UDF stands behind them. */
function directoriesBeside(source: ByteSource): Volume['beside'] {
  const found = new Set<Volume['beside'][number]>()
  for (let i = 0; i < MOST_DESCRIPTORS; i++) {
    const at = (FIRST_DESCRIPTOR + i) * SECTOR
    if (at + SECTOR > source.size) break
    const head = latin(source.read(at, 91))
    if (/^NSR0[23]/.test(head.slice(1))) found.add('udf')
    // names of two bytes a letter
    if (head.startsWith('\x02CD001') && /^%\/[@CE]$/.test(head.slice(88))) found.add('joliet')
  }
  return [...found]
}

/** Files of all directories, a directory's own before those of its directories. */
function filesBelow(source: ByteSource, root: Entry, blockSize: number, tell: Tell): IsoFile[] {
  const files: IsoFile[] = []
  const seen = new Set<number>()
  const pending = [{ entry: root, path: '', level: 0 }]
  let bytes = 0
  for (let next = pending.shift(); next; next = pending.shift()) {
    const { entry, path, level } = next
    const where = path === '' ? 'root' : path.slice(0, -1)
    // a directory may be named by one that it holds
    if (seen.has(entry.start)) {
      tell('iso.cycle', say('formats.iso.cycle', { path: where }), where, entry.at)
      continue
    }
    seen.add(entry.start)
    bytes += entry.size
    if (level > MOST_LEVELS || bytes > MOST_DIRECTORIES)
      throw new FormatError('bad-count', say('formats.iso.tooMuch', { levels: MOST_LEVELS, bytes: MOST_DIRECTORIES }), {
        file: source.ref,
        offset: entry.at,
        path: where,
      })
    if (entry.start + entry.size > source.size)
      throw new FormatError(
        'truncated',
        say('formats.iso.directoryOutside', { path: where, end: entry.start + entry.size, size: source.size }),
        {
          file: source.ref,
          offset: entry.at,
          path: where,
        },
      )
    for (const child of entriesOf(source, entry, blockSize, where, tell)) {
      if (child.flags & FLAG.folder) pending.push({ entry: child, path: `${path}${child.name}/`, level: level + 1 })
      else addFile(source, files, child, path + child.name, tell)
    }
  }
  return files
}

function addFile(source: ByteSource, files: IsoFile[], entry: Entry, name: string, tell: Tell): void {
  if (entry.flags & FLAG.associated) return
  if (entry.interleaved) return tell('iso.interleaved', say('formats.iso.interleaved', { name }), name, entry.at)
  let { size } = entry
  if (entry.start + size > source.size) {
    tell('iso.range', say('formats.iso.reachesOut', { name, end: entry.start + size, size: source.size }), name, entry.at)
    size = Math.max(0, source.size - entry.start)
  }
  files.push({
    name,
    rawName: entry.rawName,
    offset: Math.min(entry.start, source.size),
    size,
    duplicate: 0,
    at: entry.at,
    extent: entry.extent,
    parts: entry.parts,
  })
}

/** Records of one directory; parts of one large file that stand one behind the other are one. */
function* entriesOf(source: ByteSource, folder: Entry, blockSize: number, path: string, tell: Tell): Generator<Entry> {
  const bytes = source.read(folder.start, folder.size)
  const view = viewOf(bytes)
  let part: Entry | undefined
  let inOne = true
  const apart = ({ name, at }: Entry): void => tell('iso.parts', say('formats.iso.parts', { name }), path, at)
  for (let at = 0; at < bytes.length;) {
    const length = bytes[at]
    // no record reaches over the end of a sector: zeros lead to the next one
    const left = Math.min(bytes.length, (Math.floor(at / SECTOR) + 1) * SECTOR) - at
    if (length === 0) {
      at += left
      continue
    }
    const here = folder.start + at
    if (length < SHORTEST_RECORD || length > left || SHORTEST_RECORD - 1 + bytes[at + 32] > length)
      throw new FormatError('bad-count', say('formats.iso.recordLength', { count: length }), { file: source.ref, offset: here, path })
    const entry = entryAt(view, at, folder.start, blockSize, (field) =>
      tell('iso.twice', say('formats.iso.twiceIn', { path, field }), `${path}.${field}`, here),
    )
    at += length
    if (entry.rawName.length === 1 && entry.rawName[0] < 2) continue
    if (!isName(entry.name)) {
      tell('iso.name', say('formats.iso.name', { name: JSON.stringify(entry.name) }), path, here)
      continue
    }
    if (part?.name === entry.name) {
      inOne &&= part.start + part.size === entry.start
      part = { ...part, size: part.size + entry.size, flags: entry.flags, parts: part.parts + 1 }
    } else {
      if (part) apart(part)
      part = entry
      inOne = true
    }
    if (part.flags & FLAG.more) continue
    if (inOne) yield part
    else apart(part)
    part = undefined
  }
  if (part) apart(part)
}

function entryAt(view: DataView, at: number, base: number, blockSize: number, differs: (field: string) => void): Entry {
  const number = (from: number, field: string): number => {
    const read = twice32(view, at + from)
    if (!read.agrees) differs(field)
    return read.value
  }
  const extent = number(2, 'extent')
  const rawName = new Uint8Array(view.buffer, view.byteOffset + at + 33, view.getUint8(at + 32)).slice()
  return {
    at: base + at,
    // `NAME.EXT;1`: the version behind the name means nothing to games
    name: latin(rawName).replace(/\.?;\d+$/, ''),
    rawName,
    flags: view.getUint8(at + 25),
    start: (extent + view.getUint8(at + 1)) * blockSize,
    extent,
    parts: 1,
    size: number(10, 'size'),
    interleaved: view.getUint8(at + 26) !== 0 || view.getUint8(at + 27) !== 0,
  }
}

function isName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && [...name].every((c) => c >= ' ' && c !== '\x7f' && c !== '/' && c !== '\\')
}

function twice16(view: DataView, at: number): Twice {
  const value = view.getUint16(at, true)
  return { value, agrees: value === view.getUint16(at + 2, false) }
}

function twice32(view: DataView, at: number): Twice {
  const value = view.getUint32(at, true)
  return { value, agrees: value === view.getUint32(at + 4, false) }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function latin(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
