/** Which models an export of many is about: all that the library shows, or these. */
import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { LibraryRow } from '../../shared/api/types/library.ts'

export const useBatchChoice = defineStore('batchChoice', () => {
  /** null: all that the library's filter shows */
  const only = shallowRef<readonly Pick<LibraryRow, 'ref' | 'name'>[] | null>(null)
  /** the panel is wanted; who shows it takes the wish back */
  const wanted = ref(false)

  function ask(rows: readonly Pick<LibraryRow, 'ref' | 'name'>[] | null): void {
    only.value = rows
    wanted.value = true
  }

  return { only, wanted, ask }
})
