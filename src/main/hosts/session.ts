/**
 * One window's conversation with the services, the same for every transport: calls in, results, errors and events out.
 * A call is cancelled by its number, and with the session.
 */
import * as v from 'valibot'
import type { ServerMessage } from '../../shared/api/transport.ts'
import type { ErrorData } from '../../shared/api/errors.ts'
import { MAX_MESSAGE_BYTES } from '../../shared/api/launch.ts'
import { CALL_BOUNDS, MessageError, messageHead } from '../../shared/api/message-bounds.ts'
import { decodeMessage, encodeMessage } from '../../shared/api/wire.ts'
import { toErrorData } from '../binary/format-error.ts'
import { dispatch } from '../services/dispatch.ts'
import type { Services } from '../services/service.ts'
import { say } from '../../shared/texts/say.ts'

export interface Session {
  /** takes one message of the window; answers false for one that is none of the protocol: the transport hangs up */
  receive(bytes: Uint8Array): boolean
  /** cancels what runs; nothing is sent any more */
  close(): void
  readonly running: number
}

export interface SessionOptions {
  services: Services
  /** `droppable`: progress that the next one makes stale; a transport whose window is slow leaves it out */
  send(bytes: Uint8Array<ArrayBuffer>, droppable: boolean): void
  /** calls at one time; more are refused */
  maxCalls?: number
  /** bytes of one message */
  maxBytes?: number
}

const id = v.pipe(v.number(), v.integer(), v.minValue(0))
const clientMessage = v.variant('kind', [
  v.object({ kind: v.literal('call'), id, name: v.pipe(v.string(), v.maxLength(100)), args: v.unknown() }),
  v.object({ kind: v.literal('cancel'), id }),
])

export function openSession({ services, send, maxCalls = 1000, maxBytes = MAX_MESSAGE_BYTES }: SessionOptions): Session {
  const calls = new Map<number, AbortController>()
  let open = true

  const post = (message: ServerMessage, droppable = false) => {
    if (open) send(encodeMessage(message), droppable)
  }
  const fail = (call: number, error: ErrorData) => post({ kind: 'error', id: call, error })
  /** false where the bytes do not even say which call they are */
  const refuse = (bytes: Uint8Array, message: string): boolean => {
    const head = messageHead(bytes)
    if (head?.kind !== 'call' || calls.has(head.id)) return false
    fail(head.id, { code: 'refused', message, file: '', path: '', offset: -1 })
    return true
  }

  async function run(call: number, name: string, args: unknown): Promise<void> {
    const controller = new AbortController()
    calls.set(call, controller)
    try {
      const answer = await dispatch(services, name, args, controller.signal, services.boundary)
      if (answer.ok) post({ kind: 'result', id: call, value: answer.value })
      else fail(call, answer.error)
    } catch (error) {
      // a result that cannot be encoded must not leave the window waiting
      fail(call, toErrorData(error))
    } finally {
      calls.delete(call)
    }
  }

  const unsubscribe = services.subscribe((name, event) => post({ kind: 'event', name, event }, name.endsWith('.progress')))

  return {
    receive(bytes) {
      if (!open) return false
      // a call that is too much gets its answer, else the window would wait for it
      if (bytes.byteLength > maxBytes) return refuse(bytes, say('calls.tooLarge', { most: maxBytes, bytes: bytes.byteLength }))
      let message: v.InferOutput<typeof clientMessage>
      try {
        message = v.parse(clientMessage, decodeMessage(bytes, CALL_BOUNDS))
      } catch (error) {
        return error instanceof MessageError && error.tooMuch && refuse(bytes, error.message)
      }
      if (message.kind === 'cancel') {
        calls.get(message.id)?.abort()
        return true
      }
      // a number that is in use would make two answers to one call
      if (calls.has(message.id)) return false
      if (calls.size >= maxCalls) {
        fail(message.id, { code: 'refused', message: say('calls.tooMany', { most: maxCalls }), file: '', path: '', offset: -1 })
        return true
      }
      void run(message.id, message.name, message.args)
      return true
    },
    close() {
      if (!open) return
      open = false
      unsubscribe()
      for (const controller of calls.values()) controller.abort()
      calls.clear()
    },
    get running() {
      return calls.size
    },
  }
}
