/** Which archive has its page open: menus anywhere open it. */
import { defineStore } from 'pinia'
import { ref } from 'vue'
import { say } from '../../shared/texts/say.ts'
import type { MenuEntry } from './menu/context-menu.ts'

export const useArchivePage = defineStore('archivePage', () => {
  /** its reference; '' where none is open */
  const shown = ref('')

  /** What every menu about an archive has. */
  function entries(archive: string): MenuEntry[] {
    return [{ label: say('archivePage.open'), run: () => (shown.value = archive) }]
  }

  return { shown, entries }
})
