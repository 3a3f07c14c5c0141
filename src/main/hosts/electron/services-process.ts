/** The services in a process of their own, beside the main process of the application. */
import { utilityProcess } from 'electron'
import { fileURLToPath } from 'node:url'
import { workerFile } from '../../worker/node-line.ts'
import type { Log } from '../../services/log.ts'
import { say } from '../../../shared/texts/say.ts'
import { ServicesApart } from '../backend/apart.ts'
import type { Backend } from '../backend/backend.ts'
import type { Desktop } from '../backend/desktop.ts'
import type { ServicesLine, ToHost } from '../backend/protocol.ts'
import { servicesThread } from '../backend/thread.ts'

interface ProcessOptions {
  stateFolder: string
  version: string
  log: Log
  desktop: Desktop
}

/** Once the application is ready. */
export function startServices({ stateFolder, version, log, desktop }: ProcessOptions): Backend {
  return new ServicesApart({
    start: { stateFolder, host: 'electron', version },
    line: servicesProcess,
    // a system that lets no such process begin
    otherLine: servicesThread,
    log,
    desktop,
  })
}

function servicesProcess(): ServicesLine {
  const child = utilityProcess.fork(fileURLToPath(workerFile('services-worker', import.meta.url)), [], {
    // as the system's list of processes has it
    serviceName: say('desktop.services'),
  })
  /** nothing is sent to one that is gone */
  let over = false
  return {
    // it copies: nothing but ports can be handed over between processes
    send(message) {
      if (!over) child.postMessage(message)
    },
    listen(message, ended) {
      child.on('message', (told: ToHost) => {
        if (!over) message(told)
      })
      child.on('exit', (code) => {
        if (!over) ended(say('workers.endedWith', { status: code }))
        over = true
      })
    },
    end() {
      over = true
      child.kill()
    },
  }
}
