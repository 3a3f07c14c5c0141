/**
 * COMPRESSED_ANIMATION: keys at chosen frames (time-coded, flavour 0), adaptive deltas (flavour 1), and BFME's motion channels. Layouts [V] on
 * 614 time-coded and 130 motion channels; adaptive channels after the engine, no real file is known.
 */
import { field, leftover } from '../../../binary/structure.ts'
import { CHANNEL_NAMES, componentsOf, flagsNote, typeName, valueType } from './animation.ts'
import { ID } from './chunk-ids.ts'
import { dataOf, newContainer, newLeaf } from './chunk.ts'
import { blockSize, blocksFor } from './delta-coding.ts'
import { nameField } from './hierarchy.ts'
import { chars, f32s, makeRecords, named, readRecords, record, u16, u32, u8 } from '../../../binary/layout.ts'
import { reference, structural } from '../../../binary/field-use.ts'
import { struct, version } from './leaves.ts'
import { valueText } from './value-names.ts'
import { say } from '../texts/index.ts'
import type { Reader } from '../../../binary/reader.ts'
import type { Writer } from '../../../binary/writer.ts'
import type { ScalarType, ScalarTypes } from '../../field-type.ts'
import type { StructureField } from '../../format.ts'
import type { Chunk, ContainerChunk, LeafCodec } from './chunk.ts'
import type { DeltaBits, DeltaStream } from './delta-coding.ts'
import type { RecordLayout, Records } from '../../../binary/layout.ts'

export const FLAVOR = { TIME_CODED: 0, ADAPTIVE_DELTA: 1 } as const
const FLAVORS = ['timeCoded', 'adaptiveDelta'] as const
const DELTA_TYPES = ['keys', 'deltas4', 'deltas8'] as const
const headerFields = { version, name: chars(16), hierarchyName: chars(16), numFrames: u32, frameRate: u16, flavor: u16 }
export const COMPRESSED_ANIMATION_HEADER = struct(ID.COMPRESSED_ANIMATION_HEADER, headerFields, {
  notes: { flavor: (v: number) => valueText(FLAVORS, v) ?? say('codecs.values.unknown') },
})

/** Bit 31 of a time: the value before it is held until this key. */
export const STEP_BIT = 0x80000000
export const TIME_MASK = 0x7fffffff

/** Frames with what bit 31 says of them, as types of fields. */
export const TIME_SCALARS: ScalarTypes = {
  timecode: timeScalar(['held']),
  bitcode: timeScalar(['on', 'off']),
}

/** @param marks what follows the frame where its bit is set, and where it is clear (`moving` where nothing is shown then); a frame alone leaves the bit as it is */
function timeScalar([set, clear]: readonly [string, string?]): ScalarType {
  return {
    size: 4,
    show: (view, at) => timeText(view.getUint32(at, true), ` ${set}`, clear && ` ${clear}`),
    packed: {
      words: 1,
      marks: clear ? [set, clear] : [set, 'moving'],
      write(view, at, [frame, mark]) {
        const time = /^\d+$/.test(frame) ? Number(frame) : Infinity
        if (time > TIME_MASK) return false
        const bit = mark === undefined ? view.getUint32(at, true) & STEP_BIT : mark === set ? STEP_BIT : 0
        view.setUint32(at, (time | bit) >>> 0, true)
        return true
      },
    },
  }
}

function timeText(code: number, set: string, clear = ''): string {
  return `${code & TIME_MASK}${code & STEP_BIT ? set : clear}`
}

const typeText = (type: number): string => CHANNEL_NAMES[type] ?? say('codecs.values.unknown')
/** A channel up to its keys or deltas; what `count` counts is called by its coding. */
const channelHead = (counted: string): RecordLayout<{ count: typeof u32; pivot: typeof u16; vectorLen: typeof u8; type: typeof u8 }> =>
  record(
    { count: named(counted, structural(u32)), pivot: reference(u16, 'pivot'), vectorLen: structural(u8), type: structural(u8) },
    { notes: { type: typeText } },
  )
const KEYS_HEAD = channelHead('numTimeCodes')
const DELTAS_HEAD = channelHead('numFrames')
const BITS_HEAD = record(
  { count: named('numTimeCodes', structural(u32)), pivot: reference(u16, 'pivot'), flags: u8, defaultValue: u8 },
  { notes: { flags: flagsNote } },
)
/** What deltas of any coding begin with; as many first values as there are components follow. */
const DELTA_SCALE = record({ scale: f32s(1) })
const MOTION_HEAD = record(
  { zero: u8, deltaType: u8, vectorLen: u8, type: u8, count: u16, pivot: u16 },
  { unknown: ['zero'], notes: { deltaType: (type: number) => valueText(DELTA_TYPES, type), type: typeText } },
)

/** Keys are records of a u32 time and vectorLen floats. */
export interface TimeCodedChannel {
  coding: 'time-coded'
  pivot: number
  vectorLen: number
  type: number
  keys: Records
}

export interface AdaptiveChannel {
  coding: 'adaptive'
  numFrames: number
  pivot: number
  vectorLen: number
  type: number
  deltas: DeltaStream
}

