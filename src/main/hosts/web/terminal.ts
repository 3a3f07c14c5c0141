/** What the terminal says of a web host that runs: its address, and a new one for each Enter. */
import type { WebHost } from './web-host.ts'
import { CODE_MS } from './entrance.ts'
import { say } from '../../../shared/texts/say.ts'

export interface Terminal {
  print(text: string): void
  /** where Enter comes from; without a keyboard there are no further addresses */
  input?: NodeJS.ReadStream
}

/** Returns the way to stop listening. */
export function tellAddress(host: WebHost, { print, input }: Terminal): () => void {
  const seconds = Math.round(CODE_MS / 1000)
  const keys = input?.isTTY === true
  const printAddress = () => print(`${say('web.address', { url: host.url })}\n`)
  printAddress()
  print(`${[say('web.once', { seconds }), ...(keys ? [say('web.another')] : []), say('web.end')].join(' ')}\n`)
  if (!input || !keys) return () => {}
  input.on('data', printAddress)
  input.unref()
  return () => {
    input.off('data', printAddress)
    input.pause()
  }
}
