// Whether Electron can be used here, and why not where it cannot. Its binary does not come from the npm registry: its package loads it at
// the first start.
import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { removeAbandoned } from './abandoned.mjs'
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

/**
 * One try to load the binary; resolves with the reason where it fails, null where it is there.
 * @param {{folder?: string, stall?: number, env?: Record<string, string | undefined>}} options `stall`: milliseconds without progress that
 *   are the end of it; however slow it is, what goes on is waited for
 */
export async function installElectron({ folder = electronFolder, stall = 20_000, env = process.env } = {}) {
  if (!existsSync(join(folder, 'install.js'))) return 'its package is not installed'
  const failed = 'its binary could not be loaded'
  // in a copy of its installer, so that it is there whole or not at all, also where two starts load it
  removeAbandoned(folder, 'install')
  const own = join(folder, `install.${process.pid}`)
  try {
    const temporary = join(own, 'temporary')
    mkdirSync(temporary, { recursive: true })
    for (const name of ['install.js', 'package.json', 'checksums.json']) {
      if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(own, name))
    }
    const reason = await runInstaller(own, { ...env, ...proxies(env), TMPDIR: temporary, TEMP: temporary, TMP: temporary }, stall)
    if (reason !== null) return `${failed}${reason}`
    if (existsSync(join(own, 'path.txt'))) takeOver(own, folder)
    return electronBinary(folder, env) ? null : failed
  } catch (error) {
    return `${failed} (${error.message})`
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}

function takeOver(own, folder) {
  try {
    // half there, whoever left it so
    if (!electronBinary(folder, {})) rmSync(join(folder, 'dist'), { recursive: true, force: true })
    renameSync(join(own, 'dist'), join(folder, 'dist'))
    renameSync(join(own, 'path.txt'), join(folder, 'path.txt'))
  } catch (error) {
    // another start was first
    if (!electronBinary(folder, {})) throw error
  }
}

/** What the installer is told of a proxy: it asks to be told, and npm may know one that the environment does not. */
function proxies(env) {
  const proxy = env.HTTPS_PROXY ?? env.https_proxy ?? env.npm_config_https_proxy ?? env.HTTP_PROXY ?? env.http_proxy ?? env.npm_config_proxy
  return proxy ? { ELECTRON_GET_USE_PROXY: 'true', HTTPS_PROXY: proxy } : {}
}

/** null where it ends well; otherwise what is to be said of it, '' where it said nothing itself. */
function runInstaller(own, env, stall) {
  return new Promise((done) => {
    const child = spawn(process.execPath, [join(own, 'install.js')], { stdio: ['ignore', 'ignore', 'pipe'], env })
    let said = ''
    child.stderr.on('data', (part) => (said += part))
    const stalled = stallWatch(stall)
    const watch = setInterval(
      () => {
        if (!stalled(sizeOf(own))) return
        child.kill('SIGKILL')
        end(`: nothing came for ${Math.round(stall / 1000)} s`)
      },
      Math.min(500, stall / 4),
    )
    const end = (reason) => {
      clearInterval(watch)
      done(reason)
    }
    child.on('error', (error) => end(` (${error.message})`))
    child.on('close', (code) => end(code === 0 ? null : reasonIn(said)))
  })
}

/** A function that is given a size again and again, and tells whether it is the same for longer than `stall` milliseconds. */
export function stallWatch(stall, now = () => performance.now()) {
  let last = -1
  let since = now()
  return (size) => {
    if (size !== last) [last, since] = [size, now()]
    return now() - since > stall
  }
}

/** Bytes of the files in a folder; what vanishes meanwhile counts nothing. */
function sizeOf(folder) {
  let bytes = 0
  try {
    for (const name of readdirSync(folder, { recursive: true })) bytes += statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0
  } catch {
    // a folder that vanished: the next look is soon
  }
  return bytes
}

function reasonIn(text) {
  const line = text
    .split('\n')
    .map((part) => part.trim())
    .find((part) => /error/i.test(part))
  if (!line) return ''
  const reason = line.replace(/^\w*Error:\s*/, '').slice(0, 120)
  // what Node's fetch says of every trouble on the way
  return reason === 'fetch failed' ? ' (no connection, or a proxy refuses it)' : ` (${reason})`
}

/** null where there is a screen to open a window on. */
export function whyNoScreen(env = process.env, platform = process.platform) {
  if (platform !== 'linux' || env.DISPLAY || env.WAYLAND_DISPLAY) return null
  return 'there is no display'
}
