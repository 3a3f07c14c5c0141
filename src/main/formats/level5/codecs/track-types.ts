/** What a track of a track list drives, by the ids of the engines of both games. */
import { say } from '../texts/index.ts'

/** What a track drives. Ids from the engines of both games. */
export const TRACK_TYPE = {
  rotation: 0,
  scale: 1,
  translation: 2,
  vertex: 12,
  weights: 20,
  weightsAveraged: 21,
  cameraPosition: 30,
  cameraTarget: 31,
  cameraRoll: 32,
  cameraFov: 33,
  transparency: 40,
  color: 41,
  visibility: 50,
  visibilityTree: 51,
} as const

/** Keys of the words for types. */
const TYPE_KEY = {
  0: 'rotation',
  1: 'scale',
  2: 'translation',
  12: 'vertexPosition',
  20: 'skinWeights',
  21: 'averagedWeights',
  30: 'cameraPosition',
  31: 'cameraTarget',
  32: 'cameraRoll',
  33: 'fieldOfView',
  40: 'transparency',
  41: 'colour',
  50: 'visibility',
  51: 'visibilityTree',
} as const

/** Names of the values that a type uses, in file order; the rest of the four floats is unused. */
const TYPE_COMPONENTS: Readonly<Record<number, readonly string[]>> = {
  0: ['w', 'x', 'y', 'z'],
  1: ['x', 'y', 'z'],
  2: ['x', 'y', 'z'],
  12: ['x', 'y', 'z'],
  20: ['weight'],
  21: ['weight'],
  30: ['x', 'y', 'z'],
  31: ['x', 'y', 'z'],
  32: ['x'],
  33: ['x'],
  40: ['x'],
  41: ['r', 'g', 'b'],
  50: ['x'],
  51: ['x'],
}

export function typeLabel(type: number): string {
  return say(`codecs.tracks.type.${isKnownType(type) ? TYPE_KEY[type] : 'unknown'}`)
}

export function isKnownType(type: number): type is keyof typeof TYPE_KEY {
  return type in TYPE_KEY
}

/** All four values for an unknown type. */
export function typeComponents(type: number): readonly string[] {
  return TYPE_COMPONENTS[type] ?? ['x', 'y', 'z', 'w']
}
