/**
 * RefPack, in which members of BIG archives of Command & Conquer 3 and later may be packed: LZ77 in whole bytes. The header is u8 flags and
 * u8 0xFB; flag 0x80 makes its sizes u32 instead of u24, flag 0x01 puts the packed size in front, which no reader needs; then the size of
 * what comes out, all big-endian. Commands follow:
 *
 * | first byte | bytes | literals behind it | copied | from how far back |
 * |---|---|---|---|---|
 * | 0xxxxxxx | 2 | 0..3 | 3..10 | 1..1024 |
 * | 10xxxxxx | 3 | 0..3 | 4..67 | 1..16384 |
 * | 110xxxxx | 4 | 0..3 | 5..1028 | 1..131072 |
 * | 111xxxxx up to 0xFB | 1 | 4..112, by fours | none | |
 * | 0xFC..0xFF | 1 | 0..3 | none, and the end | |
 *
 * Nothing is ever packed here: the games read plain members too. [P]
 */
import { FormatError } from '../../../binary/format-error.ts'
import { say } from '../texts/index.ts'

/** Bytes of the longest header. */
export const REFPACK_HEADER = 10
/** What one byte of a packed body can become at most: four of them copy 1028. */
const MOST_RATIO = 257
/** Members of games are a few MiB. */
const MOST_SIZE = 2 ** 28

const MAGIC = 0xfb
const WIDE = 0x80
const PACKED_SIZE = 0x01
const PLAIN_FLAGS = 0x10

interface RefPackHeader {
  /** of what comes out */
  size: number
  /** where the first command is, and the field that says the size */
  start: number
  sizeAt: number
}

/**
 * The header, undefined for bytes that do not begin with a whole one.
 * @param head the first REFPACK_HEADER bytes, fewer of a shorter body
 */
export function refPackHeader(head: Uint8Array): RefPackHeader | undefined {
  if (!hasMagic(head)) return undefined
  const width = head[0] & WIDE ? 4 : 3
  const sizeAt = head[0] & PACKED_SIZE ? 2 + width : 2
  const start = sizeAt + width
  if (head.length < start) return undefined
  let size = 0
  for (let at = sizeAt; at < start; at++) size = size * 256 + head[at]
  return { size, start, sizeAt }
}

/** Whether `packed` bytes with this header can come to what it says: two bytes of magic alone may stand in front of anything. */
export function canBeRefPack({ size, start }: RefPackHeader, packed: number): boolean {
  return packed > start && size <= (packed - start) * MOST_RATIO
}

/**
 * @param most stops when so many bytes are there, or a few more
 * @throws FormatError bad-magic, truncated, bad-count, bad-value, refused
 */
export function unpackRefPack(packed: Uint8Array, ref: string, most = Infinity): Uint8Array {
  const header = refPackHeader(packed)
  if (!header) {
    if (hasMagic(packed)) throw cut(ref, 'size', packed.length)
    throw new FormatError('bad-magic', say('archives.refPack.isNone'), { file: ref, path: 'magic', offset: 0 })
  }
  const { size, start, sizeAt } = header
  if (size > MOST_SIZE)
    throw new FormatError('refused', say('archives.refPack.tooLarge', { size, most: MOST_SIZE }), {
      file: ref,
      path: 'size',
      offset: sizeAt,
    })
  if (!canBeRefPack(header, packed.length))
    throw new FormatError('bad-count', say('archives.refPack.impossible', { size, count: packed.length - start }), {
      file: ref,
      path: 'size',
      offset: sizeAt,
    })
  // a command is never cut: the last one of a beginning may reach over it, but not over the whole
  const room = Math.min(size, most + MOST_BY_COMMAND)
  const out = new Uint8Array(room)
  let at = start
  let to = 0
  while (to < most) {
    // some packers leave out the end where there is nothing more to say
    if (at === packed.length && to === size) break
    const command = at
    if (at >= packed.length) throw cut(ref, 'command', at)
    const first = packed[at]
    const bytes = first < 0x80 ? 2 : first < 0xc0 ? 3 : first < 0xe0 ? 4 : 1
    if (at + bytes > packed.length) throw cut(ref, 'command', at)
    let literals: number
    let copied = 0
    let back = 0
    if (bytes === 2) {
      literals = first & 3
      copied = ((first >> 2) & 7) + 3
      back = ((first & 0x60) << 3) + packed[at + 1] + 1
    } else if (bytes === 3) {
      literals = packed[at + 1] >> 6
      copied = (first & 0x3f) + 4
      back = ((packed[at + 1] & 0x3f) << 8) + packed[at + 2] + 1
    } else if (bytes === 4) {
      literals = first & 3
      copied = ((first & 0x0c) << 6) + packed[at + 3] + 5
      back = ((first & 0x10) << 12) + (packed[at + 1] << 8) + packed[at + 2] + 1
    } else literals = first < STOP ? ((first & 0x1f) + 1) * 4 : first & 3
    at += bytes
    if (at + literals > packed.length) throw cut(ref, 'literals', at)
    if (to + literals + copied > size)
      throw new FormatError('bad-value', say('archives.refPack.tooMuch', { size }), { file: ref, path: 'command', offset: command })
    if (back > to + literals)
      throw new FormatError('bad-value', say('archives.refPack.before', { back, count: to + literals }), {
        file: ref,
        path: 'command',
        offset: command,
      })
    for (const end = at + literals; at < end;) out[to++] = packed[at++]
    // byte by byte: a copy may reach into itself
    for (const end = to + copied; to < end; to++) out[to] = out[to - back]
    if (first >= STOP) {
      if (to < size)
        throw new FormatError('bad-value', say('archives.refPack.tooLittle', { count: to, size }), {
          file: ref,
          path: 'command',
          offset: command,
        })
      break
    }
  }
  return to === room ? out : out.subarray(0, to)
}

const STOP = 0xfc
/** 3 literals and the longest copy */
const MOST_BY_COMMAND = 1031

function hasMagic(head: Uint8Array): boolean {
  return head.length >= 2 && head[1] === MAGIC && (head[0] & ~(WIDE | PACKED_SIZE)) === PLAIN_FLAGS
}

function cut(ref: string, path: string, offset: number): FormatError {
  return new FormatError('truncated', say('archives.refPack.cut', { path }), { file: ref, path, offset })
}
