// Whether Electron can be used here, and why not where it cannot. Its binary does not come from the npm registry: its package loads it at
// the first start.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './build.mjs'

const electronFolder = join(projectRoot, 'node_modules', 'electron')

/** Path of the binary, or null. */
export function electronBinary(folder = electronFolder, env = process.env) {
  const list = join(folder, 'path.txt')
  const own = env.ELECTRON_OVERRIDE_DIST_PATH
  // the package writes the file's name down when it has loaded the binary
  const name = existsSync(list) ? readFileSync(list, 'utf8').trim() : own && (process.platform === 'win32' ? 'electron.exe' : 'electron')
  if (!name) return null
  const path = join(own ?? join(folder, 'dist'), name)
  return existsSync(path) ? path : null
}

/** One try to load the binary; resolves with the reason where it fails, null where it is there. */
export function installElectron({ folder = electronFolder, timeout = 20_000, env = process.env } = {}) {
  if (!existsSync(join(folder, 'install.js'))) return Promise.resolve('its package is not installed')
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(folder, 'install.js')], { stdio: ['ignore', 'ignore', 'pipe'], env })
    let said = ''
    child.stderr.on('data', (part) => (said += part))
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      resolve(`its binary could not be loaded within ${Math.round(timeout / 1000)} s`)
    }, timeout)
    child.on('error', (error) => {
      clearTimeout(timer)
      resolve(`its binary could not be loaded: ${error.message}`)
    })
    child.on('exit', (code) => {
      clearTimeout(timer)
      if (code === 0 && electronBinary(folder, env)) resolve(null)
      else resolve(`its binary could not be loaded${reasonIn(said)}`)
    })
  })
}

function reasonIn(text) {
  const line = text
    .split('\n')
    .map((part) => part.trim())
    .find((part) => /error/i.test(part))
  return line ? ` (${line.replace(/^\w*Error:\s*/, '').slice(0, 120)})` : ''
}

/** null where there is a screen to open a window on. */
export function whyNoScreen(env = process.env, platform = process.platform) {
  if (platform !== 'linux' || env.DISPLAY || env.WAYLAND_DISPLAY) return null
  return 'there is no display'
}
