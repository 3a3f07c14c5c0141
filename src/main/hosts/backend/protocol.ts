/**
 * What a host and services that run apart from it say to each other. Messages of windows stay the bytes that they are, and are handed over, not copied, where
 * the line can: the host neither reads nor makes them.
 */
import type { CallName } from '../../../shared/api/contract.ts'
import type { Locale } from '../../../shared/texts/say.ts'
import type { Answer } from '../../services/dispatch.ts'
import type { Desktop } from './desktop.ts'

export interface ServicesStart {
  stateFolder: string
  host: 'electron' | 'web'
  version?: string
  /** URL of a module that exports families, in place of the product's */
  registryModule?: string
}

export type ToServices =
  | {
      kind: 'start'
      options: ServicesStart
      locale: Locale
      /** what this run of the services is called, and earlier ones in the same process that failed (files/process-lives.ts) */
      run: string
      ended: readonly string[]
    }
  | { kind: 'admit'; path: string }
  | { kind: 'talk'; talk: number }
  | { kind: 'bytes'; talk: number; bytes: Uint8Array }
  | { kind: 'end'; talk: number }
  | { kind: 'call'; id: number; name: CallName; args: unknown }
  /** the desktop did what it was asked for, or why it could not */
  | { kind: 'done'; id: number; value: unknown; error?: string }
  | { kind: 'close' }

export type ToHost =
  | { kind: 'ready' }
  /** they could not be made */
  | { kind: 'broken'; why: string }
  | { kind: 'bytes'; talk: number; bytes: Uint8Array<ArrayBuffer>; droppable: boolean }
  | { kind: 'hangUp'; talk: number }
  | { kind: 'answer'; id: number; answer: Answer }
  | { kind: 'ask'; id: number; name: keyof Desktop; args: readonly unknown[] }
  /** @param why the end was not as it should be, '' where it was */
  | { kind: 'closed'; why: string }

/** The host's end of the line. */
export interface ServicesLine {
  send(message: ToServices, transfer: readonly ArrayBuffer[]): void
  /** @param ended is told once why they are gone, and that nothing of theirs runs any more; never after `end` */
  listen(message: (message: ToHost) => void, ended: (why: string) => void): void
  /** ends them, whatever they do */
  end(): void | Promise<unknown>
}

/** The services' own end. */
export interface OwnLine {
  send(message: ToHost, transfer: readonly ArrayBuffer[]): void
  listen(message: (message: ToServices) => void): void
}
