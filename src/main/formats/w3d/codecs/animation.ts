/**
 * ANIMATION: one value per frame and channel, uncompressed. Layouts [V] on 2510 channels. The padding word is garbage in half of them and
 * bytes behind the values are legal (an old exporter's mistake that the engine skips): both are kept.
 */
import { nameOf } from '../../../binary/reader.ts'
import { field } from '../../../binary/structure.ts'
import { ID } from './chunk-ids.ts'
import { containersOf, dataOf, newContainer, newLeaf } from './chunk.ts'
import { nameField } from './hierarchy.ts'
import { chars, record, u16, u32, u8 } from '../../../binary/layout.ts'
import { reference, structural } from '../../../binary/field-use.ts'
import { struct, version } from './leaves.ts'
import { say } from '../texts/index.ts'
import type { Chunk, ContainerChunk, LeafCodec } from './chunk.ts'
import type { Struct } from '../../../binary/layout.ts'

const headerFields = { version, name: chars(16), hierarchyName: chars(16), numFrames: u32, frameRate: u32 }
export const ANIMATION_HEADER = struct(ID.ANIMATION_HEADER, headerFields)
export type AnimationHeader = Struct<typeof headerFields>

/** What a channel moves. Euler rotations are in no known file and mean nothing to the engine. 15: scalar visibility (BFME). */
export const CHANNEL = { X: 0, Y: 1, Z: 2, XR: 3, YR: 4, ZR: 5, Q: 6, VISIBILITY: 15 } as const
export const CHANNEL_NAMES: Readonly<Record<number, string>> = {
  0: 'X',
  1: 'Y',
  2: 'Z',
  3: 'XR',
  4: 'YR',
  5: 'ZR',
  6: 'Q',
  7: 'X, time-coded',
  8: 'Y, time-coded',
  9: 'Z, time-coded',
  10: 'Q, time-coded',
  11: 'X, adaptive',
  12: 'Y, adaptive',
  13: 'Z, adaptive',
  14: 'Q, adaptive',
  15: 'VIS',
}
/** Bit channels: 0 in every known file, 1 is the engine's name for the time-coded ones. */
const VISIBILITY_FLAGS: readonly number[] = [0, 1]

/** The engine's list goes on with the same four for time-coded and for adaptive channels; every known file has the plain ones. */
export function plainType(type: number): number {
  return type >= 7 && type <= 14 ? [CHANNEL.X, CHANNEL.Y, CHANNEL.Z, CHANNEL.Q][(type - 7) % 4] : type
}

/** Names of the numbers of a channel's value. */
export function componentsOf({ type, vectorLen }: { type: number; vectorLen: number }): string {
  const kind = plainType(type)
  const names = kind === CHANNEL.Q ? 'xyzw' : kind <= CHANNEL.Z ? 'xyz'[kind] : ''
  return names.length === vectorLen ? names : ''
}

/** A channel's value as a type of fields. */
export function valueType(channel: { type: number; vectorLen: number }): string {
  const names = componentsOf(channel)
  return names ? `{f32[${channel.vectorLen}] .${names}}` : channel.vectorLen === 1 ? 'f32' : `f32[${channel.vectorLen}]`
}

const CHANNEL_HEAD = record(
  {
    firstFrame: structural(u16),
    lastFrame: structural(u16),
    vectorLen: structural(u16),
    type: structural(u16),
    pivot: reference(u16, 'pivot'),
    pad: u16,
  },
  {
    unknown: ['pad'],
    notes: { type: (type: number) => CHANNEL_NAMES[type] ?? say('codecs.values.unknown'), pad: () => say('codecs.padNote') },
  },
)
const BITS_HEAD = record(
  { firstFrame: structural(u16), lastFrame: structural(u16), flags: u16, pivot: reference(u16, 'pivot'), defaultValue: u8 },
  { notes: { flags: flagsNote } },
)

/** What a bit channel's flags mean. */
export function flagsText(flags: number): 'visibility' | 'unknown' {
  return VISIBILITY_FLAGS.includes(flags) ? 'visibility' : 'unknown'
}

export function flagsNote(flags: number): string {
  return say(`codecs.values.${flagsText(flags)}`)
}

/** What a channel moves, for summaries. */
export function typeName(type: number): string {
  return CHANNEL_NAMES[type] ?? say('codecs.channelType', { type })
}

/** Values of frames firstFrame..lastFrame, vectorLen each; outside them the value is 0, or no rotation. */
export interface AnimationChannel {
  firstFrame: number
  lastFrame: number
  vectorLen: number
  type: number
  pivot: number
  pad: number
  values: Float32Array
}

