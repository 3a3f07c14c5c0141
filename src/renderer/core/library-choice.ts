/** Several rows of the library at once: what is done with many of them is done with these. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import { MOST_CHOSEN } from '../../shared/api/types/library.ts'
import type { LibraryRow } from '../../shared/api/types/library.ts'
import { latestAnswer } from './latest.ts'
import { useLibrary } from './library.ts'

export const useLibraryChoice = defineStore('libraryChoice', () => {
  const library = useLibrary()
  /** by reference; empty where none is chosen, or the active row alone */
  const several = shallowRef<ReadonlyMap<string, LibraryRow>>(new Map())
  /** the user chose in this list: until then its first row is where the keyboard begins, and no more */
  const made = ref(false)
  /** where a range begins */
  let anchor: { index: number; ref?: string } = { index: 0 }
  const begin = latestAnswer()

  /** What the list shows as chosen, and all that is about it means: several rows, the active one, or none. */
  const rows = computed<readonly LibraryRow[]>(() => {
    if (several.value.size > 0) return [...several.value.values()]
    const row = made.value ? library.rowAt(library.active) : undefined
    return row ? [row] : []
  })

  function isChosen(index: number): boolean {
    if (several.value.size === 0) return made.value && index === library.active
    const row = library.rowAt(index)
    return row !== undefined && several.value.has(row.ref)
  }

  function begins(index: number): void {
    library.active = index
    anchor = { index, ref: library.rowAt(index)?.ref }
  }

  /** One row alone. */
  function only(index: number): void {
    begin()
    made.value = true
    several.value = new Map()
    begins(index)
  }

  /** The row where the keyboard is, unless something is chosen. */
  function first(): void {
    if (rows.value.length === 0) only(library.active)
  }

  /** One row more, or one less. */
  function turn(index: number): void {
    const row = library.rowAt(index)
    if (!row) return
    begin()
    const next = new Map(rows.value.map((own) => [own.ref, own]))
    if (!next.delete(row.ref) && next.size < MOST_CHOSEN) next.set(row.ref, row)
    several.value = next
    made.value = next.size > 0
    begins(index)
  }

  /** All rows from the one that was chosen last to this one. */
  async function reach(index: number): Promise<void> {
    const stillWanted = begin()
    made.value = true
    library.active = index
    // rows that came meanwhile moved it
    const moved = anchor.ref === undefined ? -1 : await library.placeOf(anchor.ref)
    const from = moved < 0 ? anchor.index : moved
    const [first, last] = [Math.min(from, index), Math.max(from, index)]
    const found = await library.rowsIn(first, Math.min(last, first + MOST_CHOSEN - 1))
    if (stillWanted()) several.value = new Map(found.map((row) => [row.ref, row]))
  }

  /** Every row of the list, as many as can be chosen at once. */
  async function all(): Promise<void> {
    if (library.total === 0) return
    const stillWanted = begin()
    const found = await library.rowsIn(0, Math.min(library.total, MOST_CHOSEN) - 1)
    if (!stillWanted()) return
    made.value = true
    several.value = new Map(found.map((row) => [row.ref, row]))
  }

  /** The row that begins with what was typed, if there is one. */
  async function seek(text: string, from: number): Promise<void> {
    const stillWanted = begin()
    const found = await library.seek(text, from)
    if (found >= 0 && stillWanted()) only(found)
  }

  /** Shows a model or file in the whole list. @returns false where it is not in there */
  async function reveal(show: 'models' | 'files', ref: string): Promise<boolean> {
    await library.listAll(show)
    const stillWanted = begin()
    const at = await library.placeOf(ref)
    if (at < 0) return false
    await library.rowsIn(at, at)
    if (!stillWanted()) return false
    only(at)
    return true
  }

  function none(): void {
    begin()
    // what is none already is nothing new: all rows would be made again for it, at each letter of a search
    if (several.value.size > 0) several.value = new Map()
  }

  // another list
  watch([() => library.info?.id, () => JSON.stringify(library.query)], () => {
    none()
    made.value = false
    anchor = { index: 0 }
  })

  return { several, rows, isChosen, seek, reveal, only, first, turn, reach, all, none }
})
