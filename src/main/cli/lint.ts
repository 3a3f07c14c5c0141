/** `marrow lint`: what the games will choke on, told by the rules of each family. */
import { readForDecoding } from '../files/open-document.ts'
import { failureOf, isRefusal, problemText } from './output.ts'
import { filesGiven } from './files.ts'
import type { Diagnostic, Severity } from '../../shared/api/errors.ts'
import type { Surroundings } from '../services/model-finder.ts'
import type { CommandModels } from './models.ts'
import { say } from '../../shared/texts/say.ts'

export interface LintReport {
  /** recognised files that were looked at */
  files: number
  problems: { path: string; code: string; severity: Severity; message: string; field: string; offset: number }[]
}

export interface LintOptions {
  onProgress?: (report: Readonly<LintReport>, current: string) => void
}

/**
 * Families judge a file with what stands around it: below a folder that is given, beside a file that is given; and as it was saved last,
 * with the files that the user gave to its model.
 */
export function lint({ store, finder }: CommandModels, paths: readonly string[], options: LintOptions = {}): LintReport {
  const report: LintReport = { files: 0, problems: [] }
  const add = (path: string, { code, severity, message, path: field, offset }: Omit<Diagnostic, 'ref'>): void => {
    report.problems.push({ path, code, severity, message, field, offset })
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
          for (const diagnostic of open.index.diagnostics) add(ref, diagnostic)
          for (const m of open.members) check(m.ref)
          return
        }
        surroundings ??= finder.surroundings(start)
        const { format, bytes } = readForDecoding(store, finder.source(ref))
        const document = format.decode(bytes, ref)
        for (const diagnostic of document.diagnostics) add(ref, diagnostic)
        const family = store.registry.familyById(format.family)
        const { around } = surroundings
        const load = (other: string) => around.document(finder.source(other))
        const problems = family?.lint(document, { around, load, binding: surroundings.modelOf(ref)?.binding }) ?? []
        for (const diagnostic of problems) add(diagnostic.ref || ref, diagnostic)
      } catch (error) {
        fail(ref, error)
      }
    }
    for (const ref of filesGiven(store, [start], fail)) check(ref)
  }
  return report
}

export function lintText(report: LintReport): string {
  const lines = report.problems.map(
    ({ path, code, severity, message, field, offset }) => `${path}: ${problemText({ severity, code, message, path: field, offset })}`,
  )
  lines.push(say('reports.lint.sum', { files: report.files, n: report.problems.length }))
  return `${lines.join('\n')}\n`
}
