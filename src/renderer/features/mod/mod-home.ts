/** What the mod is: files that differ from the game, edits that are not saved yet. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import type { ModFile } from '../../../shared/api/types/mod.ts'
import { errorData } from '../../core/errors.ts'
import { useGameUpdates } from '../../core/game-updates.ts'
import { latestAnswer } from '../../core/latest.ts'
import { useLibrary } from '../../core/library.ts'
import { useModels } from '../../core/models.ts'
import { useSession } from '../../core/session.ts'
import { useModCheck } from './mod-check.ts'

export const useModHome = defineStore('modHome', () => {
  const session = useSession()
  const library = useLibrary()
  const models = useModels()
  const updates = useGameUpdates()
  const checks = useModCheck()
  const shown = ref(false)
  const files = shallowRef<ModFile[]>([])
  const loaded = ref(false)
  const failure = ref('')
  const ask = latestAnswer()

  /** Models of all tabs with edits that no save has written. */
  const unsaved = computed(() => models.open.filter(({ info }) => info.dirty))

  /** All changed files, whether they are open or not. */
  function check(): void {
    void checks.run(files.value.length)
  }

  async function load(): Promise<void> {
    const wanted = ask()
    failure.value = ''
    if (!library.info) {
      files.value = []
      loaded.value = true
      return
    }
    try {
      const found = await session.call('mod.files', { library: library.info.id })
      if (!wanted()) return
      files.value = found
      check()
    } catch (error) {
      if (wanted()) failure.value = errorData(error).message
    } finally {
      if (wanted()) loaded.value = true
    }
  }

  // a save changes what is on disk: the models that it wrote are not dirty any more
  watch(
    [
      shown,
      () => library.info?.id,
      () => unsaved.value.map(({ id }) => id).join(),
      () => session.settings.saveMode,
      () => session.settings.modFolder,
    ],
    ([now, id], [before, oldId]) => {
      // nobody waits for what a page that is closed would say
      if (id !== oldId) checks.forget()
      if (!now) return checks.stop()
      if (!before || id !== oldId) loaded.value = false
      void load()
      if (!before) void updates.load()
    },
  )

  return { shown, files, loaded, failure, unsaved, check }
})
