/** Editing of animations. Every channel of a file is a track of its own, in file axes and frames, and goes back in its own coding. */
import { addressOf, jointAt, notFound, notHere, ofFormat, parentPath, readAddress } from '../../address.ts'
import { w3dFile } from '../codecs/file.ts'
import { kept } from '../../kept.ts'
import { FormatError } from '../../../binary/format-error.ts'
import { withName } from '../../../binary/reader.ts'
import { multiplyQuat } from '../../../../shared/scene/matrix.ts'
import { ANIMATION_CHANNEL, ANIMATION_HEADER, BIT_CHANNEL, CHANNEL } from '../codecs/animation.ts'
import { rotationFromScene, vectorFromScene } from '../scene/basis.ts'
import { channelsIn, isDense, keysOf, pivotOf, propertyOf } from '../codecs/channels.ts'
import { chunkAt, leafOf, newLeaf, pathsOf } from '../codecs/chunk.ts'
import { ID } from '../codecs/chunk-ids.ts'
import {
  COMPRESSED_ANIMATION_CHANNEL,
  COMPRESSED_ANIMATION_HEADER,
  COMPRESSED_BIT_CHANNEL,
  COMPRESSED_MOTION_CHANNEL,
  FLAVOR,
  timeCodedKeys,
} from '../codecs/compressed-animation.ts'
import { STEP_TABLE, blockSize, encodeDeltas } from '../codecs/delta-coding.ts'
import { deltasOf, writeKeys } from './channel-keys.ts'
import { clipList } from './clip-list.ts'
import { refuse } from '../../editing.ts'
import { say } from '../texts/index.ts'
import type { NativeTrack, TrackLimits } from '../../../../shared/api/types/clips.ts'
import type { ClipEditor, EditSession, OpenDocuments } from '../../editing.ts'
import type { ChannelChunk, ChannelProperty, Coding } from '../codecs/channels.ts'
import type { Chunk, ContainerChunk } from '../codecs/chunk.ts'
import type { DeltaStream } from '../codecs/delta-coding.ts'
import type { W3dDocument } from '../codecs/file.ts'

const COMPONENTS: Record<ReturnType<typeof propertyOf>, string[]> = {
  x: ['x'],
  y: ['y'],
  z: ['z'],
  rotation: ['x', 'y', 'z', 'w'],
  visibility: ['visible'],
  opacity: ['opacity'],
  unknown: [],
}

function clipChunk(model: OpenDocuments, clip: number): { ref: string; document: W3dDocument; chunk: ContainerChunk } {
  const source = model.assembled.scene.clips[clip]?.source
  const document = source && (model.document(source.ref) as W3dDocument | undefined)
  const found = document && chunkAt(document.chunks, source.path)?.chunk
  if (!source || !document || found?.kind !== 'container') notHere('clip', clip)
  return { ref: source.ref, document, chunk: found }
}

/** Joint of a pivot: those of the model's own skeleton come first, attached ones behind. */
function jointOf(model: OpenDocuments, pivot: number): number {
  return model.assembled.scene.skeleton.nativeIndex.indexOf(pivot)
}

function limitsOf(channel: ChannelChunk, frames: number): TrackLimits {
  const bits = channel.coding === 'bits' || channel.coding === 'time-coded-bits'
  const limits: TrackLimits = {
    timeStep: 1,
    minTime: 0,
    maxTime: Math.max(0, frames - 1),
    dense: isDense(channel.coding),
    stepped: bits,
    packed: '',
    readOnly: propertyOf(channel) === 'unknown' ? say('edit.unknownChannel') : '',
  }
  if (channel.coding === 'raw' || channel.coding === 'bits') limits.grows = true
  const deltas = deltasOf(channel)
  if (deltas) limits.spreads = true
  if (deltas) limits.packed = say('edit.deltaLimits', { bits: deltas.bits, step: Number(largestStep(deltas).toPrecision(2)) })
  return limits
}

function largestStep(deltas: DeltaStream): number {
  const size = blockSize(deltas.bits)
  let most = 0
  for (let at = 0; at < deltas.blocks.length; at += size) most = Math.max(most, STEP_TABLE[deltas.blocks[at]])
  return (most * Math.abs(deltas.scale)) / (deltas.bits === 8 ? 16 : 1)
}

/** A channel for writing, with the list of chunks that it stands in. */
function channelFor(session: EditSession, id: string): { channel: ChannelChunk; clip: Chunk[] } {
  const { ref, path } = readAddress(id, 'track')
  const document = ofFormat<W3dDocument>(session.edit(ref), w3dFile.id, 'track', id)
  const found = chunkAt(document.chunks, path)
  const parent = chunkAt(document.chunks, parentPath(path))?.chunk
  const channel = parent?.kind === 'container' ? channelsIn(parent).find((c) => c.chunk === found?.chunk) : undefined
  if (!found || !channel) notHere('track', id)
  return { channel, clip: found.list }
}

