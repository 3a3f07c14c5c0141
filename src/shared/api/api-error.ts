import type { ErrorCode, ErrorData } from './errors.ts'

/** What a call of the contract is rejected with: the error of the main process, whole. */
export class ApiError extends Error {
  readonly data: ErrorData

  constructor(data: ErrorData) {
    super(data.message)
    this.name = 'ApiError'
    this.data = data
  }

  get code(): ErrorCode {
    return this.data.code
  }
}

export function apiError(code: ErrorCode, message: string): ApiError {
  return new ApiError({ code, message, file: '', path: '', offset: -1 })
}
