// A screenshot of the window: builds it where it is out of date, starts the web host and a headless Chromium, writes a PNG.
//   npm run shot -- out.png [--folder DIR] [--sample] [--size 1440x900] [--theme light|dark] [--query fake] [--steps steps.mjs]
//                           [--wait ms] [--url URL] [--fresh]
// steps.mjs: export default async (page, { shot }) => {...}   page is playwright's, shot('name.png') writes one more picture.
// Errors of the page's console are printed; exit status 1 when there were any.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright'
import { buildRenderer, isBuilt, projectRoot } from './lib/build.mjs'
import { chromiumLaunchOptions } from './lib/chromium.mjs'
import { inPlace } from '../src/main/hosts/backend/in-place.ts'
import { createServices } from '../src/main/services/create-services.ts'
import { startWebHost } from '../src/main/hosts/web/web-host.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    folder: { type: 'string' },
    sample: { type: 'boolean' },
    size: { type: 'string', default: '1440x900' },
    theme: { type: 'string', default: 'dark' },
    query: { type: 'string', default: '' },
    steps: { type: 'string' },
    wait: { type: 'string', default: '500' },
    url: { type: 'string' },
    fresh: { type: 'boolean' },
  },
})
const launch = await chromiumLaunchOptions().catch((error) => {
  console.error(error.message)
  process.exit(1)
})
const out = resolve(positionals[0] ?? 'test-results/shot.png')
const [width, height] = values.size.split('x').map(Number)
const state = mkdtempSync(join(tmpdir(), 'marrow-shot-'))
let services
let host
let browser
let errors = 0
try {
  // the window's own fake of the services is no part of the product's build
  const fake = new URLSearchParams(values.query).has('fake') ? join(projectRoot, 'out', 'renderer-fake') : undefined
  if (fake) await buildRenderer({ mode: 'fake', outDir: fake })
  else if (!values.url && (values.fresh || !isBuilt('renderer'))) await buildRenderer()
  let url = values.url
  if (!url) {
    services = createServices({ stateFolder: state, host: 'web' })
    let folder = values.folder && resolve(values.folder)
    if (values.sample) folder = (await services.handlers['library.openSample']({}, { signal: new AbortController().signal })).root
    host = await startWebHost({ backend: inPlace(services), folder, rendererFolder: fake })
    url = values.query ? host.url.replace('/#', `/?${values.query}#`) : host.url
  }
  browser = await chromium.launch(launch)
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: values.theme === 'light' ? 'light' : 'dark' })
  const complain = (text) => {
    errors++
    console.error(`page: ${text}`)
  }
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complain(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => complain(error.stack ?? error.message))
  await page.goto(url)
  await page.waitForLoadState('networkidle')
  const shot = async (name) => {
    await page.screenshot({ path: resolve(dirname(out), name) })
    console.log(resolve(dirname(out), name))
  }
  if (values.steps) await (await import(pathToFileURL(resolve(values.steps)).href)).default(page, { shot })
  await page.waitForTimeout(Number(values.wait))
  await shot(out)
} finally {
  await browser?.close()
  await host?.close()
  await services?.close()
  rmSync(state, { recursive: true, force: true })
}
process.exitCode = errors > 0 ? 1 : 0
