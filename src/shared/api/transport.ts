/** What carries calls and events between window and services, whatever the transport. */
import type { CallArgs, CallName, CallResult } from './contract.ts'
import type { ErrorData } from './errors.ts'
import type { EventMap, EventName } from './events.ts'

/** The services as any transport gives them to the window. */
export interface Api {
  call<K extends CallName>(name: K, args: CallArgs<K>, options?: { signal?: AbortSignal }): Promise<CallResult<K>>
  on<K extends EventName>(name: K, listener: (event: EventMap[K]) => void): () => void
}

/** Messages of every transport. */
export type ClientMessage = { kind: 'call'; id: number; name: string; args: unknown } | { kind: 'cancel'; id: number }
export type ServerMessage =
  | { kind: 'result'; id: number; value: unknown }
  | { kind: 'error'; id: number; error: ErrorData }
  | { kind: 'event'; name: EventName; event: unknown }
