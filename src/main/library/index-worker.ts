/** The worker that indexes: its own connection to the index, its own files. */
import { parentPort, workerData } from 'node:worker_threads'
import { createRegistry, registry } from '../formats/registry.ts'
import { toErrorData } from '../binary/format-error.ts'
import { FileStore } from '../files/store.ts'
import { comesOfDamage, isDamage, openExisting } from './database.ts'
import { setSeal } from './seal.ts'
import { indexFolder } from './indexer.ts'
import type { Family } from '../formats/format.ts'
import type { WorkerInput, WorkerMessage } from './worker-host.ts'

const input = workerData as WorkerInput
const cancel = new Int32Array(input.cancel)
const post = (message: WorkerMessage): void => parentPort!.postMessage(message)

let posted = 0
let phase = ''

try {
  const families = input.registryModule ? ((await import(input.registryModule)) as { families: readonly Family[] }).families : undefined
  const store = new FileStore({ registry: families ? createRegistry(families) : registry })
  const db = openExisting(input.database)
  let done: Extract<WorkerMessage, { kind: 'done' | 'failed' }>
  try {
    const report = indexFolder(db, store, input.root, {
      full: input.full,
      cancelled: () => Atomics.load(cancel, 0) === 1,
      ignore: (path) => path.startsWith(input.database),
      onProgress: (progress) => {
        const now = performance.now()
        if (progress.phase === phase && now - posted < 100) return
        posted = now
        phase = progress.phase
        post({ kind: 'progress', progress })
      },
    })
    done = { kind: 'done', report }
  } catch (error) {
    done = { kind: 'failed', error: toErrorData(error, input.root), damaged: comesOfDamage(db, error) }
  } finally {
    store.close()
  }
  // what was indexed until a stop is kept, too
  if (done.kind === 'done' || !done.damaged) setSeal(db)
  db.close()
  post(done)
} catch (error) {
  post({ kind: 'failed', error: toErrorData(error, input.root), damaged: isDamage(error) })
}
