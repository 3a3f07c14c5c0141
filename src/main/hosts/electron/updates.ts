/**
 * Newer versions: asked for a while after the start of a packaged application, unless the settings say no; nothing is loaded before the user says so,
 * and nothing is installed before that either. Trouble (no network, nothing published) is a line in the log and nothing else.
 */
import type { AppUpdater, UpdateInfo } from 'electron-updater'
import type { UpdateState } from '../../../shared/api/desktop.ts'
import type { Log } from '../../services/log.ts'

export interface UpdateOptions {
  log: Log
  /** the setting; asked for again before every look */
  wanted(): boolean | Promise<boolean>
  changed(state: UpdateState): void
  /** electron-updater, loaded when it is needed: switched off, not even its code runs */
  load?(): Promise<AppUpdater>
  /** ms after the start, and between two looks */
  firstAfter?: number
  every?: number
}

export interface Updates {
  act(action: 'load' | 'install' | 'later'): Promise<void>
  stop(): void
}

const FIRST_AFTER_MS = 20_000
const EVERY_MS = 24 * 3600 * 1000

export function startUpdates(options: UpdateOptions): Updates {
  const { log, wanted, changed, load = loadUpdater, firstAfter = FIRST_AFTER_MS, every = EVERY_MS } = options
  let updater: AppUpdater | undefined
  let offered: UpdateInfo | undefined
  let state: UpdateState['state'] | undefined
  /** versions that the user does not want to hear of again in this run */
  const refused = new Set<string>()

  async function look(): Promise<void> {
    try {
      if (!(await wanted()) || state === 'loading' || state === 'ready') return
      updater ??= await prepare()
      const found = await updater.checkForUpdates()
      // the user may have switched it off while the server was asked
      if (!found?.isUpdateAvailable || refused.has(found.updateInfo.version) || !(await wanted())) return
      offered = found.updateInfo
      show({ state: 'available', version: offered.version, size: offered.files[0]?.size ?? 0 })
    } catch (error) {
      log.write('warning', `updates: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  async function prepare(): Promise<AppUpdater> {
    const made = await load()
    made.autoDownload = false
    made.autoInstallOnAppQuit = false
    made.allowDowngrade = false
    // its own lines tell addresses and folders; what fails is told by the calls
    made.logger = null
    made.on('error', () => {})
    made.on('download-progress', ({ percent }) => {
      if (offered) show({ state: 'loading', version: offered.version, percent: Math.floor(percent) })
    })
    return made
  }

  function show(next: UpdateState): void {
    state = next.state
    changed(next)
  }

  const first = setTimeout(() => void look(), firstAfter)
  const again = setInterval(() => void look(), every)
  first.unref()
  again.unref()

  return {
    async act(action) {
      if (!offered || !updater) return
      const { version } = offered
      if (action === 'later') {
        refused.add(version)
        if (state === 'available') state = undefined
      } else if (action === 'load' && state !== 'loading' && state !== 'ready') {
        show({ state: 'loading', version, percent: 0 })
        try {
          await updater.downloadUpdate()
          log.write('info', `updates: ${version} is loaded`)
          show({ state: 'ready', version })
        } catch (error) {
          log.write('warning', `updates: ${error instanceof Error ? error.message : String(error)}`)
          show({ state: 'failed', version })
        }
      } else if (action === 'install' && state === 'ready') updater.quitAndInstall()
    },
    stop() {
      clearTimeout(first)
      clearInterval(again)
    },
  }
}

/** One that is unpacked has nothing to put a newer one in the place of; a portable one is replaced by its user. */
export function canUpdate(packaged: boolean, env: NodeJS.ProcessEnv = process.env): boolean {
  return packaged && !env.PORTABLE_EXECUTABLE_FILE
}

async function loadUpdater(): Promise<AppUpdater> {
  // a CommonJS module: its names are on the default
  const { default: module } = await import('electron-updater')
  return module.autoUpdater
}
