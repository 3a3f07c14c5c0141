/** Saving, and originals brought back. */
import type { CallContext, HandlersOf } from './context.ts'

export function saveCalls({ workspace, models, pictures, announce }: CallContext): HandlersOf<'save'> {
  return {
    'save.plan': ({ model }) => workspace.plan(model),
    'save.write': async ({ model, ...leave }) => {
      const done = await workspace.save(model, leave)
      if (done.saved.length > 0) pictures.forget(workspace.model(model).binding.primary)
      return done
    },
    'save.originals': ({ model }) => workspace.keptOriginals(model),
    'save.restore': async ({ model, ref, replaceReadOnly }) => {
      const open = workspace.model(model)
      await workspace.restore(model, open.member(ref), { replaceReadOnly })
      announce(open)
      return models.opened(open)
    },
  }
}
