/** Fields of files by their paths. */
import { fieldOf, fieldStep } from '../field-steps.ts'
import type { CallContext, HandlersOf } from './context.ts'

export function fieldCalls({ workspace, edit }: CallContext): HandlersOf<'fields'> {
  return {
    'fields.get': ({ model, ref, path }) => fieldOf(workspace.model(model), ref, path),
    'fields.set': ({ model, ref, values, ...step }) => {
      const { label, body } = fieldStep(workspace.model(model), ref, values)
      return edit(model, label, body, step)
    },
  }
}
