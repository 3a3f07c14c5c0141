/** glTF files onto models. */
import { baseName } from '../../../shared/ref.ts'
import { FormatError } from '../../binary/format-error.ts'
import { ModelPreview } from '../../workspace/model-preview.ts'
import { pausing } from '../pausing.ts'
import type { AnimationPlace, ImportReport } from '../../../shared/api/types/import.ts'
import type { CallContext, HandlersOf } from './context.ts'

/** What is said where no animation has a place: the user gives it one. */
function unplaced(places: readonly AnimationPlace[], { message }: Error): ImportReport {
  return {
    imported: [],
    unmatched: [],
    unused: places.map(({ animation }) => animation),
    assumed: [],
    rest: { turned: 0, degrees: 0, moved: [] },
    left: [message],
  }
}

export function importCalls({ state, workspace, result, takeFile, emit }: CallContext): HandlersOf<'import'> {
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
    'import.preview': async ({ model, name, bytes, ...wishes }, { signal }) => {
      const open = workspace.model(model)
      const [{ readGltf }, { importFile }, { placesOf, UNPLACED }] = await Promise.all([
        import('../../interchange/gltf-reader.ts'),
        import('../../interchange/import-file.ts'),
        import('../../interchange/import-names.ts'),
      ])
      const file = await readGltf(bytes, name, { meshes: wishes.weights })
      signal.throwIfAborted()
      const preview = new ModelPreview(open)
      const places = placesOf(preview.assembled.scene, file, wishes)
      const { report } = await importFile(
        {
          editor: open.family.editor,
          model: preview,
          edit: (body) => {
            signal.throwIfAborted()
            return Promise.resolve(preview.edit(body))
          },
          undo: () => Promise.resolve(),
          pause: pausing(signal, (share) => emit('import.progress', { model, share })),
        },
        file,
        wishes,
      ).catch((error: unknown) => {
        if (error instanceof FormatError && error.path === UNPLACED) return { report: unplaced(places, error) }
        throw error
      })
      return { ...preview.update(), report, places }
    },
    'import.animation': async ({ model, name, bytes, ...wishes }, { signal }) => {
      const open = workspace.model(model)
      const pause = pausing(signal, (share) => emit('import.progress', { model, share }))
      // the state before a step that is replaced is there for no longer than others have to wait
      const { report } = await takeFile(open, { name: baseName(name), bytes }, wishes, wishes.replaces === undefined ? pause : undefined)
      return { ...result(open), report }
    },
  }
}
