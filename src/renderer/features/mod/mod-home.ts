/** What the mod is: files that differ from the game, edits that are not saved yet, what was found in them. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import type { ModFile } from '../../../shared/api/types/mod.ts'
import { errorData } from '../../core/errors.ts'
import { useGameUpdates } from '../../core/game-updates.ts'
import { latestAnswer } from '../../core/latest.ts'
import { useLibrary } from '../../core/library.ts'
import { useModels } from '../../core/models.ts'
import { useSession } from '../../core/session.ts'

export const useModHome = defineStore('modHome', () => {
  const session = useSession()
  const library = useLibrary()
  const models = useModels()
  const updates = useGameUpdates()
  const shown = ref(false)
  const files = shallowRef<ModFile[]>([])
  const loaded = ref(false)
  const failure = ref('')
  const ask = latestAnswer()

  /** Models of all tabs with edits that no save has written. */
  const unsaved = computed(() => models.open.filter(({ info }) => info.dirty))

  /** Of models that belong to the mod: with edits, or with a file that differs from the game. */
  const problems = computed(() => {
    const changed = new Set(files.value.map(({ ref }) => ref))
    return models.open
      .filter(({ info }) => info.dirty || info.files.some(({ ref }) => changed.has(ref.split('!')[0])))
      .map((model) => ({
        model,
        errors: model.problems?.filter(({ severity }) => severity === 'error').length ?? 0,
        warnings: model.problems?.filter(({ severity }) => severity === 'warning').length ?? 0,
      }))
      .filter(({ errors, warnings }) => errors + warnings > 0)
  })

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
      if (wanted()) files.value = found
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
      if (!now) return
      if (!before || id !== oldId) loaded.value = false
      void load()
      if (!before) void updates.load()
    },
  )

  return { shown, files, loaded, failure, unsaved, problems, load }
})
