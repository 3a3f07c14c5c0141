import { FormatError } from './format-error.ts'
import { isLent } from './lent.ts'
import type { TakeMemory } from './own-memory.ts'
import type { ErrorCode } from '../../shared/api/errors.ts'
import { say } from '../../shared/texts/say.ts'

/** The half-open byte range [start, end) of its file that a node of a document came from. */
export interface SourceRange {
  start: number
  end: number
}

/** A name as text, or what says it when it is asked for. */
type ReaderName = string | { toString(): string }

/** Names that errors carry, innermost first: made for every chunk, read for errors alone. */
interface Scope {
  readonly name: ReaderName
  /** of the item of a list that is being read, -1 for none: a number made into a name for errors alone */
  index: number
  readonly parent: Scope | undefined
}

interface ColumnType<T> {
  readonly BYTES_PER_ELEMENT: number
  new (buffer: ArrayBuffer, offset?: number, length?: number): T & { slice(): T }
}

/** Bytes of a block of columns that do not stand where their numbers may be read. */
const BLOCK = 1 << 16

/** What an owning reader copies besides: columns that are not aligned in the file, one behind the other. */
class AlignedCopies {
  block = new Uint8Array(0)
  private end = 0

  /** @returns where in `block` the bytes stand now */
  put(bytes: Uint8Array, from: number, size: number): number {
    if (this.end + size > this.block.length) {
      this.block = new Uint8Array(Math.max(size, Math.min(BLOCK, bytes.length - from)))
      this.end = 0
    }
    const at = this.end
    this.block.set(bytes.subarray(from, from + size), at)
    this.end = (at + size + 7) & ~7
    return at
  }
}

/** True on every machine Node runs on today; typed-array columns rely on it. */
if (new Uint8Array(new Uint16Array([1]).buffer)[0] !== 1) throw new Error('Marrow needs a little-endian machine')

/**
 * Reads a range of a file front to back. Little-endian unless a method says otherwise. Every read checks
 * the bytes left first and throws a FormatError with file, offset and field.
 *
 * Bulk data is copied out into typed arrays of its own (`f32s`, `u16s`, ...): one copy, aligned, and every bit
 * pattern survives. A single f32 read as a number does not keep a signalling NaN: carry floats that nobody
 * computes with through `u32s` or `f32s`.
 *
 * A reader made by `owning` has copied all bytes before, for its document alone: its arrays are windows on that copy where they
 * are aligned, so that `buffer` of one is that of all, and `byteOffset` says where it begins. Of lent bytes (lent.ts) all arrays are windows.
 */
export class Reader {
  readonly bytes: Uint8Array
  readonly file: string
  /** absolute limits of this reader in `bytes` */
  readonly start: number
  readonly end: number
  /** absolute position of the next read */
  position: number
  private readonly view: DataView
  /** of a reader that owns its bytes */
  private readonly copies: AlignedCopies | undefined
  /** what is taken are windows on the bytes */
  private readonly windows: boolean
  private scope: Scope | undefined

  constructor(
    bytes: Uint8Array,
    file: string,
    options: { start?: number; end?: number; of?: Reader; scope?: Scope; copies?: AlignedCopies } = {},
  ) {
    this.bytes = bytes
    this.file = file
    this.start = options.start ?? 0
    this.end = options.end ?? bytes.length
    this.position = this.start
    this.view = options.of?.view ?? new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.copies = options.of?.copies ?? options.copies
    this.windows = options.of?.windows ?? (this.copies !== undefined || isLent(bytes))
    this.scope = options.scope
    if (this.start < 0 || this.end > bytes.length || this.start > this.end) {
      throw new FormatError('bad-count', say('binary.rangeOutside', { start: this.start, end: this.end, count: bytes.length }), {
        file,
        offset: this.start,
        path: this.path(),
      })
    }
  }

  /**
   * A reader for a document of many parts: one copy of all bytes, and windows on it for what is taken. A window takes as long as a
   * copy of few bytes, a copy of more than 64 ten times as long. Of no use where most of the bytes are not aligned.
   */
  static owning(bytes: Uint8Array, file: string, memory?: TakeMemory): Reader {
    return new Reader(isLent(bytes) ? bytes : ownCopy(bytes, memory), file, { copies: new AlignedCopies() })
  }

