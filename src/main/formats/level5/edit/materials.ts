/** What Level-5 says of a material of the scene: its block in the mesh, and the name of its node, whose letters are blending and tests. */
import { materialAt, stepsOf } from '../../address.ts'
import type { MaterialEditor } from '../../editing.ts'

export const materials: MaterialEditor = {
  places(model, material) {
    const { ref, path } = materialAt(model, material).source
    const [node] = stepsOf(path)
    return node?.name === 'nodes'
      ? [
          { ref, path },
          { ref, path: `nodes[${node.number}].name` },
        ]
      : []
  },
}
