#!/usr/bin/env node
// The command line, on the Node that the project brings: as the build bundled it, from its sources where they are newer.
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isBuilt } from '../scripts/lib/build.mjs'
import { runOnProjectNode } from '../scripts/lib/node.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const args = process.argv.slice(2)

/** Help and version need no database, and no other Node than the one that runs. */
function isAboutItself() {
  return args.length === 0 || args[0] === 'help' || args.some((arg) => ['-h', '--help', '-V', '--version'].includes(arg))
}

async function run() {
  if (!isBuilt('cli', root)) return runOnProjectNode(join(root, 'src', 'main', 'cli', 'main.ts'), args)
  const bundle = join(root, 'out', 'main', 'cli.js')
  if (!isAboutItself()) return runOnProjectNode(bundle, args)
  try {
    await import(pathToFileURL(bundle).href)
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    // packages that are missing: what runs it says so
    runOnProjectNode(bundle, args)
  }
}

await run()
