/** The desktop application: one instance, one window, the services behind it. */
import { app, dialog, nativeTheme, session } from 'electron'
import type { BrowserWindow } from 'electron'
import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { APP_ORIGIN, launchFragment } from '../../../shared/api/launch.ts'
import type { Emit, Services } from '../../services/service.ts'
import { stateFolder, userDataFolder } from '../state-folder.ts'
import { guardContents, guardSession } from './guards.ts'
import { installMenu } from './menu.ts'
import { serveWindows } from './messages.ts'
import { registerAppScheme, serveAppScheme } from './protocol.ts'
import { createWindow } from './window.ts'

export interface ElectronHostOptions {
  createServices(options: { stateFolder: string; host: 'electron' }): Services | Promise<Services>
  /** folder of the built main bundle; preload and renderer stand beside it */
  here: string
}

/** A hung disk must not keep the application from ending: journals are on disk before an edit answers. */
const CLOSE_MS = 10_000

export async function runElectronHost({ createServices, here }: ElectronHostOptions): Promise<void> {
  app.setName('Marrow')
  app.setPath('userData', userDataFolder())
  if (!app.requestSingleInstanceLock({ folder: folderArgument(process.argv, process.cwd()) })) {
    app.quit()
    return
  }
  registerAppScheme()
  // electron-vite's dev server, and never in a packaged application
  const devUrl = app.isPackaged ? undefined : process.env.ELECTRON_RENDERER_URL
  const origin = devUrl ? new URL(devUrl).origin : APP_ORIGIN
  guardContents(origin)

  let window: BrowserWindow | null = null
  let services: Services | null = null
  /** asked for before there is a window */
  let folder = folderArgument(process.argv, process.cwd())

  app.on('second-instance', (_event, _argv, _cwd, data) => {
    const wanted = (data as { folder?: unknown } | null)?.folder
    show(typeof wanted === 'string' ? wanted : undefined)
  })
  app.on('open-file', (event, path) => {
    event.preventDefault()
    show(isFolder(path) ? path : undefined)
  })
  app.on('activate', () => show())
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  closeServicesBeforeEnd(() => services)

  await app.whenReady()
  guardSession(session.defaultSession, origin)
  const userData = app.getPath('userData')
  services = await createServices({ stateFolder: stateFolder(userData), host: 'electron' })
  const { served, emit } = withHost(services, () => window)
  serveWindows(served, origin)
  serveAppScheme(join(here, '..', 'renderer'))
  installMenu((id) => emit('command.run', { id }), { mac: process.platform === 'darwin', development: !app.isPackaged })
  show(folder)

  function show(wanted?: string): void {
    if (!services || !app.isReady()) {
      folder = wanted ?? folder
      return
    }
    // named on the command line or by the system
    if (wanted) services.boundary.admit(wanted)
    if (window && !window.isDestroyed()) {
      if (window.isMinimized()) window.restore()
      window.focus()
      if (wanted) emit('command.run', { id: 'file.open', argument: wanted })
      return
    }
    const opened = createWindow({
      preload: join(here, '..', 'preload', 'index.cjs'),
      userData: app.getPath('userData'),
      // elsewhere the program's file has it
      icon: process.platform === 'linux' ? join(here, '..', '..', 'resources', 'icons', 'icon.png') : undefined,
    })
    window = opened
    opened.on('closed', () => {
      if (window === opened) window = null
    })
    recoverFromCrash(opened)
    void opened.loadURL(`${devUrl ?? `${APP_ORIGIN}/`}${launchFragment({ folder: wanted })}`)
  }
}

/** The services with what only this host can do, and its own events beside theirs. */
function withHost(services: Services, window: () => BrowserWindow | null): { served: Services; emit: Emit } {
  const listeners = new Set<Parameters<Services['subscribe']>[0]>()
  const served: Services = {
    boundary: services.boundary,
    handlers: {
      ...services.handlers,
      async 'folders.pick'() {
        const options = { properties: ['openDirectory' as const, 'createDirectory' as const] }
        const parent = window()
        const { canceled, filePaths } = await (parent ? dialog.showOpenDialog(parent, options) : dialog.showOpenDialog(options))
        const picked = canceled ? null : (filePaths[0] ?? null)
        if (picked) services.boundary.admit(picked)
        return picked
      },
      async 'settings.get'(args, context) {
        const settings = await services.handlers['settings.get'](args, context)
        nativeTheme.themeSource = settings.theme
        return settings
      },
      async 'settings.set'(args, context) {
        const settings = await services.handlers['settings.set'](args, context)
        nativeTheme.themeSource = settings.theme
        return settings
      },
    },
    subscribe(listener) {
      const unsubscribe = services.subscribe(listener)
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        unsubscribe()
      }
    },
    close: () => services.close(),
  }
  return {
    served,
    emit(name, event) {
      for (const listener of [...listeners]) listener(name, event)
    },
  }
}

/** Once the windows are gone no call comes any more; then the services write what they have, and the application ends. */
function closeServicesBeforeEnd(services: () => Services | null): void {
  let state: 'open' | 'closing' | 'closed' = 'open'
  app.on('will-quit', (event) => {
    const open = services()
    if (state === 'closed' || !open) return
    event.preventDefault()
    if (state === 'closing') return
    state = 'closing'
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((end) => {
      timer = setTimeout(end, CLOSE_MS)
    })
    void Promise.race([open.close(), late])
      .catch((error: unknown) => console.error(error))
      .finally(() => {
        clearTimeout(timer)
        state = 'closed'
        app.quit()
      })
  })
}

function recoverFromCrash(window: BrowserWindow): void {
  let crashes = 0
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || reason === 'killed') return
    crashes++
    // edits are with the services, not with the page; a page that crashes at every start is left alone
    if (crashes <= 3 && !window.isDestroyed()) window.webContents.reload()
    else dialog.showErrorBox('Marrow', `The window ended unexpectedly (${reason}). Your edits are kept: start Marrow again.`)
  })
}

/** The first argument that is a folder. Chromium's own switches stand among them. */
function folderArgument(argv: readonly string[], cwd: string): string | undefined {
  return argv
    .slice(app.isPackaged ? 1 : 2)
    .filter((argument) => !argument.startsWith('-'))
    .map((argument) => resolve(cwd, argument))
    .find(isFolder)
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
