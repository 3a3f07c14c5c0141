/** What stand-ins of the services fail with, and how long they take. */
import type { ErrorData } from '../../shared/api/errors.ts'

export class FakeError extends Error {
  readonly data: ErrorData
  constructor(data: Partial<ErrorData> & { code: ErrorData['code']; message: string }) {
    super(data.message)
    this.data = { file: '', path: '', offset: -1, ...data }
  }
}

export const wait = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(new FakeError({ code: 'cancelled', message: 'Cancelled' }))
    })
  })
