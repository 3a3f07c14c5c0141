/** `marrow lint`: what the games will choke on, told by the rules of each family. */
import { choiceOf, expectRules, type RuleChoice } from '../formats/rule-choice.ts'
import { readForDecoding } from '../files/open-document.ts'
import { failureOf, isRefusal, problemText } from './output.ts'
import { filesGiven } from './files.ts'
import type { Diagnostic, Evidence, Severity } from '../../shared/api/errors.ts'
import type { Surroundings } from '../services/model-finder.ts'
import type { Baseline } from './lint-baseline.ts'
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
  /** only what is new since then is told */
  baseline?: Baseline
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
    let surroundings: Surroundings | undefined
    const check = (ref: string): void => {
      options.onProgress?.(report, ref)
      if (seen.has(ref)) return
      seen.add(ref)
      try {
        const found = store.identify(ref)
        if (!found) return
        report.files++
        if (found.archive) {
          const open = store.openArchive(ref)!
          for (const diagnostic of open.index.diagnostics.filter(counts)) add(ref, diagnostic)
          // the files of another directory over the same data are judged once
          if (!open.leader || ref === start) for (const m of open.members) check(m.ref)
          return
        }
        surroundings ??= finder.surroundings(start)
        const { format, bytes } = readForDecoding(store, finder.source(ref))
        const before = options.baseline?.(ref)
        // a file that was never changed has nothing new
        if (options.baseline && !before) return
        const family = store.registry.familyById(format.family)
        const { around } = surroundings
        const load = (other: string) => around.document(finder.source(other))
        const model = { around, load, binding: surroundings.modelOf(ref)?.binding }
        const judge = (body: Uint8Array): Diagnostic[] => {
          const document = format.decode(body, ref)
          return [...document.diagnostics, ...(family?.lint(document, model) ?? [])].filter(counts)
        }
        const old = new Set(before && judgeOld(judge, before).map(sameAs))
        for (const diagnostic of judge(bytes)) if (!old.has(sameAs(diagnostic))) add(diagnostic.ref || ref, diagnostic)
      } catch (error) {
        fail(ref, error)
      }
    }
    for (const ref of filesGiven(store, [start], fail)) check(ref)
  }
  return report
}

/** What makes a finding the one that was there before: where it stands in the bytes may have moved. */
function sameAs({ code, path, message }: Diagnostic): string {
  return [code, path, message].join('\0')
}

/** An original that cannot be read had nothing that is known. */
function judgeOld(judge: (body: Uint8Array) => Diagnostic[], before: Uint8Array): Diagnostic[] {
  try {
    return judge(before)
  } catch {
    return []
  }
}

export function lintText(report: LintReport): string {
  const lines = report.problems.map(({ path, field, ...problem }) => `${path}: ${problemText({ ...problem, path: field })}`)
  lines.push(say('reports.lint.sum', { files: report.files, n: report.problems.length }))
  return `${lines.join('\n')}\n`
}
