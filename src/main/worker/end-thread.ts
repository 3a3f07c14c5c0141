/** Ends a thread, also one that cannot be ended: a call of the system that does not come back holds it, whatever it is told. */
import { isMainThread } from 'node:worker_threads'
import type { Worker } from 'node:worker_threads'

/** ms after which a thread that should end counts as one that is held */
const HELD = 1000

/**
 * Resolves once it has ended, or is known to be held: then it ends when its drive answers. A process waits at its end for all of its threads, so one that ends
 * before that is ended from outside, with all that it has to do behind it.
 */
export async function endThread(worker: Worker): Promise<void> {
  const ended = worker.terminate()
  let late: ReturnType<typeof setTimeout> | undefined
  const held = await Promise.race([ended.then(() => false), new Promise<boolean>((resolve) => (late = setTimeout(resolve, HELD, true)))])
  clearTimeout(late)
  if (!held) return
  worker.unref()
  // the end of a thread that itself has one is held with it, and seen by whoever started it
  if (!isMainThread) return
  const endFromOutside = (): void => void process.kill(process.pid, 'SIGKILL')
  process.once('exit', endFromOutside)
  void ended.then(() => process.off('exit', endFromOutside))
}
