/** Services without files behind them: a call that a test does not need fails, the others can be given. */
import { FormatError } from '../../src/main/binary/format-error.ts'
import type { Handlers, Services } from '../../src/main/services/service.ts'
import { contract } from '../../src/shared/api/contract.ts'
import type { CallName } from '../../src/shared/api/contract.ts'
import type { EventMap, EventName } from '../../src/shared/api/events.ts'

export interface FakeServices extends Services {
  emit<K extends EventName>(name: K, event: EventMap[K]): void
  /** listeners that are there now */
  readonly listeners: number
  readonly closed: boolean
  /** paths that a host let in */
  readonly admitted: string[]
}

export function fakeServices(given: Partial<Handlers> = {}): FakeServices {
  const listeners = new Set<(name: any, event: any) => void>()
  let closed = false
  const missing = (name: string) => () => {
    throw new FormatError('unsupported', `${name} is not in the fake services`)
  }
  const handlers = Object.fromEntries((Object.keys(contract) as CallName[]).map((name) => [name, missing(name)]))
  const admitted: string[] = []
  return {
    admitted,
    boundary: { admit: (path) => void admitted.push(path), check() {} },
    handlers: { ...handlers, ...given } as Handlers,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    emit(name, event) {
      for (const listener of [...listeners]) listener(name, event)
    },
    async close() {
      closed = true
    },
    get listeners() {
      return listeners.size
    },
    get closed() {
      return closed
    },
  }
}
