/** The worker of ModelJobs: its own files and its own connections to the indexes; one job after the other. */
import { parentPort, workerData } from 'node:worker_threads'
import { toErrorData } from '../binary/format-error.ts'
import { FileStore } from '../files/store.ts'
import { registry } from '../formats/registry.ts'
import { Library } from '../library/library.ts'
import { withSlices } from '../workspace/slices-file.ts'
import { Libraries } from './libraries.ts'
import { runModelJob } from './model-jobs.ts'
import type { BatchFailure } from '../../shared/api/types.ts'
import type { JobMessage, JobOrder, WorkerSettings } from './model-worker-host.ts'

const { stateFolder } = workerData as WorkerSettings
const store = new FileStore({ registry: withSlices(registry) })
const libraries = new Libraries(store, stateFolder, (root, file) => Library.open(root, file, { store }))
const post = (message: JobMessage): void => parentPort!.postMessage(message)

/** Progress is told at most this often; failures wait with it. */
const PROGRESS_MS = 100

parentPort!.on('message', ({ job, cancel }: JobOrder) => {
  const flag = new Int32Array(cancel)
  let posted = 0
  let failures: BatchFailure[] = []
  runModelJob(job, {
    store,
    libraries,
    stateFolder,
    cancelled: () => Atomics.load(flag, 0) === 1,
    onProgress: (progress) => {
      failures = [...failures, ...progress.failures]
      const now = performance.now()
      if (now - posted < PROGRESS_MS) return
      posted = now
      post({ kind: 'progress', progress: { ...progress, failures } })
      failures = []
    },
  }).then(
    (result) => post({ kind: 'done', result }),
    (error: unknown) => post({ kind: 'failed', error: toErrorData(error) }),
  )
})
