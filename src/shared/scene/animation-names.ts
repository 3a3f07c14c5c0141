/** What the slices, clips and joints of a model are called in other programs. */
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

/** Names of the joints of a skeleton, no two alike. */
export function jointNames({ names }: Pick<Scene['skeleton'], 'names'>): string[] {
  return uniqueNames(names.map((name, i) => name || `joint ${i}`))
}

/** Names of which no two are alike: the first of a name keeps it, the others get a number that makes no other's name. */
export function uniqueNames(names: readonly string[], taken = new Set<string>()): string[] {
  const own = new Set(names)
  // thousands of one name each go on where the one before stopped
  const numbers = new Map<string, number>()
  return names.map((name) => {
    let out = name
    let n = numbers.get(name) ?? 2
    for (; taken.has(out) || (out !== name && own.has(out)); n++) out = `${name} ${n}`
    if (out !== name) numbers.set(name, n)
    taken.add(out)
    return out
  })
}

/** Finds by name: as it is written, else in another case. @returns an index, -1 for none */
export function nameFinder(names: readonly string[]): (name: string) => number {
  const first = (list: readonly string[]): Map<string, number> => new Map(list.map((name, i) => [name, i] as const).reverse())
  const exact = first(names)
  const lower = first(names.map((name) => name.toLowerCase()))
  return (name) => exact.get(name) ?? lower.get(name.toLowerCase()) ?? -1
}
