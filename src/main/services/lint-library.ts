/** What the rules find in all files of a library, told while it is found. Changes nothing. */
import { setImmediate as breathe } from 'node:timers/promises'
import { FormatError, isRefusal, toErrorData } from '../binary/format-error.ts'
import { leftOutOf } from '../files/left-out.ts'
import { walk } from '../files/walk.ts'
import { baseName } from '../../shared/ref.ts'
import { say } from '../../shared/texts/say.ts'
import { judged } from './judge.ts'
import { baselineOf } from './lint-baseline.ts'
import type { FileStore } from '../files/store.ts'
import type { Diagnostic } from '../../shared/api/errors.ts'
import type { LibraryLint } from '../../shared/api/types/lint.ts'
import type { Problem } from '../../shared/api/types/model.ts'
import type { Originals } from '../workspace/originals.ts'
import type { Judged } from './judge.ts'
import type { JobTools } from './model-jobs.ts'
import type { ModelFinder } from './model-finder.ts'

export interface LintJob {
  kind: 'lint'
  root: string
  /** places of the folders that the user leaves out */
  leftOut: readonly string[]
  /** since the originals that were kept, or the game under the mod folder */
  onlyNew: boolean
}

interface LintTools extends Pick<JobTools, 'cancelled' | 'onProgress' | 'touch'> {
  store: FileStore
  finder: ModelFinder
  originals: Originals
}

/** Findings that are told: a list has an end. */
const MOST_PROBLEMS = 50_000

/** @throws FormatError cancelled; a file that cannot be read is a finding */
export async function lintLibrary({ root, leftOut, onlyNew }: LintJob, tools: LintTools): Promise<LibraryLint> {
  const { store, finder, originals } = tools
  const result: LibraryLint = { files: 0, problems: 0, omitted: 0 }
  const step = { done: 0, total: 0, current: '' }
  const tell = (found: Diagnostic[], must = false): void => {
    const room = Math.max(0, MOST_PROBLEMS - result.problems)
    result.problems += found.length
    result.omitted = Math.max(0, result.problems - MOST_PROBLEMS)
    tools.onProgress({ ...step, failures: [], problems: found.slice(0, room).map((one) => problemOf(one, store)) }, must)
  }
  const unread: Diagnostic[] = []
  // links to one file count once, however often it is met
  const found = walk(root, (error) => unread.push(broken(error, error.file)), undefined, tools.touch, leftOutOf(root, leftOut))
  const files = [...found].map(({ path }) => path)
  step.total = files.length
  tell(unread)
  const seen = new Set<string>()
  const baseline = await baselineOf({ store, finder }, originals, [root], onlyNew)
  const around = oneByOne(files, (file) => {
    step.current = file
    step.done++
  })
  for (const { ref, recognised, found, error } of judged({ store, finder }, root, around, {
    counts: () => true,
    baseline,
    onlyNew,
    seen,
  })) {
    await breathe()
    if (tools.cancelled()) throw new FormatError('cancelled', say('workers.workStopped'), { file: root })
    step.current = ref
    if (recognised) result.files++
    tell([...found.map((one) => ({ ...one, ref: one.ref || ref })), ...failed({ ref, error })])
  }
  tell([], true)
  return result
}

function* oneByOne(files: readonly string[], next: (file: string) => void): Generator<string> {
  for (const file of files) {
    yield file
    next(file)
  }
}

/** A format that knows a file and does not read it says why: that is no fault of the file. */
function failed({ ref, error }: Pick<Judged, 'ref' | 'error'>): Diagnostic[] {
  if (error === undefined) return []
  return [{ ...broken(error, ref), severity: isRefusal(error) ? 'info' : 'error' }]
}

function broken(error: unknown, ref: string): Diagnostic {
  const { code, message, path, offset } = toErrorData(error, ref)
  return { code: `marrow.${code}`, severity: 'error', message, ref, path, offset }
}

function problemOf(found: Diagnostic, { registry }: FileStore): Problem {
  const { fixes, ...rest } = found
  // a repair is offered where its family can do it
  const offered = fixes?.filter(({ id }) => registry.families.some((family) => family.fixes?.[id]))
  return { ...rest, ...(offered?.length && { fixes: offered }), file: baseName(found.ref) }
}