  get remaining(): number {
    return this.end - this.position
  }

  /** A reader for the range [start, end) of the same bytes (absolute offsets), inside `name`. */
  sub(start: number, end: number, name: ReaderName = ''): Reader {
    if (!(start >= this.start) || !(end <= this.end) || !(start <= end)) this.reachesOutside(start, end, String(name))
    const scope = name === '' ? this.scope : { name, index: -1, parent: this.scope }
    return new Reader(this.bytes, this.file, { start, end, of: this, scope })
  }

  private reachesOutside(start: number, end: number, name: string): never {
    throw new FormatError(
      'bad-count',
      say('binary.reachesOutside', { what: name || say('binary.range'), start, end, from: this.start, to: this.end }),
      {
        file: this.file,
        offset: Math.max(this.start, Math.min(start, this.end)),
        path: this.path(name),
        expected: say('binary.within', { start: this.start, end: this.end }),
        actual: `${start}..${end}`,
      },
    )
  }

  /** Runs `body` with `name` added to the path that errors carry. */
  within<T>(name: string, body: () => T): T {
    const outer = this.scope
    this.scope = { name, index: -1, parent: outer }
    try {
      return body()
    } finally {
      this.scope = outer
    }
  }

  /** Runs `body` for each of `count` items, with `name[i]` added to the path that errors carry. */
  each<T>(name: string, count: number, body: (i: number) => T): T[] {
    const outer = this.scope
    const scope = { name, index: 0, parent: outer }
    const out: T[] = []
    this.scope = scope
    try {
      for (; scope.index < count; scope.index++) out.push(body(scope.index))
    } finally {
      this.scope = outer
    }
    return out
  }

  /** Full field path of `field` here: `a.b[3].field`. */
  path(field = ''): string {
    let path = field
    for (let scope = this.scope; scope; scope = scope.parent) {
      const own = String(scope.name)
      if (!own) continue
      const name = scope.index < 0 ? own : `${own}[${scope.index}]`
      path = path ? `${name}.${path}` : name
    }
    return path
  }

  /** Throws a FormatError at this place. */
  fail(code: ErrorCode, message: string, field = '', place: { offset?: number; expected?: string; actual?: string } = {}): never {
    throw new FormatError(code, message, {
      file: this.file,
      path: this.path(field),
      offset: place.offset ?? this.position,
      expected: place.expected,
      actual: place.actual,
    })
  }

  /** Makes sure that `size` bytes are left. */
  need(size: number, field = ''): void {
    if (!(size >= 0) || size > this.remaining) {
      this.fail('truncated', say('binary.needs', { field: field || say('binary.data'), count: size, left: this.remaining }), field, {
        expected: say('files.byteCount', { count: size }),
        actual: say('files.byteCount', { count: this.remaining }),
      })
    }
  }

  /** Checks a count of items of `stride` bytes against the bytes left before anything is allocated. */
  count(count: number, stride: number, field = ''): number {
    if (!(count >= 0) || !Number.isInteger(count) || count * stride > this.remaining) {
      this.fail(
        'bad-count',
        say('binary.tooMany', { field: field || say('binary.count'), value: count, left: this.remaining, stride }),
        field,
        {
          expected: stride > 0 ? say('files.atMost', { most: Math.floor(this.remaining / stride) }) : say('binary.atMostSome'),
          actual: String(count),
        },
      )
    }
    return count
  }

  seek(position: number, field = ''): void {
    if (!(position >= this.start) || position > this.end) {
      this.fail(
        'bad-count',
        say('binary.offsetOutside', { offset: position, field: field || say('binary.data'), from: this.start, to: this.end }),
        field,
        {
          expected: `${this.start}..${this.end}`,
          actual: String(position),
        },
      )
    }
    this.position = position
  }

  skip(size: number, field = ''): void {
    this.need(size, field)
    this.position += size
  }

