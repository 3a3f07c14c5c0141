/** The Electron host as a part of the desktop: what opens, where the window stands, recent folders, updates, and the way back from failures. */
import { EventEmitter } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { strFromU8, unzipSync } from 'fflate'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { canUpdate } from '../../src/main/hosts/electron/updates.ts'
import { createElectronClient } from '../../src/renderer/core/api/electron-client.ts'
import type { Api } from '../../src/shared/api/transport.ts'
import type { AppInfo } from '../../src/shared/api/types/app.ts'
import { defaultSettings, type Settings } from '../../src/shared/api/settings.ts'
import { PATHS_TO_MAIN } from '../../src/shared/api/bridge.ts'
import type { UpdateState } from '../../src/shared/api/desktop.ts'
import { fakeServices } from '../support/fake-services.ts'
import { delivered, openPage, startHost, temporaryFolder } from './electron-host.ts'
import type { Started } from './electron-host.ts'

const settings: Settings = {
  ...defaultSettings,
  tickRate: 30,
  theme: 'dark',
  saveMode: 'in-place',
  modFolder: '',
  teamColor: '#000000',
  updates: true,
  window: {},
  keys: { preset: 'marrow', changed: {} },
}
const info = (...roots: string[]): AppInfo => ({
  version: '1',
  host: 'electron',
  platform: 'test',
  sample: '',
  families: [],
  recent: roots.map((root) => ({ root, name: root.split('/').at(-1)!, openedAt: 1 })),
})
const withInfo = (...roots: string[]) => fakeServices({ 'app.info': () => info(...roots), 'model.list': () => [] })
const log = ({ userData }: Started) => readFileSync(join(userData, 'state', 'log', 'marrow.log'), 'utf8')
const platform = (name: NodeJS.Platform) => vi.spyOn(process, 'platform', 'get').mockReturnValue(name)

async function connect(started: Started): Promise<{ api: Api; nudges: number[] }> {
  const api = createElectronClient(await openPage(started))
  const nudges: number[] = []
  api.on('open.waiting', () => nudges.push(1))
  await api.call('app.info', {})
  return { api, nudges }
}

