/** The worker of ModelJobs. In the background it gives way before it loads what it works with: that alone takes longer than a search. */
import { workerData } from 'node:worker_threads'
import { giveWay } from '../worker/give-way.ts'
import type { WorkerSettings } from './model-worker-host.ts'

const { background } = workerData as WorkerSettings
if (background) giveWay(10)
await import('./model-work.ts')
