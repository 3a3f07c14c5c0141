/** Steps taken back and again, and parts put back as they were in the original. */
import { FormatError } from '../../binary/format-error.ts'
import type { CallContext, HandlersOf } from './context.ts'
import { say } from '../../../shared/texts/say.ts'

export function historyCalls({ workspace, models, announce, result }: CallContext): HandlersOf<'history' | 'changes'> {
  return {
    'history.undo': async ({ model }) => {
      await workspace.undo(model)
      announce(workspace.model(model))
      return result(workspace.model(model))
    },
    'history.redo': async ({ model }) => {
      await workspace.redo(model)
      announce(workspace.model(model))
      return result(workspace.model(model))
    },
    'history.list': ({ model }) => models.info(workspace.model(model)).history,
    'changes.restore': async ({ model, ref, part, revision }) => {
      const open = workspace.model(model)
      if (revision !== undefined && revision !== open.revision)
        throw new FormatError('invalid-edit', say('calls.listOutdated'), { file: ref })
      if (await workspace.restorePart(model, open.member(ref), part)) announce(open)
      return result(open)
    },
  }
}