export type CompressedChannel = TimeCodedChannel | AdaptiveChannel

function readDeltas(r: Reader, bits: DeltaBits, width: number, frames: number): DeltaStream {
  const [scale] = DELTA_SCALE.read(r).scale
  const init = r.f32s(width, 'init')
  const size = blockSize(bits) * width
  // whether a last block without a used delta is stored is not settled: the chunk's size decides
  const blocks = size ? Math.min(blocksFor(frames), Math.floor(r.remaining / size)) : 0
  return { bits, width, scale, init, blocks: r.take(blocks * size, 'blocks') }
}

/** The scale is computed with: one that is no number does not keep its bits. */
const keepsScale = (data: DeltaStream): boolean => !Number.isNaN(data.scale)

function writeDeltas(data: DeltaStream, out: Writer): void {
  DELTA_SCALE.write(out, { scale: Float32Array.of(data.scale) })
  out.raw(data.init)
  out.raw(data.blocks)
}

function describeDeltas(data: DeltaStream, components: string, at: number): StructureField[] {
  const fields = [
    ...DELTA_SCALE.describe({ scale: Float32Array.of(data.scale) }, at),
    field('init', components ? `{f32[${data.width}] .${components}}` : `f32[${data.width}]`, at + 4, 4 * data.width, data.init),
  ]
  if (data.blocks.length) {
    const size = blockSize(data.bits)
    fields.push(
      field(
        'blocks',
        `{u8 step, u8[${size - 1}] deltas} x ${data.blocks.length / size}`,
        at + 4 + 4 * data.width,
        data.blocks.length,
        data.blocks,
        { entries: { what: 'frame', first: 1, per: 16, of: Array.from({ length: data.width }, (_, c) => components[c] ?? String(c)) } },
      ),
    )
  }
  return fields
}

const countOf = (data: CompressedChannel): number => (data.coding === 'adaptive' ? data.numFrames : data.keys.count)

export const COMPRESSED_ANIMATION_CHANNEL: LeafCodec<CompressedChannel> = {
  id: ID.COMPRESSED_ANIMATION_CHANNEL,
  exactFor: (data) => data.coding === 'time-coded' || keepsScale(data.deltas),
  read(r, siblings) {
    const flavor = dataOf({ children: siblings }, COMPRESSED_ANIMATION_HEADER)?.flavor ?? 0
    const { count, pivot, vectorLen, type } = (flavor === FLAVOR.ADAPTIVE_DELTA ? DELTAS_HEAD : KEYS_HEAD).read(r)
    if (flavor === FLAVOR.ADAPTIVE_DELTA)
      return { coding: 'adaptive', numFrames: count, pivot, vectorLen, type, deltas: readDeltas(r, 4, vectorLen, count) }
    const stride = 4 + 4 * vectorLen
    r.count(count, stride, 'count')
    return { coding: 'time-coded', pivot, vectorLen, type, keys: readRecords(r, stride, count * stride) }
  },
  write(data, out) {
    KEYS_HEAD.write(out, { ...data, count: countOf(data) })
    if (data.coding === 'adaptive') writeDeltas(data.deltas, out)
    else out.raw(data.keys.u32)
  },
  describe(data, at) {
    const count = countOf(data)
    const fields = (data.coding === 'adaptive' ? DELTAS_HEAD : KEYS_HEAD).describe({ ...data, count }, at)
    if (data.coding === 'adaptive') fields.push(...describeDeltas(data.deltas, componentsOf(data), at + 8))
    else if (data.keys.count)
      fields.push(
        field(
          'keys',
          `{timecode time, f32[${data.vectorLen}] ${componentsOf(data) ? `.${componentsOf(data)}` : 'value'}} x ${data.keys.count}`,
          at + 8,
          data.keys.bytes.length,
          data.keys.bytes,
          { entries: { what: 'time' }, note: say('codecs.heldNote') },
        ),
      )
    return {
      fields,
      children: [],
      summary: say(data.coding === 'adaptive' ? 'codecs.channelOfFrames' : 'codecs.channelOfKeys', {
        pivot: data.pivot,
        type: typeName(data.type),
        count: count,
      }),
    }
  },
}

/** Each entry is a frame and, in bit 31, the value from there on. */
export interface CompressedBitChannel {
  pivot: number
  flags: number
  defaultValue: number
  entries: Uint32Array
}

export const COMPRESSED_BIT_CHANNEL: LeafCodec<CompressedBitChannel> = {
  id: ID.COMPRESSED_BIT_CHANNEL,
  exact: true,
  read(r) {
    const { count, pivot, flags, defaultValue } = BITS_HEAD.read(r)
    return { pivot, flags, defaultValue, entries: r.u32s(count, 'entries') }
  },
  write(data, out) {
    BITS_HEAD.write(out, { ...data, count: data.entries.length })
    out.raw(data.entries)
  },
  describe: (data, at) => ({
    fields: [
      ...BITS_HEAD.describe({ ...data, count: data.entries.length }, at),
      ...(data.entries.length
        ? [
            field('entries', `bitcode x ${data.entries.length}`, at + 8, data.entries.byteLength, data.entries, {
              entries: { what: 'change' },
              note: say('codecs.bitNote'),
            }),
          ]
        : []),
    ],
    children: [],
    summary: say('codecs.channelChanges', { pivot: data.pivot, count: data.entries.length }),
  }),
}

