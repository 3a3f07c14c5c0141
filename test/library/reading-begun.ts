/** Threads of a scan in tests: the one that writes the index waits for one that reads, however long a busy machine takes to load it. */
import { getEnvironmentData, setEnvironmentData, workerData } from 'node:worker_threads'

/** this thread reads for another one that writes */
export const reads = (workerData as { flow?: unknown } | null)?.flow !== undefined

const NAME = 'marrow.test.reading'
/** ms; where there is too little to read for other threads, nobody comes */
const LONGEST = 20_000
let waited = reads

if (reads) {
  const shared = getEnvironmentData(NAME)
  if (shared instanceof SharedArrayBuffer) {
    Atomics.store(new Int32Array(shared), 0, 1)
    Atomics.notify(new Int32Array(shared), 0)
  }
} else setEnvironmentData(NAME, new SharedArrayBuffer(4))

/** Asked by the thread that writes, before the first file that it reads itself. */
export function waitForReader(): void {
  if (waited) return
  waited = true
  Atomics.wait(new Int32Array(getEnvironmentData(NAME) as SharedArrayBuffer), 0, 0, LONGEST)
}
