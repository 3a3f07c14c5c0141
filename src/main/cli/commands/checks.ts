/** Commands that look: scan, roundtrip, info, compare, lint, which on demand puts right what it found. */
import { FormatError } from '../../binary/format-error.ts'
import { answer, command, flag, PATHS, required, rules, several, text, whole, SAVE } from '../command.ts'
import type { CompareOptions } from '../../services/compare-refs.ts'
import type { CommandModels } from '../models.ts'
import type { LintOptions, LintReport } from '../lint.ts'
import { failureText } from '../output.ts'
import { say } from '../../../shared/texts/say.ts'

/** The one model that a path means. */
async function modelsOf(models: () => Promise<CommandModels>): Promise<CompareOptions['models']> {
  const { onlyModel } = await import('../models.ts')
  const { finder } = await models()
  return { finder, modelOf: (path) => onlyModel(finder.all(path), path) }
}

export const checkCommands = [
  command({
    name: ['scan'],
    help: 'commandLine.scan.help',
    arguments: { root: required(text('root', 'commandLine.scan.root')) },
    options: { db: text('file', 'commandLine.scan.db'), leaveOut: several(text('folder', 'commandLine.scan.leaveOut')) },
    async run({ root, db, leaveOut }, { store, stateFolder, signal, registryModule, progress }) {
      const { defaultDatabase, leftOutOfScan, leftOutText, scan, scanText } = await import('../scan.ts')
      const leftOut = leftOutOfScan(stateFolder, root, leaveOut ?? [])
      const report = await scan(store, root, {
        db: db ?? defaultDatabase(stateFolder, root),
        signal: signal(),
        registryModule,
        leftOut,
        onProgress: ({ phase, done, total, current, waiting }) =>
          progress.show(
            waiting ? say('reports.scan.waiting', { path: waiting }) : say('reports.scan.progress', { phase, done, total, current }),
          ),
      })
      return answer({ ...report, ...(leftOut.length > 0 && { leftOut }) }, scanText, { aside: leftOutText(leftOut) })
    },
  }),
  command({
    name: ['roundtrip'],
    help: 'commandLine.roundtrip.help',
    arguments: { paths: PATHS },
    options: { copy: flag('commandLine.roundtrip.copy') },
    async run({ paths, copy }, { store, progress }) {
      const { roundtrip, roundtripText } = await import('../roundtrip.ts')
      const report = roundtrip(store, paths, {
        copy,
        onProgress: ({ files }, current) => progress.show(say('reports.progress.files', { n: files, current })),
      })
      return answer(report, roundtripText, {
        aside: [
          ...report.notes.map((note) => say('reports.roundtrip.skipped', { what: failureText(note) })),
          ...report.failures.map(failureText),
        ],
        failed: report.failures.length > 0,
      })
    },
  }),
  command({
    name: ['info'],
    help: 'commandLine.info.help',
    arguments: { file: required(text('file', 'commandLine.info.file')) },
    options: { text: flag('commandLine.info.text') },
    async run({ file, text }, { store }) {
      if (text) {
        const { documentText } = await import('../document-text.ts')
        const { report, lines } = documentText(store, file)
        return answer(report, lines)
      }
      const { info, infoText } = await import('../info.ts')
      const report = info(store, file)
      return answer(report, infoText, { failed: report.error !== undefined })
    },
  }),
  command({
    name: ['compare'],
    help: 'commandLine.compare.help',
    arguments: { a: required(text('A', 'commandLine.compare.path')), b: required(text('B', 'commandLine.compare.path')) },
    options: {
      base: text('path', 'commandLine.compare.base'),
      models: flag('commandLine.compare.models'),
      most: whole('N', 'commandLine.compare.most'),
    },
    async run({ a, b, base, models: asModels, most }, { store, models, progress }) {
      const { compare, compareText } = await import('../../services/compare-refs.ts')
      const report = compare(store, a, b, {
        base,
        most,
        models: asModels ? await modelsOf(models) : undefined,
        onProgress: ({ files }, current) => progress.show(say('reports.progress.files', { n: files, current })),
      })
      return answer(report, compareText, { failed: !report.equal })
    },
  }),
  command({
    name: ['lint'],
    help: 'commandLine.lint.help',
    arguments: { paths: PATHS },
    // both are taken down in `rule`: to the parser the one is the other's negation
    options: {
      rule: rules('only', 'commandLine.lint.rule'),
      noRule: rules('off', 'commandLine.lint.noRule'),
      new: flag('commandLine.lint.new'),
      fix: flag('commandLine.lint.fix'),
      dryRun: flag('commandLine.lint.dryRun'),
      ...SAVE,
    },
    async run({ paths, rule, new: onlyNew, fix, dryRun, replaceReadOnly }, { models, progress }) {
      if (dryRun && !fix) throw new FormatError('invalid-argument', say('reports.lint.dryRunAlone'))
      const { lint, lintText, placesOf } = await import('../lint.ts')
      const { baselineOf } = await import('../../services/lint-baseline.ts')
      const found = await models()
      const options: LintOptions = {
        rules: rule,
        baseline: await baselineOf(found, found.originals(), placesOf(found, paths), onlyNew === true),
        onlyNew,
        onProgress: ({ files }, current) => progress.show(say('reports.progress.files', { n: files, current })),
      }
      const failed = (problems: LintReport['problems']): boolean => problems.some((problem) => problem.severity === 'error')
      if (fix) {
        const { fixText, lintAndFix } = await import('../lint-fix.ts')
        const report = await lintAndFix(found, paths, { ...options, dryRun, leave: { replaceReadOnly } })
        return answer(report, fixText, { failed: report.failures.length > 0 || failed(report.problems) })
      }
      const report = lint(found, paths, options)
      return answer(report, lintText, { failed: failed(report.problems) })
    },
  }),
]
