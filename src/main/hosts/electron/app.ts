/** The Electron host: one process, one window, the services behind it. */
import type { BrowserWindow } from 'electron'
import { app, dialog, nativeTheme, session, shell } from 'electron'
import { join } from 'node:path'
import type { AppInfo } from '../../../shared/api/types/app.ts'
import { APP_ORIGIN } from '../../../shared/api/launch.ts'
import { openLog } from '../../services/log.ts'
import type { Log } from '../../services/log.ts'
import { makeDiagnostics } from '../../services/diagnostics.ts'
import type { Emit, Services } from '../../services/service.ts'
import { stateFolder, userDataFolder } from '../state-folder.ts'
import { readRequest, startRequest } from './arguments.ts'
import type { StartRequest } from './arguments.ts'
import { chosenPaths } from './chosen.ts'
import { tellStartFailed, watchWindow } from './failures.ts'
import type { FailureTools } from './failures.ts'
import { guardContents, guardSession } from './guards.ts'
import type { MenuKeys } from '../../../shared/api/menu.ts'
import { installMenu } from './menu.ts'
import { serveWindows } from './messages.ts'
import { registerAppScheme, serveAppScheme } from './protocol.ts'
import { showRecent } from './recent.ts'
import { checkStateFolder } from './state-check.ts'
import { canUpdate, startUpdates } from './updates.ts'
import type { UpdateOptions, Updates } from './updates.ts'
import { createWindow } from './window.ts'

export interface ElectronHostOptions {
  createServices(options: {
    stateFolder: string
    host: 'electron'
    log: Log
    openFile(path: string): Promise<string>
    showInFolder(path: string): void
  }): Services | Promise<Services>
  /** folder of the built main bundle; preload and renderer stand beside it */
  here: string
  /** told of every path that the user chose in this run, before the window hears of it */
  onChoose?(path: string): void
  updates?: Pick<UpdateOptions, 'load' | 'firstAfter' | 'every'>
}

/** As electron-builder.yml has it: Windows puts the jump list beside shortcuts of the same id. */
const APP_ID = 'io.github.marrow-workbench.marrow'
/** A hung disk must not keep the application from ending: journals are on disk before an edit answers. */
const CLOSE_MS = 10_000

