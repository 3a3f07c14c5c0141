import { describe, expect, it } from 'vitest'
import { FormatError } from '../../src/main/binary/format-error.ts'
import {
  bytes,
  f32s,
  flags32,
  floatRuns,
  i32,
  magic,
  makeRecords,
  named,
  record,
  recordList,
  shownAs,
  u16,
  u8,
} from '../../src/main/binary/layout.ts'
import { Reader } from '../../src/main/binary/reader.ts'
import { Writer } from '../../src/main/binary/writer.ts'
import type { FieldType } from '../../src/main/binary/layout.ts'

/** A text with its length in front. */
const text: FieldType<Uint8Array> = {
  size: 1,
  sizeOf: (value) => 1 + value.length,
  type: 'text',
  read: (r, name) => r.take(r.u8(`${name}.length`), name),
  write(out, value) {
    out.u8(value.length)
    out.raw(value)
  },
  show: (value) => String.fromCharCode(...value),
}

const ENTRY = record(
  {
    magic: magic('ENT\0', 'not an entry'),
    name: text,
    kind: shownAs(i32, (kind) => ['stone', 'paper'][kind] ?? `${kind} (unknown)`),
    flags: flags32,
    place: floatRuns({ position: { count: 3, note: 'metres' }, radius: { count: 1, unknown: true } }),
    weight: f32s(1),
    junk: bytes(2),
  },
  { unknown: ['junk'], notes: { kind: 'what it is made of', flags: (flags: number) => (flags & 1 ? 'lit' : undefined) } },
)

// junk in every byte that no field explains, and a signalling NaN in the weight
const FILE = new Uint8Array([
  ...[0x45, 0x4e, 0x54, 0, 2, 0x61, 0x62, 1, 0, 0, 0, 3, 0, 0, 0x80],
  ...[0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 0, 0, 0x40, 0x40, 0, 0, 0x80, 0x40],
  ...[1, 0, 0xa0, 0x7f, 0xcd, 0xab],
])

describe('a record', () => {
  it('is read, measured and written by one declaration, to the bit', () => {
    const reader = new Reader(FILE, 'a.ent')
    const entry = ENTRY.read(reader)
    expect(reader.remaining).toBe(0)
    expect(Object.keys(entry)).toEqual(['name', 'kind', 'flags', 'place', 'weight', 'junk'])
    expect([...entry.place]).toEqual([1, 2, 3, 4])
    expect(ENTRY.size).toBe(FILE.length - 2)
    expect(ENTRY.sizeOf(entry)).toBe(FILE.length)
    const out = new Writer()
    ENTRY.write(out, entry)
    expect(out.finish()).toEqual(FILE)
  })

  it('goes by the names of the spec in errors and descriptions, by those of the code in its value', () => {
    const layout = record({ numUsed: named('numUsedBones', u8), numBones: u8 })
    expect(layout.read(new Reader(new Uint8Array([7, 9]), ''))).toEqual({ numUsed: 7, numBones: 9 })
    expect(layout.describe({ numUsed: 7, numBones: 9 }, 0).map((row) => row.name)).toEqual(['numUsedBones', 'numBones'])
    expect(() => layout.read(new Reader(new Uint8Array(0), ''))).toThrow(expect.objectContaining({ path: 'numUsedBones' }) as Error)
  })

  it('explains a field by the others, and says which of them nobody explains', () => {
    const layout = record(
      { kind: u8, size: u8 },
      { unknown: ({ kind }) => (kind === 1 ? ['size'] : []), notes: { size: (size: number, { kind }) => `${size} of kind ${kind}` } },
    )
    const sizeRow = (kind: number): unknown => layout.describe({ kind, size: 2 }, 0)[1]
    expect(sizeRow(1)).toMatchObject({ note: '2 of kind 1', unknown: true })
    expect(sizeRow(2)).not.toHaveProperty('unknown')
  })

  it('is described in rows that lie side by side: names, notes, what is unknown', () => {
    const fields = ENTRY.describe(ENTRY.read(new Reader(FILE, 'a.ent')), 100)
    let at = 100
    for (const { start, size } of fields) {
      expect(start).toBe(at)
      at += size
    }
    expect(at).toBe(100 + FILE.length)
    expect(fields.map(({ name, type, value, note, unknown }) => [name, type, value, note, unknown])).toEqual([
      ['magic', 'char[4]', 'ENT', undefined, undefined],
      ['name', 'text', 'ab', undefined, undefined],
      ['kind', 'i32', 'paper', 'what it is made of', undefined],
      ['flags', 'u32', '0x80000003', 'lit', undefined],
      ['position', 'f32[3]', '1, 2, 3', 'metres', undefined],
      ['radius', 'f32', '4', undefined, true],
      ['weight', 'f32', 'NaN', undefined, undefined],
      ['junk', 'u8[2]', 'cd ab', undefined, true],
    ])
  })

  it('says which field is cut, and what begins with other characters', () => {
    for (let size = 0; size < FILE.length; size++)
      expect(() => ENTRY.read(new Reader(FILE.subarray(0, size), 'a.ent')), String(size)).toThrow(FormatError)
    const error = (data: Uint8Array): FormatError => {
      try {
        ENTRY.read(new Reader(data, 'a.ent'))
      } catch (caught) {
        return caught as FormatError
      }
      throw new Error('nothing was thrown')
    }
    expect(error(FILE.subarray(0, 9))).toMatchObject({ code: 'truncated', path: 'kind', offset: 7 })
    expect(error(FILE.with(2, 0x44))).toMatchObject({ code: 'bad-magic', path: 'magic', offset: 0, expected: 'ENT\\0' })
  })
})

describe('records in one block', () => {
  const ROWS = recordList({ first: u16, count: u8, spare: u8 }, 'rows', { unknown: ['spare'], most: 3 }, 'row')
  const data = (count: number): Uint8Array => Uint8Array.from({ length: 4 * count }, (_, i) => 0xf0 + i)

  it('stay as they are, a node each by name and kind', () => {
    const rows = ROWS.read(new Reader(data(2), 'a.rows'))
    expect(rows.u16[ROWS.at.first / 2 + 2]).toBe(0xf5f4)
    const { fields, children } = ROWS.describe(rows, 8)
    expect(fields).toEqual([])
    expect(children.map(({ name, type, start, end }) => [name, type, start, end])).toEqual([
      ['rows[0]', 'row', 8, 12],
      ['rows[1]', 'row', 12, 16],
    ])
    expect(children[1].fields.map(({ name, value, unknown }) => [name, value, unknown])).toEqual([
      ['first', '62964', undefined],
      ['count', '246', undefined],
      ['spare', '247', true],
    ])
    const out = new Writer()
    ROWS.write(out, rows)
    expect(out.finish()).toEqual(data(2))
  })

  it('are one field where they are more than are shown one by one', () => {
    const { fields, children } = ROWS.describe(makeRecords(data(4), ROWS.stride), 8)
    expect(children).toEqual([])
    expect(fields).toMatchObject([{ name: 'records', type: '{u16 first, u8 count, u8 spare} x 4', start: 8, size: 16 }])
  })
})
