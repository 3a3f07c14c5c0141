/** Finding an installed browser, over stand-ins of each system. */
import { describe, expect, it } from 'vitest'
import { browserPlaces, installedBrowser, NO_BROWSER } from '../../scripts/lib/browser.mjs'
import { chromiumLaunchOptions } from '../../scripts/lib/chromium.mjs'

type Machine = Parameters<typeof installedBrowser>[0]
const machine = (platform: string, env: Machine['env'], ...files: string[]): Machine => ({
  platform,
  env,
  exists: (path) => files.includes(path),
})

const windows = {
  ProgramFiles: 'C:\\Program Files',
  'ProgramFiles(x86)': 'C:\\Program Files (x86)',
  LOCALAPPDATA: 'C:\\Users\\u\\AppData\\Local',
  Path: 'C:\\Windows;D:\\tools',
}
const edge = 'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe'

describe('an installed browser', () => {
  it('is found on macOS, for all users or one', () => {
    const chrome = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
    expect(installedBrowser(machine('darwin', { HOME: '/Users/u' }, chrome))).toBe(chrome)
    expect(installedBrowser(machine('darwin', { HOME: '/Users/u' }, `/Users/u${chrome}`))).toBe(`/Users/u${chrome}`)
    expect(installedBrowser(machine('darwin', {}, chrome))).toBe(chrome)
    expect(installedBrowser(machine('darwin', { HOME: '/Users/u' }))).toBe(null)
  })

  it('is found on Windows: Edge that comes with it, Chrome of one user, what is on the path', () => {
    expect(installedBrowser(machine('win32', windows, edge))).toBe(edge)
    const chrome = 'C:\\Users\\u\\AppData\\Local\\Google\\Chrome\\Application\\chrome.exe'
    expect(installedBrowser(machine('win32', windows, edge, chrome))).toBe(chrome)
    expect(installedBrowser(machine('win32', windows, 'D:\\tools\\chrome.exe'))).toBe('D:\\tools\\chrome.exe')
    expect(installedBrowser(machine('win32', {}, edge))).toBe(null)
  })

  it('is found on Linux, on the path before the usual folders', () => {
    expect(installedBrowser(machine('linux', { PATH: '/opt/own:/usr/bin' }, '/usr/bin/chromium', '/opt/own/chromium'))).toBe(
      '/opt/own/chromium',
    )
    expect(installedBrowser(machine('linux', {}, '/snap/bin/chromium'))).toBe('/snap/bin/chromium')
  })

  it('is looked for in absolute places only, each once', () => {
    for (const [platform, env] of [
      ['darwin', {}],
      ['win32', {}],
      ['win32', windows],
      ['linux', {}],
      ['linux', { PATH: '/usr/bin::/bin:relative' }],
    ] as const) {
      const places = browserPlaces(platform, env)
      expect(new Set(places).size).toBe(places.length)
      for (const place of places) expect(place).toMatch(platform === 'win32' ? /^[A-Z]:\\/ : /^\//)
    }
  })
})

describe('the browser of the tests', () => {
  it('is an installed one where the packages have none', async () => {
    const options = await chromiumLaunchOptions({ arch: 'x64', ...machine('win32', windows, edge) })
    expect(options.executablePath).toBe(edge)
    // nothing of the packed one's
    expect(options.env).toEqual(windows)
    const arm = await chromiumLaunchOptions({ arch: 'arm64', ...machine('linux', { PATH: '/usr/bin' }, '/usr/bin/chromium') })
    expect(arm.executablePath).toBe('/usr/bin/chromium')
  })

  it('is the one that is named', async () => {
    const env = { ...windows, MARROW_CHROMIUM: 'E:\\own.exe' }
    expect((await chromiumLaunchOptions({ arch: 'x64', ...machine('win32', env, edge, 'E:\\own.exe') })).executablePath).toBe('E:\\own.exe')
    await expect(chromiumLaunchOptions({ arch: 'x64', ...machine('win32', env, edge) })).rejects.toThrow(
      'MARROW_CHROMIUM names no file: E:\\own.exe',
    )
    await expect(chromiumLaunchOptions({ arch: 'x64', ...machine('linux', { MARROW_CHROMIUM: '/no' }) })).rejects.toThrow(
      'MARROW_CHROMIUM names',
    )
  })

  it('is missing in one line', async () => {
    await expect(chromiumLaunchOptions({ arch: 'arm64', ...machine('darwin', { HOME: '/Users/u' }) })).rejects.toThrow(NO_BROWSER)
    expect(NO_BROWSER).not.toContain('\n')
  })
})
