/**
 * The workbench as a user has it: the built window in a real Chromium, the web host, the real services. Every start has a state folder and a browser
 * profile of its own. An error of the page, a breach of its content security policy or a request to another machine fails the test.
 *
 *   import { describe, expect, test } from './harness.ts'
 *   test('opens the sample', async ({ startApp }) => {
 *     const { page, screenshot } = await startApp({ folder })
 *     ...
 *     await screenshot('sample')
 *   })
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decode } from 'fast-png'
import type { Browser, Locator, Page } from 'playwright'
import { expect, inject, test as base } from 'vitest'
import { projectRoot } from '../../scripts/lib/build.mjs'
import { inPlace } from '../../src/main/hosts/backend/in-place.ts'
import { startWebHost } from '../../src/main/hosts/web/web-host.ts'
import { createServices } from '../../src/main/services/create-services.ts'
import type { WindowProbe } from '../../src/renderer/core/probe.ts'
import type { Services } from '../../src/main/services/service.ts'
import type { CallArgs } from '../../src/shared/api/contract.ts'
import { localeOf, setLocale } from '../../src/shared/texts/say.ts'
import { countListeners } from '../support/page-listeners.ts'
import { putSample } from '../support/sample.ts'
import { sharedBrowser } from './browser.ts'
import { readySample } from './ready-sample.ts'

export { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest'

export interface StartOptions {
  /** opened at the start */
  folder?: string
  /** a sample library of its own, opened at the start; scanned before, where `state` and `locale` are not given */
  sample?: boolean
  /** what the window may use beside the user's home; the folder of temporary files, where tests keep theirs */
  places?: string[]
  size?: { width: number; height: number }
  theme?: 'light' | 'dark'
  /** language of the window; its own otherwise */
  locale?: string
  /** state folder to start on (of an earlier app of the test); a fresh one otherwise */
  state?: string
  services?: Services
  /** stored before the window reads its settings */
  settings?: CallArgs<'settings.set'>
  /** errors of the page that the test means to cause */
  allowErrors?: RegExp
  /** ms until a change in the library's folder is followed; never where it is absent, since what a test changes is what it is about */
  watchPause?: number
}

export interface App {
  page: Page
  /** an address that works once: a new one each time */
  readonly url: string
  services: Services
  state: string
  /** what the page complained about so far */
  errors: string[]
  /** a PNG in test-results/ */
  screenshot(name: string): Promise<string>
  /** also done at the end of the test; throws where the page had errors */
  close(): Promise<void>
}

async function startApp(browser: Browser, options: StartOptions = {}): Promise<App> {
  const state = options.state ?? (await readyState(browser, options)) ?? mkdtempSync(join(tmpdir(), 'marrow-e2e-'))
  // the services of the application speak its language, too; here they run in the process of the tests
  setLocale(localeOf(options.locale))
  if (options.sample) await putSample(state)
  const { watchPause = 0 } = options
  const services = options.services ?? createServices({ stateFolder: state, host: 'web', watchPause })
  if (options.settings) await services.handlers['settings.set'](options.settings, { signal: new AbortController().signal })
  const folder = options.sample
    ? (await services.handlers['library.openSample']({}, { signal: new AbortController().signal })).root
    : options.folder
  const host = await startWebHost({ backend: inPlace(services), folder, places: options.places ?? [tmpdir(), inject('runFolder')] })
  const origin = `http://127.0.0.1:${host.port}`
  const errors: string[] = []
  const context = await browser.newContext({
    viewport: options.size ?? { width: 1440, height: 900 },
    colorScheme: options.theme ?? 'dark',
    acceptDownloads: true,
  })
  await context.route(
    (url) => /^https?:$/.test(url.protocol) && url.origin !== origin,
    (route) => {
      errors.push(`request to ${route.request().url()}`)
      return route.abort()
    },
  )
  await context.addInitScript(smoothNothing)
  await context.addInitScript(`globalThis.marrowProbe = { listeners: (${countListeners.toString()})(globalThis) }`)
  const page = await context.newPage()
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`console: ${message.text()} (${message.location().url}:${message.location().lineNumber})`)
  })
  page.on('pageerror', (error) => errors.push(`exception: ${error.stack ?? error.message}`))
  page.on('crash', () => errors.push('the page crashed'))
  let closed = false
  const app: App = {
    page,
    get url() {
      return host.url
    },
    services,
    state,
    errors,
    async screenshot(name) {
      const path = join(projectRoot, 'test-results', `${name}.png`)
      mkdirSync(join(path, '..'), { recursive: true })
      await page.screenshot({ path })
      return path
    },
    async close() {
      if (closed) return
      closed = true
      await context.close()
      await host.close()
      await services.close()
      setLocale('en')
      if (!options.state) rmSync(state, { recursive: true, force: true, maxRetries: 3 })
      const unexpected = errors.filter((error) => !options.allowErrors?.test(error))
      expect(unexpected, 'errors of the page').toEqual([])
    },
  }
  const address = new URL(host.url)
  if (options.locale) address.searchParams.set('locale', options.locale)
  await page.goto(address.href)
  return app
}

