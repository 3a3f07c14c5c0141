/** Words that the calls of the contract are declared with: a call, and the schemas that several share or that are lists of columns. */
import * as v from 'valibot'
import { OFFSET_AXES } from '../keys/offset.ts'
import { exportSettingsSchema } from './export-options.ts'
import { importPlace, importSettingsSchema } from './import-options.ts'
import { retargetMap, retargetSettingsSchema } from './retarget-options.ts'
import { PICTURE_SIZE } from './types/library.ts'
import { isFamilyId } from './types/family.ts'
import type { ExportParts } from './export-options.ts'
import type { FileKind } from './types/family.ts'
import type { LibraryPart } from './types/library.ts'
import { say } from '../texts/say.ts'

/** A call: the schema its one argument must fit, and (as a type only) what it answers. */
export interface Call<A, R> {
  readonly args: v.GenericSchema<unknown, A>
  readonly result?: R
}

export function call<S extends v.GenericSchema>(args: S) {
  return <R>(): Call<v.InferOutput<S>, R> => ({ args: args })
}

export const text = v.pipe(v.string(), v.maxLength(4096))
export const index = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
export const finite = v.pipe(v.number(), v.finite())
/** columns cross as typed arrays */
export const bytes = v.instance(Uint8Array<ArrayBufferLike>)
const u16 = v.instance(Uint16Array<ArrayBufferLike>)
const u32 = v.instance(Uint32Array<ArrayBufferLike>)
const f32 = v.instance(Float32Array<ArrayBufferLike>)
const f64 = v.instance(Float64Array<ArrayBufferLike>)
const ids = v.pipe(v.array(index), v.minLength(1), v.maxLength(1_000_000))
/** a member by its id, or (-1) the archive itself */
export const archivePart = v.pipe(v.number(), v.safeInteger(), v.minValue(-1))
/** types/archive.ts says what each is */
export const archiveStep = v.variant('kind', [
  v.object({
    kind: v.literal('add'),
    files: v.pipe(v.array(v.object({ name: text, body: text })), v.minLength(1), v.maxLength(10_000)),
  }),
  v.object({ kind: v.literal('replace'), id: index, body: text }),
  v.object({ kind: v.literal('rename'), id: index, name: text }),
  v.object({ kind: v.literal('remove'), ids }),
  v.object({ kind: v.literal('move'), ids, before: v.pipe(v.number(), v.integer(), v.minValue(-1)) }),
  v.object({ kind: v.literal('rebuild') }),
  v.object({ kind: v.literal('field'), id: archivePart, path: text, value: text }),
  v.object({ kind: v.literal('as'), format: text }),
])
export const nothing = v.object({})
export const model = v.object({ model: text })
/** the registry says which there are, when the call is answered */
export const family = v.pipe(
  v.string(),
  v.check(isFamilyId, () => say('calls.noFamilyId')),
)
export const kinds = v.picklist([
  'model',
  'skeleton',
  'skin',
  'animation',
  'slices',
  'texture',
  'material',
  'collision',
  'archive',
  'bind-pose',
  'text',
  'effect',
  'other',
] satisfies FileKind[])
export const parts = v.pipe(v.array(v.picklist(['bones', 'meshes', 'clips', 'slices', 'textures'] satisfies LibraryPart[])), v.maxLength(5))
const jointMap = v.pipe(
  v.record(text, text),
  v.check(
    (map) => Object.keys(map).length <= 10_000,
    () => say('calls.tooManyJoints'),
  ),
)
/** what of one model is written */
export const exportParts = v.object({
  ...exportSettingsSchema.entries,
  animations: v.optional(v.pipe(v.array(text), v.maxLength(100_000))),
  range: v.optional(v.object({ from: finite, to: finite })),
}) satisfies v.GenericSchema<unknown, ExportParts>
export const sliceValues = v.object({ name: text, start: finite, end: finite, speed: finite })
export const value = v.union([text, finite, v.boolean()])
export const place = v.pipe(v.array(finite), v.length(3))
export const weightRows = v.object({
  id: text,
  vertices: u32,
  offsets: u32,
  bone: u16,
  weight: f32,
})

