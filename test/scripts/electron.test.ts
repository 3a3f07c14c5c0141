/** Finding Electron: a stand-in for its package that installs, fails or hangs. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { projectRoot } from '../../scripts/lib/build.mjs'
import { electronBinary, installElectron, stallWatch, whyNoScreen } from '../../scripts/lib/electron.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'marrow-install-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const env = { PATH: process.env.PATH }
const INSTALL = `{ const fs = require('fs'); fs.mkdirSync(__dirname + '/dist'); fs.writeFileSync(__dirname + '/dist/electron', 'binary')
  fs.writeFileSync(__dirname + '/path.txt', 'electron') }`
const installer = (code: string) => writeFileSync(join(folder, 'install.js'), code)

describe('finding Electron', () => {
  it('takes a binary that is there', () => {
    expect(electronBinary(folder, env)).toBe(null)
    writeFileSync(join(folder, 'path.txt'), 'electron')
    expect(electronBinary(folder, env)).toBe(null)
    mkdirSync(join(folder, 'dist'))
    writeFileSync(join(folder, 'dist', 'electron'), '')
    expect(electronBinary(folder, env)).toBe(join(folder, 'dist', 'electron'))
    expect(electronBinary(folder, { ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'other') })).toBe(null)
  })

  it('loads it once', async () => {
    installer(INSTALL)
    expect(await installElectron({ folder, env })).toBe(null)
    expect(electronBinary(folder, env)).toBe(join(folder, 'dist', 'electron'))
  })

  it('says in a line why it cannot be loaded, and leaves nothing', async () => {
    expect(await installElectron({ folder, env })).toBe('its package is not installed')
    installer(`console.error('RequestError: getaddrinfo ENOTFOUND github.com\\n    at somewhere'); process.exit(1)`)
    expect(await installElectron({ folder, env })).toBe('its binary could not be loaded (getaddrinfo ENOTFOUND github.com)')
    // what Node's own fetch makes of it
    installer(`console.error('TypeError: fetch failed\\n    at somewhere'); process.exit(1)`)
    expect(await installElectron({ folder, env })).toBe('its binary could not be loaded (no connection, or a proxy refuses it)')
    // says that it worked, and left nothing
    installer('')
    expect(await installElectron({ folder, env })).toBe('its binary could not be loaded')
    installer(`const fs = require('fs'); fs.mkdirSync(__dirname + '/dist'); fs.writeFileSync(__dirname + '/dist/electron', 'ha');
      console.error('Error: ENOSPC: no space left on device, write'); process.exit(1)`)
    expect(await installElectron({ folder, env })).toBe('its binary could not be loaded (ENOSPC: no space left on device, write)')
    expect(readdirSync(folder)).toEqual(['install.js'])
  })

  it('takes the place of a half one, and gives way to a whole one', async () => {
    mkdirSync(join(folder, 'dist'))
    writeFileSync(join(folder, 'dist', 'half'), '')
    installer(INSTALL)
    expect(await installElectron({ folder, env })).toBe(null)
    expect(readdirSync(join(folder, 'dist'))).toEqual(['electron'])
    // another start was first, while this one was loading
    const before = readFileSync(join(folder, 'dist', 'electron'), 'utf8')
    installer(INSTALL.replace("'binary'", "'later'"))
    expect(await installElectron({ folder, env })).toBe(null)
    expect(readFileSync(join(folder, 'dist', 'electron'), 'utf8')).toBe(before)
    expect(readdirSync(folder).sort()).toEqual(['dist', 'install.js', 'path.txt'])
  })

  it('waits for what goes on, and not for ever', async () => {
    installer('setInterval(() => {}, 1000)')
    expect(await installElectron({ folder, env, stall: 400 })).toMatch(/^its binary could not be loaded: nothing came for/)
    let time = 0
    const stalled = stallWatch(20_000, () => time)
    const looks = [1, 1, 2, 3, 3, 3].map((size) => ((time += 9000), stalled(size)))
    // longer than a stall as a whole
    expect(looks).toEqual([false, false, false, false, false, false])
    time += 9000
    expect(stalled(3)).toBe(true)
  })

  it('loads through no proxy that refuses it, at once', async () => {
    let asked = ''
    const proxy = createServer()
    proxy.on('connect', (request, socket) => {
      asked = request.url ?? ''
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n')
    })
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    // Electron's own installer, with the packages that it needs
    const packed = join(projectRoot, 'node_modules', 'electron')
    const copy = join(folder, 'node_modules', 'electron')
    mkdirSync(copy, { recursive: true })
    for (const name of ['install.js', 'package.json', 'checksums.json']) cpSync(join(packed, name), join(copy, name))
    for (const name of ['@electron', '@electron-internal']) {
      symlinkSync(join(projectRoot, 'node_modules', name), join(folder, 'node_modules', name), 'junction')
    }
    // the environment's proxy, and npm's own
    for (const name of ['HTTPS_PROXY', 'npm_config_https_proxy', 'npm_config_proxy']) {
      asked = ''
      const reason = await installElectron({ folder: copy, env: { ...env, [name]: address, electron_config_cache: join(folder, 'cache') } })
      expect(reason, name).toBe('its binary could not be loaded (no connection, or a proxy refuses it)')
      expect(asked, name).toMatch(/:443$/)
    }
    expect(readdirSync(copy).sort()).toEqual(['checksums.json', 'install.js', 'package.json'])
    proxy.close()
  })

  it('knows a machine without a screen', () => {
    expect(whyNoScreen({}, 'linux')).toBe('there is no display')
    expect(whyNoScreen({ DISPLAY: ':0' }, 'linux')).toBe(null)
    expect(whyNoScreen({ WAYLAND_DISPLAY: 'wayland-0' }, 'linux')).toBe(null)
    expect(whyNoScreen({}, 'win32')).toBe(null)
  })
})
