/** What the slices and clips of a model are called in other programs. */
import type { Scene } from './types.ts'

/** Names of the animations of a scene, no two alike: slices first, then whole clips. */
export function animationNames({ slices, clips }: Pick<Scene, 'slices' | 'clips'>): { slices: string[]; clips: string[] } {
  const taken = new Set<string>()
  return {
    slices: uniqueNames(
      slices.map((slice, i) => slice.name || `slice ${i}`),
      taken,
    ),
    clips: uniqueNames(
      clips.map((clip, i) => clip.name || `clip ${i}`),
      taken,
    ),
  }
}

/** Names of which no two are alike: the second of a name gets a number. */
export function uniqueNames(names: readonly string[], taken = new Set<string>()): string[] {
  return names.map((name) => {
    let out = name
    for (let n = 2; taken.has(out); n++) out = `${name} ${n}`
    taken.add(out)
    return out
  })
}
