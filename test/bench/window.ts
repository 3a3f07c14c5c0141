/** A click on a model to its first frame on screen, in a real Chromium (drawing in software here, so the share of drawing is large). */
import { onSamplePage } from './sample-page.ts'
import type { Row } from './measure.ts'

export async function windowRows(): Promise<Row[]> {
  return onSamplePage(async (page) => {
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
  })
}
