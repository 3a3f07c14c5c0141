/** `marrow scan`: the library's index from the command line, with the library's own code. */
import { join, resolve } from 'node:path'
import { placeOf } from '../files/left-out.ts'
import { realPath } from '../files/paths.ts'
import { Library, libraryId } from '../library/library.ts'
import { AppState } from '../services/state.ts'
import { failureText } from './output.ts'
import { commandState } from './state.ts'
import type { FileStore } from '../files/store.ts'
import type { ScanProgress, ScanReport } from '../../shared/api/types/library.ts'
import { say } from '../../shared/texts/say.ts'

export interface ScanCommandOptions {
  db: string
  signal: AbortSignal
  onProgress: (progress: ScanProgress) => void
  registryModule?: string
  /** places of folders that are left out */
  leftOut?: readonly string[]
}

export async function scan(store: FileStore, root: string, options: ScanCommandOptions): Promise<ScanReport> {
  const library = Library.open(root, options.db, { store, registryModule: options.registryModule, leftOut: () => options.leftOut ?? [] })
  try {
    return await library.scan({ signal: options.signal, onProgress: options.onProgress })
  } finally {
    library.close()
  }
}

/**
 * Places of the folders that a scan leaves out: those that the user left out in the application, and those of this run.
 * @param given below the root, or by their whole paths
 * @throws FormatError not-found, io, invalid-argument, refused
 */
export function leftOutOfScan(stateFolder: string, root: string, given: readonly string[]): string[] {
  const real = realPath(root)
  const kept = new AppState(commandState(stateFolder)).leftOut(real)
  return [...new Set([...kept, ...given.map((folder) => placeOf(real, resolve(real, folder)))])]
}

/** The index that the application uses for a folder. */
export function defaultDatabase(stateFolder: string, root: string): string {
  return join(stateFolder, 'libraries', `${libraryId(root)}.sqlite`)
}

/** What a scan passed over. */
export function leftOutText(leftOut: readonly string[]): string[] {
  return leftOut.map((folder) => say('reports.scan.leftOut', { folder }))
}

export function scanText(report: ScanReport): string {
  const { files, recognised, models, bones, meshes, slices, weights, textures, errors, seconds } = report
  const lines = errors.map(failureText)
  lines.push(
    say('reports.scan.sum', {
      files: say('reports.counts.files', { n: files }),
      recognised,
      models: say('reports.counts.models', { n: models }),
      bones: say('reports.counts.bones', { n: bones }),
      meshes: say('reports.counts.meshes', { n: meshes }),
      slices: say('reports.counts.slices', { n: slices }),
      weights: say('reports.counts.weights', { n: weights }),
      textures: say('reports.counts.textures', { n: textures }),
      errors: say('reports.counts.errors', { n: errors.length }),
      seconds: seconds.toFixed(2),
    }),
  )
  return `${lines.join('\n')}\n`
}