/** Runs in the page. Smooth edges of the picture take the software driver as long as the picture itself, and no test looks at them. */
function smoothNothing(): void {
  const { prototype } = HTMLCanvasElement
  const getContext = prototype.getContext
  prototype.getContext = function (type, options) {
    return getContext.call(this, type, type === 'webgl2' ? { ...options, antialias: false } : options)
  }
}

/** Where the sample was scanned before; what a scan writes in another language is looked at, too. */
function readyState(browser: Browser, { sample, locale }: StartOptions): Promise<string | undefined> | undefined {
  if (!sample || locale) return undefined
  return readySample(async (state) => {
    // all of its rows are in view, and so drawn
    const app = await startApp(browser, { sample, state, size: { width: 1440, height: 1600 } })
    await app.page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
    return app
  })
}

/** What the window tells, and what is counted from outside of it. */
export interface TestProbe extends WindowProbe {
  /** of the window and the document, a line each */
  listeners(): string[]
}

/** What the page's own globals are to the functions below: the tests know no DOM. */
declare const document: { getAnimations(): { playState: string; effect: { getComputedTiming(): { iterations: number } } }[] }
declare const marrowProbe: TestProbe
declare const HTMLCanvasElement: { prototype: { getContext(type: string, options?: object): unknown } }

/** Nothing is on its way from one look to another. @param picture and the picture shows all that was asked for */
async function isStill(page: Page, picture: boolean): Promise<void> {
  await page.waitForFunction(
    (picture) =>
      (!picture || marrowProbe.pictureAtRest()) &&
      // what turns without end says that something loads: it is waited for by what it loads
      document
        .getAnimations()
        .every(({ playState, effect }) => playState !== 'running' || effect.getComputedTiming().iterations === Infinity),
    picture,
  )
}

/** What is drawn in CSS alone: of a page whose picture is held, or that is cut off from its services. */
export const styleAtRest = (page: Page): Promise<void> => isStill(page, false)

/** What is drawn in CSS, and the picture of the model. */
export const atRest = (page: Page): Promise<void> => isStill(page, true)

/** RGBA of what an element shows now. */
export async function pixelsOf(element: Locator): Promise<{ width: number; height: number; rgba: Uint8Array }> {
  const { width, height, data, channels } = decode(await element.screenshot())
  if (channels === 4) return { width, height, rgba: new Uint8Array(data) }
  const rgba = new Uint8Array(width * height * 4).fill(255)
  for (let i = 0; i < width * height; i++) for (let c = 0; c < 3; c++) rgba[i * 4 + c] = data[i * channels + c]
  return { width, height, rgba }
}

/** How many different ones an element shows. */
export async function coloursOf(element: Locator): Promise<number> {
  const { rgba } = await pixelsOf(element)
  return new Set(new Uint32Array(rgba.buffer, rgba.byteOffset, rgba.length / 4)).size
}

type Picture = Awaited<ReturnType<typeof pixelsOf>>

/** Share of the pixels that two pictures of one size do not have in common. */
export function differing(a: Picture, b: Picture): number {
  expect([a.width, a.height]).toEqual([b.width, b.height])
  let count = 0
  for (let i = 0; i < a.rgba.length; i += 4) if ([0, 1, 2].some((c) => a.rgba[i + c] !== b.rgba[i + c])) count++
  return count / (a.width * a.height)
}

/** `startApp` closes what it started when the test ends. The browser is one for all tests, its contexts are not. */
export const test = base.extend<{ place: string; stateFolder: string; startApp: (options?: StartOptions) => Promise<App> }>({
  /** For files of the test: a folder that is new for each try of it, so that a second try finds nothing of the first. */
  place: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'marrow-e2e-'))
    await use(folder)
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  },
  /** For apps of one test that follow each other on it: gone after the last of them was closed. */
  stateFolder: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'marrow-state-'))
    await use(folder)
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  },
  startApp: async ({ place: _goneAfter, stateFolder: _closedAfter }, use) => {
    const browser = await sharedBrowser()
    const apps: App[] = []
    await use(async (options) => {
      const app = await startApp(browser, options)
      apps.push(app)
      return app
    })
    for (const app of apps.reverse()) await app.close()
  },
})
