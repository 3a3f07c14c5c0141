/**
 * Layouts of fixed records as data, in file order with the spec's field names: one declaration gives reader, writer and
 * description, so the three cannot disagree. Floats are typed-array columns because a single number loses a signalling NaN.
 */
import { Reader, nameOf } from './reader.ts'
import { field, node, show } from './structure.ts'
import { wordsOf } from '../../shared/texts/say.ts'
import type { FieldEntries, FieldUse, StructureField, StructureNode } from '../../shared/api/types/structure.ts'
import type { Words } from '../../shared/texts/texts.ts'
import { Writer } from './writer.ts'

/** Reading and writing keep every bit: whole numbers, and columns of bytes and floats. */
export interface FieldType<T> {
  /** bytes; the least, where `sizeOf` says that values differ */
  size: number
  sizeOf?(value: T): number
  /** as shown: `u32`, `char[16]` */
  type: string
  /** the same in every file: no part of the record's value */
  constant?: true
  /** what errors and descriptions call it, where the code has another name for it */
  label?: string
  /** what it is to who edits it, where its type does not say that (field-use.ts) */
  use?: FieldUse
  /** called without its object, as `write` is: uses no `this` */
  read: (r: Reader, name: string) => T
  write: (out: Writer, value: T) => void
  show(value: T): unknown
  /** of a field that descriptions show as several: a row each, instead of one */
  rows?(value: T, at: number, name: string): StructureField[]
}

const STRUCTURE: FieldUse = { is: 'structure' }
const COUNTED: FieldUse = { is: 'text', form: 'counted' }

export type Fields = Record<string, FieldType<any>>
type Varying<F extends Fields> = {
  [K in keyof F]: F[K] extends FieldType<infer T> ? ([T] extends [undefined] ? never : K) : never
}[keyof F]
/** What a record holds: a value for each field that is no constant. */
export type Struct<F extends Fields> = { -readonly [K in Varying<F>]: F[K] extends FieldType<infer T> ? T : never }

const same = <T>(value: T): unknown => value

export const u8: FieldType<number> = { size: 1, type: 'u8', read: (r, n) => r.u8(n), write: (out, v) => out.u8(v), show: same }
export const u16: FieldType<number> = { size: 2, type: 'u16', read: (r, n) => r.u16(n), write: (out, v) => out.u16(v), show: same }
export const i16: FieldType<number> = { size: 2, type: 'i16', read: (r, n) => r.i16(n), write: (out, v) => out.i16(v), show: same }
export const u32: FieldType<number> = { size: 4, type: 'u32', read: (r, n) => r.u32(n), write: (out, v) => out.u32(v), show: same }
export const i32: FieldType<number> = { size: 4, type: 'i32', read: (r, n) => r.i32(n), write: (out, v) => out.i32(v), show: same }
/** a number with its highest byte first */
export const u32be: FieldType<number> = {
  size: 4,
  type: 'u32 big-endian',
  read: (r, n) => r.u32be(n),
  write: (out, v) => out.u32be(v),
  show: same,
}
/** Four characters that say which of several forms follows. */
export const fourcc: FieldType<string> = {
  size: 4,
  type: 'char[4]',
  read: (r, n) => r.fourcc(n),
  write: (out, v) => out.fourcc(v),
  show: same,
}
/** The same bytes, shown in another way: a number by its name, a name in its own code. */
export function shownAs<T>(type: FieldType<T>, show: (value: T) => unknown): FieldType<T> {
  return { ...type, show }
}
/** The same field under the name that the spec has for it. */
export function named<T>(label: string, type: FieldType<T>): FieldType<T> {
  return { ...type, label }
}
/** a u32 that is flags: shown in hex */
export const flags32: FieldType<number> = shownAs(u32, (v) => `0x${v.toString(16)}`)
/**
 * The characters that a file or a part begins with; reading fails with `bad-magic` where they are others.
 * @param text all characters, NULs too; shown up to the first
 * @param problem what is said of a file that begins with others
 */
