/** Weights of skins. */
import { FormatError } from '../../binary/format-error.ts'
import { previewEdit } from '../../workspace/preview.ts'
import type { CallContext, HandlersOf } from './context.ts'
import { say } from '../../../shared/texts/say.ts'

export function weightCalls({ workspace, edit, editorOf }: CallContext): HandlersOf<'weights'> {
  /** An id names a file and what is in it: one of another model would be read as what it is not. @throws FormatError invalid-argument */
  const weightsOf = (model: string, id: string) => {
    const editor = editorOf(model, 'weights')
    if (!editor.list(workspace.model(model)).some((known) => known.id === id))
      throw new FormatError('invalid-argument', say('calls.noWeights'), { path: id })
    return editor
  }

  return {
    'weights.list': ({ model }) => workspace.model(model).family.editor.weights?.list(workspace.model(model)) ?? [],
    'weights.read': ({ model, id }) => weightsOf(model, id).read(workspace.model(model), id),
    'weights.write': ({ model, label, edit: change, ...step }) => {
      checkRows(change)
      weightsOf(model, change.id)
      return edit(model, label, (session) => editorOf(model, 'weights').write(session, change), step)
    },
    'weights.preview': ({ model, edit: change }) => {
      checkRows(change)
      weightsOf(model, change.id)
      return previewEdit(workspace.model(model), (session) => editorOf(model, 'weights').write(session, change))
    },
  }
}

/** Rows of weights must fit each other before an editor walks them. */
function checkRows(edit: { vertices: Uint32Array; offsets: Uint32Array; bone: Uint16Array; weight: Float32Array }): void {
  const { vertices, offsets, bone, weight } = edit
  const fits =
    offsets.length === vertices.length + 1 &&
    offsets[0] === 0 &&
    offsets[vertices.length] === bone.length &&
    bone.length === weight.length &&
    offsets.every((at, i) => i === 0 || at >= offsets[i - 1])
  if (!fits) throw new FormatError('invalid-argument', say('calls.weightsRows'))
}
