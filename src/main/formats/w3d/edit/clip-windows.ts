/**
 * Ranges of animations, cut out and put one behind the other, each channel in its own coding. Keys keep their bits; of adaptive deltas only
 * blocks that a cut does not go through do: a range that does not begin at a multiple of 16 frames is coded anew.
 */
import { concat } from '../../../binary/concat.ts'
import { Writer } from '../../../binary/writer.ts'
import { keyBefore } from '../../../../shared/scene/pose.ts'
import { slerp } from '../../../../shared/scene/matrix.ts'
import { refuse } from '../../editing.ts'
import { channelsIn, keysOf, pivotOf, propertyOf } from '../codecs/channels.ts'
import { writeChunks } from '../codecs/chunk.ts'
import { blockSize, blocksFor, encodeDeltas } from '../codecs/delta-coding.ts'
import { recodeDeltas } from '../codecs/delta-edit.ts'
import { w3dFile } from '../codecs/file.ts'
import { deltasOf, writeKeys } from './channel-keys.ts'
import { say } from '../texts/index.ts'
import type { ChannelChunk, Keys } from '../codecs/channels.ts'
import type { ContainerChunk } from '../codecs/chunk.ts'
import type { DeltaStream } from '../codecs/delta-coding.ts'

const MOST_FRAMES = 0xffff

/** A copy that shares no memory with the original: what is written of it, read again. */
export function copyClip(chunk: ContainerChunk): ContainerChunk {
  const out = new Writer()
  writeChunks({ chunks: [chunk], trailing: new Uint8Array(0) }, out)
  return w3dFile.decode(out.finish().slice(), '').chunks[0] as ContainerChunk
}

const isBits = (channel: ChannelChunk): boolean => channel.coding === 'bits' || channel.coding === 'time-coded-bits'

/** What a channel has at a frame between its first and last key; it holds these outside. */
function valueAt(channel: ChannelChunk, keys: Keys, frame: number): Float32Array {
  const { times, values, width, steps } = keys
  const k = Math.max(0, keyBefore(times, frame))
  const out = values.slice(k * width, (k + 1) * width)
  const next = k + 1
  if (isBits(channel) || next >= times.length || times[k] >= frame || steps?.[next]) return out
  const share = (frame - times[k]) / (times[next] - times[k])
  if (propertyOf(channel) === 'rotation') slerp(out, 0, values, 4 * k, values, 4 * next, share)
  else for (let c = 0; c < width; c++) out[c] += (values[next * width + c] - out[c]) * share
  return out
}

/** What a channel is without movement. */
function restOf(channel: ChannelChunk, width: number): Float32Array {
  const property = propertyOf(channel)
  if (property === 'rotation') return Float32Array.of(0, 0, 0, 1)
  return new Float32Array(width).fill(property === 'visibility' || property === 'opacity' ? 1 : 0)
}

function setDeltas(channel: ChannelChunk, stream: DeltaStream, frames: number): void {
  if (channel.coding === 'adaptive' && channel.chunk.data.coding === 'adaptive') {
    channel.chunk.data.deltas = stream
    channel.chunk.data.numFrames = frames
  } else if ((channel.coding === 'motion-4-bit' || channel.coding === 'motion-8-bit') && channel.chunk.data.body.kind === 'deltas') {
    channel.chunk.data.body.deltas = stream
    channel.chunk.data.count = frames
  }
}

function cutDeltas(channel: ChannelChunk, stream: DeltaStream, keys: Keys, start: number, end: number): void {
  const { width } = stream
  const had = keys.times.length
  const from = Math.min(start, had - 1)
  const frames = Math.max(1, Math.min(end, had - 1) - from + 1)
  const values = keys.values.slice(from * width, (from + frames) * width)
  if (from % 16 !== 0) {
    setDeltas(channel, encodeDeltas(values, frames, width, stream.bits).stream, end - start + 1)
    return
  }
  const size = blockSize(stream.bits) * width
  const first = (from / 16) * size
  const blocks = stream.blocks.slice(first, first + blocksFor(frames) * size)
  setDeltas(channel, { ...stream, init: from === 0 ? stream.init : values.slice(0, width), blocks }, end - start + 1)
}

