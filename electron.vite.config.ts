import { resolve } from 'node:path'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'electron-vite'

const here = import.meta.dirname

export default defineConfig({
  main: {
    build: {
      outDir: resolve(here, 'out/main'),
      sourcemap: true,
      rollupOptions: {
        input: { index: resolve(here, 'src/main/index.ts') },
        output: { format: 'es', entryFileNames: '[name].js' },
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
    plugins: [vue()],
    build: {
      outDir: resolve(here, 'out/renderer'),
      emptyOutDir: true,
      // the content security policy allows no data: fonts
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 4000,
      rollupOptions: { input: resolve(here, 'src/renderer/index.html') },
    },
  },
})
