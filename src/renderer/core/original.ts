/** The shown model as its files were before they were first saved: read once something wants it, and again where the model gets other files. */
import { defineStore } from 'pinia'
import { computed, markRaw, reactive, shallowRef, watch } from 'vue'
import type { Scene } from '../../shared/scene/types.ts'
import { latestAnswer } from './latest.ts'
import { useModels } from './models.ts'
import { useSession } from './session.ts'

/** What is shown of it: the second picture, what differs in motion. */
type Asker = 'picture' | 'check'

export const useOriginal = defineStore('original', () => {
  const session = useSession()
  const models = useModels()
  const wanting = reactive(new Set<Asker>())
  const scene = shallowRef<Scene | null>(null)
  const ask = latestAnswer()

  /** What the original is made of: its bytes do not change while the model is open. */
  const parts = computed(() => {
    const info = models.active?.info
    if (!wanting.size || !info) return ''
    return JSON.stringify([info.id, info.files.map((file) => file.ref), info.options])
  })
  watch(
    parts,
    async () => {
      const latest = ask()
      scene.value = null
      if (!parts.value) return
      try {
        const made = await session.call('model.original', { model: models.activeId })
        if (latest()) scene.value = markRaw(made)
      } catch (error) {
        if (latest()) session.report(error)
      }
    },
    { immediate: true },
  )

  function want(who: Asker, on: boolean): void {
    if (on) wanting.add(who)
    else wanting.delete(who)
  }

  return { scene, want }
})
