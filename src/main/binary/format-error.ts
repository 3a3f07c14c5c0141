import type { ErrorCode, ErrorData } from '../../shared/api/errors.ts'

/** The one exception of readers, writers and services. Carries its place; crosses the contract whole. */
export class FormatError extends Error {
  readonly code: ErrorCode
  /** the file that the bytes came from */
  file: string
  /** the field, e.g. `hierarchy.pivots[3].parent` */
  readonly path: string
  /** byte offset in the file, -1 for none */
  readonly offset: number
  readonly expected?: string
  readonly actual?: string

  constructor(code: ErrorCode, message: string, place: Partial<Omit<ErrorData, 'code' | 'message'>> = {}) {
    super(message)
    this.name = 'FormatError'
    this.code = code
    this.file = place.file ?? ''
    this.path = place.path ?? ''
    this.offset = place.offset ?? -1
    this.expected = place.expected
    this.actual = place.actual
  }

  toData(): ErrorData {
    return {
      code: this.code,
      message: this.message,
      file: this.file,
      path: this.path,
      offset: this.offset,
      expected: this.expected,
      actual: this.actual,
    }
  }
}

/** Codes with which a codec says that it knows a file and does not read it, by design. */
export function isRefusal(error: unknown): boolean {
  return error instanceof FormatError && (error.code === 'refused' || error.code === 'unsupported')
}

/** Any thrown value as error data; what is no FormatError is an `internal` error or, for Node's own, `io`. */
export function toErrorData(error: unknown, file = ''): ErrorData {
  if (error instanceof FormatError) return { ...error.toData(), file: error.file || file }
  const message = error instanceof Error ? error.message : String(error)
  const system = typeof (error as { code?: unknown })?.code === 'string' && typeof (error as { syscall?: unknown })?.syscall === 'string'
  const missing = system && (error as { code: string }).code === 'ENOENT'
  return { code: missing ? 'not-found' : system || isDiskTrouble(error) ? 'io' : 'internal', message, file, path: '', offset: -1 }
}

/** What SQLite says when the disk is full, read-only or held by somebody; its other codes are faults of the one who asked. */
function isDiskTrouble(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^SQLITE_(FULL|READONLY|IOERR|CANTOPEN|BUSY|LOCKED)/.test(code)
}
