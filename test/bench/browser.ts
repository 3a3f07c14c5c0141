/** The browser of the bench: one for each of its pages, with a folder for what it keeps for itself. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright'
import type { Browser } from 'playwright'
import { chromiumLaunchOptions } from '../../scripts/lib/chromium.mjs'

/** What Chromium leaves when it is closed in haste goes with its folder. */
export async function inBrowser<T>(measure: (browser: Browser) => Promise<T>): Promise<T> {
  const own = mkdtempSync(join(tmpdir(), 'marrow-bench-browser-'))
  try {
    const browser = await chromium.launch(await chromiumLaunchOptions({ env: { ...process.env, TMPDIR: own } }))
    try {
      return await measure(browser)
    } finally {
      await browser.close()
    }
  } finally {
    rmSync(own, { recursive: true, force: true, maxRetries: 5 })
  }
}
