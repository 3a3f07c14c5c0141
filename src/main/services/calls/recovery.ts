/** Edits that a run before left in its journals. */
import type { CallContext, HandlersOf } from './context.ts'

export function recoveryCalls({ workspace, models, openLibrary }: CallContext): HandlersOf<'recovery'> {
  return {
    'recovery.list': () => workspace.recoverable(),
    'recovery.restore': async ({ id }) => {
      const { primary, library } = await workspace.recoveryHeader(id)
      if (library) await openLibrary(library)
      const model = models.open(primary)
      await workspace.recover(id, model)
      return models.opened(model)
    },
    'recovery.discard': async ({ id }) => {
      await workspace.discardRecovery(id)
      return null
    },
  }
}
