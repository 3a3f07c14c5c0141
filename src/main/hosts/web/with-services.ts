/** The web host and its services, which begin side by side: neither waits for the other. */
import { ServicesApart } from '../backend/apart.ts'
import type { Backend } from '../backend/backend.ts'
import type { ServicesStart } from '../backend/protocol.ts'
import { servicesThread } from '../backend/thread.ts'
import type { Log } from '../../services/log.ts'
import { startWebHost } from './web-host.ts'
import type { WebHost, WebHostOptions } from './web-host.ts'

export interface WebServices {
  host: WebHost
  /** no connection any more; then the services end as they should */
  close(): Promise<void>
}

/** @param start without it the services are those that are given */
export async function startWebServices(
  services: { start: Omit<ServicesStart, 'host'>; log: Log } | { backend: Backend },
  options: Omit<WebHostOptions, 'backend'>,
): Promise<WebServices> {
  const backend =
    'backend' in services
      ? services.backend
      : new ServicesApart({ start: { ...services.start, host: 'web' }, line: servicesThread, log: services.log })
  const [began, made] = await Promise.allSettled([startWebHost({ ...options, backend }), backend.ready()])
  if (began.status === 'fulfilled' && made.status === 'fulfilled') {
    const host = began.value
    return {
      host,
      async close() {
        await host.close()
        await backend.close()
      },
    }
  }
  if (began.status === 'fulfilled') await began.value.close()
  await backend.close()
  throw began.status === 'rejected' ? began.reason : (made as PromiseRejectedResult).reason
}
