/** What stood before the first save: only what is new since then counts. */
import { isAbsolute } from 'node:path'
import type { FileStore } from '../files/store.ts'
import type { Originals } from '../workspace/originals.ts'
import type { ModelFinder } from './model-finder.ts'

/** Bytes of a file as the game had it; undefined for one that was never changed. */
export type Baseline = (ref: string) => Uint8Array | undefined

const NOTHING = new Uint8Array(0)

/**
 * The originals that were kept, and the game's own files under a mod folder.
 * @param places what is going to be judged: of files elsewhere nothing is looked for
 * @param needed whether all rests on them: then nothing else is taken for one that is damaged, else it is one that nobody knows
 * @throws FormatError io where an original that is needed was kept and is damaged
 */
export async function baselineOf(
  { store, finder }: { store: FileStore; finder: ModelFinder },
  originals: Originals,
  places: readonly string[],
  needed: boolean,
): Promise<Baseline> {
  const kept = new Map<string, string>()
  for (const { target } of await originals.list()) {
    if (!places.some((place) => target.startsWith(place) || place.startsWith(target))) continue
    const path = await originals.pathOf(target).catch((error: unknown) => {
      if (needed) throw error
      return undefined
    })
    if (path !== undefined && isAbsolute(target)) kept.set(target, path)
  }
  return (ref) => {
    const source = finder.source(ref)
    if (source !== ref) return store.exists(ref) ? store.read(ref) : NOTHING
    // the file itself, or the archive that it is a member of
    for (const [target, path] of kept) {
      if (ref !== target && !ref.startsWith(`${target}!`)) continue
      const before = path + ref.slice(target.length)
      return store.exists(before) ? store.read(before) : NOTHING
    }
    return undefined
  }
}
