/** Levels of detail: which meshes belong to the level that is shown. */
import type { Scene } from '../../shared/scene/types.ts'

/** A mesh without a level is in all; -1 asks for the highest, which stands last in the list. */
export function shownInLod(scene: Scene, meshLod: number, wanted: number): boolean {
  if (meshLod < 0 || !scene.lods.length) return true
  return meshLod === (wanted < 0 || wanted >= scene.lods.length ? scene.lods.length - 1 : wanted)
}
