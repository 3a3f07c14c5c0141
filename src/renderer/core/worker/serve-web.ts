/** The window's workers: what each of them does, by name. */
import { serveJobs, type JobHandlers } from '../../../shared/worker/serve-jobs.ts'
import type { Jobs, Order, Reply } from '../../../shared/worker/protocol.ts'
import { english } from '../../../shared/texts/en/index.ts'
import { learn } from '../../../shared/texts/say.ts'
import { errorData } from '../errors.ts'

/** What a worker's global scope is to the protocol; the window's types have none. */
interface Scope {
  onmessage: ((event: { data: Order }) => void) | null
  postMessage(message: Reply, transfer: readonly ArrayBuffer[]): void
}

export function serveWindow<J extends Jobs<J>>(handlers: JobHandlers<J>): void {
  learn(english)
  const scope = globalThis as unknown as Scope
  serveJobs<J>(
    {
      send: (reply, transfer) => scope.postMessage(reply, transfer),
      listen(order) {
        scope.onmessage = ({ data }) => order(data)
      },
    },
    handlers,
    { toData: errorData },
  )
}