describe('what is opened from outside', () => {
  it('waits for the window, and is given to it once: folders and files of the start, that are there', async () => {
    const game = temporaryFolder()
    writeFileSync(join(game, 'a.dff'), '')
    const chosen: string[] = []
    const started = await startHost(withInfo(), {
      args: ['--some-switch', join(game, 'missing'), game, join(game, 'a.dff')],
      onChoose: (path) => chosen.push(path),
    })
    expect(started.window.webContents.mainFrame.url).toBe('marrow://app/')
    expect(started.electron.app.lockData).toEqual({ paths: [game, join(game, 'a.dff')] })
    expect(chosen).toEqual([game, join(game, 'a.dff')])
    const { api } = await connect(started)
    expect(await api.call('open.pending', {})).toEqual({ paths: [game, join(game, 'a.dff')] })
    expect(await api.call('open.pending', {})).toEqual({ paths: [] })
  })

  it('may be an address, as file managers of Linux give it', async () => {
    const game = temporaryFolder()
    const file = join(game, 'ドラゴン #1.dff')
    writeFileSync(file, '')
    const started = await startHost(withInfo(), { args: [pathToFileURL(file).href, 'file://elsewhere/x', 'file:', 'https://a.example/'] })
    const { api } = await connect(started)
    expect(await api.call('open.pending', {})).toEqual({ paths: [file] })
  })

  it('comes from a second start into the same window, whatever that start is', async () => {
    const chosen: string[] = []
    const started = await startHost(withInfo(), { onChoose: (path) => chosen.push(path) })
    const { api, nudges } = await connect(started)
    started.window.minimized = true
    started.electron.app.emit('second-instance', {}, [], '/', { paths: ['/other/a.dff'] })
    expect(started.electron.windows.length).toBe(1)
    expect([started.window.minimized, started.window.focused]).toEqual([false, 1])
    await expect.poll(() => nudges.length).toBe(1)
    expect(await api.call('open.pending', {})).toEqual({ paths: ['/other/a.dff'] })
    for (const data of [null, 'x', { paths: 'x' }, { paths: [1] }, { paths: Array(1000).fill('/x') }, { paths: ['x'.repeat(5000)] }, {}])
      started.electron.app.emit('second-instance', {}, [], '/', data)
    expect(await api.call('open.pending', {})).toEqual({ paths: [] })
    expect(chosen).toEqual(['/other/a.dff'])
  })

  it('comes from a double click on macOS, also before there is a window, several at once', async () => {
    const started = await startHost(withInfo(), {
      prepare: ({ app }) => {
        const on = app.on.bind(app)
        // the system tells as soon as somebody listens, long before the application is ready
        app.on = (event: string, listener: (...args: any[]) => void) => {
          on(event, listener)
          if (event === 'open-file') for (const path of ['/g/a.w3d', '/g/b.w3d']) app.emit('open-file', { preventDefault() {} }, path)
          return app
        }
      },
    })
    expect(started.electron.windows.length).toBe(1)
    const { api, nudges } = await connect(started)
    expect(await api.call('open.pending', {})).toEqual({ paths: ['/g/a.w3d', '/g/b.w3d'] })
    let prevented = 0
    started.electron.app.emit('open-file', { preventDefault: () => prevented++ }, '/g/c.w3d')
    await expect.poll(() => nudges.length).toBe(1)
    expect([prevented, await api.call('open.pending', {})]).toEqual([1, { paths: ['/g/c.w3d'] }])
  })

  it('comes from a drop with the path that the system knows, never one of the page', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const chosen: string[] = []
    const started = await startHost(withInfo(), { onChoose: (path) => chosen.push(path) })
    const { electron, window } = started
    const bridge = await openPage(started)
    const api = createElectronClient(bridge)
    await api.call('app.info', {})
    const dropped = new File(['x'], 'a.dff')
    electron.filePaths.set(dropped, '/games/a.dff')
    expect(bridge.openFiles([new File(['x'], 'made.dff')])).toBe(0)
    expect(bridge.openFiles([dropped, new File(['x'], 'made.dff')])).toBe(1)
    await expect.poll(() => chosen).toEqual(['/games/a.dff'])
    expect(await api.call('open.pending', {})).toEqual({ paths: ['/games/a.dff'] })
    // other frames, and what is no list of paths
    electron.fromFrame(window.webContents, { url: 'marrow://app/' }, PATHS_TO_MAIN, ['/etc/passwd'])
    for (const value of ['/x', [1], [''], ['x'.repeat(5000)], { 0: '/x' }, undefined])
      electron.fromFrame(window.webContents, window.webContents.mainFrame, PATHS_TO_MAIN, value)
    await delivered()
    expect(chosen).toEqual(['/games/a.dff'])
  })

  it('counts a folder of the system dialog as chosen', async () => {
    const chosen: string[] = []
    const started = await startHost(withInfo(), { onChoose: (path) => chosen.push(path) })
    const { api } = await connect(started)
    await api.call('folders.pick', {})
    started.electron.picked = ['/games/gta']
    await api.call('folders.pick', {})
    expect(chosen).toEqual(['/games/gta'])
  })

  it('leaves to the first instance', async () => {
    const { electron } = await startHost(fakeServices(), { prepare: (standIn) => (standIn.app.lockTaken = true) })
    expect(electron.windows).toEqual([])
    expect(electron.app.ended).toBe(true)
  })

  it('follows the words of a desktop entry', async () => {
    const services = withInfo('/games/last', '/games/other')
    services.handlers['library.openSample'] = () => ({ root: '/state/sample' }) as never
    for (const [word, root] of [
      ['--last', '/games/last'],
      ['--sample', '/state/sample'],
    ]) {
      const { api } = await connect(await startHost(services, { args: [word] }))
      await expect.poll(() => api.call('open.pending', {})).toEqual({ paths: [root] })
    }
  })
})

