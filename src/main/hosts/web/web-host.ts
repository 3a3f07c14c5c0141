/**
 * The same workbench in a browser: files over HTTP and messages over a WebSocket, on 127.0.0.1 only.
 *
 * Who may talk to it: a page of its own origin (Host and Origin are checked, so neither another site nor a rebound name gets in) that knows the
 * token. The token stands in the fragment of the first address, which no server and no log sees; the page keeps it for its
 * origin (other than a cookie, which would go to every port of 127.0.0.1) and sends it as a WebSocket subprotocol.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import { MAX_MESSAGE_BYTES, SOCKET_PATH, SOCKET_PROTOCOL, TOKEN_PROTOCOL, launchFragment } from '../../../shared/api/launch.ts'
import type { Services } from '../../services/service.ts'
import { openSession } from '../session.ts'
import { cacheHeader, findStaticFile, securityHeaders } from '../static-files.ts'

export interface WebHostOptions {
  services: Services
  /** 0 or absent for any free port */
  port?: number
  /** the built window; the sources' own build by default */
  rendererFolder?: string
  /** opens the browser; a machine without one is no error */
  open?: boolean
  /** a folder that the window opens at once */
  folder?: string
  /** development only: answers for the files, without the headers that a page of Vite's dev server cannot live with */
  page?: (request: IncomingMessage, response: ServerResponse) => void
  /** bytes of the largest message that is taken */
  maxMessageBytes?: number
}

export interface WebHost {
  /** with the token: whoever has it has the services */
  url: string
  port: number
  token: string
  /** ends connections and frees the port; the services stay open, they belong to the caller */
  close(): Promise<void>
}

/** Beyond this many unsent bytes progress is left out, and no more calls are read until the window has caught up. */
const SLOW_BYTES = 32 * 1024 * 1024
const HEARTBEAT_MS = 30_000

export async function startWebHost(options: WebHostOptions): Promise<WebHost> {
  const rendererFolder = options.rendererFolder ?? defaultRendererFolder()
  const token = randomBytes(32).toString('hex')
  const server = createServer((request, response) => {
    void answer(request, response)
  })
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: options.maxMessageBytes ?? MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    handleProtocols: () => SOCKET_PROTOCOL,
  })

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port: options.port ?? 0, host: '127.0.0.1' }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const { port } = server.address() as AddressInfo
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`]
  const headers = securityHeaders(["'self'", ...hosts.map((host) => `ws://${host}`)].join(' '))

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const end = (status: number, text: string) => {
      response.writeHead(status, { ...headers, 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' })
      response.end(request.method === 'HEAD' ? undefined : text)
    }
    try {
      if (!hosts.includes(request.headers.host ?? '')) return end(403, 'Forbidden: unknown host')
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        response.setHeader('Allow', 'GET, HEAD')
        return end(405, 'Method not allowed')
      }
      if (options.page) return options.page(request, response)
      const file = await findStaticFile(rendererFolder, (request.url ?? '/').split(/[?#]/, 1)[0])
      if (!file) return end(404, 'Not found')
      response.writeHead(200, {
        ...headers,
        'Content-Type': file.type,
        'Content-Length': file.bytes.byteLength,
        'Cache-Control': cacheHeader(file),
      })
      response.end(request.method === 'HEAD' ? undefined : file.bytes)
    } catch (error) {
      if (response.headersSent) response.destroy()
      else end(500, error instanceof Error ? error.message : 'Internal error')
    }
  }

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Vite's dev server has a socket of its own
    if (options.page && request.url !== SOCKET_PATH) return
    const refuse = (status: string) => {
      socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
    }
    socket.on('error', () => socket.destroy())
    const { host, origin } = request.headers
    if (!hosts.includes(host ?? '')) return refuse('403 Forbidden')
    if (origin !== `http://${host}`) return refuse('403 Forbidden')
    if (request.url !== SOCKET_PATH) return refuse('404 Not Found')
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((part) => part.trim())
    const shown = offered.find((part) => part.startsWith(TOKEN_PROTOCOL))?.slice(TOKEN_PROTOCOL.length) ?? ''
    if (!offered.includes(SOCKET_PROTOCOL) || !sameSecret(shown, token)) return refuse('401 Unauthorized')
    sockets.handleUpgrade(request, socket, head, serve)
  }

  function serve(socket: WebSocket): void {
    const session = openSession({
      services: options.services,
      send(bytes, droppable) {
        if (socket.readyState !== socket.OPEN || (droppable && socket.bufferedAmount > SLOW_BYTES)) return
        socket.send(bytes, () => {
          if (socket.isPaused && socket.bufferedAmount <= SLOW_BYTES) socket.resume()
        })
        if (socket.bufferedAmount > SLOW_BYTES) socket.pause()
      },
    })
    let alive = true
    const heartbeat = setInterval(() => {
      // a paused socket reads no pong: it is alive as long as it drains
      if (!alive && !socket.isPaused) return socket.terminate()
      alive = false
      socket.ping()
    }, HEARTBEAT_MS)
    heartbeat.unref()
    socket.on('pong', () => {
      alive = true
    })
    socket.on('message', (data, isBinary) => {
      alive = true
      const bytes = data as Buffer
      if (!isBinary || !session.receive(bytes)) socket.close(1002, 'not a message of this protocol')
    })
    // too large, not WebSocket, reset: ws closes the connection itself
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(heartbeat)
      session.close()
    })
  }

  server.on('upgrade', upgrade)
  const url = `http://127.0.0.1:${port}/${launchFragment({ token, folder: options.folder })}`
  if (options.open) await openBrowser(url)

  return {
    url,
    port,
    token,
    async close() {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}

/** In constant time, whatever the lengths. */
function sameSecret(shown: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(shown), digest(secret))
}

function defaultRendererFolder(): string {
  return fileURLToPath(new URL('../../../../out/renderer', import.meta.url))
}

async function openBrowser(url: string): Promise<void> {
  try {
    const { default: open } = await import('open')
    const child = await open(url)
    child.on('error', () => {})
  } catch {
    // the address was printed: the user can open it
  }
}
