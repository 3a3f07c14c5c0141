/** Animations of glTF files onto a model. */
import { baseName } from '../../../shared/ref.ts'
import type { CallContext, HandlersOf } from './context.ts'
import { say } from '../../../shared/texts/say.ts'

export function importCalls({ state, workspace, announce, result, editorOf }: CallContext): HandlersOf<'import'> {
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
    'import.animation': async ({ model, name, bytes, animation, clip, slice, map, timing, tolerance }) => {
      const open = workspace.model(model)
      const editor = editorOf(model, 'clips')
      // loaded when it is needed, as for exports
      const [{ readGltf }, { importAnimations, nodesOf }, { measureImport }] = await Promise.all([
        import('../../interchange/gltf-reader.ts'),
        import('../../interchange/import-animation.ts'),
        import('../../interchange/import-measure.ts'),
      ])
      const file = await readGltf(bytes, name)
      let done: ReturnType<typeof importAnimations> | undefined
      const changed = await workspace.edit(model, say('steps.import', { file: baseName(name) }), (session) => {
        // as in exports, the model's own choice says how long a tick is
        done = importAnimations(session, editor, file, { animation, clip, slice, map, timing, tolerance })
      })
      if (changed) announce(open)
      if (map) state.setJointMap(nodesOf(file.animations), open.assembled.scene.skeleton.names, map)
      measureImport(open.assembled.scene, done!)
      return { ...result(open), report: done!.report }
    },
  }
}
