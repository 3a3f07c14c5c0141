/** Findings of a whole library as rows: by the rule that found them, or by their file. */
import type { Problem } from '../../../shared/api/types/model.ts'

export type Shown = Record<Problem['severity'], boolean>

export const RANK: Readonly<Record<Problem['severity'], number>> = { error: 0, warning: 1, info: 2 }

export function countsOf(problems: readonly Problem[]): Record<Problem['severity'], number> {
  const counts = { error: 0, warning: 0, info: 0 }
  for (const { severity } of problems) counts[severity]++
  return counts
}

/**
 * What was found in files as they were saved, with those of open models as they stand in their place: an edit counts before its save.
 * @param now by file; a file that is listed has these findings and no others
 */
export function asTheyStand(saved: readonly Problem[], now: ReadonlyMap<string, readonly Problem[]>): Problem[] {
  if (now.size === 0) return [...saved]
  const out = saved.filter(({ ref }) => !now.has(ref))
  for (const list of now.values()) for (const problem of list) out.push(problem)
  return out
}

export interface FoundGroup {
  /** id of the rule, or the file */
  key: string
  /** the worst of its findings */
  severity: Problem['severity']
  problems: Problem[]
}

/** Groups with the worst findings first, then those with most of them. */
export function groupsOf(problems: readonly Problem[], by: 'rule' | 'file'): FoundGroup[] {
  const groups = new Map<string, FoundGroup>()
  for (const problem of problems) {
    const key = by === 'rule' ? problem.code : problem.ref
    const group = groups.get(key)
    if (!group) groups.set(key, { key, severity: problem.severity, problems: [problem] })
    else {
      group.problems.push(problem)
      if (RANK[problem.severity] < RANK[group.severity]) group.severity = problem.severity
    }
  }
  const list = [...groups.values()]
  if (by === 'file') for (const { problems: own } of list) own.sort((a, b) => RANK[a.severity] - RANK[b.severity])
  return list.sort(
    (a, b) => RANK[a.severity] - RANK[b.severity] || b.problems.length - a.problems.length || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0),
  )
}

export type FoundRow =
  { kind: 'group'; key: string; group: FoundGroup; open: boolean } | { kind: 'problem'; key: string; group: FoundGroup; problem: Problem }

/** @param opened groups whose findings are shown */
export function foundRows(groups: readonly FoundGroup[], opened: ReadonlySet<string>): FoundRow[] {
  const rows: FoundRow[] = []
  for (const group of groups) {
    const open = opened.has(group.key)
    rows.push({ kind: 'group', key: group.key, group, open })
    if (open) for (const [i, problem] of group.problems.entries()) rows.push({ kind: 'problem', key: `${group.key}|${i}`, group, problem })
  }
  return rows
}

/** A repair, and what it would be done to. */
export interface OfferedFix {
  id: string
  label: string
  count: number
  /** files with such findings, in their order */
  refs: string[]
}

/** Repairs that findings of one rule offer. */
export function fixesOf(problems: readonly Problem[], code: string): OfferedFix[] {
  const fixes = new Map<string, OfferedFix & { known: Set<string> }>()
  for (const problem of problems) {
    if (problem.code !== code) continue
    for (const { id, label } of problem.fixes ?? []) {
      let fix = fixes.get(id)
      if (!fix) fixes.set(id, (fix = { id, label, count: 0, refs: [], known: new Set() }))
      fix.count++
      if (!fix.known.has(problem.ref)) fix.refs.push(problem.ref)
      fix.known.add(problem.ref)
    }
  }
  return [...fixes.values()].map(({ id, label, count, refs }) => ({ id, label, count, refs }))
}
