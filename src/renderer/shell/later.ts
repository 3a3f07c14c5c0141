/** Pages that a start does without: their scripts come while the window rests, or when one of them is shown before that. */
import { defineComponent, h, shallowRef, type Component } from 'vue'
import { idle } from '../ui/idle.ts'
import { fetchViewport } from '../viewport/later.ts'
import type * as laterPages from './later-pages.ts'

const pages = shallowRef<typeof laterPages>()

async function fetchPages(): Promise<void> {
  pages.value ??= await import('./later-pages.ts')
}

/** A page that is there at once where its script is, else as soon as that is; where it cannot be had, what draws it fails and says so. */
export const laterPage = (name: keyof typeof laterPages): Component =>
  defineComponent({
    name: `Later${name}`,
    setup() {
      const failure = shallowRef<Error>()
      if (!pages.value) fetchPages().catch((error: Error) => (failure.value = error))
      return () => {
        if (pages.value) return h(pages.value[name])
        if (failure.value) throw failure.value
        return null
      }
    },
  })

/** All that a model's page needs, for one that is on its way. @returns whether it is there; what fails is fetched again by who shows it */
export function fetchForModel(): Promise<boolean> {
  return Promise.all([fetchPages(), fetchViewport()]).then(
    () => true,
    () => false,
  )
}

/** While the window rests, so that no click waits for it. */
export async function fetchWhileIdle(): Promise<boolean> {
  await idle()
  return fetchForModel()
}
