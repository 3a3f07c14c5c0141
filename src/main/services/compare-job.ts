/** A comparison for the window: bounded, and with its text. Changes nothing. */
import { compare, compareText } from './compare-refs.ts'
import type { FileStore } from '../files/store.ts'
import type { Comparison } from '../../shared/api/types/compare.ts'
import type { JobTools } from './model-jobs.ts'
import type { ModelFinder } from './model-finder.ts'

export interface CompareJob {
  kind: 'compare'
  root: string
  a: string
  b: string
  /** the original of both */
  base?: string
  models: boolean
}

const LIMITS = { most: 500, mostRows: 10_000, mostListed: 50_000 }
const MOST_LINES = 60_000

/** @throws FormatError invalid-argument for paths that are not there, or a file against a folder */
export function comparison(
  { a, b, base, models }: CompareJob,
  { store, finder, onProgress }: Pick<JobTools, 'onProgress'> & { store: FileStore; finder: ModelFinder },
): Comparison {
  const report = compare(store, a, b, {
    ...LIMITS,
    base,
    models: models ? { finder, modelOf: (path) => finder.find(path) } : undefined,
    onProgress: ({ files }, current) => onProgress({ done: files, total: 0, current, failures: [] }),
  })
  const lines: string[] = []
  for (const line of compareText(report)) if (lines.push(line.trimEnd()) >= MOST_LINES) break
  return { ...report, lines, folders: store.exists(a) && store.isFolder(a) }
}
