/** Where the camera stands in each open model: it is there again when the model is shown again. */
import { defineStore } from 'pinia'
import { ref } from 'vue'
import type { Orbit } from '../viewport/types.ts'
import { useLayout } from './layout.ts'
import { useModels } from './models.ts'

export const useCameras = defineStore('cameras', () => {
  const models = useModels()
  const layout = useLayout()
  const left = new Map<string, Orbit>()
  /** grows with each move of the camera that is shown */
  const moves = ref(0)

  /** Where it stood when the model was left. */
  const leftAt = (model: string): Orbit | undefined => left.get(model)

  function of(model: string): Orbit | undefined {
    return (model === models.activeId ? layout.viewport?.orbit : undefined) ?? left.get(model)
  }

  function set(model: string, orbit: Orbit): void {
    left.set(model, orbit)
  }

  return { moves, leftAt, of, set }
})
