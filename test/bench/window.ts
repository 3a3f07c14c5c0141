/** A click on a model to its first frame on screen, in a real Chromium (drawing in software here, so the share of drawing is large). */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { buildRenderer, isBuilt } from '../../scripts/lib/build.mjs'
import { chromiumLaunchOptions } from '../../scripts/lib/chromium.mjs'
import { startWebHost } from '../../src/main/hosts/web/web-host.ts'
import { createServices } from '../../src/main/services/create-services.ts'
import type { Row } from './measure.ts'

export async function windowRows(): Promise<Row[]> {
  if (!isBuilt('renderer')) await buildRenderer()
  const state = mkdtempSync(join(tmpdir(), 'marrow-bench-'))
  const services = createServices({ stateFolder: state, host: 'web' })
  const host = await startWebHost({ services })
  const browser = await chromium.launch(await chromiumLaunchOptions())
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.goto(host.url)
    await page.getByText('Open the sample library').click()
    await page.getByText(/^Scanned /).waitFor()
    const library = page.locator('section[aria-label="Library"]')
    const rows: Row[] = []
    for (const [name, where] of [
      ['first model: click to first frame', /Dark Cloud\/chara/],
      ['second model: click to first frame', /Lost Saga\/resource\/model\/animodel/],
    ] as const) {
      const row = library.getByText(where).first()
      await row.waitFor()
      const marks = (): Promise<number> => page.evaluate(() => performance.getEntriesByName('marrow.first-frame').length)
      const before = await marks()
      const start = await page.evaluate(() => performance.now())
      await row.dblclick()
      await page.waitForFunction((n) => performance.getEntriesByName('marrow.first-frame').length > n, before)
      const end = await page.evaluate(() => performance.getEntriesByName('marrow.first-frame').at(-1)!.startTime)
      rows.push({ name, bytes: 0, ms: end - start, against: '', againstMs: 0, aim: 0 })
      await page.getByRole('tab').first().click()
    }
    return rows
  } finally {
    await browser.close()
    await host.close()
    await services.close()
    rmSync(state, { recursive: true, force: true })
  }
}
