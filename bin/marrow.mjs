#!/usr/bin/env node
// The command line, on the Node that the project brings.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runOnProjectNode } from '../scripts/lib/node.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
runOnProjectNode(join(root, 'src', 'main', 'cli', 'main.ts'), process.argv.slice(2))
