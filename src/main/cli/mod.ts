/** `marrow mod ...`: how a mod folder holds what a mod changed, and a folder to try it in. */
import { resolve } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { realPlace } from '../files/real-place.ts'
import { realPath } from '../files/store.ts'
import type { FileStore } from '../files/store.ts'
import { changedInModFolder, changedInPlace } from '../workspace/changed-files.ts'
import { Originals } from '../workspace/originals.ts'
import { TestFolders } from '../workspace/test-folder.ts'
import type { TestFolderReport } from '../../shared/api/types/mod.ts'
import type { CommandModels } from './models.ts'
import { commandState } from './state.ts'
import { say } from '../../shared/texts/say.ts'

export interface ModLayoutReport {
  folder: string
  layout: 'archives' | 'loose'
  /** what the games need to take files in place of members */
  needs: { family: string; needs: string }[]
}

/** @param as how the mod is held from now on; as it was where it is not given */
export function modLayout({ state, store }: CommandModels, given: string, as?: 'archives' | 'loose'): ModLayoutReport {
  const folder = realPlace(resolve(given))
  if (as !== undefined) state.setMod(folder, { loose: as === 'loose' })
  return {
    folder,
    layout: state.mod(folder).loose ? 'loose' : 'archives',
    needs: store.registry.families.flatMap(({ label, loose }) => (loose ? { family: label, needs: loose.needs } : [])),
  }
}

export function modLayoutText({ folder, layout, needs }: ModLayoutReport): string {
  const lines = [say(`reports.mod.${layout}`, { folder })]
  if (layout === 'loose') lines.push(...needs.map(({ family, needs: what }) => `  ${family}: ${what}`))
  return `${lines.join('\n')}\n`
}

/** What the game would read of a mod, in a folder of its own: written, or with `dryRun` told. */
export async function modTest(
  store: FileStore,
  root: string,
  { out, mod, dryRun, stateFolder, signal }: { out: string; mod?: string; dryRun: boolean; stateFolder: string; signal: AbortSignal },
): Promise<TestFolderReport> {
  const real = realPath(root)
  if (!store.isFolder(real)) throw new FormatError('invalid-argument', say('files.noFolder', { folder: root }), { file: root })
  const state = commandState(stateFolder)
  const modFolder = mod === undefined ? '' : realPath(mod)
  const pairs = modFolder ? await changedInModFolder(store, real, modFolder) : await changedInPlace(real, new Originals(state))
  const tests = new TestFolders(state)
  const [folder, places] = [resolve(out), { root: real, modFolder }]
  return dryRun ? { ...(await tests.plan(pairs, folder, places)), written: 0, removed: 0 } : tests.write(pairs, folder, places, { signal })
}

export function modTestText({ folder, files, bytes, written, removed }: TestFolderReport): string {
  const lines = files.flatMap(({ path, state, bytes: size }) =>
    state === 'same' ? [] : say(`reports.mod.test.${state}`, { path, size: say('reports.counts.bytes', { n: size }) }),
  )
  const left = files.filter(({ state }) => state === 'new' || state === 'changed').length
  const current = left === 0 && !files.some(({ state }) => state === 'gone')
  if (written + removed > 0) lines.push(say('reports.mod.test.done', { n: written, removed, folder }))
  else if (current) lines.push(say('reports.mod.test.current', { folder }))
  else lines.push(say('reports.mod.test.planned', { n: left, bytes: say('reports.counts.bytes', { n: bytes }), folder }))
  return `${lines.join('\n')}\n`
}
