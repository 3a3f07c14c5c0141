/**
 * Keys of a channel in the coding that it has. Keys that an edit does not name keep their bits; of adaptive deltas those do that
 * the steps of their blocks leave where they are.
 */
import { refuse } from '../../editing.ts'
import { keysOf } from '../codecs/channels.ts'
import { TIME_MASK } from '../codecs/compressed-animation.ts'
import { recodeDeltas } from '../codecs/delta-edit.ts'
import { makeRecords } from '../../../binary/layout.ts'
import { say } from '../texts/index.ts'
import type { KeyEdit } from '../../../../shared/api/types/clips.ts'
import type { ChannelChunk, Keys } from '../codecs/channels.ts'
import type { DeltaStream } from '../codecs/delta-coding.ts'

export function deltasOf(channel: ChannelChunk): DeltaStream | undefined {
  if (channel.coding === 'adaptive') return channel.chunk.data.coding === 'adaptive' ? channel.chunk.data.deltas : undefined
  if (channel.coding === 'motion-4-bit' || channel.coding === 'motion-8-bit')
    return channel.chunk.data.body.kind === 'deltas' ? channel.chunk.data.body.deltas : undefined
  return undefined
}

/** Keys after an edit; `from` is the key whose bits an entry keeps where `kept`, -1 for a new one. */
interface EditedKeys {
  times: number[]
  values: Float32Array
  from: number[]
  kept: boolean[]
}

function applyEdit(keys: Keys, edit: KeyEdit): EditedKeys {
  const { width } = keys
  const bits = new Uint32Array(keys.values.buffer, keys.values.byteOffset, keys.values.length)
  const count = keys.times.length
  const removed = new Set(edit.remove)
  const list: { time: number; values: Uint32Array; from: number; kept: boolean }[] = []
  for (let k = 0; k < count; k++)
    if (!removed.has(k)) list.push({ time: keys.times[k], values: bits.slice(k * width, (k + 1) * width), from: k, kept: true })
  const byKey = new Map(list.map((entry) => [entry.from, entry]))
  const given = (values: Float32Array, i: number): Float32Array => {
    const out = values.slice(i * width, (i + 1) * width)
    if (out.length !== width || !out.every(Number.isFinite)) refuse(say('edit.keyValues', { count: width }))
    return out
  }
  const whole = (time: number): number => (Number.isInteger(time) && time >= 0 ? time : refuse(say('edit.wholeFrames', { time })))
  if (edit.set) {
    const { keys: numbers, times, values } = edit.set
    for (let i = 0; i < numbers.length; i++) {
      const entry = byKey.get(numbers[i])
      if (!entry) refuse(say('formats.noKey', { key: numbers[i] }))
      const next = new Uint32Array(given(values, i).buffer)
      const time = whole(times[i])
      if (time === entry.time && next.every((v, c) => v === entry.values[c])) continue
      entry.time = time
      entry.values = next
      entry.kept = false
    }
  }
  if (edit.insert) {
    for (let i = 0; i < edit.insert.times.length; i++)
      list.push({ time: whole(edit.insert.times[i]), values: new Uint32Array(given(edit.insert.values, i).buffer), from: -1, kept: false })
  }
  // an order that the edit does not touch stays, even a strange one
  if (list.some((entry) => !entry.kept) || list.length !== count) list.sort((a, b) => a.time - b.time)
  const values = new Float32Array(list.length * width)
  const out = new Uint32Array(values.buffer)
  list.forEach((entry, i) => out.set(entry.values, i * width))
  return { times: list.map((e) => e.time), values, from: list.map((e) => e.from), kept: list.map((e) => e.kept) }
}

function distinct(times: readonly number[]): void {
  for (let k = 1; k < times.length; k++) if (times[k] === times[k - 1]) refuse(say('edit.twoKeys', { frame: times[k] }))
}

