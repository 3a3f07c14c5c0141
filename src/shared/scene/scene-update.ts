/**
 * A scene as the difference to one that the receiver has: what is equal crosses as null. A key that moves changes one
 * clip; the pixels of the textures and the vertices of the meshes stay where they are.
 */
import { sameData } from './same.ts'
import type { Scene } from './types.ts'

/** The lists that hold the bulk of a scene. */
const LISTS = ['meshes', 'skins', 'materials', 'textures', 'clips'] as const
type List = (typeof LISTS)[number]

/** A null in a list is the entry with the same number in the scene that the update builds on. */
export type SceneUpdate = Omit<Scene, List> & { [K in List]: (Scene[K][number] | null)[] }

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

/** The whole scene again; undefined when it does not build on this one. */
export function applyUpdate(update: SceneUpdate, known: Scene): Scene | undefined {
  let fits = true
  const whole = <T>(entries: readonly (T | null)[], old: readonly T[]): T[] =>
    entries.map((entry, i) => {
      if (entry !== null) return entry
      if (i >= old.length) fits = false
      return old[i]
    })
  const scene: Scene = {
    ...update,
    meshes: whole(update.meshes, known.meshes),
    skins: whole(update.skins, known.skins),
    materials: whole(update.materials, known.materials),
    textures: whole(update.textures, known.textures),
    clips: whole(update.clips, known.clips),
  }
  return fits ? scene : undefined
}