  u8(field = ''): number {
    this.need(1, field)
    return this.bytes[this.position++]
  }
  i8(field = ''): number {
    return (this.u8(field) << 24) >> 24
  }
  u16(field = ''): number {
    this.need(2, field)
    const value = this.view.getUint16(this.position, true)
    this.position += 2
    return value
  }
  i16(field = ''): number {
    return (this.u16(field) << 16) >> 16
  }
  u32(field = ''): number {
    this.need(4, field)
    const value = this.view.getUint32(this.position, true)
    this.position += 4
    return value
  }
  i32(field = ''): number {
    return this.u32(field) | 0
  }
  u32be(field = ''): number {
    this.need(4, field)
    const value = this.view.getUint32(this.position, false)
    this.position += 4
    return value
  }
  u64(field = ''): bigint {
    this.need(8, field)
    const value = this.view.getBigUint64(this.position, true)
    this.position += 8
    return value
  }
  /** A float that is computed with and may be re-rounded only when it is a NaN; see the class comment. */
  f32(field = ''): number {
    this.need(4, field)
    const value = this.view.getFloat32(this.position, true)
    this.position += 4
    return value
  }

  /** u32 at an absolute offset, without moving. */
  peekU32(position = this.position, field = ''): number {
    if (position < this.start || position + 4 > this.end)
      this.fail('truncated', say('binary.needsAt', { field: field || say('binary.data'), count: 4, offset: position }), field, {
        offset: position,
      })
    return this.view.getUint32(position, true)
  }

  /** `size` bytes for the document. */
  take(size: number, field = ''): Uint8Array {
    this.need(size, field)
    const from = this.position
    this.position += size
    return this.windows ? new Uint8Array(this.bytes.buffer, this.bytes.byteOffset + from, size) : this.bytes.slice(from, from + size)
  }

  /** The rest of this range. */
  rest(): Uint8Array {
    return this.take(this.remaining)
  }

  u16s(count: number, field = ''): Uint16Array {
    return this.column(Uint16Array, count, field)
  }
  i16s(count: number, field = ''): Int16Array {
    return this.column(Int16Array, count, field)
  }
  u32s(count: number, field = ''): Uint32Array {
    return this.column(Uint32Array, count, field)
  }
  i32s(count: number, field = ''): Int32Array {
    return this.column(Int32Array, count, field)
  }
  f32s(count: number, field = ''): Float32Array {
    return this.column(Float32Array, count, field)
  }

  private column<T>(type: ColumnType<T>, count: number, field: string): T {
    const size = type.BYTES_PER_ELEMENT
    this.count(count, size, field)
    const { bytes, copies, position, windows } = this
    this.position += count * size
    const from = bytes.byteOffset + position
    const buffer = bytes.buffer as ArrayBuffer
    // all keep bits; slice() of a view makes small arrays ten times as quick, but a view needs an aligned offset
    if (from % size === 0) return windows ? new type(buffer, from, count) : new type(buffer, from, count).slice()
    if (!copies) return new type(buffer.slice(from, from + count * size))
    const at = copies.put(bytes, position, count * size)
    return new type(copies.block.buffer, at, count)
  }

  /** Four characters as they stand, for magics. */
  fourcc(field = ''): string {
    this.need(4, field)
    const p = this.position
    this.position += 4
    return String.fromCharCode(this.bytes[p], this.bytes[p + 1], this.bytes[p + 2], this.bytes[p + 3])
  }
}

function ownCopy(bytes: Uint8Array, memory: TakeMemory | undefined): Uint8Array {
  if (!memory) return new Uint8Array(bytes)
  const own = memory(bytes.length)
  own.set(bytes)
  return own
}

/** Bytes up to the first NUL (all of them without one), as Latin-1: for names that are ASCII in every known file. */
export function nameOf(bytes: Uint8Array): string {
  let end = bytes.indexOf(0)
  if (end < 0) end = bytes.length
  let out = ''
  for (let i = 0; i < end; i++) out += String.fromCharCode(bytes[i])
  return out
}

/**
 * A fixed name field with a new name in it: the name, a NUL, and the old bytes after that where the field had them
 * (junk behind the old NUL stays as it was).
 */
export function withName(field: Uint8Array, name: Uint8Array, terminate = true): Uint8Array {
  if (name.length > field.length - (terminate ? 1 : 0))
    throw new FormatError('invalid-edit', say('binary.nameTooLong', { count: name.length, room: field.length - (terminate ? 1 : 0) }))
  const out = field.slice()
  const old = field.indexOf(0) < 0 ? field.length : field.indexOf(0)
  out.fill(0, 0, Math.max(old, Math.min(field.length, name.length + 1)))
  out.set(name)
  return out
}
