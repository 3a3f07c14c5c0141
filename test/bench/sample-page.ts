/// <reference lib="dom" />
/** The window on a library, in a real Chromium (drawing in software here, so the share of drawing is large). */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Locator, Page } from 'playwright'
import { buildAll, isBuilt, projectRoot } from '../../scripts/lib/build.mjs'
import { ServicesApart } from '../../src/main/hosts/backend/apart.ts'
import { startWebHost } from '../../src/main/hosts/web/web-host.ts'
import { openLog } from '../../src/main/services/log.ts'
import { startThread } from '../../src/main/worker/thread.ts'
import { inBrowser } from './browser.ts'
import type { Backend } from '../../src/main/hosts/backend/backend.ts'
import type { ServicesLine } from '../../src/main/hosts/backend/protocol.ts'

/** How a page is asked for something: at each frame, as the driver does by itself, it would draw frames that nobody needs. */
export const UNSEEN = { polling: 50 }

type Measure<T> = (page: Page, backend: Backend) => Promise<T>

/** On the sample library. */
export function onSamplePage<T>(measure: Measure<T>): Promise<T> {
  return onPage(undefined, measure)
}

/** On a folder, scanned before. */
export function onFolderPage<T>(folder: string, measure: Measure<T>): Promise<T> {
  return onPage(folder, measure)
}

/**
 * The services as they are built: from its sources each thread that they start takes a second of the processor, beside the window. The line of
 * `servicesThread`, for a file that the commits which `--compare` measures cannot be given.
 */
function builtServices(): ServicesLine {
  const { worker, end } = startThread(pathToFileURL(join(projectRoot, 'out/main/services-worker.js')))
  return {
    send: (message, transfer) => worker.postMessage(message, transfer),
    listen(message, ended) {
      worker.on('message', message)
      worker.on('error', (error) => ended(String(error)))
    },
    end,
  }
}

async function onPage<T>(folder: string | undefined, measure: Measure<T>): Promise<T> {
  if (!isBuilt('all')) await buildAll()
  const state = mkdtempSync(join(tmpdir(), 'marrow-bench-'))
  // as the application has them: apart from the thread that serves the window, and that drives it here
  const backend = new ServicesApart({ start: { stateFolder: state, host: 'web' }, line: builtServices, log: openLog(state) })
  const host = await startWebHost({ backend, folder })
  try {
    return await inBrowser(async (browser) => {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
      await page.goto(host.url)
      if (folder === undefined) await page.getByText('Open the sample library').click()
      await page.getByText(/^Scanned /).waitFor({ timeout: 600_000 })
      return measure(page, backend)
    })
  } finally {
    await host.close()
    await backend.close()
    rmSync(state, { recursive: true, force: true })
  }
}

/** Those of the window come before those of panels. */
const tabs = (page: Page): Locator => page.getByRole('tab')

/** ms that a quick hand holds a button, of two presses: the driver's own two come in no time */
const PRESS_MS = 60

/** @param event what tells of the press @returns milliseconds from it until the first whole frame of a model stands on the screen */
async function toFirstFrame(page: Page, event: 'dblclick' | 'pointerdown', press: () => Promise<void>): Promise<number> {
  // what drives the browser takes its own time until it clicks
  const before = await page.evaluate((type) => {
    addEventListener(type, ({ timeStamp }) => performance.mark('bench.click', { startTime: timeStamp }), { capture: true, once: true })
    return performance.getEntriesByName('marrow.first-frame').length
  }, event)
  await press()
  await page.waitForFunction((n) => performance.getEntriesByName('marrow.first-frame').length > n, before)
  return page.evaluate(() => {
    const at = (name: string): number => performance.getEntriesByName(name).at(-1)!.startTime
    return at('marrow.first-frame') - at('bench.click')
  })
}

/** Opens the first row of the library with that text, and comes back to the library. @returns milliseconds from the second press of the button to its first frame */
export async function clickToFrame(page: Page, where: string | RegExp): Promise<number> {
  const row = page.locator('section[aria-label="Library"] [role=listbox]').getByText(where).first()
  await row.waitFor()
  // what came after the last click has come to its end before anybody has read what is there and clicks again
  await page.waitForTimeout(600)
  const ms = await toFirstFrame(page, 'dblclick', () => row.dblclick({ delay: PRESS_MS }))
  await toLibrary(page)
  return ms
}

export async function toLibrary(page: Page): Promise<void> {
  await tabs(page).first().click()
  await page.getByText(/^Scanned /).waitFor()
}

/** Clicks on the tab of the model that was shown last, in the library. @param tab 1 is the first model @returns milliseconds until its page has been painted, whose picture is there */
export async function backToFrame(page: Page, tab: number): Promise<number> {
  await page.evaluate(() => {
    performance.clearMarks('bench.painted')
    addEventListener(
      'pointerdown',
      ({ timeStamp }) => {
        const look = (): void => {
          const shown = document.querySelector('[data-panel="viewport"] canvas')?.checkVisibility() === true
          if (!shown) return void requestAnimationFrame(look)
          // the frame that has it is painted when the next task runs
          requestAnimationFrame(() => setTimeout(() => performance.mark('bench.painted', { detail: performance.now() - timeStamp })))
        }
        requestAnimationFrame(look)
      },
      { capture: true, once: true },
    )
  })
  await tabs(page).nth(tab).click()
  await page.waitForFunction(() => performance.getEntriesByName('bench.painted').length > 0)
  return page.evaluate(() => (performance.getEntriesByName('bench.painted').at(-1) as PerformanceMark).detail as number)
}

/** Clicks on the tab of another open model. @returns milliseconds until the first whole frame of it stands on the screen */
export function tabToFrame(page: Page, tab: number): Promise<number> {
  return toFirstFrame(page, 'pointerdown', () => tabs(page).nth(tab).click())
}