/** Leaves frames `start` to `end` of a clip; they count from 0 then. Channels that say nothing of them go. */
export function cutClip(clip: ContainerChunk, start: number, end: number): void {
  for (const channel of channelsIn(clip)) {
    const keys = keysOf(channel)
    const stream = deltasOf(channel)
    if (stream) {
      cutDeltas(channel, stream, keys, start, end)
      continue
    }
    const numbers = Array.from(keys.times.keys())
    const isInside = (k: number): boolean => keys.times[k] >= start && keys.times[k] <= end
    const inside = numbers.filter(isInside)
    const ends = (channel.coding === 'raw' || channel.coding === 'bits' ? [] : [...new Set([start, end])]).filter(
      (frame) => keys.times.length > 0 && !inside.some((k) => keys.times[k] === frame),
    )
    if (inside.length + ends.length === 0) {
      clip.children.splice(clip.children.indexOf(channel.chunk), 1)
      continue
    }
    writeKeys(channel, {
      track: '',
      remove: Uint32Array.from(numbers.filter((k) => !isInside(k))),
      ...(start > 0 && {
        set: {
          keys: Uint32Array.from(inside),
          times: Float64Array.from(inside, (k) => keys.times[k] - start),
          values: concat(
            Float32Array,
            inside.map((k) => keys.values.slice(k * keys.width, (k + 1) * keys.width)),
          ),
        },
      }),
      insert: {
        times: Float64Array.from(ends, (frame) => frame - start),
        values: concat(
          Float32Array,
          ends.map((frame) => valueAt(channel, keys, frame)),
        ),
      },
    })
  }
}

/** What every frame of a clip has in a channel; outside of the frames that an uncompressed one stores it is at rest. */
function sampled(channel: ChannelChunk, frame: number): Float32Array {
  const keys = keysOf(channel)
  const { times } = keys
  const out = times.length === 0 || frame < times[0] || frame > times[times.length - 1]
  if (out && channel.coding === 'bits') return Float32Array.of(channel.chunk.data.defaultValue)
  if (times.length === 0 || (out && channel.coding === 'raw')) return restOf(channel, keys.width)
  return valueAt(channel, keys, frame)
}

const sameValues = (a: Float32Array, b: Float32Array): boolean => a.length === b.length && a.every((v, i) => v === b[i])

/**
 * Puts `second` behind `first`. Where all channels of both meet, the seam is one frame; otherwise the second begins a frame later.
 * @returns how many frames later it begins
 * @throws FormatError invalid-edit where a channel is coded differently in the two
 */
export function joinClips(first: ContainerChunk, frames: number, second: ContainerChunk, secondFrames: number): number {
  const partner = (channel: ChannelChunk, of: ContainerChunk): ChannelChunk | undefined =>
    channelsIn(of).find((other) => pivotOf(other) === pivotOf(channel) && propertyOf(other) === propertyOf(channel))
  const mine = channelsIn(first)
  const theirs = channelsIn(second)
  for (const channel of mine) {
    const other = partner(channel, second)
    if (other && other.coding !== channel.coding) refuse(say('edit.clips.otherCoding', { pivot: pivotOf(channel) }))
  }
  const meets =
    mine.every((channel) => {
      const other = partner(channel, second)
      return other !== undefined && sameValues(sampled(channel, frames - 1), sampled(other, 0))
    }) && theirs.every((channel) => partner(channel, first) !== undefined)
  const offset = meets ? frames - 1 : frames
  const total = offset + secondFrames
  if (total > MOST_FRAMES) refuse(say('edit.clips.tooLong', { count: total, most: MOST_FRAMES }))
  for (const channel of mine) append(channel, frames, partner(channel, second), secondFrames, offset)
  for (const channel of theirs) if (!partner(channel, first)) first.children.push(behind(channel, secondFrames, offset).chunk)
  return offset
}

