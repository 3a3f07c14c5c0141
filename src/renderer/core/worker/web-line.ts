/** Web workers as the lines of the shared protocol (`src/shared/worker`). */
import { ApiError } from '../../../shared/api/api-error.ts'
import { JobWorker } from '../../../shared/worker/job-worker.ts'
import type { Jobs, WorkerLine } from '../../../shared/worker/protocol.ts'
import type { english } from '../../../shared/texts/en/index.ts'
import { say } from '../../../shared/texts/say.ts'

function webLine(worker: Worker): WorkerLine {
  return {
    send: (order, transfer) => worker.postMessage(order, [...transfer]),
    listen(reply, ended) {
      worker.onmessage = ({ data }) => reply(data)
      worker.onerror = (event) => {
        event.preventDefault()
        worker.terminate()
        ended(say('common.workerFailed', { reason: event.message || say('common.workerNotStarted') }))
      }
    },
    end() {
      worker.onmessage = worker.onerror = null
      worker.terminate()
    },
  }
}

/**
 * @param start makes the worker; written out where it is used, so that the build finds its file
 * @param rest as in WorkerOptions
 */
export function webWorker<J extends Jobs<J>>(name: keyof typeof english.common.workers, start: () => Worker, rest?: number): JobWorker<J> {
  return new JobWorker<J>(() => webLine(start()), { name: say(`common.workers.${name}`), rest, toError: (data) => new ApiError(data) })
}
