/** The game under a mod folder, which may be updated. */
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import { FormatError } from '../../binary/format-error.ts'
import type { ModCheckProgress, TestFolderProgress } from '../../../shared/api/types/mod.ts'
import { baseName } from '../../../shared/ref.ts'
import { say } from '../../../shared/texts/say.ts'
import { changedFiles } from '../../workspace/changed-files.ts'
import { TestFolders } from '../../workspace/test-folder.ts'
import type { CallContext, HandlersOf } from './context.ts'

export function modCalls({
  store,
  libraries,
  state,
  stateFiles,
  workspace,
  runners,
  emit,
  showInFolder,
  announce,
  result,
}: CallContext): HandlersOf<'mod'> {
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
      const changed = await changedFiles(store, root, state.settings, workspace.originals)
      const files = changed.map(async ({ path, original, now, member }) => ({
        ref: member?.ref ?? join(root, path),
        path,
        size: await sizeOf(now),
        originalSize: member ? store.stat(member.ref).size : await sizeOf(original),
      }))
      // one that goes while the others are looked at is none of them
      return (await Promise.all(files)).filter(({ size }) => size >= 0)
    },
    'mod.check': async ({ library }, { signal }) => {
      const { id, root } = libraries.get(library)
      const pairs = await changedFiles(store, root, state.settings, workspace.originals)
      const onProgress = ({ done, total, current }: Omit<ModCheckProgress, 'library'>): void =>
        emit('mod.progress', { library: id, done, total, current })
      // it leaves nothing half done
      return pairs.length === 0 ? [] : runners.checks.run({ kind: 'check', root, pairs }, { signal, patience: 0, onProgress })
    },
    'mod.layout': ({ library, loose }) => {
      const { index } = libraries.get(library)
      const { modFolder } = state.settings
      if (loose !== undefined) {
        if (!modFolder) throw new FormatError('not-found', say('calls.noModFolder'))
        state.setMod(modFolder, { loose })
      }
      const { families } = index.query({ show: 'files', sort: 'name', offset: 0, limit: 1 }).facets
      const needs = families.flatMap(({ value }) => {
        const family = store.registry.familyById(value)
        return family?.loose ? [{ family: family.label, needs: family.loose.needs }] : []
      })
      return { loose: state.mod(modFolder).loose, needs }
    },
    'mod.test': async ({ library, folder, write }, { signal }) => {
      const { id, root } = libraries.get(library)
      if (!isAbsolute(folder)) throw new FormatError('invalid-argument', say('calls.wholeModFolderPath'), { file: folder })
      const pairs = await changedFiles(store, root, state.settings, workspace.originals)
      const places = { root, modFolder: state.settings.saveMode === 'mod-folder' ? state.settings.modFolder : '' }
      const tests = new TestFolders(stateFiles)
      if (!write) return { ...(await tests.plan(pairs, folder, places)), written: 0, removed: 0 }
      const onProgress = (progress: Omit<TestFolderProgress, 'library'>): void => emit('mod.testing', { library: id, ...progress })
      return tests.write(pairs, folder, places, { signal, onProgress })
    },
    'mod.showFolder': () => {
      const { modFolder } = state.settings
      if (!modFolder || !existsSync(modFolder)) throw new FormatError('not-found', say('calls.noModFolder'), { file: modFolder })
      showInFolder?.(modFolder)
      return { shown: showInFolder !== undefined }
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
