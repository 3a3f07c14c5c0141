import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FormatError } from '../../src/main/binary/format-error.ts'
import { Reader } from '../../src/main/binary/reader.ts'
import { Writer } from '../../src/main/binary/writer.ts'
import { joined } from '../../src/main/workspace/joined-patch.ts'
import { applyPatch, changedBytes, diff, invertPatch, isEmpty, readPatch, writePatch } from '../../src/main/workspace/patch.ts'
import { junk } from '../support/hostile.ts'

function insert(bytes: Uint8Array, at: number, added: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length + added.length)
  out.set(bytes.subarray(0, at))
  out.set(added, at)
  out.set(bytes.subarray(at), at + added.length)
  return out
}

function expectPatch(before: Uint8Array, after: Uint8Array, join?: number) {
  const patch = diff(before, after, join)
  expect(applyPatch(before, patch)).toEqual(after)
  expect(applyPatch(after, invertPatch(patch))).toEqual(before)
  const out = new Writer()
  writePatch(out, patch)
  expect(readPatch(new Reader(out.finish().slice(), 'patch'))).toEqual(patch)
  return patch
}

describe('diff', () => {
  it('is empty for equal bytes', () => {
    expect(isEmpty(expectPatch(junk(1000), junk(1000)))).toBe(true)
    expect(isEmpty(expectPatch(new Uint8Array(0), new Uint8Array(0)))).toBe(true)
  })

  it('names exactly the bytes of a change in place', () => {
    const before = junk(100_000)
    const after = before.slice()
    after[10] ^= 1
    after[70_000] ^= 1
    after[70_001] ^= 1
    const patch = expectPatch(before, after, 0)
    expect([...patch.offsets]).toEqual([10, 70_000])
    expect([...patch.removedSizes]).toEqual([1, 2])
    expect([...patch.inserted]).toEqual([after[10], after[70_000], after[70_001]])
  })

  it('joins splices that stand close together when asked to', () => {
    const before = junk(64)
    const after = before.slice()
    after[10] ^= 1
    after[15] ^= 1
    expect([...expectPatch(before, after, 4).offsets]).toEqual([10])
    expect([...expectPatch(before, after, 3).offsets]).toEqual([10, 15])
  })

  it('does not call everything behind an insertion changed', () => {
    const before = junk(1 << 20)
    const after = insert(insert(before, 700_000, junk(33, 7)), 100, junk(24, 5))
    after[8] ^= 0xff
    after[900_000] ^= 0xff
    expect(changedBytes(expectPatch(before, after))).toBeLessThan(24 + 33 + 40)
  })

  it('finds moved content between repeated blocks', () => {
    const before = new Uint8Array(200_000)
    for (let i = 0; i < before.length; i += 4096) before.set(junk(64, i + 1), i)
    const after = insert(before, 2000, new Uint8Array(40).fill(7))
    after[3] = after[3] ^ 1
    after[180_000] = 9
    expect(changedBytes(expectPatch(before, after))).toBeLessThan(200)
  })

  it('touches no more of other contents of one size than differs as they stand, whatever runs of them are found elsewhere', () => {
    // runs of one picture stand in the other one too, in front and behind
    const before = junk(40_000, 1)
    const after = junk(40_000, 2)
    for (let i = 0; i < 100; i++) after.set(before.subarray(400 * i, 400 * i + 40), (400 * i * 7 + 200) % 39_900)
    const patch = expectPatch(before, after, 0)
    expect(changedBytes(patch)).toBe(before.filter((byte, i) => byte !== after[i]).length)
    // what moved is found still
    const moved = new Uint8Array([...junk(100, 3), ...before.subarray(0, -100)])
    expect(changedBytes(expectPatch(before, moved, 0))).toBe(200)
  })

  it('handles a removal, a swap of halves and files with nothing in common', () => {
    const before = junk(50_000)
    expect(changedBytes(expectPatch(before, new Uint8Array([...before.subarray(0, 99), ...before.subarray(600)])))).toBe(501)
    expect(changedBytes(expectPatch(before, new Uint8Array([...before.subarray(25_000), ...before.subarray(0, 25_000)])))).toBeLessThan(
      50_100,
    )
    expectPatch(new Uint8Array(30_000).fill(1), new Uint8Array(20_000).fill(2))
    expectPatch(new Uint8Array(0), junk(1000))
    expectPatch(junk(1000), new Uint8Array(0))
  })

  it('holds for random edits', () => {
    const splice = fc.record({ at: fc.nat(), remove: fc.nat(60), bytes: fc.uint8Array({ maxLength: 60 }) })
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 400 }),
          fc.integer({ min: 1, max: 9999 }).map((seed) => junk(3000, seed)),
          fc.nat(3000).map((n) => new Uint8Array(n)),
        ),
        fc.array(splice, { maxLength: 8 }),
        fc.nat(12),
        (before, splices, join) => {
          let after: Uint8Array = before
          for (const s of splices) {
            const at = s.at % (after.length + 1)
            after = insert(new Uint8Array([...after.subarray(0, at), ...after.subarray(at + s.remove)]), at, s.bytes)
          }
          expectPatch(before, after, join)
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('applyPatch', () => {
  it('refuses bytes that it was not made from', () => {
    const before = junk(100)
    const after = before.slice()
    after[50] ^= 1
    const patch = diff(before, after)
    expect(() => applyPatch(after, patch, 'a.mot')).toThrow(expect.objectContaining({ code: 'changed-on-disk', file: 'a.mot', offset: 50 }))
    expect(() => applyPatch(before.subarray(1), patch)).toThrow(FormatError)
  })
})

describe('readPatch', () => {
  it('refuses numbers that do not fit, at every cut and for every corrupted byte', () => {
    const before = junk(60)
    const after = insert(before, 20, junk(10, 3))
    after[2] ^= 1
    const out = new Writer()
    writePatch(out, diff(before, after))
    const bytes = out.finish().slice()
    for (let n = 0; n < bytes.length; n++) expect(() => readPatch(new Reader(bytes.subarray(0, n), 'patch'))).toThrow(FormatError)
    for (let i = 0; i < bytes.length; i++) {
      for (const value of [0, 0x7f, 0xff]) {
        const copy = bytes.slice()
        copy[i] = value
        try {
          applyPatch(before, readPatch(new Reader(copy, 'patch')))
        } catch (error) {
          expect(error).toBeInstanceOf(FormatError)
        }
      }
    }
  })
})

describe('two patches in a row', () => {
  it('are as one from the first state to the last, whether or not bytes moved', () => {
    const edits = fc.array(fc.tuple(fc.nat(3900), fc.uint8Array({ maxLength: 40 }), fc.nat(40)), { maxLength: 4 })
    const changed = (bytes: Uint8Array, list: [number, Uint8Array, number][], stay: boolean): Uint8Array =>
      list.reduce((now, [at, put, out]) => {
        const gone = stay ? put.length : out
        return Uint8Array.from([...now.subarray(0, at), ...put, ...now.subarray(at + gone)]).subarray(0, stay ? now.length : undefined)
      }, bytes)
    fc.assert(
      fc.property(edits, edits, fc.boolean(), (one, two, stay) => {
        const start = junk(4000)
        const middle = changed(start, one, stay)
        const end = changed(middle, two, stay)
        const patch = joined(diff(start, middle), diff(middle, end), middle, end)
        expect(applyPatch(start, patch)).toEqual(end)
        expect(patch).toEqual(diff(start, end))
      }),
    )
  })
})
