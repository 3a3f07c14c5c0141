/** What moves in the pane beside the list. The pane comes and goes with its page; the picture of it is kept, and stands in the pane's place while there is one. */
import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { Scene } from '../../../shared/scene/types.ts'
import { useModels } from '../../core/models.ts'
import { useSceneLoop } from '../../core/scene-loop.ts'

/** A scene, and the reference of the row that it is of. */
interface Previewed {
  readonly ref: string
  readonly scene: Scene
}

export const useLibraryPreview = defineStore('libraryPreview', () => {
  const models = useModels()
  const scene = shallowRef<Scene | null>(null)
  const of = ref('')
  /** where the pane has room for the picture */
  const place = shallowRef<HTMLElement | null>(null)
  /** the pane's page is the one that is shown */
  const shown = ref(false)
  // a model that is opened needs the machine for itself
  const { time, paused, moves } = useSceneLoop(scene, () => models.opening !== '' || !shown.value)

  function show(next: Previewed | null): void {
    of.value = next?.ref ?? ''
    scene.value = next?.scene ?? null
  }

  return { scene, of, place, shown, time, paused, moves, show }
})
