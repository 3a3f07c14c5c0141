/** Services in the thread of their host. */
import type { Services } from '../../services/service.ts'
import { openSession } from '../session.ts'
import type { Backend } from './backend.ts'

export function inPlace(services: Services): Backend {
  return {
    admit: (path) => services.boundary.admit(path),
    talk({ send, hangUp }) {
      const session = openSession({ services, send })
      return {
        receive(bytes) {
          if (!session.receive(bytes)) hangUp()
        },
        close: () => session.close(),
      }
    },
    call: async (name, args) => services.handlers[name](args, { signal: new AbortController().signal }),
    ready: () => Promise.resolve(),
    close: () => services.close(),
  }
}
