#!/usr/bin/env node
// Starts the command line with the Node that the project pins: better-sqlite3 crashes on Node 20, and Node 24
// runs the TypeScript sources as they are.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const pinned = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
const node = existsSync(pinned) ? pinned : process.execPath
const result = spawnSync(node, ['--disable-warning=ExperimentalWarning', join(root, 'src', 'main', 'cli', 'main.ts'), ...process.argv.slice(2)], { stdio: 'inherit' })
if (result.error) {
  console.error(`marrow: ${result.error.message}`)
  process.exit(1)
}
process.exit(result.status ?? 1)
