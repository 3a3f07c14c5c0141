/** What RenderWare says of a material of the scene: its chunk with textures and plugins, and the flags of its geometry. */
import { materialAt } from '../../address.ts'
import type { MaterialEditor } from '../../editing.ts'

export const materials: MaterialEditor = {
  places(model, material) {
    const { ref, path } = materialAt(model, material).source
    const at = path.indexOf('.materialList')
    if (at < 0) return path ? [{ ref, path }] : []
    return [
      { ref, path },
      { ref, path: `${path.slice(0, at)}.struct.format` },
    ]
  },
}
