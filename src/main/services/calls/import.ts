/** Animations of glTF files onto a model. */
import { baseName } from '../../../shared/ref.ts'
import type { CallContext, HandlersOf } from './context.ts'
import { say } from '../../../shared/texts/say.ts'

export function importCalls({ state, workspace, announce, result }: CallContext): HandlersOf<'import'> {
  return {
    'import.inspect': async ({ model, name, bytes }) => {
      const { skeleton } = workspace.model(model).assembled.scene
      const [{ readGltf }, { proposeMap }] = await Promise.all([
        import('../../interchange/gltf-reader.ts'),
        import('../../interchange/import-animation.ts'),
      ])
      const proposed = proposeMap((await readGltf(bytes, name)).animations, skeleton)
      const kept = state.jointMap(
        proposed.map(({ node }) => node),
        skeleton.names,
      )
      return proposed.map((proposal) =>
        Object.hasOwn(kept, proposal.node) ? { node: proposal.node, joint: kept[proposal.node], why: 'kept' as const } : proposal,
      )
    },
    'import.animation': async ({ model, name, bytes, ...wishes }) => {
      const open = workspace.model(model)
      // loaded when it is needed, as for exports
      const [{ readGltf }, { nodesOf }, { importFile }] = await Promise.all([
        import('../../interchange/gltf-reader.ts'),
        import('../../interchange/import-animation.ts'),
        import('../../interchange/import-file.ts'),
      ])
      const file = await readGltf(bytes, name, { meshes: wishes.weights })
      const { report, changed } = await importFile(
        {
          editor: open.family.editor,
          model: open,
          edit: (body, gesture) => workspace.edit(model, say('steps.import', { file: baseName(name) }), body, { gesture }),
          undo: () => workspace.undo(model),
        },
        file,
        // as in exports, the model's own choice says how long a tick is
        wishes,
      )
      if (changed) announce(open)
      if (wishes.map) state.setJointMap(nodesOf(file.animations), open.assembled.scene.skeleton.names, wishes.map)
      return { ...result(open), report }
    },
  }
}
