/** Models: opened, bound, read again, and what is in their files. */
import { FormatError } from '../../binary/format-error.ts'
import type { CallContext, HandlersOf } from './context.ts'
import { say } from '../../../shared/texts/say.ts'

export function modelCalls({ libraries, workspace, models, given, diskWatch, announce, edit }: CallContext): HandlersOf<'model'> {
  return {
    'model.open': async ({ ref, library }) => {
      if (library !== undefined) libraries.get(library)
      const model = models.open(ref)
      await diskWatch.lookElsewhere()
      return models.opened(model)
    },
    'model.close': async ({ model, discard }) => {
      await workspace.close(model, { discard })
      return null
    },
    'model.list': () => workspace.list().map((model) => models.info(model)),
    'model.scene': ({ model }) => models.opened(workspace.model(model)),
    'model.choose': ({ model, key, value }) => {
      const open = workspace.model(model)
      models.choose(open, key, value)
      announce(open)
      return models.opened(open)
    },
    'model.bind': ({ model, role, ref, remove }) => {
      const open = workspace.model(model)
      if (remove) given.remove(open, { role, ref, remove })
      else models.bind(open, { role, ref, remove: false })
      announce(open)
      return models.opened(open)
    },
    'model.add': ({ model, refs, role }) => {
      const open = workspace.model(model)
      const done = given.add(open, refs, role)
      if (done.added.length > 0) announce(open)
      return { ...done, opened: models.opened(open) }
    },
    'model.disk': ({ model }) => workspace.diskStates(model),
    'model.reload': async ({ model, missing }) => {
      const open = await workspace.reload(model, { missing })
      announce(open)
      return models.opened(open)
    },
    'model.keep': async ({ model }) => {
      const open = await workspace.keepMine(model)
      announce(open)
      return models.opened(open)
    },
    'model.compareDisk': ({ model }) => workspace.compareDisk(model),
    'model.problems': ({ model }) => models.problems(workspace.model(model)),
    'model.fix': ({ model, problem, fix }) => {
      const found = models
        .problems(workspace.model(model))
        .find((p) => p.ref === problem.ref && p.code === problem.code && p.path === problem.path)
      const offered = found?.fixes?.find((f) => f.id === fix)
      const apply = workspace.model(model).family.fixes?.[fix]
      if (!found || !offered || !apply) throw new FormatError('not-found', say('calls.problemGone'), { file: problem.ref })
      return edit(model, offered.label, (session) => apply(session.edit(problem.ref), found))
    },
    'model.structure': ({ model, ref }) => {
      const open = workspace.model(model)
      const file = open.file(open.member(ref))
      return file.format.describe(file.document)
    },
    'model.bytes': async ({ model, ref, start, length, original }) => {
      const bytes = await workspace.bytes(model, workspace.model(model).member(ref), original)
      return bytes.slice(Math.min(start, bytes.length), Math.min(start + length, bytes.length))
    },
    'model.changes': ({ model, ref, within }) => workspace.changes(model, { ref, within }),
  }
}
