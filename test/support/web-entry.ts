/** Comes in to a web host as a browser does that opened its address. */
import { WebSocket as Socket } from 'ws'
import type { WebHost } from '../../src/main/hosts/web/web-host.ts'
import { ENTER_PATH, parseLaunch } from '../../src/shared/api/launch.ts'
import type { Entered } from '../../src/shared/api/launch.ts'

export interface BrowserEntry extends Entered {
  status: number
  /** as a browser sends it back: `name=value` */
  cookie: string
  /** as the host set it */
  setCookie: string
}

export async function enterWith(origin: string, code: string, headers: Record<string, string> = { origin }): Promise<BrowserEntry> {
  const answer = await fetch(`${origin}${ENTER_PATH}`, { method: 'POST', body: code, headers })
  const setCookie = answer.headers.get('set-cookie') ?? ''
  const entered = answer.ok ? ((await answer.json()) as Entered) : { key: '' }
  return { ...entered, status: answer.status, setCookie, cookie: setCookie.split(';', 1)[0] }
}

export function enter(host: WebHost): Promise<BrowserEntry> {
  const { origin, hash } = new URL(host.url)
  return enterWith(origin, parseLaunch(hash).code ?? '')
}

/** WebSockets as a page of `origin` opens them: Node's own can send neither an Origin nor a cookie. */
export function openAs(origin: string, cookie: string): (url: string, protocols: string[]) => WebSocket {
  return (url, protocols) => {
    const socket = new Socket(url, protocols, { origin, maxPayload: 0, headers: { cookie } })
    // a browser's socket reports trouble by closing
    socket.on('error', () => {})
    return socket as unknown as WebSocket
  }
}