export function magic(text: string, problem: Words, expected = text.replaceAll('\0', '\\0')): FieldType<undefined> {
  return {
    size: text.length,
    type: `char[${text.length}]`,
    constant: true,
    read(r, name) {
      const offset = r.position
      if (r.fourcc(name) !== text) r.fail('bad-magic', wordsOf(problem), name, { offset, expected })
      return undefined
    },
    write: (out) => out.fourcc(text),
    show: () => text.split('\0')[0],
  }
}
/** A word that is the same in every file; reading fails with `bad-value` where it is another. Shown in hex. */
export function constant32(value: number, problem: Words): FieldType<undefined> {
  return {
    size: 4,
    type: 'u32',
    constant: true,
    read(r, name) {
      const offset = r.position
      const actual = r.u32(name)
      if (actual !== value) r.fail('bad-value', wordsOf(problem), name, { offset, expected: String(value), actual: String(actual) })
      return undefined
    },
    write: (out) => out.u32(value),
    show: () => `0x${value.toString(16)}`,
  }
}
/** A u32 whose halves are two fields. */
export function halves(low: string, high: string): FieldType<number> {
  return {
    ...u32,
    rows: (value, at) => [field(low, 'u16', at, 2, value & 0xffff), field(high, 'u16', at + 2, 2, value >>> 16)],
  }
}
export function f32s(count: number): FieldType<Float32Array> {
  return {
    size: 4 * count,
    type: count === 1 ? 'f32' : `f32[${count}]`,
    read: (r, n) => r.f32s(count, n),
    write: (out, v) => out.raw(v),
    show: (v) => (count === 1 ? v[0] : v),
  }
}
/** Floats that a record keeps in one column, each run of them a row with a name and hints of its own. */
export function floatRuns(
  runs: Readonly<Record<string, { count: number; unknown?: true; note?: Words; use?: FieldUse }>>,
): FieldType<Float32Array> {
  const list = Object.entries(runs)
  const whole = f32s(list.reduce((sum, [, { count }]) => sum + count, 0))
  return {
    ...whole,
    rows(values, at) {
      let from = 0
      return list.map(([name, { count, note, ...hints }]) => {
        const type = f32s(count)
        const run = field(name, type.type, at + 4 * from, type.size, type.show(values.subarray(from, from + count)), {
          ...hints,
          ...(note === undefined ? {} : { note: wordsOf(note) }),
        })
        from += count
        return run
      })
    },
  }
}
export function u32s(count: number): FieldType<Uint32Array> {
  return { size: 4 * count, type: `u32[${count}]`, read: (r, n) => r.u32s(count, n), write: (out, v) => out.raw(v), show: same }
}
export function i32s(count: number): FieldType<Int32Array> {
  return { size: 4 * count, type: `i32[${count}]`, read: (r, n) => r.i32s(count, n), write: (out, v) => out.raw(v), show: same }
}
/** bytes as they stand: colours, padding */
export function bytes(count: number): FieldType<Uint8Array> {
  return { size: count, type: `u8[${count}]`, read: (r, n) => r.take(count, n), write: (out, v) => out.raw(v), show: same }
}
/** a name field; nameOf() decodes it, whatever follows its NUL stays */
export function chars(count: number): FieldType<Uint8Array> {
  return { size: count, type: `char[${count}]`, read: (r, n) => r.take(count, n), write: (out, v) => out.raw(v), show: (v) => nameOf(v) }
}

/** a text with the number of its bytes in front; nameOf() decodes it */
export const counted: FieldType<Uint8Array> = {
  size: 4,
  sizeOf: (v) => 4 + v.length,
  type: 'u32 length, char[]',
  read: (r, n) => r.take(r.count(r.u32(`${n}Length`), 1, `${n}Length`), n),
  write(out, v) {
    out.u32(v.length)
    out.raw(v)
  },
  show: (v) => nameOf(v),
  rows: (v, at, name) => [field(name, `u32 length, char[${v.length}]`, at, 4 + v.length, nameOf(v), { use: COUNTED })],
}
/** the last field of a record: a text up to the reader's end */
export const remainingChars: FieldType<Uint8Array> = {
  size: 0,
  sizeOf: (v) => v.length,
  type: 'char[]',
  read: (r) => r.rest(),
  write: (out, v) => out.raw(v),
  show: (v) => nameOf(v),
  rows: (v, at, name) => (v.length ? [field(name, `char[${v.length}]`, at, v.length, nameOf(v))] : []),
}

type NoteOf<F extends Fields> = (value: any, data: Struct<F>) => string | undefined

export interface FieldHints<F extends Fields> {
  /** fields that nobody explains */
  unknown?: readonly (keyof F)[] | ((data: Struct<F>) => readonly (keyof F)[])
  notes?: Partial<Record<keyof F, string | NoteOf<F>>>
  /** fields that are shown by what another field says */
  shows?: Partial<Record<keyof F, (value: any, data: Struct<F>) => unknown>>
  /** most records of an array that are shown one by one */
  most?: number
  /** what the records of an array are called */
  entries?: FieldEntries
}

type OwnNotes<F extends Fields> = Partial<Record<keyof F, string | undefined>>

