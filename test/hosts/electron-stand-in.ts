/**
 * As much of the `electron` module as Marrow uses, for machines without its binary: what a process gives another is structured-cloned as Electron
 * does, and `ready` comes only after the main module was evaluated.
 */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { join } from 'node:path'

/** What structured clone leaves over; functions are refused as they are by Electron. */
const cross = <T>(value: T): T => (carriesFiles(value) ? value : structuredClone(value))
/** The context bridge hands files of the page over as they are; structured clone of Node's own has no word for them. */
const carriesFiles = (value: unknown): boolean => value instanceof Blob || (Array.isArray(value) && value.some(carriesFiles))

export interface StandInOptions {
  userData: string
  packaged?: boolean
}

type ClickableItem = {
  id?: string
  enabled?: boolean
  label?: string
  role?: string
  registerAccelerator?: boolean
  accelerator?: string
  click?: () => void
  submenu?: ClickableItem[]
}

export interface Frame {
  url: string
}

export class StandInContents extends EventEmitter {
  mainFrame: Frame = { url: '' }
  openHandler: (details: { url: string }) => { action: string } = () => ({ action: 'allow' })
  toWindow = new EventEmitter()
  reloads = 0
  /** what was dragged out of the window */
  readonly dragged: Record<string, any>[] = []
  crashedOnPurpose = 0
  private destroyed = false

  isDestroyed(): boolean {
    return this.destroyed
  }
  destroy(): void {
    this.destroyed = true
    this.emit('destroyed')
  }
  send(channel: string, ...args: unknown[]): void {
    if (this.destroyed) throw new Error('Object has been destroyed')
    const crossed = cross(args)
    setImmediate(() => this.toWindow.emit(channel, {}, ...crossed))
  }
  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.openHandler = handler
  }
  startDrag(item: Record<string, any>): void {
    this.dragged.push(item)
  }
  /** As Electron's: the page is gone at once. */
  forcefullyCrashRenderer(): void {
    this.crashedOnPurpose++
    this.emit('render-process-gone', {}, { reason: 'killed', exitCode: 9 })
  }
  reload(): void {
    this.reloads++
    this.emit('did-start-navigation', { url: this.mainFrame.url, isMainFrame: true, isSameDocument: false })
  }
}

export class StandInWindow extends EventEmitter {
  readonly webContents: StandInContents
  readonly options: Record<string, any>
  shown = false
  focused = 0
  minimized = false
  maximized = false
  fullScreen = false
  bounds: { x: number; y: number; width: number; height: number }
  private readonly electron: StandIn

  constructor(electron: StandIn, options: Record<string, any>) {
    super()
    this.electron = electron
    this.options = options
    this.bounds = { x: options.x ?? 100, y: options.y ?? 50, width: options.width, height: options.height }
    this.webContents = new StandInContents()
    electron.app.emit('web-contents-created', {}, this.webContents)
    electron.windows.push(this)
  }
  async loadURL(url: string): Promise<void> {
    this.webContents.mainFrame = { url }
    this.webContents.emit('did-start-navigation', { url, isMainFrame: true, isSameDocument: false })
    setImmediate(() => this.emit('ready-to-show'))
  }
  show(): void {
    this.shown = true
  }
  focus(): void {
    this.focused++
  }
  isMinimized(): boolean {
    return this.minimized
  }
  restore(): void {
    this.minimized = false
  }
  maximize(): void {
    this.maximized = true
  }
  setFullScreen(on: boolean): void {
    this.fullScreen = on
  }
  isFullScreen(): boolean {
    return this.fullScreen
  }
  getBounds(): { x: number; y: number; width: number; height: number } {
    return this.bounds
  }
  setBounds(bounds: { x: number; y: number; width: number; height: number }): void {
    this.bounds = bounds
  }
  isMaximized(): boolean {
    return this.maximized
  }
  isDestroyed(): boolean {
    return this.webContents.isDestroyed()
  }
  getNormalBounds(): object {
    return this.bounds
  }
  /** The user closes it. */
  close(): void {
    this.emit('close', {})
    this.webContents.destroy()
    this.electron.windows.splice(this.electron.windows.indexOf(this), 1)
    this.emit('closed')
    if (this.electron.windows.length === 0) this.electron.app.emit('window-all-closed')
  }
}

