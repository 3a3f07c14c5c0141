import { describe, expect, it } from 'vitest'
import type { FormatError } from '../../src/main/binary/format-error.ts'
import { Reader } from '../../src/main/binary/reader.ts'

describe('a list of items', () => {
  it('is read one by one; an error names the item, and the paths of what follows do not', () => {
    const reader = new Reader(new Uint8Array([1, 2, 3]), 'a')
    expect(reader.within('head', () => reader.each('items', 2, (i) => [i, reader.u8('value')]))).toEqual([
      [0, 1],
      [1, 2],
    ])
    const error = (() => {
      try {
        return reader.within('head', () => reader.each('items', 4, () => reader.u8('value')))
      } catch (thrown) {
        return thrown as FormatError
      }
    })()
    expect(error).toMatchObject({ code: 'truncated', path: 'head.items[1].value', offset: 3 })
    expect(reader.path('next')).toBe('next')
  })
})

describe('a reader that owns its bytes', () => {
  // 0x7fa00001 is a signalling NaN
  const bytes = Uint8Array.from({ length: 40 }, (_, i) => [0x01, 0x00, 0xa0, 0x7f][i % 4])

  it('gives windows on one copy: what becomes of the bytes that it was given changes nothing', () => {
    const given = bytes.slice()
    const reader = Reader.owning(given, 'a')
    const [head, floats, rest] = [reader.take(4), reader.f32s(2), reader.rest()]
    given.fill(0)
    expect([head.buffer, rest.buffer]).toEqual([floats.buffer, floats.buffer])
    expect([...head]).toEqual([0x01, 0x00, 0xa0, 0x7f])
    expect([...new Uint32Array(floats.buffer, floats.byteOffset, 2)]).toEqual([0x7fa00001, 0x7fa00001])
    expect(rest).toEqual(bytes.slice(12))
  })

  it('gives columns that are not aligned in the file, bit for bit and each for itself, through all its parts', () => {
    const reader = Reader.owning(bytes.subarray(1), 'a')
    const odd = reader.sub(3 + 2, 39)
    const [first, second] = [odd.u32s(3), odd.f32s(2)]
    const shorts = odd.sub(odd.position + 1, 39).u16s(3)
    expect(first).toEqual(Uint32Array.of(0x00017fa0, 0x00017fa0, 0x00017fa0))
    expect([...new Uint32Array(second.buffer, second.byteOffset, 2)]).toEqual([0x00017fa0, 0x00017fa0])
    expect(shorts).toEqual(Uint16Array.of(0x017f, 0xa000, 0x017f))
    first.fill(0)
    expect(second[0]).toBeGreaterThan(0)
    expect(reader.take(9)).toEqual(bytes.slice(1, 10))
  })

  it('checks counts before it copies anything', () => {
    const reader = Reader.owning(bytes, 'a')
    reader.skip(1)
    expect(() => reader.u32s(10, 'values')).toThrow(expect.objectContaining({ code: 'bad-count', path: 'values', offset: 1 }))
  })
})
