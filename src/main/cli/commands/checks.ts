/** Commands that look and change nothing: scan, roundtrip, info, lint. */
import { answer, command, flag, PATHS, required, text } from '../command.ts'
import { failureText } from '../output.ts'

export const checkCommands = [
  command({
    name: 'scan',
    help: 'index a folder, archives as folders; what did not change since the last scan is not read again',
    arguments: { root: required(text('root', 'a folder')) },
    options: { db: text('file', 'the index (default: the one that the application uses)') },
    async run({ root, db }, { store, stateFolder, signal, registryModule, progress }) {
      const { defaultDatabase, scan, scanText } = await import('../scan.ts')
      const report = await scan(store, root, {
        db: db ?? defaultDatabase(stateFolder, root),
        signal: signal(),
        registryModule,
        onProgress: ({ phase, done, total, current }) => progress.show(`${phase} ${done}/${total} ${current}`),
      })
      return answer(report, scanText)
    },
  }),
  command({
    name: 'roundtrip',
    help: 'decode and encode every recognised file and archive member, and compare whole bytes',
    arguments: { paths: PATHS },
    options: { copy: flag('check the path that a save takes') },
    async run({ paths, copy }, { store, progress }) {
      const { roundtrip, roundtripText } = await import('../roundtrip.ts')
      const report = roundtrip(store, paths, { copy, onProgress: ({ files }, current) => progress.show(`${files} files, ${current}`) })
      return answer(report, roundtripText, {
        aside: [...report.notes.map((note) => `skipped ${failureText(note)}`), ...report.failures.map(failureText)],
        failed: report.failures.length > 0,
      })
    },
  }),
  command({
    name: 'info',
    help: 'what a file is and what is in it, field by field',
    arguments: { file: required(text('file', 'a file, an archive, or a member (archive!member)')) },
    async run({ file }, { store }) {
      const { info, infoText } = await import('../info.ts')
      const report = info(store, file)
      return answer(report, infoText, { failed: report.error !== undefined })
    },
  }),
  command({
    name: 'lint',
    help: 'what the game will choke on',
    arguments: { paths: PATHS },
    async run({ paths }, { models, progress }) {
      const { lint, lintText } = await import('../lint.ts')
      const report = lint(await models(), paths, { onProgress: ({ files }, current) => progress.show(`${files} files, ${current}`) })
      return answer(report, lintText, { failed: report.problems.some((problem) => problem.severity === 'error') })
    },
  }),
]
