/**
 * The types of structure fields, read: what stands where in a bulk column, so that single keys, weights and records can be
 * named, shown and put back without a node for each of them.
 *
 *   u16, f32[3], i16/4096[4]             numbers; with a divisor where the file stores a fraction as a whole number
 *   T x 529                              a column of 529 entries
 *   {u32 frame, pad[12], f32[4] .wxyz}   a record; names of components after a dot: `.wxyz` is w, x, y, z; `rotation.xyzw` is rotation.x ...
 *   f32[4][3]                            rows of numbers: [0][2] is the third of the first row
 *   char[32] x 4, {char[24] name, u32}   names: an entry, or a part of one, that ends at a NUL or its last byte
 *   RGBA8 x 529                          colours of bytes, `RGB8 + padding` with a fourth byte that means nothing
 *   bit x 40                             bits, lowest first: an entry is a byte of eight
 *
 * Other words (`char[16]` alone, `string`) have no layout: their field is one value.
 */
import type { FieldEntries, StructureField } from '../../shared/api/types/structure.ts'

/** A number type of one format (a packed rotation), by the word in field types. */
export interface ScalarType {
  size: number
  show(view: DataView, at: number): string
  /** absent where it cannot be written by itself, or is no single number */
  limits?: ScalarLimits
  /** of a value that is no single number */
  packed?: PackedValue
}

export interface PackedValue {
  /** numbers that it is shown as */
  words: number
  /** words that may stand behind them, one at most */
  marks?: readonly string[]
  /** @returns false where the words say no such value: nothing is written then */
  write(view: DataView, at: number, words: readonly string[]): boolean
}

export interface ScalarLimits {
  whole: boolean
  least: number
  most: number
  /** @param text a number within the limits */
  write(view: DataView, at: number, text: string): void
}

export type ScalarTypes = Readonly<Record<string, ScalarType>>

/** One number, or run of bytes without a value, of an entry. */
export interface FieldPart {
  /** behind the path of the entry: `.w`, `[2]`, '' for an entry that is one number */
  name: string
  offset: number
  size: number
  /** undefined for names, and for bytes that are shown as such */
  type: ScalarType | undefined
  /** a name */
  text?: true
}

export interface FieldLayout {
  /** entries of a column; 1 for a field that is none */
  count: number
  column: boolean
  /** bytes of an entry */
  stride: number
  parts: readonly FieldPart[]
}

/** As few digits as tell the number from its neighbours. */
function float(value: number): string {
  for (let digits = 6; digits < 9; digits++)
    if (Math.fround(Number(value.toPrecision(digits))) === value) return String(Number(value.toPrecision(digits)))
  return String(Number(value.toPrecision(9)))
}

const whole = (bits: number, signed: boolean, write: ScalarLimits['write']): ScalarLimits => ({
  whole: true,
  least: signed ? -(2 ** (bits - 1)) : 0,
  most: 2 ** (signed ? bits - 1 : bits) - 1,
  write,
})
/** The greatest number that is rounded to a finite one: the greatest of all is told with fewer digits, which say more than it. */
const MOST_F32 = (2 - 2 ** -24 - 2 ** -52) * 2 ** 127
const real = (most: number, write: ScalarLimits['write']): ScalarLimits => ({ whole: false, least: -most, most, write })

const NUMBERS: ScalarTypes = {
  u8: {
    size: 1,
    show: (view, at) => String(view.getUint8(at)),
    limits: whole(8, false, (view, at, text) => view.setUint8(at, Number(text))),
  },
  i8: {
    size: 1,
    show: (view, at) => String(view.getInt8(at)),
    limits: whole(8, true, (view, at, text) => view.setInt8(at, Number(text))),
  },
  u16: {
    size: 2,
    show: (view, at) => String(view.getUint16(at, true)),
    limits: whole(16, false, (view, at, text) => view.setUint16(at, Number(text), true)),
  },
  i16: {
    size: 2,
    show: (view, at) => String(view.getInt16(at, true)),
    limits: whole(16, true, (view, at, text) => view.setInt16(at, Number(text), true)),
  },
  u32: {
    size: 4,
    show: (view, at) => String(view.getUint32(at, true)),
    limits: whole(32, false, (view, at, text) => view.setUint32(at, Number(text), true)),
  },
  i32: {
    size: 4,
    show: (view, at) => String(view.getInt32(at, true)),
    limits: whole(32, true, (view, at, text) => view.setInt32(at, Number(text), true)),
  },
  u32be: {
    size: 4,
    show: (view, at) => String(view.getUint32(at, false)),
    limits: whole(32, false, (view, at, text) => view.setUint32(at, Number(text), false)),
  },
  f32: {
    size: 4,
    show: (view, at) => float(view.getFloat32(at, true)),
    limits: real(MOST_F32, (view, at, text) => view.setFloat32(at, Number(text), true)),
  },
  u64: {
    size: 8,
    show: (view, at) => String(view.getBigUint64(at, true)),
    limits: whole(64, false, (view, at, text) => view.setBigUint64(at, BigInt(text), true)),
  },
  f64: {
    size: 8,
    show: (view, at) => String(view.getFloat64(at, true)),
    limits: real(Number.MAX_VALUE, (view, at, text) => view.setFloat64(at, Number(text), true)),
  },
  bit: { size: 1, show: (view, at) => [...view.getUint8(at).toString(2).padStart(8, '0')].reverse().join('') },
}

