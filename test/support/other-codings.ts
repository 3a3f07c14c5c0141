/** The sample's figures with their motions in the codings that the sample itself has none of, a game's folder each. */
import { encodeDocument } from '../../src/main/formats/format.ts'
import { keyLayout } from '../../src/main/formats/renderware/codecs/ifp-bones.ts'
import { ifpFormat } from '../../src/main/formats/renderware/codecs/ifp.ts'
import { ID } from '../../src/main/formats/renderware/codecs/chunk-ids.ts'
import { ANIM_TYPE, packHalf } from '../../src/main/formats/renderware/codecs/rt-anim.ts'
import { newIfp } from '../../src/main/formats/renderware/make.ts'
import { basisQuat, basisVector } from '../../src/main/formats/renderware/scene/basis.ts'
import { channelsIn, keysOf, pivotOf } from '../../src/main/formats/w3d/codecs/channels.ts'
import { COMPRESSED_ANIMATION_HEADER, FLAVOR, makeCompressedAnimation } from '../../src/main/formats/w3d/codecs/compressed-animation.ts'
import { ANIMATION_HEADER } from '../../src/main/formats/w3d/codecs/animation.ts'
import { encodeDeltas } from '../../src/main/formats/w3d/codecs/delta-coding.ts'
import { dataOf } from '../../src/main/formats/w3d/codecs/chunk.ts'
import { w3dFile } from '../../src/main/formats/w3d/codecs/file.ts'
import { nameOf } from '../../src/main/binary/reader.ts'
import { partsOfMatrices } from '../../src/shared/motion/figure.ts'
import { createPose, sampleClip } from '../../src/shared/scene/pose.ts'
import { payload } from '../fixtures/renderware/ped.ts'
import { sampleFiles } from './sample.ts'
import type { ContainerChunk } from '../../src/main/formats/w3d/codecs/chunk.ts'
import type { CompressedBitChannel, MotionChannel } from '../../src/main/formats/w3d/codecs/compressed-animation.ts'
import type { Scene } from '../../src/shared/scene/types.ts'

type Files = Record<string, Uint8Array>

const sampleOf = (wanted: RegExp): Files =>
  Object.fromEntries(sampleFiles().flatMap(({ path, bytes }) => (wanted.test(path) ? [[path, bytes]] : [])))

/** San Andreas' figure with its package in the first version's way: floats, a chunk for each bone. */
export function anpkFiles(): Files {
  const files = sampleOf(/^San Andreas\/models\/(peds\/|adventurer\.ifp)/)
  const path = 'San Andreas/models/adventurer.ifp'
  const document = ifpFormat.decode(files[path], path)
  const clips = document.animations.map((animation) => ({
    name: nameOf(animation.name),
    tracks: animation.bones.map((bone) => {
      const { stride, rotation, time, translation } = keyLayout(document, bone)!
      const column = (at: number, width: number, step: number): number[] =>
        Array.from({ length: bone.numKeys * width }, (_, i) => bone.shorts![stride * Math.floor(i / width) + at + (i % width)] / step)
      return {
        bone: nameOf(bone.name),
        id: bone.boneId,
        times: column(time, 1, 60),
        rotations: column(rotation, 4, 4096),
        translations: translation >= 0 ? column(translation, 3, 1024) : undefined,
      }
    }),
  }))
  return { ...files, [path]: encodeDocument(ifpFormat, newIfp('adventurer', clips, 'ANPK')).bytes.slice() }
}

/** Sixtieths of a second. */
const RATE = 60

/**
 * San Andreas' figure with one of its motions as keys of all its nodes, in the order of playback.
 * @param scene of the figure, as the sample has it
 */
