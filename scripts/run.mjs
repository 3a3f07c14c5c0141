// node scripts/run.mjs SCRIPT ...: a script, path from the project's folder, on the Node that the project brings. npm's own links to
// packages' programs run on whatever Node npm found.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runOnProjectNode } from './lib/node.mjs'

const [script, ...args] = process.argv.slice(2)
runOnProjectNode(join(dirname(dirname(fileURLToPath(import.meta.url))), script), args)
