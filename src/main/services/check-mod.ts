/** What a mod changed in its files on disk, and what the families' rules find in them, whether a window has them open or not. Changes nothing. */
import { join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { FormatError, toErrorData } from '../binary/format-error.ts'
import { MemoryNeighbourhood } from '../files/memory-neighbourhood.ts'
import { readForDecoding } from '../files/open-document.ts'
import { looksBack, originalOf, withScene } from './judge.ts'
import { difference } from '../workspace/compare.ts'
import { alignedFiles } from '../workspace/compare-trees.ts'
import { baseName } from '../../shared/ref.ts'
import { say } from '../../shared/texts/say.ts'
import type { FileStore } from '../files/store.ts'
import type { AssembledModel } from '../formats/binding.ts'
import type { FileDifference } from '../workspace/compare.ts'
import type { ChangedPair } from '../workspace/changed-files.ts'
import type { TreeRow } from '../workspace/compare-trees.ts'
import type { FoundModel, ModelFinder } from './model-finder.ts'
import type { Diagnostic } from '../../shared/api/errors.ts'
import type { ChangedPlace, ModFileReport } from '../../shared/api/types/mod.ts'
import type { Problem } from '../../shared/api/types/model.ts'

export interface CheckJob {
  kind: 'check'
  root: string
  pairs: readonly ChangedPair[]
}

interface CheckTools {
  store: FileStore
  finder: ModelFinder
  cancelled(): boolean
  onProgress(progress: { done: number; total: number; current: string }): void
}

/** Places and problems that are told of one file: a summary has an end. */
const MOST_PLACES = 200
const MOST_PROBLEMS = 500
/** Changes that a file is looked through for its places. */
const MOST_CHANGES = 2000

/** A file, or a member of an archive, that is not as the game has it. */
interface Changed {
  /** as the library names it */
  ref: string
  /** as it is now */
  now: string
  /** what the game has in its place, '' for nothing */
  before: string
  /** of a member: its name in the archive */
  member: string
}

/** @throws FormatError cancelled; trouble of single files is in their reports */
export async function checkMod({ root, pairs }: CheckJob, tools: CheckTools): Promise<ModFileReport[]> {
  const reports: ModFileReport[] = []
  const lint = new Lint(tools.store, tools.finder)
  for (const [done, pair] of pairs.entries()) {
    await breathe()
    if (tools.cancelled()) throw new FormatError('cancelled', say('workers.workStopped'), { file: root })
    tools.onProgress({ done, total: pairs.length, current: pair.path })
    const report: ModFileReport = {
      ref: pair.member?.ref ?? join(root, pair.path),
      path: pair.path,
      changes: 0,
      changedBytes: 0,
      places: [],
      omitted: 0,
      problems: [],
      unread: '',
    }
    const found: Problem[] = []
    for (const changed of compared(pair, report, tools)) {
      if (tools.cancelled()) break
      found.push(...lint.of(changed))
    }
    report.problems = found.slice(0, MOST_PROBLEMS)
    reports.push(report)
  }
  return reports
}

/** What differs goes into the report. @returns the files that the rules are to look at */
function compared({ original: file, now, member: stood }: ChangedPair, report: ModFileReport, { store, cancelled }: CheckTools): Changed[] {
  const original = stood?.ref ?? file
  const whole: Changed = { ref: report.ref, now, before: original ?? '', member: '' }
  if (!original) return [whole]
  const changed: Changed[] = []
  const onError = (_: string, error: unknown): void => void (report.unread ||= toErrorData(error, now).message)
  try {
    const rows = alignedFiles(store, [original, now], { onError })
    for (let step = rows.next(); !step.done && !cancelled();) step = rows.next(take(store, step.value, whole, report, changed))
  } catch (error) {
    onError(now, error)
  }
  return changed.length > 0 ? changed : [whole]
}

/** @returns whether the row differs */
function take(
  store: FileStore,
  { path: member, files, shell }: TreeRow,
  whole: Changed,
  report: ModFileReport,
  changed: Changed[],
): boolean {
  const [from, to] = files
  const ref = whole.ref + (to ?? '').slice(whole.now.length)
  const add = (place: Omit<ChangedPlace, 'ref' | 'member'>): void => {
    report.changes += place.count
    if (report.places.length < MOST_PLACES) report.places.push({ ref, member, ...place })
    else report.omitted += place.count
  }
  const plain = { path: '', offset: -1, before: '', after: '', count: 1 }
  if (from === undefined || to === undefined) add({ ...plain, what: '', came: from === undefined ? 'added' : 'removed' })
  else if (shell) add({ ...plain, what: say('compare.shell') })
  else {
    const found = difference(store, from, to, MOST_CHANGES)
    if (!found) return false
    if (found.broken.length > 0) report.unread ||= found.broken[0].error.message
    report.changedBytes += Math.max(0, found.changedBytes)
    if (found.differsFrom >= 0)
      add({
        ...plain,
        offset: found.differsFrom,
        what: say('compare.differsFrom', { at: found.differsFrom, from: found.sizes[0], to: found.sizes[1] }),
      })
    else for (const place of placesOf(found)) add(place)
  }
  if (to !== undefined) changed.push({ ref, now: to, before: from ?? '', member })
  return true
}

/** One for each node that has changes of its own. A lone change tells its values. */
function placesOf({ nodes, changes }: FileDifference): Omit<ChangedPlace, 'ref' | 'member'>[] {
  const own = nodes.map(({ count }) => count)
  for (const { parent, count } of nodes) if (parent >= 0) own[parent] -= count
  return nodes.flatMap(({ path, summary, type, newStart }, n) => {
    if (own[n] <= 0) return []
    const lone = own[n] === 1 ? changes.find(({ node }) => node === n) : undefined
    const what = summary || type
    if (!lone) return [{ path, offset: newStart, what, before: '', after: '', count: own[n] }]
    const { path: at, whole, moved, before, after, newStart: offset } = lone
    if (whole && !moved) return [{ path: at, offset, what, before: '', after: '', count: 1, came: whole }]
    return [{ path: at, offset, what, before: moved ? '' : before, after: moved ? '' : after, count: 1 }]
  })
}

/** The rules over files as they were saved. Files of one model stand together: the model is made once for them. */
class Lint {
  private readonly store: FileStore
  private readonly finder: ModelFinder
  private last: { found: FoundModel; assembled: AssembledModel } | undefined

  constructor(store: FileStore, finder: ModelFinder) {
    this.store = store
    this.finder = finder
  }

  of(changed: Changed): Problem[] {
    let found: Diagnostic[] = []
    try {
      this.look(changed, found)
      found = withScene(found, this.sceneOf(changed))
    } catch (error) {
      const { code, message, path, offset } = toErrorData(error, changed.now)
      // what no format knows is nothing that rules could be about
      if (code !== 'unsupported') found.push({ code: `marrow.${code}`, severity: 'error', message, ref: changed.ref, path, offset })
    }
    const seen = new Set<string>()
    return found.flatMap(({ code, severity, message, path, offset }) => {
      const key = [code, path, offset, message].join('\0')
      if (seen.has(key)) return []
      seen.add(key)
      return [{ code, severity, message, path, offset, ref: changed.ref, file: changed.member || baseName(changed.ref) }]
    })
  }

  private look({ ref, now, before }: Changed, into: Diagnostic[]): void {
    const { format, bytes } = readForDecoding(this.store, now)
    const document = format.decode(bytes, ref)
    into.push(...document.diagnostics)
    const family = this.store.registry.familyById(format.family)
    const was = before && looksBack(family, format) && this.store.exists(before) ? this.store.read(before) : undefined
    const original = originalOf(family, format, ref, bytes, was)
    if (!this.store.exists(ref)) {
      // the game has no such file: what stands beside it in the mod folder is all that is around it
      const around = MemoryNeighbourhood.around(this.store, now)
      into.push(...(family?.lint(document, { around, load: (other) => around.document(other), binding: undefined, original }) ?? []))
      return
    }
    const { found } = this.model(ref)
    const load = (other: string) => found.around.document(this.finder.source(other))
    into.push(...(family?.lint(document, { around: found.around, load, binding: found.binding, original }) ?? []))
  }

  /** What the scene says of a file. */
  private sceneOf({ ref }: Changed): Diagnostic[] {
    return this.store.exists(ref) ? this.model(ref).assembled.diagnostics.filter((diagnostic) => diagnostic.ref === ref) : []
  }

  private model(ref: string): { found: FoundModel; assembled: AssembledModel } {
    const model = this.finder.find(ref)
    if (this.last?.found.binding.primary !== model.binding.primary || this.last.found.binding.name !== model.binding.name)
      this.last = { found: model, assembled: this.finder.assembleSaved(model) }
    return this.last
  }
}
