/** The browser of all end-to-end tests: one for the process that runs their files one after the other, started before what a file opens is counted. */
import { chromium } from 'playwright'
import type { Browser } from 'playwright'
import { inject } from 'vitest'
import { chromiumLaunchOptions } from '../../scripts/lib/chromium.mjs'

/**
 * What Chromium keeps for itself lies in the folder of the run: when it is ended in haste it leaves some, which no test file has left. The page is put
 * together without WebGL's software driver, which takes four times as long for it and is there for the picture alone.
 */
async function launchBrowser(): Promise<Browser> {
  const options = await chromiumLaunchOptions({ env: { ...process.env, TMPDIR: inject('runFolder') } })
  return chromium.launch({ ...options, args: [...options.args, '--disable-gpu-compositing'] })
}

let shared: Browser | undefined

/** Another one where it is gone: a test that ends it takes no other with it. It ends with the process. */
export async function sharedBrowser(): Promise<Browser> {
  if (!shared?.isConnected()) shared = await launchBrowser()
  return shared
}
