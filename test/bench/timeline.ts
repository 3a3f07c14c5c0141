/** The timeline with a quarter of a million keys, drawn in a real Chromium (in software here: canvas work counts in full). */
import { join } from 'node:path'
import { build, type Rollup } from 'vite'
import { inBrowser } from './browser.ts'
import { atMost, type Row } from './measure.ts'
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
  return inBrowser(async (browser) => {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    page.on('pageerror', (error) => console.error(error))
    await page.addScriptTag({ content: code })
    const f = await page.evaluate(() => (globalThis as unknown as { marrowTimelineBench(): TimelineFigures }).marrowTimelineBench())
    return [
      atMost(`dope sheet, ${f.keys} keys: first paint`, f.first, FIRST),
      atMost('dope sheet: pan and zoom, a frame', f.pan, FRAME),
      atMost('dope sheet: all keys chosen, first paint', f.choose, FIRST),
      atMost('dope sheet: pan and zoom with all keys chosen', f.panChosen, FRAME),
      atMost('curves, one track of 250000 keys and five more: first paint', f.curvesFirst, FIRST),
      atMost('curves: pan and zoom, a frame', f.curvesPan, FRAME),
    ]
  })
}
