/** The Api over a WebSocket to the loopback web host. Connects again by itself; calls that were under way are rejected, since nobody knows whether they ran. */
import { apiError } from '../../shared/api/api-error.ts'
import type { ApiError } from '../../shared/api/api-error.ts'
import type { Api } from '../../shared/api/contract.ts'
import { SOCKET_PATH, SOCKET_PROTOCOL, TOKEN_PROTOCOL } from '../../shared/api/launch.ts'
import { createMessageClient } from './message-client.ts'

export interface WebClientOptions {
  /** `http://127.0.0.1:4000` */
  origin: string
  token: string
  /** for tests: makes the socket */
  open?(url: string, protocols: string[]): WebSocket
  /** first wait before connecting again; doubles up to 30 times of it */
  retryMs?: number
}

export interface WebClient extends Api {
  /** resolves once connected; rejects with `refused` where the token is wrong and `io` where nobody answers */
  connected(): Promise<void>
  close(): void
}

export function createWebClient(options: WebClientOptions): WebClient {
  const url = `${options.origin.replace(/^http/, 'ws')}${SOCKET_PATH}`
  const openSocket = options.open ?? ((address, protocols) => new WebSocket(address, protocols))
  const retryMs = options.retryMs ?? 250

  let socket: WebSocket | null = null
  let closed = false
  let wait = retryMs
  let timer: ReturnType<typeof setTimeout> | undefined
  let current: Promise<void>

  const client = createMessageClient({
    ready: () => current,
    send(bytes) {
      if (socket?.readyState !== 1) throw apiError('io', 'not connected to Marrow')
      socket.send(bytes)
    },
  })

  function attempt(): Promise<void> {
    const opening = new Promise<void>((resolve, reject) => {
      const fresh = openSocket(url, [SOCKET_PROTOCOL, TOKEN_PROTOCOL + options.token])
      fresh.binaryType = 'arraybuffer'
      let opened = false
      fresh.addEventListener('open', () => {
        opened = true
        socket = fresh
        wait = retryMs
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
            reject(closed ? apiError('io', 'the connection was closed') : error)
            if (error.code !== 'refused') later()
          })
          return
        }
        client.drop(apiError('io', 'the connection to Marrow was lost; whether the call was carried out is unknown'))
        if (closed) return
        client.emit('notice', { severity: 'warning', message: 'The connection to Marrow was lost. Trying again.' })
        current = attempt()
        current.then(
          () => client.emit('notice', { severity: 'info', message: 'Connected to Marrow again.' }),
          () => {},
        )
      })
    })
    // whoever calls meanwhile gets the error; nobody calling is no unhandled rejection
    opening.catch(() => {})
    return opening
  }

  function later(): void {
    if (closed) return
    timer = setTimeout(() => {
      current = attempt()
      current.then(
        () => client.emit('notice', { severity: 'info', message: 'Connected to Marrow again.' }),
        () => {},
      )
    }, wait)
    wait = Math.min(wait * 2, retryMs * 30)
  }

  current = attempt()
  return {
    call: client.call,
    on: client.on,
    connected: () => current,
    close() {
      closed = true
      clearTimeout(timer)
      socket?.close()
      client.drop(apiError('io', 'the connection was closed'))
    },
  }
}

/** A browser does not say why a WebSocket was not opened: where the page itself still answers, it was the token. */
async function whyRefused(origin: string): Promise<ApiError> {
  try {
    await fetch(`${origin}/`, { method: 'HEAD', cache: 'no-store' })
    return apiError('refused', 'Marrow does not know this page: open the address that was printed when it was started')
  } catch {
    return apiError('io', 'Marrow does not answer: it was ended, or is starting')
  }
}
