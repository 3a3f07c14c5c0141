/** What differs between two files, folders, archives or models, and with a third what each made of it: one report for command line and window. */
import { toErrorData } from '../binary/format-error.ts'
import { changesOfTwo } from '../../shared/alike-changes.ts'
import { difference, expectAlike, isSame, threeWay } from '../workspace/compare.ts'
import { alignedFiles, sameArchives } from '../workspace/compare-trees.ts'
import { failureOf } from './failure.ts'
import type { ByteChange } from '../../shared/api/types/changes.ts'
import type { ErrorData } from '../../shared/api/errors.ts'
import type { FileStore } from '../files/store.ts'
import type { FileDifference } from '../workspace/compare.ts'
import type { TreeRow, TreeRows } from '../workspace/compare-trees.ts'
import type { FoundModel, ModelFinder } from './model-finder.ts'
import type { ComparedChange, ComparedFile, CompareReport, SideState } from '../../shared/api/types/compare.ts'
import { say } from '../../shared/texts/say.ts'

export interface CompareOptions {
  base?: string
  /** changes that are listed of one file */
  most?: number
  /** files that are listed, and changes of all of them together */
  mostRows?: number
  mostListed?: number
  /** the models that the paths mean in place of the files */
  models?: { modelOf(path: string): FoundModel; finder: ModelFinder }
  onProgress?: (report: Readonly<CompareReport>, current: string) => void
}

const MOST_CHANGES = 1000
/** Of all files together: a report has an end. */
const MOST_ROWS = 100_000
const MOST_LISTED = 500_000

/** @throws FormatError invalid-argument for paths that are not there, or a file against a folder */
export function compare(store: FileStore, a: string, b: string, options: CompareOptions = {}): CompareReport {
  const { base, models } = options
  // what is in a data file, its directory knows
  const refs = (base === undefined ? [a, b] : [a, b, base]).map((path) => store.archiveOfData(path))
  const report: CompareReport = {
    equal: true,
    a,
    b,
    ...(base === undefined ? {} : { base }),
    files: 0,
    same: 0,
    changed: 0,
    added: 0,
    removed: 0,
    differences: [],
    ...(base === undefined ? {} : { threeWay: [], conflicts: 0 }),
    omitted: 0,
    failures: [],
  }
  expectAlike(store, refs)
  const run = new Run(store, report, options)
  const onError = (ref: string, error: unknown): void => run.fail(ref, error)
  const rows = models ? modelFiles(models, refs) : alignedFiles(store, refs, { onError })
  for (let step = rows.next(); !step.done;) {
    options.onProgress?.(report, step.value.path)
    step = rows.next(run.row(step.value))
  }
  return report
}

class Run {
  private readonly store: FileStore
  private readonly report: CompareReport
  private readonly most: number
  private rowsLeft: number
  private changesLeft: number

  constructor(
    store: FileStore,
    report: CompareReport,
    { most = MOST_CHANGES, mostRows = MOST_ROWS, mostListed = MOST_LISTED }: Pick<CompareOptions, 'most' | 'mostRows' | 'mostListed'>,
  ) {
    this.store = store
    this.report = report
    this.most = most
    this.rowsLeft = mostRows
    this.changesLeft = mostListed
  }

  fail(ref: string, error: unknown): void {
    this.report.equal = false
    this.report.failures.push(failureOf(error, ref))
  }

  /** @returns whether it differs */
  row(row: TreeRow): boolean {
    const [a, b, base] = row.files
    const { report } = this
    try {
      if (row.files.length === 3) return this.threeWay(row, a, b, base)
      const found = this.pair(row, a, b)
      report.files++
      if (!found) report.same++
      else {
        report.equal = false
        report[found.state]++
        this.list(() => report.differences.push(found))
      }
      return found !== undefined
    } catch (error) {
      this.fail(toErrorData(error).file || (a ?? b ?? base)!, error)
      return true
    }
  }

