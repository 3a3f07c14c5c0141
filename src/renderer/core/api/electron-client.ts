/** The Api over the bridge of the preload script. */
import type { Api } from '../../../shared/api/transport.ts'
import type { Bridge } from '../../../shared/api/bridge.ts'
import { createMessageClient } from './message-client.ts'

export function createElectronClient(bridge: Bridge): Api {
  const client = createMessageClient({
    ready: () => Promise.resolve(),
    send: (bytes) => bridge.send(bytes),
  })
  bridge.listen((bytes) => client.receive(bytes))
  return { call: client.call, on: client.on }
}
