/**
 * Once before all test files: a folder for what they have in common. What takes long is made in it by the first that asks, for all of them; what
 * Node makes of a module too: workers and programs start from sources, whose types it would strip each time anew.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    runFolder: string
  }
}

/** @returns what is done after the last test */
export default function prepare(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'marrow-run-'))
  project.provide('runFolder', folder)
  // the processes of the test files take it over, and what they start
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled')
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
