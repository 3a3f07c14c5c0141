/** What moves: clips, their slices and marks, kept poses, motion of other figures. */
import * as v from 'valibot'
import {
  besideKeys,
  bytes,
  call,
  finite,
  index,
  keyEdits,
  keptPose,
  model,
  offset,
  poseOfShelf,
  poses,
  retargetChoice,
  shelf,
  sliceValues,
  step,
  text,
} from '../arguments.ts'
import type { ChangedTracks, ClipField, ClipListLimits, ListedClip, NativeTrack } from '../types/clips.ts'
import type { RetargetPreview, RetargetReport } from '../types/retarget.ts'
import type { EditResult, SceneBeyond } from '../types/model.ts'
import type { PoseShelves } from '../types/poses.ts'
import type { SliceFinding } from '../types/slices.ts'

export const motionCalls = {
  'slices.check': call(v.object({ model: text, values: sliceValues }))<SliceFinding[]>(),
  'slices.add': call(v.object({ model: text, at: index, clip: index, values: sliceValues, ...step }))<EditResult>(),
  'slices.set': call(v.object({ model: text, slice: index, values: v.partial(sliceValues), ...step }))<EditResult>(),
  'slices.remove': call(v.object({ model: text, slice: index }))<EditResult>(),
  'slices.move': call(v.object({ model: text, from: index, to: index, ...step }))<EditResult>(),
  'slices.duplicate': call(v.object({ model: text, slice: index }))<EditResult>(),
  'slices.extract': call(v.object({ model: text, slice: index }))<{ name: string; bytes: Uint8Array }>(),
  'slices.replaceWindow': call(v.object({ model: text, slice: index, bytes }))<EditResult>(),

  /** named places in time, kept by Marrow for every family; numbers count within Scene.markers */
  'markers.add': call(v.object({ model: text, clip: index, name: text, time: finite }))<EditResult>(),
  'markers.set': call(
    v.object({ model: text, marker: index, values: v.partial(v.object({ name: text, time: finite })), ...step }),
  )<EditResult>(),
  'markers.remove': call(v.object({ model: text, marker: index }))<EditResult>(),

  'clips.tracks': call(v.object({ model: text, clip: index }))<NativeTrack[]>(),
  // for whoever was given those of revision `since`
  'clips.changedTracks': call(v.object({ model: text, clip: index, since: index }))<ChangedTracks>(),
  'clips.editKeys': call(
    v.object({
      model: text,
      label: text,
      ...step,
      edits: keyEdits,
      /** what stands beside the keys of `clip` and changes in the same step */
      clip: v.optional(index),
      beside: v.optional(besideKeys),
    }),
  )<EditResult>(),
  /** what such edits would make of the scene, with nothing of the model touched */
  'clips.preview': call(v.object({ model: text, edits: keyEdits }))<SceneBeyond>(),
  /** keys of joints as the scene has them, turned into what each file stores; a track that is missing is added. Times are what the format can store next to them */
  'clips.pose': call(
    v.object({
      model: text,
      clip: index,
      label: text,
      ...step,
      poses,
    }),
  )<EditResult>(),
  /** keys of joints within a range are turned and moved; few are put in where an ease begins and ends, those outside keep their bytes */
  'clips.offset': call(v.object({ model: text, clip: index, label: text, ...step, ...offset.entries }))<EditResult>(),
  'clips.addTrack': call(
    v.object({ model: text, clip: index, joint: index, property: v.picklist(['translation', 'rotation', 'scale', 'visibility']) }),
  )<EditResult>(),
  'clips.removeTrack': call(v.object({ model: text, track: text }))<EditResult>(),
  'clips.fields': call(v.object({ model: text, clip: index }))<ClipField[]>(),
  'clips.setField': call(v.object({ model: text, clip: index, key: text, value: v.union([text, finite]) }))<EditResult>(),

  /** clips as a whole; numbers count within this list, which for games that keep many on one track is that of its windows */
  'clips.list': call(model)<{ clips: ListedClip[]; limits: ClipListLimits }>(),
  /** `from`: a pose or range of another clip, its times native; without it a clip without movement */
  'clips.add': call(
    v.object({ model: text, name: text, from: v.optional(v.object({ clip: index, start: finite, end: finite })) }),
  )<EditResult>(),
  'clips.duplicate': call(v.object({ model: text, clip: index, name: text }))<EditResult>(),
  'clips.rename': call(v.object({ model: text, clip: index, name: text }))<EditResult>(),
  'clips.remove': call(v.object({ model: text, clip: index }))<EditResult>(),
  'clips.move': call(v.object({ model: text, from: index, to: index }))<EditResult>(),
  'clips.split': call(v.object({ model: text, clip: index, time: finite, name: text }))<EditResult>(),
  'clips.join': call(v.object({ model: text, clip: index, other: index }))<EditResult>(),
  /** the clips of another file (its bytes), all or the one called `only` */
  'clips.merge': call(v.object({ model: text, name: text, bytes, only: v.optional(text) }))<EditResult>(),
  /** packed tracks of a clip stored plain: each frame has the bits that it had (`ListedClip.packed`) */
  'clips.unpack': call(v.object({ model: text, clip: index }))<EditResult>(),
  'clips.moveTo': call(v.object({ model: text, clip: index, ref: text }))<EditResult>(),

  'events.add': call(v.object({ model: text, clip: index, event: v.object({ time: finite, type: text, info: text }) }))<EditResult>(),
  'events.set': call(
    v.object({ model: text, clip: index, event: index, values: v.partial(v.object({ time: finite, type: text, info: text })), ...step }),
  )<EditResult>(),
  'events.remove': call(v.object({ model: text, clip: index, event: index }))<EditResult>(),

  /** poses that the user keeps: of the model's skeleton, of others whose joints have its names, and which have other names */
  'poses.list': call(model)<PoseShelves>(),
  'poses.keep': call(keptPose)<{ id: string }>(),
  'poses.change': call(v.object({ ...poseOfShelf.entries, name: v.optional(text), group: v.optional(text) }))<null>(),
  'poses.remove': call(poseOfShelf)<null>(),
  /** one that was removed lately */
  'poses.putBack': call(poseOfShelf)<null>(),
  /** a file to give away */
  'poses.export': call(shelf)<{ name: string; bytes: Uint8Array }>(),
  /** such a file (its bytes), for a model with its skeleton or the names of its joints */
  'poses.import': call(v.object({ model: text, name: text, bytes }))<{ added: number; known: number }>(),

  /** a clip or slice of another open model onto one of this model, as one step: joints by name and shape, and as the map says (`retarget-options.ts`) */
  'retarget.apply': call(v.object({ ...retargetChoice, replaces: v.optional(text) }))<EditResult & { report: RetargetReport }>(),
  /** what `retarget.apply` would make of the model, with nothing of it changed */
  'retarget.preview': call(v.object(retargetChoice))<RetargetPreview>(),
} as const