export const ANIMATION_CHANNEL: LeafCodec<AnimationChannel> = {
  id: ID.ANIMATION_CHANNEL,
  exact: true,
  read(r) {
    const head = CHANNEL_HEAD.read(r)
    const { firstFrame, lastFrame, vectorLen } = head
    const frames = Math.max(0, lastFrame - firstFrame + 1)
    // a channel that is cut short keeps the whole frames that it has
    const whole = vectorLen ? Math.min(frames, Math.floor(r.remaining / (4 * vectorLen))) : 0
    return { ...head, values: r.f32s(whole * vectorLen, 'values') }
  },
  write(data, out) {
    CHANNEL_HEAD.write(out, data)
    out.raw(data.values)
  },
  describe(data, at) {
    const frames = data.vectorLen ? data.values.length / data.vectorLen : 0
    const fields = CHANNEL_HEAD.describe(data, at)
    if (data.values.length)
      fields.push(
        field('values', `${valueType(data)} x ${frames}`, at + CHANNEL_HEAD.size, data.values.byteLength, data.values, {
          entries: { what: 'frame', first: data.firstFrame },
        }),
      )
    return {
      fields,
      children: [],
      summary: say('codecs.channelFrames', {
        pivot: data.pivot,
        type: typeName(data.type),
        first: data.firstFrame,
        last: data.lastFrame,
      }),
    }
  },
}

/** One bit per frame, lowest bit first; `flags` 0 is visibility. */
export interface BitChannel {
  firstFrame: number
  lastFrame: number
  flags: number
  pivot: number
  /** value outside the frames */
  defaultValue: number
  bits: Uint8Array
}

export const BIT_CHANNEL: LeafCodec<BitChannel> = {
  id: ID.BIT_CHANNEL,
  exact: true,
  read(r) {
    const head = BITS_HEAD.read(r)
    const { firstFrame, lastFrame } = head
    const size = Math.ceil(Math.max(0, lastFrame - firstFrame + 1) / 8)
    return { ...head, bits: r.take(Math.min(size, r.remaining), 'bits') }
  },
  write(data, out) {
    BITS_HEAD.write(out, data)
    out.raw(data.bits)
  },
  describe: (data, at) => ({
    fields: [
      ...BITS_HEAD.describe(data, at),
      ...(data.bits.length
        ? [
            field('bits', `bit x ${data.lastFrame - data.firstFrame + 1}`, at + BITS_HEAD.size, data.bits.length, data.bits, {
              entries: { what: 'frame', first: data.firstFrame, per: 8 },
            }),
          ]
        : []),
    ],
    children: [],
    summary: say('codecs.bitsFrames', { pivot: data.pivot, first: data.firstFrame, last: data.lastFrame }),
  }),
}

/** Frames that a bit channel has a bit for. */
export function bitFrames(channel: BitChannel): number {
  return Math.min(Math.max(0, channel.lastFrame - channel.firstFrame + 1), channel.bits.length * 8)
}
export function bitAt(channel: BitChannel, i: number): number {
  return (channel.bits[i >> 3] >> (i & 7)) & 1
}

export const animationCodecs: readonly LeafCodec[] = [ANIMATION_HEADER, ANIMATION_CHANNEL, BIT_CHANNEL]

export interface AnimationView {
  chunk: ContainerChunk
  name: string
  hierarchyName: string
  numFrames: number
  frameRate: number
}

/** Animations of one kind, in file order: their headers have the same fields in other widths. */
export function animationsOf(
  document: { chunks: readonly Chunk[] },
  kind: number,
  codec: LeafCodec<Pick<AnimationHeader, 'name' | 'hierarchyName' | 'numFrames' | 'frameRate'>>,
): AnimationView[] {
  return containersOf({ children: document.chunks }, kind).map((chunk) => {
    const header = dataOf(chunk, codec)
    return {
      chunk,
      name: header ? nameOf(header.name) : '',
      hierarchyName: header ? nameOf(header.hierarchyName) : '',
      numFrames: header?.numFrames ?? 0,
      frameRate: header?.frameRate ?? 0,
    }
  })
}

/** A new uncompressed animation; `values` hold `vectorLen` numbers for each frame from `firstFrame` on. */
export function makeAnimation(
  name: string,
  hierarchyName: string,
  numFrames: number,
  frameRate: number,
  channels: readonly { pivot: number; type: number; firstFrame?: number; values: Float32Array }[],
  bits: readonly { pivot: number; visible: readonly boolean[] }[] = [],
): ContainerChunk {
  return newContainer(ID.ANIMATION, [
    newLeaf(ANIMATION_HEADER, {
      version: 0x00040001,
      name: nameField(name, 16),
      hierarchyName: nameField(hierarchyName, 16),
      numFrames,
      frameRate,
    }),
    ...channels.map((channel) => {
      const vectorLen = channel.type === CHANNEL.Q ? 4 : 1
      const firstFrame = channel.firstFrame ?? 0
      return newLeaf(ANIMATION_CHANNEL, {
        firstFrame,
        lastFrame: firstFrame + channel.values.length / vectorLen - 1,
        vectorLen,
        type: channel.type,
        pivot: channel.pivot,
        pad: 0,
        values: channel.values,
      })
    }),
    ...bits.map((channel) => {
      const packed = new Uint8Array(Math.ceil(channel.visible.length / 8))
      channel.visible.forEach((on, i) => (packed[i >> 3] |= on ? 1 << (i & 7) : 0))
      return newLeaf(BIT_CHANNEL, {
        firstFrame: 0,
        lastFrame: channel.visible.length - 1,
        flags: 0,
        pivot: channel.pivot,
        defaultValue: 1,
        bits: packed,
      })
    }),
  ])
}