/** A whole number that stands for a fraction. */
function divided(scalar: ScalarType, divisor: number): ScalarType {
  const { limits } = scalar
  return {
    size: scalar.size,
    show: (view, at) => float(Number(scalar.show(view, at)) / divisor),
    ...(limits && {
      limits: {
        whole: false,
        least: limits.least / divisor,
        most: limits.most / divisor,
        write: (view, at, text) => limits.write(view, at, String(Math.round(Number(text) * divisor))),
      },
    }),
  }
}

/** @returns undefined where the type says nothing of what is inside, or does not fit the field's size */
export function fieldLayout(field: Pick<StructureField, 'type' | 'size'>, scalars: ScalarTypes = {}): FieldLayout | undefined {
  const column = /^(.*) x (\d+)$/.exec(field.type)
  const type = IN_WORDS[column ? column[1] : field.type] ?? (column ? column[1] : field.type)
  const count = column ? (type === 'bit' ? field.size : Number(column[2])) : 1
  if (count === 0) return undefined
  const parts: FieldPart[] = []
  const record = /^\{(.*)\}$/.exec(type)
  let stride = 0
  for (const item of record ? record[1].split(', ') : [type]) {
    const found = /^(\w+)(?:\/(\d+))?(?:\[(\d+)\](?:\[(\d+)\])?)?(?: ([\w]*)(?:\.(\w+))?)?$/.exec(item)
    if (!found) return undefined
    const [, word, divisor, first, second, name = '', components] = found
    const length = second === undefined ? first : String(Number(first) * Number(second))
    const own = name ? `.${name}` : ''
    if (word === 'pad') {
      parts.push({ name: own || '.pad', offset: stride, size: Number(length ?? 1), type: undefined })
      stride += Number(length ?? 1)
      continue
    }
    if (word === 'char' && length !== undefined && (record || column)) {
      parts.push({ name: own, offset: stride, size: Number(length), type: undefined, text: true })
      stride += Number(length)
      continue
    }
    let scalar = scalars[word] ?? NUMBERS[word]
    if (!scalar) return undefined
    if (divisor) scalar = divided(scalar, Number(divisor))
    // a long run of bytes in a record is not one value each
    if (record && length !== undefined && scalar.size === 1 && Number(length) > 4 && !components) {
      parts.push({ name: own, offset: stride, size: Number(length), type: undefined })
      stride += Number(length)
      continue
    }
    for (let i = 0; i < Number(length ?? 1); i++) {
      parts.push({
        name: own + (length === undefined ? '' : components ? `.${components[i] ?? i}` : indexOf(i, second)),
        offset: stride,
        size: scalar.size,
        type: scalar,
      })
      stride += scalar.size
      if (parts.length > MOST_PARTS) return undefined
    }
  }
  return stride > 0 && stride * count === field.size ? { count, column: column !== null, stride, parts } : undefined
}

/** @param second length of a row, where there are rows */
function indexOf(i: number, second: string | undefined): string {
  const row = Number(second)
  return second === undefined ? `[${i}]` : `[${Math.floor(i / row)}][${i % row}]`
}

/** Types that are shown in words of their own: colours are made of bytes. */
const IN_WORDS: Readonly<Record<string, string>> = { RGBA8: 'u8[4]', 'RGB8 + padding': 'u8[4]', 'u32 big-endian': 'u32be' }

/** Fields with more numbers than this are bytes. */
const MOST_PARTS = 4096

/** What an entry of a column is called: `frame 12`, `vertex 529`, `frames 17–32 x`. */
export function entryLabel(entries: FieldEntries | undefined, layout: FieldLayout, index: number, view: DataView, at: number): string {
  if (!entries) return `entry ${index}`
  const unit = entries.unit ? ` ${entries.unit}` : ''
  const own = layout.parts.find((part) => part.type && part.name === `.${entries.what}`)
  if (own) return `${entries.what} ${own.type!.show(view, at + own.offset)}${unit}`
  const turns = entries.of?.length || 1
  const per = entries.per ?? 1
  const from = (entries.first ?? 0) + Math.floor(index / turns) * per
  return `${entries.what}${per > 1 ? `s ${from}–${from + per - 1}` : ` ${from}`}${unit}${entries.of ? ` ${entries.of[index % turns]}` : ''}`
}
