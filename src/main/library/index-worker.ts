/** The worker that indexes: its own connection to the index, its own files. */
import { registryOf } from '../formats/registry.ts'
import { FormatError, toErrorData } from '../binary/format-error.ts'
import { leftOutOf } from '../files/left-out.ts'
import { FileStore } from '../files/store.ts'
import { paced } from '../../shared/stepwise.ts'
import { serveJobs, type Work } from '../../shared/worker/serve-jobs.ts'
import { giveWay } from '../worker/give-way.ts'
import { hostLine } from '../worker/node-line.ts'
import { comesOfDamage, isDamage, openExisting } from './database.ts'
import { setSeal } from './seal.ts'
import { exceptFor } from './except-for.ts'
import { indexing, type IndexOptions } from './indexer.ts'
import { ReadingPool } from './reading-pool.ts'
import type { Batch } from './read-batches.ts'
import type { IndexWork, ScanResult, WorkerInput } from './worker-host.ts'

// a library that is open is used while it is scanned
giveWay(5)

async function scan(input: WorkerInput, work: Work<IndexWork['scan']['tells']>): Promise<ScanResult> {
  let phase = ''
  const touch = work.disk && exceptFor(new Set(input.left), work.disk)
  const store = new FileStore({ registry: await registryOf(input.registryModule), touch })
  const db = openExisting(input.database)
  // pages that rows of every batch go to are brought into the file once in 128 MB, not in 4: each time waits for the disk twice, and others who read then wait, too
  db.pragma('wal_autocheckpoint = 32768')
  // rows are written in the order of the files: a scan is as fast with half of the pages in memory that questions have
  db.pragma('cache_size = -16384')
  const isLeftOut = leftOutOf(input.root, input.leftOut)
  const { root, left, registryModule, readers: threads } = input
  const pool = new ReadingPool({ root, left, registryModule, threads, touch, cancelled: work.cancelled })
  let next: Batch | undefined
  let result: ScanResult | undefined
  let failed: FormatError | undefined
  try {
    const options: IndexOptions = {
      full: input.full,
      touch,
      cancelled: work.cancelled,
      ignore: (path) => path.startsWith(input.database) || isLeftOut(path),
      onProgress(progress) {
        if (work.progress(progress, progress.phase !== phase)) phase = progress.phase
      },
    }
    const steps = indexing(db, store, root, options, pool, (batch) => (next = batch))
    result = { report: await paced(steps, () => pool.news(next)) }
  } catch (error) {
    const data = toErrorData(error, input.root)
    if (comesOfDamage(db, error)) result = { damaged: data.message }
    else failed = new FormatError(data.code, data.message, data)
  } finally {
    store.close()
    await pool.end()
  }
  // what was indexed until a stop is kept, too
  if (!result || !('damaged' in result)) setSeal(db)
  db.close()
  if (failed) throw failed
  return result!
}

serveJobs<IndexWork>(
  hostLine(),
  {
    async scan(input, work) {
      try {
        return await scan(input, work)
      } catch (error) {
        const data = toErrorData(error, input.root)
        if (isDamage(error)) return { damaged: data.message }
        throw new FormatError(data.code, data.message, data)
      }
    },
  },
  { toData: toErrorData },
)