function describeFields<F extends Fields>(
  fields: F,
  hints: FieldHints<F>,
  data: Struct<F>,
  at: number,
  notes?: OwnNotes<F>,
): StructureField[] {
  const out: StructureField[] = []
  const unknown = typeof hints.unknown === 'function' ? hints.unknown(data) : hints.unknown
  for (const [name, type] of Object.entries(fields)) {
    const value = (data as Record<string, unknown>)[name]
    const size = sizeOf(type, value)
    if (type.rows) out.push(...type.rows(value, at, type.label ?? name))
    else {
      const hint = hints.notes?.[name]
      const note: string | undefined = notes?.[name] ?? (typeof hint === 'function' ? hint(value, data) : hint)
      out.push(
        field(type.label ?? name, type.type, at, size, hints.shows?.[name] ? hints.shows[name](value, data) : type.show(value), {
          ...(unknown?.includes(name) ? { unknown: true } : {}),
          ...(note === undefined ? {} : { note }),
          ...(type.constant ? { use: STRUCTURE } : type.use ? { use: type.use } : {}),
        }),
      )
    }
    at += size
  }
  return out
}

function sizeOf<T>(type: FieldType<T>, value: T): number {
  return type.sizeOf?.(value) ?? type.size
}

interface RecordCodec<T> {
  /** @throws FormatError truncated, with the field's name */
  read(r: Reader): T
  write(out: Writer, data: T): void
}

/** A record of fixed fields, and of texts that say their own length: what reads, writes and describes it. */
export interface RecordLayout<F extends Fields> extends RecordCodec<Struct<F>> {
  /** bytes; the least, where fields differ in size */
  size: number
  /** byte offset of each field; of those behind a text that says its own length, the least */
  at: Record<keyof F, number>
  sizeOf(data: Struct<F>): number
  /** the bytes of one record */
  encode(data: Struct<F>): Uint8Array
  /**
   * @param at offset of the record in the file
   * @param notes on this record alone
   */
  describe(data: Struct<F>, at: number, notes?: OwnNotes<F>): StructureField[]
}

/** What a record of this layout holds. */
export type ValueOf<L> = L extends RecordLayout<infer F> ? Struct<F> : never

export function record<F extends Fields>(fields: F, hints: FieldHints<F> = {}): RecordLayout<F> {
  const entries = Object.entries(fields)
  const at = {} as Record<keyof F, number>
  let size = 0
  for (const [name, type] of entries) {
    at[name as keyof F] = size
    size += type.size
  }
  const varying = entries.filter(([, type]) => type.sizeOf)
  let codec: RecordCodec<Struct<F>> | undefined
  // with the first record that is met: there are layouts by the hundred, which each start would wait for, and a file has a few of them
  const made = (): RecordCodec<Struct<F>> => {
    if (!codec) Object.assign(layout, (codec = compiled<Struct<F>>(entries)))
    return codec
  }
  const layout: RecordLayout<F> = {
    size,
    at,
    sizeOf: (data) => varying.reduce((sum, [name, type]) => sum + sizeOf(type, (data as Record<string, unknown>)[name]) - type.size, size),
    read: (r) => made().read(r),
    write: (out, data) => made().write(out, data),
    encode(data) {
      const out = new Writer(size)
      layout.write(out, data)
      return out.finish()
    },
    describe: (data, start, notes) => describeFields(fields, hints, data, start, notes),
  }
  return layout
}

/** Most fields are one of these: the reader's own method, named after the type, is called without a step between. */
const WORDS: readonly FieldType<number>[] = [u8, u16, i16, u32, i32]

/**
 * Reader and writer of a record as if they were written out field by field: files have records by the ten thousand, and a loop that sets
 * fields by name takes two to three times as long.
 */
function compiled<T>(entries: readonly (readonly [name: string, type: FieldType<any>])[]): RecordCodec<T> {
  const types = entries.map(([, type]) => type)
  const code = (line: (key: string, i: number, label: string, constant: boolean) => string): string =>
    entries.map(([name, type], i) => line(JSON.stringify(name), i, JSON.stringify(type.label ?? name), type.constant === true)).join('')
  const read = (i: number, label: string): string => {
    const word = WORDS.find((w) => w.read === types[i].read)
    return word ? `r.${word.type}(${label})` : `read${i}(r, ${label})`
  }
  /* eslint-disable texts/in-catalogue -- a program */
  const source = `
    const [${types.map((_, i) => `{read: read${i}, write: write${i}}`).join()}] = types
    return {
      read(r) {${code((_, i, label) => `const v${i} = ${read(i, label)};`)}
        return {${code((key, i, _, constant) => (constant ? '' : `${key}: v${i},`))}}
      },
      write(out, data) {${code((key, i) => `write${i}(out, data[${key}]);`)}},
    }`
  /* eslint-enable texts/in-catalogue */
  // names of fields are those of declarations in this program, never bytes of a file
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  return (new Function('types', source) as (types: readonly FieldType<any>[]) => RecordCodec<T>)(types)
}

