import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [vue()],
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/e2e/**', 'test/bench/**', 'test/packaging/**', '**/node_modules/**'],
    environment: 'node',
    // modules of the window say its texts, which its start brings
    setupFiles: ['test/support/leak-check.ts', 'test/support/window-texts.ts'],
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
