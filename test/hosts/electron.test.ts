/** The Electron host's own sources against a stand-in for `electron`. The built bundles are in electron-built.test.ts. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { createElectronClient } from '../../src/renderer/core/api/electron-client.ts'
import { TO_MAIN } from '../../src/shared/api/bridge.ts'
import { menuKeys } from '../../src/renderer/core/keymap/accelerators.ts'
import { keysOf } from '../../src/renderer/core/keymap/presets.ts'
import { menuCommandIds } from '../../src/shared/api/menu.ts'
import { encodeMessage } from '../../src/shared/api/wire.ts'
import { fakeServices } from '../support/fake-services.ts'
import { describeContract } from './contract-suite.ts'
import { delivered, openPage, startHost } from './electron-host.ts'

describeContract('Electron', async (services) => {
  const started = await startHost(services)
  const bridge = await openPage(started)
  return {
    api: createElectronClient(bridge),
    leave: () => started.window.webContents.reload(),
    close: () => started.electron.app.quit(),
  }
})

describe('Electron host', () => {
  it('opens one locked window on its own origin', async () => {
    const { electron, window } = await startHost(fakeServices())
    expect(electron.windows.length).toBe(1)
    expect(window.options.webPreferences).toMatchObject({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
    })
    for (const option of ['allowRunningInsecureContent', 'experimentalFeatures', 'enableBlinkFeatures'])
      expect(window.options.webPreferences).not.toHaveProperty(option)
    expect(window.options.webPreferences.preload).toMatch(/preload.index\.cjs$/)
    expect(window.webContents.mainFrame.url).toBe('marrow://app/')
    expect(electron.schemes).toEqual([{ scheme: 'marrow', privileges: expect.objectContaining({ standard: true, secure: true }) }])
    expect(electron.schemes[0].privileges).not.toHaveProperty('bypassCSP')
    await expect.poll(() => window.shown).toBe(true)
  })

  it('drags members out of an archive as files, with the icon that the system has for them', async () => {
    const asked: unknown[] = []
    const services = fakeServices({
      'archive.drag': (args) => {
        asked.push(args)
        return { files: args.ids.map((id) => `/private/${id}.w3d`) }
      },
    })
    const started = await startHost(services)
    const api = createElectronClient(await openPage(started))
    const files = ['/private/3.w3d', '/private/5.w3d']
    expect(await api.call('archive.drag', { ref: '/game/x.big', ids: [3, 5] })).toEqual({ files })
    expect(asked).toEqual([{ ref: '/game/x.big', ids: [3, 5] }])
    expect(started.window.webContents.dragged).toEqual([{ file: files[0], files, icon: { iconOf: files[0] } }])
  })

  it('serves the page with a policy, and nothing from outside its folder', async () => {
    const { electron } = await startHost(fakeServices())
    const get = (url: string, method = 'GET') => electron.served.get('marrow')!({ url, method } as Request)
    const page = await get('marrow://app/')
    expect(await page.text()).toContain('page')
    const policy = page.headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("connect-src 'self'")
    expect(policy).not.toContain('unsafe-eval')
    for (const url of [
      'marrow://app/../secret.html',
      'marrow://app/%2e%2e/secret.html',
      'marrow://app/..%2fsecret.html',
      'marrow://other/index.html',
      'marrow://app.evil/',
      'marrow://application/',
      'file:///etc/passwd',
    ]) {
      const reply = await get(url)
      expect(reply.status, url).toBe(404)
      expect(await reply.text()).toBe('')
    }
    expect((await get('marrow://app/', 'POST')).status).toBe(405)
  })

  it('talks to the top frame of its own page only', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const calls: string[] = []
    const services = fakeServices({ 'model.list': () => (calls.push('ran'), []) })
    const { electron, window } = await startHost(services)
    const contents = window.webContents
    const message = encodeMessage({ kind: 'call', id: 1, name: 'model.list', args: {} })
    const sendFrom = async (frame: { url: string } | null) => {
      electron.fromFrame(contents, frame, TO_MAIN, message)
      await delivered()
    }
    // a frame inside the page, one that is gone, and a page that is not ours
    await sendFrom({ url: 'marrow://app/' })
    await sendFrom(null)
    for (const url of [
      'https://evil.example/',
      'marrow://app.evil.example/',
      'marrow://apple/',
      'file:///tmp/x.html',
      'about:blank',
      'marrow:',
    ]) {
      contents.mainFrame = { url }
      await sendFrom(contents.mainFrame)
    }
    expect(calls).toEqual([])
    expect(services.listeners).toBe(0)
    contents.mainFrame = { url: 'marrow://app/' }
    await sendFrom(contents.mainFrame)
    expect(calls).toEqual(['ran'])
  })

  it('takes no message that is none', async () => {
    const complaints = vi.spyOn(console, 'error').mockImplementation(() => {})
    const services = fakeServices({ 'model.list': () => [] })
    const started = await startHost(services)
    const { electron, window } = started
    const send = (value: unknown) => electron.fromFrame(window.webContents, window.webContents.mainFrame, TO_MAIN, value)
    send('text')
    send({ kind: 'call', id: 1, name: 'model.list', args: {} })
    send(new Uint8Array(64 * 1024 * 1024 + 1))
    send(new Uint8Array([0xdd, 0xff, 0xff, 0xff, 0xff]))
    send(encodeMessage({ kind: 'event', name: 'notice', event: {} }))
    send(undefined)
    await expect.poll(() => complaints.mock.calls.length).toBe(6)
    const bridge = await openPage(started)
    expect(() => bridge.send('text' as never)).toThrow(TypeError)
    expect(await createElectronClient(bridge).call('model.list', {})).toEqual([])
  })

  it('gives the page the pipe, a way for dropped files, and nothing else', async () => {
    const bridge = await openPage(await startHost(fakeServices()))
    expect(Object.keys(bridge).sort()).toEqual(['listen', 'openFiles', 'send'])
    expect(Object.isFrozen(bridge)).toBe(true)
  })

  it('starts a new conversation with a reload', async () => {
    let release = () => {}
    const services = fakeServices({
      'model.list': () => new Promise((resolve) => (release = () => resolve([]))),
      'folders.list': () => ({ path: 'p', parent: '', folders: [] }),
    })
    const started = await startHost(services)
    const api = createElectronClient(await openPage(started))
    const stale = vi.fn()
    void api.call('model.list', {}).then(stale, stale)
    await expect.poll(() => services.listeners).toBe(1)
    started.window.webContents.reload()
    expect(services.listeners).toBe(0)
    release()
    // the new page's first call has the same number as the old one's
    started.window.webContents.toWindow.removeAllListeners()
    const fresh = createElectronClient(await openPage(started))
    expect(await fresh.call('folders.list', {})).toEqual({ path: 'p', parent: '', folders: [] })
    expect(services.listeners).toBe(1)
    expect(stale).not.toHaveBeenCalled()
  })

  it('lets no page leave, open windows or embed', async () => {
    const { electron, window } = await startHost(fakeServices())
    const contents = window.webContents
    const prevented = (event: string, url: string) => {
      let stopped = false
      contents.emit(event, { url, preventDefault: () => (stopped = true) })
      return stopped
    }
    for (const event of ['will-navigate', 'will-redirect']) {
      expect(prevented(event, 'marrow://app/')).toBe(false)
      for (const url of ['https://evil.example/', 'marrow://application/', 'file:///etc/passwd', 'javascript:alert(1)'])
        expect(prevented(event, url), url).toBe(true)
    }
    expect(prevented('will-attach-webview', '')).toBe(true)
    for (const url of [
      'http://plain.example/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'smb://host/share',
      'https://user@evil.example/',
      'ms-settings:',
      'nonsense',
    ]) {
      expect(contents.openHandler({ url })).toEqual({ action: 'deny' })
    }
    expect(electron.external).toEqual([])
    expect(contents.openHandler({ url: 'https://good.example/docs' })).toEqual({ action: 'deny' })
    expect(electron.external).toEqual(['https://good.example/docs'])
  })

  it('denies permissions, devices and foreign downloads', async () => {
    const { electron } = await startHost(fakeServices())
    const ask = (permission: string, requestingUrl: string) => {
      let answer: boolean | undefined
      electron.permissions.setPermissionRequestHandler({}, permission, (given: boolean) => (answer = given), { requestingUrl })
      return answer
    }
    for (const permission of ['media', 'geolocation', 'notifications', 'clipboard-read', 'openExternal', 'fileSystem'])
      expect(ask(permission, 'marrow://app/')).toBe(false)
    expect(ask('clipboard-sanitized-write', 'marrow://app/')).toBe(true)
    expect(ask('clipboard-sanitized-write', 'https://evil.example/')).toBe(false)
    expect(electron.permissions.setPermissionCheckHandler({}, 'media', 'marrow://app')).toBe(false)
    expect(electron.permissions.setDevicePermissionHandler({})).toBe(false)
    const download = (url: string) => {
      let stopped = false
      electron.defaultSession.emit('will-download', { preventDefault: () => (stopped = true) }, { getURL: () => url })
      return !stopped
    }
    expect(download('blob:marrow://app/1234')).toBe(true)
    expect(download('https://evil.example/a.exe')).toBe(false)
  })

  it('picks folders with the system dialog', async () => {
    const services = fakeServices()
    const started = await startHost(services)
    const api = createElectronClient(await openPage(started))
    expect(await api.call('folders.pick', {})).toBe(null)
    started.electron.picked = ['/games/dark cloud']
    expect(await api.call('folders.pick', {})).toBe('/games/dark cloud')
    // and what was chosen there may be used
    expect(services.admitted).toEqual(['/games/dark cloud'])
  })

  it('tells the window of its menu, which has no key of its own', async () => {
    const started = await startHost(fakeServices({ 'model.list': () => [] }))
    const api = createElectronClient(await openPage(started))
    const ids: string[] = []
    api.on('command.run', ({ id }) => ids.push(id))
    await api.call('model.list', {})
    for (const id of menuCommandIds) {
      const item = started.electron.menuItem(id)!
      expect(item.registerAccelerator).toBe(false)
      item.click!()
    }
    await expect.poll(() => ids).toEqual(menuCommandIds)
  })

  it('shows the keys that the window tells, and none where there is none', async () => {
    const started = await startHost(fakeServices())
    const api = createElectronClient(await openPage(started))
    const shown = () => Object.fromEntries(menuCommandIds.map((id) => [id, started.electron.menuItem(id)!.accelerator]))
    expect(shown()).toMatchObject({ 'file.save': 'CmdOrCtrl+S', 'edit.redo': 'CmdOrCtrl+Shift+Z' })
    await api.call('menu.keys', { keys: menuKeys(keysOf('blockbench', { 'file.save': ['F12'], 'file.open': [] })) })
    expect(shown()).toMatchObject({ 'file.save': 'F12', 'edit.redo': 'CmdOrCtrl+Y', 'file.open': undefined })
    // a later list of recent folders keeps them
    await api.call('library.openSample', {}).catch(() => null)
    expect(shown()).toMatchObject({ 'file.save': 'F12' })
    const wrong: Record<string, string>[] = [{ 'file.save': 'no key' }, { 'file.save': 'Ctrl+' }, { 'pose.move': 'G' }]
    for (const keys of wrong) await expect(api.call('menu.keys', { keys })).rejects.toMatchObject({ code: 'invalid-argument' })
    expect(shown()).toMatchObject({ 'file.save': 'F12' })
  })

  it('has the menu of texts where the window has none of its own', async () => {
    const { electron, window } = await startHost(fakeServices())
    const ask = (at: { isEditable: boolean; selectionText: string }): void =>
      void window.webContents.emit(
        'context-menu',
        {},
        { ...at, editFlags: { canCut: false, canCopy: false, canPaste: true, canSelectAll: true } },
      )
    ask({ isEditable: false, selectionText: '' })
    expect(electron.popups).toEqual([])
    ask({ isEditable: true, selectionText: '' })
    expect(electron.popups[0]).toMatchObject([
      { role: 'cut', enabled: false },
      { role: 'copy', enabled: false },
      { role: 'paste', enabled: true },
      { type: 'separator' },
      { role: 'selectAll' },
    ])
    ask({ isEditable: false, selectionText: 'pelvis' })
    expect(electron.popups[1]).toEqual([{ role: 'copy' }])
  })

  it('has no command in its menu that the window lacks', () => {
    // each is registered beside what it acts on
    const cwd = join(import.meta.dirname, '../../src/renderer')
    const window = globSync('**/*.{ts,vue}', { cwd }).map((file) => readFileSync(join(cwd, file), 'utf8'))
    for (const id of menuCommandIds) expect([id, window.some((text) => text.includes(`id: '${id}'`))]).toEqual([id, true])
  })

  it('takes the theme of the settings', async () => {
    const settings = {
      tickRate: 30,
      theme: 'dark',
      saveMode: 'in-place',
      modFolder: '',
      teamColor: '#000000',
      updates: true,
      keys: { preset: 'marrow', changed: {} },
      window: {},
    } as const
    const started = await startHost(fakeServices({ 'settings.set': (values) => ({ ...settings, ...values }) as never }))
    const api = createElectronClient(await openPage(started))
    await api.call('settings.set', { theme: 'dark' })
    expect(started.electron.nativeTheme.themeSource).toBe('dark')
  })

  it('closes the services before it ends, once the windows are gone', async () => {
    const services = fakeServices()
    const order: string[] = []
    let release = () => {}
    services.close = () => {
      order.push(`services with ${started.electron.windows.length} windows`)
      return new Promise((resolve) => (release = resolve))
    }
    const started = await startHost(services)
    const { app } = started.electron
    if (process.platform === 'darwin') app.quit()
    else started.window.close()
    app.quit()
    expect(order).toEqual(['services with 0 windows'])
    expect(app.ended).toBe(false)
    release()
    await expect.poll(() => app.ended).toBe(true)
    expect(order.length).toBe(1)
  })

  it('ends even when the services fail to close', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const services = fakeServices()
    services.close = () => Promise.reject(new Error('disk full'))
    const { electron } = await startHost(services)
    electron.app.quit()
    await expect.poll(() => electron.app.ended).toBe(true)
  })
})
