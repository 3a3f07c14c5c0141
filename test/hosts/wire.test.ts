import { Decoder } from '@msgpack/msgpack'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { launchFragment, parseLaunch } from '../../src/shared/api/launch.ts'
import { CALL_BOUNDS, checkMessage, MessageError, messageHead } from '../../src/shared/api/message-bounds.ts'
import { decodeMessage, encodeMessage } from '../../src/shared/api/wire.ts'

const number = fc.oneof(fc.integer(), fc.double(), fc.maxSafeInteger()).map((n) => (Object.is(n, -0) ? 0 : n))
const bigint = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n })
const array = fc.oneof(
  fc.uint8Array(),
  fc.int8Array(),
  fc.uint8ClampedArray(),
  fc.uint16Array(),
  fc.int16Array(),
  fc.uint32Array(),
  fc.int32Array(),
  fc.float32Array(),
  fc.float64Array(),
  fc.bigUint64Array(),
  fc.bigInt64Array(),
)
const leaf = fc.oneof(number, bigint, fc.boolean(), fc.constant(null), fc.string({ unit: 'binary' }), array)
const key = fc.string().filter((k) => k !== '__proto__')
const { data } = fc.letrec((tie) => ({
  data: fc.oneof({ maxDepth: 6 }, leaf, fc.array(tie('data')), fc.dictionary(key, tie('data'), { noNullPrototype: true })),
}))

describe('messages as bytes', () => {
  it('give back plain data as it was', () => {
    fc.assert(
      fc.property(data, (value) => {
        expect(decodeMessage(encodeMessage(value))).toStrictEqual(value)
      }),
      { numRuns: 500 },
    )
  })

  it('keep every bit of a typed array, at any offset of message and buffer', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 64 }), fc.integer({ min: 0, max: 8 }), fc.string(), (bytes, offset, pad) => {
        const aligned = bytes.slice(0, bytes.length - (bytes.length % 8))
        const view = new Float64Array(aligned.buffer)
        const inner = new Uint8Array(bytes.buffer, bytes.byteOffset + offset, 8)
        const [, got, gotInner] = decodeMessage(encodeMessage([pad, view, inner])) as [string, Float64Array, Uint8Array]
        expect([...new Uint8Array(got.buffer, got.byteOffset, got.byteLength)]).toEqual([...aligned])
        expect(gotInner).toStrictEqual(inner.slice())
        // nothing else of the message is kept with it
        expect(got.buffer.byteLength).toBe(got.byteLength)
        expect(gotInner.buffer.byteLength).toBe(8)
      }),
    )
  })

  it('turn a Buffer into plain bytes', () => {
    const got = decodeMessage(encodeMessage({ b: Buffer.from([1, 2]) })) as { b: Uint8Array }
    expect(got.b.constructor).toBe(Uint8Array)
    expect([...got.b]).toEqual([1, 2])
    // a Buffer's slice() is no copy: the message itself as one
    const message = Buffer.from(encodeMessage({ a: new Uint8Array([1, 2]), f: new Float32Array([0.5]) }))
    const { a, f } = decodeMessage(message) as { a: Uint8Array; f: Float32Array }
    message.fill(0)
    expect([[...a], [...f], a.buffer.byteLength]).toEqual([[1, 2], [0.5], 2])
  })

  it('leave out undefined fields, and have null for undefined elsewhere', () => {
    expect(decodeMessage(encodeMessage({ a: undefined, b: [undefined, 1] }))).toStrictEqual({ b: [null, 1] })
    expect(decodeMessage(encodeMessage(undefined))).toBe(null)
  })

  it('refuse what is no plain data', () => {
    for (const value of [new DataView(new ArrayBuffer(2)), new ArrayBuffer(2), () => 1, Symbol('s')])
      expect(() => encodeMessage({ value })).toThrow()
    const loop: { self?: unknown } = {}
    loop.self = loop
    expect(() => encodeMessage(loop)).toThrow()
  })

  it('never do more than throw on bytes that are none', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          decodeMessage(bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(Error)
        }
      }),
      { numRuns: 2000 },
    )
    const whole = encodeMessage({ kind: 'call', id: 1, args: { a: new Float32Array(3), b: ['x', { c: 1n }] } })
    for (let n = 0; n < whole.length; n++) expect(() => decodeMessage(whole.slice(0, n)), `cut at ${n}`).toThrow()
    expect(() => decodeMessage(new Uint8Array([...whole, 0]))).toThrow()
  })
})

