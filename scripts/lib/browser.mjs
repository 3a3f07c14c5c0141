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
  const { isAbsolute, join } = platform === 'win32' ? win32 : posix
  // a path may have empty and relative parts
  const across = (folders, names) => names.flatMap((name) => folders.filter((f) => f && isAbsolute(f)).map((folder) => join(folder, name)))
  const places = []
  if (platform === 'darwin') places.push(...across(['/Applications', env.HOME && join(env.HOME, 'Applications')], MAC))
  else if (platform === 'win32') {
    places.push(...across([env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA], WINDOWS))
    // Windows spells it Path
    places.push(...across((env.Path ?? env.PATH ?? '').split(';'), ['chrome.exe', 'msedge.exe']))
  } else places.push(...across([...(env.PATH ?? '').split(':'), ...LINUX_FOLDERS], LINUX))
  return [...new Set(places)]
}

/** @returns {string | null} path of the first that is there */
export function installedBrowser({ platform, env, exists }) {
  return browserPlaces(platform, env).find(exists) ?? null
}

/** The line for a machine without one. */
export const NO_BROWSER = 'no Chrome, Edge or Chromium was found: install one, or set MARROW_CHROMIUM to the path of its program'
