/** Joints: their fields, places, names and parents. */
import { FormatError } from '../../binary/format-error.ts'
import { can, withIn } from './checks.ts'
import type { CallContext, HandlersOf } from './context.ts'
import { say } from '../../../shared/texts/say.ts'

export function skeletonCalls({ libraries, workspace, edit, editorOf }: CallContext): HandlersOf<'skeleton'> {
  return {
    'skeleton.fields': ({ model, joint }) => {
      const open = workspace.model(model)
      withIn(open.assembled.scene.skeleton.names, joint, 'joint')
      const skeleton = open.family.editor.skeleton
      const { primary } = open.binding
      const others = (ref: string): number =>
        libraries
          .checkRef(ref)
          .library.index.modelOf(ref)
          .filter((m) => m.primary !== primary).length
      return {
        fields: skeleton?.fields(open, joint) ?? [],
        references: skeleton?.references(open, joint) ?? [],
        namedBy: skeleton?.namedBy?.(open, joint).map((ref) => ({ ref, others: others(ref) })) ?? [],
      }
    },
    'skeleton.setField': ({ model, joint, key, value, keepSkin, ...step }) =>
      edit(
        model,
        say('steps.change', { what: key }),
        (session) =>
          can(editorOf(model, 'skeleton').setField, 'changeJoints').call(editorOf(model, 'skeleton'), session, joint, key, value, {
            keepSkin: keepSkin === true,
          }),
        step,
      ),
    'skeleton.place': ({ model, joint, translation, rotation, keepSkin, ...step }) => {
      const { names } = workspace.model(model).assembled.scene.skeleton
      withIn(names, joint, 'joint')
      if (rotation && Math.abs(Math.hypot(...rotation) - 1) > 1e-3) throw new FormatError('invalid-argument', say('calls.quaternion'))
      const what = rotation ? say('steps.turnAtRest', { name: names[joint] }) : say('steps.moveAtRest', { name: names[joint] })
      return edit(
        model,
        what,
        (session) =>
          can(editorOf(model, 'skeleton').place, 'moveJoints').call(
            editorOf(model, 'skeleton'),
            session,
            joint,
            { translation, rotation },
            { keepSkin: keepSkin === true },
          ),
        step,
      )
    },
    'skeleton.rename': ({ model, joint, name, follow }) =>
      edit(model, say('steps.renameTo', { name }), (session) =>
        can(editorOf(model, 'skeleton').rename, 'renameJoints').call(editorOf(model, 'skeleton'), session, joint, name, follow === true),
      ),
    'skeleton.reparent': ({ model, joint, parent }) =>
      edit(model, say('steps.changeParent'), (session) =>
        can(editorOf(model, 'skeleton').reparent, 'changeParents').call(editorOf(model, 'skeleton'), session, joint, parent),
      ),
  }
}
