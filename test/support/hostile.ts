/** Bad input for every codec: a typed error or a document, never anything else, and in time. */
import { expect } from 'vitest'
import { FormatError } from '../../src/main/binary/format-error.ts'
import { encodeDocument } from '../../src/main/formats/format.ts'
import type { Document, FileFormat } from '../../src/main/formats/format.ts'

/** Decodes `bytes`; a result must encode without throwing, a failure must be a FormatError with file and message. */
export function expectTame<D extends Document>(format: FileFormat<D>, bytes: Uint8Array, what: string): D | undefined {
  let document: D
  try {
    document = format.decode(bytes, 'hostile')
  } catch (error) {
    if (!(error instanceof FormatError)) throw new Error(`${what}: decode threw ${String(error)}`, { cause: error })
    expect(error.message, what).not.toBe('')
    expect(error.file, what).toBe('hostile')
    return undefined
  }
  format.describe(document)
  format.summarize(document)
  encodeDocument(format, document)
  return document
}

/** Cuts a fixture at every offset (every `step`-th for large ones). */
export function expectTameWhenTruncated<D extends Document>(format: FileFormat<D>, bytes: Uint8Array, step = 1): void {
  for (let n = 0; n < bytes.length; n += step) expectTame(format, bytes.slice(0, n), `cut at ${n}`)
}

/** Sets each byte (every `step`-th) to 0x00, 0x7F, 0x80 and 0xFF in turn. */
export function expectTameWhenCorrupted<D extends Document>(format: FileFormat<D>, bytes: Uint8Array, step = 1): void {
  for (let i = 0; i < bytes.length; i += step) {
    for (const value of [0, 0x7f, 0x80, 0xff]) {
      const copy = bytes.slice()
      copy[i] = value
      expectTame(format, copy, `byte ${i} set to ${value}`)
    }
  }
}

/** Decode then encode gives the same bytes, whole. */
export function expectLossless<D extends Document>(format: FileFormat<D>, bytes: Uint8Array, ref = 'fixture'): D {
  const document = format.decode(bytes, ref)
  const out = encodeDocument(format, document).bytes
  const at = bytes.findIndex((b, i) => b !== out[i])
  expect({ length: out.length, firstDifference: at < 0 && out.length === bytes.length ? -1 : at }).toEqual({
    length: bytes.length,
    firstDifference: -1,
  })
  return document
}

/** Deterministic junk for padding and unknown fields. */
export function junk(size: number, seed = 1): Uint8Array {
  const out = new Uint8Array(size)
  let s = seed >>> 0 || 1
  for (let i = 0; i < size; i++) {
    s ^= s << 13
    s >>>= 0
    s ^= s >>> 17
    s ^= s << 5
    s >>>= 0
    out[i] = s & 0xff || 0xa5
  }
  return out
}
