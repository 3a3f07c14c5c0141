/** Services in a thread of the host's process. */
import { workerFile } from '../../worker/node-line.ts'
import { startThread } from '../../worker/thread.ts'
import { say } from '../../../shared/texts/say.ts'
import type { ServicesLine, ToHost } from './protocol.ts'

export function servicesThread(): ServicesLine {
  const { worker, end } = startThread(workerFile('services-worker', import.meta.url))
  let over = false
  let why = say('workers.ended')
  return {
    send: (message, transfer) => worker.postMessage(message, transfer),
    listen(message, ended) {
      worker.on('message', (told: ToHost) => {
        if (!over) message(told)
      })
      worker.on('error', (error) => {
        const memory = (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY'
        why = memory ? say('workers.outOfMemory') : say('workers.failed', { why: error instanceof Error ? error.message : String(error) })
      })
      // what was on its way to the disk has come there or not: nothing of theirs runs any more
      worker.on('exit', () => {
        if (!over) ended(why)
        over = true
      })
    },
    end() {
      over = true
      return end()
    },
  }
}
