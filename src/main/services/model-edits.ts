/** Edits of open models for the calls: made by the workspace, answered with what changed, and told to every window. */
import { setTimeout as later } from 'node:timers'
import { FormatError } from '../binary/format-error.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Editors, ModelEdits } from './calls/context.ts'
import type { Models } from './models.ts'
import type { Emit } from './service.ts'
import { say } from '../../shared/texts/say.ts'

/** The answer to an edit goes out before its event, so that the window that asked knows the revision already. */
export const EVENT_DELAY = 60

export function modelEdits(workspace: Workspace, models: Models, emit: Emit): ModelEdits {
  const edits: ModelEdits = {
    announce: (model) => {
      later(() => {
        if (workspace.list().includes(model)) emit('model.changed', { info: models.info(model) })
      }, EVENT_DELAY).unref()
    },
    announceAhead: (model) => {
      const made = models.ahead(model)
      if (made) emit('model.ahead', { model: model.id, ...made })
    },
    edit: async (id, label, body, step = {}) => {
      const model = workspace.model(id)
      if (await workspace.edit(id, label, (session) => body(session, model), step)) edits.announce(model)
      return edits.result(model)
    },
    result: (model) => models.edited(model),
    editorOf: (id, part) => {
      const name: keyof Editors = part
      const editor = workspace.model(id).family.editor[part]
      if (!editor) throw new FormatError('unsupported', say(`calls.notEditable.${name}`))
      return editor
    },
  }
  return edits
}
