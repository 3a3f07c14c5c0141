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