/** edits of keys, by track: some removed, some set, some put in */
export const keyEdits = v.pipe(
  v.array(
    v.object({
      track: text,
      remove: v.optional(u32),
      set: v.optional(v.object({ keys: u32, times: f64, values: f32 })),
      insert: v.optional(v.object({ times: f64, values: f32 })),
    }),
  ),
  v.maxLength(100_000),
)
/** what stands at the same times as keys, by number */
export const besideKeys = v.object({
  slices: v.pipe(v.array(v.object({ slice: index, start: finite, end: finite })), v.maxLength(10_000)),
  events: v.pipe(v.array(v.object({ event: index, time: finite })), v.maxLength(10_000)),
  markers: v.pipe(v.array(v.object({ marker: index, time: finite })), v.maxLength(10_000)),
})
/** keys of joints, in columns */
export const poses = v.pipe(
  v.array(v.object({ joint: index, times: f64, translation: v.optional(f32), rotation: v.optional(f32), scale: v.optional(f32) })),
  v.maxLength(10_000),
)

/** a pose that is kept: columns by joint, and its picture as straight RGBA */
export const keptPose = v.pipe(
  v.object({
    model: text,
    name: v.pipe(text, v.trim(), v.minLength(1)),
    group: text,
    joints: v.pipe(v.array(index), v.minLength(1), v.maxLength(10_000)),
    translation: f32,
    rotation: f32,
    rgba: v.optional(
      v.pipe(
        bytes,
        v.check(
          ({ length }) => length === 4 * PICTURE_SIZE ** 2,
          () => say('pictures.wrongSize'),
        ),
      ),
    ),
  }),
  v.check(
    ({ joints, translation, rotation }) => translation.length === 3 * joints.length && rotation.length === 4 * joints.length,
    () => say('poses.noPose'),
  ),
)
/** the poses of one skeleton, and one of them */
export const shelf = v.object({ shelf: v.pipe(v.string(), v.regex(/^[0-9a-f]{24}$/)) })
export const poseOfShelf = v.object({ ...shelf.entries, pose: text })

/** an offset of joints over a range of a clip, on top of what they do there */
export const offset = v.object({
  offsets: v.pipe(
    v.array(
      v.object({
        joint: index,
        axes: v.picklist(OFFSET_AXES),
        turn: v.optional(v.pipe(v.array(finite), v.length(4))),
        move: v.optional(place),
      }),
    ),
    v.minLength(1),
    v.maxLength(10_000),
  ),
  start: finite,
  end: finite,
  easeIn: v.pipe(finite, v.minValue(0)),
  easeOut: v.pipe(finite, v.minValue(0)),
})

/**
 * Steps of one drag share a `gesture`: they become one undo step. An edit that `replaces` the last step (HistoryInfo.top) works on
 * the state before it and takes its place: the history keeps one step. Where that one is not the last any more the answer is not-found.
 */
export const step = { gesture: v.optional(text), replaces: v.optional(text) }

/** a motion of another open model for a model */
export const retargetChoice = {
  model: text,
  /** the open model that has it */
  source: text,
  /** names as exports have them */
  clip: text,
  into: text,
  map: v.optional(retargetMap),
  ...retargetSettingsSchema.entries,
}

/** a glTF (its bytes) for a model, and what of it goes where */
export const importChoice = {
  model: text,
  name: text,
  bytes,
  animation: v.optional(text),
  clip: v.optional(index),
  slice: v.optional(index),
  /** by number of the animation: `clip 0`, `slice 2`, or '' for none; the others go by their names */
  into: v.optional(v.record(v.pipe(v.string(), v.regex(/^\d{1,6}$/)), importPlace)),
  /** names of the joints that are taken; all when absent */
  joints: v.optional(v.pipe(v.array(text), v.maxLength(10_000))),
  map: v.optional(jointMap),
  ...importSettingsSchema.entries,
}
