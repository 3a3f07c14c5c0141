/**
 * Animations whose channels are packed as deltas, stored plain: a key for each frame with the bits that the deltas come to. Motion channels have
 * a form with keys of their own; adaptive deltas are what a whole animation says of itself, which becomes time-coded.
 */
import { refuse } from '../../editing.ts'
import { channelsIn, keysOf } from '../codecs/channels.ts'
import { leafOf } from '../codecs/chunk.ts'
import { ID } from '../codecs/chunk-ids.ts'
import { COMPRESSED_ANIMATION_HEADER, FLAVOR, timeCodedKeys } from '../codecs/compressed-animation.ts'
import { deltaFrames } from '../codecs/delta-coding.ts'
import { deltasOf } from './channel-keys.ts'
import { say } from '../texts/index.ts'
import type { PackedTracks } from '../../../../shared/api/types/clips.ts'
import type { ChannelChunk } from '../codecs/channels.ts'
import type { ContainerChunk } from '../codecs/chunk.ts'

/** Channels of deltas in an animation, and what it is larger by with a key for each of their frames; none where it has none. */
export function packedTracks(clip: ContainerChunk): PackedTracks | undefined {
  let tracks = 0
  let adds = 0
  for (const channel of channelsIn(clip)) {
    const deltas = deltasOf(channel)
    if (!deltas) continue
    tracks++
    const keys = deltaFrames(deltas, framesOf(channel))
    const time = channel.coding === 'adaptive' ? 4 * keys : 4 * Math.ceil(keys / 2)
    adds += time + 4 * deltas.width * keys - (4 + 4 * deltas.width + deltas.blocks.length + channel.chunk.tail.length)
  }
  return tracks > 0 ? { tracks, adds } : undefined
}

/** @throws FormatError invalid-edit where nothing is packed, or where a channel cannot be read */
export function unpackClip(clip: ContainerChunk): void {
  const packed = channelsIn(clip).filter((channel) => deltasOf(channel))
  if (packed.length === 0) refuse(say('edit.clips.notPacked'))
  const header = leafOf(clip, COMPRESSED_ANIMATION_HEADER)
  if (header?.data.flavor === FLAVOR.ADAPTIVE_DELTA) {
    // under another flavour bytes that nobody could read would be read as keys
    if (clip.children.some(({ id, kind }) => id === ID.COMPRESSED_ANIMATION_CHANNEL && kind !== 'typed')) refuse(say('edit.clips.notRead'))
    header.data.flavor = FLAVOR.TIME_CODED
  }
  for (const channel of packed) {
    const { times, values, width } = keysOf(channel)
    // what stands behind the deltas is their padding
    channel.chunk.tail = new Uint8Array(0)
    if (channel.coding === 'adaptive') {
      const { pivot, vectorLen, type } = channel.chunk.data
      channel.chunk.data = { coding: 'time-coded', pivot, vectorLen, type, keys: timeCodedKeys(times, values, width) }
    } else if (channel.coding === 'motion-4-bit' || channel.coding === 'motion-8-bit') {
      const { data } = channel.chunk
      data.deltaType = 0
      data.count = times.length
      data.body = { kind: 'keys', times: Uint16Array.from(times), pad: new Uint8Array(times.length % 2 ? 2 : 0), values }
    }
  }
}

/** Frames that a channel of deltas says it has. */
function framesOf(channel: ChannelChunk): number {
  if (channel.coding === 'motion-4-bit' || channel.coding === 'motion-8-bit') return channel.chunk.data.count
  return channel.coding === 'adaptive' && channel.chunk.data.coding === 'adaptive' ? channel.chunk.data.numFrames : 0
}
