/** The folders of the library as rows of a tree, asked for a level at a time. */
import { computed, ref, shallowRef, watch } from 'vue'
import type { ComputedRef, Ref } from 'vue'
import type { LibraryFolder } from '../../../shared/api/types/library.ts'
import { latestAnswer } from '../../core/latest.ts'
import { useLibrary } from '../../core/library.ts'
import { useSession } from '../../core/session.ts'
import { idle } from '../../ui/idle.ts'

export interface FolderRow extends LibraryFolder {
  depth: number
  /** absent where there is no folder in it */
  open?: boolean
}

export interface FolderRows {
  /** below the root: those that have something of what is listed */
  rows: ComputedRef<readonly FolderRow[]>
  /** there are some, whatever the search leaves of them */
  some: Ref<boolean>
  turn(row: FolderRow, open: boolean): void
  failure: Ref<string>
}

export function useFolderRows(): FolderRows {
  const session = useSession()
  const library = useLibrary()
  /** place -> the folders in it */
  const known = shallowRef<ReadonlyMap<string, readonly LibraryFolder[]>>(new Map())
  const opened = shallowRef<ReadonlySet<string>>(new Set())
  const failure = ref('')
  const some = ref(false)
  const begin = latestAnswer()

  const rows = computed(() => {
    const out: FolderRow[] = []
    // an own stack: folders can be as deep as a path is long
    const stack = [...(known.value.get('') ?? [])].reverse().map((folder) => ({ folder, depth: 0 }))
    for (let top = stack.pop(); top; top = stack.pop()) {
      const { folder, depth } = top
      const open = folder.folders > 0 ? opened.value.has(folder.place) : undefined
      out.push({ ...folder, depth, open })
      if (open) for (const child of [...(known.value.get(folder.place) ?? [])].reverse()) stack.push({ folder: child, depth: depth + 1 })
    }
    return out
  })

  /** Asks for some levels in one round; what is of another round is not wanted any more. */
  async function ask(places: Iterable<string>, before: ReadonlyMap<string, readonly LibraryFolder[]>): Promise<void> {
    const { info } = library
    const stillWanted = begin()
    if (!info) return
    const asked = library.selection(info)
    const { text, family, kind, has } = asked
    const next = new Map(before)
    try {
      for (const place of places) {
        next.set(place, await session.call('library.folders', { ...asked, place }))
        if (!stillWanted()) return
      }
      known.value = next
      const found = next.get('')?.length ?? 0
      if (found > 0 || !(text || family || kind || has)) some.value = found > 0
      failure.value = ''
    } catch (error) {
      if (stillWanted()) failure.value = error instanceof Error ? error.message : String(error)
    }
  }

  function turn(row: FolderRow, open: boolean): void {
    if (row.open === undefined || row.open === open) return
    const next = new Set(opened.value)
    if (open) next.add(row.place)
    else next.delete(row.place)
    opened.value = next
    if (open && !known.value.has(row.place)) void ask([row.place], known.value)
  }

  watch(
    () => library.info?.id,
    () => {
      opened.value = new Set()
      some.value = false
    },
  )
  /** All levels that are open, when the rows that came with them are on the screen: to count them takes as long as to find those. */
  async function askAnew(): Promise<void> {
    const stillWanted = begin()
    await new Promise(requestAnimationFrame)
    await idle()
    if (stillWanted()) await ask(['', ...opened.value], new Map())
  }

  // another list, or the folders hold something else
  watch([() => library.info?.id, () => library.round], () => void askAnew(), { immediate: true })

  return { rows, some, turn, failure }
}
