/** What a track of a track list drives, by the ids of the engines of both games. */
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

const TYPE_LABEL: Readonly<Record<number, string>> = {
  0: 'rotation',
  1: 'scale',
  2: 'translation',
  12: 'vertex position',
  20: 'skin weights',
  21: 'skin weights, averaged',
  30: 'camera position',
  31: 'camera target',
  32: 'camera roll',
  33: 'camera field of view',
  40: 'material transparency',
  41: 'material colour',
  50: 'visibility',
  51: 'visibility with children',
}

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
  return TYPE_LABEL[type] ?? 'unknown'
}

export function isKnownType(type: number): boolean {
  return type in TYPE_LABEL
}

/** All four values for an unknown type. */
export function typeComponents(type: number): readonly string[] {
  return TYPE_COMPONENTS[type] ?? ['x', 'y', 'z', 'w']
}