class StandInApp extends EventEmitter {
  readonly isPackaged: boolean
  paths = new Map<string, string>()
  name = ''
  ready = false
  quits = 0
  ended = false
  exitCode: number | undefined
  /** another instance has it */
  lockTaken = false
  lockData: unknown
  userModelId = ''
  relaunches = 0
  recentDocuments: string[] = []
  jumpList: any[] | null = null
  /** what the user took out of the jump list */
  removedItems: { args: string }[] = []
  dock = { menu: [] as ClickableItem[], setMenu: (menu: ClickableItem[]) => (this.dock.menu = menu) }
  private readonly whenEvaluated: Promise<void>
  private evaluated!: () => void
  private readonly electron: StandIn

  constructor(electron: StandIn, { userData, packaged = false }: StandInOptions) {
    super()
    this.electron = electron
    this.isPackaged = packaged
    this.paths.set('userData', userData)
    this.whenEvaluated = new Promise((resolve) => (this.evaluated = resolve))
  }
  /** For tests: the main module has been evaluated. */
  becomeReady(): void {
    this.ready = true
    this.evaluated()
    this.emit('ready')
  }
  isReady(): boolean {
    return this.ready
  }
  whenReady(): Promise<void> {
    return this.whenEvaluated
  }
  setName(name: string): void {
    this.name = name
  }
  setPath(name: string, path: string): void {
    this.paths.set(name, path)
  }
  getPath(name: string): string {
    return this.paths.get(name) ?? `/${name}`
  }
  requestSingleInstanceLock(data: unknown): boolean {
    this.lockData = data
    return !this.lockTaken
  }
  getVersion(): string {
    return '1.2.3'
  }
  setAppUserModelId(id: string): void {
    this.userModelId = id
  }
  getFileIcon(path: string): Promise<object> {
    return Promise.resolve({ iconOf: path })
  }
  relaunch(): void {
    this.relaunches++
  }
  addRecentDocument(path: string): void {
    this.recentDocuments.push(path)
  }
  getJumpListSettings(): object {
    return { minItems: 10, removedItems: this.removedItems }
  }
  setJumpList(categories: any[]): void {
    this.jumpList = cross(categories)
  }
  quit(): void {
    this.quits++
    if (!this.attempt('before-quit')) return
    for (const window of [...this.electron.windows]) window.close()
    if (!this.attempt('will-quit')) return
    this.ended = true
  }
  exit(code: number): void {
    this.exitCode = code
    this.ended = true
  }
  private attempt(event: string): boolean {
    let prevented = false
    this.emit(event, { preventDefault: () => (prevented = true) })
    return !prevented
  }
}

/** A process of its own, as Electron's is; messages are copied, and nothing but ports could be handed over. */
export class StandInUtility extends EventEmitter {
  private readonly child: ChildProcess

  constructor(modulePath: string, args: readonly string[] = []) {
    super()
    this.child = fork(join(import.meta.dirname, 'utility-program.ts'), [modulePath, ...args], {
      serialization: 'advanced',
      execArgv: ['--disable-warning=ExperimentalWarning'],
    })
    this.child.on('message', (message) => this.emit('message', message))
    this.child.on('exit', (code) => this.emit('exit', code ?? 1))
    this.child.on('error', () => {})
  }
  get pid(): number | undefined {
    return this.child.exitCode === null ? this.child.pid : undefined
  }
  postMessage(message: unknown): void {
    if (this.child.connected) this.child.send(message as object)
  }
  kill(): boolean {
    return this.child.kill()
  }
}

export class StandIn {
  readonly utilities: StandInUtility[] = []
  readonly app: StandInApp
  readonly windows: StandInWindow[] = []
  readonly ipcMain = new EventEmitter()
  readonly external: string[] = []
  readonly errorBoxes: string[] = []
  /** questions that were asked, and the buttons that are pressed; without one the question stays */
  readonly questions: { window: StandInWindow | null; options: Record<string, any> }[] = []
  answers: number[] = []
  /** where the user saves to; '' for nowhere */
  saveTo = ''
  readonly shownInFolder: string[] = []
  readonly screen = Object.assign(new EventEmitter(), { getDisplayMatching: () => ({ workArea: this.workArea }) })
  /** paths of files as the system knows them */
  readonly filePaths = new WeakMap<object, string>()
  schemes: any[] = []
  served = new Map<string, (request: Request) => Promise<Response>>()
  /** menus that were shown where the pointer was */
  readonly popups: ClickableItem[][] = []
  menu: ClickableItem[] = []
  picked: string[] = []
  permissions: Record<string, (...args: any[]) => any> = {}
  defaultSession = new EventEmitter()
  nativeTheme = { themeSource: 'system' }
  workArea = { x: 0, y: 0, width: 1920, height: 1080 }

