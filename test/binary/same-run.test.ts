import fc from 'fast-check'
import { expect, test } from 'vitest'
import { equalEnd, equalStart } from '../../src/main/binary/same-run.ts'

const plainStart = (a: Uint8Array, b: Uint8Array): number => {
  let at = 0
  while (at < a.length && at < b.length && a[at] === b[at]) at++
  return at
}

/** Two states of a file of several blocks that differ in few places, of one size or not. */
const states = fc
  .record({
    size: fc.integer({ min: 0, max: 70_000 }),
    more: fc.constantFrom(0, 0, 1, 5, 16_384),
    places: fc.array(fc.integer({ min: 0, max: 69_999 }), { maxLength: 3 }),
  })
  .map(({ size, more, places }) => {
    const before = Uint8Array.from({ length: size }, (_, i) => i % 251)
    const after = new Uint8Array(size + more)
    after.set(before)
    for (const at of places) if (at < after.length) after[at] ^= 1
    return { before, after }
  })

test('the equal beginning and end of two states are as long as byte by byte', () => {
  fc.assert(
    fc.property(states, ({ before, after }) => {
      expect(equalStart(before, after)).toBe(plainStart(before, after))
      expect(equalEnd(before, after)).toBe(plainStart(before.toReversed(), after.toReversed()))
    }),
  )
})

test('an end is looked for no farther than asked', () => {
  const same = new Uint8Array(40_000)
  expect(equalEnd(same, same.slice(), 20_001)).toBe(20_001)
})

test('windows on larger buffers are compared, not what stands around them', () => {
  const a = new Uint8Array(50_000).fill(1).subarray(3, 40_003)
  const b = new Uint8Array(50_000).fill(1)
  b[40_009] = 2
  expect(equalStart(a, b.subarray(9, 40_009))).toBe(40_000)
  expect(equalEnd(a, b.subarray(10, 40_010))).toBe(0)
})
