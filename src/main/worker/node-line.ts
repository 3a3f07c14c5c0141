/** Workers of Node as the lines of the shared protocol (`src/shared/worker`), and where their files are. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parentPort } from 'node:worker_threads'
import { FormatError } from '../binary/format-error.ts'
import type { HostLine, Reply, WorkerLine } from '../../shared/worker/protocol.ts'
import { say } from '../../shared/texts/say.ts'
import { startThread } from './thread.ts'
import type { ThreadOptions } from './thread.ts'

/**
 * The file of a worker: beside the module that starts it as source; in a build beside the bundle or a folder up from its chunks.
 * @param beside `import.meta.url` of that module
 */
export function workerFile(name: string, beside: string): URL {
  const places = [`./${name}.ts`, `./${name}.js`, `../${name}.js`].map((place) => new URL(place, beside))
  const found = places.find((url) => existsSync(fileURLToPath(url)))
  if (!found) throw new FormatError('internal', say('workers.missing', { file: name }))
  return found
}

/** Starts a worker. One that waits for work keeps no program alive; one that works does. */
export function nodeLine(file: URL, options?: ThreadOptions): WorkerLine {
  const { worker, end } = startThread(file, options)
  let over = false
  return {
    send(order, transfer) {
      worker.ref()
      worker.postMessage(order, transfer)
    },
    listen(reply, ended) {
      worker.on('message', (message: Reply) => {
        if (!('progress' in message)) worker.unref()
        reply(message)
      })
      worker.on('error', (error) => {
        if (!over) ended(say('workers.failed', { why: error instanceof Error ? error.message : String(error) }))
        over = true
      })
      worker.on('exit', () => {
        if (!over) ended(say('workers.ended'))
        over = true
      })
    },
    end() {
      over = true
      return end()
    },
  }
}

/** The line of the worker that this runs in. */
export function hostLine(): HostLine {
  const port = parentPort!
  return {
    send: (reply, transfer) => port.postMessage(reply, transfer),
    listen: (order) => void port.on('message', order),
  }
}
