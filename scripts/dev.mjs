// npm run dev [FOLDER] [-- --electron] [--port N] [--no-open]
// The window changes as its sources do. In the browser by default: Vite's dev server behind the web host; start it anew after a
// change in src/main. With --electron through electron-vite, which also restarts the main process.
import { spawn } from 'node:child_process'
import { createServer as createHttpServer } from 'node:http'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { projectRoot } from './lib/build.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { electron: { type: 'boolean', default: false }, port: { type: 'string' }, 'no-open': { type: 'boolean', default: false } },
})
const folder = positionals[0] && resolve(process.env.INIT_CWD ?? process.cwd(), positionals[0])

if (values.electron) {
  const child = spawn(
    process.execPath,
    [join(projectRoot, 'node_modules/electron-vite/bin/electron-vite.js'), 'dev', '--watch', ...(folder ? ['--', folder] : [])],
    { cwd: projectRoot, stdio: 'inherit' },
  )
  child.on('exit', (code) => process.exit(code ?? 0))
} else {
  const { createServer } = await import('vite')
  const { default: config } = await import('../electron.vite.config.ts')
  const { serveWeb } = await import('./lib/serve-web.mjs')
  // a server of its own for Vite's own socket: the web host takes only the window's
  const reloads = createHttpServer()
  await new Promise((done) => reloads.listen(0, '127.0.0.1', done))
  const vite = await createServer({
    ...config.renderer,
    configFile: false,
    appType: 'spa',
    server: { middlewareMode: true, host: '127.0.0.1', hmr: { server: reloads, host: '127.0.0.1', clientPort: reloads.address().port } },
  })
  const page = (request, response) => vite.middlewares(request, response)
  const port = values.port === undefined ? undefined : Number(values.port)
  const onClose = async () => {
    await vite.close()
    reloads.close()
  }
  await serveWeb({ port, folder, open: !values['no-open'], page, onClose })
}
