/** `marrow patch`: a mod as a zip of what changed, and a mod folder from such a zip. */
import { basename, resolve } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { isInside, realPath } from '../files/store.ts'
import { ChangeLinks, changedTogether } from '../workspace/change-links.ts'
import { buildPatch } from '../workspace/build-mod.ts'
import { changedInModFolder, changedInPlace } from '../workspace/changed-files.ts'
import { exportPatch, readPatch } from '../workspace/mod-package.ts'
import { Originals } from '../workspace/originals.ts'
import { commandState } from './state.ts'
import type { PatchBuild } from '../../shared/api/types.ts'
import type { FileStore } from '../files/store.ts'

export interface PatchExportReport {
  file: string
  bytes: number
  files: { path: string; member: string; size: number; originalSize: number }[]
  /** files that were changed together with some of these and stand outside of the folder: they are not in the patch */
  outside: string[]
}

/** What differs below `root` from the kept originals, or in a mod folder from the game. */
export async function patchExport(
  store: FileStore,
  root: string,
  options: { out: string; mod?: string; name?: string; force: boolean; stateFolder: string; version: string },
): Promise<PatchExportReport> {
  const real = realPath(root)
  if (!store.isFolder(real)) throw new FormatError('invalid-argument', `${root} is not a folder`, { file: root })
  const state = commandState(options.stateFolder)
  const pairs =
    options.mod !== undefined ? await changedInModFolder(real, realPath(options.mod)) : await changedInPlace(real, new Originals(state))
  const changed = pairs.map(({ path }) => resolve(real, path))
  const outside = changedTogether(changed, new ChangeLinks(state).groups()).filter((ref) => !isInside(real, ref) && !changed.includes(ref))
  const { manifest, bytes } = await exportPatch(store, pairs, {
    name: options.name ?? basename(options.mod ?? real),
    madeWith: options.version,
    file: options.out,
    overwrite: options.force,
  })
  return {
    file: resolve(options.out),
    bytes,
    files: manifest.files.map(({ path, member, now, original }) => ({
      path,
      member: member ?? '',
      size: now.size,
      originalSize: original?.size ?? 0,
    })),
    outside,
  }
}

export function patchBuild(
  store: FileStore,
  zip: string,
  options: { game: string; out: string; force: boolean; replaceReadOnly?: boolean; signal: AbortSignal },
): Promise<PatchBuild> {
  return buildPatch(store, readPatch(store.read(zip), zip), {
    root: options.game,
    folder: resolve(options.out),
    force: options.force,
    replaceReadOnly: options.replaceReadOnly,
    signal: options.signal,
  })
}

export function patchExportText({ file, bytes, files, outside }: PatchExportReport): string {
  const lines = files.map(
    ({ path, member, size, originalSize }) => `${path}${member ? `!${member}` : ''}  ${originalSize} -> ${size} bytes`,
  )
  lines.push(`${files.length} files in ${file}, ${bytes} bytes`)
  if (outside.length > 0)
    lines.push(`not in it, since they stand outside of the folder, though changed together with these: ${outside.join(', ')}`)
  return `${lines.join('\n')}\n`
}

export function patchBuildText(build: PatchBuild): string {
  const lines: string[] = []
  for (const { path, member, state, written, detail, changes } of build.files) {
    lines.push(
      `${written ? 'written' : 'left   '}  ${path}${member ? `!${member}` : ''}${state === 'same' && !detail ? '' : `  ${state}: ${detail}`}`,
    )
    for (const change of changes?.changes.slice(0, 20) ?? []) lines.push(`    ${change.path}: ${change.before} -> ${change.after}`)
    if (changes && changes.changes.length + changes.omitted > 20)
      lines.push(`    and ${changes.changes.length + changes.omitted - 20} more`)
  }
  lines.push(`${build.written} files written to ${build.folder}`)
  return `${lines.join('\n')}\n`
}
