/** What Lost Saga says of a material of the scene: the lines of its block in the material script. */
import type { MaterialEditor } from '../../editing.ts'

export const materials: MaterialEditor = {
  places(model, material) {
    const { ref, path } = model.assembled.scene.materials[material].source
    return path ? [{ ref, path }] : []
  },
}
