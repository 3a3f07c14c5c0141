/** Parts of meshes by material. */
import { withIn } from './checks.ts'
import type { CallContext, HandlersOf } from './context.ts'
import { say } from '../../../shared/texts/say.ts'

export function submeshCalls({ workspace, edit, editorOf }: CallContext): HandlersOf<'submeshes'> {
  return {
    'submeshes.list': ({ model, mesh }) => {
      withIn(workspace.model(model).assembled.scene.meshes, mesh, 'mesh')
      return workspace.model(model).family.editor.submeshes?.list(workspace.model(model), mesh) ?? []
    },
    'submeshes.set': ({ model, mesh, submesh, key, value }) => {
      const { meshes } = workspace.model(model).assembled.scene
      withIn(meshes, mesh, 'mesh')
      withIn(meshes[mesh].groups, submesh, 'submesh')
      return edit(model, say('steps.changeSubmesh', { field: key, number: submesh + 1 }), (session) =>
        editorOf(model, 'submeshes').set(session, mesh, submesh, key, value),
      )
    },
  }
}
