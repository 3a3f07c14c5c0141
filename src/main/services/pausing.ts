/** Long work in the process that answers calls: now and then others run, its share is told, and it ends where the caller has cancelled it. */
import { setImmediate } from 'node:timers/promises'
import type { Pause } from '../../shared/stepwise.ts'

/** Milliseconds that others wait. */
const EVERY = 30

/** @param progress is given the share that is done. The pause throws what the signal was aborted with */
export function pausing(signal: AbortSignal, progress: (share: number) => void, every = EVERY): Pause {
  // who cancels at once need not wait
  let last = -Infinity
  return (share) => {
    if (performance.now() - last < every) return undefined
    progress(share)
    return setImmediate().then(() => {
      signal.throwIfAborted()
      last = performance.now()
    })
  }
}
