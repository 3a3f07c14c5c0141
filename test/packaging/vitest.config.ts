import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: resolve(import.meta.dirname, '../..'),
  test: {
    include: ['test/packaging/**/*.test.ts'],
    globalSetup: ['test/packaging/prepare.ts'],
    environment: 'node',
    setupFiles: ['test/support/leak-check.ts'],
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
