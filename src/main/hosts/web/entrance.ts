/**
 * Who may come in. An address carries a code that works once and for a short time; the page hands it in and gets two halves of a key: a cookie
 * that no script can read, and a word that the page keeps for its origin. Both are asked for, because each alone is too little: a cookie goes to
 * every port of 127.0.0.1, also to a server of another user of this machine, and what a page keeps can be read by its scripts.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Codes that wait for their page; the oldest goes when there are more. */
const MOST_CODES = 16
/** Browsers that are in; the one that came first goes when there are more. */
const MOST_GUESTS = 64
/** How long an address works, ms. */
export const CODE_MS = 90_000

export interface Guest {
  cookie: string
  key: string
}

interface Waiting {
  timer: NodeJS.Timeout
  gone: () => void
}

export class Entrance {
  private readonly codes = new Map<string, Waiting>()
  /** by the hash of the cookie, the hash of the word that belongs to it */
  private readonly guests = new Map<string, Buffer>()
  private readonly codeMs: number

  constructor(codeMs = CODE_MS) {
    this.codeMs = codeMs
  }

  /** A new code. @param gone told once it works no more, used or not */
  issue(gone: () => void = () => {}): string {
    const code = secret(16)
    const name = digest(code).toString('hex')
    const timer = setTimeout(() => this.drop(name), this.codeMs)
    timer.unref()
    this.codes.set(name, { timer, gone })
    for (const oldest of this.codes.keys()) {
      if (this.codes.size <= MOST_CODES) break
      this.drop(oldest)
    }
    return code
  }

  /** Takes a code, which then works no more. Null for one that does not work. */
  enter(code: string): Guest | null {
    // looked up by its hash: the time that takes tells nothing of the code
    if (!this.drop(digest(code).toString('hex'))) return null
    const guest = { cookie: secret(32), key: secret(32) }
    this.guests.set(digest(guest.cookie).toString('hex'), digest(guest.key))
    for (const oldest of this.guests.keys()) {
      if (this.guests.size <= MOST_GUESTS) break
      this.guests.delete(oldest)
    }
    return guest
  }

  admits({ cookie, key }: Guest): boolean {
    const known = this.guests.get(digest(cookie).toString('hex'))
    return known !== undefined && timingSafeEqual(known, digest(key))
  }

  close(): void {
    for (const name of [...this.codes.keys()]) this.drop(name)
    this.guests.clear()
  }

  private drop(name: string): boolean {
    const waiting = this.codes.get(name)
    if (!waiting) return false
    this.codes.delete(name)
    clearTimeout(waiting.timer)
    waiting.gone()
    return true
  }
}

function secret(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
