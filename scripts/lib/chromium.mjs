// The real Chromium of the tests and of screenshots. On Linux x64 it comes in the package @sparticuz/chromium and is unpacked once into
// node_modules/.cache, so that nothing has to be installed on the machine; elsewhere it is an installed one.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { removeAbandoned } from './abandoned.mjs'
import { installedBrowser, NO_BROWSER } from './browser.mjs'
import { projectRoot } from './build.mjs'

const args = [
  '--no-sandbox',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-background-networking',
  '--no-first-run',
  '--disable-component-update',
]

/** Where a system keeps its libraries: they come before the package's, which are older and only fill gaps. */
const SYSTEM_LIBRARIES = ['/lib/x86_64-linux-gnu', '/usr/lib/x86_64-linux-gnu', '/lib64', '/usr/lib64', '/lib', '/usr/lib']

const cache = join(projectRoot, 'node_modules', '.cache', 'marrow')

/**
 * Unpacks on first use.
 * @returns {Promise<{executablePath: string, args: string[], env: Record<string, string>}>} options for playwright's chromium.launch
 * @throws Error with one line that says what to do
 */
export async function chromiumLaunchOptions({
  platform = process.platform,
  arch = process.arch,
  env = process.env,
  exists = existsSync,
} = {}) {
  const own = env.MARROW_CHROMIUM
  if (own && !exists(own)) throw new Error(`MARROW_CHROMIUM names no file: ${own}`)
  const packed = platform === 'linux' && arch === 'x64' && !isMusl()
  if (own || !packed) {
    const executablePath = own || installedBrowser({ platform, env, exists })
    if (!executablePath) throw new Error(NO_BROWSER)
    return { executablePath, args, env: { ...env } }
  }
  const folder = await unpackChromium()
  return { executablePath: join(folder, 'chromium'), args, env: { ...env, ...packedEnvironment(folder, env) } }
}

/** What the packed browser needs to find its own parts, and the system's before them. */
export function packedEnvironment(folder, env) {
  return {
    FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    XDG_CACHE_HOME: join(folder, 'cache'),
    LD_LIBRARY_PATH: [env.LD_LIBRARY_PATH, ...SYSTEM_LIBRARIES, join(folder, 'al2023', 'lib')].filter(Boolean).join(delimiter),
  }
}

/**
 * Complete or absent: a failed one leaves nothing, a killed one is taken away by the next, and two at once do not meet.
 * @returns {Promise<string>} the folder
 */
export async function unpackChromium({ into = cache, run = unpackBeside } = {}) {
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'node_modules', '@sparticuz', 'chromium', 'package.json'), 'utf8'))
  const name = `test-browser-${version}`
  const folder = join(into, name)
  if (existsSync(folder)) return folder
  removeAbandoned(into, name)
  const temporary = join(into, `${name}.${process.pid}`)
  try {
    mkdirSync(temporary, { recursive: true })
    await run(temporary)
    renameSync(temporary, folder)
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true })
    // another run was first
    if (existsSync(folder)) return folder
    throw new Error(`the test browser cannot be unpacked into ${into}: ${error.message}`)
  }
  return folder
}

function unpackBeside(temporary) {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [fileURLToPath(new URL('unpack-chromium.mjs', import.meta.url))], {
      env: { ...process.env, TMPDIR: temporary },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.on('data', (part) => (said += part))
    child.on('error', failed)
    child.on('close', (code, signal) => {
      if (code === 0) done()
      else failed(new Error(said.trim().split('\n')[0] || `it ended with ${signal ?? `status ${code}`}`))
    })
  })
}

/** The package's Chromium is made for the GNU C library. */
function isMusl() {
  if (process.platform !== 'linux') return false
  process.report.excludeNetwork = true
  return !process.report.getReport().header.glibcVersionRuntime
}
