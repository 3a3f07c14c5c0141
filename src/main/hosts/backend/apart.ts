/**
 * The host's side of services that run apart from it, in a thread or a process of their own. When they fail, every window is told, and they are started again as
 * soon as anybody asks for them: what they had is in journals and offered, as after any end that was none.
 */
import { isMarkedAsUntransferable } from 'node:worker_threads'
import type { CallArgs, CallName, CallResult } from '../../../shared/api/contract.ts'
import { encodeMessage } from '../../../shared/api/wire.ts'
import type { ServerMessage } from '../../../shared/api/transport.ts'
import { locale, say } from '../../../shared/texts/say.ts'
import { FormatError } from '../../binary/format-error.ts'
import { newRun } from '../../files/process-lives.ts'
import type { Answer } from '../../services/dispatch.ts'
import type { Log } from '../../services/log.ts'
import type { Backend, Talk, TalkOptions } from './backend.ts'
import type { Desktop } from './desktop.ts'
import type { ServicesLine, ServicesStart, ToHost, ToServices } from './protocol.ts'

export interface ApartOptions {
  start: ServicesStart
  line(): ServicesLine
  /** taken for good where the other cannot even begin */
  otherLine?(): ServicesLine
  log: Log
  /** absent where there is none: the web host's services ask for nothing of it */
  desktop?: Desktop
}

export class ServicesApart implements Backend {
  private readonly options: ApartOptions
  private makeLine: () => ServicesLine
  private line: ServicesLine | null = null
  private begun: Promise<void> = Promise.resolve()
  /** what is said to them once they are there; null when they are */
  private early: [message: ToServices, transfer: readonly ArrayBuffer[]][] | null = null
  private closing: Promise<void> | undefined
  private onClosed: (why: string) => void = () => {}
  private run = ''
  private readonly endedRuns: string[] = []
  private readonly admitted = new Set<string>()
  /** conversations with the services as they are now */
  private readonly talks = new Map<number, TalkOptions>()
  private lastTalk = 0
  private readonly calls = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>()
  private lastCall = 0

  constructor(options: ApartOptions) {
    this.options = options
    this.makeLine = options.line
    this.begin()
  }

  ready(): Promise<void> {
    return this.begun
  }

  admit(path: string): void {
    // said again to services that are started anew
    this.admitted.add(path)
    this.send({ kind: 'admit', path })
  }

  talk(options: TalkOptions): Talk {
    this.begin()
    const talk = ++this.lastTalk
    this.talks.set(talk, options)
    this.send({ kind: 'talk', talk })
    return {
      receive: (bytes) => {
        // the services that this was a conversation with are gone: the window was told
        if (!this.talks.has(talk)) return
        const own = ownBytes(bytes)
        this.send({ kind: 'bytes', talk, bytes: own }, [own.buffer])
      },
      close: () => {
        if (this.talks.delete(talk)) this.send({ kind: 'end', talk })
      },
    }
  }

  async call<K extends CallName>(name: K, args: CallArgs<K>): Promise<CallResult<K>> {
    this.begin()
    const answer = await new Promise<Answer>((resolve, reject) => {
      const id = ++this.lastCall
      this.calls.set(id, { resolve, reject })
      this.send({ kind: 'call', id, name, args })
    })
    if (!answer.ok) throw new FormatError(answer.error.code, answer.error.message, answer.error)
    return answer.value as CallResult<K>
  }

  close(): Promise<void> {
    this.closing ??= this.end()
    return this.closing
  }

  private async end(): Promise<void> {
    const { line } = this
    if (!line) return
    const closed = new Promise<string>((resolve) => (this.onClosed = resolve))
    this.send({ kind: 'close' })
    const why = await closed
    if (why) this.options.log.write('error', `the services did not end as they should: ${why}`)
    this.line = null
    await line.end()
  }