/** What a channel plays in its frames, as keys of the coding that it has. */
function played(channel: ChannelChunk, frames: number): { times: number[]; values: Float32Array[] } {
  const dense = channel.coding === 'raw' || channel.coding === 'bits' || deltasOf(channel) !== undefined
  const { times } = keysOf(channel)
  const all = dense ? Array.from({ length: frames }, (_, f) => f) : [...new Set([0, ...times, frames - 1])].sort((a, b) => a - b)
  return { times: all, values: all.map((frame) => sampled(channel, frame)) }
}

/** Frames of the other clip, or rest, behind those of a channel. */
function append(channel: ChannelChunk, frames: number, other: ChannelChunk | undefined, more: number, offset: number): void {
  // outside of its frames an uncompressed channel is at rest by itself
  if (!other && channel.coding === 'raw') return
  const width = keysOf(channel).width
  const rest = restOf(channel, width)
  const next = other ? played(other, more) : { times: [0, more - 1], values: [rest, rest] }
  if (!other && (channel.coding === 'bits' || deltasOf(channel))) {
    next.times = Array.from({ length: more }, (_, f) => f)
    next.values = next.times.map(() => rest)
  }
  const stream = deltasOf(channel)
  if (stream) {
    const total = offset + more
    const wanted = concat(Float32Array, [...Array.from({ length: offset }, (_, f) => sampled(channel, f)), ...next.values])
    const blocks = new Uint8Array(blocksFor(total) * width * blockSize(stream.bits))
    if (stream.bits === 8) blocks.fill(0x80)
    blocks.set(stream.blocks.subarray(0, blocks.length))
    const changed = Array.from({ length: total - frames }, (_, i) => frames + i)
    setDeltas(channel, recodeDeltas({ ...stream, blocks }, total, wanted, changed).stream, total)
    return
  }
  const keys = keysOf(channel)
  const stands = new Set(keys.times)
  const put: { time: number; value: Float32Array }[] = []
  const dense = channel.coding === 'raw' || channel.coding === 'bits'
  for (const frame of dense ? Array.from({ length: frames }, (_, f) => f) : [0, frames - 1])
    if (!stands.has(frame) && !put.some(({ time }) => time === frame)) put.push({ time: frame, value: sampled(channel, frame) })
  const taken = new Set([...stands, ...put.map(({ time }) => time)])
  next.times.forEach((time, i) => {
    if (!taken.has(time + offset)) put.push({ time: time + offset, value: next.values[i] })
  })
  writeKeys(channel, {
    track: '',
    remove: Uint32Array.from(Array.from(keys.times.keys()).filter((k) => keys.times[k] >= offset + (offset < frames ? 1 : 0))),
    insert: {
      times: Float64Array.from(put, ({ time }) => time),
      values: concat(
        Float32Array,
        put.map(({ value }) => value),
      ),
    },
  })
}

/** A channel that only the second clip has: at rest until then. */
function behind(channel: ChannelChunk, frames: number, offset: number): ChannelChunk {
  const own = copyClip({
    kind: 'container',
    id: 0x200,
    flag: true,
    start: -1,
    end: -1,
    children: [channel.chunk],
    trailing: new Uint8Array(0),
  })
  const made = channelsIn(own)[0]
  const keys = keysOf(made)
  const rest = restOf(made, keys.width)
  const stream = deltasOf(made)
  if (stream) {
    const total = offset + frames
    const values = concat(Float32Array, [...Array.from({ length: offset }, () => rest), ...played(channel, frames).values])
    setDeltas(made, encodeDeltas(values, total, keys.width, stream.bits).stream, total)
    return made
  }
  if (made.coding === 'raw') {
    made.chunk.data.firstFrame += offset
    made.chunk.data.lastFrame += offset
    return made
  }
  const still = made.coding === 'bits' ? Array.from({ length: offset + keys.times[0] }, (_, f) => f) : [...new Set([0, offset - 1])]
  writeKeys(made, {
    track: '',
    set: {
      keys: Uint32Array.from(keys.times.keys()),
      times: Float64Array.from(keys.times, (time) => time + offset),
      values: keys.values.slice(),
    },
    insert: {
      times: Float64Array.from(still),
      values: concat(
        Float32Array,
        still.map((frame) => (frame < offset ? rest : sampled(channel, frame - offset))),
      ),
    },
  })
  return made
}
