/** A worker's own side: does what it is ordered to, and answers, in its host's language. */
import type { ErrorData } from '../api/errors.ts'
import { setLocale } from '../texts/say.ts'
import { DiskMark, type DiskTouch } from './disk-mark.ts'
import type { HostLine, Jobs, Order, Tells } from './protocol.ts'

export interface Work<P> {
  /** Told to the host at most every so often, unless it must be. True where it was told. */
  progress(value: P, must?: boolean): boolean
  /** the host wants it no more */
  cancelled(): boolean
  /** told of each call of the system that a drive may leave without an answer; absent where the host does not look */
  disk?: DiskTouch
  /** buffers of the result that are handed over and not copied; what is missing is skipped */
  transfer(lists: readonly (ArrayBufferView | undefined)[]): void
}

export type JobHandlers<J extends Jobs<J>> = {
  [K in keyof J]: (input: J[K]['takes'], work: Work<Tells<J[K]>>) => J[K]['gives'] | Promise<J[K]['gives']>
}

export interface ServeOptions {
  toData: (error: unknown) => ErrorData
  /** ms between two words of progress: more than that nobody sees */
  every?: number
}

export function serveJobs<J extends Jobs<J>>(line: HostLine, handlers: JobHandlers<J>, { toData, every = 100 }: ServeOptions): void {
  // which job takes what is proven where they are given
  const byName = handlers as unknown as Record<string, (input: unknown, work: Work<never>) => unknown>
  line.listen(({ id, job, input, cancel, mark, locale = 'en' }: Order) => {
    setLocale(locale)
    const flag = cancel && new Int32Array(cancel)
    const buffers = new Set<ArrayBuffer>()
    // the first word comes at once
    let told = -Infinity
    const work: Work<never> = {
      progress(value, must = false) {
        const now = performance.now()
        if (!must && now - told < every) return false
        told = now
        line.send({ id, progress: value }, [])
        return true
      },
      ...(mark && { disk: new DiskMark(mark) }),
      cancelled: () => flag !== undefined && Atomics.load(flag, 0) === 1,
      transfer(lists) {
        for (const list of lists) if (list?.buffer instanceof ArrayBuffer) buffers.add(list.buffer)
      },
    }
    const handler = byName[job]
    void (async () => handler(input, work))().then(
      (result) => line.send({ id, result }, [...buffers]),
      (error: unknown) => line.send({ id, error: toData(error) }, []),
    )
  })
}
