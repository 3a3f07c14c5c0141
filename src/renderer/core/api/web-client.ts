/** The Api over a WebSocket to the loopback web host. Connects again by itself; calls that were under way are rejected, since nobody knows whether they ran. */
import { apiError } from '../../../shared/api/api-error.ts'
import type { ApiError } from '../../../shared/api/api-error.ts'
import type { Api } from '../../../shared/api/transport.ts'
import { KEY_PROTOCOL, SOCKET_PATH, SOCKET_PROTOCOL } from '../../../shared/api/launch.ts'
import { say } from '../../../shared/texts/say.ts'
import { createMessageClient } from './message-client.ts'

export interface WebClientOptions {
  /** `http://127.0.0.1:4000` */
  origin: string
  /** the page's half of the key; the cookie is the other */
  key(): string
  /** for tests: makes the socket */
  open?(url: string, protocols: string[]): WebSocket
  /** first wait before connecting again; doubles up to 30 times of it */
  retryMs?: number
  /** tries to connect again after which it is over */
  maxTries?: number
}

export interface WebClient extends Api {
  /** resolves once connected; rejects with `refused` where the key is wrong and `io` where nobody answers */
  connected(): Promise<void>
  /** resolves when a connection that was there is lost for good: the host ended, or was started anew and does not know the key */
  ended: Promise<ApiError>
  onLost(listener: (lost: boolean) => void): void
  retry(): void
  close(): void
}

export function createWebClient(options: WebClientOptions): WebClient {
  const url = `${options.origin.replace(/^http/, 'ws')}${SOCKET_PATH}`
  const openSocket = options.open ?? ((address, protocols) => new WebSocket(address, protocols))
  const retryMs = options.retryMs ?? 250
  // some two minutes
  const maxTries = options.maxTries ?? 20

  let socket: WebSocket | null = null
  let closed = false
  let wait = retryMs
  let timer: ReturnType<typeof setTimeout> | undefined
  let tries = 0
  let current: Promise<void>
  let lost: (lost: boolean) => void = () => {}
  let end: (error: ApiError) => void = () => {}
  const ended = new Promise<ApiError>((resolve) => (end = resolve))

  const client = createMessageClient({
    ready: () => current,
    send(bytes) {
      if (socket?.readyState !== 1) throw apiError('io', say('connection.none'))
      socket.send(bytes)
    },
  })

  function attempt(): Promise<void> {
    const opening = new Promise<void>((resolve, reject) => {
      const fresh = openSocket(url, [SOCKET_PROTOCOL, KEY_PROTOCOL + options.key()])
      fresh.binaryType = 'arraybuffer'
      let opened = false
      fresh.addEventListener('open', () => {
        opened = true
        socket = fresh
        wait = retryMs
        tries = 0
        resolve()
      })
      fresh.addEventListener('message', (event) => {
        try {
          client.receive(new Uint8Array(event.data as ArrayBuffer))
        } catch (error) {
          console.error(error)
          fresh.close()
        }
      })
      fresh.addEventListener('close', () => {
        if (socket === fresh) socket = null
        if (!opened) {
          void whyRefused(options.origin).then((error) => {
            reject(closed ? apiError('io', say('connection.closed')) : error)
            if (error.code === 'refused' || ++tries > maxTries) end(error)
            else later()
          })
          return
        }
        client.drop(apiError('io', say('connection.lostInCall')))
        if (closed) return
        lost(true)
        tryAgain()
      })
    })
    // whoever calls meanwhile gets the error; nobody calling is no unhandled rejection
    opening.catch(() => {})
    return opening
  }

  function tryAgain(): void {
    clearTimeout(timer)
    timer = undefined
    current = attempt()
    current.then(
      () => lost(false),
      () => {},
    )
  }

  function later(): void {
    if (closed) return
    timer = setTimeout(tryAgain, wait)
    wait = Math.min(wait * 2, retryMs * 30)
  }

  current = attempt()
  return {
    call: client.call,
    on: client.on,
    connected: () => current,
    ended,
    onLost(listener) {
      lost = listener
    },
    retry() {
      // while a try is under way there is nothing to wait for
      if (timer !== undefined && !closed) tryAgain()
    },
    close() {
      closed = true
      clearTimeout(timer)
      socket?.close()
      client.drop(apiError('io', say('connection.closed')))
    },
  }
}

/** A browser does not say why a WebSocket was not opened: where the page itself still answers, it was the key. */
async function whyRefused(origin: string): Promise<ApiError> {
  try {
    await fetch(`${origin}/`, { method: 'HEAD', cache: 'no-store' })
    return notIn()
  } catch {
    return apiError('io', say('connection.noAnswer'))
  }
}

/** Also where the host was started anew: it knows no page of the one before it. */
export function notIn(): ApiError {
  return apiError('refused', say('connection.needsAddress'))
}