  /** The difference as a row; nothing where there is none. */
  private pair(
    { path, shell }: Pick<TreeRow, 'path' | 'shell'>,
    from: string | undefined,
    to: string | undefined,
  ): ComparedFile | undefined {
    const none = { path, format: null, changedBytes: -1, changes: [], omitted: 0, differsFrom: -1 }
    if (from === undefined || to === undefined) {
      const size = this.store.stat((from ?? to)!).size
      return { ...none, state: from === undefined ? 'added' : 'removed', sizes: from === undefined ? [0, size] : [size, 0] }
    }
    if (shell) {
      if (sameArchives(this.store, [from, to])) return undefined
      return { ...none, state: 'changed', sizes: [this.store.stat(from).size, this.store.stat(to).size], shell }
    }
    const found = difference(this.store, from, to, this.room())
    return found && this.changed(path, found)
  }

  private changed(path: string, { broken, changes, format, sizes, changedBytes, omitted, differsFrom }: FileDifference): ComparedFile {
    for (const { ref, error } of broken) this.broken(ref, error)
    this.changesLeft -= changes.length
    return { path, state: 'changed', format, sizes, changedBytes, omitted, differsFrom, changes: changes.map(changeRow) }
  }

  private broken(ref: string, { code, message, path, offset }: ErrorData): void {
    if (this.report.failures.some((failure) => failure.path === ref)) return
    this.report.failures.push({ path: ref, code, message: path ? `${message} (${path})` : message, offset })
  }

  /** @returns whether one of the two differs from the base */
  private threeWay({ path, shell }: TreeRow, a?: string, b?: string, base?: string): boolean {
    const { report } = this
    report.files++
    const own = { path, shell }
    const states = [a, b].map((file): { state: SideState; row?: ComparedFile } => {
      if (file === undefined && base === undefined) return { state: 'absent' }
      const row = this.pair(own, base, file)
      return row ? { state: row.state, row } : { state: 'same' }
    })
    const [sideA, sideB] = states
    const alike = a === undefined || b === undefined ? a === b : this.same(a, b, shell)
    if (!alike) report.equal = false
    if (sideA.state === 'same' && sideB.state === 'same') {
      report.same++
      return false
    }
    const both = ![sideA.state, sideB.state].some((state) => state === 'same' || state === 'absent') && !alike
    const merged = both && !shell && base !== undefined && a !== undefined && b !== undefined ? threeWay(this.store, base, a, b) : undefined
    const apart = !both ? '' : merged ? merged.apart : say(shell && base !== undefined ? 'compare.shells' : 'compare.cameAndWent')
    const conflicts = (merged?.conflicts ?? []).map(({ path: at, base: was, game, mine }) => ({ path: at, base: was, a: game, b: mine }))
    report.conflicts! += conflicts.length + (apart ? 1 : 0)
    const state = sideA.state === 'same' || sideA.state === 'absent' ? sideB.state : sideA.state
    report[state as ComparedFile['state']]++
    this.list(() =>
      report.threeWay!.push({ path, a: sideA.state, b: sideB.state, changedByA: sideA.row, changedByB: sideB.row, conflicts, apart }),
    )
    return true
  }

  private same(a: string, b: string, shell?: true): boolean {
    return shell ? sameArchives(this.store, [a, b]) : isSame(this.store, a, b)
  }

  private list(add: () => void): void {
    if (this.rowsLeft-- > 0) add()
    else this.report.omitted++
  }

  /** Changes that one file may list. */
  private room(): number {
    return this.rowsLeft > 0 ? Math.min(this.most, this.changesLeft) : 0
  }
}

function changeRow({ path, entry, before, after, whole, moved, follows, start, end, newStart, newEnd }: ByteChange): ComparedChange {
  return {
    path,
    ...(entry?.label ? { key: entry.label } : {}),
    before,
    after,
    ...(whole ? { whole } : {}),
    ...(moved ? { moved } : {}),
    ...(follows ? { follows } : {}),
    offset: start,
    bytes: end - start,
    newOffset: newStart,
    newBytes: newEnd - newStart,
  }
}

