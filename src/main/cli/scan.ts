/** `marrow scan`: the library's index from the command line, with the library's own code. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { Library, libraryId } from '../library/library.ts'
import { failureText } from './output.ts'
import type { ScanProgress, ScanReport } from '../../shared/api/types.ts'

export interface ScanCommandOptions {
  db?: string
  signal: AbortSignal
  onProgress: (progress: ScanProgress) => void
  registryModule?: string
}

export async function scan(root: string, options: ScanCommandOptions): Promise<ScanReport> {
  const library = Library.open(root, options.db ?? defaultDatabase(root), { registryModule: options.registryModule })
  try {
    return await library.scan({ signal: options.signal, onProgress: options.onProgress })
  } finally {
    library.close()
  }
}

/** One index per folder where the system keeps what can be made again. */
function defaultDatabase(root: string): string {
  const caches =
    process.env.XDG_CACHE_HOME ??
    (process.platform === 'win32' ? (process.env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local')) : process.platform === 'darwin' ? join(homedir(), 'Library', 'Caches') : join(homedir(), '.cache'))
  return join(caches, 'marrow', `${libraryId(root)}.sqlite`)
}

export function scanText(report: ScanReport): string {
  const { files, recognised, models, bones, meshes, slices, weights, textures, errors, seconds } = report
  const lines = errors.map(failureText)
  lines.push(`${files} files, ${recognised} recognised: ${models} models, ${bones} bones, ${meshes} meshes, ${slices} slices, ${weights} weights, ${textures} textures; ${errors.length} errors; ${seconds.toFixed(2)} s`)
  return `${lines.join('\n')}\n`
}
