// Where an installed Chrome, Edge or Chromium is, in the usual places of each system.
import { posix, win32 } from 'node:path'

/** Chromium by itself first: nobody's own windows and settings are in it. */
const MAC = [
  'Chromium.app/Contents/MacOS/Chromium',
  'Google Chrome.app/Contents/MacOS/Google Chrome',
  'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
]
const WINDOWS = ['Chromium\\Application\\chrome.exe', 'Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe']
const LINUX = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge', 'microsoft-edge-stable']
const LINUX_FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin', '/snap/bin', '/opt/google/chrome', '/opt/microsoft/msedge']

/**
 * @param {string} platform of process.platform
 * @param {Record<string, string | undefined>} env
 * @returns {string[]} paths where a browser may be, the ones to prefer first
 */
export function browserPlaces(platform, env) {
  const across = (folders, names, join) => names.flatMap((name) => folders.filter(Boolean).map((folder) => join(folder, name)))
  if (platform === 'darwin') return across(['/Applications', env.HOME && posix.join(env.HOME, 'Applications')], MAC, posix.join)
  if (platform === 'win32') {
    const installed = across([env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA], WINDOWS, win32.join)
    // Windows spells it Path
    const path = (env.Path ?? env.PATH ?? '').split(';')
    return [...new Set([...installed, ...across(path, ['chrome.exe', 'msedge.exe'], win32.join)])]
  }
  return [...new Set(across([...(env.PATH ?? '').split(':'), ...LINUX_FOLDERS], LINUX, posix.join))]
}

/** @returns {string | null} path of the first that is there */
export function installedBrowser({ platform, env, exists }) {
  return browserPlaces(platform, env).find(exists) ?? null
}

/** The line for a machine without one. */
export const NO_BROWSER = 'no Chrome, Edge or Chromium was found: install one, or set MARROW_CHROMIUM to the path of its program'
