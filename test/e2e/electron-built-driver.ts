/** A program: runs out/main/index.js and out/preload/index.cjs, of the project or of a packed application (MARROW_PACKED), and prints what came of it. */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { projectRoot } from '../../scripts/lib/build.mjs'
import { createElectronClient } from '../../src/renderer/core/api/electron-client.ts'
import { until } from '../support/until.ts'
import { StandIn } from '../hosts/electron-stand-in.ts'

const packed = process.env.MARROW_PACKED
const root = packed ?? projectRoot
const electron = new StandIn({ userData: process.env.MARROW_HOME!, packaged: packed !== undefined })
const module = electron.mainModule()
Object.assign(globalThis, { electronStandIn: module })
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: 'stand-in:electron', format: 'module', shortCircuit: true } : next(specifier, context),
  load: (url, context, next) =>
    url === 'stand-in:electron'
      ? { format: 'module', shortCircuit: true, source: `export const { ${Object.keys(module).join(', ')} } = globalThis.electronStandIn` }
      : next(url, context),
})

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'ok',
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  )

process.argv = packed ? [process.argv[0]] : [process.argv[0], root]
await import(pathToFileURL(`${root}/out/main/index.js`).href)
electron.app.becomeReady()
await until('the window', () => electron.windows.length === 1)
const [window] = electron.windows
const preload: string = window.options.webPreferences.preload
const page = electron.preload(window.webContents, (own) => {
  // as Electron's sandbox runs it: a script with a require that knows electron
  const require = (name: string) => {
    if (name !== 'electron') throw new Error(`a sandboxed preload script cannot load ${name}`)
    return own
  }
  new Function('require', 'module', 'exports', readFileSync(preload, 'utf8'))(require, { exports: {} }, {})
})
const api = createElectronClient(page.marrow)

const get = (url: string) => electron.served.get('marrow')!(new Request(url))
const html = await get('marrow://app/')
const text = await html.text()
const scripts = await Promise.all(
  [...text.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, src]) => get(new URL(src, 'marrow://app/').href)),
)

const info = await api.call('app.info', {})
const { window: before } = await api.call('settings.get', {})
const settings = await api.call('settings.set', { theme: 'light', window: { lastOpen: '{"was":"open"}' } })
const menu = new Promise((resolve) => api.on('command.run', ({ id }) => resolve(id)))
electron.menuItem('edit.undo')!.click!()

/** Through SQLite and the index worker, which the bundles must find. */
async function sample(): Promise<string> {
  const library = await api.call('library.openSample', {})
  const report = await api.call('library.scan', { library: library.id })
  return report.models > 0 ? 'indexed' : 'nothing found'
}
const sampled = await sample().catch((error: { code?: string; message: string }) =>
  error.code === 'unsupported' ? 'unsupported' : error.message,
)

/** The process of the services is killed: the window is told, and a page that is loaded again is served by another one. */
const ended = new Promise<string>((resolve) => api.on('services.ended', ({ message }) => resolve(message)))
process.kill(electron.utilities[0].pid!, 'SIGKILL')
const lost = await ended
window.webContents.reload()
const servedAgain = (await api.call('app.info', {})).host

const result = {
  preload: relative(root, preload).replaceAll('\\', '/'),
  url: window.webContents.mainFrame.url,
  exposed: Object.keys(page.marrow).sort(),
  page: html.status,
  scripts: scripts.map(({ status }) => status),
  outside: (await get('marrow://app/..%2fmain/index.js')).status,
  host: info.host,
  theme: settings.theme,
  lastOpen: before.lastOpen ?? '',
  refused: await codeOf(api.call('slices.remove', { model: 'm', slice: -1 })),
  unknown: await codeOf(api.call('no.such' as never, {} as never)),
  menu: await menu,
  sample: sampled,
  lost,
  servedAgain,
  processes: electron.utilities.length,
  ended: false,
}
electron.app.quit()
await until('the end', () => electron.app.ended)
console.log(JSON.stringify({ ...result, ended: true }))
process.exit(0)
