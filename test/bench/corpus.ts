import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The folder of real files, undefined where there is none. */
export function corpusFolder(): string | undefined {
  const root = process.env.MARROW_CORPUS ?? resolve(import.meta.dirname, '../../../shared/corpus')
  return existsSync(root) ? root : undefined
}

export function filesBelow(root: string): string[] {
  return readdirSync(root)
    .sort()
    .flatMap((name) => {
      const path = join(root, name)
      return statSync(path).isDirectory() ? filesBelow(path) : [path]
    })
}
