import { describe, expect, it } from 'vitest'
import { anmFormat } from '../../../src/main/formats/renderware/codecs/anm.ts'
import { animKey, animNodes, packHalf, unpackHalf } from '../../../src/main/formats/renderware/codecs/rt-anim.ts'
import { ID } from '../../../src/main/formats/renderware/codecs/chunk-ids.ts'
import { payload } from '../../fixtures/renderware/ped.ts'
import { expectLossless, expectTameWhenCorrupted, expectTameWhenTruncated, junk } from '../../support/hostile.ts'
import type { RtAnim } from '../../../src/main/formats/renderware/codecs/rt-anim.ts'

const stamp = 0x1c02000a
const file = (content: Uint8Array, ...tail: Uint8Array[]): Uint8Array => payload(ID.animAnimation, content.length, stamp, content, ...tail)
const key = (time: number, x: number, previous: number): Uint8Array => payload({ f32: [time, 0, 0, 0, 1, x, 0, 0] }, previous)

/** Two nodes: keys 0, 2, 4 and 1, 3. */
const plain = (): Uint8Array =>
  file(payload(0x100, 1, 5, 0, { f32: [2] }, key(0, 0, 0x12345), key(0, 10, 0xfff0), key(1, 1, 0), key(2, 11, 36), key(2, 2, 72)))

const compressedKey = (time: number, words: number[], previous: number): Uint8Array => payload({ f32: [time] }, { u16: words }, previous)
const compressed = (): Uint8Array =>
  file(
    payload(
      0x100,
      2,
      2,
      0,
      { f32: [1] },
      compressedKey(0, [0, 0, 0, packHalf(1), packHalf(0.5), 0, packHalf(-0.5)], -99),
      compressedKey(1, [packHalf(0.5), 0, 0, packHalf(-0.25), 0, 0, 0], 0),
      { f32: [1, 2, 3, 10, 10, 10] },
    ),
  )

describe('RtAnim', () => {
  it('reads keys of type 1 and which node they belong to', () => {
    const document = expectLossless(anmFormat, plain())
    const anim = document.roots[0].value as RtAnim
    expect(animNodes(anim).map((n) => n.keys)).toEqual([
      [0, 2, 4],
      [1, 3],
    ])
    const out = new Float32Array(8)
    animKey(anim, 3, out)
    expect(Array.from(out)).toEqual([2, 0, 0, 0, 1, 11, 0, 0])
    expect(anmFormat.summarize(document)).toMatchObject({ clips: [{ tracks: 2, keys: 5 }] })
    expect(anmFormat.identify(plain(), 'x', plain().length)).toBeGreaterThan(0.9)
  })
  it('reads compressed keys: 22 bytes each, offsets in steps of 24', () => {
    const document = expectLossless(anmFormat, compressed())
    const anim = document.roots[0].value as RtAnim
    expect(animNodes(anim).map((n) => n.keys)).toEqual([[0, 1]])
    const out = new Float32Array(8)
    animKey(anim, 0, out)
    expect(Array.from(out)).toEqual([0, 0, 0, 0, 1, 6, 2, -2])
  })
  it('packs floats of 16 bits with their own precision', () => {
    for (let x = 0x0001; x <= 0xffff; x += 7) if (x !== 0x8000) expect(packHalf(unpackHalf(x))).toBe(x)
    expect(unpackHalf(0)).toBe(0)
    expect(packHalf(0)).toBe(0)
    for (const v of [1, -1, 0.5, 0.123, -0.9871, 0.00051]) expect(Math.abs(unpackHalf(packHalf(v)) / v - 1)).toBeLessThan(1 / 4096)
    expect(unpackHalf(packHalf(1e9))).toBeCloseTo(2, 2)
  })
  it('keeps types of single games and UV animations', () => {
    const unknown = expectLossless(anmFormat, file(payload(0x100, 0x1103, 3, 0, { f32: [1] }, junk(77)), junk(9)))
    expect(unknown.diagnostics.map((d) => d.code)).toEqual(['renderware.left-over'])
    expect(expectLossless(anmFormat, file(payload(0x100, 0x1c0, 1, 0, { f32: [1] }, junk(68), junk(32)))).diagnostics).toEqual([])
  })
  it('is tame when cut or wrong', () => {
    for (const bytes of [plain(), compressed()]) {
      expectTameWhenTruncated(anmFormat, bytes)
      expectTameWhenCorrupted(anmFormat, bytes)
    }
  })
})
