/**
 * Calls as a hostile window sends them, byte for byte: arguments that fit and mean nothing, that do not fit, that name what is none of a
 * window's business, many at a time, cancelled, too large. Every call gets an answer, none an unforeseen one, and nothing outside is read or written.
 */
import fc from 'fast-check'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSession } from '../../src/main/hosts/session.ts'
import { createServices } from '../../src/main/services/create-services.ts'
import { contract } from '../../src/shared/api/contract.ts'
import type { CallName } from '../../src/shared/api/contract.ts'
import type { ServerMessage } from '../../src/shared/api/transport.ts'
import type { LibraryInfo } from '../../src/shared/api/types/library.ts'
import type { OpenedModel } from '../../src/shared/api/types/model.ts'
import { decodeMessage, encodeMessage } from '../../src/shared/api/wire.ts'
import { Random } from '../fuzz/random.ts'
import { callArguments } from '../support/contract-calls.ts'
import { layOut } from './lay-out.ts'
import { bodies, filesBelow } from './oracle.ts'
import { placeBelow, Session } from './session.ts'
import { makeWorld, WORLD_KINDS } from './worlds.ts'
import type { ArenaRound } from './arena.ts'

/** Stands in names of files and folders that no window may learn of. */
const SECRET = 'a-secret-of-another-folder'
/** Stands in those files. */
const SECRET_TEXT = 'what-a-file-of-another-folder-says'
/** Calls whose answers have the log in them: refusals, with the names that the window itself asked for before. */
const LOGGED: readonly CallName[] = ['diagnostics.look', 'diagnostics.make']
/** ms for the answer to a call; the machine may be busy with other things */
const PATIENCE = 60_000
/** Calls that open or draw much, and one that waits for a dialog of the host: seldom. */
const SELDOM: readonly CallName[] = ['library.openSample', 'export.batch', 'library.forget', 'library.scan']

/** Calls that are hidden in bombs: nobody waits for their answers. */
const BOMB_ID = 1e9

type Message = Extract<ServerMessage, { id: number }>

class Window {
  /** messages that are no answer to a call of it */
  strange = ''
  private readonly services: ReturnType<typeof createServices>
  private session: ReturnType<typeof openSession>
  private readonly waiting = new Map<number, (message: Message) => void>()
  private next = 0

  constructor(services: ReturnType<typeof createServices>) {
    this.services = services
    this.session = this.open()
  }

  private open(): ReturnType<typeof openSession> {
    return openSession({ services: this.services, send: (bytes) => this.hear(bytes) })
  }

  private hear(bytes: Uint8Array): void {
    const message = decodeMessage(bytes) as ServerMessage
    if (message.kind === 'event') return
    const done = this.waiting.get(message.id)
    if (!done && message.id < BOMB_ID) this.strange ||= `an answer that nobody waits for: ${JSON.stringify(message).slice(0, 300)}`
    this.waiting.delete(message.id)
    done?.(message)
  }

  /** @returns the answer; undefined for none in time */
  async call(name: string, args: unknown, cancelAfter = -1): Promise<Message | undefined> {
    const id = this.next++
    let timer: NodeJS.Timeout | undefined
    const answer = new Promise<Message | undefined>((resolve) => {
      this.waiting.set(id, resolve)
      timer = setTimeout(() => resolve(undefined), PATIENCE)
    })
    this.raw(encodeMessage({ kind: 'call', id, name, args }))
    if (cancelAfter >= 0) setTimeout(() => this.raw(encodeMessage({ kind: 'cancel', id })), cancelAfter)
    const message = await answer
    clearTimeout(timer)
    return message
  }

  /** Whatever bytes; a transport hangs up on what is no message, and the window comes again. */
  raw(bytes: Uint8Array): void {
    if (this.session.receive(bytes)) return
    this.session.close()
    for (const [id, done] of this.waiting)
      done({ kind: 'error', id, error: { code: 'cancelled', message: 'hung up', file: '', path: '', offset: -1 } })
    this.waiting.clear()
    this.session = this.open()
  }

  close(): void {
    this.session.close()
  }
}

