/** Any two files, folders or models side by side. */
import { FormatError } from '../../binary/format-error.ts'
import { sourceFor } from '../../workspace/mod-copies.ts'
import { say } from '../../../shared/texts/say.ts'
import type { CompareVersion } from '../../../shared/api/types/compare.ts'
import type { CallContext, HandlersOf } from './context.ts'

export function compareCalls({ store, libraries, models, workspace, runners, emit }: CallContext): HandlersOf<'compare'> {
  const savedOf = (ref: string): string => (store.exists(ref) && store.isFolder(ref) ? ref : sourceFor(store, ref, models.placeOf(ref)))

  /** What stood there before the first save: the game's file under its copy in the mod folder, or what was kept. */
  async function originalOf(ref: string): Promise<string | undefined> {
    if (store.exists(ref) && store.isFolder(ref)) return undefined
    if (savedOf(ref) !== ref) return store.exists(ref) ? ref : undefined
    const disk = store.diskFile(ref)
    const kept = await workspace.originals.pathOf(disk)
    const before = kept === undefined ? undefined : kept + ref.slice(disk.length)
    return before !== undefined && store.exists(before) ? before : undefined
  }

  async function meant({ ref, version }: { ref: string; version: CompareVersion }): Promise<string> {
    if (version === 'game') return ref
    if (version === 'saved') return savedOf(ref)
    const original = await originalOf(ref)
    if (original === undefined) throw new FormatError('not-found', say('compare.noOriginal', { file: ref }), { file: ref })
    return original
  }

  return {
    'compare.run': async ({ library, a, b, models: whole = false }, { signal }) => {
      const { id, root } = libraries.get(library)
      const [from, to] = [await meant(a), await meant(b)]
      // what both were made from: of the first that has an original that is neither of the two
      let base: string | undefined
      for (const side of [a, b]) {
        if (base !== undefined || whole || side.version !== 'saved' || !store.exists(side.ref)) continue
        const original = await originalOf(side.ref)
        if (original !== undefined && original !== from && original !== to) base = original
      }
      // it leaves nothing half done
      return runners.compares.run(
        { kind: 'compare', root, a: from, b: to, base, models: whole },
        { signal, patience: 0, onProgress: ({ done, current }) => emit('compare.progress', { library: id, done, current }) },
      )
    },
  }
}