describe('the window', () => {
  const placed = (placement: unknown, prepare?: (started: Started['electron']) => void) =>
    startHost(withInfo(), {
      prepare: (electron, userData) => {
        writeFileSync(join(userData, 'window.json'), typeof placement === 'string' ? placement : JSON.stringify(placement))
        prepare?.(electron)
      },
    })
  const bounds = { x: 40, y: 60, width: 1000, height: 700 }

  it('stands where it was, maximized and full screen as it was', async () => {
    const first = await startHost(withInfo())
    first.window.bounds = bounds
    first.window.maximized = true
    first.window.fullScreen = true
    first.electron.app.quit()
    await expect.poll(() => first.electron.app.ended).toBe(true)
    const kept = readFileSync(join(first.userData, 'window.json'), 'utf8')
    const second = await placed(kept)
    expect(second.window.options).toMatchObject(bounds)
    expect([second.window.maximized, second.window.fullScreen]).toEqual([true, true])
    // of an earlier version, without a word about full screen
    const old = await placed({ bounds, maximized: true })
    expect([old.window.maximized, old.window.fullScreen]).toEqual([true, false])
  })

  it('opens at its usual place where what was kept makes no sense', async () => {
    const good = JSON.stringify({ bounds, maximized: false })
    for (const text of ['{', '{}', 'null', good.replace('40', '"a"'), good.replace('1000', '10'), good.replace('60', '1e400')]) {
      const { window } = await placed(text)
      expect(window.options, text).toMatchObject({ width: 1440, height: 900 })
      expect(window.options.x, text).toBe(undefined)
    }
  })

  it('comes back onto a display that is there', async () => {
    const area = { x: 0, y: 25, width: 1280, height: 775 }
    const gone = await placed({ bounds: { x: 5000, y: -900, width: 1600, height: 700 } }, (electron) => (electron.workArea = area))
    expect(gone.window.options).toMatchObject({ x: 0, y: 62, width: 1280, height: 700 })
    // its title bar is above the edge
    const high = await placed({ bounds: { ...bounds, y: -200 } }, (electron) => (electron.workArea = area))
    expect(high.window.options).toMatchObject({ x: 140, y: 62 })
    // unplugged while it runs
    const { electron, window } = await placed({ bounds })
    window.bounds = { ...bounds, x: 2500 }
    electron.screen.emit('display-removed')
    expect(window.bounds).toEqual({ x: 460, y: 190, width: 1000, height: 700 })
    electron.screen.emit('display-metrics-changed')
    expect(window.bounds.x).toBe(460)
    window.close()
    expect(electron.screen.listenerCount('display-removed')).toBe(0)
  })
})

describe('recent folders', () => {
  it('are in the File menu of every system, and open in the window', async () => {
    const recent: string[] = ['/games/a & b']
    const services = withInfo()
    services.handlers['app.info'] = () => info(...recent)
    services.handlers['library.open'] = ({ root }) => (recent.unshift(root), { root }) as never
    const started = await startHost(services)
    const menu = () => started.electron.menuItem('recent')!
    expect([menu().enabled, menu().submenu!.map((item) => item.label)]).toEqual([true, ['/games/a && b']])
    const { api } = await connect(started)
    await api.call('library.open', { root: '/games/c' })
    await expect.poll(() => menu().submenu!.length).toBe(2)
    menu().submenu![1].click!()
    expect(await api.call('open.pending', {})).toEqual({ paths: ['/games/a & b'] })
  })

  it('are in the jump list of Windows as starts with the folder, without those that the user took out', async () => {
    platform('win32')
    const { electron } = await startHost(withInfo('C:\\games\\dark cloud', 'D:\\', 'C:\\old'), {
      prepare: ({ app }) => (app.removedItems = [{ args: '"C:\\old"' }]),
    })
    expect(electron.app.userModelId).toBe('io.github.marrow-workbench.marrow')
    expect(readFileSync(join(import.meta.dirname, '../../electron-builder.yml'), 'utf8')).toContain(`appId: ${electron.app.userModelId}`)
    const [folders, tasks] = electron.app.jumpList!
    // a backslash before the closing quote would take it into the argument
    expect(folders.items.map((item: any) => item.args)).toEqual(['"C:\\games\\dark cloud"', '"D:\\\\"'])
    expect(folders.items.every((item: any) => item.program === process.execPath && item.type === 'task')).toBe(true)
    expect(tasks.items.map((item: any) => item.args)).toEqual(['--sample'])
    expect(electron.app.recentDocuments).toEqual(['C:\\games\\dark cloud'])
  })

  it('are in the dock menu of macOS', async () => {
    platform('darwin')
    const started = await startHost(withInfo('/games/a', '/games/b'))
    const { menu } = started.electron.app.dock
    expect(menu.map((item) => item.label)).toEqual(['a', 'b'])
    const { api } = await connect(started)
    menu[1].click!()
    expect(await api.call('open.pending', {})).toEqual({ paths: ['/games/b'] })
  })
})

