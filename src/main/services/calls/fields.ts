/** Fields of files by their paths. */
import { withIn } from './checks.ts'
import { fieldOf, fieldStep, materialFields } from '../field-steps.ts'
import type { CallContext, HandlersOf } from './context.ts'

export function fieldCalls({ workspace, edit }: CallContext): HandlersOf<'fields'> {
  return {
    'fields.get': ({ model, ref, path }) => fieldOf(workspace.model(model), ref, path),
    'fields.ofMaterial': ({ model, material }) => {
      const open = workspace.model(model)
      withIn(open.assembled.scene.materials, material, 'material')
      return materialFields(open, material)
    },
    'fields.set': ({ model, ref, values, ...step }) => {
      const { label, body } = fieldStep(workspace.model(model), ref, values)
      return edit(model, label, body, step)
    },
  }
}
