/** What the user waits for goes first: threads that work in the background leave the processors to those that answer. */
import { getPriority, setPriority } from 'node:os'

/** @param steps of the system's priority; said by the thread itself, for good */
export function giveWay(steps: number): void {
  // elsewhere a priority is that of the whole process, and this one answers the user, too
  if (process.platform !== 'linux') return
  try {
    setPriority(Math.min(getPriority() + steps, 19))
  } catch {
    // a system that lets nobody say so: work is shared evenly
  }
}
