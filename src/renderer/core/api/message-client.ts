/** The Api over any channel that carries messages as bytes. */
import { apiError, ApiError } from '../../../shared/api/api-error.ts'
import type { CallName } from '../../../shared/api/contract.ts'
import type { EventMap, EventName } from '../../../shared/api/events.ts'
import type { Api, ClientMessage, ServerMessage } from '../../../shared/api/transport.ts'
import { MAX_MESSAGE_BYTES } from '../../../shared/api/launch.ts'
import { decodeMessage, encodeMessage } from '../../../shared/api/wire.ts'
import { say } from '../../../shared/texts/say.ts'

export interface MessageClient extends Api {
  /** bytes that came over the channel */
  receive(bytes: Uint8Array): void
  /** rejects every call that waits: their answers will not come. Done by itself where the services behind a channel that stands are gone */
  drop(error: ApiError): void
  /** an event that the transport itself has to tell */
  emit<K extends EventName>(name: K, event: EventMap[K]): void
}

export interface Channel {
  /** resolves when messages can be sent, rejects with an ApiError when that will not be */
  ready(): Promise<void>
  send(bytes: Uint8Array<ArrayBuffer>): void
  /** of one message; what every host takes when absent */
  maxBytes?: number
}

interface Pending {
  resolve(value: unknown): void
  reject(error: unknown): void
  /** takes the listener off the caller's signal */
  done(): void
}

export function createMessageClient(channel: Channel): MessageClient {
  const pending = new Map<number, Pending>()
  const listeners = new Map<EventName, Set<(event: any) => void>>()
  const maxBytes = channel.maxBytes ?? MAX_MESSAGE_BYTES
  let lastId = 0

  function emit<K extends EventName>(name: K, event: EventMap[K]): void {
    for (const listener of [...(listeners.get(name) ?? [])]) {
      try {
        listener(event)
      } catch (error) {
        // one listener's trouble is not the others'
        console.error(error)
      }
    }
  }

  function take(id: number): Pending | undefined {
    const call = pending.get(id)
    pending.delete(id)
    call?.done()
    return call
  }

  function drop(error: ApiError): void {
    for (const id of [...pending.keys()]) take(id)?.reject(error)
  }

  const cancelled = (name: string) => apiError('cancelled', say('calls.cancelled', { call: name }))

  async function call(name: CallName, args: unknown, { signal }: { signal?: AbortSignal } = {}): Promise<unknown> {
    if (signal?.aborted) throw cancelled(name)
    await channel.ready()
    if (signal?.aborted) throw cancelled(name)
    const id = ++lastId
    const bytes = encodeMessage({ kind: 'call', id, name, args } satisfies ClientMessage)
    // a host takes no more: over a WebSocket it would hang up on every other call as well
    if (bytes.byteLength > maxBytes)
      throw apiError('refused', say('connection.tooLarge', { call: name, size: inMiB(bytes.byteLength), most: inMiB(maxBytes) }))
    return new Promise<unknown>((resolve, reject) => {
      const abort = () => {
        if (!take(id)) return
        // the caller is free at once; the service hears of it and stops
        reject(cancelled(name))
        try {
          channel.send(encodeMessage({ kind: 'cancel', id } satisfies ClientMessage))
        } catch {
          // the connection is gone, and the call with it
        }
      }
      pending.set(id, { resolve, reject, done: () => signal?.removeEventListener('abort', abort) })
      signal?.addEventListener('abort', abort)
      try {
        channel.send(bytes)
      } catch (error) {
        take(id)
        reject(error instanceof ApiError ? error : apiError('io', say('connection.notSent', { call: name, reason: String(error) })))
      }
    })
  }

  return {
    call: call as Api['call'],
    on(name, listener) {
      let set = listeners.get(name)
      if (!set) listeners.set(name, (set = new Set()))
      // a listener of its own for each call of on(), so that each can be taken off once
      const own = (event: unknown) => listener(event as never)
      set.add(own)
      return () => set.delete(own)
    },
    receive(bytes) {
      const message = decodeMessage(bytes) as ServerMessage
      if (message.kind === 'event') {
        if (message.name === 'services.ended') drop(apiError('io', (message.event as EventMap['services.ended']).message))
        emit(message.name, message.event as never)
      }
      // an answer to a call that was cancelled meanwhile finds nobody
      else if (message.kind === 'result') take(message.id)?.resolve(message.value)
      else take(message.id)?.reject(new ApiError(message.error))
    },
    drop,
    emit,
  }
}

const inMiB = (bytes: number): string => say('reports.mib', { size: (bytes / 2 ** 20).toFixed(1) })
