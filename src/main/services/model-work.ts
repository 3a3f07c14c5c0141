/** What the worker of ModelJobs does: its own files and its own connections to the indexes; one job after the other. */
import { workerData } from 'node:worker_threads'
import { toErrorData } from '../binary/format-error.ts'
import { FileStore } from '../files/store.ts'
import { registryOf } from '../formats/registry.ts'
import { Library } from '../library/library.ts'
import type { DiskTouch } from '../../shared/worker/disk-mark.ts'
import { serveJobs, type Work } from '../../shared/worker/serve-jobs.ts'
import { hostLine } from '../worker/node-line.ts'
import { withSlices } from '../workspace/slices-file.ts'
import { Libraries } from './libraries.ts'
import { runModelJob } from './model-jobs.ts'
import type { BatchFailure } from '../../shared/api/types/export.ts'
import type { Problem } from '../../shared/api/types/model.ts'
import type { JobProgress, JobResults, ModelJob } from './model-jobs.ts'
import type { ModelWork, WorkerSettings } from './model-worker-host.ts'

const { stateFolder, registryModule } = workerData as WorkerSettings
/** of the job that runs */
let disk: DiskTouch | undefined
const touch: DiskTouch = { begin: (path) => disk?.begin(path), end: () => disk?.end() }
const store = new FileStore({ touch, registry: withSlices(await registryOf(registryModule)) })
const libraries = new Libraries(store, stateFolder, (root, file) => Library.open(root, file, { store }))

function run<J extends ModelJob>(job: J, work: Work<JobProgress>): Promise<JobResults[J['kind']]> {
  disk = work.disk
  // what was found waits with the progress that is not told
  let failures: BatchFailure[] = []
  let problems: Problem[] = []
  return runModelJob(job, {
    store,
    touch,
    libraries,
    stateFolder,
    cancelled: work.cancelled,
    onProgress(progress, must) {
      failures = [...failures, ...progress.failures]
      if (progress.problems) for (const problem of progress.problems) problems.push(problem)
      if (!work.progress({ ...progress, failures, ...(progress.problems && { problems }) }, must)) return
      failures = []
      problems = []
    },
  })
}

serveJobs<ModelWork>(
  hostLine(),
  { picture: run, first: run, contents: run, check: run, compare: run, lint: run, export: run, texture: run, pixels: run, png: run },
  { toData: toErrorData },
)
