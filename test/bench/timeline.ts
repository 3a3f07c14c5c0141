/** The timeline with a quarter of a million keys, drawn in a real Chromium (in software here: canvas work counts in full). */
import { join } from 'node:path'
import { chromium } from 'playwright'
import { build, type Rollup } from 'vite'
import { chromiumLaunchOptions } from '../../scripts/lib/chromium.mjs'
import type { Row } from './measure.ts'
import type { TimelineFigures } from './timeline-page.ts'

const FIRST = 200
const FRAME = 16

export async function timelineRows(): Promise<Row[]> {
  const bundle = (await build({
    configFile: false,
    logLevel: 'warn',
    // a library is built with the variable in it, and a page has none
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { write: false, lib: { entry: join(import.meta.dirname, 'timeline-page.ts'), formats: ['iife'], name: 'bench' } },
  })) as Rollup.RollupOutput[]
  const [{ code }] = bundle[0].output
  const browser = await chromium.launch(await chromiumLaunchOptions())
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    page.on('pageerror', (error) => console.error(error))
    await page.addScriptTag({ content: code })
    const f = await page.evaluate(() => (globalThis as unknown as { marrowTimelineBench(): TimelineFigures }).marrowTimelineBench())
    // the aim as a ratio: what is allowed to what it took
    const row = (name: string, ms: number, allowed: number): Row => ({
      name,
      bytes: 0,
      ms,
      against: `at most ${allowed} ms`,
      againstMs: allowed,
      aim: 1,
    })
    return [
      row(`dope sheet, ${f.keys} keys: first paint`, f.first, FIRST),
      row('dope sheet: pan and zoom, a frame', f.pan, FRAME),
      row('dope sheet: all keys chosen, first paint', f.choose, FIRST),
      row('dope sheet: pan and zoom with all keys chosen', f.panChosen, FRAME),
      row('curves, one track of 250000 keys and five more: first paint', f.curvesFirst, FIRST),
      row('curves: pan and zoom, a frame', f.curvesPan, FRAME),
    ]
  } finally {
    await browser.close()
  }
}