/** BFME's channel: keys at u16 times (0), deltas of 4 bits (1) or 8 bits (2) for each frame. */
export interface MotionChannel {
  zero: number
  deltaType: number
  vectorLen: number
  type: number
  /** frames, or keys where deltaType is 0 */
  count: number
  pivot: number
  body: { kind: 'keys'; times: Uint16Array; pad: Uint8Array; values: Float32Array } | { kind: 'deltas'; deltas: DeltaStream }
}

export const COMPRESSED_MOTION_CHANNEL: LeafCodec<MotionChannel> = {
  id: ID.COMPRESSED_MOTION_CHANNEL,
  exactFor: ({ body }) => body.kind === 'keys' || keepsScale(body.deltas),
  read(r) {
    const head = MOTION_HEAD.read(r)
    const { deltaType, vectorLen, count } = head
    if (deltaType === 0) {
      const times = r.u16s(count, 'times')
      const pad = r.take(count % 2 ? 2 : 0, 'pad')
      return { ...head, body: { kind: 'keys', times, pad, values: r.f32s(count * vectorLen, 'values') } }
    }
    if (deltaType !== 1 && deltaType !== 2) r.fail('bad-value', say('codecs.unknownDeltas', { type: deltaType }), 'deltaType')
    return { ...head, body: { kind: 'deltas', deltas: readDeltas(r, deltaType === 1 ? 4 : 8, vectorLen, count) } }
  },
  write(data, out) {
    MOTION_HEAD.write(out, data)
    if (data.body.kind === 'deltas') writeDeltas(data.body.deltas, out)
    else {
      out.raw(data.body.times)
      out.raw(data.body.pad)
      out.raw(data.body.values)
    }
  },
  describe(data, at) {
    const fields = MOTION_HEAD.describe(data, at)
    if (data.body.kind === 'deltas') fields.push(...describeDeltas(data.body.deltas, componentsOf(data), at + 8))
    else if (data.count) {
      const { times, pad, values } = data.body
      fields.push(field('times', `u16 x ${data.count}`, at + 8, times.byteLength, times, { entries: { what: 'key' } }))
      fields.push(...leftover('pad', at + MOTION_HEAD.size + times.byteLength, pad))
      fields.push(
        field('values', `${valueType(data)} x ${data.count}`, at + 8 + times.byteLength + pad.length, values.byteLength, values, {
          entries: { what: 'key' },
        }),
      )
    }
    return {
      fields,
      children: [],
      summary: say(data.body.kind === 'deltas' ? 'codecs.channelOfFrames' : 'codecs.channelOfKeys', {
        pivot: data.pivot,
        type: typeName(data.type),
        count: data.count,
      }),
    }
  },
}

export const compressedAnimationCodecs: readonly LeafCodec[] = [
  COMPRESSED_ANIMATION_HEADER,
  COMPRESSED_ANIMATION_CHANNEL,
  COMPRESSED_BIT_CHANNEL,
  COMPRESSED_MOTION_CHANNEL,
]

/** Records of a time-coded channel from times and values; `steps` marks keys that are jumped to. */
export function timeCodedKeys(times: ArrayLike<number>, values: Float32Array, vectorLen: number, steps?: ArrayLike<number>): Records {
  const keys = makeRecords(new Uint8Array(times.length * (4 + 4 * vectorLen)), 4 + 4 * vectorLen)
  for (let k = 0; k < times.length; k++) {
    keys.u32[k * (1 + vectorLen)] = ((times[k] & TIME_MASK) | (steps?.[k] ? STEP_BIT : 0)) >>> 0
    keys.f32.set(values.subarray(k * vectorLen, (k + 1) * vectorLen), k * (1 + vectorLen) + 1)
  }
  return keys
}

/** A new compressed animation around channels made with timeCodedKeys() or encodeDeltas(). */
export function makeCompressedAnimation(
  name: string,
  hierarchyName: string,
  numFrames: number,
  frameRate: number,
  flavor: number,
  channels: readonly (CompressedChannel | MotionChannel | CompressedBitChannel)[],
): ContainerChunk {
  const motion = channels.some((c) => 'body' in c)
  return newContainer(ID.COMPRESSED_ANIMATION, [
    newLeaf(COMPRESSED_ANIMATION_HEADER, {
      version: motion ? 0x00010000 : 1,
      name: nameField(name, 16),
      hierarchyName: nameField(hierarchyName, 16),
      numFrames,
      frameRate,
      flavor,
    }),
    ...channels.map((channel): Chunk =>
      'body' in channel
        ? newLeaf(COMPRESSED_MOTION_CHANNEL, channel)
        : 'entries' in channel
          ? newLeaf(COMPRESSED_BIT_CHANNEL, channel)
          : newLeaf(COMPRESSED_ANIMATION_CHANNEL, channel),
    ),
  ])
}