/** Bytes that ask for more than they are. */
function bomb(random: Random): Uint8Array {
  const size = 1 + random.small(200_000)
  switch (random.below(7)) {
    case 0:
      return new Uint8Array(size).fill(0x91)
    case 1:
      return new Uint8Array(size).fill(0x81)
    case 2:
      return Uint8Array.of(0xdd, 0xff, 0xff, 0xff, 0xff, ...new Uint8Array(20))
    case 3: {
      // arrays of 65535 places in each other, each with one that is there
      const out = new Uint8Array(3 * Math.min(size, 30_000))
      for (let i = 0; i < out.length; i += 3) out.set([0xdc, 0xff, 0xff], i)
      return out
    }
    case 4:
      return Uint8Array.from({ length: Math.min(size, 5000) }, () => random.below(256))
    case 5: {
      // a call whose arguments are a list as long as the message is
      const head = encodeMessage({ kind: 'call', id: BOMB_ID + random.below(1e6), name: 'model.list', args: 0 })
      const out = new Uint8Array(head.length + 4 + 1_000_000).fill(0xc0)
      out.set(head)
      out.set([0xdd, 0, 0x0f, 0x42, 0x40], head.length - 1)
      return out
    }
    default: {
      const whole = encodeMessage({ kind: 'call', id: BOMB_ID, name: 'app.info', args: {} })
      return whole.slice(0, random.below(whole.length))
    }
  }
}

/** Another value than the schema takes, somewhere. */
function misfit(args: unknown, random: Random): unknown {
  const odd: unknown[] = [null, -1, '', [], {}, 'x'.repeat(10_000), 1e308, true, new Uint8Array(3), Object.fromEntries([['__proto__', 1]])]
  if (typeof args !== 'object' || args === null || random.chance(6)) return random.pick(odd)
  const keys = Object.keys(args)
  if (keys.length === 0) return { more: random.pick(odd) }
  const key = random.pick(keys)
  return { ...args, [key]: random.chance(2) ? random.pick(odd) : misfit((args as Record<string, unknown>)[key], random) }
}

