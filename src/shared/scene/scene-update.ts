/**
 * A scene as the difference to one that the receiver has: what is equal crosses as null. A key that moves changes one
 * clip, and crosses alone where the receiver has that; the pixels of the textures and the vertices of the meshes stay
 * where they are.
 */
import { differenceOf, withDifference, type Difference } from './difference.ts'
import { sameData, sharedWith } from './same.ts'
import type { Clip, Scene } from './types.ts'

/** The lists that hold the bulk of a scene. */
const LISTS = ['meshes', 'skins', 'materials', 'textures', 'clips'] as const
type List = (typeof LISTS)[number]

/** A clip that is another only in part. */
interface ChangedClip {
  change: Difference
}

/** A null in a list is the entry with the same number in the scene that the update builds on; a clip may be told by what changed in that one. */
export type SceneUpdate = Omit<Scene, List> & { [K in Exclude<List, 'clips'>]: (Scene[K][number] | null)[] } & {
  clips: (Clip | ChangedClip | null)[]
}

/** Entries of `scene` that are equal to those of `known` become the same objects: two states of a model share their bulk. */
export function shareEntries(scene: Scene, known: Scene): void {
  if (scene === known) return
  for (const list of LISTS) {
    const entries: unknown[] = scene[list]
    entries.forEach((entry, i) => {
      if (entry !== known[list][i] && sameData(entry, known[list][i])) entries[i] = known[list][i]
    })
  }
}

/** Whether what is told by its number is the same in both: a joint, a clip, a slice, a mesh. */
export function sameNumbers(a: Scene, b: Scene): boolean {
  const numbers = ({ skeleton, ...lists }: Scene): (string | number)[] => [
    ...skeleton.names,
    ...Object.values(lists).map((list) => (Array.isArray(list) ? list.length : -1)),
  ]
  return sameData(numbers(a), numbers(b))
}

/** @param scene shares its equal entries with `known` */
export function sceneUpdate(scene: Scene, known: Scene): SceneUpdate {
  const without = <T>(entries: readonly T[], old: readonly T[]): (T | null)[] =>
    entries.map((entry, i) => (entry === old[i] ? null : entry))
  return {
    ...scene,
    meshes: without(scene.meshes, known.meshes),
    skins: without(scene.skins, known.skins),
    materials: without(scene.materials, known.materials),
    textures: without(scene.textures, known.textures),
    clips: without(scene.clips, known.clips),
  }
}

/** The same, with clips told by their keys that changed: for whoever has the scene that it builds on, or that without tracks. */
export function sceneChange(scene: Scene, known: Scene): SceneUpdate {
  const clips = scene.clips.map((clip, i): Clip | ChangedClip | null => {
    const old = known.clips.at(i)
    if (!old || old.name !== clip.name) return clip
    const change = clip === old ? null : differenceOf(clip, old)
    return change && { change }
  })
  return { ...sceneUpdate(scene, known), clips }
}

const isChanged = (clip: Clip | ChangedClip | null): clip is ChangedClip => clip !== null && 'change' in clip

/** Where its tracks are away they stay so: what is with the services is the clip as it is now. */
function changedClip(known: Clip, { change }: ChangedClip): Clip {
  if (!known.away || change.kind !== 'fields') return withDifference(known, change)
  const { tracks: _, ...fields } = change.fields
  return withDifference(known, { ...change, fields })
}

/** The whole scene again, all that did not change the same objects as before; undefined when it does not build on this one. */
export function applyUpdate(update: SceneUpdate, known: Scene): Scene | undefined {
  let fits = true
  const whole = <T>(entries: readonly (T | null)[], old: T[]): T[] => {
    const list = entries.map((entry, i) => {
      if (entry !== null) return entry
      if (i >= old.length) fits = false
      return old[i]
    })
    return list.length === old.length && list.every((entry, i) => entry === old[i]) ? old : list
  }
  const scene: Scene = {
    ...update,
    skeleton: sharedWith(update.skeleton, known.skeleton),
    slices: sharedWith(update.slices, known.slices),
    markers: sharedWith(update.markers, known.markers),
    helpers: sharedWith(update.helpers, known.helpers),
    lods: sharedWith(update.lods, known.lods),
    meshes: whole(update.meshes, known.meshes),
    skins: whole(update.skins, known.skins),
    materials: whole(update.materials, known.materials),
    textures: whole(update.textures, known.textures),
    clips: whole(
      update.clips.map((clip, i) => (isChanged(clip) ? (known.clips.at(i) ? changedClip(known.clips[i], clip) : null) : clip)),
      known.clips,
    ),
  }
  return fits ? scene : undefined
}
