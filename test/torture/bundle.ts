/** The programs of the test as plain files: they start several times faster than from their sources. */
import { mkdtempSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'vite'
import { workers } from '../../scripts/lib/workers.mjs'
import { programFile, scratchFolder } from './places.ts'

const projectRoot = join(import.meta.dirname, '..', '..')

/** @returns the folder with `counting.js`, `kill-child.js` and the rest; the caller removes it */
export async function bundlePrograms(): Promise<string> {
  const folder = mkdtempSync(join(scratchFolder(), 'marrow-torture-'))
  const own = (name: string): string => join(import.meta.dirname, `${name}.ts`)
  await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      ssr: true,
      outDir: dirname(programFile(folder, 'cli')),
      minify: false,
      rollupOptions: {
        external: ['better-sqlite3'],
        input: {
          counting: own('counting'),
          'kill-child': own('kill-child'),
          arena: own('arena'),
          cli: join(projectRoot, 'src/main/cli/main.ts'),
          ...workers,
        },
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name].js',
          // modules of before there were any ask for their own name
          banner: 'const __filename = import.meta.filename, __dirname = import.meta.dirname;',
        },
      },
    },
    ssr: { noExternal: true },
  })
  for (const name of ['node_modules', 'package.json']) symlinkSync(join(projectRoot, name), join(folder, name))
  return folder
}
