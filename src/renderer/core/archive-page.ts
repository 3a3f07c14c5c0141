/** Which archive has its page open, or which files become a new one: menus anywhere ask for both. */
import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import { NEW_ARCHIVE } from '../../shared/api/types/archive.ts'
import { say } from '../../shared/texts/say.ts'
import type { MenuEntry } from './menu/context-menu.ts'

export const useArchivePage = defineStore('archivePage', () => {
  /** its reference; '' where none is open */
  const shown = ref('')

  /** files and folders of the library that the new archive is to hold, once its page is open */
  const coming = shallowRef<readonly string[]>([])

  /** Opens the page of the archive that has no file yet, with what was planned in it before. */
  function make(from: readonly string[] = []): void {
    coming.value = from
    shown.value = NEW_ARCHIVE
  }

  /** What every menu about an archive has. */
  function entries(archive: string): MenuEntry[] {
    return [{ label: say('archivePage.open'), run: () => (shown.value = archive) }]
  }

  /** @param from files of the library, or a folder of it */
  function makeEntry(from: readonly string[]): MenuEntry {
    return { label: say('archivePage.makeOf', { count: from.length }), run: () => make(from) }
  }

  return { shown, coming, make, makeEntry, entries }
})
