/**
 * What a thread and its workers say to each other, the same for `worker_threads` and web workers: orders with a number, and to each of them
 * progress, then a result or an error as data. Orders are done one after the other.
 */
import type { ErrorData } from '../api/errors.ts'
import type { Locale } from '../texts/say.ts'

/** Jobs by name: what each takes and gives, and what it tells on the way. All of it is cloned, or handed over by `transfer`. */
export type Jobs<J> = { [K in keyof J]: { takes: unknown; gives: unknown; tells?: unknown } }

export type Tells<T> = T extends { tells: infer P } ? P : never

export interface Order {
  id: number
  job: string
  input: unknown
  /** one Int32, 1 to stop: for jobs that look at it while they run and leave nothing half done */
  cancel?: SharedArrayBuffer
  /** where the worker says what it is at the disk for (disk-mark.ts) */
  mark?: SharedArrayBuffer
  /** the language of the host, where it is not English: what the job says is for the host's user */
  locale?: Locale
}

export type Reply = { id: number; progress: unknown } | { id: number; result: unknown } | { id: number; error: ErrorData }

/** One end of the line to a worker, as its host holds it. */
export interface WorkerLine {
  send(order: Order, transfer: readonly ArrayBuffer[]): void
  /** @param ended is told why a worker is gone: an error that nobody caught, or that it ended; never after `end` */
  listen(reply: (reply: Reply) => void, ended: (why: string) => void): void
  /** ends the worker, whatever it does */
  end(): void | Promise<unknown>
}

/** One end of the line to its host, as a worker holds it. */
export interface HostLine {
  send(reply: Reply, transfer: readonly ArrayBuffer[]): void
  listen(order: (order: Order) => void): void
}
