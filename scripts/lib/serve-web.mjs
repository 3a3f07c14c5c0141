// The web host in this process, its services in a thread of theirs, until a signal ends it. From the sources: Node 24 runs them as they are.
import { stateFolder } from '../../src/main/hosts/state-folder.ts'
import { tellAddress } from '../../src/main/hosts/web/terminal.ts'
import { startWebServices } from '../../src/main/hosts/web/with-services.ts'
import { logUncaught, openLog } from '../../src/main/services/log.ts'

export async function serveWeb({ port, folder, places, open, page, onClose }) {
  const state = stateFolder()
  const log = openLog(state)
  logUncaught(log)
  log.write('info', `Marrow starts: web, Node ${process.versions.node}, ${process.platform} ${process.arch}`)
  let served
  try {
    served = await startWebServices(
      { start: { stateFolder: state }, log },
      { port, folder, places, openFrom: open ? state : undefined, page },
    )
  } catch (error) {
    if (error.code !== 'EADDRINUSE') throw error
    console.error(`Port ${port} is in use: take another with --port, or leave it out.`)
    process.exit(1)
  }
  let hush = () => {}
  let asked = 0
  const end = async () => {
    if (asked > 0) {
      // a terminal and the starter both pass on one Ctrl+C; another one a while later is meant
      if (Date.now() - asked > 1000) process.exit(1)
      return
    }
    asked = Date.now()
    hush()
    await served.close()
    await onClose?.()
    process.exit(0)
  }
  // whoever reads the address may end it at once
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void end())
  hush = tellAddress(served.host, { print: (text) => process.stdout.write(text), input: process.stdin })
  return served.host
}
