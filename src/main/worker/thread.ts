/** Threads as they are started and ended: also one that cannot be ended just now, or at all. */
import { getEnvironmentData, isMainThread, setEnvironmentData, Worker } from 'node:worker_threads'
import { setTimeout as pause } from 'node:timers/promises'

export interface ThreadOptions {
  workerData?: unknown
  /** megabytes for what was made last: with more of them the engine looks for what nothing holds less often, and holds more until then */
  young?: number
}

export interface Thread {
  worker: Worker
  /**
   * Resolves once it has ended, or is known to be held by a call of the system that does not come back: then it ends when its drive answers. A process waits at
   * its end for all of its threads, so one that ends before that is ended from outside, with all that it has to do behind it.
   */
  end(): Promise<void>
}

/** ms after which a thread that should end counts as one that is held */
const HELD = 1000

/** What stands in the door of a thread: nothing, the thread with what must come to its end, or whoever ends it. */
const OPEN = 0
const INSIDE = 1
const ENDING = 2
const DOOR = 'marrow.door'

/** of the thread that this runs in; read before it starts threads of its own, which find theirs under the same name */
const ownDoor = doorOf(getEnvironmentData(DOOR))

export function startThread(file: URL, { workerData, young }: ThreadOptions = {}): Thread {
  const shared = new SharedArrayBuffer(4)
  setEnvironmentData(DOOR, shared)
  const worker = new Worker(file, {
    workerData,
    resourceLimits: young === undefined ? {} : { maxYoungGenerationSizeMb: young },
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  return { worker, end: () => endThread(worker, doorOf(shared)!) }
}

/**
 * Does what a thread must not be ended in: a native library that is ended while it makes itself known to the engine ends the whole process.
 * Whoever ends this thread waits for it.
 */
export function undisturbed<T>(act: () => T): T {
  if (!ownDoor) return act()
  // the end that is on its way wakes this up
  while (Atomics.compareExchange(ownDoor, 0, OPEN, INSIDE) === ENDING) Atomics.wait(ownDoor, 0, ENDING)
  try {
    return act()
  } finally {
    Atomics.store(ownDoor, 0, OPEN)
  }
}

async function endThread(worker: Worker, door: Int32Array): Promise<void> {
  const ended = closed(door).then(() => worker.terminate())
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

async function closed(door: Int32Array): Promise<void> {
  while (Atomics.compareExchange(door, 0, OPEN, ENDING) === INSIDE) await pause(1, undefined, { ref: false })
}

function doorOf(shared: unknown): Int32Array | undefined {
  return shared instanceof SharedArrayBuffer ? new Int32Array(shared) : undefined
}
