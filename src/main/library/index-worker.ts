/** The worker that indexes: its own connection to the index, its own files. */
import { registryOf } from '../formats/registry.ts'
import { FormatError, toErrorData } from '../binary/format-error.ts'
import { leftOutOf } from '../files/left-out.ts'
import { FileStore } from '../files/store.ts'
import type { DiskTouch } from '../../shared/worker/disk-mark.ts'
import { say } from '../../shared/texts/say.ts'
import { serveJobs, type Work } from '../../shared/worker/serve-jobs.ts'
import { giveWay } from '../worker/give-way.ts'
import { hostLine } from '../worker/node-line.ts'
import { comesOfDamage, isDamage, openExisting } from './database.ts'
import { setSeal } from './seal.ts'
import { indexFolder } from './indexer.ts'
import type { IndexWork, ScanResult, WorkerInput } from './worker-host.ts'

// a library that is open is used while it is scanned
giveWay(5)

/** What did not answer before is not asked again. */
function exceptFor(left: ReadonlySet<string>, disk: DiskTouch): DiskTouch {
  return {
    begin(path) {
      if (left.has(path)) throw new FormatError('no-answer', say('indexing.noAnswer'), { file: path })
      disk.begin(path)
    },
    end: () => disk.end(),
  }
}

async function scan(input: WorkerInput, work: Work<IndexWork['scan']['tells']>): Promise<ScanResult> {
  let phase = ''
  const touch = work.disk && exceptFor(new Set(input.left), work.disk)
  const store = new FileStore({ registry: await registryOf(input.registryModule), touch })
  const db = openExisting(input.database)
  const isLeftOut = leftOutOf(input.root, input.leftOut)
  let result: ScanResult | undefined
  let failed: FormatError | undefined
  try {
    const report = indexFolder(db, store, input.root, {
      full: input.full,
      touch,
      cancelled: work.cancelled,
      ignore: (path) => path.startsWith(input.database) || isLeftOut(path),
      onProgress(progress) {
        if (work.progress(progress, progress.phase !== phase)) phase = progress.phase
      },
    })
    result = { report }
  } catch (error) {
    const data = toErrorData(error, input.root)
    if (comesOfDamage(db, error)) result = { damaged: data.message }
    else failed = new FormatError(data.code, data.message, data)
  } finally {
    store.close()
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