/** An array of equal records, kept interleaved as in the file, with views for each width over the one buffer: made when they are asked for. */
export class Records {
  readonly count: number
  /** bytes per record, a multiple of 4 */
  readonly stride: number
  readonly u32: Uint32Array
  private shorts: Uint16Array | undefined
  private floats: Float32Array | undefined

  constructor(words: Uint32Array, stride: number) {
    this.count = words.byteLength / stride
    this.stride = stride
    this.u32 = words
  }

  get bytes(): Uint8Array {
    return new Uint8Array(this.u32.buffer, this.u32.byteOffset, this.u32.byteLength)
  }
  get u16(): Uint16Array {
    return (this.shorts ??= new Uint16Array(this.u32.buffer, this.u32.byteOffset, 2 * this.u32.length))
  }
  get f32(): Float32Array {
    return (this.floats ??= new Float32Array(this.u32.buffer, this.u32.byteOffset, this.u32.length))
  }
}

export function makeRecords(data: Uint8Array, stride: number): Records {
  const { buffer, byteOffset, length } = data.byteOffset % 4 === 0 ? data : data.slice()
  return new Records(new Uint32Array(buffer, byteOffset, length >>> 2), stride)
}

/** As many whole records as `bytes` have room for. */
export function readRecords(r: Reader, stride: number, bytes = r.remaining): Records {
  return new Records(r.u32s(Math.floor(bytes / stride) * (stride >>> 2)), stride)
}

export function emptyRecords(stride: number, count: number): Records {
  return makeRecords(new Uint8Array(stride * count), stride)
}

/** An array of equal records that is kept as one block of bytes. */
export interface RecordsLayout<F extends Fields> {
  /** bytes of one record */
  stride: number
  /** byte offset of each field in a record; divide by 4 (by 2) to index `u32`, `f32` (`u16`) */
  at: Record<keyof F, number>
  /** as many whole records as the reader has left */
  read(r: Reader): Records
  write(out: Writer, data: Records): void
  describe(data: Records, start: number): { fields: StructureField[]; children: StructureNode[] }
}

/** Most records that describe() shows one by one; the rest is one field. */
const MOST_DESCRIBED = 2048

/**
 * @param item name of one record in descriptions; '' shows the whole array as one field
 * @param kind what one record is, where that is not its name
 */
export function recordList<F extends Fields>(fields: F, item = '', hints: FieldHints<F> = {}, kind = item): RecordsLayout<F> {
  const one = record(fields, hints)
  const { size: stride, at } = one
  const layout = Object.entries(fields)
    .map(([name, type]) => `${type.type} ${name}`)
    .join(', ')
  return {
    stride,
    at,
    read: (r) => readRecords(r, stride),
    write: (out, data) => out.raw(data.u32),
    describe(data, start) {
      if (!item || data.count > (hints.most ?? MOST_DESCRIBED))
        return {
          fields: data.count
            ? [
                field(
                  'records',
                  `{${layout}} x ${data.count}`,
                  start,
                  data.bytes.length,
                  firstRecords(fields, data),
                  hints.entries ? { entries: hints.entries } : {},
                ),
              ]
            : [],
          children: [],
        }
      const reader = new Reader(data.bytes, '')
      const children: StructureNode[] = []
      for (let i = 0; i < data.count; i++) {
        const from = i * stride
        reader.seek(from)
        const first = Object.entries(fields)[0]
        const summary = first[1].type.startsWith('char') ? nameOf(data.bytes.subarray(from, from + first[1].size)) : undefined
        children.push(
          node(
            `${item}[${i}]`,
            kind,
            { start: start + from, end: start + from + stride },
            one.describe(one.read(reader), start + from),
            [],
            summary ? { summary } : {},
          ),
        )
      }
      return { fields: [], children }
    },
  }
}

/** The first records of a long array, each field in file order. */
function firstRecords(fields: Fields, data: Records): string {
  const reader = new Reader(data.bytes, '')
  const shown: string[] = []
  for (let i = 0; i < Math.min(data.count, 4); i++) {
    reader.seek(i * data.stride)
    shown.push(
      `{${Object.values(fields)
        .map((type) => show(type.show(type.read(reader, ''))))
        .join(', ')}}`,
    )
  }
  return `${shown.join(' ')}${data.count > shown.length ? ` … (${data.count})` : ''}`
}
