/**
 * The same workbench in a browser: files over HTTP and messages over a WebSocket, on 127.0.0.1 only.
 *
 * Who may talk to it: a page of its own origin (Host and Origin are checked, so neither another site nor a rebound name gets in) of a browser that
 * came in by an address of this host. That address has a code in its fragment, which no server and no log sees; see entrance.ts.
 */
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import {
  ENTER_PATH,
  KEY_PROTOCOL,
  MAX_CODE_LENGTH,
  MAX_MESSAGE_BYTES,
  SOCKET_PATH,
  SOCKET_PROTOCOL,
  launchFragment,
} from '../../../shared/api/launch.ts'
import type { Entered } from '../../../shared/api/launch.ts'
import type { Backend } from '../backend/backend.ts'
import { cacheHeader, findStaticFile, securityHeaders } from '../static-files.ts'
import { Entrance } from './entrance.ts'
import { openBrowser, writeWayIn } from './open-browser.ts'
import { say } from '../../../shared/texts/say.ts'

export interface WebHostOptions {
  backend: Backend
  /** 0 or absent for any free port */
  port?: number
  /** the built window; the sources' own build by default */
  rendererFolder?: string
  /** opens the browser through a file in this folder of the user's own; a machine without a browser is no error */
  openFrom?: string
  /** a folder that a window opens at once that comes in by an address; the command line asked for it */
  folder?: string
  /** further folders that windows may use; the command line named them */
  places?: readonly string[]
  /** development only: answers for the files, without the headers that a page of Vite's dev server cannot live with */
  page?: (request: IncomingMessage, response: ServerResponse) => void
  /** bytes of the largest message that is taken */
  maxMessageBytes?: number
  /** how long an address works, ms */
  codeMs?: number
  /** how long a request, and the end of a refused one, may take, ms */
  patienceMs?: number
}

export interface WebHost {
  /** an address that lets one browser in, once and for a short time: a new one each time this is asked for */
  readonly url: string
  port: number
  /** sockets that are open now, windows' and others */
  connections(): Promise<number>
  /** ends connections and frees the port; the backend stays open, it belongs to the caller */
  close(): Promise<void>
}

/** Beyond this many unsent bytes progress is left out, and no more calls are read until the window has caught up. */
const SLOW_BYTES = 32 * 1024 * 1024
const HEARTBEAT_MS = 30_000
/** Connections of all kinds, and windows among them. */
const MOST_CONNECTIONS = 256
const MOST_WINDOWS = 32
const PATIENCE_MS = 10_000

