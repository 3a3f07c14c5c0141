/// <reference lib="dom" />
/** The window on a library, in a real Chromium (drawing in software here, so the share of drawing is large). */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright'
import type { Page } from 'playwright'
import { buildRenderer, isBuilt } from '../../scripts/lib/build.mjs'
import { chromiumLaunchOptions } from '../../scripts/lib/chromium.mjs'
import { startWebHost } from '../../src/main/hosts/web/web-host.ts'
import { createServices } from '../../src/main/services/create-services.ts'
import type { Services } from '../../src/main/services/service.ts'

type Measure<T> = (page: Page, services: Services) => Promise<T>

/** On the sample library. */
export function onSamplePage<T>(measure: Measure<T>): Promise<T> {
  return onPage(undefined, measure)
}

/** On a folder, scanned before. */
export function onFolderPage<T>(folder: string, measure: Measure<T>): Promise<T> {
  return onPage(folder, measure)
}

async function onPage<T>(folder: string | undefined, measure: Measure<T>): Promise<T> {
  if (!isBuilt('renderer')) await buildRenderer()
  const state = mkdtempSync(join(tmpdir(), 'marrow-bench-'))
  const services = createServices({ stateFolder: state, host: 'web' })
  // commits before it took the services themselves: --compare measures them, too
  const apart = await import('../../src/main/hosts/backend/in-place.ts').catch(() => undefined)
  const host = await startWebHost({ ...(apart ? { backend: apart.inPlace(services) } : ({ services } as never)), folder })
  const browser = await chromium.launch(await chromiumLaunchOptions())
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.goto(host.url)
    if (folder === undefined) await page.getByText('Open the sample library').click()
    await page.getByText(/^Scanned /).waitFor({ timeout: 600_000 })
    return await measure(page, services)
  } finally {
    await browser.close()
    await host.close()
    await services.close()
    rmSync(state, { recursive: true, force: true })
  }
}

/** Opens the first row of the library with that text, and comes back to the library. @returns milliseconds to its first frame */
export async function clickToFrame(page: Page, where: string | RegExp): Promise<number> {
  const row = page.locator('section[aria-label="Library"] [role=listbox]').getByText(where).first()
  await row.waitFor()
  const marks = (): Promise<number> => page.evaluate(() => performance.getEntriesByName('marrow.first-frame').length)
  const before = await marks()
  const start = await page.evaluate(() => performance.now())
  await row.dblclick()
  await page.waitForFunction((n) => performance.getEntriesByName('marrow.first-frame').length > n, before)
  const end = await page.evaluate(() => performance.getEntriesByName('marrow.first-frame').at(-1)!.startTime)
  await page.getByRole('tab').first().click()
  return end - start
}
