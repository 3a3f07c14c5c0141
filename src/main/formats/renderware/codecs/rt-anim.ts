/** RtAnim: AnimAnimation chunks, in .anm files and in the UVAnimDict of a model. */
import { bytes, chars, f32s, flags32, floatRuns, i32s, record, u32 } from '../../../binary/layout.ts'
import { Reader, nameOf } from '../../../binary/reader.ts'
import { say } from '../texts/index.ts'
import type { ScalarType } from '../../field-type.ts'
import type { LeafCodec } from './chunk.ts'

export const ANIM_TYPE = { hanim: 1, compressed: 2, uv: 0x1c0, uvParam: 0x1c1 } as const

/** Bytes per key on disk; `previous` of a compressed key counts in steps of 24 though 22 are stored. */
export const RT_KEY_BYTES: Readonly<Record<number, number>> = { 1: 36, 2: 22, 0x1c0: 32, 0x1c1: 32 }

const UV_KEY = 'f32 time, f32[6] uv, i32 previous'
const RT_KEY_TYPES: Readonly<Record<number, string>> = {
  1: 'f32 time, f32[4] rotation.xyzw, f32[3] translation.xyz, i32 previous',
  2: 'f32 time, half[4] rotation.xyzw, half[3] translation.xyz, i32 previous',
  0x1c0: UV_KEY,
  0x1c1: UV_KEY,
}

/** The largest one: its exponent is that of numbers below 2. */
const MOST_HALF = 2 - 2 ** -11

/** The 16-bit floats of compressed keys, as a type of fields. */
export const HALF: ScalarType = {
  size: 2,
  show: (view, at) => String(Number(unpackHalf(view.getUint16(at, true)).toPrecision(5))),
  limits: {
    whole: false,
    least: -MOST_HALF,
    most: MOST_HALF,
    write: (view, at, text) => view.setUint16(at, packHalf(Number(text)), true),
  },
}

export const RT_ANIM_HEAD = record(
  { version: flags32, type: flags32, numKeyFrames: { ...u32, type: 'i32' }, flags: u32, duration: f32s(1) },
  {
    unknown: ({ type }) => (RT_KEY_BYTES[type] ? [] : ['type']),
    notes: {
      type: (type: number) => (RT_KEY_BYTES[type] ? undefined : say('codecs.typeOfOneGame')),
      duration: () => say('codecs.seconds'),
    },
  },
)
const UV_HEADER = record({ reserved: { ...bytes(4), type: 'u32' }, name: chars(32), nodeToChannel: i32s(8) })
const PACKING = record({ packing: floatRuns({ offset: { count: 3 }, scale: { count: 3 } }) })

export interface RtAnim {
  version: number
  /** 1 HAnim keys, 2 compressed HAnim keys, 0x1C0 / 0x1C1 texture coordinates; others are a game's own */
  type: number
  numKeyFrames: number
  flags: number
  /** seconds, bits of a float */
  duration: Float32Array
  /** only UV animations: u32, char name[32], i32 nodeToChannel[8] */
  uvHeader: Uint8Array
  /**
   * Strided records, RT_KEY_BYTES each; empty for an unknown type (its bytes follow raw).
   * 1: f32 time, f32 q[4] xyzw, f32 t[3], i32 previous. 2: f32 time, u16 q[4], u16 t[3], i32 previous.
   * UV: f32 time, f32 uv[6], i32 previous.
   */
  keys: Uint8Array
  /** only type 2: offset[3], scale[3]; translation = value * scale + offset */
  packing: Float32Array
}

const NOTHING: Uint8Array = new Uint8Array(0)
const NO_FLOATS: Float32Array = new Float32Array(0)

/** Name of an animation of texture coordinates, '' for another one. */
export function uvAnimationName({ uvHeader }: RtAnim): string {
  return uvHeader.length ? nameOf(UV_HEADER.read(new Reader(uvHeader, '')).name) : ''
}

