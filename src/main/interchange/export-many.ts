/** Writes many models, one after the other; one that fails is told and keeps none of the others from being written. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { toErrorData } from '../binary/format-error.ts'
import { exportScene } from './export-model.ts'
import { nameKey, safeName } from '../files/file-names.ts'
import { partsOf } from '../../shared/ref.ts'
import type { ErrorData } from '../../shared/api/errors.ts'
import type { ExportParts } from '../../shared/api/export-options.ts'
import type { Scene } from '../../shared/scene/types.ts'

export interface ExportItem {
  name: string
  /** primary file */
  ref: string
  /** folder in the library, separated by / \ or ! */
  where: string
  /** made when its turn comes */
  scene(): Scene
}

export interface ExportManyOptions {
  to: 'gltf' | 'glb' | 'png'
  folder: string
  parts?: ExportParts
  /** `flat`: all in one folder, equal names numbered; `folders`: as they stand in the library */
  layout: 'flat' | 'folders'
  /** glTF with its parts, and textures: each model in a folder of its own, since models may share names of textures; default true */
  ownFolders?: boolean
  /** what happens to a model whose file is there already */
  existing: 'refuse' | 'skip' | 'replace'
  cancelled(): boolean
  /** before each model */
  onProgress?(done: number, item: ExportItem): void
  onFailure?(item: ExportItem, error: ErrorData): void
}

export interface ExportedModel {
  ref: string
  name: string
  files: string[]
  /** what the form has no place for, in words */
  left: string[]
}

export interface ExportManyResult {
  models: ExportedModel[]
  /** models whose files were there already */
  skipped: number
  failures: { item: ExportItem; error: ErrorData }[]
  /** not all models had their turn */
  cancelled: boolean
}

export async function exportMany(items: Iterable<ExportItem>, options: ExportManyOptions): Promise<ExportManyResult> {
  const { to, parts, layout, existing, cancelled } = options
  const result: ExportManyResult = { models: [], skipped: 0, failures: [], cancelled: false }
  const root = resolve(options.folder)
  const taken = new Set<string>()
  let done = 0
  for (const item of items) {
    if (cancelled()) {
      result.cancelled = true
      break
    }
    options.onProgress?.(done++, item)
    try {
      const place = layout === 'folders' ? join(root, ...partsOf(item.where).map(safeName)) : root
      const name = freeName(place, safeName(item.name), taken)
      const folder = to !== 'glb' && options.ownFolders !== false ? join(place, name) : place
      if (existing === 'skip' && existsSync(folder === place ? join(folder, `${name}.${to}`) : folder)) {
        result.skipped++
        continue
      }
      const { files, left } = await exportScene(item.scene(), {
        to,
        folder,
        root,
        name,
        parts,
        overwrite: existing === 'replace',
      })
      result.models.push({ ref: item.ref, name, files, left })
    } catch (thrown) {
      const error = toErrorData(thrown, item.ref)
      result.failures.push({ item, error })
      options.onFailure?.(item, error)
    }
  }
  return result
}

/** Models of several folders may have one name. */
function freeName(folder: string, name: string, taken: Set<string>): string {
  const key = (text: string): string => nameKey(join(folder, text))
  let free = name
  for (let n = 2; taken.has(key(free)); n++) free = `${name}-${n}`
  taken.add(key(free))
  return free
}
