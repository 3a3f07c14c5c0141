/** The game under a mod folder, which may be updated. */
import { relative, sep } from 'node:path'
import { baseName } from '../../../shared/ref.ts'
import type { CallContext, HandlersOf } from './context.ts'

export function modCalls({ libraries, workspace, announce, result }: CallContext): HandlersOf<'mod'> {
  return {
    'mod.updates': ({ library }) => {
      const { root } = libraries.get(library)
      return workspace.gameUpdates(root).map(({ base, sizeNow }) => ({
        ref: base.ref,
        name: baseName(base.ref),
        where: relative(root, base.ref).split(sep).join('/'),
        target: base.target,
        sizeThen: base.size,
        sizeNow,
      }))
    },
    'mod.compare': ({ model, ref }) => {
      const { game, mine, conflicts } = workspace.compareGame(model, workspace.model(model).member(ref))
      return { game, mine, conflicts }
    },
    'mod.rebase': async ({ model, ref, conflicts }) => {
      const open = workspace.model(model)
      await workspace.rebase(model, open.member(ref), conflicts)
      announce(open)
      return result(open)
    },
    'mod.keep': async ({ library, refs }) => {
      await workspace.keepMod(libraries.get(library).root, refs)
      return null
    },
  }
}
