/** Errors of calls as data, whatever the transport threw. */
import type { ErrorData } from '../../shared/api/errors.ts'
import { formatOffset } from '../ui/format.ts'
import { baseName } from '../../shared/ref.ts'
import { say } from '../../shared/texts/say.ts'

function isErrorData(value: unknown): value is ErrorData {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as ErrorData).code === 'string' &&
    typeof (value as ErrorData).message === 'string'
  )
}

export function errorData(error: unknown): ErrorData {
  const inner = (error as { data?: unknown } | null)?.data
  const source = isErrorData(inner) ? inner : isErrorData(error) ? error : undefined
  if (source) {
    return {
      code: source.code,
      message: source.message,
      file: source.file ?? '',
      path: source.path ?? '',
      offset: source.offset ?? -1,
      expected: source.expected,
      actual: source.actual,
    }
  }
  const aborted = (error as { name?: string } | null)?.name === 'AbortError'
  return {
    code: aborted ? 'cancelled' : 'internal',
    message: error instanceof Error ? error.message : String(error),
    file: '',
    path: '',
    offset: -1,
  }
}

/** `info.cfg · slices[2].start · at 0x1c0 · expected 4, found 9` */
export function errorText(error: ErrorData, withMessage = true): string {
  const parts = withMessage ? [error.message] : []
  if (error.file) parts.push(baseName(error.file))
  if (error.path) parts.push(error.path)
  if (error.offset >= 0) parts.push(say('common.error.at', { offset: formatOffset(error.offset) }))
  const { expected, actual } = error
  if (expected !== undefined)
    parts.push(
      actual === undefined ? say('common.error.expected', { expected }) : say('common.error.expectedAndFound', { expected, actual }),
    )
  return parts.join(' · ')
}
