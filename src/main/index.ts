import { app, dialog } from 'electron'
import { runElectronHost } from './hosts/electron/app.ts'
import { createServices } from './services/create-services.ts'

// not awaited: Electron becomes ready only after this module has ended
runElectronHost({ createServices, here: import.meta.dirname }).catch((error: unknown) => {
  dialog.showErrorBox('Marrow could not start', error instanceof Error ? (error.stack ?? error.message) : String(error))
  app.exit(1)
})
