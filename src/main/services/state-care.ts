/** Looks after the state folder while a host runs: clears away what interrupted writes left, and says to the window, once, what was damaged. */
import { setTimeout as later } from 'node:timers'
import type { Originals } from '../workspace/originals.ts'
import type { StateDamage, StateFiles } from '../workspace/state-files.ts'
import type { Emit } from './service.ts'
import { say } from '../../shared/texts/say.ts'

export class StateCare {
  private readonly files: StateFiles
  private readonly originals: Originals
  private readonly emit: Emit
  private checking: Promise<void> | undefined

  constructor(files: StateFiles, originals: Originals, emit: Emit) {
    this.files = files
    this.originals = originals
    this.emit = emit
  }

  /** A window is there to be told. @param delay ms until it listens, the answer that it waits for being on its way */
  begin(delay: number): void {
    if (this.checking) return
    this.checking = new Promise((resolve) => {
      later(() => {
        this.files.onDamage((damage) => this.emit('notice', noticeOf(damage)))
        this.files.sweepAll()
        this.originals
          .check()
          // the originals stay as they are, and each is looked at again when it is asked for
          .catch((error: unknown) => console.error(error))
          .finally(resolve)
      }, delay)
    })
  }

  async close(): Promise<void> {
    await this.checking
  }
}

/** What was damaged, and where it is kept now. */
export function damageText(message: string, kept: string): string {
  return kept ? say('originals.damageKept', { what: message, path: kept }) : say('originals.damage', { what: message })
}

function noticeOf({ message, kept, restored }: StateDamage): { severity: 'info' | 'warning'; message: string } {
  return { severity: restored ? 'info' : 'warning', message: damageText(message, kept) }
}
