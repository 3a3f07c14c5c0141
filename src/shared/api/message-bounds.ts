/**
 * Looks through the bytes of a MessagePack message without making anything of them: whether they are one whole value, how deep it nests, and
 * about what memory it would take. A decoder that finds out on the way has already taken it.
 */
import { say } from '../texts/say.ts'

export interface MessageBounds {
  /** arrays and maps in each other */
  maxDepth: number
  /** of memory, in values: see COST */
  maxCost: number
}

/** What a value weighs, in about 32 bytes: containers and typed arrays are objects of their own. */
const COST = { plain: 1, container: 4, extension: 8 } as const

/** A window's calls: the largest (an edit of 100,000 tracks) stays below a quarter of it, which is some 256 MiB. */
export const CALL_BOUNDS: MessageBounds = { maxDepth: 64, maxCost: 8_000_000 }

/** Of values that nobody checked; Marrow's own answers nest as deep as structure trees do. */
const ANY: MessageBounds = { maxDepth: 10_000, maxCost: Number.POSITIVE_INFINITY }

export class MessageError extends Error {
  /** true for a message that is whole and too much, false for what is no message */
  readonly tooMuch: boolean

  constructor(message: string, tooMuch: boolean) {
    super(message)
    this.name = 'MessageError'
    this.tooMuch = tooMuch
  }
}

/** @throws MessageError */
export function checkMessage(bytes: Uint8Array, bounds: MessageBounds = ANY): void {
  const end = skipValue(new Scan(bytes), bounds)
  if (end !== bytes.byteLength) throw new MessageError(`${bytes.byteLength - end} bytes behind the message`, false)
}

/**
 * What stands first in a message of a window: which call it is, for an answer to a message that is not taken. Null where that cannot be told.
 * Only the first fields are looked at, so that the arguments may be anything.
 */
export function messageHead(bytes: Uint8Array): { kind: string; id: number } | null {
  try {
    const scan = new Scan(bytes)
    const head = scan.token()
    if (!head.map) return null
    let kind: string | undefined
    let id: number | undefined
    for (let field = 0; field < Math.min(head.children / 2, 2); field++) {
      const name = scan.text()
      if (name === 'kind') kind = scan.text()
      else if (name === 'id') id = scan.whole()
      else return null
    }
    return kind !== undefined && id !== undefined ? { kind, id } : null
  } catch {
    return null
  }
}

interface Token {
  /** values that belong to it and follow */
  children: number
  map: boolean
  cost: number
}

/** One walk over the bytes, forward. */
class Scan {
  readonly bytes: Uint8Array
  at = 0
  private readonly view: DataView

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get left(): number {
    return this.bytes.byteLength - this.at
  }

  /** The header of the next value, and the body where it has one of bytes. */
  token(): Token {
    const head = this.number(1)
    if (head <= 0x7f || head >= 0xe0) return plain
    if (head <= 0x8f) return container(2 * (head & 0x0f), true)
    if (head <= 0x9f) return container(head & 0x0f, false)
    if (head <= 0xbf) return this.skip(head & 0x1f, plain)
    switch (head) {
      case 0xc0:
      case 0xc2:
      case 0xc3:
        return plain
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return this.skip(this.number(2 ** (head - 0xc4)), extension)
      case 0xc7:
      case 0xc8:
      case 0xc9:
        return this.skip(this.number(2 ** (head - 0xc7)) + 1, extension)
      case 0xca:
        return this.skip(4, plain)
      case 0xcb:
        return this.skip(8, plain)
      case 0xcc:
      case 0xcd:
      case 0xce:
      case 0xcf:
        return this.skip(2 ** (head - 0xcc), plain)
      case 0xd0:
      case 0xd1:
      case 0xd2:
      case 0xd3:
        return this.skip(2 ** (head - 0xd0), plain)
      case 0xd4:
      case 0xd5:
      case 0xd6:
      case 0xd7:
      case 0xd8:
        return this.skip(2 ** (head - 0xd4) + 1, extension)
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.skip(this.number(2 ** (head - 0xd9)), plain)
      case 0xdc:
      case 0xdd:
        return container(this.number(head === 0xdc ? 2 : 4), false)
      case 0xde:
      case 0xdf:
        return container(2 * this.number(head === 0xde ? 2 : 4), true)
      default:
        throw new MessageError(`no value begins with 0x${head.toString(16)}`, false)
    }
  }

  /** A short text, as the names of fields are. */
  text(): string {
    const head = this.number(1)
    if (head < 0xa0 || head > 0xbf) throw new MessageError('no short text', false)
    const start = this.at
    this.skip(head & 0x1f, plain)
    return new TextDecoder().decode(this.bytes.subarray(start, this.at))
  }

  /** A whole number from 0, as calls are counted with. */
  whole(): number {
    const head = this.number(1)
    if (head <= 0x7f) return head
    if (head >= 0xcc && head <= 0xce) return this.number(2 ** (head - 0xcc))
    throw new MessageError('no number of a call', false)
  }

  private number(size: number): number {
    if (size > this.left) throw new MessageError('the message ends too early', false)
    const { at } = this
    this.at += size
    return size === 1 ? this.view.getUint8(at) : size === 2 ? this.view.getUint16(at) : this.view.getUint32(at)
  }

  private skip(size: number, token: Token): Token {
    if (size > this.left) throw new MessageError('the message ends too early', false)
    this.at += size
    return token
  }
}

const plain: Token = { children: 0, map: false, cost: COST.plain }
const extension: Token = { children: 0, map: false, cost: COST.extension }

function container(children: number, map: boolean): Token {
  return { children, map, cost: COST.container }
}

/** @returns where the value ends */
function skipValue(scan: Scan, { maxDepth, maxCost }: MessageBounds): number {
  /** values that are still to come, for each container around the next one */
  const open: number[] = []
  /** of all of them together: each takes at least one byte */
  let due = 1
  let cost = 0
  do {
    const token = scan.token()
    due += token.children - 1
    if (due > scan.left) throw new MessageError('the message ends too early', false)
    cost += token.cost
    if (cost > maxCost) throw new MessageError(say('calls.tooManyParts'), true)
    if (open.length > 0) open[open.length - 1]--
    if (token.children > 0) {
      open.push(token.children)
      if (open.length > maxDepth) throw new MessageError(say('calls.tooDeep', { depth: maxDepth }), true)
    }
    while (open.length > 0 && open[open.length - 1] === 0) open.pop()
  } while (due > 0)
  return scan.at
}