function consecutive(times: readonly number[], most: number): void {
  if (times.length === 0) refuse(say('edit.needsKey'))
  for (let k = 1; k < times.length; k++) if (times[k] !== times[k - 1] + 1) refuse(say('edit.keysAtEnds'))
  if (times[times.length - 1] > most) refuse(say('edit.framesUpTo', { most }))
}

/** Writes the keys of one channel anew. */
export function writeKeys(channel: ChannelChunk, edit: KeyEdit): void {
  const before = keysOf(channel)
  const next = applyEdit(before, edit)
  const n = next.times.length
  if (n === 0) refuse(say('edit.needsKey'))
  switch (channel.coding) {
    case 'raw': {
      consecutive(next.times, 0xffff)
      const { data } = channel.chunk
      data.values = next.values
      if (next.times[0] !== data.firstFrame || n !== before.times.length) {
        data.firstFrame = next.times[0]
        data.lastFrame = next.times[n - 1]
      }
      return
    }
    case 'bits': {
      consecutive(next.times, 0xffff)
      const { data } = channel.chunk
      const size = Math.ceil(n / 8)
      const bits = new Uint8Array(size)
      // bits behind the last frame of an untouched last byte stay
      if (next.times[0] === data.firstFrame) bits.set(data.bits.subarray(0, size))
      for (let i = 0; i < n; i++) bits[i >> 3] = (bits[i >> 3] & ~(1 << (i & 7))) | (next.values[i] >= 0.5 ? 1 << (i & 7) : 0)
      data.bits = bits
      data.firstFrame = next.times[0]
      if (n !== before.times.length) data.lastFrame = next.times[n - 1]
      return
    }
    case 'time-coded-bits': {
      distinct(next.times)
      const { data } = channel.chunk
      data.entries = Uint32Array.from({ length: n }, (_, k) =>
        next.kept[k] ? data.entries[next.from[k]] : ((next.times[k] & TIME_MASK) | (next.values[k] >= 0.5 ? 0x80000000 : 0)) >>> 0,
      )
      return
    }
    case 'time-coded': {
      distinct(next.times)
      const { data } = channel.chunk
      if (data.coding !== 'time-coded') return
      const words = 1 + data.vectorLen
      const old = data.keys
      const keys = makeRecords(new Uint8Array(n * old.stride), old.stride)
      for (let k = 0; k < n; k++) {
        const from = next.from[k]
        // a key keeps its step bit when it is moved
        const step = from >= 0 ? old.u32[from * words] & ~TIME_MASK : 0
        keys.u32[k * words] = ((next.times[k] & TIME_MASK) | step) >>> 0
        keys.f32.set(next.values.subarray(k * data.vectorLen, (k + 1) * data.vectorLen), k * words + 1)
      }
      copyBits(next.values, keys, data.vectorLen)
      data.keys = keys
      return
    }
    case 'motion-keys': {
      distinct(next.times)
      if (next.times[n - 1] > 0xffff || n > 0xffff) refuse(say('edit.framesAndKeys'))
      const { data } = channel.chunk
      if (data.body.kind !== 'keys') return
      data.count = n
      data.body = {
        kind: 'keys',
        times: Uint16Array.from(next.times),
        pad: n % 2 === 0 ? new Uint8Array(0) : data.body.pad.length ? data.body.pad : new Uint8Array(2),
        values: next.values,
      }
      return
    }
    default: {
      const deltas = deltasOf(channel)!
      if (n !== before.times.length || next.times.some((t, k) => t !== before.times[k])) refuse(say('edit.keysFixed'))
      const changed = next.times.filter((_, k) => !next.kept[k])
      if (changed.length) Object.assign(deltas, recodeDeltas(deltas, n, next.values, changed).stream)
    }
  }
}

/** Values into records bit by bit: set() of floats may lose the bits of a NaN. */
function copyBits(values: Float32Array, keys: ReturnType<typeof makeRecords>, width: number): void {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length)
  for (let k = 0; k < keys.count; k++) for (let c = 0; c < width; c++) keys.u32[k * (1 + width) + 1 + c] = bits[k * width + c]
}
