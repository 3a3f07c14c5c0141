#!/usr/bin/env node
// The command line, on the Node that the project brings: as the build bundled it, from its sources where they are newer.
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isBuilt } from '../scripts/lib/build.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const args = process.argv.slice(2)

/** Help and version need no database, and no other Node than the one that runs. */
function isAboutItself() {
  return args.length === 0 || args[0] === 'help' || args.some((arg) => ['-h', '--help', '-V', '--version'].includes(arg))
}

/** What starts programs is read where one is started. */
async function elsewhere(script) {
  const { runOnProjectNode } = await import('../scripts/lib/node.mjs')
  runOnProjectNode(script, args)
}

async function run() {
  if (!isBuilt('cli', root)) return elsewhere(join(root, 'src', 'main', 'cli', 'main.ts'))
  const bundle = join(root, 'out', 'main', 'cli.js')
  if (!isAboutItself()) return elsewhere(bundle)
  try {
    await import(pathToFileURL(bundle).href)
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    // packages that are missing: what runs it says so
    await elsewhere(bundle)
  }
}

await run()