export async function startWebHost(options: WebHostOptions): Promise<WebHost> {
  const rendererFolder = options.rendererFolder ?? defaultRendererFolder()
  for (const path of [options.folder ?? [], options.places ?? []].flat()) options.backend.admit(path)
  const entrance = new Entrance(options.codeMs)
  const patience = options.patienceMs ?? PATIENCE_MS
  const server = createServer(
    { headersTimeout: patience, requestTimeout: patience, keepAliveTimeout: patience, connectionsCheckingInterval: patience / 2 },
    (request, response) => {
      void answer(request, response)
    },
  )
  server.maxConnections = MOST_CONNECTIONS
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
  // cookies know no ports: two hosts of one machine must not take each other's
  const cookieName = `marrow-${port}`
  const headers = securityHeaders(["'self'", ...hosts.map((host) => `ws://${host}`)].join(' '))

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const end = (status: number, text: string) => {
      response.writeHead(status, { ...headers, 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' })
      response.end(request.method === 'HEAD' ? undefined : text)
    }
    try {
      if (!hosts.includes(request.headers.host ?? '')) return end(403, say('web.unknownHost'))
      if (request.url === ENTER_PATH && request.method === 'POST') return await enter(request, response, end)
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        response.setHeader('Allow', 'GET, HEAD')
        return end(405, say('web.wrongMethod'))
      }
      if (options.page) return options.page(request, response)
      const file = await findStaticFile(rendererFolder, (request.url ?? '/').split(/[?#]/, 1)[0])
      if (!file) return end(404, say('web.notFound'))
      response.writeHead(200, {
        ...headers,
        'Content-Type': file.type,
        'Content-Length': file.bytes.byteLength,
        'Cache-Control': cacheHeader(file),
      })
      response.end(request.method === 'HEAD' ? undefined : file.bytes)
    } catch (error) {
      if (response.headersSent) response.destroy()
      else end(500, error instanceof Error ? error.message : say('web.failed'))
    }
  }

  /** A page hands in its code. */
  async function enter(request: IncomingMessage, response: ServerResponse, end: (status: number, text: string) => void): Promise<void> {
    if (request.headers.origin !== `http://${request.headers.host}`) return end(403, say('web.otherSite'))
    const code = await shortBody(request, MAX_CODE_LENGTH)
    const guest = code === null ? null : entrance.enter(code)
    if (!guest) return end(401, say('web.codeUsed'))
    response.setHeader('Set-Cookie', `${cookieName}=${guest.cookie}; Path=${SOCKET_PATH}; HttpOnly; SameSite=Strict`)
    response.writeHead(200, { ...headers, 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' })
    response.end(JSON.stringify({ key: guest.key, folder: options.folder } satisfies Entered))
  }

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Vite's dev server has a socket of its own
    if (options.page && request.url !== SOCKET_PATH) return
    const refuse = (status: string) => {
      // a peer that never hangs up itself would keep the socket half open
      socket.once('finish', () => socket.destroy())
      const late = setTimeout(() => socket.destroy(), patience)
      late.unref()
      socket.once('close', () => clearTimeout(late))
      // eslint-disable-next-line texts/in-catalogue -- a header
      socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
    }
    socket.on('error', () => socket.destroy())
    const { host, origin } = request.headers
    if (!hosts.includes(host ?? '')) return refuse('403 Forbidden')
    if (origin !== `http://${host}`) return refuse('403 Forbidden')
    // eslint-disable-next-line texts/in-catalogue -- a status
    if (request.url !== SOCKET_PATH) return refuse('404 Not Found')
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((part) => part.trim())
    const key = offered.find((part) => part.startsWith(KEY_PROTOCOL))?.slice(KEY_PROTOCOL.length) ?? ''
    const cookie = cookieOf(request, cookieName)
    if (!offered.includes(SOCKET_PROTOCOL) || !entrance.admits({ cookie, key })) return refuse('401 Unauthorized')
    // eslint-disable-next-line texts/in-catalogue -- a status
    if (sockets.clients.size >= MOST_WINDOWS) return refuse('503 Service Unavailable')
    sockets.handleUpgrade(request, socket, head, serve)
  }

  function serve(socket: WebSocket): void {
    const talk = options.backend.talk({
      send(bytes, droppable) {
        if (socket.readyState !== socket.OPEN || (droppable && socket.bufferedAmount > SLOW_BYTES)) return
        socket.send(bytes, () => {
          if (socket.isPaused && socket.bufferedAmount <= SLOW_BYTES) socket.resume()
        })
        if (socket.bufferedAmount > SLOW_BYTES) socket.pause()
      },
      hangUp,
    })
    function hangUp(): void {
      // eslint-disable-next-line texts/in-catalogue -- for the other program
      socket.close(1002, 'not a message of this protocol')
    }
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
      if (isBinary) talk.receive(data as Buffer)
      else hangUp()
    })
    // too large, not WebSocket, reset: ws closes the connection itself
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(heartbeat)
      talk.close()
    })
  }

  server.on('upgrade', upgrade)
  const address = (code: string) => `http://127.0.0.1:${port}/${launchFragment({ code })}`
  if (options.openFrom !== undefined) {
    let remove = () => {}
    const way = writeWayIn(options.openFrom, address(entrance.issue(() => remove())))
    remove = way.remove
    await openBrowser(way.path)
  }

  return {
    get url() {
      return address(entrance.issue())
    },
    port,
    connections: () => new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count)))),
    async close() {
      entrance.close()
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}

/** The whole body, null where it is longer than `most` or does not come whole. */
async function shortBody(request: IncomingMessage, most: number): Promise<string | null> {
  let text = ''
  try {
    for await (const part of request.setEncoding('latin1')) {
      text += part as string
      if (text.length > most) return null
    }
  } catch {
    return null
  }
  return text
}

function cookieOf(request: IncomingMessage, name: string): string {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''
}

function defaultRendererFolder(): string {
  return fileURLToPath(new URL('../../../../out/renderer', import.meta.url))
}
