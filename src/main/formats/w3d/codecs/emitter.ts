/**
 * EMITTER: particles. Layouts from the released engine headers; no real file with one is known. Only what the file holds is read: Marrow does
 * not let particles fly, it shows where they start.
 */
import { nameOf } from '../../../binary/reader.ts'
import { ID } from './chunk-ids.ts'
import { containersOf, dataOf } from './chunk.ts'
import { bytes, chars, f32s, flags32, remainingChars, u32, u32s } from '../../../binary/layout.ts'
import { choice, color, sizing, structural } from '../../../binary/field-use.ts'
import { headed, records, struct, version } from './leaves.ts'
import { valueText } from './value-names.ts'
import { say } from '../texts/index.ts'
import type { Chunk, ContainerChunk, LeafCodec } from './chunk.ts'
import type { RowSection } from './leaves.ts'

const float = f32s(1)
/** the first key is not counted by some builders, so the size decides */
const keys = (name: string, layout: string) => (): RowSection[] => [{ name, layout, what: 'time', count: 0 }]

const EMITTER_HEADER = struct(ID.EMITTER_HEADER, { version, name: chars(16) })

/** A number for the game, and a text: the engine skips four bytes behind the length before it. */
const EMITTER_USER_DATA = struct(ID.EMITTER_USER_DATA, { type: u32, stringSize: sizing(u32), text: remainingChars }, {}, ({ text }) =>
  nameOf(text).slice(0, 80),
)

const EMITTER_INFO = struct(ID.EMITTER_INFO, {
  textureFilename: chars(260),
  startSize: float,
  endSize: float,
  lifetime: float,
  emissionRate: float,
  maxEmissions: float,
  velocityRandom: float,
  positionRandom: float,
  fadeTime: float,
  gravity: float,
  elasticity: float,
  velocity: f32s(3),
  acceleration: f32s(3),
  startColor: color(bytes(4)),
  endColor: color(bytes(4)),
})

const VOLUMES = ['solidBox', 'solidSphere', 'hollowSphere', 'solidCylinder'] as const
const RENDER_MODES = ['triangles', 'quads', 'line', 'lineGroupTetrahedra', 'lineGroupPrisms'] as const
const FRAME_MODES = ['1 x 1', '2 x 2', '4 x 4', '8 x 8', '16 x 16']

const EMITTER_INFOV2 = struct(
  ID.EMITTER_INFOV2,
  {
    burstSize: u32,
    creationVolume: choice(u32, VOLUMES),
    creationValues: f32s(3),
    creationReserved: u32s(4),
    velocityVolume: choice(u32, VOLUMES),
    velocityValues: f32s(3),
    velocityReserved: u32s(4),
    outwardVelocity: float,
    velocityInherit: float,
    shader: bytes(16),
    renderMode: choice(u32, RENDER_MODES),
    frameMode: choice(u32, FRAME_MODES),
    reserved: u32s(6),
  },
  {
    unknown: ['creationReserved', 'velocityReserved', 'reserved'],
    notes: {
      creationVolume: (v: number) => valueText(VOLUMES, v),
      velocityVolume: (v: number) => valueText(VOLUMES, v),
      renderMode: (v: number) => valueText(RENDER_MODES, v),
      frameMode: (v: number) => FRAME_MODES[v],
      shader: () => say('codecs.asInShaders'),
    },
  },
)

const EMITTER_PROPS = headed(
  ID.EMITTER_PROPS,
  {
    colorKeyframes: structural(u32),
    opacityKeyframes: structural(u32),
    sizeKeyframes: structural(u32),
    colorRandom: color(bytes(4)),
    opacityRandom: float,
    sizeRandom: float,
    reserved: u32s(4),
  },
  8,
  (head) => [
    { name: 'colors', layout: '{f32 time, u8[4] color.rgba}', what: 'time', count: head.colorKeyframes },
    { name: 'opacities', layout: '{f32 time, f32 opacity}', what: 'time', count: head.opacityKeyframes },
    { name: 'sizes', layout: '{f32 time, f32 size}', what: 'time', count: head.sizeKeyframes },
  ],
  { unknown: ['reserved'] },
)

/** Obsolete: PROPS has the keys. */
const EMITTER_COLOR_KEYFRAME = records(ID.EMITTER_COLOR_KEYFRAME, { time: float, color: color(bytes(4)) }, 'key')
const EMITTER_OPACITY_KEYFRAME = records(ID.EMITTER_OPACITY_KEYFRAME, { time: float, opacity: float }, 'key')
const EMITTER_SIZE_KEYFRAME = records(ID.EMITTER_SIZE_KEYFRAME, { time: float, size: float }, 'key')

const EMITTER_LINE_PROPERTIES = struct(
  ID.EMITTER_LINE_PROPERTIES,
  {
    flags: flags32,
    subdivisionLevel: u32,
    noiseAmplitude: float,
    mergeAbortFactor: float,
    textureTileFactor: float,
    uPerSec: float,
    vPerSec: float,
    reserved: u32s(9),
  },
  { unknown: ['reserved'] },
)
const EMITTER_ROTATION_KEYFRAMES = headed(
  ID.EMITTER_ROTATION_KEYFRAMES,
  { keyframeCount: structural(u32), random: float, orientationRandom: float, reserved: u32s(1) },
  8,
  keys('keys', '{f32 time, f32 rotation}'),
  { unknown: ['reserved'] },
)
const EMITTER_FRAME_KEYFRAMES = headed(
  ID.EMITTER_FRAME_KEYFRAMES,
  { keyframeCount: structural(u32), random: float, reserved: u32s(2) },
  8,
  keys('keys', '{f32 time, f32 frame}'),
  { unknown: ['reserved'] },
)
const EMITTER_BLUR_TIME_KEYFRAMES = headed(
  ID.EMITTER_BLUR_TIME_KEYFRAMES,
  { keyframeCount: structural(u32), random: float, reserved: u32s(1) },
  8,
  keys('keys', '{f32 time, f32 blurTime}'),
  { unknown: ['reserved'] },
)
const EMITTER_EXTRA_INFO = struct(ID.EMITTER_EXTRA_INFO, { futureStartTime: float, padding: u32s(9) }, { unknown: ['padding'] })

export const emitterCodecs: readonly LeafCodec[] = [
  EMITTER_HEADER,
  EMITTER_USER_DATA,
  EMITTER_INFO,
  EMITTER_INFOV2,
  EMITTER_PROPS,
  EMITTER_COLOR_KEYFRAME,
  EMITTER_OPACITY_KEYFRAME,
  EMITTER_SIZE_KEYFRAME,
  EMITTER_LINE_PROPERTIES,
  EMITTER_ROTATION_KEYFRAMES,
  EMITTER_FRAME_KEYFRAMES,
  EMITTER_BLUR_TIME_KEYFRAMES,
  EMITTER_EXTRA_INFO,
]

export interface EmitterView {
  chunk: ContainerChunk
  name: string
  texture: string
}

export function emittersOf(document: { chunks: readonly Chunk[] }): EmitterView[] {
  return containersOf({ children: document.chunks }, ID.EMITTER).map((chunk) => ({
    chunk,
    name: nameOf(dataOf(chunk, EMITTER_HEADER)?.name ?? new Uint8Array(0)),
    texture: nameOf(dataOf(chunk, EMITTER_INFO)?.textureFilename ?? new Uint8Array(0)),
  }))
}
