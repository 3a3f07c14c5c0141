/** Real files for tests: `../shared/corpus` beside the project, or the folder in MARROW_CORPUS. Never copied into the project. */
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, it } from 'vitest'

export const corpusRoot = process.env.MARROW_CORPUS ?? resolve(import.meta.dirname, '../../../shared/corpus')

/** A suite over real files; skipped, saying so in its name, where the corpus is absent. */
export function describeCorpus(folder: string, body: (root: string) => void): void {
  const root = join(corpusRoot, folder)
  if (existsSync(root)) describe(`corpus ${folder}`, () => body(root))
  else describe.skip(`corpus ${folder} (skipped: the folder is not here)`, () => body(root))
}

/** A suite over the pages of the specs, which stand beside the corpus; skipped, saying so in its name, where they are absent. */
export function describeSpecs(body: (folder: string) => void): void {
  const folder = join(corpusRoot, '../specs')
  if (existsSync(folder)) describe('pages of the specs', () => body(folder))
  else describe.skip('pages of the specs (skipped: the folder is not here)', () => it('are not here', () => {}))
}

/** All files below a folder, sorted, as absolute paths; empty where the folder is absent. */
export function filesBelow(root: string): string[] {
  if (!existsSync(root)) return []
  return readdirSync(root)
    .sort()
    .flatMap((name) => {
      const path = join(root, name)
      return statSync(path).isDirectory() ? filesBelow(path) : [path]
    })
}

export function readBytes(path: string): Uint8Array {
  return new Uint8Array(readFileSync(path))
}

/** A copy of a corpus folder that may be edited: the corpus itself may be write-protected, and a copy is then, too. */
export function copyCorpus(folder: string, to: string): void {
  cpSync(join(corpusRoot, folder), to, { recursive: true })
  for (const path of filesBelow(to)) chmodSync(path, 0o644)
}