function skeletonBytes(value: string | number): Uint8Array {
  const text = String(value)
  if (!/^[\x20-\x7e]*$/.test(text)) refuse(say('edit.plain.hierarchyName'))
  if (text.length > 15) refuse(say('edit.tooLong.hierarchyName', { count: text.length }))
  return Uint8Array.from(text, (c) => c.charCodeAt(0))
}

export const clips: ClipEditor = {
  tracks(model, clip) {
    const { ref, document, chunk } = clipChunk(model, clip)
    const paths = pathsOf(document.chunks)
    const { skeleton, clips } = model.assembled.scene
    const frames = headerOf(chunk)?.data.numFrames ?? 0
    return channelsIn(chunk).map((channel): NativeTrack => {
      const property = propertyOf(channel)
      const keys = kept(document, channel.chunk, `tracks ${channel.coding}`, () => {
        const own = keysOf(channel)
        // an uncompressed channel's values are the document's own
        return { ...own, values: own.values.slice() }
      })
      const joint = jointOf(model, pivotOf(channel))
      const components = property === 'unknown' ? Array.from({ length: keys.width }, (_, i) => String(i)) : COMPONENTS[property]
      return {
        id: addressOf(ref, paths.get(channel.chunk)!),
        ref,
        clip: clips[clip].name,
        target: joint >= 0 ? skeleton.names[joint] : say('edit.ofPivot', { number: pivotOf(channel) }),
        joint,
        property: property === 'x' || property === 'y' || property === 'z' ? 'translation' : property,
        label: labelOf(property, channel.coding),
        components,
        times: keys.times,
        values: keys.values,
        ...(keys.steps ? { stepInto: keys.steps } : {}),
        limits: limitsOf(channel, frames),
      }
    })
  },

  editKeys(session, edits) {
    for (const edit of edits) {
      const { channel } = channelFor(session, edit.track)
      if (propertyOf(channel) === 'unknown') refuse(say('edit.unknownChannel'))
      writeKeys(channel, edit)
    }
  },

  addTrack(session, clip, joint, property) {
    const { ref, chunk: shown } = clipChunk(session, clip)
    const document = session.edit<W3dDocument>(ref)
    const path = session.assembled.scene.clips[clip].source.path
    const chunk = chunkAt(document.chunks, path)?.chunk
    const pivot = session.assembled.scene.skeleton.nativeIndex[jointAt(session, joint)]
    if (chunk?.kind !== 'container' || shown.kind !== 'container') notHere('clip', clip)
    if (pivot < 0) refuse(say('edit.jointOfNoFile'))
    const frames = headerOf(chunk)?.data.numFrames ?? 0
    if (frames < 1 || frames > 0xffff) refuse(say('edit.framesForChannel', { count: frames }))
    const has = new Set(
      channelsIn(chunk)
        .filter((c) => pivotOf(c) === pivot)
        .map(propertyOf),
    )
    const wanted = (
      property === 'translation'
        ? (['x', 'y', 'z'] as const)
        : property === 'rotation'
          ? (['rotation'] as const)
          : property === 'visibility'
            ? (['visibility'] as const)
            : refuse(say('edit.noChannels', { property }))
    ).filter((p) => !has.has(p))
    if (wanted.length === 0) refuse(say('edit.trackThere'))
    for (const one of wanted) chunk.children.push(newChannel(chunk, one, pivot, frames))
  },

  removeTrack(session, track) {
    const { channel, clip } = channelFor(session, track)
    clip.splice(clip.indexOf(channel.chunk), 1)
  },

  fields(model, clip) {
    const header = headerOf(clipChunk(model, clip).chunk)
    if (!header) return []
    const { scene } = model.assembled
    return [
      {
        key: 'name',
        label: say('edit.fields.name'),
        value: nameOfField(header.data.name),
        note: say('edit.nameNote'),
      },
      {
        key: 'hierarchyName',
        label: say('edit.fields.skeleton'),
        value: nameOfField(header.data.hierarchyName),
        note: say('edit.skeletonNote'),
      },
      {
        key: 'numFrames',
        label: say('edit.fields.frames'),
        value: header.data.numFrames,
        min: 1,
        max: 65535,
        note: say('edit.framesNote', { frame: scene.clips[clip].end }),
      },
      {
        key: 'frameRate',
        label: say('edit.fields.rate'),
        value: header.data.frameRate,
        min: 1,
        max: header.codec === COMPRESSED_ANIMATION_HEADER ? 65535 : 1000,
      },
    ]
  },

  setField(session, clip, key, value) {
    const { ref } = clipChunk(session, clip)
    const document = session.edit<W3dDocument>(ref)
    const chunk = chunkAt(document.chunks, session.assembled.scene.clips[clip].source.path)?.chunk
    const header = chunk?.kind === 'container' ? headerOf(chunk) : undefined
    if (!header) notFound(say('edit.missing.clipHeader', { clip }))
    if (key === 'name') clipList.rename(session, clip, String(value))
    else if (key === 'hierarchyName') header.data[key] = withName(header.data[key], skeletonBytes(value))
    else if (key === 'numFrames' || key === 'frameRate') {
      const number = Number(value)
      const most = key === 'frameRate' && header.codec !== COMPRESSED_ANIMATION_HEADER ? 1000 : 65535
      if (!Number.isInteger(number) || number < 1 || number > most) refuse(say(`edit.whole.${key}`, { most }))
      header.data[key] = number
    } else notHere('field', key)
  },

  /**
   * The scene value is the joint's local rotation or translation, as a pose has it; what a channel stores is how far that is from rest: d in
   * local = rest * T(d) * R(d).
   */
  fromScene(model, track, sceneValue) {
    if (track.property !== 'translation' && track.property !== 'rotation') return sceneValue.slice(0, track.components.length)
    const { restRotation, restTranslation } = model.assembled.scene.skeleton
    if (track.joint < 0) throw new FormatError('invalid-edit', say('edit.noJoint'))
    const rest = restRotation.subarray(4 * track.joint, 4 * track.joint + 4)
    const back = [-rest[0], -rest[1], -rest[2], rest[3]]
    if (track.property === 'rotation') {
      const delta = [0, 0, 0, 1]
      multiplyQuat(delta, 0, back, 0, Array.from(sceneValue), 0)
      const out = new Float32Array(4)
      rotationFromScene(out, 0, delta, 0)
      return out
    }
    const t = restTranslation.subarray(3 * track.joint, 3 * track.joint + 3)
    const v = [sceneValue[0] - t[0], sceneValue[1] - t[1], sceneValue[2] - t[2], 0]
    const turned = [0, 0, 0, 0]
    multiplyQuat(turned, 0, back, 0, v, 0)
    multiplyQuat(turned, 0, turned, 0, Array.from(rest), 0)
    const xyz = [0, 0, 0]
    vectorFromScene(xyz, 0, turned, 0)
    return Float32Array.from(track.components, (axis) => xyz['xyz'.indexOf(axis)])
  },
  list: clipList,
}