export const animation: LeafCodec<RtAnim> = {
  id: 'animation',
  fixed: -1,
  read(r) {
    const head = RT_ANIM_HEAD.read(r)
    const { type, numKeyFrames } = head
    const stride = RT_KEY_BYTES[type]
    if (!stride) return { ...head, uvHeader: NOTHING, keys: NOTHING, packing: NO_FLOATS }
    const uvHeader = stride === 32 ? r.take(UV_HEADER.size, 'uvHeader') : NOTHING
    r.count(numKeyFrames, stride, 'numKeyFrames')
    const keys = r.take(stride * numKeyFrames, 'keys')
    return {
      ...head,
      uvHeader,
      keys,
      packing: type === ANIM_TYPE.compressed ? PACKING.read(r).packing : NO_FLOATS,
    }
  },
  write(v, out) {
    RT_ANIM_HEAD.write(out, v)
    out.raw(v.uvHeader)
    out.raw(v.keys)
    out.raw(v.packing)
  },
  fields(v, list) {
    list.record(RT_ANIM_HEAD, v)
    if (v.uvHeader.length) list.record(UV_HEADER, UV_HEADER.read(new Reader(v.uvHeader, '')))
    if (v.keys.length)
      list.add('keys', `{${RT_KEY_TYPES[v.type]}} x ${v.numKeyFrames}`, v.keys.length, v.keys, { entries: { what: 'time', unit: 's' } })
    if (v.packing.length) list.record(PACKING, v)
  },
}

/** A 16-bit float of compressed keys: 1 sign, 4 exponent, 11 mantissa. */
export function unpackHalf(x: number): number {
  if (x === 0) return 0
  bits[0] = ((x & 0x8000) << 16) | ((((x & 0x7800) << 12) + 0x38000000) | ((x & 0x7ff) << 12))
  return floats[0]
}

const floats = new Float32Array(1)
const bits = new Uint32Array(floats.buffer)

/** Nearest 16-bit float; what is too small becomes 0, what is too large the largest. */
export function packHalf(value: number): number {
  floats[0] = value
  const sign = (bits[0] >>> 16) & 0x8000
  let rest = (bits[0] & 0x7fffffff) - 0x38000000
  if (!(rest > 0)) return Math.abs(value) < 3.0517578125e-5 / 2 ? 0 : sign | 1
  rest += 0x800
  const packed = rest >>> 12
  return sign | Math.min(0x7fff, packed)
}

/** Keys of one bone, in time order. */
export interface AnimNode {
  /** numbers of the keys in the file */
  keys: number[]
}

/**
 * Which keys belong to which node: the first key of every node stands at the front, each later key names the one before it.
 * Keys that name no earlier key start a new node.
 */
export function animNodes(anim: RtAnim): AnimNode[] {
  const stride = RT_KEY_BYTES[anim.type]
  if (!stride) return []
  const view = new DataView(anim.keys.buffer, anim.keys.byteOffset, anim.keys.byteLength)
  const step = anim.type === ANIM_TYPE.compressed ? 24 : stride === 32 ? 1 : 36
  const n = anim.keys.length / stride
  const nodes: AnimNode[] = []
  const nodeOf = new Int32Array(n)
  let initial = true
  for (let k = 0; k < n; k++) {
    const time = view.getFloat32(stride * k, true)
    if (k > 0 && time > 0) initial = false
    const previous = view.getInt32(stride * k + stride - 4, true)
    const before = previous % step === 0 ? previous / step : -1
    // the first keys, all at time 0, have left-over pointers there
    if (initial && time === 0 && !(before >= 0 && before < k && stride === 32)) {
      nodeOf[k] = nodes.length
      nodes.push({ keys: [k] })
    } else if (before >= 0 && before < k) {
      nodeOf[k] = nodeOf[before]
      nodes[nodeOf[k]].keys.push(k)
    } else {
      nodeOf[k] = nodes.length
      nodes.push({ keys: [k] })
    }
  }
  return nodes
}

/** Time in seconds, rotation x,y,z,w and translation of a key into out[0..7]. */
export function animKey(anim: RtAnim, key: number, out: Float32Array): void {
  const stride = RT_KEY_BYTES[anim.type]
  const view = new DataView(anim.keys.buffer, anim.keys.byteOffset + stride * key, stride)
  out[0] = view.getFloat32(0, true)
  if (anim.type === ANIM_TYPE.compressed) {
    for (let i = 0; i < 4; i++) out[1 + i] = unpackHalf(view.getUint16(4 + 2 * i, true))
    for (let i = 0; i < 3; i++) out[5 + i] = unpackHalf(view.getUint16(12 + 2 * i, true)) * anim.packing[3 + i] + anim.packing[i]
  } else for (let i = 0; i < 7; i++) out[1 + i] = view.getFloat32(4 + 4 * i, true)
}
