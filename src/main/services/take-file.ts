/** A glTF onto an open model as one step, for calls and for links; other windows are told. */
import type { ImportReport } from '../../shared/api/types/import.ts'
import type { GltfFile } from '../interchange/gltf-reader.ts'
import type { ImportWishes } from '../interchange/import-file.ts'
import type { Pause } from '../../shared/stepwise.ts'
import type { OpenModel } from '../workspace/open-model.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { AppState } from './state.ts'
import { say } from '../../shared/texts/say.ts'

export type TakeFile = (
  model: OpenModel,
  file: { name: string; bytes: Uint8Array },
  wishes: ImportWishes & { replaces?: string },
  pause?: Pause,
) => Promise<{ report: ImportReport; file: GltfFile }>

/** @param announce tells the windows of a model that changed */
export function fileTaker(workspace: Workspace, state: AppState, announce: (model: OpenModel) => void): TakeFile {
  return async (model, { name, bytes }, { replaces, ...wishes }, pause) => {
    // loaded when it is needed, as for exports
    const [{ readGltf }, { nodesOf }, { importFile }] = await Promise.all([
      import('../interchange/gltf-reader.ts'),
      import('../interchange/import-animation.ts'),
      import('../interchange/import-file.ts'),
    ])
    const file = await readGltf(bytes, name, { meshes: wishes.weights })
    // the first edit takes the place of the step, those after it join it
    let first = replaces
    const { report, changed } = await importFile(
      {
        editor: model.family.editor,
        model,
        edit: async (body, gesture) => {
          const step = first === undefined ? { gesture } : { replaces: first }
          first = undefined
          return workspace.edit(model.id, say('steps.import', { file: name }), body, step)
        },
        undo: () => workspace.undo(model.id),
        pause,
      },
      file,
      // as in exports, the model's own choice says how long a tick is
      wishes,
    )
    if (changed) announce(model)
    if (wishes.map) state.setJointMap(nodesOf(file.animations), model.assembled.scene.skeleton.names, wishes.map)
    return { report, file }
  }
}
