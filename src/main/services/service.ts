import type { Leave } from './boundary.ts'
import type { CallArgs, CallName, CallResult } from '../../shared/api/contract.ts'
import type { EventMap, EventName } from '../../shared/api/events.ts'

/** One implementation per call. `signal` aborts when the caller cancels or goes away. */
export type Handlers = { [K in CallName]: (args: CallArgs<K>, context: { signal: AbortSignal }) => CallResult<K> | Promise<CallResult<K>> }

export type Emit = <K extends EventName>(name: K, event: EventMap[K]) => void

/** What a host serves to its windows. */
export interface Services {
  /** what windows may name; hosts admit what the user chose, sessions ask it before each call */
  boundary: Leave
  handlers: Handlers
  /** every host listens; returns the way to stop */
  subscribe(listener: <K extends EventName>(name: K, event: EventMap[K]) => void): () => void
  /** writes journals, stops workers */
  close(): Promise<void>
}
