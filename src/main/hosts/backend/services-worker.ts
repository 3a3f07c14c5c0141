/** The services apart from their host: the program of a thread behind the web host, and of Electron's utility process. */
import { parentPort } from 'node:worker_threads'
import { logUncaught, openLog } from '../../services/log.ts'
import { collectByAllThatIsHeld } from './collecting.ts'
import { withDesktop } from './desktop.ts'
import type { OwnLine, ToServices } from './protocol.ts'
import { serveServices } from './serve.ts'

/** As Electron has it in a utility process. */
interface UtilityPort {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { data: ToServices }) => void): void
}

function ownLine(): OwnLine {
  const utility = (process as { parentPort?: UtilityPort }).parentPort
  if (utility)
    return {
      // its lines copy: nothing but ports can be handed over
      send: (message) => utility.postMessage(message),
      listen: (message) => utility.on('message', ({ data }) => message(data)),
    }
  const port = parentPort!
  return {
    send: (message, transfer) => port.postMessage(message, transfer),
    listen: (message) => void port.on('message', message),
  }
}

collectByAllThatIsHeld()
serveServices(ownLine(), async ({ stateFolder, host, version, registryModule }, desktop) => {
  const log = openLog(stateFolder)
  logUncaught(log)
  // loaded when there is a way to tell that it cannot be: a native module of another system, a damaged installation
  const { createServices } = await import('../../services/create-services.ts')
  const { registryOf } = await import('../../formats/registry.ts')
  const given = registryModule === undefined ? {} : { registry: await registryOf(registryModule), registryModule }
  if (host === 'web') return createServices({ stateFolder, host, version, log, ...given })
  const { openFile } = desktop
  const showInFolder = (path: string): void => void desktop.showInFolder(path)
  const services = createServices({ stateFolder, host, version, log, openFile, showInFolder, ...given })
  return withDesktop(services, desktop)
})
