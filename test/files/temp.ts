/** Temporary folders for tests, removed with the suite. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEachFile } from '../support/at-end.ts'

const made: string[] = []
afterEachFile(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A new folder with these files (path relative to it -> bytes or text). */
export function tempFolder(files: Record<string, Uint8Array | string> = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'marrow-test-')))
  made.push(root)
  for (const [name, body] of Object.entries(files)) put(root, name, body)
  return root
}

export function put(root: string, name: string, body: Uint8Array | string): string {
  const path = join(root, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, body)
  return path
}
