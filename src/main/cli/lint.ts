/** `marrow lint`: what the games will choke on, told by the rules of each family. */
import { choiceOf, expectRules, type RuleChoice } from '../formats/rule-choice.ts'
import { isRefusal } from '../binary/format-error.ts'
import { failureOf, problemText } from './output.ts'
import { filesGiven } from './files.ts'
import type { Diagnostic, Evidence, Severity } from '../../shared/api/errors.ts'
import { judged } from '../services/judge.ts'
import type { Baseline } from '../services/lint-baseline.ts'
import type { CommandModels } from './models.ts'
import { say } from '../../shared/texts/say.ts'

export interface LintReport {
  /** recognised files that were looked at */
  files: number
  problems: { path: string; code: string; severity: Severity; message: string; field: string; offset: number; known?: Evidence }[]
}

export interface LintOptions {
  /** what is not said here is as the user's settings have it */
  rules?: RuleChoice
  /** what stood there before, for rules that look at it */
  baseline?: Baseline
  /** only what is new since then is told */
  onlyNew?: boolean
  /** each finding as its rule made it */
  onFound?: (ref: string, found: Diagnostic) => void
  onProgress?: (report: Readonly<LintReport>, current: string) => void
}

/**
 * Families judge a file with what stands around it: below a folder that is given, beside a file that is given; and as it was saved last,
 * with the files that the user gave to its model.
 */
export function lint({ store, finder, state }: CommandModels, paths: readonly string[], options: LintOptions = {}): LintReport {
  const { only = [], off = [] } = options.rules ?? {}
  expectRules(store.registry, [...only, ...off])
  // a rule that is asked for by its name counts, whatever was switched off in the window
  const counts = choiceOf({ only, off: only.length > 0 ? off : [...off, ...state.settings.rulesOff] })
  const report: LintReport = { files: 0, problems: [] }
  const add = (path: string, { code, severity, message, path: field, offset, known }: Omit<Diagnostic, 'ref'>): void => {
    report.problems.push({ path, code, severity, message, field, offset, ...(known ? { known } : {}) })
  }
  const fail = (path: string, error: unknown): void => {
    const { code, message, offset } = failureOf(error, path)
    add(path, { code, severity: isRefusal(error) ? 'info' : 'error', message, path: '', offset })
  }
  const seen = new Set<string>()
  for (const path of paths) {
    let start: string
    try {
      start = finder.refOf(path)
    } catch (error) {
      fail(path, error)
      continue
    }
    for (const { ref, recognised, found, error } of judged({ store, finder }, start, filesGiven(store, [start], fail), {
      counts,
      baseline: options.baseline,
      onlyNew: options.onlyNew,
      seen,
    })) {
      if (recognised) report.files++
      for (const diagnostic of found) {
        add(diagnostic.ref || ref, diagnostic)
        options.onFound?.(diagnostic.ref || ref, diagnostic)
      }
      if (error !== undefined) fail(ref, error)
      options.onProgress?.(report, ref)
    }
  }
  return report
}

/** Where the files stand that are given; what is not there is said when its turn comes. */
export function placesOf({ finder }: CommandModels, paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    try {
      return [finder.refOf(path)]
    } catch {
      return []
    }
  })
}

export function lintText(report: LintReport): string {
  const lines = report.problems.map(({ path, field, ...problem }) => `${path}: ${problemText({ ...problem, path: field })}`)
  lines.push(say('reports.lint.sum', { files: say('reports.counts.files', { n: report.files }), n: report.problems.length }))
  return `${lines.join('\n')}\n`
}
