/** A thread that reads files for a scan: it has files and formats, and no index. */
import { parentPort, workerData } from 'node:worker_threads'
import { toErrorData } from '../binary/format-error.ts'
import { FileStore } from '../files/store.ts'
import { registryOf } from '../formats/registry.ts'
import { serveJobs } from '../../shared/worker/serve-jobs.ts'
import { giveWay } from '../worker/give-way.ts'
import { hostLine } from '../worker/node-line.ts'
import { exceptFor } from './except-for.ts'
import { Cancelled, FileReading, ReadingRoom } from './file-reading.ts'
import { Flow, MOST_ROWS, MOST_TEXT, type ReadWork, type ReadingSettings } from './reading-pool.ts'
import type { ReadRow } from './index-rows.ts'

giveWay(5)

const { root, left, registryModule, flow: shared } = workerData as ReadingSettings
const registry = await registryOf(registryModule)
const flow = new Flow(shared)
const room = new ReadingRoom()
let store: FileStore | undefined

serveJobs<ReadWork>(
  hostLine(),
  {
    async settle({ database }) {
      const { bringIn } = await import('./database.ts')
      bringIn(database)
      // it ends by itself, behind its answer: whoever would end it puts models together, and its memory is wanted there
      setImmediate(() => parentPort!.close())
      return undefined
    },
    read({ files, from }, { disk, cancelled, progress }) {
      const touch = disk && exceptFor(new Set(left), disk)
      store ??= new FileStore({ registry, touch })
      let rows: ReadRow[] = []
      let text = 0
      const check = (): void => {
        if (cancelled()) throw new Cancelled()
      }
      const tell = (): void => {
        if (rows.length === 0) return
        flow.told(check)
        progress(rows, true)
        rows = []
        text = 0
      }
      const reading = new FileReading(store, {
        root,
        touch,
        room,
        check,
        tell(row) {
          rows.push(row)
          text += row.text.length + (row.kind === 'file' ? row.summary.length + row.diagnostics.length : 0)
          if (rows.length >= MOST_ROWS || text >= MOST_TEXT) tell()
        },
      })
      files.forEach((file, i) => {
        check()
        flow.file = from + i
        reading.read(file)
      })
      tell()
      flow.file = -1
      return undefined
    },
  },
  { toData: toErrorData },
)
