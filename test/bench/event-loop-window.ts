/** A worker: a window of the web host, which asks for what it is told to, and draws nothing. */
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { createWebClient } from '../../src/renderer/core/api/web-client.ts'
import { parseLaunch } from '../../src/shared/api/launch.ts'
import { enterWith, openAs } from '../support/web-entry.ts'

export interface Places {
  library: string
  figure: string
  archive: string
}
export type Task = 'scan' | 'archive' | 'model' | 'pictures'

const { url, places } = workerData as { url: string; places: Places }
const { origin, hash } = new URL(url)
const { key, cookie } = await enterWith(origin, parseLaunch(hash).code ?? '')
const api = createWebClient({ origin, key: () => key, open: openAs(origin, cookie) })
await api.connected()

async function scanned(root: string): Promise<string> {
  const { id: library } = await api.call('library.open', { root })
  await api.call('library.scan', { library })
  return library
}

const tasks: Record<Task, () => Promise<unknown>> = {
  scan: () => scanned(places.library),
  async archive() {
    await api.call('library.open', { root: places.archive })
    const ref = join(places.archive, 'many.big')
    await api.call('archive.open', { ref })
    return api.call('archive.members', { ref, text: '', offset: 0, limit: 100 })
  },
  async model() {
    const library = await scanned(places.figure)
    return api.call('model.open', { ref: join(places.figure, 'adventurer.dff'), library })
  },
  async pictures() {
    const { id: library } = await api.call('library.open', { root: places.library })
    const { rows } = await api.call('library.query', { library, show: 'models', sort: 'name', offset: 0, limit: 60 })
    for (const { ref } of rows) await api.call('library.pictureScene', { library, ref })
  },
}

parentPort!.on('message', (task: Task) => {
  void tasks[task]().then(
    () => parentPort!.postMessage('done'),
    (error: unknown) => {
      throw error
    },
  )
})
parentPort!.postMessage('connected')
