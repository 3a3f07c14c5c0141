/** A program that tests start many times and kill, as one file: it starts several times faster than its sources do. */
import { join } from 'node:path'
import { build } from 'vite'

/** @param entry source of the program @returns the built file, in the folder */
export async function buildChild(entry: string, folder: string): Promise<string> {
  await build({
    configFile: false,
    logLevel: 'silent',
    build: { ssr: entry, outDir: folder, minify: false, rollupOptions: { output: { entryFileNames: 'child.mjs' } } },
    ssr: { noExternal: true },
  })
  return join(folder, 'child.mjs')
}
