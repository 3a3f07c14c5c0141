import type { ErrorCode, ErrorData } from '../../shared/api/errors.ts'
import { systemTrouble } from './system-trouble.ts'

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

/** Any thrown value as error data; what is no FormatError is an `internal` error or, for the system's own, `io` and in words. */
export function toErrorData(error: unknown, file = ''): ErrorData {
  if (error instanceof FormatError) return { ...error.toData(), file: error.file || file }
  const message = error instanceof Error ? error.message : String(error)
  const trouble = systemTrouble(error, file)
  if (trouble) return { code: trouble.missing ? 'not-found' : 'io', message: trouble.message, file, path: '', offset: -1 }
  return { code: isSystemTrouble(error) ? 'io' : 'internal', message, file, path: '', offset: -1 }
}

/** Of a connection; what SQLite says when the disk is full, read-only or held by somebody: its other codes are faults of the one who asked. */
function isSystemTrouble(error: unknown): boolean {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown }
  if (typeof syscall === 'string') return true
  return typeof code === 'string' && /^SQLITE_(FULL|READONLY|IOERR|CANTOPEN|BUSY|LOCKED)/.test(code)
}
