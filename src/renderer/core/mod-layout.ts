/** How the mod of the folder that is set holds members of archives; the user's choice, kept with the mod. */
import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { ModLayout } from '../../shared/api/types/mod.ts'
import { latestAnswer } from './latest.ts'
import { useLibrary } from './library.ts'
import { useSession } from './session.ts'

export const useModLayout = defineStore('modLayout', () => {
  const session = useSession()
  const library = useLibrary()
  /** undefined while nobody has asked, and where nothing is saved into a mod folder */
  const layout = shallowRef<ModLayout>()
  const latest = latestAnswer()

  /** @param loose what the user chooses; nothing is changed without it */
  async function ask(loose?: boolean): Promise<void> {
    const wanted = latest()
    const id = library.info?.id
    if (!id || session.settings.saveMode !== 'mod-folder' || !session.settings.modFolder) {
      layout.value = undefined
      return
    }
    try {
      const answer = await session.call('mod.layout', { library: id, loose })
      if (wanted()) layout.value = answer
    } catch (error) {
      if (wanted()) session.report(error)
    }
  }

  return { layout, ask }
})
