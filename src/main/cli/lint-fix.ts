/** `marrow lint --fix`: what can be put right safely is, through the same edits and the same saving as in the window. */
import { fixAll } from '../formats/fix-all.ts'
import { lintModelOf, sameAs } from '../services/judge.ts'
import { lint, lintText } from './lint.ts'
import { failureOf, failureText } from './output.ts'
import { saveAll, savedText } from './save-all.ts'
import type { Diagnostic } from '../../shared/api/errors.ts'
import type { OpenModel } from '../workspace/open-model.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { LintOptions, LintReport } from './lint.ts'
import type { CommandModels } from './models.ts'
import type { Failure } from './output.ts'
import type { SavedFile, SaveLeave } from './save-all.ts'
import { say } from '../../shared/texts/say.ts'

export interface FixReport extends LintReport {
  /** nothing was written: `saved` is what would be, and `problems` stand as they are */
  dryRun: boolean
  fixed: { path: string; code: string; fix: string; count: number }[]
  saved: SavedFile[]
  /** files that stay as they are */
  failures: Failure[]
}

export interface FixOptions extends LintOptions {
  dryRun?: boolean
  leave?: SaveLeave
}

/**
 * Repairs what one repair alone is offered for: between two of them the user chooses. A hint rests on little, and is followed where its rule is
 * named. What is left is told as `lint` tells it.
 */
export async function lintAndFix(models: CommandModels, paths: readonly string[], options: FixOptions = {}): Promise<FixReport> {
  const { dryRun = false, leave = {}, rules } = options
  const named = new Set(rules?.only)
  const todo = new Map<string, Diagnostic[]>()
  const before = lint(models, paths, {
    ...options,
    onFound(ref, found) {
      if (found.fixes?.length !== 1 || (found.severity === 'info' && !named.has(found.code))) return
      const list = todo.get(ref)
      if (list) list.push(found)
      else todo.set(ref, [found])
    },
  })
  const report: Pick<FixReport, 'dryRun' | 'fixed' | 'saved' | 'failures'> = { dryRun, fixed: [], saved: [], failures: [] }
  for (const ref of todo.keys()) {
    // another file of its model had its turn
    if (!todo.has(ref)) continue
    try {
      await models.with(models.finder.find(ref), async (workspace, model) => {
        const own = [...todo].filter(([other]) => other === ref || model.allRefs().includes(other))
        for (const [other] of own) todo.delete(other)
        const fixed = await fixModel(workspace, model, own, options.onlyNew === true)
        if (fixed.length === 0) return
        report.saved.push(...(dryRun ? await planned(workspace, model) : await saveAll(models.images, workspace, model, leave)))
        report.fixed.push(...fixed)
      })
    } catch (error) {
      todo.delete(ref)
      report.failures.push(failureOf(error, ref))
    }
  }
  const after = dryRun || report.saved.length === 0 ? before : lint(models, paths, options)
  return { ...after, ...report }
}

/** @param chosen these findings alone, in place of all of their kind */
async function fixModel(
  workspace: Workspace,
  model: OpenModel,
  files: readonly (readonly [ref: string, found: readonly Diagnostic[]])[],
  chosen: boolean,
): Promise<FixReport['fixed']> {
  const fixed: FixReport['fixed'] = []
  const { label } = files[0][1][0].fixes![0]
  await workspace.edit(model.id, label, (session) => {
    for (const [ref, found] of files) {
      const keys = new Set(found.map(sameAs))
      for (const [code, fix] of new Map(found.map((one) => [one.code, one.fixes![0]]))) {
        const of = chosen ? (one: Diagnostic) => keys.has(sameAs(one)) : undefined
        const count = fixAll(model.family, session.edit(ref), lintModelOf(model), code, fix.id, of)
        if (count > 0) fixed.push({ path: ref, code, fix: fix.label, count })
      }
    }
  })
  return fixed
}

/** What a save would write. */
async function planned(workspace: Workspace, model: OpenModel): Promise<SavedFile[]> {
  const { files } = await workspace.plan(model.id)
  return files.map(({ ref, target, newSize, changedBytes, notLoose }) => ({
    path: ref,
    target,
    bytes: newSize,
    changedBytes,
    ...(notLoose && { notLoose }),
  }))
}

export function fixText(report: FixReport): string {
  const { dryRun, fixed, saved, failures } = report
  const lines = fixed.map(({ path, code, fix, count }) => say('reports.lint.fixed', { path, code, fix, n: count }))
  lines.push(...failures.map(failureText))
  lines.push(savedText(saved))
  if (dryRun) lines.push(say('reports.lint.dryRun'))
  return `${lines.join('\n')}\n${lintText(report)}`
}
