/** Models: opened, bound, read again, and what is in their files. */
import { FormatError } from '../../binary/format-error.ts'
import { fixAll } from '../../formats/fix-all.ts'
import { lintModelOf, sameAs } from '../judge.ts'
import type { ByteSource } from '../../formats/archive.ts'
import type { ErrorData } from '../../../shared/api/errors.ts'
import type { FileChanges } from '../../../shared/api/types/changes.ts'
import type { StructureNode } from '../../../shared/api/types/structure.ts'
import type { CallContext, HandlersOf } from './context.ts'
import type { Scene } from '../../../shared/scene/types.ts'
import { say } from '../../../shared/texts/say.ts'

export function modelCalls(context: CallContext): HandlersOf<'model'> {
  const { libraries, store, workspace, models, given, diskWatch, links, announce, edit } = context
  return {
    'model.open': async ({ ref, library }) => {
      if (library !== undefined) libraries.get(library)
      const model = models.open(ref)
      await diskWatch.lookElsewhere()
      return models.opened(model)
    },
    'model.prepare': ({ ref }) => {
      models.prepare(ref)
      return null
    },
    'model.close': async ({ model, discard }) => {
      links.stop(model)
      await workspace.close(model, { discard })
      return null
    },
    'model.list': () => workspace.list().map((model) => models.info(model)),
    'model.scene': ({ model, clip }) => models.opened(workspace.model(model), clip),
    'model.clip': ({ model, clip }) => models.clip(workspace.model(model), clip),
    'model.original': ({ model }) => workspace.originalScene(model),
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
    'model.problems': ({ model, onlyNew }) =>
      onlyNew ? models.newProblems(workspace.model(model)) : models.problems(workspace.model(model)),
    'model.fix': async ({ model, problem, fix }) => {
      const problems = await models.problems(workspace.model(model))
      const found = problems.find((p) => p.ref === problem.ref && p.code === problem.code && p.path === problem.path)
      const offered = found?.fixes?.find((f) => f.id === fix)
      const apply = workspace.model(model).family.fixes?.[fix]
      if (!found || !offered || !apply) throw new FormatError('not-found', say('calls.problemGone'), { file: problem.ref })
      return edit(model, offered.label, (session) => apply(session.edit(problem.ref), found))
    },
    'model.fixAll': async ({ model, code, fix, onlyNew }) => {
      const open = workspace.model(model)
      const fresh = onlyNew ? await models.newProblems(open) : undefined
      const same = (fresh ?? (await models.problems(open))).filter((p) => p.code === code && p.fixes?.some((f) => f.id === fix))
      if (same.length === 0) throw new FormatError('not-found', say('calls.problemGone'))
      const refs = [...new Set(same.map((p) => p.ref))]
      const { label } = same[0].fixes!.find((f) => f.id === fix)!
      const keys = fresh && new Set(same.map(sameAs))
      return edit(model, label, (session) => {
        for (const ref of refs)
          fixAll(open.family, session.edit(ref), lintModelOf(open), code, fix, keys && ((found) => keys.has(sameAs(found))))
      })
    },
    'model.rules': ({ model }) => workspace.model(model).family.rules?.() ?? [],
    'model.structure': ({ model, ref }) => {
      const open = workspace.model(model)
      const { file, error } = open.entry(open.member(ref))
      return file ? file.format.describe(file.document) : unreadable(store.source(ref), error)
    },
    'model.bytes': async ({ model, ref, start, length, original }) => {
      const open = workspace.model(model)
      if (!open.entry(open.member(ref)).file) {
        const source = store.source(ref)
        const from = Math.min(start, source.size)
        return source.read(from, Math.min(length, source.size - from))
      }
      const bytes = await workspace.bytes(model, ref, original)
      return bytes.slice(Math.min(start, bytes.length), Math.min(start + length, bytes.length))
    },
    'model.changes': async ({ model, ref, within }) => {
      const files = await workspace.changes(model, { ref, within })
      nameBones(files, workspace.model(model).assembled.scene)
      return files
    },
  }
}

/** Says of tracks that changed which bone they move: a window does not have the tracks of all clips. */
function nameBones(files: readonly FileChanges[], { clips, skeleton }: Scene): void {
  const nodes = new Map(files.map(({ ref, nodes }) => [ref, new Map(nodes.map((node) => [node.path, node]))]))
  for (const { target, source } of clips.flatMap(({ tracks }) => tracks)) {
    const node = target.kind === 'joint' ? nodes.get(source.ref)?.get(source.path) : undefined
    if (node) node.bone = skeleton.names[target.index]
  }
}

/** Bytes around the place of an error that are marked. */
const MARKED = 16

/** A file that no codec could read: its bytes, and the place where reading ended. */
function unreadable({ size }: ByteSource, error: ErrorData): StructureNode {
  const at = Math.min(error.offset, size)
  return {
    name: '',
    type: error.code,
    summary: error.message,
    start: 0,
    end: size,
    opaque: true,
    fields:
      at >= 0 && at < size
        ? [{ name: error.path || 'error', type: 'bytes', start: at, size: Math.min(MARKED, size - at), value: error.message }]
        : [],
    children: [],
  }
}
