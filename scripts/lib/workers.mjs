// Programs that main starts as threads or processes of their own. Each bundle of main has them beside it, as the sources do.
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const projectRoot = fileURLToPath(new URL('../..', import.meta.url))

/** Inputs of a bundle, by the names that `workerFile` asks for. */
export const workers = Object.fromEntries(
  globSync('src/main/**/*-worker.ts', { cwd: projectRoot }).map((path) => [basename(path, '.ts'), join(projectRoot, path)]),
)
