/** `marrow patch`: a mod as a zip of what changed, and a mod folder from such a zip. */
import { basename, resolve } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { isInside, realPath } from '../files/store.ts'
import { ChangeLinks, changedTogether } from '../workspace/change-links.ts'
import { buildMod } from '../workspace/build-mod.ts'
import { changedInModFolder, changedInPlace } from '../workspace/changed-files.ts'
import { exportModPackage, packageNotes, readModPackage } from '../workspace/mod-package.ts'
import type { ImageWatch } from '../workspace/image-edits.ts'
import { Originals } from '../workspace/originals.ts'
import { commandState } from './state.ts'
import type { ModPackageBuild } from '../../shared/api/types/mod-package.ts'
import type { FileStore } from '../files/store.ts'
import { say } from '../../shared/texts/say.ts'

export interface PatchExportReport {
  file: string
  bytes: number
  files: { path: string; member: string; size: number; originalSize: number }[]
  /** files that were changed together with some of these and stand outside of the folder: they are not in the package */
  outside: string[]
  /** what whoever builds it is to know */
  notes: string[]
}

/** What differs below `root` from the kept originals, or in a mod folder from the game. */
export async function patchExport(
  store: FileStore,
  root: string,
  options: { out: string; mod?: string; name?: string; force: boolean; stateFolder: string; version: string },
): Promise<PatchExportReport> {
  const real = realPath(root)
  if (!store.isFolder(real)) throw new FormatError('invalid-argument', say('files.noFolder', { folder: root }), { file: root })
  const state = commandState(options.stateFolder)
  const pairs =
    options.mod !== undefined
      ? await changedInModFolder(store, real, realPath(options.mod))
      : await changedInPlace(real, new Originals(state))
  const changed = pairs.map(({ path }) => resolve(real, path))
  const outside = changedTogether(changed, new ChangeLinks(state).groups()).filter((ref) => !isInside(real, ref) && !changed.includes(ref))
  const { manifest, bytes } = await exportModPackage(store, pairs, {
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
    notes: packageNotes(manifest),
  }
}

export function patchBuild(
  store: FileStore,
  zip: string,
  options: {
    game: string
    out: string
    loose: boolean
    force: boolean
    replaceReadOnly?: boolean
    stateFolder: string
    watch: ImageWatch
  },
): Promise<ModPackageBuild> {
  return buildMod(store, readModPackage(store.read(zip), zip), {
    root: options.game,
    folder: resolve(options.out),
    loose: options.loose,
    force: options.force,
    replaceReadOnly: options.replaceReadOnly,
    ...options.watch,
    originals: new Originals(commandState(options.stateFolder)),
  })
}

export function patchExportText({ file, bytes, files, outside, notes }: PatchExportReport): string {
  const lines = files.map(
    ({ path, member, size, originalSize }) =>
      `${path}${member ? `!${member}` : ''}  ${say('reports.patch.sizes', { from: originalSize, n: size })}`,
  )
  lines.push(say('reports.patch.files', { n: files.length, file, bytes: say('reports.counts.bytes', { n: bytes }) }))
  if (outside.length > 0) lines.push(say('reports.patch.outside', { files: outside.join(', ') }))
  lines.push(...notes)
  return `${lines.join('\n')}\n`
}

export function patchBuildText(build: ModPackageBuild): string {
  const words = [say('reports.patch.done'), say('reports.patch.left')] as const
  const width = Math.max(...words.map((word) => word.length))
  const done = (written: boolean): string => words[written ? 0 : 1].padEnd(width)
  const lines: string[] = []
  for (const { path, member, state, written, detail, changes } of build.files) {
    lines.push(`${done(written)}  ${path}${member ? `!${member}` : ''}${state === 'same' && !detail ? '' : `  ${state}: ${detail}`}`)
    for (const change of changes?.changes.slice(0, 20) ?? []) lines.push(`    ${change.path}: ${change.before} -> ${change.after}`)
    if (changes && changes.changes.length + changes.omitted > 20)
      lines.push(`    ${say('reports.patch.more', { n: changes.changes.length + changes.omitted - 20 })}`)
  }
  const built = build.files.length > 0 && build.files.every(({ state, written }) => state === 'same' && !written)
  lines.push(
    built
      ? say('reports.patch.builtBefore', { folder: build.folder })
      : say('reports.patch.written', { n: build.written, folder: build.folder }),
  )
  return `${lines.join('\n')}\n`
}
