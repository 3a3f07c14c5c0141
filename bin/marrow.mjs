#!/usr/bin/env node
// Starts the command line with the Node that the project pins: better-sqlite3 crashes on Node 20, and Node 24
// runs the TypeScript sources as they are.
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pinnedNode } from '../scripts/lib/node.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const child = spawn(
  pinnedNode(),
  ['--disable-warning=ExperimentalWarning', join(root, 'src', 'main', 'cli', 'main.ts'), ...process.argv.slice(2)],
  { stdio: 'inherit' },
)
// whoever stops this process means the one that does the work, which ends by itself. A console of Windows tells both,
// and passing it on would end the other at once, in the middle of a write
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.platform !== 'win32' && child.kill(signal))
child.on('error', (error) => {
  console.error(`marrow: ${error.message}`)
  process.exitCode = 1
})
child.on('exit', (code) => {
  process.exitCode = code ?? 1
})
