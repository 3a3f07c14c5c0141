import { app, dialog } from 'electron'
import { runElectronHost } from './hosts/electron/app.ts'
import { startServices } from './hosts/electron/services-process.ts'
import { stateFolder } from './hosts/state-folder.ts'
import { logUncaught, openLog } from './services/log.ts'
import { localeOf, say, setLocale } from '../shared/texts/say.ts'

setLocale(localeOf(process.env.MARROW_LOCALE))
logUncaught(openLog(stateFolder()))

// not awaited: Electron becomes ready only after this module has ended
runElectronHost({
  startServices,
  here: import.meta.dirname,
}).catch((error: unknown) => {
  dialog.showErrorBox(say('desktop.startFailed'), error instanceof Error ? (error.stack ?? error.message) : String(error))
  app.exit(1)
})
