/** The mod as rows: changed files with their places, and problems by their files. */
import type { ChangedPlace, ModFile, ModFileReport } from '../../../shared/api/types/mod.ts'
import type { ModelInfo, Problem } from '../../../shared/api/types/model.ts'
import { MEMBER_SEPARATOR } from '../../../shared/ref.ts'

export type ChangedRow =
  | { kind: 'file'; key: string; file: ModFile; report?: ModFileReport; open?: boolean }
  | { kind: 'place'; key: string; file: ModFile; place: ChangedPlace }
  | { kind: 'more'; key: string; file: ModFile; count: number }

/** @param opened files whose places are shown */
export function changedRows(
  files: readonly ModFile[],
  reports: ReadonlyMap<string, ModFileReport>,
  opened: ReadonlySet<string>,
): ChangedRow[] {
  return files.flatMap((file): ChangedRow[] => {
    const report = reports.get(file.ref)
    const open = report?.places.length ? opened.has(file.ref) : undefined
    const row: ChangedRow = { kind: 'file', key: file.ref, file, report, open }
    if (!open || !report) return [row]
    const places = report.places.map((place, i): ChangedRow => ({ kind: 'place', key: `${file.ref}|${i}`, file, place }))
    const more: ChangedRow[] = report.omitted > 0 ? [{ kind: 'more', key: `${file.ref}|more`, file, count: report.omitted }] : []
    return [row, ...places, ...more]
  })
}

/** An open model, as far as problems need it. */
interface Live {
  info: Pick<ModelInfo, 'files'>
  problems: readonly Problem[] | null
}

interface ProblemGroup {
  /** the game's file on disk */
  ref: string
  path: string
  problems: Problem[]
}

const RANK = { error: 0, warning: 1, info: 2 }

/**
 * Of every changed file what the rules find: for files of open models as these stand now, for others as they were saved. Files with edits
 * that no save has written stand behind them.
 * @param where a file as the page calls it
 * @param off rules that are switched off
 */
export function problemGroups(
  files: readonly ModFile[],
  reports: ReadonlyMap<string, ModFileReport>,
  open: readonly Live[],
  where: (ref: string) => string,
  off: ReadonlySet<string>,
): ProblemGroup[] {
  const live = open.filter(({ problems }) => problems !== null)
  const known = new Set(live.flatMap(({ info }) => info.files.map(({ ref }) => ref)))
  const paths = new Map(files.map(({ ref, path }) => [ref, path]))
  for (const { ref, dirty } of live.flatMap(({ info }) => info.files)) {
    const file = fileOf(ref, paths)
    if (dirty && !paths.has(file)) paths.set(file, where(file))
  }
  const byFile = new Map<string, Problem[]>()
  for (const problem of live.flatMap(({ problems }) => problems!)) {
    const file = fileOf(problem.ref, paths)
    const list = byFile.get(file)
    if (list) list.push(problem)
    else byFile.set(file, [problem])
  }
  return [...paths].flatMap(([ref, path]): ProblemGroup[] => {
    const saved = reports.get(ref)?.problems.filter((problem) => !known.has(problem.ref)) ?? []
    const counted = [...saved, ...(byFile.get(ref) ?? [])].filter(({ code }) => !off.has(code))
    const all = new Map(counted.map((p) => [[p.ref, p.code, p.path, p.offset, p.message].join('\0'), p]))
    const problems = [...all.values()].sort((a, b) => RANK[a.severity] - RANK[b.severity])
    return problems.length > 0 ? [{ ref, path, problems }] : []
  })
}

/** The listed file that a reference is, or is a member of; itself where there is none. Names of files may have the sign of members, too. */
function fileOf(ref: string, files: ReadonlyMap<string, unknown>): string {
  for (let at = ref.indexOf(MEMBER_SEPARATOR); at >= 0; at = ref.indexOf(MEMBER_SEPARATOR, at + 1))
    if (files.has(ref.slice(0, at))) return ref.slice(0, at)
  return ref
}

export function countOf(problems: readonly Problem[], severity: Problem['severity']): number {
  return problems.filter((problem) => problem.severity === severity).length
}

export type ProblemRow =
  | { kind: 'file'; key: string; group: ProblemGroup; open: boolean }
  | { kind: 'problem'; key: string; group: ProblemGroup; problem: Problem }

/** @param closed files whose problems are not shown */
export function problemRows(groups: readonly ProblemGroup[], closed: ReadonlySet<string>): ProblemRow[] {
  return groups.flatMap((group): ProblemRow[] => {
    const open = !closed.has(group.ref)
    const row: ProblemRow = { kind: 'file', key: group.ref, group, open }
    if (!open) return [row]
    return [row, ...group.problems.map((problem, i): ProblemRow => ({ kind: 'problem', key: `${group.ref}|${i}`, group, problem }))]
  })
}