export function anmFiles(scene: Scene, clip: number, type: 1 | 2): Files {
  const files = sampleOf(/^San Andreas\/models\/peds\//)
  const { count, parents } = scene.skeleton
  // its topmost frame is no node
  const joints = Array.from({ length: count }, (_, i) => i).filter((i) => parents[i] >= 0)
  const nodes = joints.length
  const own = scene.clips[clip]
  const frames = Math.round(((own.end - own.start) / own.rate) * RATE) + 1
  const pose = createPose(scene)
  const parts = { translation: new Float64Array(3 * count), rotation: new Float64Array(4 * count) }
  const packed = type === ANIM_TYPE.compressed
  const stride = packed ? 22 : 36
  const keys = new Uint8Array(stride * nodes * frames)
  const view = new DataView(keys.buffer)
  for (let f = 0; f < frames; f++) {
    sampleClip(scene, own, own.start + (f / RATE) * own.rate, pose)
    partsOfMatrices(count, pose.local, parts)
    joints.forEach((i, node) => {
      const [turn, place] = [new Float64Array(4), new Float64Array(3)]
      basisQuat(turn, 0, parts.rotation, 4 * i)
      basisVector(place, 0, parts.translation, 3 * i)
      const key = nodes * f + node
      view.setFloat32(stride * key, f / RATE, true)
      ;[...turn, ...place].forEach((value, c) => {
        if (packed) view.setUint16(stride * key + 4 + 2 * c, packHalf(value), true)
        else view.setFloat32(stride * key + 4 + 4 * c, value, true)
      })
      // of the key before in its node, where it would stand in steps of 24 bytes or 36
      view.setInt32(stride * (key + 1) - 4, f > 0 ? (packed ? 24 : 36) * (key - nodes) : -1, true)
    })
  }
  const content = payload(
    0x100,
    type,
    nodes * frames,
    0,
    { f32: [(frames - 1) / RATE] },
    keys,
    ...(packed ? [{ f32: [0, 0, 0, 1, 1, 1] }] : []),
  )
  const path = 'San Andreas/models/peds/attack.anm'
  return { ...files, [path]: payload(ID.animAnimation, content.length, 0x1803ffff, content) }
}

/** Zero Hour's walker whose animations are motion channels: its adaptive deltas with 4 bits, its chosen keys as keys, its raw frames with 8 bits. */
export function motionChannelFiles(): Files {
  const files = sampleOf(/^Zero Hour\/Art\//)
  for (const path of Object.keys(files).filter((name) => /_(FRA|IDA|WKA)\.W3D$/.test(name))) {
    const document = w3dFile.decode(files[path], path)
    document.chunks = document.chunks.map((chunk) => motionChannels(chunk as ContainerChunk))
    files[path] = encodeDocument(w3dFile, document).bytes.slice()
  }
  return files
}

function motionChannels(clip: ContainerChunk): ContainerChunk {
  const { name, hierarchyName, numFrames, frameRate } = (dataOf(clip, COMPRESSED_ANIMATION_HEADER) ?? dataOf(clip, ANIMATION_HEADER))!
  const channels = channelsIn(clip).map((channel): MotionChannel | CompressedBitChannel => {
    const pivot = pivotOf(channel)
    const { times, values, width } = keysOf(channel)
    if (channel.coding === 'time-coded-bits') return channel.chunk.data
    if (channel.coding === 'bits') {
      const entries = Array.from(times, (time, k) => (k === 0 || values[k] !== values[k - 1] ? [(time | (values[k] << 31)) >>> 0] : []))
      return { pivot, flags: 0, defaultValue: 0, entries: Uint32Array.from(entries.flat()) }
    }
    const { type } = channel.chunk.data
    const head = { zero: 0, vectorLen: width, type, count: times.length, pivot }
    if (channel.coding === 'time-coded')
      return {
        ...head,
        deltaType: 0,
        body: { kind: 'keys', times: Uint16Array.from(times), pad: new Uint8Array(2 * (times.length % 2)), values },
      }
    const bits = channel.coding === 'raw' ? 8 : 4
    return { ...head, deltaType: bits / 4, body: { kind: 'deltas', deltas: encodeDeltas(values, times.length, width, bits).stream } }
  })
  return makeCompressedAnimation(nameOf(name), nameOf(hierarchyName), numFrames, frameRate, FLAVOR.TIME_CODED, channels)
}
