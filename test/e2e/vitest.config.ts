import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { longFirst } from '../support/long-first.ts'

/** A minute and more each. */
const LONG = ['leaks', 'weights', 'window', 'keys', 'keymap', 'desktop', 'timeline', 'level5', 'mesh', 'skeleton', 'slices']

export default defineConfig({
  root: resolve(import.meta.dirname, '../..'),
  test: {
    include: ['test/e2e/**/*.test.ts'],
    globalSetup: ['test/e2e/prepare.ts', 'test/support/run-folder.ts'],
    environment: 'node',
    setupFiles: ['test/e2e/browser-first.ts', 'test/support/leak-check.ts', 'test/support/window-texts.ts', 'test/support/end-hooks.ts'],
    // one Chromium at a time: it draws in software, and a second one starves the first of key presses
    maxWorkers: 1,
    // one process for all files: browser and modules are loaded once
    isolate: false,
    // what is waited for may take a while on a machine that has much else to do
    expect: { poll: { timeout: 10_000 } },
    sequence: { sequencer: longFirst(LONG.map((name) => `test/e2e/${name}.`)) },
    // on a loaded CI machine the software renderer may starve a page; what needs a second try is named in the report
    retry: process.env.CI ? 1 : 0,
    testTimeout: 90_000,
    hookTimeout: 90_000,
  },
})
