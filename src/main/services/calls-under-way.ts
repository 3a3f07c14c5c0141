/** Calls that run. Services close when those have ended, else one of them would write into a state folder that is somebody else's by then. */
import { FormatError } from '../binary/format-error.ts'
import { say } from '../../shared/texts/say.ts'
import type { Handlers } from './service.ts'

/** A call that heeds no signal, on a drive that does not answer or a dialog that stays open, keeps nobody from leaving. */
const MOST_MS = 5000

export class CallsUnderWay {
  private readonly running = new Set<Promise<unknown>>()
  private closed = false

  /** Handlers that are counted; a call that comes after `close` is refused. @throws FormatError cancelled */
  count(handlers: Handlers): Handlers {
    const counted = Object.entries(handlers).map(([name, handler]) => {
      const call = handler as (args: unknown, context: { signal: AbortSignal }) => unknown
      const run = (args: unknown, context: { signal: AbortSignal }): unknown => {
        if (this.closed) throw new FormatError('cancelled', say('workers.workStopped'))
        const result = call(args, context)
        if (!(result instanceof Promise)) return result
        const ended: Promise<unknown> = result.then(
          () => this.running.delete(ended),
          () => this.running.delete(ended),
        )
        this.running.add(ended)
        return result
      }
      return [name, run]
    })
    return Object.fromEntries(counted) as Handlers
  }

  close(): void {
    this.closed = true
  }

  /** When the last call has ended, or after `most` ms. */
  async ended(most = MOST_MS): Promise<void> {
    let late: ReturnType<typeof setTimeout> | undefined
    const waited = new Promise<void>((resolve) => (late = setTimeout(resolve, most)))
    await Promise.race([Promise.all(this.running), waited])
    clearTimeout(late)
  }
}