/** Files of the models, by what they are to them; several of one role in their order. */
function* modelFiles(models: NonNullable<CompareOptions['models']>, paths: readonly string[]): TreeRows {
  const sides = paths.map((path) => models.modelOf(path).binding.members)
  let differs = false
  const roles = new Set(sides.flatMap((members) => members.map(({ role }) => role)))
  for (const role of roles) {
    const own = sides.map((members) => members.filter((member) => member.role === role))
    for (let i = 0; i < Math.max(...own.map((list) => list.length)); i++) {
      const files = own.map((list) => list[i] && models.finder.source(list[i].ref))
      if (yield { path: i > 0 ? `${role} ${i + 1}` : role, files }) differs = true
    }
  }
  return differs
}

// --- as text ---------------------------------------------------------------------------------------------------

export function* compareText(report: CompareReport): Generator<string> {
  for (const row of report.differences) yield* fileLines(row)
  for (const row of report.threeWay ?? []) {
    yield `${say('compare.sides', { path: row.path || report.base!, a: say(`compare.state.${row.a}`), b: say(`compare.state.${row.b}`) })}\n`
    const { changedByA, changedByB } = row
    const { alike, a, b } = changesOfTwo(changedByA, changedByB)
    yield* placeLines(alike, '  A B ')
    if (changedByA?.state === 'changed') yield* changeLines({ ...changedByA, changes: a }, '  A ')
    if (changedByB?.state === 'changed') yield* changeLines({ ...changedByB, changes: b }, '  B ')
    for (const { path, base, a, b } of row.conflicts) yield `  ${say('compare.conflict', { path, base, a, b })}\n`
    if (row.apart) yield `  ${say('compare.apart', { why: row.apart })}\n`
  }
  for (const { path, code, message, offset } of report.failures)
    yield `${offset >= 0 ? say('reports.failureAt', { path, code, offset, message }) : say('reports.failure', { path, code, message })}\n`
  if (report.omitted > 0) yield `${say('compare.moreFiles', { count: report.omitted })}\n`
  const { files: count, same, changed, added, removed } = report
  yield `${say('compare.sum', { count, same, changed, added, removed })}\n`
  if (report.conflicts !== undefined) yield `${say('compare.conflicts', { count: report.conflicts })}\n`
}

function* fileLines(row: ComparedFile): Generator<string> {
  if (row.path) yield `${say('compare.file', { path: row.path, state: say(`compare.state.${row.state}`) })}\n`
  if (row.state === 'changed') yield* changeLines(row, row.path ? '  ' : '')
}

function* changeLines({ changes, omitted, differsFrom, shell, sizes }: ComparedFile, indent: string): Generator<string> {
  if (shell) yield `${indent}${say('compare.shell')}\n`
  if (differsFrom >= 0) yield `${indent}${say('compare.differsFrom', { at: differsFrom, from: sizes[0], to: sizes[1] })}\n`
  yield* placeLines(changes, indent)
  if (omitted > 0) yield `${indent}${say('compare.moreChanges', { count: omitted })}\n`
}

function* placeLines(changes: readonly ComparedChange[], indent: string): Generator<string> {
  for (const { path, key, before, after, whole, moved, offset } of changes) {
    const at = path ? (key ? `${path} (${key})` : path) : say('compare.atByte', { at: offset })
    if (moved) yield `${indent}~ ${say('compare.moved', { at, from: moved.from, to: moved.to })}\n`
    else if (whole === 'added') yield `${indent}+ ${at}: ${after}\n`
    else if (whole === 'removed') yield `${indent}- ${at}: ${before}\n`
    else yield `${indent}${at}: ${before || say('compare.nothing')} -> ${after || say('compare.nothing')}\n`
  }
}
