/** What the terminal says of a web host that runs: its address, and a new one for each Enter. */
import type { WebHost } from './web-host.ts'
import { CODE_MS } from './entrance.ts'

export interface Terminal {
  print(text: string): void
  /** where Enter comes from; without a keyboard there are no further addresses */
  input?: NodeJS.ReadStream
}

/** Returns the way to stop listening. */
export function tellAddress(host: WebHost, { print, input }: Terminal): () => void {
  const seconds = Math.round(CODE_MS / 1000)
  const keys = input?.isTTY === true
  print(`Marrow is at ${host.url}\n`)
  print(
    `The address lets one browser in, once and within ${seconds} seconds. ${keys ? 'Enter prints a new one, for another browser too. ' : ''}Ctrl+C ends Marrow.\n`,
  )
  if (!input || !keys) return () => {}
  const pressed = () => print(`Marrow is at ${host.url}\n`)
  input.on('data', pressed)
  input.unref()
  return () => {
    input.off('data', pressed)
    input.pause()
  }
}