export async function runElectronHost({ createServices, here, onChoose, updates: updateOptions }: ElectronHostOptions): Promise<void> {
  app.setName('Marrow')
  app.setPath('userData', userDataFolder())
  if (process.platform === 'win32') app.setAppUserModelId(APP_ID)
  const request = startRequest(process.argv, { cwd: process.cwd(), packaged: app.isPackaged })
  if (!app.requestSingleInstanceLock(request)) {
    app.quit()
    return
  }
  const state = stateFolder(app.getPath('userData'))
  const log = openLog(state)
  log.write('info', `Marrow ${app.getVersion()} starts: Electron ${process.versions.electron ?? ''}, ${process.platform} ${process.arch}`)
  registerAppScheme()
  // electron-vite's dev server, and never in a packaged application
  const devUrl = app.isPackaged ? undefined : process.env.ELECTRON_RENDERER_URL
  const origin = devUrl ? new URL(devUrl).origin : APP_ORIGIN
  guardContents(origin)

  let window: BrowserWindow | null = null
  let services: Services | null = null
  let host: Host | null = null
  let recent: AppInfo['recent'] = []
  let menuKeys: MenuKeys | undefined
  let updates: Updates | null = null
  /** asked for before there are services */
  let early: StartRequest[] = [request]
  const chosen = chosenPaths({
    onChoose(path) {
      services?.boundary.admit(path)
      onChoose?.(path)
    },
    onOpen: () => host?.emit('open.waiting', {}),
  })
  const failureTools: FailureTools = {
    log,
    diagnostics: () =>
      services
        ? services.handlers['diagnostics.make']({ headers: [], window: {} }, { signal: new AbortController().signal })
        : makeDiagnostics({ stateFolder: state, version: app.getVersion(), host: 'electron' }),
  }

  app.on('second-instance', (_event, _argv, _cwd, data) => show(readRequest(data)))
  app.on('open-file', (event, path) => {
    event.preventDefault()
    show({ paths: [path] })
  })
  app.on('activate', () => show())
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  closeServicesBeforeEnd(() => services, log)

  await app.whenReady()
  try {
    checkStateFolder(state)
    guardSession(session.defaultSession, origin)
    services = await createServices({
      stateFolder: state,
      host: 'electron',
      log,
      openFile: (path) => shell.openPath(path),
      showInFolder: (path) => shell.showItemInFolder(path),
    })
    host = withHost(services, {
      window: () => window,
      choose: chosen.choose,
      take: chosen.take,
      recentChanged: () => void refreshRecent(),
      menuKeys(keys) {
        menuKeys = keys
        buildMenu()
      },
      act: async (action) => updates?.act(action),
    })
    serveWindows(host.served, origin, { openPaths: chosen.open })
    serveAppScheme(join(here, '..', 'renderer'))
    await refreshRecent()
  } catch (error) {
    await tellStartFailed(error, failureTools)
    return
  }
  if (canUpdate(app.isPackaged)) {
    const { handlers } = services
    const context = { signal: new AbortController().signal }
    updates = startUpdates({
      ...updateOptions,
      log,
      wanted: async () => (await handlers['settings.get']({}, context)).updates,
      changed: (update) => host?.emit('update.state', update),
    })
    app.on('will-quit', () => updates?.stop())
  }
  const waiting = early
  early = []
  for (const asked of waiting) show(asked)

  function show(asked: StartRequest = { paths: [] }): void {
    if (!services || !host || !app.isReady()) {
      early.push(asked)
      return
    }
    chosen.open(asked.paths)
    if (asked.word) void openWord(asked.word)
    if (window && !window.isDestroyed()) {
      if (window.isMinimized()) window.restore()
      window.focus()
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
    watchWindow(opened, failureTools)
    void opened.loadURL(devUrl ?? `${APP_ORIGIN}/`)
  }

  async function openWord(word: NonNullable<StartRequest['word']>): Promise<void> {
    const context = { signal: new AbortController().signal }
    try {
      const root =
        word === 'sample'
          ? (await services!.handlers['library.openSample']({}, context)).root
          : (await services!.handlers['app.info']({}, context)).recent[0]?.root
      if (root) chosen.open([root])
    } catch (error) {
      log.failure(`--${word}`, error)
    }
  }

  function openFolder(root: string): void {
    show({ paths: [root] })
  }

  function buildMenu(): void {
    if (!host) return
    const { emit } = host
    installMenu({
      run: (id) => emit('command.run', { id }),
      openRecent: openFolder,
      recent,
      keys: menuKeys,
      mac: process.platform === 'darwin',
      development: !app.isPackaged,
    })
  }

  async function refreshRecent(): Promise<void> {
    if (!services) return
    recent = []
    try {
      recent = (await services.handlers['app.info']({}, { signal: new AbortController().signal })).recent
    } catch (error) {
      // the application starts without the list of recent folders
      log.failure('recent folders', error)
    }
    buildMenu()
    showRecent(recent, openFolder)
  }
}

interface Host {
  /** the services with what only this host can do, and its own events beside theirs */
  served: Services
  emit: Emit
}

interface HostParts {
  window(): BrowserWindow | null
  choose(path: string): void
  take(): string[]
  recentChanged(): void
  menuKeys(keys: MenuKeys): void
  act: Updates['act']
}

function withHost(services: Services, { window, choose, take, recentChanged, menuKeys, act }: HostParts): Host {
  const listeners = new Set<Parameters<Services['subscribe']>[0]>()
  const { handlers } = services
  /** A call that changes the list of recent folders. */
  const andRecent =
    <A, R>(call: (args: A, context: { signal: AbortSignal }) => R | Promise<R>) =>
    async (args: A, context: { signal: AbortSignal }): Promise<R> => {
      const result = await call(args, context)
      recentChanged()
      return result
    }
  const served: Services = {
    boundary: services.boundary,
    handlers: {
      ...handlers,
      async 'folders.pick'() {
        const options = { properties: ['openDirectory' as const, 'createDirectory' as const] }
        const parent = window()
        const { canceled, filePaths } = await (parent ? dialog.showOpenDialog(parent, options) : dialog.showOpenDialog(options))
        const picked = canceled ? null : (filePaths[0] ?? null)
        if (picked !== null) choose(picked)
        return picked
      },
      'open.pending': () => ({ paths: take() }),
      'menu.keys'({ keys }) {
        menuKeys(keys)
        return null
      },
      async 'update.act'({ action }) {
        await act(action)
        return null
      },
      'library.open': andRecent(handlers['library.open']),
      'library.openSample': andRecent(handlers['library.openSample']),
      'library.forget': andRecent(handlers['library.forget']),
      'recovery.restore': andRecent(handlers['recovery.restore']),
      async 'settings.get'(args, context) {
        const settings = await handlers['settings.get'](args, context)
        nativeTheme.themeSource = settings.theme
        return settings
      },
      async 'settings.set'(args, context) {
        const settings = await handlers['settings.set'](args, context)
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
function closeServicesBeforeEnd(services: () => Services | null, log: Log): void {
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
      .catch((error: unknown) => log.failure('end', error))
      .finally(() => {
        clearTimeout(timer)
        state = 'closed'
        app.quit()
      })
  })
}
