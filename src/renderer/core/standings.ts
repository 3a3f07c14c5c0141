/** Of files that stand in several places which one the game reads: asked for those that are shown, all in one call. */
import { defineStore } from 'pinia'
import { shallowReactive, watch } from 'vue'
import { MOST_STANDINGS, type FileStanding } from '../../shared/api/types/library.ts'
import { useLibrary } from './library.ts'
import { useModels } from './models.ts'
import { useSession } from './session.ts'

/** Answers that the window holds. */
const MOST_HELD = 4000
/** Scrolling asks once it pauses. */
const ASK_MS = 120

export const useStandings = defineStore('standings', () => {
  const session = useSession()
  const library = useLibrary()
  const models = useModels()
  const held = shallowReactive(new Map<string, FileStanding | null>())
  /** what each list shows now */
  const views = new Map<symbol, readonly string[]>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let round = 0

  function show(list: symbol, refs: readonly string[]): void {
    if (refs.length > 0) views.set(list, refs)
    else views.delete(list)
    askSoon()
  }

  function askSoon(): void {
    clearTimeout(timer)
    timer = setTimeout(() => void ask(), ASK_MS)
  }

  async function ask(): Promise<void> {
    if (!library.info) return
    const { id, root } = library.info
    // what the user gave to a model from elsewhere stands in nobody's way
    const wanted = [...views.values()].flat().filter((ref) => ref.startsWith(root) && !held.has(ref))
    const refs = [...new Set(wanted)].slice(0, MOST_STANDINGS)
    if (refs.length === 0) return
    const own = round
    try {
      const found = await session.call('library.standings', { library: id, refs })
      if (own !== round) return
      if (held.size > MOST_HELD) held.clear()
      for (const [i, ref] of refs.entries()) held.set(ref, found[i])
      // a list of more than are answered at a time
      askSoon()
    } catch {
      // files of no open library, or gone by now: nothing is told of them
      if (own === round) for (const ref of refs) held.set(ref, null)
    }
  }

  function forget(): void {
    round++
    held.clear()
    askSoon()
  }

  // a save, another place for saves, or a scan may have put a file beside another
  watch(
    [
      () => library.info?.id,
      () => library.info?.scannedAt,
      () => session.settings.saveMode,
      () => session.settings.modFolder,
      () => models.open.filter(({ info }) => info.dirty).length,
    ],
    forget,
  )

  const of = (ref: string): FileStanding | null => held.get(ref) ?? null

  return { show, of }
})