  private send(message: ToServices, transfer: readonly ArrayBuffer[] = []): void {
    if (this.early) this.early.push([message, transfer])
    else this.line?.send(message, transfer)
  }

  /** Where there are none, or none any more. @throws FormatError io */
  private begin(): void {
    if (this.line) return
    if (this.closing) throw new FormatError('io', say('workers.stopped'))
    if (this.run) this.options.log.write('info', 'the services are started again')
    this.early = [...this.admitted].map((path) => [{ kind: 'admit', path }, []])
    this.begun = new Promise((resolve, reject) => this.connect({ resolve, reject }))
    // whoever waits for nothing is told by the conversation
    this.begun.catch(() => {})
  }

  private connect(begun: { resolve(): void; reject(error: Error): void }): void {
    const { otherLine, log, start } = this.options
    const lost = (why: string, error = new Error(why)): void => {
      begun.reject(error)
      this.lost(why)
    }
    const ended = (why: string): void => {
      if (!this.early || !otherLine || this.makeLine === otherLine) return lost(why)
      log.write('error', `the services do not begin as they should: ${why}`)
      this.makeLine = otherLine
      this.connect(begun)
    }
    this.run = newRun(this.endedRuns)
    let line: ServicesLine
    try {
      line = this.line = this.makeLine()
    } catch (error) {
      return ended(error instanceof Error ? error.message : String(error))
    }
    line.listen(
      (message) => {
        if (this.line !== line) return
        if (message.kind === 'broken') return lost(say('workers.failed', { why: message.why }), new Error(message.why))
        if (message.kind !== 'ready') return this.take(message)
        const { early } = this
        this.early = null
        for (const [said, transfer] of early ?? []) line.send(said, transfer)
        begun.resolve()
      },
      (why) => {
        if (this.line === line) ended(why)
      },
    )
    line.send({ kind: 'start', options: start, locale: locale(), run: this.run, ended: this.endedRuns }, [])
  }

  private take(message: ToHost): void {
    if (message.kind === 'bytes') this.talks.get(message.talk)?.send(message.bytes, message.droppable)
    else if (message.kind === 'hangUp') this.talks.get(message.talk)?.hangUp()
    else if (message.kind === 'ask') void this.ask(message.id, message.name, message.args)
    else if (message.kind === 'answer') {
      this.calls.get(message.id)?.resolve(message.answer)
      this.calls.delete(message.id)
    } else if (message.kind === 'closed') this.onClosed(message.why)
  }

  private async ask(id: number, name: keyof Desktop, args: readonly unknown[]): Promise<void> {
    const { line } = this
    let done: Extract<ToServices, { kind: 'done' }>
    try {
      const act = this.options.desktop?.[name] as ((...args: readonly unknown[]) => unknown) | undefined
      done = { kind: 'done', id, value: await act?.(...args) }
    } catch (error) {
      done = { kind: 'done', id, value: undefined, error: error instanceof Error ? error.message : String(error) }
    }
    if (this.line === line) line?.send(done, [])
  }

  /** They are gone, with all that they were at. */
  private lost(why: string): void {
    const { line } = this
    this.line = null
    this.early = null
    this.endedRuns.push(this.run)
    this.options.log.write('error', `the services ended: ${why}`)
    const message = say('workers.servicesEnded', { why })
    for (const call of this.calls.values()) call.reject(new FormatError('io', message))
    this.calls.clear()
    const told = [...this.talks.values()]
    this.talks.clear()
    for (const { send } of told)
      send(encodeMessage({ kind: 'event', name: 'services.ended', event: { message } } satisfies ServerMessage), false)
    this.onClosed('')
    void line?.end()
  }
}

/** Bytes that can be handed over: a view of a larger buffer, or of one that others have, is copied. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes
  const whole = buffer instanceof ArrayBuffer && bytes.byteLength === buffer.byteLength && !isMarkedAsUntransferable(buffer)
  return whole ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes)
}
