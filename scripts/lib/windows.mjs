// Windows' Node, to run the sources as there: on Windows the running one; elsewhere under Wine, where both are on the machine.
// Nothing is loaded from here: `npm run windows-node` gets the node.exe, a system's packages have Wine.
import { spawn } from 'node:child_process'
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { projectRoot } from './build.mjs'
import { pinnedNode } from './node.mjs'

/** Where `npm run windows-node` puts it, and Wine's C: drive. */
export const windowsCache = join(projectRoot, 'node_modules', '.cache', 'windows-node')

/** Wine makes its drive in half a minute, a busy machine in more. */
const PREPARE_MS = 180_000

/** @returns {{native: true, node: string} | {native: false, node: string, wine: string, prefix: string} | {missing: string}} */
export function findWindows(env = process.env) {
  if (process.platform === 'win32') return { native: true, node: pinnedNode() }
  const wine = onPath('wine', env.PATH ?? '')
  if (!wine) return { missing: 'there is no `wine` on the PATH' }
  if (env.MARROW_WINDOWS_NODE && !existsSync(env.MARROW_WINDOWS_NODE))
    return { missing: `MARROW_WINDOWS_NODE names ${env.MARROW_WINDOWS_NODE}, which is not there` }
  const loaded = join(windowsCache, 'node.exe')
  const node = env.MARROW_WINDOWS_NODE || (existsSync(loaded) ? loaded : undefined)
  if (!node) return { missing: 'there is no node.exe of Windows: get it with `npm run windows-node`, or name it in MARROW_WINDOWS_NODE' }
  return { native: false, node: realpathSync(node), wine, prefix: join(windowsCache, 'prefix') }
}

function onPath(name, path) {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const file = join(folder, name)
    try {
      accessSync(file, constants.X_OK)
      return file
    } catch {
      // the next folder
    }
  }
  return undefined
}

/** A path of this machine as Windows' programs name it. */
export function windowsPath(windows, path) {
  return windows.native ? path : `Z:${path.replaceAll('/', '\\')}`
}

/**
 * Starts a script of the project. Node under Wine cannot write to pipes: what it says goes to files.
 * @param args the script as a path of this machine, then its arguments as they are
 * @param out file for stdout; stderr goes to the same name with `.err`
 */
export async function startWindows(windows, [script, ...args], { out, env = {} }) {
  await prepareWindows(windows)
  const node = ['--disable-warning=ExperimentalWarning', windowsPath(windows, script), ...args]
  return launch(windows, windows.native ? node : [windows.node, ...node], { out, env })
}

/** Runs to the end. @returns {Promise<{status: number, out: string, err: string}>} */
export async function runWindows(windows, args, options) {
  const child = await startWindows(windows, args, options)
  const status = await child.ended
  return { status, out: readFileSync(options.out, 'utf8'), err: readFileSync(`${options.out}.err`, 'utf8') }
}

/** A drive C: of the tests' own, in a Wine that says it is Windows 10. Made once; half a minute. */
export async function prepareWindows(windows) {
  if (windows.native) return
  const mark = join(windows.prefix, '.marrow')
  if (existsSync(mark)) return
  // one that was interrupted is of no use
  rmSync(windows.prefix, { recursive: true, force: true })
  mkdirSync(windows.prefix, { recursive: true })
  const out = join(windowsCache, 'prefix.log')
  const { child, ended } = launch(windows, ['winecfg', '-v', 'win10'], { out })
  const timer = setTimeout(() => child.kill('SIGKILL'), PREPARE_MS)
  const status = await ended
  clearTimeout(timer)
  if (status !== 0) throw new Error(`Wine could not be prepared: ${readFileSync(`${out}.err`, 'utf8')}`)
  writeFileSync(mark, '')
}

function launch(windows, args, { out, env = {} }) {
  const [stdout, stderr] = [openSync(out, 'w'), openSync(`${out}.err`, 'w')]
  // Wine's server lives on for a while after what it served, and its temporary folder with it
  const wine = { WINEPREFIX: windows.prefix, WINEDEBUG: '-all', TMPDIR: windowsCache }
  const child = spawn(windows.native ? windows.node : windows.wine, args, {
    cwd: projectRoot,
    env: { ...process.env, ...(windows.native ? {} : wine), ...env },
    stdio: ['ignore', stdout, stderr],
  })
  closeSync(stdout)
  closeSync(stderr)
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
  })
  return { child, ended }
}
