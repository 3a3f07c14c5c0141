/** Clips, tracks and keys: one interface for all families. */
import type { Difference } from '../../scene/difference.ts'

/** A field of a clip's header; with `options` it is one of these. */
export interface ClipField {
  key: string
  label: string
  value: string | number
  min?: number
  max?: number
  options?: { value: string; label: string }[]
  note?: string
  /** fields of one group stand together below the others, closed at first: there may be one for every track */
  group?: string
}

export type KeyedProperty = 'translation' | 'rotation' | 'scale' | 'visibility' | 'opacity' | 'color' | 'vertex' | 'camera' | 'unknown'

/** A track as its file has it: values in the file's own order and units. */
export interface NativeTrack {
  /** stable while the document is open: `ref#path` */
  id: string
  ref: string
  clip: string
  /** name of the joint, material or mesh it moves */
  target: string
  /** joint of the scene, -1 for none */
  joint: number
  property: KeyedProperty
  /** e.g. `type 0 rotation`, `ch 6 Q`, `KRT0` */
  label: string
  /** names of the components in file order: ['w','x','y','z'] */
  components: string[]
  times: Float64Array
  /** components.length per key */
  values: Float32Array
  /** 1 for a key that is jumped to: the value before it is held until then; absent when none is */
  stepInto?: Uint8Array
  /** the same for tracks whose keys are one record (rotation and position of a bone): a key that goes or moves in one does so in all */
  sharedKeys?: string
  limits: TrackLimits
}

/** Tracks of a clip as they are now: what changed in those that were given last, null for nothing, or all of them where those were not the last. */
export type ChangedTracks = { revision: number; change: Difference | null } | { revision: number; tracks: NativeTrack[] }

/** Keys of a joint as the scene has them: local values (the space of its parent), translation and scale 3, rotation 4 (x,y,z,w) per time. */
export interface PoseKeys {
  joint: number
  /** native times of the clip that takes them */
  times: Float64Array
  translation?: Float32Array
  rotation?: Float32Array
  scale?: Float32Array
}

export interface TrackLimits {
  /** times are whole numbers of this step; 0 for any time */
  timeStep: number
  minTime: number
  maxTime: number
  /** a key on every frame between first and last (raw channels): keys cannot be added or moved alone */
  dense: boolean
  /** the coding has no place for any value alone: a large edit changes frames beside it a little */
  spreads?: true
  /** a dense track takes further keys before its first and after its last */
  grows?: boolean
  /** values are stepped */
  stepped: boolean
  /** values are packed and change a little when written, e.g. "COMP4: 0.57 degrees" */
  packed: string
  /** keys cannot be edited, with the reason */
  readOnly: string
}

/** Changes to the keys of one track. Keys are numbered as in NativeTrack before the edit. */
export interface KeyEdit {
  track: string
  /** keys taken out */
  remove?: Uint32Array
  /** keys with a new time and value; a key whose time and value are as they were keeps its bytes */
  set?: { keys: Uint32Array; times: Float64Array; values: Float32Array }
  /** keys put in at their time */
  insert?: { times: Float64Array; values: Float32Array }
}

/** What may be done with the list of a model's clips. */
export const CLIP_ACTIONS = ['add', 'duplicate', 'rename', 'remove', 'move', 'split', 'join', 'merge', 'moveTo', 'unpack'] as const

export type ClipAction = (typeof CLIP_ACTIONS)[number]

/** Tracks of a clip that have no place for one frame alone, and the bytes that storing them plain adds. */
export interface PackedTracks {
  tracks: number
  adds: number
}

/** A motion of a model as its games know it: a clip of the scene, or where they keep many on one track a window of it. */
export interface ListedClip {
  name: string
  /** clip of the scene that it stands in */
  clip: number
  /** native times; the end is part of it as a pose */
  start: number
  end: number
  rate: number
  unit: 'frame' | 'ms' | 's'
  /** where it stands: file, and place in it */
  ref: string
  path: string
  /** tracks whose frames are packed together; absent where every frame has a value of its own */
  packed?: PackedTracks
  /** what cannot be done with this one, and why */
  refused: Partial<Record<ClipAction, string>>
}

export interface ClipListLimits {
  /** bytes of a name at most, 0 where the format sets no limit */
  nameBytes: number
  /** files of the model that a clip can be moved into */
  files: string[]
}

/** What a new clip begins with: a pose where start and end are the same. Numbers count within the list, times are native. */
export interface ClipSource {
  clip: number
  start: number
  end: number
}
