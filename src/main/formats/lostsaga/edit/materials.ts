/** What Lost Saga says of a material of the scene: the lines of its block in the material script. */
import { materialAt } from '../../address.ts'
import type { MaterialEditor } from '../../editing.ts'

export const materials: MaterialEditor = {
  places(model, material) {
    const { ref, path } = materialAt(model, material).source
    return path ? [{ ref, path }] : []
  },
}
