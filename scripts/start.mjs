// npm start [FOLDER or FILE] [-- --web] [--port N] [--no-open] [--allow FOLDER]...
// Opens the workbench in Electron; where that cannot be, in the browser, from this machine's own address.
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { buildAll, buildRenderer, isBuilt, projectRoot } from './lib/build.mjs'
import { electronBinary, installElectron, whyNoScreen } from './lib/electron.mjs'

/** An end with an error before this is a start that failed. */
const STARTED_MS = 10_000

const usage = 'npm start [FOLDER or FILE] [-- --web] [--port N] [--no-open] [--allow FOLDER]...'

function options() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        web: { type: 'boolean', default: false },
        port: { type: 'string' },
        'no-open': { type: 'boolean', default: false },
        allow: { type: 'string', multiple: true, default: [] },
        help: { type: 'boolean', default: false },
      },
    })
    if (positionals.length > 1) throw new Error('only one folder or file can be opened')
    const port = values.port === undefined ? undefined : Number(values.port)
    if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535)) throw new Error(`--port ${values.port} is no port`)
    // npm runs scripts in the project's folder; INIT_CWD is the user's
    const whole = (path) => resolve(process.env.INIT_CWD ?? process.cwd(), path)
    const folder = positionals[0] && whole(positionals[0])
    if (folder && !statSync(folder, { throwIfNoEntry: false })) throw new Error(`there is no ${folder}`)
    const places = values.allow.map(whole)
    for (const path of places) if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new Error(`there is no folder ${path}`)
    return { ...values, port, folder, places }
  } catch (error) {
    console.error(`${error.message}\nusage: ${usage}`)
    process.exit(2)
  }
}

const { web, port, folder, places, help, 'no-open': quiet } = options()
if (help) {
  console.log(usage)
  process.exit(0)
}

/** Why not Electron; '' where the user wants the browser. */
async function reasonForWeb() {
  if (web || port !== undefined) return ''
  const noScreen = whyNoScreen()
  if (noScreen) return noScreen
  if (electronBinary()) return null
  console.log('Loading Electron, once (about 120 MB) ...')
  return installElectron()
}

try {
  const reason = await reasonForWeb()
  if (reason === null) await startElectron()
  else {
    if (reason) console.log(`Electron is not used: ${reason}. The same workbench opens in the browser.`)
    await startWeb()
  }
} catch (error) {
  console.error(`Marrow could not be started: ${error.message}`)
  process.exit(1)
}

async function startElectron() {
  if (!isBuilt('all')) {
    console.log('Building ...')
    await buildAll()
  }
  const env = { ...process.env }
  // set by some terminals of editors; Electron would run as plain Node
  delete env.ELECTRON_RUN_AS_NODE
  const started = performance.now()
  const child = spawn(electronBinary(), [projectRoot, ...(folder ? [folder] : [])], { stdio: 'inherit', env })
  let asked = false
  const stop = (signal) => {
    asked = true
    child.kill(signal)
  }
  const signals = ['SIGINT', 'SIGTERM']
  for (const signal of signals) process.on(signal, stop)
  const ended = await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('exit', (code, signal) => resolve(code === 0 || asked ? null : `it ended with ${signal ?? `status ${code}`}`))
  })
  if (ended === null) return
  // a sandbox that the system does not allow, a missing library, root: the binary is there and cannot run here
  if (performance.now() - started > STARTED_MS) {
    console.error(`Electron failed: ${ended}`)
    process.exitCode = 1
    return
  }
  for (const signal of signals) process.off(signal, stop)
  console.log(`Electron is not used: ${ended}. The same workbench opens in the browser.`)
  await startWeb()
}

async function startWeb() {
  if (!isBuilt('renderer')) {
    console.log('Building the window ...')
    await buildRenderer()
  }
  const { serveWeb } = await import('./lib/serve-web.mjs')
  await serveWeb({ port, folder, places, open: !quiet })
}
