/** Starts the Electron host's own sources against a stand-in for `electron`, and opens pages of it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, vi } from 'vitest'
import { withDesktop } from '../../src/main/hosts/backend/desktop.ts'
import { inPlace } from '../../src/main/hosts/backend/in-place.ts'
import { runElectronHost } from '../../src/main/hosts/electron/app.ts'
import type { ElectronHostOptions } from '../../src/main/hosts/electron/app.ts'
import type { Services } from '../../src/main/services/service.ts'
import type { Bridge } from '../../src/shared/api/bridge.ts'
import { StandIn } from './electron-stand-in.ts'
import type { StandInWindow } from './electron-stand-in.ts'

/** What `electron` is for the host under test now. */
const stage = vi.hoisted(() => ({ module: {} as Record<string, any> }))
vi.mock('electron', () => {
  const names = [
    'app',
    'BrowserWindow',
    'ipcMain',
    'Menu',
    'dialog',
    'nativeTheme',
    'protocol',
    'screen',
    'session',
    'shell',
    'utilityProcess',
  ]
  return Object.defineProperties({}, Object.fromEntries(names.map((name) => [name, { enumerable: true, get: () => stage.module[name] }])))
})

const folders: string[] = []
const argv = process.argv
afterEach(() => {
  process.argv = argv
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'marrow-electron-'))
  folders.push(folder)
  return folder
}

export interface Started {
  electron: StandIn
  window: StandInWindow
  userData: string
  here: string
}

export async function startHost(
  services: Services,
  {
    prepare,
    args = [],
    packaged = false,
    ...options
  }: {
    prepare?: (electron: StandIn, userData: string) => void
    args?: string[]
    packaged?: boolean
  } & Partial<ElectronHostOptions> = {},
): Promise<Started> {
  const userData = temporaryFolder()
  const here = join(temporaryFolder(), 'main')
  mkdirSync(join(here, '..', 'renderer'), { recursive: true })
  writeFileSync(join(here, '..', 'renderer', 'index.html'), '<title>page</title>')
  writeFileSync(join(here, '..', 'secret.html'), 'secret')
  vi.stubEnv('MARROW_HOME', userData)
  process.argv = packaged ? ['marrow', ...args] : ['electron', '.', ...args]
  const electron = new StandIn({ userData, packaged })
  prepare?.(electron, userData)
  stage.module = electron.mainModule()
  const startServices: ElectronHostOptions['startServices'] = ({ desktop }) => inPlace(withDesktop(services, desktop))
  const running = runElectronHost({ startServices, here, ...options })
  electron.app.becomeReady()
  await running
  return { electron, window: electron.windows[0], userData, here }
}

/** What was sent until now has come into the main process, and was answered as far as nothing waits. */
export async function delivered(): Promise<void> {
  // a message goes in a turn of its own
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
}

export async function openPage({ electron, window }: Started, frame = window.webContents.mainFrame): Promise<Bridge> {
  let loaded: Promise<unknown> | undefined
  const page = electron.preload(
    window.webContents,
    (module) => {
      // evaluated anew for every page, with that page's `electron`, as Electron does
      vi.resetModules()
      vi.doMock('electron', () => module as object)
      loaded = import('../../src/preload/index.ts')
    },
    frame,
  )
  await loaded
  expect(Object.keys(page)).toEqual(['marrow'])
  return page.marrow
}
