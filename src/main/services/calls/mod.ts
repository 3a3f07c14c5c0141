/** The game under a mod folder, which may be updated. */
import { stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { baseName } from '../../../shared/ref.ts'
import { changedFiles } from '../../workspace/changed-files.ts'
import type { CallContext, HandlersOf } from './context.ts'

export function modCalls({ libraries, state, workspace, announce, result }: CallContext): HandlersOf<'mod'> {
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
    'mod.files': async ({ library }) => {
      const { root } = libraries.get(library)
      const changed = await changedFiles(root, state.settings, workspace.originals)
      const files = changed.map(async ({ path, original, now }) => ({
        ref: join(root, path),
        path,
        size: await sizeOf(now),
        originalSize: await sizeOf(original),
      }))
      // one that goes while the others are looked at is none of them
      return (await Promise.all(files)).filter(({ size }) => size >= 0)
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

/** -1 for a file that is not there. */
async function sizeOf(path: string): Promise<number> {
  const found = path ? await stat(path).catch(() => undefined) : undefined
  return found?.size ?? -1
}
