/** `marrow export`: every model that a path means, as glTF or PNG. */
import { join, resolve } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { exportScene } from '../interchange/export-model.ts'
import { safeName } from '../interchange/file-names.ts'
import { findModels } from './models.ts'
import { failureOf } from './output.ts'
import type { FileStore } from '../files/store.ts'
import type { Failure } from './output.ts'

export interface ExportReport {
  /** all files that were written */
  files: string[]
  /** `left`: what the form has no place for, in words */
  models: { model: string; name: string; files: string[]; left: string[] }[]
  failures: Failure[]
}

export interface ExportOptions {
  to: 'gltf' | 'glb' | 'png'
  folder: string
  tickRate: number
  overwrite: boolean
  signal: AbortSignal
  onProgress: (done: number, current: string) => void
}

/** One model that fails does not keep the others from being written. @throws FormatError not-found, cancelled */
export async function exportModels(store: FileStore, path: string, options: ExportOptions): Promise<ExportReport> {
  const { to, folder, tickRate, overwrite, signal, onProgress } = options
  const report: ExportReport = { files: [], models: [], failures: [] }
  const found = findModels(store, path)
  if (found.length === 0) throw new FormatError('not-found', 'there is no model here', { file: path })
  const taken = new Set<string>()
  for (const { family, binding, around } of found) {
    if (signal.aborted) throw new FormatError('cancelled', `stopped after ${report.models.length} models`, { file: path })
    onProgress(report.models.length, binding.primary)
    try {
      const { scene } = family.assemble(binding, (ref) => around.document(ref), {})
      const name = freeName(safeName(binding.name), taken)
      // textures are called by their own names, which models may share
      const target = to === 'png' && found.length > 1 ? join(folder, name) : folder
      const { files, left } = await exportScene(scene, { to, folder: resolve(target), name, tickRate, overwrite })
      report.models.push({ model: binding.primary, name, files, left })
      report.files.push(...files)
    } catch (error) {
      report.failures.push(failureOf(error, binding.primary))
    }
  }
  return report
}

/** Models of several folders may have one name. */
function freeName(name: string, taken: Set<string>): string {
  let free = name
  for (let n = 2; taken.has(free.toLowerCase()); n++) free = `${name}-${n}`
  taken.add(free.toLowerCase())
  return free
}

export function exportText(report: ExportReport): string {
  const lines = report.models.flatMap(({ model, files, left }) => [...files.map((file) => `${model} -> ${file}`), ...left.map((what) => `  left out: ${what}`)])
  lines.push(`${report.models.length} models, ${report.files.length} files written`)
  return `${lines.join('\n')}\n`
}
