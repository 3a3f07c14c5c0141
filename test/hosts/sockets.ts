/** WebSockets as a page of `origin` opens them: Node's own cannot send an Origin. */
import { WebSocket as Socket } from 'ws'

export function openAs(origin: string): (url: string, protocols: string[]) => WebSocket {
  return (url, protocols) => {
    const socket = new Socket(url, protocols, { origin, maxPayload: 0 })
    // a browser's socket reports trouble by closing
    socket.on('error', () => {})
    return socket as unknown as WebSocket
  }
}
