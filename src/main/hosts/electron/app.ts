/** The Electron host: one window, the services behind it in a process of their own. */
import type { BrowserWindow } from 'electron'
import { app, dialog, nativeTheme, session, shell } from 'electron'
import { join } from 'node:path'
import type { AppInfo } from '../../../shared/api/types/app.ts'
import { APP_ORIGIN } from '../../../shared/api/launch.ts'
import { openLog } from '../../services/log.ts'
import type { Log } from '../../services/log.ts'
import { makeDiagnostics } from '../../services/diagnostics.ts'
import type { Emit } from '../../services/service.ts'
import type { Backend } from '../backend/backend.ts'
import type { Desktop } from '../backend/desktop.ts'
import { stateFolder, userDataFolder } from '../state-folder.ts'
import { readRequest, startRequest } from './arguments.ts'
import type { StartRequest } from './arguments.ts'
import { chosenPaths } from './chosen.ts'
import { tellStartFailed, watchWindow } from './failures.ts'
import type { FailureTools } from './failures.ts'
import { guardContents, guardSession } from './guards.ts'
import { offerTextMenu } from './text-menu.ts'
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
  /** once the application is ready */
  startServices(options: { stateFolder: string; version: string; log: Log; desktop: Desktop }): Backend
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

export async function runElectronHost({ startServices, here, onChoose, updates: updateOptions }: ElectronHostOptions): Promise<void> {
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
  offerTextMenu()

  let window: BrowserWindow | null = null
  let backend: Backend | null = null
  let emit: Emit | null = null
  let recent: AppInfo['recent'] = []
  let menuKeys: MenuKeys | undefined
  let updates: Updates | null = null
  /** asked for before there are services */
  let early: StartRequest[] = [request]
  const chosen = chosenPaths({
    onChoose(path) {
      backend?.admit(path)
      onChoose?.(path)
    },
    onOpen: () => emit?.('open.waiting', {}),
  })
  const failureTools: FailureTools = {
    log,
    diagnostics: async () => {
      const without = () => makeDiagnostics({ stateFolder: state, version: app.getVersion(), host: 'electron' })
      return backend ? backend.call('diagnostics.make', { headers: [], window: {} }).catch(without) : without()
    },
  }

  const desktop: Desktop = {
    async pickFolder() {
      const options = { properties: ['openDirectory' as const, 'createDirectory' as const] }
      const { canceled, filePaths } = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options))
      const picked = canceled ? null : (filePaths[0] ?? null)
      if (picked !== null) chosen.choose(picked)
      return picked
    },
    takePending: chosen.take,
    menuKeys(keys) {
      menuKeys = keys
      buildMenu()
    },
    actOnUpdate: async (action) => updates?.act(action),
    openFile: (path) => shell.openPath(path),
    showInFolder: (path) => shell.showItemInFolder(path),
    async dragFiles(files) {
      if (files.length === 0) return
      const icon = await app.getFileIcon(files[0])
      window?.webContents.startDrag({ file: files[0], files, icon })
    },
    recentChanged: () => refreshRecent(),
    themeIs(theme) {
      nativeTheme.themeSource = theme
    },
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
  closeBeforeEnd(() => backend, log)

  await app.whenReady()
  try {
    checkStateFolder(state)
    guardSession(session.defaultSession, origin)
    backend = startServices({ stateFolder: state, version: app.getVersion(), log, desktop })
    emit = serveWindows(backend, origin, { openPaths: chosen.open })
    serveAppScheme(join(here, '..', 'renderer'))
  } catch (error) {
    await tellStartFailed(error, failureTools)
    return
  }
  if (canUpdate(app.isPackaged)) {
    const answering = backend
    updates = startUpdates({
      ...updateOptions,
      log,
      wanted: async () => (await answering.call('settings.get', {})).updates,
      changed: (update) => emit?.('update.state', update),
    })
    app.on('will-quit', () => updates?.stop())
  }
  const waiting = early
  early = []
  // the page loads while the services begin
  for (const asked of waiting) show(asked)
  try {
    await backend.ready()
  } catch (error) {
    await tellStartFailed(error, failureTools)
    return
  }
  await refreshRecent()

  function show(asked: StartRequest = { paths: [] }): void {
    if (!backend || !emit || !app.isReady()) {
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
    try {
      const root =
        word === 'sample' ? (await backend!.call('library.openSample', {})).root : (await backend!.call('app.info', {})).recent[0]?.root
      if (root) chosen.open([root])
    } catch (error) {
      log.failure(`--${word}`, error)
    }
  }

  function openFolder(root: string): void {
    show({ paths: [root] })
  }

  function buildMenu(): void {
    if (!emit) return
    const tell = emit
    installMenu({
      run: (id) => tell('command.run', { id }),
      openRecent: openFolder,
      recent,
      keys: menuKeys,
      mac: process.platform === 'darwin',
      development: !app.isPackaged,
    })
  }

  async function refreshRecent(): Promise<void> {
    if (!backend) return
    recent = []
    try {
      recent = (await backend.call('app.info', {})).recent
    } catch (error) {
      // the application starts without the list of recent folders
      log.failure('recent folders', error)
    }
    buildMenu()
    showRecent(recent, openFolder)
  }
}

/** Once the windows are gone no call comes any more; then the services write what they have, and the application ends. */
function closeBeforeEnd(backend: () => Backend | null, log: Log): void {
  let state: 'open' | 'closing' | 'closed' = 'open'
  app.on('will-quit', (event) => {
    const open = backend()
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
