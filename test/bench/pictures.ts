/// <reference lib="dom" />
/** Small pictures of models in a page of the library: made as they come into view, and there again after a reload. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { framesDrawn, watchPictures } from './drawn-frame.ts'
import { mixedLibrary } from './mixed-library.ts'
import { onFolderPage } from './sample-page.ts'
import { atMost, byItself, median, type Row } from './measure.ts'

const FILES = 600
/** 20 drawn in a second, 100 that are known */
const ALLOWED = { drawn: 50, known: 10 }

/** Milliseconds in which a list shows what it scrolled to. */
const ONE_MOMENT = 500

interface Shown {
  count: number
  ms: number
}

/** Runs in the page: how many pictures were waited for from when the first was, until all in view are there. */
function picturesShown(): Promise<Shown> {
  return new Promise((done) => {
    let start = 0
    const before = new Set<Element>()
    const look = (): void => {
      const all = [...document.querySelectorAll('section[aria-label="Library"] .picture')]
      const coming = all.filter((picture) => picture.classList.contains('coming'))
      for (const picture of coming) before.add(picture)
      if (start === 0 && coming.length > 0) start = performance.now()
      if (start > 0 && coming.length === 0 && all.length > 0) done({ count: before.size, ms: performance.now() - start })
      else requestAnimationFrame(look)
    }
    look()
  })
}

export async function pictureRows(): Promise<Row[]> {
  const root = mkdtempSync(join(tmpdir(), 'marrow-bench-'))
  try {
    for (const { path, bytes } of mixedLibrary(FILES)) {
      const target = join(root, path)
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, bytes)
    }
    return await onFolderPage(root, async (page) => {
      page.setDefaultTimeout(300_000)
      const row = (which: string, { count, ms }: Shown, most: number): Row =>
        atMost(`pictures in view, ${which}: each`, ms / count, most, { note: `${count} in ${ms.toFixed(0)} ms` })
      await page.waitForFunction(() => document.querySelector('.picture img') && !document.querySelector('.picture.coming'))
      const artist = page.workers().find((worker) => worker.url().includes('draw-pictures'))!
      await watchPictures(artist)
      const drawn = page.evaluate(picturesShown)
      // what fails meanwhile is told in its own words
      drawn.catch(() => undefined)
      // tiles show more of them than rows do
      await page.getByRole('button', { name: 'Pictures' }).click()
      await page.locator('section[aria-label="Library"] [role=listbox]:visible').focus()
      await page.keyboard.press('End')
      const rows = [row('drawn', await drawn, ALLOWED.drawn)]
      rows.push(byItself('pictures in view, drawn: the drawing alone, until its pixels are there', median(await framesDrawn(artist))))
      await page.keyboard.press('Home')
      // tiles that come into view have to be there before their pictures are waited for: those that are not drawn yet are not known
      await page.waitForFunction(
        () => document.querySelector('section[aria-label="Library"] [role=option]')?.getAttribute('aria-selected') === 'true',
      )
      await page.waitForTimeout(ONE_MOMENT)
      await page.waitForFunction(() => !document.querySelector('.picture.coming'))
      await page.reload({ waitUntil: 'commit' })
      rows.push(row('known', await page.evaluate(picturesShown), ALLOWED.known))
      return rows
    })
  } finally {
    rmSync(root, { recursive: true })
  }
}
