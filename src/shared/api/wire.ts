/**
 * Messages of every transport as bytes: MessagePack with one extension type per kind of typed array, so that bulk data
 * crosses as it lies in memory. Plain data only: no class instances, dates or functions. `undefined` in an object is left out, elsewhere it
 * becomes null. Bigints must fit 64 bits. -0 as a single number arrives as 0 (in a typed array it stays).
 */
import { DecodeError, Decoder, Encoder } from '@msgpack/msgpack'
import type { ExtensionCodecType } from '@msgpack/msgpack'
import { checkMessage } from './message-bounds.ts'
import type { MessageBounds } from './message-bounds.ts'

const arrayKinds = [
  Uint8Array,
  Int8Array,
  Uint8ClampedArray,
  Uint16Array,
  Int16Array,
  Uint32Array,
  Int32Array,
  Float32Array,
  Float64Array,
  BigUint64Array,
  BigInt64Array,
] as const

// part of the format: position + 1 is the extension type, so kinds are only ever added at the end
const kindNames = arrayKinds.map((kind) => kind.name)
// of %TypedArray%.prototype: gives 'Uint8Array' for a Buffer and for arrays of another realm too
const kindOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag)!.get!

const arrays: ExtensionCodecType<undefined> = {
  __brand: undefined,
  tryToEncode(object) {
    if (!ArrayBuffer.isView(object)) {
      if (object instanceof ArrayBuffer) throw new TypeError('an ArrayBuffer cannot cross: use a typed array')
      return null
    }
    const kind = kindNames.indexOf(kindOf.call(object) as string)
    if (kind < 0) throw new TypeError(`a ${object.constructor.name} cannot cross`)
    return { type: kind + 1, data: new Uint8Array(object.buffer, object.byteOffset, object.byteLength) }
  },
  decode(data, type) {
    const kind = arrayKinds[type - 1]
    if (!kind) throw new DecodeError(`unknown extension type ${type}`)
    if (data.byteLength % kind.BYTES_PER_ELEMENT !== 0) throw new DecodeError(`${kind.name} of ${data.byteLength} bytes`)
    // a copy: aligned, and it does not keep the whole message alive (not slice(), which a Buffer has its own way with)
    return new kind(new Uint8Array(data).buffer)
  },
}

/** structure trees nest: two levels for each node */
const MAX_DEPTH = 2000

/** The message as bytes of their own (a view of a larger buffer would cross to another process with all of it). Throws a TypeError for what is no plain data. */
export function encodeMessage(message: unknown): Uint8Array<ArrayBuffer> {
  return new Encoder({ extensionCodec: arrays, useBigInt64: true, ignoreUndefined: true, maxDepth: MAX_DEPTH }).encode(message)
}

/**
 * Throws on bytes that are no message; allocates no more than a small multiple of their number.
 * @param bounds of messages from whom nothing is known; without them the bytes alone bound what is made
 */
export function decodeMessage(bytes: Uint8Array, bounds?: MessageBounds): unknown {
  // before anything is made of it: a header of five bytes can ask for millions of places, and headers nest
  checkMessage(bytes, bounds)
  // no element takes less than a byte
  const most = bytes.byteLength
  const limits = { maxStrLength: most, maxBinLength: most, maxArrayLength: most, maxMapLength: most, maxExtLength: most }
  return new Decoder({ extensionCodec: arrays, useBigInt64: true, ...limits }).decode(bytes)
}