describe('bounds of a message', () => {
  const bytes = (...parts: (number | number[])[]) => Uint8Array.from(parts.flat())

  it('are kept without making anything of it', () => {
    // 20,000 arrays that each promise 65,535 more: a decoder would make room for a thousand million
    const bomb = bytes(Array.from({ length: 20_000 }, () => [0xdc, 0xff, 0xff]).flat())
    expect(() => decodeMessage(bomb)).toThrow(/ends too early/)
    expect(() => decodeMessage(bomb, CALL_BOUNDS)).toThrow(/ends too early/)
    // maps too
    expect(() => decodeMessage(bytes(Array.from({ length: 20_000 }, () => [0xde, 0xff, 0xff]).flat()))).toThrow(/ends too early/)
    const deep = bytes(new Array<number>(65).fill(0x91), 0xc0)
    expect(() => decodeMessage(deep, CALL_BOUNDS)).toThrow(/nests more than 64/)
    expect(decodeMessage(deep.slice(1), CALL_BOUNDS)).toBeInstanceOf(Array)
    // whole, and each of its empty maps an object
    const many = 2_000_001
    const wide = new Uint8Array(5 + many).fill(0x80)
    wide.set([0xdd, many >>> 24, (many >> 16) & 255, (many >> 8) & 255, many & 255])
    expect(() => decodeMessage(wide, CALL_BOUNDS)).toThrow(/too many parts/)
  })

  it('let the largest calls of the window through', () => {
    const edits = Array.from({ length: 100_000 }, (_, i) => ({
      track: `track ${i}`,
      remove: new Uint32Array(1),
      set: { keys: new Uint32Array(1), times: new Float64Array(1), values: new Float32Array(1) },
      insert: { times: new Float64Array(1), values: new Float32Array(1) },
    }))
    const message = encodeMessage({ kind: 'call', id: 1, name: 'clips.editKeys', args: { model: 'm', label: 'l', edits } })
    expect(() => checkMessage(message, CALL_BOUNDS)).not.toThrow()
  })

  it('agree with the decoder on where a message ends', () => {
    fc.assert(
      fc.property(data, (value) => checkMessage(encodeMessage(value))),
      { numRuns: 500 },
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        let fits = true
        try {
          checkMessage(bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(MessageError)
          fits = false
        }
        if (!fits) expect(() => new Decoder({ useBigInt64: true }).decode(bytes)).toThrow()
      }),
      { numRuns: 3000 },
    )
  })

  it('are told to the call that they are about', () => {
    const message = encodeMessage({ kind: 'call', id: 70_000, name: 'x', args: {} })
    expect(messageHead(message)).toEqual({ kind: 'call', id: 70_000 })
    // whatever stands behind the number
    expect(messageHead(message.slice(0, 19))).toEqual({ kind: 'call', id: 70_000 })
    for (const other of [
      encodeMessage(null),
      encodeMessage([1]),
      encodeMessage({ id: 'x' }),
      encodeMessage({ kind: 'call' }),
      bytes(0x82, 0xa4),
    ])
      expect(messageHead(other)).toBeNull()
  })
})

describe('launch', () => {
  it('crosses in a fragment', () => {
    fc.assert(
      fc.property(fc.record({ code: fc.string(), folder: fc.string({ unit: 'grapheme', minLength: 1 }) }), ({ code, folder }) => {
        const launch = code ? { code, folder } : { folder }
        expect(parseLaunch(new URL(`http://127.0.0.1/${launchFragment(launch)}`).hash)).toEqual(launch)
      }),
    )
  })

  it('takes nothing from a fragment that is not ours', () => {
    expect(parseLaunch('')).toEqual({})
    expect(parseLaunch('#/some/route')).toEqual({})
    expect(parseLaunch('#__proto__=1&folder=%zz&token=x&code=')).toEqual({ code: '' })
  })
})
