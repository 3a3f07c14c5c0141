/** Handlers whose failures, and long jobs, leave a line in the log. Remembers which files failed, for diagnostics. */
import { isAbsolute } from 'node:path'
import { FormatError, toErrorData } from '../binary/format-error.ts'
import { baseName } from '../../shared/ref.ts'
import type { ErrorCode } from '../../shared/api/errors.ts'
import type { FailingFile } from '../../shared/api/desktop.ts'
import type { CallName, CallResult } from '../../shared/api/contract.ts'
import type { Log } from './log.ts'
import type { Handlers } from './service.ts'

const MOST_FAILING = 5
/** Broken files of one scan that are named; the library lists all of them. */
const MOST_NAMED = 20

/** What a file is to blame for. */
const ABOUT_FILES: ReadonlySet<ErrorCode> = new Set([
  'truncated',
  'bad-magic',
  'bad-count',
  'bad-value',
  'unsupported',
  'not-lossless',
  'internal',
])

type Told = { [K in CallName]?: (result: CallResult<K>) => string }

/* eslint-disable texts/in-catalogue -- the log is for reports, and speaks English */
/** Long jobs, in one line each. */
const JOBS: Told = {
  'library.scan': (r) => `${r.files} files, ${r.models} models, ${r.errors.length} broken, ${r.seconds.toFixed(1)} s`,
  'library.openSample': (r) => `${r.files} files`,
  'lint.library': (r) => `${r.files} files, ${r.problems} problems`,
  'export.batch': (r) =>
    `${r.exported} of ${r.total} models, ${r.failures.length} failed, ${r.seconds.toFixed(1)} s${r.cancelled ? ', stopped' : ''}`,
  'export.model': (r) => `${r.files.length} files`,
  'modPackage.export': (r) => `${r.files.length} files, ${r.size} bytes`,
  'modPackage.build': (r) => `${r.written} of ${r.files.length} files written`,
  'save.copy': (r) => `${r.saved.length} files saved, ${r.failed.length} not`,
  'save.write': (r) => `${r.saved.length} files saved, ${r.failed.length} not`,
  'import.animation': (r) => `revision ${r.info.revision}`,
  'recovery.restore': (r) => `revision ${r.info.revision}`,
}
/* eslint-enable texts/in-catalogue */

export class FailingFiles {
  private list: FailingFile[] = []

  add(ref: string, message: string): void {
    // bytes that came from the window have no file to look into
    if (isAbsolute(ref))
      this.list = [{ ref, name: baseName(ref), message }, ...this.list.filter((file) => file.ref !== ref)].slice(0, MOST_FAILING)
  }

  /** Newest first. */
  all(): readonly FailingFile[] {
    return this.list
  }
}

export function withLog(handlers: Handlers, log: Log, failing: FailingFiles): Handlers {
  const wrapped = Object.entries(handlers).map(([name, handler]) => {
    const call = handler as (args: unknown, context: { signal: AbortSignal }) => unknown
    const lineOf = JOBS[name as CallName] as ((result: unknown) => string) | undefined
    const note = (error: unknown, signal: AbortSignal | undefined): never => {
      const data = toErrorData(error)
      if (data.code !== 'cancelled' && !signal?.aborted) {
        log.failure(name, error)
        if (ABOUT_FILES.has(data.code)) failing.add(data.file, data.message)
      }
      throw error
    }
    const done = (result: unknown): unknown => {
      if (lineOf) log.write('info', `${name}: ${lineOf(result)}`)
      if (name === 'library.scan') noteScan(result as CallResult<'library.scan'>, log, failing)
      if (name === 'model.open') noteUnread(result as CallResult<'model.open'>, log, failing)
      return result
    }
    const run = (args: unknown, context: { signal: AbortSignal }): unknown => {
      try {
        const result = call(args, context)
        if (result instanceof Promise) return result.then(done, (error: unknown) => note(error, context?.signal))
        return done(result)
      } catch (error) {
        return note(error, context?.signal)
      }
    }
    return [name, run]
  })
  return Object.fromEntries(wrapped) as Handlers
}

/** Files of a model that are there and cannot be read: it opens without them. */
function noteUnread({ info }: CallResult<'model.open'>, log: Log, failing: FailingFiles): void {
  for (const { ref, error } of info.files.slice(0, MOST_NAMED)) {
    if (!error) continue
    log.failure('model.open', new FormatError('bad-value', error, { file: ref }))
    failing.add(ref, error)
  }
}

function noteScan({ errors }: CallResult<'library.scan'>, log: Log, failing: FailingFiles): void {
  for (const { path, code, message, offset } of errors.slice(0, MOST_NAMED).reverse()) {
    log.failure('library.scan', new FormatError(code as ErrorCode, message, { file: path, offset }))
    failing.add(path, message)
  }
  if (errors.length > MOST_NAMED) log.write('warning', `library.scan: ${errors.length - MOST_NAMED} more broken files`)
}
