/** Files of the open library whose game files were updated since the mod was made from them. */
import { defineStore } from 'pinia'
import { ref, shallowRef, watch } from 'vue'
import type { ModUpdate } from '../../shared/api/types/mod.ts'
import { latestAnswer } from './latest.ts'
import { useLibrary } from './library.ts'
import { useSession } from './session.ts'

export const useGameUpdates = defineStore('gameUpdates', () => {
  const session = useSession()
  const library = useLibrary()
  const files = shallowRef<ModUpdate[]>([])
  const busy = ref(false)
  let listening = false
  const ask = latestAnswer()

  async function load(): Promise<void> {
    const id = library.info?.id
    // with another library or another way to save, what was asked before is not wanted either
    const wanted = ask()
    if (!id || session.settings.saveMode !== 'mod-folder') {
      files.value = []
      return
    }
    if (!listening && session.api) {
      listening = true
      session.api.on('mod.updated', (event) => event.library === library.info?.id && void load())
    }
    try {
      const found = await session.call('mod.updates', { library: id })
      if (wanted()) files.value = found
    } catch (error) {
      if (wanted()) session.report(error)
    }
  }

  /** The mod's files stay, and count as made from the game's of now. */
  async function keep(refs: string[]): Promise<void> {
    if (!library.info || busy.value) return
    busy.value = true
    try {
      await session.call('mod.keep', { library: library.info.id, refs })
      await load()
    } catch (error) {
      session.report(error)
    } finally {
      busy.value = false
    }
  }

  watch([() => library.info?.id, () => session.settings.saveMode, () => session.settings.modFolder], () => void load(), { immediate: true })
  return { files, busy, load, keep }
})
