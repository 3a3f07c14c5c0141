/** The services' side of the line to a host that they run apart from: makes them, and talks with its windows. */
import type { CallName } from '../../../shared/api/contract.ts'
import { setLocale } from '../../../shared/texts/say.ts'
import { beginRun } from '../../files/process-lives.ts'
import { dispatch } from '../../services/dispatch.ts'
import type { Services } from '../../services/service.ts'
import { openSession } from '../session.ts'
import type { Session } from '../session.ts'
import type { Desktop } from './desktop.ts'
import type { OwnLine, ServicesStart, ToServices } from './protocol.ts'

export type MakeServices = (options: ServicesStart, desktop: Desktop) => Services | Promise<Services>

export function serveServices(line: OwnLine, make: MakeServices): void {
  const sessions = new Map<number, Session>()
  const asked = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let lastAsked = 0
  let services: Services | undefined

  const ask = (name: keyof Desktop, ...args: unknown[]): Promise<never> =>
    new Promise<unknown>((resolve, reject) => {
      const id = ++lastAsked
      asked.set(id, { resolve, reject })
      line.send({ kind: 'ask', id, name, args }, [])
    }) as Promise<never>
  /** Nobody waits for these. */
  const tell = (name: keyof Desktop, ...args: unknown[]): void => void ask(name, ...args).catch(() => {})
  const desktop: Desktop = {
    pickFolder: () => ask('pickFolder'),
    takePending: () => ask('takePending'),
    menuKeys: (keys) => ask('menuKeys', keys),
    actOnUpdate: (action) => ask('actOnUpdate', action),
    openFile: (path) => ask('openFile', path),
    showInFolder: (path) => tell('showInFolder', path),
    dragFiles: (files) => ask('dragFiles', files),
    recentChanged: () => tell('recentChanged'),
    themeIs: (theme) => tell('themeIs', theme),
  }

  async function begin({ options, locale, run, ended }: Extract<ToServices, { kind: 'start' }>): Promise<void> {
    setLocale(locale)
    beginRun(run, ended)
    try {
      services = await make(options, desktop)
    } catch (error) {
      line.send({ kind: 'broken', why: reason(error) }, [])
      return
    }
    line.send({ kind: 'ready' }, [])
  }

  function open(talk: number, from: Services): void {
    const session = openSession({
      services: from,
      send: (bytes, droppable) => line.send({ kind: 'bytes', talk, bytes, droppable }, [bytes.buffer]),
    })
    sessions.set(talk, session)
  }

  async function answer(id: number, name: CallName, args: unknown, from: Services): Promise<void> {
    line.send({ kind: 'answer', id, answer: await dispatch(from, name, args, new AbortController().signal) }, [])
  }

  async function close(from: Services): Promise<void> {
    for (const session of sessions.values()) session.close()
    sessions.clear()
    let why = ''
    try {
      await from.close()
    } catch (error) {
      why = reason(error)
    }
    line.send({ kind: 'closed', why }, [])
  }

  function take(message: ToServices, from: Services): void {
    switch (message.kind) {
      case 'admit':
        return from.boundary.admit(message.path)
      case 'talk':
        return open(message.talk, from)
      case 'bytes':
        if (sessions.get(message.talk)?.receive(message.bytes) === false) line.send({ kind: 'hangUp', talk: message.talk }, [])
        return
      case 'end':
        sessions.get(message.talk)?.close()
        sessions.delete(message.talk)
        return
      case 'call':
        return void answer(message.id, message.name, message.args, from)
      case 'close':
        return void close(from)
    }
  }

  line.listen((message) => {
    if (message.kind === 'start') void begin(message)
    else if (message.kind === 'done') {
      const waiting = asked.get(message.id)
      asked.delete(message.id)
      if (message.error === undefined) waiting?.resolve(message.value)
      else waiting?.reject(new Error(message.error))
    }
    // a host says nothing else before they are ready
    else if (services) take(message, services)
  })
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
