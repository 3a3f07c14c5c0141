/**
 * Channels of every coding as keys: times (frames), values in the file's order, and which keys are jumped to. What plays, what is drawn as a
 * curve and what is edited all start from here.
 */
import { ANIMATION_CHANNEL, BIT_CHANNEL, CHANNEL, bitAt, bitFrames, flagsText, plainType } from './animation.ts'
import {
  COMPRESSED_ANIMATION_CHANNEL,
  COMPRESSED_BIT_CHANNEL,
  COMPRESSED_MOTION_CHANNEL,
  STEP_BIT,
  TIME_MASK,
} from './compressed-animation.ts'
import { decodeDeltas, deltaFrames } from './delta-coding.ts'
import type { AnimationChannel, BitChannel } from './animation.ts'
import type { ContainerChunk, TypedChunk } from './chunk.ts'
import type { CompressedBitChannel, CompressedChannel, MotionChannel } from './compressed-animation.ts'

export type Coding = 'raw' | 'bits' | 'time-coded' | 'time-coded-bits' | 'adaptive' | 'motion-keys' | 'motion-4-bit' | 'motion-8-bit'

export type ChannelChunk =
  | { coding: 'raw'; chunk: TypedChunk<AnimationChannel> }
  | { coding: 'bits'; chunk: TypedChunk<BitChannel> }
  | { coding: 'time-coded' | 'adaptive'; chunk: TypedChunk<CompressedChannel> }
  | { coding: 'time-coded-bits'; chunk: TypedChunk<CompressedBitChannel> }
  | { coding: 'motion-keys' | 'motion-4-bit' | 'motion-8-bit'; chunk: TypedChunk<MotionChannel> }

/** A channel's meaning; `visibility` is a bit, `opacity` the scalar of BFME. */
export type ChannelProperty = 'x' | 'y' | 'z' | 'rotation' | 'visibility' | 'opacity' | 'unknown'

export interface Keys {
  /** frames, ascending in every sound file */
  times: Float64Array
  /** width per key */
  values: Float32Array
  width: number
  /** 1 for a key that is jumped to; absent when none is */
  steps?: Uint8Array
}

export function channelsIn(clip: ContainerChunk): ChannelChunk[] {
  const out: ChannelChunk[] = []
  for (const child of clip.children) {
    if (child.kind !== 'typed') continue
    const { codec } = child
    if (codec === ANIMATION_CHANNEL) out.push({ coding: 'raw', chunk: child as TypedChunk<AnimationChannel> })
    else if (codec === BIT_CHANNEL) out.push({ coding: 'bits', chunk: child as TypedChunk<BitChannel> })
    else if (codec === COMPRESSED_ANIMATION_CHANNEL) out.push({ coding: (child.data as CompressedChannel).coding, chunk: child })
    else if (codec === COMPRESSED_BIT_CHANNEL) out.push({ coding: 'time-coded-bits', chunk: child as TypedChunk<CompressedBitChannel> })
    else if (codec === COMPRESSED_MOTION_CHANNEL) {
      const { body } = child.data as MotionChannel
      out.push({ coding: body.kind === 'keys' ? 'motion-keys' : body.deltas.bits === 4 ? 'motion-4-bit' : 'motion-8-bit', chunk: child })
    }
  }
  return out
}

export function pivotOf(channel: ChannelChunk): number {
  return channel.chunk.data.pivot
}

/** Frames on every frame between the first and the last: keys cannot be added or moved alone. */
export function isDense(coding: Coding): boolean {
  return coding === 'raw' || coding === 'bits' || coding === 'adaptive' || coding === 'motion-4-bit' || coding === 'motion-8-bit'
}

export function propertyOf(channel: ChannelChunk): ChannelProperty {
  if (channel.coding === 'bits' || channel.coding === 'time-coded-bits') return flagsText(channel.chunk.data.flags)
  const { vectorLen } = channel.chunk.data
  const type = plainType(channel.chunk.data.type)
  if (type === CHANNEL.Q) return vectorLen === 4 ? 'rotation' : 'unknown'
  if (vectorLen !== 1) return 'unknown'
  return type === CHANNEL.X
    ? 'x'
    : type === CHANNEL.Y
      ? 'y'
      : type === CHANNEL.Z
        ? 'z'
        : type === CHANNEL.VISIBILITY
          ? 'opacity'
          : 'unknown'
}

function frames(first: number, count: number): Float64Array {
  const out = new Float64Array(count)
  for (let i = 0; i < count; i++) out[i] = first + i
  return out
}

/** The keys that the file has, in its order. Sizes follow the bytes that are there, never a header's count alone. */
export function keysOf(channel: ChannelChunk): Keys {
  switch (channel.coding) {
    case 'raw': {
      const { firstFrame, vectorLen, values } = channel.chunk.data
      return { times: frames(firstFrame, vectorLen ? values.length / vectorLen : 0), values, width: vectorLen }
    }
    case 'bits': {
      const { data } = channel.chunk
      const count = bitFrames(data)
      return { times: frames(data.firstFrame, count), values: Float32Array.from({ length: count }, (_, i) => bitAt(data, i)), width: 1 }
    }
    case 'time-coded-bits': {
      const { entries } = channel.chunk.data
      return { times: Float64Array.from(entries, (e) => e & TIME_MASK), values: Float32Array.from(entries, (e) => e >>> 31), width: 1 }
    }
    case 'time-coded':
    case 'adaptive': {
      const { data } = channel.chunk
      if (data.coding === 'adaptive') {
        const count = deltaFrames(data.deltas, data.numFrames)
        return { times: frames(0, count), values: decodeDeltas(data.deltas, count), width: data.vectorLen }
      }
      const { keys, vectorLen } = data
      const times = new Float64Array(keys.count)
      const values = new Float32Array(keys.count * vectorLen)
      let steps: Uint8Array | undefined
      for (let k = 0; k < keys.count; k++) {
        const at = k * (1 + vectorLen)
        times[k] = keys.u32[at] & TIME_MASK
        if (keys.u32[at] & STEP_BIT) (steps ??= new Uint8Array(keys.count))[k] = 1
        values.set(keys.f32.subarray(at + 1, at + 1 + vectorLen), k * vectorLen)
      }
      return { times, values, width: vectorLen, ...(steps ? { steps } : {}) }
    }
    default: {
      const { body, count, vectorLen } = channel.chunk.data
      if (body.kind === 'keys') return { times: Float64Array.from(body.times), values: body.values, width: vectorLen }
      const n = deltaFrames(body.deltas, count)
      return { times: frames(0, n), values: decodeDeltas(body.deltas, n), width: vectorLen }
    }
  }
}

/** Value outside the keys of an uncompressed channel: no movement. Other codings hold their first and last key. */
export function restsOutside(coding: Coding): boolean {
  return coding === 'raw'
}