describe('updates', () => {
  class Updater extends EventEmitter {
    autoDownload = true
    autoInstallOnAppQuit = true
    looks = 0
    loads = 0
    installs = 0
    version = '2.0.0'
    failure: Error | undefined
    checkForUpdates = async () => {
      this.looks++
      if (this.failure) throw this.failure
      return { isUpdateAvailable: this.version !== '1.2.3', updateInfo: { version: this.version, files: [{ size: 77 }] } }
    }
    downloadUpdate = async () => {
      this.loads++
      if (this.failure) throw this.failure
      this.emit('download-progress', { percent: 41.7 })
    }
    quitAndInstall = () => this.installs++
  }

  // an application that has not ended goes on looking
  const begun: Started[] = []
  afterEach(() => {
    for (const { electron } of begun.splice(0)) electron.app.emit('will-quit', { preventDefault: () => {} })
  })

  async function begin({ on = true, packaged = true, updater = new Updater() } = {}) {
    let [loaded, asked] = [0, 0]
    const now = { ...settings, updates: on }
    const services = withInfo()
    services.handlers['settings.get'] = () => (asked++, now)
    const started = await startHost(services, {
      packaged,
      updates: { load: async () => (loaded++, updater as never), firstAfter: 0, every: 5 },
    })
    begun.push(started)
    const { api } = await connect(started)
    const states: UpdateState[] = []
    api.on('update.state', (state) => states.push(state))
    /** It was time to look, again and again. */
    const later = async (): Promise<void> => {
      const until = asked + 3
      await expect.poll(() => asked).toBeGreaterThan(until)
    }
    return { started, api, states, updater, now, later, loaded: () => loaded }
  }

  it('are told, loaded when the user says so, and installed when the user says so', async () => {
    const { api, states, updater, later, loaded } = await begin()
    await expect.poll(() => states.at(-1)).toEqual({ state: 'available', version: '2.0.0', size: 77 })
    await api.call('update.act', { action: 'install' })
    expect([updater.autoDownload, updater.autoInstallOnAppQuit, updater.loads, updater.installs]).toEqual([false, false, 0, 0])
    await api.call('update.act', { action: 'load' })
    await expect.poll(() => states.at(-1)).toEqual({ state: 'ready', version: '2.0.0' })
    expect(states).toContainEqual({ state: 'loading', version: '2.0.0', percent: 41 })
    const { looks } = updater
    await later()
    // what waits to be installed is not looked for again
    expect([updater.looks, updater.loads, updater.installs, loaded()]).toEqual([looks, 1, 0, 1])
    await api.call('update.act', { action: 'install' })
    expect(updater.installs).toBe(1)
  })

  it('switched off, unpacked or portable, ask nobody and load nothing', async () => {
    const off = await begin({ on: false })
    const unpacked = await begin({ packaged: false })
    // one that is not packed does not even ask for the settings
    await off.later()
    expect([off.loaded(), off.updater.looks, unpacked.loaded(), unpacked.updater.looks]).toEqual([0, 0, 0, 0])
    // switched on, and off again
    off.now.updates = true
    await expect.poll(() => off.states.length).toBeGreaterThan(0)
    off.now.updates = false
    // a look may be on its way
    await off.later()
    const { looks } = off.updater
    await off.later()
    expect(off.updater.looks).toBe(looks)
    expect([canUpdate(true, {}), canUpdate(true, { PORTABLE_EXECUTABLE_FILE: 'x' }), canUpdate(false, {})]).toEqual([true, false, false])
  })

  it('that fail are a line in the log and nothing else', async () => {
    const updater = new Updater()
    updater.failure = new Error('net::ERR_INTERNET_DISCONNECTED')
    const { started, states, loaded } = await begin({ updater })
    await expect.poll(() => updater.looks).toBeGreaterThan(1)
    expect([states, loaded(), started.electron.errorBoxes, started.electron.questions]).toEqual([[], 1, [], []])
    expect(log(started).match(/warning updates: net::ERR_INTERNET_DISCONNECTED/g)!.length).toBe(1)
  })

  it('that are not wanted are not told of again, and one that could not be loaded can be tried again', async () => {
    const { api, states, updater } = await begin()
    await expect.poll(() => states.length).toBeGreaterThan(0)
    updater.failure = new Error('reset')
    await api.call('update.act', { action: 'load' })
    await expect.poll(() => states.at(-1)).toEqual({ state: 'failed', version: '2.0.0' })
    updater.failure = undefined
    await api.call('update.act', { action: 'later' })
    const told = states.length
    const { looks } = updater
    await expect.poll(() => updater.looks).toBeGreaterThan(looks + 2)
    expect(states.length).toBe(told)
    updater.version = '3.0.0'
    await expect.poll(() => states.at(-1)).toEqual({ state: 'available', version: '3.0.0', size: 77 })
  })
})

