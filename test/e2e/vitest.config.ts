import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: resolve(import.meta.dirname, '../..'),
  test: {
    include: ['test/e2e/**/*.test.ts'],
    globalSetup: ['test/e2e/prepare.ts', 'test/support/run-folder.ts'],
    environment: 'node',
    setupFiles: ['test/support/window-texts.ts'],
    // one Chromium at a time: it renders in software
    maxWorkers: 1,
    // on a loaded CI machine the software renderer may starve a page; what needs a second try is named in the report
    retry: process.env.CI ? 1 : 0,
    testTimeout: 90_000,
    hookTimeout: 90_000,
  },
})
