/**
 * The services as a host has them: it carries bytes between them and its windows, and calls them for itself. Where they run is no matter to it: in its own
 * thread (in-place.ts), or apart from it (apart.ts), where no work of theirs keeps it from its windows.
 */
import type { CallArgs, CallName, CallResult } from '../../../shared/api/contract.ts'

export interface Backend {
  /** A path that the user chose or gave at the start: windows may use it. */
  admit(path: string): void
  /** one window's conversation */
  talk(options: TalkOptions): Talk
  /** a call of the host itself, which may name everything */
  call<K extends CallName>(name: K, args: CallArgs<K>): Promise<CallResult<K>>
  /** Resolves once they answer. @throws Error why they cannot be made */
  ready(): Promise<void>
  /** writes journals, stops workers */
  close(): Promise<void>
}

export interface TalkOptions {
  /** @param droppable progress that the next one makes stale; a transport whose window is slow leaves it out */
  send(bytes: Uint8Array<ArrayBuffer>, droppable: boolean): void
  /** the window sent what is no message of the protocol */
  hangUp(): void
}

export interface Talk {
  /** one message of the window; the bytes belong to the talk from here on */
  receive(bytes: Uint8Array): void
  /** cancels what runs; nothing is sent any more */
  close(): void
}
