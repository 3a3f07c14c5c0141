/** Finding Electron: a stand-in for its package that installs, fails or hangs. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { electronBinary, installElectron, whyNoScreen } from '../../scripts/lib/electron.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'marrow-install-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const env = { PATH: process.env.PATH }
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
    installer(
      `const fs = require('fs'); fs.mkdirSync(__dirname + '/dist'); fs.writeFileSync(__dirname + '/dist/electron', ''); fs.writeFileSync(__dirname + '/path.txt', 'electron')`,
    )
    expect(await installElectron({ folder, env })).toBe(null)
    expect(electronBinary(folder, env)).toBe(join(folder, 'dist', 'electron'))
  })

  it('says in a line why it cannot be loaded', async () => {
    expect(await installElectron({ folder, env })).toBe('its package is not installed')
    installer(`console.error('RequestError: getaddrinfo ENOTFOUND github.com\\n    at somewhere'); process.exit(1)`)
    expect(await installElectron({ folder, env })).toBe('its binary could not be loaded (getaddrinfo ENOTFOUND github.com)')
    // says that it worked, and left nothing
    installer('')
    expect(await installElectron({ folder, env })).toBe('its binary could not be loaded')
  })

  it('does not wait for ever', async () => {
    installer('setInterval(() => {}, 1000)')
    expect(await installElectron({ folder, env, timeout: 400 })).toMatch(/^its binary could not be loaded within/)
  })

  it('knows a machine without a screen', () => {
    expect(whyNoScreen({}, 'linux')).toBe('there is no display')
    expect(whyNoScreen({ DISPLAY: ':0' }, 'linux')).toBe(null)
    expect(whyNoScreen({ WAYLAND_DISPLAY: 'wayland-0' }, 'linux')).toBe(null)
    expect(whyNoScreen({}, 'win32')).toBe(null)
  })
})
