/** What is moved: skeletons, skins, attachment points and the looks of meshes. */
import * as v from 'valibot'
import { bytes, call, finite, index, model, place, step, text, weightRows } from '../arguments.ts'
import type { EditPreview } from '../types/changes.ts'
import type { EditResult } from '../types/model.ts'
import type { NativePoints } from '../types/points.ts'
import type { NativeSubmesh } from '../types/submeshes.ts'
import type { TexturePixels, TextureReport, TextureStorage } from '../types/textures.ts'
import type { NativeWeights } from '../types/weights.ts'

export const figureCalls = {
  'weights.list': call(model)<{ id: string; mesh: string; sceneMesh: number; vertexCount: number }[]>(),
  'weights.read': call(v.object({ model: text, id: text }))<NativeWeights>(),
  'weights.write': call(v.object({ model: text, label: text, ...step, edit: weightRows }))<EditResult>(),
  /** what the edit would change in the bytes; refused where it would be */
  'weights.preview': call(v.object({ model: text, edit: weightRows }))<EditPreview[]>(),

  /** `namedBy`: files that find the joint by its name and need not follow a rename, and how many other models of the library use each */
  'skeleton.fields': call(v.object({ model: text, joint: index }))<{
    fields: { key: string; label: string; value: number[] | string; note?: string }[]
    references: { ref: string; what: string }[]
    namedBy: { ref: string; others: number }[]
  }>(),
  'skeleton.setField': call(
    v.object({
      model: text,
      joint: index,
      key: text,
      value: v.union([text, v.pipe(v.array(finite), v.maxLength(16))]),
      keepSkin: v.optional(v.boolean()),
      ...step,
    }),
  )<EditResult>(),
  /** to another place at rest, in the parent's space of the scene; rotation x, y, z, w of length 1. Parts that are not given stay */
  'skeleton.place': call(
    v.object({
      model: text,
      joint: index,
      translation: v.optional(v.pipe(v.array(finite), v.length(3))),
      rotation: v.optional(v.pipe(v.array(finite), v.length(4))),
      keepSkin: v.optional(v.boolean()),
      ...step,
    }),
  )<EditResult>(),
  'skeleton.rename': call(v.object({ model: text, joint: index, name: text, follow: v.optional(v.boolean()) }))<EditResult>(),
  'skeleton.reparent': call(v.object({ model: text, joint: index, parent: v.pipe(v.number(), v.integer(), v.minValue(-1)) }))<EditResult>(),

  /** how a texture of the scene is stored, and whether a picture can be put in */
  'textures.storage': call(v.object({ model: text, texture: index }))<TextureStorage>(),
  /** a level of a texture as its file has it, 0 the picture itself; `original`: as the file's original has it */
  'textures.pixels': call(v.object({ model: text, texture: index, level: index, original: v.optional(v.boolean()) }))<TexturePixels>(),
  /** one texture as a PNG */
  'textures.png': call(v.object({ model: text, texture: index }))<{ name: string; bytes: Uint8Array }>(),
  /** a PNG (its bytes) in the place of a texture, stored in the texture's own format, mip levels made anew */
  'textures.replace': call(v.object({ model: text, texture: index, name: text, bytes }))<EditResult & { report: TextureReport }>(),

  'points.list': call(model)<NativePoints>(),
  /** `joint` -1: none; `center` in the joint's space of the scene; `point`: id of what came to be */
  'points.add': call(v.object({ model: text, ref: text, joint: v.pipe(v.number(), v.integer(), v.minValue(-1)), center: place }))<
    EditResult & { point: string }
  >(),
  /** `keepPlace` (true when absent): on another joint the point stays where it is at rest; else its numbers stay */
  'points.set': call(
    v.object({
      model: text,
      point: text,
      key: text,
      value: v.union([text, v.pipe(v.array(finite), v.maxLength(16))]),
      keepPlace: v.optional(v.boolean()),
      ...step,
    }),
  )<EditResult>(),
  'points.place': call(v.object({ model: text, point: text, center: place, ...step }))<EditResult>(),
  'points.remove': call(v.object({ model: text, point: text }))<EditResult>(),
  'points.duplicate': call(v.object({ model: text, point: text }))<EditResult & { point: string }>(),

  'submeshes.list': call(v.object({ model: text, mesh: index }))<NativeSubmesh[]>(),
  'submeshes.set': call(v.object({ model: text, mesh: index, submesh: index, key: text, value: text }))<EditResult>(),
} as const