function labelOf(property: ChannelProperty, coding: Coding): string {
  const label = say(`scene.tracks.${property}`)
  return coding === 'raw' || coding === 'bits' ? label : say('edit.trackOf', { label, coding: say(`edit.codings.${coding}`) })
}

function headerOf(chunk: ContainerChunk) {
  return leafOf(chunk, ANIMATION_HEADER) ?? leafOf(chunk, COMPRESSED_ANIMATION_HEADER)
}

function nameOfField(bytes: Uint8Array): string {
  const end = bytes.indexOf(0)
  return String.fromCharCode(...(end < 0 ? bytes : bytes.subarray(0, end)))
}

/** A channel without movement in the coding that the animation uses. */
function newChannel(clip: ContainerChunk, property: 'x' | 'y' | 'z' | 'rotation' | 'visibility', pivot: number, frames: number): Chunk {
  const type = property === 'rotation' ? CHANNEL.Q : 'xyz'.indexOf(property)
  const vectorLen = property === 'rotation' ? 4 : 1
  const rest = (count: number): Float32Array =>
    Float32Array.from({ length: count * vectorLen }, (_, i) => (property === 'rotation' && i % 4 === 3 ? 1 : 0))
  if (clip.id === ID.ANIMATION) {
    if (property === 'visibility')
      return newLeaf(BIT_CHANNEL, {
        firstFrame: 0,
        lastFrame: frames - 1,
        flags: 0,
        pivot,
        defaultValue: 1,
        bits: new Uint8Array(Math.ceil(frames / 8)).fill(0xff),
      })
    return newLeaf(ANIMATION_CHANNEL, { firstFrame: 0, lastFrame: frames - 1, vectorLen, type, pivot, pad: 0, values: rest(frames) })
  }
  if (property === 'visibility')
    return newLeaf(COMPRESSED_BIT_CHANNEL, { pivot, flags: 0, defaultValue: 1, entries: Uint32Array.of(0x80000000) })
  const flavor = leafOf(clip, COMPRESSED_ANIMATION_HEADER)?.data.flavor
  const codings = new Set(channelsIn(clip).map((c) => c.coding))
  if (flavor === FLAVOR.ADAPTIVE_DELTA) {
    return newLeaf(COMPRESSED_ANIMATION_CHANNEL, {
      coding: 'adaptive',
      numFrames: frames,
      pivot,
      vectorLen,
      type,
      deltas: encodeDeltas(rest(frames), frames, vectorLen, 4).stream,
    })
  }
  // a file of motion channels alone gets one of the kind that real files have, with the finer deltas
  if (!codings.has('time-coded') && (codings.has('motion-4-bit') || codings.has('motion-8-bit'))) {
    return newLeaf(COMPRESSED_MOTION_CHANNEL, {
      zero: 0,
      deltaType: 2,
      vectorLen,
      type,
      count: frames,
      pivot,
      body: { kind: 'deltas', deltas: encodeDeltas(rest(frames), frames, vectorLen, 8).stream },
    })
  }
  const times = frames > 1 ? [0, frames - 1] : [0]
  return newLeaf(COMPRESSED_ANIMATION_CHANNEL, {
    coding: 'time-coded',
    pivot,
    vectorLen,
    type,
    keys: timeCodedKeys(times, rest(times.length), vectorLen),
  })
}
