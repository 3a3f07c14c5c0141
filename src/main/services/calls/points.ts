/** Points: dummies, helpers and what else a family places on joints. */
import { FormatError } from '../../binary/format-error.ts'
import { withIn } from './checks.ts'
import type { CallContext, HandlersOf } from './context.ts'
import { say } from '../../../shared/texts/say.ts'

export function pointCalls({ workspace, edit, editorOf }: CallContext): HandlersOf<'points'> {
  /** For labels of steps. @throws FormatError invalid-argument */
  const pointName = (id: string, point: string): string => {
    const open = workspace.model(id)
    const found = editorOf(id, 'points')
      .list(open)
      .points.find((p) => p.id === point)
    if (!found) throw new FormatError('invalid-argument', say('formats.missing.point', { name: point }))
    return open.assembled.scene.helpers[found.helper]?.name || say('steps.aPoint')
  }

  return {
    'points.list': ({ model }) => workspace.model(model).family.editor.points?.list(workspace.model(model)) ?? { points: [], places: [] },
    'points.add': async ({ model, ref, joint, center }) => {
      const open = workspace.model(model)
      open.member(ref)
      if (joint >= 0) withIn(open.assembled.scene.skeleton.names, joint, 'joint')
      let point = ''
      const done = await edit(
        model,
        say('steps.addPoint'),
        (session) => (point = editorOf(model, 'points').add(session, ref, joint, center)),
      )
      return { ...done, point }
    },
    'points.set': ({ model, point, key, value, keepPlace = true, ...step }) =>
      edit(
        model,
        say('steps.changeOf', { field: key, name: pointName(model, point) }),
        (session) => editorOf(model, 'points').set(session, point, key, value, { keepPlace }),
        step,
      ),
    'points.place': ({ model, point, center, ...step }) =>
      edit(
        model,
        say('steps.move', { name: pointName(model, point) }),
        (session) => editorOf(model, 'points').place(session, point, center),
        step,
      ),
    'points.remove': ({ model, point }) =>
      edit(model, say('steps.delete', { name: pointName(model, point) }), (session) => editorOf(model, 'points').remove(session, point)),
    'points.duplicate': async ({ model, point }) => {
      let copy = ''
      const done = await edit(
        model,
        say('steps.duplicate', { name: pointName(model, point) }),
        (session) => (copy = editorOf(model, 'points').duplicate(session, point)),
      )
      return { ...done, point: copy }
    },
  }
}
