/** Channels and keys of an animation. */
import { notHere } from '../../address.ts'
import { fix } from '../../lint.ts'
import { channelsIn, keysOf, pivotOf, propertyOf } from '../codecs/channels.ts'
import { clipsOf } from '../codecs/file.ts'
import { chunksOn, type Scope } from './lookup.ts'
import type { Chunk } from '../codecs/chunk.ts'
import type { W3dDocument } from '../codecs/file.ts'

export const FIX = {
  dropChannel: fix<W3dDocument>('w3d.channel-drop', 'Remove the channel', (document, { path }) => {
    const found = chunksOn(document, path)
    const [parent, channel] = found.slice(-2)
    if (parent?.kind !== 'container' || !channel) notHere('channel', path)
    parent.children.splice(parent.children.indexOf(channel), 1)
  }),
}

export function clips(scope: Scope): void {
  for (const clip of clipsOf(scope.document)) lookAt(scope, clip)
}

function lookAt(scope: Scope, clip: ReturnType<typeof clipsOf>[number]): void {
  const hierarchy = clip.hierarchyName ? scope.findHierarchy(clip.hierarchyName) : undefined
  if (!clip.hierarchyName) scope.say('error', 'animation-skeleton', `the animation ${clip.name} names no skeleton`, clip.chunk)
  else if (!hierarchy)
    scope.say(
      'warning',
      'hierarchy-missing',
      `no file with the skeleton ${clip.hierarchyName} of the animation ${clip.name} was found`,
      clip.chunk,
    )
  if (clip.rate < 1) scope.say('error', 'frame-rate', `the animation ${clip.name} has a frame rate of ${clip.rate}`, clip.chunk)
  if (clip.frames < 1) scope.say('error', 'frame-count', `the animation ${clip.name} has no frames`, clip.chunk)
  const count = hierarchy?.count ?? Infinity
  const seen = new Set<string>()
  for (const channel of channelsIn(clip.chunk)) {
    const { chunk } = channel
    const pivot = pivotOf(channel)
    const property = propertyOf(channel)
    if (pivot >= count)
      scope.say(
        'warning',
        'channel-pivot',
        `the channel moves pivot ${pivot}, ${clip.hierarchyName} has ${count}: the game drops it, some tools fail`,
        chunk,
        { path: 'pivot', fix: FIX.dropChannel },
      )
    if (property === 'unknown') scope.say('info', 'channel-unknown', 'nobody knows what this channel moves', chunk)
    else if (seen.has(`${pivot} ${property}`)) scope.say('warning', 'channel-twice', `pivot ${pivot} has two ${property} channels`, chunk)
    seen.add(`${pivot} ${property}`)
    if (channel.coding === 'raw') {
      const { data } = channel.chunk
      const wanted = (data.lastFrame - data.firstFrame + 1) * data.vectorLen
      if (data.lastFrame < data.firstFrame)
        scope.say('error', 'channel-frames', `the channel ends at frame ${data.lastFrame}, before it begins at ${data.firstFrame}`, chunk, {
          path: 'lastFrame',
          at: 2,
        })
      else if (data.values.length < wanted)
        scope.say('error', 'channel-short', `the channel has ${data.values.length} of ${wanted} values`, chunk)
      if (chunk.tail.length >= 4)
        scope.say(
          'info',
          'channel-tail',
          `${chunk.tail.length} bytes behind the values: an old exporter's mistake that the games skip`,
          chunk,
        )
    } else if (channel.coding === 'bits') {
      const { data } = channel.chunk
      if (data.bits.length * 8 < data.lastFrame - data.firstFrame + 1)
        scope.say(
          'error',
          'channel-short',
          `the channel has bits for ${data.bits.length * 8} of ${data.lastFrame - data.firstFrame + 1} frames`,
          chunk,
        )
    }
    keys(scope, channel.coding, keysOf(channel), clip.frames, property, chunk)
  }
}

function keys(
  scope: Scope,
  coding: string,
  { times, values, width }: ReturnType<typeof keysOf>,
  frames: number,
  property: string,
  chunk: Chunk,
): void {
  if (coding === 'adaptive' || coding === 'motion 4 bit' || coding === 'motion 8 bit') {
    if (times.length + 16 <= frames || times.length === 0)
      scope.say('error', 'channel-short', `the channel has blocks for ${times.length} of ${frames} frames`, chunk)
  } else if (coding !== 'raw' && coding !== 'bits') {
    const disorder = times.findIndex((t, k) => k > 0 && t <= times[k - 1])
    if (times.length === 0) scope.say('error', 'channel-empty', 'the channel has no keys', chunk)
    else if (disorder > 0)
      scope.say('error', 'key-order', `key ${disorder} at frame ${times[disorder]} does not come after the key before it`, chunk)
    else if (coding === 'time-coded' && (times[0] !== 0 || (frames > 1 && times.length > 1 && times[times.length - 1] !== frames - 1)))
      scope.say(
        'info',
        'key-range',
        `keys go from frame ${times[0]} to ${times[times.length - 1]}, the animation from 0 to ${frames - 1}`,
        chunk,
      )
  }
  if (!values.every(Number.isFinite)) scope.say('error', 'channel-value', 'the channel has values that are no numbers', chunk)
  else if (property === 'rotation') {
    // deltas drift: the games make them unit again
    const tolerance = coding.startsWith('motion') || coding === 'adaptive' ? 0.05 : 0.01
    for (let k = 0; k < times.length; k++) {
      const length = Math.hypot(values[k * width], values[k * width + 1], values[k * width + 2], values[k * width + 3])
      if (Math.abs(length - 1) <= tolerance) continue
      scope.say(
        'warning',
        'channel-quaternion',
        `the rotation at frame ${times[k]} has the length ${Number(length.toPrecision(4))}, not 1`,
        chunk,
      )
      break
    }
  }
}
