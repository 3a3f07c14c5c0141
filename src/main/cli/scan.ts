/** `marrow scan`: the library's index from the command line, with the library's own code. */
import { join } from 'node:path'
import { Library, libraryId } from '../library/library.ts'
import { failureText } from './output.ts'
import type { FileStore } from '../files/store.ts'
import type { ScanProgress, ScanReport } from '../../shared/api/types/library.ts'
import { say } from '../../shared/texts/say.ts'

export interface ScanCommandOptions {
  db: string
  signal: AbortSignal
  onProgress: (progress: ScanProgress) => void
  registryModule?: string
}

export async function scan(store: FileStore, root: string, options: ScanCommandOptions): Promise<ScanReport> {
  const library = Library.open(root, options.db, { store, registryModule: options.registryModule })
  try {
    return await library.scan({ signal: options.signal, onProgress: options.onProgress })
  } finally {
    library.close()
  }
}

/** The index that the application uses for a folder. */
export function defaultDatabase(stateFolder: string, root: string): string {
  return join(stateFolder, 'libraries', `${libraryId(root)}.sqlite`)
}

export function scanText(report: ScanReport): string {
  const { files, recognised, models, bones, meshes, slices, weights, textures, errors, seconds } = report
  const lines = errors.map(failureText)
  lines.push(
    say('reports.scan.sum', {
      files,
      recognised,
      models,
      bones,
      meshes,
      slices,
      weights,
      textures,
      n: errors.length,
      seconds: seconds.toFixed(2),
    }),
  )
  return `${lines.join('\n')}\n`
}
