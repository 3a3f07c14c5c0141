/** The rows that a list of the library shows. */
import { onBeforeUnmount, shallowRef, watch, type Ref } from 'vue'
import type { LibraryRow } from '../../../shared/api/types/library.ts'
import { rowIn, useLibrary } from '../../core/library.ts'
import { useShown } from '../../core/while-shown.ts'

export interface Listed {
  total: number
  /** undefined for one that was not fetched */
  rowAt(index: number): LibraryRow | undefined
}

/** ms after the last change, until a list that is not on screen follows: each letter of a search would put its rows together, too. */
const REST = 700

/** What was found, at once in a list that is on screen; in another one when nothing changed for a moment, or when it comes back. */
export function useListed(): Readonly<Ref<Listed>> {
  const library = useLibrary()
  const shown = useShown()
  const now = (): Listed => {
    const pages = new Map(library.pages)
    return { total: library.total, rowAt: (index) => rowIn(pages, index) }
  }
  const listed = shallowRef(now())
  /** of a list that is behind */
  let timer: ReturnType<typeof setTimeout> | undefined
  const follow = (): void => {
    clearTimeout(timer)
    timer = undefined
    listed.value = now()
  }
  watch(now, (next) => {
    clearTimeout(timer)
    if (shown.value) listed.value = next
    else timer = setTimeout(follow, REST)
  })
  watch(shown, () => timer !== undefined && follow(), { flush: 'sync' })
  onBeforeUnmount(() => clearTimeout(timer))
  return listed
}
