/** `marrow export`: every model that a path means and a filter leaves, as glTF or PNG. */
import { dirname, relative } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { realPath } from '../files/store.ts'
import { exportMany } from '../interchange/export-many.ts'
import { failureOf } from './output.ts'
import type { ExportItem } from '../interchange/export-many.ts'
import type { ExportParts } from '../../shared/api/export-options.ts'
import type { FamilyId } from '../../shared/api/types/family.ts'
import type { LibraryPart } from '../../shared/api/types/library.ts'
import type { CommandModels, FoundModel } from './models.ts'
import type { Failure } from './output.ts'
import { say } from '../../shared/texts/say.ts'

export interface ExportReport {
  /** all files that were written */
  files: string[]
  /** `left`: what the form has no place for, in words */
  models: { model: string; name: string; files: string[]; left: string[] }[]
  /** models whose files were there already and were left as they are */
  skipped: number
  failures: Failure[]
}

export interface ExportFilter {
  /** in the name or the path, without case; all words */
  text?: string
  family?: FamilyId
  /** at least one of each */
  has?: readonly LibraryPart[]
}

export interface ExportOptions {
  to: 'gltf' | 'glb' | 'png'
  folder: string
  parts?: ExportParts
  layout: 'flat' | 'folders'
  existing: 'refuse' | 'skip' | 'replace'
  filter: ExportFilter
  signal: AbortSignal
  onProgress: (done: number, current: string) => void
}

/** One model that fails does not keep the others from being written. @throws FormatError not-found, cancelled */
export async function exportModels(models: CommandModels, path: string, options: ExportOptions): Promise<ExportReport> {
  const { filter, signal, onProgress } = options
  const { store, finder } = models
  const all = finder.all(path)
  const found = all.filter((model) => fits(model, filter))
  if (found.length === 0)
    throw new FormatError(
      'not-found',
      all.length > 0 ? say('commandLine.export.noneFits', { n: all.length }) : say('commandLine.noModel'),
      {
        file: path,
      },
    )
  const root = realPath(store.isFolder(path) ? path : dirname(store.diskFile(path)))
  const items = found.map((model): ExportItem => ({
    name: model.binding.name,
    ref: model.binding.primary,
    where: relative(root, store.folderOf(model.binding.primary)),
    scene: () => finder.assembleSaved(model).scene,
  }))
  const {
    models: exported,
    skipped,
    failures,
    cancelled,
  } = await exportMany(items, {
    ...options,
    // one model has the folder for itself
    ownFolders: found.length > 1,
    cancelled: () => signal.aborted,
    onProgress: (done, { ref }) => onProgress(done, ref),
  })
  if (cancelled) throw new FormatError('cancelled', say('commandLine.export.stopped', { n: exported.length }), { file: path })
  return {
    files: exported.flatMap(({ files }) => files),
    models: exported.map(({ ref, ...model }) => ({ model: ref, ...model })),
    skipped,
    failures: failures.map(({ item, error }) => failureOf(new FormatError(error.code, error.message, error), item.ref)),
  }
}

function fits({ binding, around }: FoundModel, { text, family, has }: ExportFilter): boolean {
  if (family && binding.family !== family) return false
  const place = `${binding.name} ${binding.primary}`.toLowerCase()
  if (
    text &&
    !text
      .toLowerCase()
      .split(/\s+/u)
      .every((word) => place.includes(word))
  )
    return false
  return (has ?? []).every((part) => binding.members.some(({ ref }) => (around.summary(ref)?.[part]?.length ?? 0) > 0))
}

export function exportText(report: ExportReport): string {
  const lines = report.models.flatMap(({ model, files, left }) => [
    ...files.map((file) => `${model} -> ${file}`),
    ...left.map((what) => `  ${say('reports.leftOut', { what })}`),
  ])
  if (report.skipped > 0) lines.push(say('reports.export.skipped', { n: report.skipped }))
  lines.push(say('reports.export.sum', { models: say('reports.counts.models', { n: report.models.length }), n: report.files.length }))
  return `${lines.join('\n')}\n`
}
