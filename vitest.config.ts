import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vitest/config'
import { longFirst } from './test/support/long-first.ts'

/** A minute and more each. */
const LONG = ['test/torture/torture', 'test/workspace/crash', 'test/workspace/pair-kill', 'test/library/library', 'test/cli/models']

/** What has no state of its own: these files share processes, and what they import is loaded once. */
const PURE = ['test/binary/**/*.test.ts', 'test/conformance/**/*.test.ts', 'test/formats/**/*.test.ts', 'test/shared/**/*.test.ts']

export default defineConfig({
  plugins: [vue()],
  test: {
    projects: [
      { extends: true, test: { name: 'pure', include: PURE, isolate: false } },
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**', 'test/bench/**', 'test/packaging/**', '**/node_modules/**', ...PURE],
        },
      },
    ],
    environment: 'node',
    globalSetup: ['test/support/run-folder.ts'],
    // modules of the window say its texts, which its start brings
    setupFiles: ['test/support/leak-check.ts', 'test/support/window-texts.ts', 'test/support/end-hooks.ts'],
    maxWorkers: 2,
    sequence: { sequencer: longFirst(LONG) },
    // a test that hangs: no test is one of speed, and a machine may have much else to do
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 20_000 } },
  },
})
