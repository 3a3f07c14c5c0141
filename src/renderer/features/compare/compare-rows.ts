/** A comparison as rows: files, and below each what differs; with a common original, who changed it. */
import { changesOfTwo } from '../../../shared/alike-changes.ts'
import type { ComparedChange, ComparedFile, ComparedSides, Comparison } from '../../../shared/api/types/compare.ts'

/** Whose change it is, where both were made from one original. */
type Whose = 'mine' | 'theirs' | 'both' | 'alike'

export type CompareRow =
  | { kind: 'file'; key: string; path: string; open: boolean | undefined; file?: ComparedFile; sides?: ComparedSides; count: number }
  | { kind: 'change'; key: string; at: string; before: string; after: string; whole?: 'added' | 'removed'; moved?: boolean; whose?: Whose }
  | {
      kind: 'note'
      key: string
      what: 'shell' | 'differsFrom' | 'omitted' | 'apart' | 'failed' | 'more'
      file?: ComparedFile
      why?: string
    }

/** @param turned files that are opened, or the only one closed */
export function compareRows({ differences, threeWay = [], failures, omitted }: Comparison, turned: ReadonlySet<string>): CompareRow[] {
  const alone = differences.length + threeWay.length === 1
  const rows: CompareRow[] = []
  const put = (
    path: string,
    more: Pick<Extract<CompareRow, { kind: 'file' }>, 'file' | 'sides'>,
    below: CompareRow[],
    count: number,
  ): void => {
    const open = below.length > 0 ? turned.has(path) !== alone : undefined
    rows.push({ kind: 'file', key: path, path, open, count, ...more })
    if (open) for (const row of below) rows.push(row)
  }
  for (const file of differences) put(file.path, { file }, changesOf(file, file.path), countOf(file))
  for (const sides of threeWay) {
    const { path, changedByA, changedByB, conflicts, apart } = sides
    const inBoth = new Set(conflicts.map((conflict) => conflict.path))
    const below: CompareRow[] = conflicts.map(({ path: at, a, b }, i) => ({
      kind: 'change',
      key: `${path}|both|${i}`,
      at,
      before: a,
      after: b,
      whose: 'both',
    }))
    if (apart) below.unshift({ kind: 'note', key: `${path}|apart`, what: 'apart', why: apart })
    const { alike, a, b } = changesOfTwo(changedByA, changedByB)
    below.push(...alike.map((change, i) => rowOf(change, `${path}|alike|${i}`, 'alike')))
    for (const [whose, file, changes] of [
      ['mine', changedByA, a],
      ['theirs', changedByB, b],
    ] as const)
      if (file)
        below.push(
          ...changesOf({ ...file, changes }, `${path}|${whose}`, whose).filter((row) => row.kind !== 'change' || !inBoth.has(row.at)),
        )
    const count = [changedByA, changedByB].reduce((n, file) => n + (file ? countOf(file) : 0), 0)
    put(path, { sides }, below, count - alike.length)
  }
  for (const [i, { path, message }] of failures.entries())
    rows.push({ kind: 'note', key: `failed|${i}`, what: 'failed', why: `${path}: ${message}` })
  if (omitted > 0) rows.push({ kind: 'note', key: 'more', what: 'more', why: String(omitted) })
  return rows
}

function countOf({ changes, omitted }: ComparedFile): number {
  return changes.length + omitted
}

function rowOf(change: ComparedChange, key: string, whose?: Whose): CompareRow {
  return {
    kind: 'change',
    key,
    at: placeOf(change),
    before: change.moved ? String(change.moved.from) : change.before,
    after: change.moved ? String(change.moved.to) : change.after,
    ...(change.whole && !change.moved && { whole: change.whole }),
    ...(change.moved && { moved: true }),
    ...(whose && { whose }),
  }
}

function changesOf(file: ComparedFile, key: string, whose?: Whose): CompareRow[] {
  const rows = file.changes.map((change, i) => rowOf(change, `${key}|${i}`, whose))
  if (file.shell) rows.unshift({ kind: 'note', key: `${key}|shell`, what: 'shell', file })
  if (file.differsFrom >= 0) rows.unshift({ kind: 'note', key: `${key}|from`, what: 'differsFrom', file })
  if (file.omitted > 0) rows.push({ kind: 'note', key: `${key}|more`, what: 'omitted', file })
  return rows
}

/** Bytes that no field has are told by where they stand. */
function placeOf({ path, key, offset }: ComparedChange): string {
  if (!path) return `0x${offset.toString(16)}`
  return key ? `${path} (${key})` : path
}
