/** Leaf chunks as data, over the layouts that all families share (main/binary/layout.ts). */
import { readRecords, record, recordList, u32 } from '../../../binary/layout.ts'
import { nameOf } from '../../../binary/reader.ts'
import { field } from '../../../binary/structure.ts'
import type { FieldHints, Fields, FieldType, Records, Struct } from '../../../binary/layout.ts'
import type { LeafCodec } from './chunk.ts'

/** (major << 16) | minor */
export const version: FieldType<number> = { ...u32, show: (v) => `${v >>> 16}.${v & 0xffff}` }

export interface StructLeaf<F extends Fields> extends LeafCodec<Struct<F>> {
  /** bytes; the least, where fields differ in size */
  size: number
}

/**
 * A leaf that is one struct.
 * @param summary what it is called by
 */
export function struct<F extends Fields>(
  id: number,
  fields: F,
  hints: FieldHints<F> = {},
  summary?: (data: Struct<F>) => string,
): StructLeaf<F> {
  const layout = record(fields, hints)
  return {
    id,
    size: layout.size,
    exact: true,
    read: (r) => layout.read(r),
    write: (data, out) => layout.write(out, data),
    describe: (data, at) => ({ fields: layout.describe(data, at), children: [], ...(summary ? { summary: summary(data) } : {}) }),
  }
}

export interface RecordsLeaf<F extends Fields> extends LeafCodec<Records> {
  stride: number
  /** byte offset of each field in a record; divide by 4 (by 2) to index `u32`, `f32` (`u16`) */
  at: Record<keyof F, number>
}

/**
 * A leaf that is an array of records, as many as its size holds.
 * @param item name of one record in descriptions; '' shows the whole array as one field
 */
export function records<F extends Fields>(id: number, fields: F, item = '', hints: FieldHints<F> = {}): RecordsLeaf<F> {
  const layout = recordList(fields, item, hints)
  return {
    id,
    stride: layout.stride,
    at: layout.at,
    exact: true,
    read: (r) => layout.read(r),
    write: (data, out) => layout.write(out, data),
    describe: (data, start) => layout.describe(data, start),
  }
}

/** A struct and the records behind it. */
export interface Headed<F extends Fields> {
  head: Struct<F>
  rows: Records
}

export interface RowSection {
  name: string
  /** of one record, as in field types */
  layout: string
  /** what a record is called, or its field that it is called by */
  what: string
  /** as the head counts them; what is left of the payload goes to the last section */
  count: number
}

/**
 * A leaf that is a struct and then records of `stride` bytes, as many as its size holds: counts of obsolete and rare chunks are off by one
 * from builder to builder.
 * @param sections how the records are divided; counts that are too large are cut
 */
export function headed<F extends Fields>(
  id: number,
  fields: F,
  stride: number,
  sections: (head: Struct<F>) => readonly RowSection[],
  hints: FieldHints<F> = {},
): LeafCodec<Headed<F>> {
  const head = struct(id, fields, hints)
  return {
    id,
    exact: true,
    read(r, siblings) {
      const data = head.read(r, siblings)
      return { head: data, rows: readRecords(r, stride) }
    },
    write(data, out) {
      head.write(data.head, out)
      out.raw(data.rows.u32)
    },
    describe(data, at) {
      const out = head.describe(data.head, at)
      let row = 0
      const list = sections(data.head)
      list.forEach((section, i) => {
        const left = data.rows.count - row
        const count = i === list.length - 1 ? left : Math.min(section.count, left)
        if (count > 0)
          out.fields.push(
            field(
              section.name,
              `${section.layout} x ${count}`,
              at + head.size + row * stride,
              count * stride,
              data.rows.bytes.subarray(row * stride, (row + count) * stride),
              { entries: { what: section.what } },
            ),
          )
        row += count
      })
      return out
    },
  }
}

/** A leaf that is a column of floats, `width` per item. */
export function floats(id: number, width: number, what = `f32[${width}]`): LeafCodec<Float32Array> & { width: number } {
  return {
    id,
    width,
    exact: true,
    read: (r) => r.f32s(Math.floor(r.remaining / (4 * width)) * width),
    write: (data, out) => out.raw(data),
    describe: (data, at) => ({
      fields: data.length ? [field('values', `${what} x ${data.length / width}`, at, data.byteLength, data)] : [],
      children: [],
    }),
  }
}

/** A leaf that is a column of u32, `width` per item. */
export function words(id: number, width = 1, note?: () => string): LeafCodec<Uint32Array> {
  return {
    id,
    exact: true,
    read: (r) => r.u32s(Math.floor(r.remaining / (4 * width)) * width),
    write: (data, out) => out.raw(data),
    describe: (data, at) => ({
      fields: data.length
        ? [
            field(
              'values',
              `${width === 1 ? 'u32' : `u32[${width}]`} x ${data.length / width}`,
              at,
              data.byteLength,
              data,
              note ? { note: note() } : {},
            ),
          ]
        : [],
      children: [],
    }),
  }
}

/** A leaf that is a column of u16, `width` per item. */
export function shorts(id: number, width = 1): LeafCodec<Uint16Array> {
  return {
    id,
    exact: true,
    read: (r) => r.u16s(Math.floor(r.remaining / (2 * width)) * width),
    write: (data, out) => out.raw(data),
    describe: (data, at) => ({
      fields: data.length
        ? [field('values', `${width === 1 ? 'u16' : `u16[${width}]`} x ${data.length / width}`, at, data.byteLength, data)]
        : [],
      children: [],
    }),
  }
}

/** A leaf that is a column of four-byte colours. */
export function colors(id: number, last: 'alpha' | 'padding'): LeafCodec<Uint8Array> {
  return {
    id,
    exact: true,
    read: (r) => r.take(Math.floor(r.remaining / 4) * 4),
    write: (data, out) => out.raw(data),
    describe: (data, at) => ({
      fields: data.length
        ? [
            field('values', `${last === 'alpha' ? 'RGBA8' : 'RGB8 + padding'} x ${data.length / 4}`, at, data.byteLength, data, {
              use: { is: 'color', order: last === 'alpha' ? 'rgba' : 'rgb-' },
            }),
          ]
        : [],
      children: [],
    }),
  }
}

/** A leaf that is a NUL-terminated text; the bytes are kept whole, with whatever follows the NUL. */
export function text(id: number): LeafCodec<Uint8Array> {
  return {
    id,
    exact: true,
    read: (r) => r.rest(),
    write: (data, out) => out.raw(data),
    describe: (data, at) => ({
      fields: [field('text', `char[${data.length}]`, at, data.length, nameOf(data), { use: { is: 'text', form: 'whole' } })],
      children: [],
      summary: nameOf(data).slice(0, 80),
    }),
  }
}