describe('the way back', () => {
  it('from a page that ended: reload, or diagnostics first', async () => {
    const started = await startHost(withInfo(), { prepare: (electron) => (electron.answers = [1, 0]) })
    const { electron, window, userData } = started
    electron.saveTo = join(userData, 'no folder', 'report.zip')
    started.electron.app.emit('activate')
    window.webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 11 })
    await expect.poll(() => window.webContents.reloads).toBe(1)
    expect(electron.questions.map(({ window: of, options }) => [of === window, options.buttons[0], options.buttons[1]])).toEqual([
      [true, 'Reload', 'Open diagnostics…'],
      [true, 'Reload', 'Open diagnostics…'],
    ])
    expect(electron.questions[0].options.detail).toContain('Your edits are kept')
    // made without the services, which have no word for it here
    expect(electron.errorBoxes).toEqual([expect.stringMatching(/^The diagnostics could not be saved: .*report\.zip is not there$/)])
    expect(log(started)).toContain("error the window's page ended: crashed, status 11")
    // ended by the user or by an end of the application
    window.webContents.emit('render-process-gone', {}, { reason: 'clean-exit', exitCode: 0 })
    expect(electron.questions.length).toBe(2)
  })

  it('from a page that always ends: a question each time, and quitting is one of the answers', async () => {
    const { electron, window } = await startHost(withInfo(), { prepare: (standIn) => (standIn.answers = [0, 0, 0, 2]) })
    for (let i = 0; i < 4; i++) {
      window.webContents.emit('render-process-gone', {}, { reason: 'oom', exitCode: 5 })
      await expect.poll(() => electron.questions.length).toBe(i + 1)
    }
    expect(electron.questions[0].options.message).toContain('out of memory')
    await expect.poll(() => electron.app.ended).toBe(true)
    expect(window.webContents.reloads).toBe(3)
  })

  it('from a page that hangs: it may come back, or is ended and loaded again', async () => {
    const started = await startHost(withInfo())
    const { electron, window } = started
    window.emit('unresponsive')
    window.emit('unresponsive')
    await expect.poll(() => electron.questions.length).toBe(1)
    expect(electron.questions[0].options.buttons).toEqual(['Reload', 'Open diagnostics…', 'Wait'])
    window.emit('responsive')
    await expect.poll(() => electron.questions[0].options.signal.aborted).toBe(true)
    expect([window.webContents.reloads, window.webContents.crashedOnPurpose]).toEqual([0, 0])
    electron.answers = [0]
    await expect
      .poll(() => {
        if (electron.questions.length === 1) window.emit('unresponsive')
        return [window.webContents.reloads, window.webContents.crashedOnPurpose]
      })
      .toEqual([1, 1])
    // the end that was asked for asks nothing itself
    expect(electron.questions.length).toBe(2)
  })

  it('from a start that fails: again, with diagnostics that need no services', async () => {
    const { electron, userData } = await startHost(fakeServices(), {
      startServices: () => {
        throw new Error('the binary of better-sqlite3 is for another system')
      },
      prepare: (standIn, folder) => {
        standIn.answers = [1, 0]
        standIn.saveTo = join(folder, 'report.zip')
      },
    })
    expect(electron.questions[0].options).toMatchObject({
      message: 'Marrow could not start',
      detail: 'the binary of better-sqlite3 is for another system',
      buttons: ['Reload', 'Open diagnostics…', 'Quit'],
    })
    expect([electron.windows.length, electron.app.relaunches, electron.app.exitCode]).toEqual([0, 1, 0])
    const parts = unzipSync(new Uint8Array(readFileSync(join(userData, 'report.zip'))))
    expect(strFromU8(parts['log.txt'])).toContain('error start: Error: the binary of better-sqlite3 is for another system')
    expect(electron.shownInFolder).toEqual([join(userData, 'report.zip')])
  })

  it('from a state folder that cannot be written: one line says which and why', async () => {
    const state = (folder: string) => join(folder, 'state')
    const { electron, userData } = await startHost(fakeServices(), {
      prepare: (standIn, folder) => {
        writeFileSync(state(folder), 'a file')
        standIn.answers = [2]
      },
    })
    expect(electron.questions[0].options.detail).toBe(
      `Marrow keeps its journals and settings in ${state(userData)}, and cannot write there: a file stands where the folder should be`,
    )
    expect([electron.windows.length, electron.app.relaunches, electron.app.exitCode]).toEqual([0, 0, 1])
  })

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'from a state folder without rights (skipped on Windows and for root: neither is refused)',
    async () => {
      const { electron } = await startHost(fakeServices(), {
        prepare: (standIn, folder) => {
          mkdirSync(join(folder, 'state'))
          chmodSync(join(folder, 'state'), 0o500)
          standIn.answers = [2]
        },
      })
      expect(electron.questions[0].options.detail).toContain('the rights are missing')
    },
  )

  it('leaves no probe behind, and says in the log that it starts', async () => {
    const started = await startHost(withInfo())
    expect(existsSync(join(started.userData, 'state', `.probe-${process.pid}`))).toBe(false)
    expect(log(started)).toContain('info Marrow 1.2.3 starts')
    rmSync(join(started.userData, 'state'), { recursive: true })
  })
})
