// The web host in this process, until a signal ends it.
import { stateFolder } from '../../src/main/hosts/state-folder.ts'
import { tellAddress } from '../../src/main/hosts/web/terminal.ts'
import { startWebHost } from '../../src/main/hosts/web/web-host.ts'
import { logUncaught, openLog } from '../../src/main/services/log.ts'
import { createHostServices } from './services.mjs'

export async function serveWeb({ port, folder, places, open, page, onClose }) {
  const state = stateFolder()
  const log = openLog(state)
  logUncaught(log)
  log.write('info', `Marrow starts: web, Node ${process.versions.node}, ${process.platform} ${process.arch}`)
  const services = await createHostServices({ stateFolder: state, host: 'web', log })
  let host
  try {
    host = await startWebHost({ services, port, folder, places, openFrom: open ? state : undefined, page })
  } catch (error) {
    await services.close()
    if (error.code !== 'EADDRINUSE') throw error
    console.error(`Port ${port} is in use: take another with --port, or leave it out.`)
    process.exit(1)
  }
  const hush = tellAddress(host, { print: (text) => process.stdout.write(text), input: process.stdin })
  let asked = 0
  const end = async () => {
    if (asked > 0) {
      // a terminal and the starter both pass on one Ctrl+C; another one a while later is meant
      if (Date.now() - asked > 1000) process.exit(1)
      return
    }
    asked = Date.now()
    hush()
    await host.close()
    await services.close()
    await onClose?.()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void end())
  return host
}
