/** `marrow serve`: the workbench in a browser, from this machine's own address, until it is stopped. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { realPath } from '../files/store.ts'
import { inPlace } from '../hosts/backend/in-place.ts'
import { startWebServices } from '../hosts/web/with-services.ts'
import type { WebServices } from '../hosts/web/with-services.ts'
import { logUncaught, openLog } from '../services/log.ts'
import type { Log } from '../services/log.ts'
import type { Backend } from '../hosts/backend/backend.ts'
import type { Registry } from '../formats/registry.ts'
import { ioError } from '../files/sources.ts'
import type { WebHost } from '../hosts/web/web-host.ts'
import { say } from '../../shared/texts/say.ts'

export interface ServeOptions {
  root?: string
  /** further folders that the window may use */
  places?: readonly string[]
  port: number
  stateFolder: string
  /** families other than the product's, and the URL of a module that exports them */
  registry?: Registry
  registryModule?: string
  version: string
  signal: AbortSignal
  /** tells the address, and stops telling when what it returns is called */
  onListening: (host: WebHost) => () => void
  /** the built window; the sources' own build by default */
  rendererFolder?: string
}

/** Resolves when `signal` ends it. @throws FormatError where the window is not built, the folder missing, the port taken */
export async function serve(options: ServeOptions): Promise<void> {
  const folder = options.root === undefined ? undefined : realPath(options.root)
  const places = options.places?.map(realPath)
  const rendererFolder = options.rendererFolder ?? builtWindow()
  if (!rendererFolder || !existsSync(join(rendererFolder, 'index.html')))
    throw new FormatError('unsupported', say('commandLine.serve.notBuilt'))
  const log = openLog(options.stateFolder)
  const stopLog = logUncaught(log)
  log.write('info', `Marrow ${options.version} starts: web, Node ${process.versions.node}, ${process.platform} ${process.arch}`)
  const { registry, registryModule } = options
  const start = { stateFolder: options.stateFolder, version: options.version, registryModule }
  try {
    let served: WebServices
    try {
      served = await startWebServices(registry && !registryModule ? { backend: await inThisThread(options, log) } : { start, log }, {
        port: options.port,
        rendererFolder,
        folder,
        places,
      })
    } catch (error) {
      if ((error as { code?: string }).code === 'EADDRINUSE')
        throw new FormatError('io', say('commandLine.serve.portInUse', { port: options.port }))
      throw ioError(error, '')
    }
    const hush = options.onListening(served.host)
    await new Promise<void>((resolve) => {
      if (options.signal.aborted) resolve()
      else options.signal.addEventListener('abort', () => resolve(), { once: true })
    })
    hush()
    await served.close()
  } finally {
    stopLog()
  }
}

/** Families that no module exports cannot be had by another thread. */
async function inThisThread({ stateFolder, version, registry }: ServeOptions, log: Log): Promise<Backend> {
  const { createServices } = await import('../services/create-services.ts')
  return inPlace(createServices({ stateFolder, host: 'web', version, log, registry }))
}

/** Seen from the sources and from the bundle. */
function builtWindow(): string | undefined {
  const places = ['../../../out/renderer', '../renderer'].map((place) => join(import.meta.dirname, place))
  return places.find((place) => existsSync(join(place, 'index.html')))
}
