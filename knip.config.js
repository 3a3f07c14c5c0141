// What nothing uses: files, exports and packages. An entry is what runs without an import that knip follows.
export default {
  entry: [
    // programs by npm scripts (scripts/run.mjs PROGRAM) or by hand
    'scripts/{dev,icons,readme-pictures,shot,start,test,windows-node}.mjs',
    'test/{bench,fuzz,torture,windows}/main.ts',
    'test/bench/make-library.ts',
    // the picture alone, for end-to-end tests: viewport.html
    'src/renderer/dev/viewport-page.ts',
    // bundled by the tests and the bench, which start them as programs or pages of their own
    'test/workspace/*-child.ts',
    'test/torture/{arena,counting,kill-child}.ts',
    'test/{e2e/electron-built,packaging/pack}-driver.ts',
    'test/hosts/utility-program.ts',
    'test/bench/{event-loop-window,open-memory,scan-memory,timeline-page}.ts',
    // a worker, by URL
    'test/fuzz/worker.ts',
  ],
  // declarations stand beside the script that is imported
  project: ['{bin,scripts,src,test}/**/*.{ts,mjs,vue,css}', '!**/*.d.mts'],
  vitest: { config: ['vitest.config.ts', 'test/{e2e,packaging}/vitest.config.ts'] },
  compilers: { css: (text) => [...text.matchAll(/^@import '[^']+'/gm)].map(([line]) => line.slice(1)).join('\n') },
  // the changelog's program, run by its file (scripts/lib/release.mjs)
  ignoreDependencies: ['git-cliff'],
  // programs of the system, for tests
  ignoreBinaries: ['truncate', 'mkfifo', 'mount', 'umount'],
  // the type of what an exported function takes or gives is exported with it, so that a caller can name it
  ignoreExportsUsedInFile: { interface: true, type: true },
}
