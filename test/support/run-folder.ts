/**
 * Once before all test files: a folder for what they have in common. What takes long is made in it by the first that asks, for all of them; what
 * Node makes of a module too: workers and programs start from sources, whose types it would strip each time anew. Folders of temporary files stand
 * in it. It is in memory where the system has room there: what is written in tests is flushed again and again, and thrown away.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { ramFolder } from './ram-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    runFolder: string
  }
}

/** More than all test files have at once. */
const ROOM = 4 * 2 ** 30

/** @returns what is done after the last test */
export default function prepare(project: TestProject): () => void {
  const folder = mkdtempSync(join(ramFolder(ROOM) ?? tmpdir(), 'marrow-run-'))
  project.provide('runFolder', folder)
  // the processes of the test files take it over, and what they start
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled')
  mkdirSync(join(folder, 'tmp'))
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = join(folder, 'tmp')
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
