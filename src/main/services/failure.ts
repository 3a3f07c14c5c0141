/** An error as reports list it. */
import { toErrorData } from '../binary/format-error.ts'
import type { Failure } from '../../shared/api/types/compare.ts'

export function failureOf(error: unknown, path: string): Failure {
  const data = toErrorData(error, path)
  return { path, code: data.code, message: data.path ? `${data.message} (${data.path})` : data.message, offset: data.offset }
}