  constructor(options: StandInOptions) {
    this.app = new StandInApp(this, options)
    for (const name of ['setPermissionRequestHandler', 'setPermissionCheckHandler', 'setDevicePermissionHandler']) {
      Object.assign(this.defaultSession, { [name]: (handler: (...args: any[]) => any) => (this.permissions[name] = handler) })
    }
  }

  /** What `import ... from 'electron'` gives the main process. */
  mainModule(): Record<string, unknown> {
    // eslint-disable-next-line @typescript-eslint/no-this-alias
    const electron = this
    return {
      app: this.app,
      BrowserWindow: class extends StandInWindow {
        constructor(options: Record<string, any>) {
          super(electron, options)
        }
      },
      ipcMain: this.ipcMain,
      Menu: {
        buildFromTemplate: (template: ClickableItem[]) => Object.assign([...template], { popup: () => void this.popups.push(template) }),
        setApplicationMenu: (menu: ClickableItem[]) => (this.menu = menu),
      },
      dialog: {
        showOpenDialog: async () => ({ canceled: this.picked.length === 0, filePaths: this.picked }),
        showMessageBox: async (...args: any[]) => {
          const options = args.at(-1)
          this.questions.push({ window: args.length > 1 ? args[0] : null, options })
          const answer = this.answers.shift()
          if (answer !== undefined) return { response: answer, checkboxChecked: false }
          return new Promise((resolve) => {
            options.signal?.addEventListener('abort', () => resolve({ response: options.cancelId, checkboxChecked: false }))
          })
        },
        showSaveDialog: async () => ({ canceled: this.saveTo === '', filePath: this.saveTo }),
        showErrorBox: (_title: string, content: string) => this.errorBoxes.push(content),
      },
      nativeTheme: this.nativeTheme,
      protocol: {
        registerSchemesAsPrivileged: (schemes: any[]) => {
          if (this.app.ready) throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready')
          this.schemes = schemes
        },
        handle: (scheme: string, handler: (request: Request) => Promise<Response>) => this.served.set(scheme, handler),
      },
      screen: this.screen,
      utilityProcess: {
        fork: (modulePath: string, args?: string[]) => {
          if (!this.app.ready) throw new Error('utilityProcess cannot be created before app is ready.')
          const utility = new StandInUtility(modulePath, args)
          this.utilities.push(utility)
          return utility
        },
      },
      session: { defaultSession: this.defaultSession },
      shell: {
        openExternal: async (url: string) => void this.external.push(url),
        showItemInFolder: (path: string) => void this.shownInFolder.push(path),
      },
    }
  }

  /** Runs a preload script (given as a function of its `electron` module) for a window; gives what the page sees as its globals. */
  preload(contents: StandInContents, run: (electron: unknown) => void, frame: Frame = contents.mainFrame): Record<string, any> {
    const page: Record<string, any> = {}
    run({
      contextBridge: {
        exposeInMainWorld: (key: string, api: Record<string, any>) => {
          page[key] = Object.freeze(
            Object.fromEntries(
              Object.entries(api).map(([name, value]) => {
                if (typeof value !== 'function') return [name, cross(value)]
                // arguments and results are copied; functions become proxies that copy in their turn
                return [
                  name,
                  (...args: unknown[]) =>
                    cross(
                      value(
                        ...args.map((arg) =>
                          typeof arg === 'function'
                            ? (...back: unknown[]) => cross((arg as (...a: unknown[]) => unknown)(...cross(back)))
                            : cross(arg),
                        ),
                      ),
                    ),
                ]
              }),
            ),
          )
        },
      },
      webUtils: { getPathForFile: (file: object) => this.filePaths.get(file) ?? '' },
      ipcRenderer: {
        on: (channel: string, listener: (...args: unknown[]) => void) => contents.toWindow.on(channel, listener),
        send: (channel: string, ...args: unknown[]) => this.fromFrame(contents, frame, channel, ...args),
      },
    })
    return page
  }

  /** A message as the renderer process of a frame sends it. */
  fromFrame(contents: StandInContents, frame: Frame | null, channel: string, ...args: unknown[]): void {
    const crossed = cross(args)
    setImmediate(() => this.ipcMain.emit(channel, { sender: contents, senderFrame: frame }, ...crossed))
  }

  menuItem(id: string): ClickableItem | undefined {
    const find = (items: ClickableItem[]): ClickableItem | undefined => {
      for (const item of items) {
        const found = item.id === id ? item : item.submenu && find(item.submenu)
        if (found) return found
      }
      return undefined
    }
    return find(this.menu)
  }
}