/** @returns calls made */
export async function callRound(round: ArenaRound): Promise<number> {
  const random = new Random(round.seed, round.round, 5)
  const world = makeWorld(WORLD_KINDS[round.round % WORLD_KINDS.length])
  const place = placeBelow(join(round.base, 'here'), 'in-place', world.models)
  layOut(place, world)
  const outside = join(round.base, 'outside')
  mkdirSync(join(outside, SECRET), { recursive: true })
  writeFileSync(join(outside, `${SECRET}.txt`), SECRET_TEXT)
  for (const [path, bytes] of Object.entries(world.files)) writeFileSync(join(outside, path.replaceAll('/', '-')), bytes)
  symlinkSync(outside, join(place.game, 'way-out'))
  symlinkSync(join(outside, `${SECRET}.txt`), join(place.game, 'link.txt'))
  const before = fingerprint(outside)
  const options = { stateFolder: place.state, host: 'web' as const, watchEvery: 0, version: '0.0.0-torture', home: place.base }
  const services = createServices(options)
  const window = new Window(services)
  let n = 0
  const wrong = (what: string, how: 'lost' | 'wrong' | 'crash' = 'wrong'): void => round.findings.add(how, n, `${world.kind}: ${what}`)
  try {
    await window.call('folders.list', { path: place.base })
    const library = await want<LibraryInfo>(window, 'library.open', { root: place.game })
    await want(window, 'library.scan', { library: library.id })
    const ref = join(place.game, world.models[0])
    let opened = await want<OpenedModel>(window, 'model.open', { ref })
    const words = (): Record<string, string[]> => ({
      model: [opened.info.id, opened.info.id, opened.info.id, 'none'],
      library: [library.id, library.id, 'none'],
      ref: [...opened.info.files.map((file) => file.ref), ref, join(outside, `${SECRET}.txt`), `${place.game}/../outside/${SECRET}.txt`],
      refs: [ref, join(outside, `${SECRET}.txt`)],
      root: [place.game, outside, place.base, '/', join(place.game, 'way-out')],
      path: [place.game, outside, place.out, join(place.game, 'way-out'), '/etc'],
      folder: [place.out, outside, place.game, join(place.game, 'way-out'), join(place.out, '..', '..', 'outside')],
      modPackage: [join(outside, `${SECRET}.txt`), ref],
      modFolder: ['', place.mod, place.game, join(place.game, 'mod'), outside],
      target: [place.out, outside],
      id: ['0', '1', `${ref}#0`, opened.scene.meshes[0]?.name ?? ''],
      key: ['name', 'translation', 'values', 'flags'],
      track: [`${ref}#clip[0].track[0]`],
    })
    for (; n < round.most && !round.over() && round.findings.list.length < 5; n++) {
      if (random.chance(25)) {
        round.at(n, 'bytes that are no call')
        window.raw(bomb(random))
        continue
      }
      const names = Object.keys(contract) as CallName[]
      const name = random.pick(names)
      if (SELDOM.includes(name) && !random.chance(20)) continue
      const known = words()
      let [args] = fc.sample(
        callArguments(name, (leaf) => known[leaf] ?? []),
        { seed: random.u32() | 0, numRuns: 1 },
      )
      if (random.chance(5)) args = misfit(args, random)
      const shown = `${name} ${JSON.stringify(args, (_, value: unknown) => (ArrayBuffer.isView(value) ? `${(value as Uint8Array).length} values` : value)).slice(0, 700)}`
      round.at(n, shown)
      const message = await window.call(name, args, random.chance(15) ? random.below(4) : -1).catch((error: unknown) => {
        // what cannot be encoded is no message
        if (error instanceof TypeError || error instanceof RangeError) return { kind: 'result', id: 0, value: null } as Message
        throw error
      })
      if (message === undefined) wrong(`no answer: ${shown}`, 'crash')
      else if (message.kind === 'error') {
        if (message.error.code === 'internal') wrong(`an error that nobody foresaw (${message.error.message}): ${shown}`, 'crash')
      } else if (tells(name, message.value, args)) wrong(`the answer tells of another folder: ${shown}`)
      if (window.strange) wrong(window.strange)
      window.strange = ''
      // what a call closed is opened again
      const again = await window.call('model.open', { ref })
      if (again?.kind === 'result') opened = again.value as OpenedModel
      else if (name === 'library.forget') await want(window, 'library.open', { root: place.game })
      else if (again?.kind === 'error' && again.error.code === 'internal')
        wrong(`the model does not open any more (${again.error.message}) after ${shown}`, 'crash')
      if (fingerprint(outside) !== before) {
        wrong(`something outside is changed by ${shown}`)
        break
      }
    }
    window.close()
    await services.close()
    // whatever was saved meanwhile is whole, and the next run opens it
    bodies(place.game, world)
    const session = new Session({ ...place, models: world.models })
    await session.start()
    await session.recover()
    await session.open()
    await session.services.close()
  } catch (error) {
    wrong((error as Error).stack ?? String(error), 'crash')
    await services.close().catch(() => {})
  }
  return n
}

async function want<T>(window: Window, name: CallName, args: unknown): Promise<T> {
  const message = await window.call(name, args)
  if (message?.kind !== 'result') throw new Error(`${name}: ${JSON.stringify(message)}`)
  return message.value as T
}

function fingerprint(folder: string): string {
  return JSON.stringify([
    readdirSync(folder).sort(),
    ...filesBelow(folder).map((name) => readFileSync(join(folder, name)).toString('base64')),
  ])
}

/** Whether an answer has a text of another folder in it, or a name that the question has not. */
function tells(call: CallName, value: unknown, args: unknown): boolean {
  const holds = (part: unknown, secret: string): boolean => {
    if (typeof part === 'string') return part.includes(secret)
    if (ArrayBuffer.isView(part)) return Buffer.from(part.buffer, part.byteOffset, part.byteLength).includes(secret)
    if (Array.isArray(part)) return part.some((inner) => holds(inner, secret))
    return (
      typeof part === 'object' && part !== null && Object.entries(part).some(([key, inner]) => key.includes(secret) || holds(inner, secret))
    )
  }
  return holds(value, SECRET_TEXT) || (!LOGGED.includes(call) && holds(value, SECRET) && !holds(args, SECRET))
}
