/**
 * Zips, in which mods are given away, as archives that are only read: stored and deflated entries. A packed body is unpacked up to the size that the directory
 * says and not a byte further, and its checksum is compared.
 */
import { crc32, constants, inflateRawSync } from 'node:zlib'
import { FormatError } from '../../binary/format-error.ts'
import { field, node, nodesOf } from '../../binary/structure.ts'
import { COMMON_FAMILY } from '../../../shared/api/types/family.ts'
import { say } from '../../../shared/texts/say.ts'
import { Diagnostics } from '../format.ts'
import { numberTwins } from '../member-names.ts'
import { isZipHead, readDirectory } from './directory.ts'
import { staysInside } from './names.ts'
import type { ArchiveFormat, ArchiveIndex, ByteSource, PackedBody } from '../archive.ts'
import type { ZipEntry } from './directory.ts'

interface ZipIndex extends ArchiveIndex {
  readonly format: 'common.zip'
  readonly members: readonly ZipEntry[]
  /** bytes of the whole file */
  fileSize: number
}

/** Larger entries are refused where they are deflated, and read in windows, unproven, where they are stored. */
const MOST_BODY = 2 ** 29
/** What one byte can become at most, as zlib's authors say. */
const MOST_RATIO = 1032
/** What a beginning is unpacked from may come to so much. */
const MOST_HEAD = 2 ** 24
const MOST_TOLD = 100

export const zip: ArchiveFormat<ZipIndex> = {
  id: 'common.zip',
  get label() {
    return say('formats.zip.label')
  },
  family: COMMON_FAMILY,
  extensions: ['zip'],
  get readOnly() {
    return say('formats.zip.readOnly')
  },

  identify: (head) => (isZipHead(head) ? 0.9 : 0),

  open(source) {
    const diagnostics = new Diagnostics(source.ref)
    let told = 0
    const tell = (code: string, message: string, { at }: ZipEntry): void => {
      if (told++ < MOST_TOLD) diagnostics.add('error', code, message, 'name', at)
    }
    const members: ZipEntry[] = []
    for (const entry of readDirectory(source)) {
      // folders are what members have in their names
      if (/[/\\]$/.test(entry.name)) continue
      if (!staysInside(entry.name)) {
        tell('zip.name-outside', say('formats.zip.nameOutside', { name: JSON.stringify(entry.name.slice(0, 200)) }), entry)
        continue
      }
      if (entry.problem) tell('zip.unreadable', say('formats.zip.unreadable', { name: entry.name, why: entry.problem.message }), entry)
      members.push(entry)
    }
    // of entries of one name the last one stays where they are unpacked
    numberTwins(members, diagnostics, 'zip.duplicate', (i) => ['name', members[i].at], {
      order: members.toReversed(),
      words: ({ name, numbers }) => say('formats.zip.twins', { name, count: numbers.length, last: numbers[0] }),
    })
    return { format: 'common.zip', ref: source.ref, diagnostics: diagnostics.list, members, fileSize: source.size }
  },

  encode: ({ fileSize }) => [{ kind: 'copy', offset: 0, length: fileSize }],

  replace({ ref }) {
    throw new FormatError('read-only', say('formats.zip.readOnly'), { file: ref })
  },

  unpack(index, number, stored) {
    const entry = index.members[number]
    const { method, bodySize: size, problem } = entry
    if (problem) return { size, bytes: () => fail(problem, stored.ref) }
    if (method === 0) return size > MOST_BODY ? undefined : { size, bytes: (most) => storedBytes(entry, stored, most) }
    return deflated(entry, stored)
  },

  describe(index, only) {
    const members = nodesOf(index.members, only, (entry, i) => {
      const { at, rawName, method, crc, bodySize, offset, size, name } = entry
      const start = at
      return node(
        `members[${i}]`,
        say('formats.nodes.entry'),
        { start, end: at + 46 + rawName.length },
        [
          field('method', 'u16', at + 10, 2, method),
          field('crc', 'u32', at + 16, 4, `0x${crc.toString(16)}`),
          field('packed', 'u32', at + 20, 4, size),
          field('size', 'u32', at + 24, 4, bodySize),
          field('offset', 'u32', at + 42, 4, offset),
          field('name', `char[${rawName.length}]`, at + 46, rawName.length, name),
        ],
        [],
        { summary: name },
      )
    })
    return node('', 'ZIP', { start: 0, end: index.fileSize }, [], members)
  },
}

function fail({ code, message, path, offset }: FormatError, file: string): never {
  throw new FormatError(code, message, { file, path, offset })
}

function storedBytes(entry: ZipEntry, stored: ByteSource, most: number): Uint8Array {
  return most < entry.bodySize ? stored.read(0, most) : proven(entry, stored.read(0, stored.size), stored.ref)
}

function deflated(entry: ZipEntry, stored: ByteSource): PackedBody {
  const { bodySize: size, at } = entry
  const bad = (code: 'refused' | 'bad-count' | 'bad-value', message: string): never => {
    throw new FormatError(code, message, { file: stored.ref, path: 'size', offset: at + 24 })
  }
  return {
    size,
    bytes(most) {
      if (size > MOST_BODY) bad('refused', say('formats.zip.tooLarge', { size, most: MOST_BODY }))
      if (size > stored.size * MOST_RATIO) bad('bad-count', say('formats.zip.impossible', { size, count: stored.size }))
      const some = most < size ? beginning(stored, most) : undefined
      if (some) return some
      let bytes: Uint8Array
      try {
        bytes = plain(inflateRawSync(stored.read(0, stored.size), { maxOutputLength: Math.max(1, size) }))
      } catch (error) {
        if (error instanceof FormatError) throw error
        const tooLong = (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
        bad('bad-value', tooLong ? say('formats.zip.tooMuch', { size }) : say('formats.zip.damaged', { why: (error as Error).message }))
        throw error
      }
      return proven(entry, bytes, stored.ref)
    },
  }
}

/** Not as a Buffer, whose slices are views of it. */
function plain({ buffer, byteOffset, length }: Buffer): Uint8Array {
  return new Uint8Array(buffer, byteOffset, length)
}

/** The first bytes of a body; undefined where they do not come out of its first ones: reading it whole says why. */
function beginning(stored: ByteSource, most: number): Uint8Array | undefined {
  try {
    const bytes = inflateRawSync(stored.read(0, Math.min(stored.size, 2 * most + 1024)), {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: MOST_HEAD,
    })
    return bytes.length >= most ? plain(bytes) : undefined
  } catch {
    return undefined
  }
}

/** @throws FormatError bad-value */
function proven({ bodySize, crc, at }: ZipEntry, bytes: Uint8Array, file: string): Uint8Array {
  if (bytes.length !== bodySize)
    throw new FormatError('bad-value', say('formats.zip.tooLittle', { count: bytes.length, size: bodySize }), {
      file,
      path: 'size',
      offset: at + 24,
    })
  if (crc32(bytes) !== crc) throw new FormatError('bad-value', say('formats.zip.crc'), { file, path: 'crc', offset: at + 16 })
  return bytes
}
