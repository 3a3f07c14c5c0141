/** Sources as a few files for Windows' Node: under Wine the loading of each module alone takes longer than what a check does. */
import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { projectRoot } from '../../scripts/lib/build.mjs'
import { workers } from '../../scripts/lib/workers.mjs'

/**
 * @param entry below the project, e.g. `src/main/cli/main.ts`
 * @returns folder with `main.js` and the workers beside it; three folders below the project, as the sources are that look for the built window
 */
export async function bundleForWindows(entry: string): Promise<string> {
  const cache = join(projectRoot, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const outDir = mkdtempSync(join(cache, 'windows-bundle-'))
  await build({
    configFile: false,
    root: projectRoot,
    logLevel: 'error',
    ssr: { noExternal: true, external: ['better-sqlite3', 'open'] },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: false,
      copyPublicDir: false,
      target: 'node22',
      minify: false,
      rollupOptions: {
        input: { main: join(projectRoot, entry), ...workers },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
  return outDir
}
