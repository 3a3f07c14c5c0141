/** Channels and keys of an animation. */
import { notFound } from '../../address.ts'
import { fix } from '../../lint.ts'
import { channelsIn, keysOf, pivotOf, propertyOf } from '../codecs/channels.ts'
import { clipsOf, onlyClips } from '../codecs/file.ts'
import { stemOf } from '../../../../shared/ref.ts'
import { dataOf } from '../codecs/chunk.ts'
import { COMPRESSED_ANIMATION_HEADER } from '../codecs/compressed-animation.ts'
import { chunksOn, type Scope } from './lookup.ts'
import { say } from '../texts/index.ts'
import { length4 } from '../../../../shared/scene/length.ts'
import type { Chunk } from '../codecs/chunk.ts'
import type { ClipInfo, W3dDocument } from '../codecs/file.ts'

export const FIX = {
  dropChannel: fix<W3dDocument>(
    'w3d.channel-drop',
    () => say('lint.fixes.removeChannel'),
    (document, { path }) => {
      const found = chunksOn(document, path)
      const [parent, channel] = found.slice(-2)
      if (parent?.kind !== 'container' || !channel) notFound(say('lint.missing.channel', { path }))
      parent.children.splice(parent.children.indexOf(channel), 1)
    },
  ),
}

/** Frames per second of all animations that the games came with. */
const GAMES_RATE = 30

export function clips(scope: Scope): void {
  for (const clip of clipsOf(scope.document)) lookAt(scope, clip)
}

function lookAt(scope: Scope, clip: ClipInfo): void {
  const hierarchy = clip.hierarchyName ? scope.findHierarchy(clip.hierarchyName) : undefined
  if (!clip.hierarchyName) scope.say('animation-skeleton', say('lint.clipNamesNone', { name: clip.name }), clip.chunk)
  else if (!hierarchy)
    scope.say('hierarchy-missing', say('lint.skeletonOfClip', { skeleton: clip.hierarchyName, name: clip.name }), clip.chunk)
  if (clip.rate < 1) scope.say('frame-rate', say('lint.frameRate', { name: clip.name, rate: clip.rate }), clip.chunk)
  else if (clip.rate !== GAMES_RATE) scope.say('clip-rate', say('lint.clipRate', { name: clip.name, rate: clip.rate }), clip.chunk)
  if (clip.compressed) {
    const flavor = dataOf(clip.chunk, COMPRESSED_ANIMATION_HEADER)?.flavor ?? 0
    // BFME's motion channels have none of the two
    if (flavor > 1 && channelsIn(clip.chunk).every(({ coding }) => !coding.startsWith('motion')))
      scope.say('clip-flavour', say('lint.clipFlavour', { name: clip.name, flavor }), clip.chunk)
  }
  // a file with a model of its own is loaded by that
  if (onlyClips(scope.document) && clip.name && stemOf(scope.document.ref).toLowerCase() !== clip.name.toLowerCase()) misplaced(scope, clip)
  if (clip.frames < 1) scope.say('frame-count', say('lint.noFrames', { name: clip.name }), clip.chunk)
  const count = hierarchy?.count ?? Infinity
  const seen = new Set<string>()
  for (const channel of channelsIn(clip.chunk)) {
    const { chunk } = channel
    const pivot = pivotOf(channel)
    const property = propertyOf(channel)
    if (pivot >= count)
      scope.say('channel-pivot', say('lint.channelPivot', { pivot, name: clip.hierarchyName, count: count }), chunk, {
        path: 'pivot',
        fix: FIX.dropChannel,
      })
    if (property === 'unknown') scope.say('channel-unknown', say('edit.unknownChannel'), chunk)
    else if (seen.has(`${pivot} ${property}`)) scope.say('channel-twice', say('lint.channelTwice', { pivot, property }), chunk)
    seen.add(`${pivot} ${property}`)
    if (channel.coding === 'raw') {
      const { data } = channel.chunk
      const wanted = (data.lastFrame - data.firstFrame + 1) * data.vectorLen
      if (data.lastFrame < data.firstFrame)
        scope.say('channel-frames', say('lint.channelFrames', { last: data.lastFrame, first: data.firstFrame }), chunk, {
          path: 'lastFrame',
          at: 2,
        })
      else if (data.values.length < wanted)
        scope.say('channel-short', say('lint.valuesMissing', { count: data.values.length, wanted }), chunk)
      if (chunk.tail.length >= 4) scope.say('channel-tail', say('lint.valuesTail', { count: chunk.tail.length }), chunk)
    } else if (channel.coding === 'bits') {
      const { data } = channel.chunk
      if (data.bits.length * 8 < data.lastFrame - data.firstFrame + 1)
        scope.say(
          'channel-short',
          say('lint.bitsMissing', { count: data.bits.length * 8, wanted: data.lastFrame - data.firstFrame + 1 }),
          chunk,
        )
    }
    keys(scope, channel.coding, keysOf(channel), clip.frames, property, chunk)
  }
}

/** Where Renegade, Generals and Zero Hour look is known; the games behind them have files of their own that are not named so. */
function misplaced(scope: Scope, clip: ClipInfo): void {
  const told = { name: `${clip.hierarchyName}.${clip.name}`, wanted: clip.name }
  const hint = scope.ofBfme(clip)
  scope.say('clip-file', hint ? say('lint.clipFileOfBfme', told) : say('lint.clipFile', told), clip.chunk, { hint })
}

function keys(
  scope: Scope,
  coding: string,
  { times, values, width }: ReturnType<typeof keysOf>,
  frames: number,
  property: string,
  chunk: Chunk,
): void {
  if (coding === 'adaptive' || coding === 'motion-4-bit' || coding === 'motion-8-bit') {
    if (times.length + 16 <= frames || times.length === 0)
      scope.say('channel-short', say('lint.blocksMissing', { count: times.length, wanted: frames }), chunk)
  } else if (coding !== 'raw' && coding !== 'bits') {
    const disorder = times.findIndex((t, k) => k > 0 && t <= times[k - 1])
    if (times.length === 0) scope.say('channel-empty', say('lint.noKeys'), chunk)
    else if (disorder > 0) scope.say('key-order', say('lint.keyOrder', { k: disorder, frame: times[disorder] }), chunk)
    else if (coding === 'time-coded' && (times[0] !== 0 || (frames > 1 && times.length > 1 && times[times.length - 1] !== frames - 1)))
      scope.say('key-range', say('lint.keyRange', { first: times[0], last: times[times.length - 1], end: frames - 1 }), chunk)
  }
  if (!values.every(Number.isFinite)) scope.say('channel-value', say('lint.valuesNoNumbers'), chunk)
  else if (property === 'rotation') {
    // deltas drift: the games make them unit again
    const tolerance = coding.startsWith('motion') || coding === 'adaptive' ? 0.05 : 0.01
    for (let k = 0; k < times.length; k++) {
      const length = length4(values[k * width], values[k * width + 1], values[k * width + 2], values[k * width + 3])
      if (Math.abs(length - 1) <= tolerance) continue
      scope.say('channel-quaternion', say('lint.channelLength', { frame: times[k], length: Number(length.toPrecision(4)) }), chunk)
      break
    }
  }
}
