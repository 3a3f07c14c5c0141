import { resolve } from 'node:path'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'electron-vite'
import { templateOptions } from './scripts/lib/printable-templates.mjs'
import { workers } from './scripts/lib/workers.mjs'

const here = import.meta.dirname

export default defineConfig({
  main: {
    build: {
      outDir: resolve(here, 'out/main'),
      sourcemap: true,
      rollupOptions: {
        // the command line reads one file in place of its sources: bin/marrow.mjs
        input: { index: resolve(here, 'src/main/index.ts'), cli: resolve(here, 'src/main/cli/main.ts'), ...workers },
        // all in one folder, so that code finds its neighbours by import.meta.url from whatever chunk it ends up in
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  },
  preload: {
    build: {
      outDir: resolve(here, 'out/preload'),
      // a sandboxed preload script can load nothing but electron itself
      externalizeDeps: false,
      rollupOptions: {
        input: { index: resolve(here, 'src/preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: resolve(here, 'src/renderer'),
    // the same build is served from marrow://app/ and from the web host
    base: './',
    plugins: [vue(templateOptions)],
    // workers are modules with chunks of their own
    worker: { format: 'es' },
    build: {
      outDir: resolve(here, 'out/renderer'),
      // the texts of what is bundled, as its licences ask
      license: { fileName: 'licenses.md' },
      emptyOutDir: true,
      // electron-vite leaves everything as it is written
      minify: true,
      // the content security policy allows no data: fonts
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 4000,
      // no advice on slow plugins where a user starts the application
      rollupOptions: { input: resolve(here, 'src/renderer/index.html'), checks: { pluginTimings: false } },
    },
  },
})
